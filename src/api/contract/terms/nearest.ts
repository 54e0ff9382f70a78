/** The known name nearest to this one; undefined if none is similar. */
export const findNearest = (name: string, known: readonly string[]): string | undefined => rankNearest(name, known)[0]

/** The known names that are similar to this one, the nearest first; one that begins with it is nearest. */
export function rankNearest(name: string, known: readonly string[]): string[] {
  const short = name.slice(0, MAX_CHARS)
  const editsTo = (candidate: string) => {
    if (short.length > 1 && candidate.startsWith(short)) return 0
    const most = maxEdits(candidate)
    const edits = Math.abs(candidate.length - short.length) <= most ? countEdits(short, candidate) : undefined
    return edits !== undefined && edits <= most ? edits : undefined
  }
  return known
    .flatMap((candidate) => {
      const edits = editsTo(candidate)
      return edits === undefined ? [] : [{ candidate, edits }]
    })
    .sort((a, b) => a.edits - b.edits)
    .map(({ candidate }) => candidate)
}

const MOST_NAMES = 5

/**
 * What an unknown name may stand for, the nearest first: names that are similar, then those that have all its words. A number that is like no
 * name is nearest to the numbers around it.
 */
export function suggestNames(name: string, known: readonly string[]): string[] {
  const words = name
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2)
  const holding = known.filter((one) => words.length > 0 && words.every((word) => one.toLowerCase().includes(word)))
  const near = [...new Set([...rankNearest(name, known), ...holding])]
  return (near.length > 0 ? near : aroundNumber(name, known)).slice(0, MOST_NAMES)
}

const isNumber = (text: string) => /^\d{1,9}$/.test(text)

function aroundNumber(name: string, known: readonly string[]): string[] {
  if (!isNumber(name)) return []
  const distance = (one: string) => Math.abs(Number(one) - Number(name))
  return known
    .filter(isNumber)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, 3)
}

/** The same for the name of a field, which may also be a part of one known name: `amount` is meant as `usd_transfer_amount`. */
export function findMeantName(name: string, known: readonly string[]): string | undefined {
  const words = name.slice(0, MAX_CHARS).toLowerCase().split('_')
  const longer = known.filter((candidate) => {
    const parts = candidate.split('_')
    return words.every((word) => parts.includes(word))
  })
  return findNearest(name, known) ?? (longer.length === 1 ? longer[0] : undefined)
}

/** A longer name is compared by its beginning. */
const MAX_CHARS = 64

const maxEdits = (candidate: string) => Math.max(1, Math.floor(candidate.length / 3))

/** Damerau-Levenshtein distance in any case: insertions, deletions, replacements and swaps of neighbors. */
export function countEdits(one: string, other: string): number {
  const a = one.slice(0, MAX_CHARS).toLowerCase()
  const b = other.slice(0, MAX_CHARS).toLowerCase()
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      next[j] = Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      if (isSwap) next[j] = Math.min(next[j]!, before[j - 2]! + 1)
    }
    before = row
    row = next
  }
  return row[b.length]!
}
