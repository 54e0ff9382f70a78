import type { ReplayedExchange } from '../../../api/contract/control/replay.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'
import type { Signal } from '../../ui/GlyphText.tsx'

export type Verdict = ReplayedExchange['verdict']

export const verdicts: Readonly<Record<Verdict, { shape: GlyphName; signal: Signal; means: string }>> = {
  same: { shape: 'done', signal: undefined, means: 'The answer is what it was.' },
  differs: { shape: 'decide', signal: 'wait', means: 'The answer is another one.' },
  refused: { shape: 'broken', signal: 'bad', means: 'The record says it was done, and now it is refused.' },
  unrecorded: { shape: 'not-begun', signal: 'soft', means: 'The record has no answer to compare with.' },
}
