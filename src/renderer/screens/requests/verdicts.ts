import type { ReplayedExchange } from '../../../api/contract/control/replay.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'
import type { Signal } from '../../ui/GlyphText.tsx'

export type Verdict = ReplayedExchange['verdict']

export const verdicts: Readonly<Record<Verdict, { glyph: GlyphName; signal: Signal; description: string }>> = {
  same: { glyph: 'done', signal: undefined, description: 'The response is the same.' },
  differs: { glyph: 'decide', signal: 'wait', description: 'The response is different.' },
  refused: {
    glyph: 'broken',
    signal: 'bad',
    description: 'The request succeeded in the recording and is refused now.',
  },
  unrecorded: { glyph: 'not-begun', signal: 'soft', description: 'The recording has no response to compare with.' },
}
