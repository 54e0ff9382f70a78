import type { Action } from '../../actions/action.ts'
import { readStored, writeStored } from '../../format/stored.ts'

/** One entry of the palette: an action, a screen, a record or a rule. */
export interface Command extends Action {
  readonly marks?: Match['marks']
}

export interface CommandGroup {
  readonly title: string
  readonly items: readonly Command[]
}

interface Match {
  /** Smaller is better. */
  readonly rank: number
  /** The parts of the title to highlight: from, to. */
  readonly marks: readonly (readonly [number, number])[]
}

/** Matches typed text with the title of a command. Every typed word must occur, in any order. */
export function matchText(typed: string, title: string, also = ''): Match | null {
  const text = typed.trim().toLowerCase()
  if (text === '') return { rank: 0, marks: [] }
  const low = title.toLowerCase()
  // Lower case changes the length of a few letters, and with it every position: highlight nothing then.
  const marks = low.length === title.length ? findMarks(text, low) : []
  const whole = low.indexOf(text)
  if (whole === 0) return { rank: 0, marks }
  const words = text.split(/\s+/)
  const places = words.map((word) => matchWord(low, word))
  if (places.every((at) => at !== null)) return { rank: places.every(Boolean) ? 1 : 2, marks }
  const all = `${low} ${also.toLowerCase()}`
  return words.every((word) => matchWord(all, word)) ? { rank: 3, marks } : null
}

/** True if it occurs at the start of a word, false if only inside of one, null if it does not occur. */
function matchWord(text: string, word: string): boolean | null {
  let found: boolean | null = null
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (at === 0 || !/[\p{L}\p{N}]/u.test(text[at - 1]!)) return true
    found = false
  }
  // Two letters occur inside some word of nearly every sentence.
  return found === false && word.length < 3 ? null : found
}

export function findMarks(text: string, title: string): Match['marks'] {
  const low = title.toLowerCase()
  const whole = text === '' ? -1 : low.indexOf(text)
  if (whole >= 0) return [[whole, whole + text.length]]
  const found = text.split(/\s+/).flatMap((word) => {
    const at = word === '' ? -1 : low.indexOf(word)
    return at < 0 ? [] : [[at, at + word.length] as const]
  })
  const inOrder = found.toSorted((a, b) => a[0] - b[0])
  return inOrder.filter(([from], i) => i === 0 || from >= inOrder[i - 1]![1])
}

const STORAGE_KEY = 'sandbank.recent'
const MAX_RECENT = 5

/** The ids of the commands that were run last, stored in this browser. */
export function readRecentCommands(): readonly string[] {
  const stored = readStored('localStorage', STORAGE_KEY)
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : []
}

export const rememberCommand = (id: string) =>
  writeStored(
    'localStorage',
    STORAGE_KEY,
    [id, ...readRecentCommands().filter((other) => other !== id)].slice(0, MAX_RECENT),
  )
