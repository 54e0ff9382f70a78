import type { GlyphName } from '../ui/Glyph.tsx'
import type { Signal } from '../ui/GlyphText.tsx'
import { GlyphText } from '../ui/GlyphText.tsx'
import { BreakableText } from '../ui/Text.tsx'

/** Every status of the API, by its glyph. */
const statuses: Partial<Readonly<Record<GlyphName, string>>> = {
  'not-begun': 'queued initiated created unconfirmed',
  'under-way':
    'pending pending_archival identity_verified documents_provided pending_id_documents ' +
    'pending_poa_documents pending_idandpoa_documents retake_images due waiting',
  done:
    'settled active approved pre_verified registered completed client_approved auto_approved ' +
    'client_unanswered_auto_approved delivered',
  decide: 'authorization_pending client_approval_pending manual_review under_review',
  broken: 'failed rejected denied documents_rejected',
  stopped:
    'canceled client_denied client_unanswered_auto_denied auto_denied expired authorization_denied ' +
    'unregistered dropped',
  closed: 'archived',
  held: 'paused held',
}

export const statusGlyphs: Readonly<Record<string, GlyphName>> = Object.fromEntries(
  Object.entries(statuses).flatMap(([glyph, words]) => words.split(' ').map((word) => [word, glyph as GlyphName])),
)

/** Normal states have the text color; only pending decisions and failures are colored. */
export function signalOfGlyph(shape: GlyphName, word?: string): Signal {
  if (shape === 'decide' || shape === 'held') return 'wait'
  if (shape === 'broken') return 'bad'
  if (shape === 'stopped') return word === 'unregistered' ? 'soft' : 'bad'
  if (shape === 'not-begun' || shape === 'closed') return 'soft'
  return undefined
}

/** `breaks`: a long status may break where space is short. */
export function Status({ word, breaks = false }: { word: string; breaks?: boolean }) {
  const shape = statusGlyphs[word] ?? 'under-way'
  return (
    <GlyphText glyph={shape} signal={signalOfGlyph(shape, word)} breaks={breaks}>
      <span>{breaks ? <BreakableText>{word}</BreakableText> : word}</span>
    </GlyphText>
  )
}
