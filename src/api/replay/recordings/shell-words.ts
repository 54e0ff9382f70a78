import { UnreadableRecording } from './recording.ts'
import { lineAndColumn } from './text.ts'

/** What both shells have in common. */

export interface Word {
  readonly text: string
  /** The parts that the shell would have replaced, as written: `$TOKEN`, `$(uuidgen)`. */
  readonly expansions: readonly string[]
}

export interface Command {
  readonly words: readonly Word[]
  /** Counted from 1. */
  readonly line: number
  /** It reads the output of the command before. */
  readonly isPiped: boolean
}

/** `found` such as `a '`; `end` such as `the text ends`. */
export function notClosed(text: string, offset: number, found: string, end: string): UnreadableRecording {
  const place = lineAndColumn(text, offset)
  return new UnreadableRecording(
    `${place[0]!.toUpperCase()}${place.slice(1)}: found ${found} that is never closed, expected another one before ${end}.`,
  )
}

/** So many pieces of a text are read in one step: words, parts of words, lines. */
export const PIECES_PER_STEP = 500

/** Returns line numbers of ascending offsets, so that the text is counted once. */
export function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let counted = 0
  return (offset) => {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
    counted = Math.max(counted, offset)
    return line
  }
}
