import type { Exchange } from '../../api/contract/control/exchanges.ts'
import type { Task } from '../../api/contract/resources/tasks.ts'
import { taskRow } from '../../api/contract/tasks.ts'
import { isDropped, isRefused } from '../data/feed.ts'
import { BreakableText, type GlyphName, GlyphText, type Signal } from '../ui/Text.tsx'

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

/** An HTTP status. Errors and dropped connections have a glyph. */
export function StatusCode({ exchange }: { exchange: Pick<Exchange, 'status' | 'fault'> }) {
  if (isDropped(exchange))
    return (
      <GlyphText glyph="stopped" signal="bad" title="The connection was dropped">
        <b>dropped</b>
      </GlyphText>
    )
  if (!isRefused(exchange)) return <>{exchange.status}</>
  return (
    <GlyphText glyph="broken" signal="bad">
      <b>{exchange.status}</b>
      <span className="unseen">refused</span>
    </GlyphText>
  )
}

/** For a scheduled task. */
export function glyphOfTask({ kind, held, failed, recurring }: Task): GlyphName {
  if (failed !== null) return 'broken'
  if (held) return 'held'
  if (recurring) return 'repeats'
  return taskRow(kind)?.glyph ?? 'not-begun'
}

/** A canceled outcome is not an error. */
export const signalOfTask = (shape: GlyphName): Signal => (shape === 'stopped' ? 'soft' : signalOfGlyph(shape))
