import { Glyph, type GlyphName } from '../ui/Glyph.tsx'
import type { Signal } from '../ui/GlyphText.tsx'
import { GlyphText } from '../ui/GlyphText.tsx'
import { BreakableText } from '../ui/Text.tsx'

/** The glyph of every status of the API. */
export const statusGlyphs: Readonly<Record<string, GlyphName>> = {
  queued: 'not-begun',
  initiated: 'not-begun',
  created: 'not-begun',
  pending: 'under-way',
  pending_archival: 'under-way',
  identity_verified: 'under-way',
  documents_provided: 'under-way',
  pending_id_documents: 'under-way',
  pending_poa_documents: 'under-way',
  pending_idandpoa_documents: 'under-way',
  retake_images: 'under-way',
  settled: 'done',
  active: 'done',
  approved: 'done',
  pre_verified: 'done',
  registered: 'done',
  completed: 'done',
  client_approved: 'done',
  auto_approved: 'done',
  client_unanswered_auto_approved: 'done',
  authorization_pending: 'decide',
  client_approval_pending: 'decide',
  manual_review: 'decide',
  under_review: 'decide',
  failed: 'broken',
  rejected: 'broken',
  denied: 'broken',
  documents_rejected: 'broken',
  canceled: 'stopped',
  client_denied: 'stopped',
  client_unanswered_auto_denied: 'stopped',
  auto_denied: 'stopped',
  expired: 'stopped',
  authorization_denied: 'stopped',
  unregistered: 'stopped',
  archived: 'closed',
  unconfirmed: 'not-begun',
  paused: 'held',
  due: 'under-way',
  waiting: 'under-way',
  delivered: 'done',
  held: 'held',
  dropped: 'stopped',
}

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
    <GlyphText signal={signalOfGlyph(shape, word)} breaks={breaks}>
      <Glyph name={shape} />
      <span>{breaks ? <BreakableText>{word}</BreakableText> : word}</span>
    </GlyphText>
  )
}
