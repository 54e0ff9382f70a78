import type { Task } from '../../api/contract/resources/tasks.ts'
import { taskRow } from '../../api/contract/tasks.ts'
import type { GlyphName } from '../ui/Glyph.tsx'
import type { Signal } from '../ui/GlyphText.tsx'
import { signalOfGlyph } from './Status.tsx'

/** For a scheduled task. */
export function glyphOfTask({ kind, held, failed, recurring }: Task): GlyphName {
  if (failed !== null) return 'broken'
  if (held) return 'held'
  if (recurring) return 'repeats'
  return taskRow(kind)?.glyph ?? 'not-begun'
}

/** A canceled outcome is not an error. */
export const signalOfTask = (shape: GlyphName): Signal => (shape === 'stopped' ? 'soft' : signalOfGlyph(shape))
