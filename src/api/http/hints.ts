import type { Hint } from '../contract/control/exchanges.ts'
import type { JsonSchema } from '../contract/openapi.ts'

/**
 * Finds unknown fields and parameters, which the platform ignores silently, and the nearest known name of each.
 *
 * Assumed: unknown query parameters and body fields are ignored; the header x-sandbank-hints and the window name them.
 */
export function findHints(value: unknown, schema: JsonSchema, at = ''): Hint[] {
  const options = schema.anyOf ?? [schema]
  const properties = options.find((option) => option.properties)?.properties
  if (!properties || typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, part]) => {
    const path = at ? `${at}.${shortenName(name)}` : shortenName(name)
    if (Object.hasOwn(properties, name)) return findHints(part, properties[name]!, path)
    if (name === '') return [{ at: path, text: `a field without a name was ignored${at ? ` in ${at}` : ''}` }]
    const similar = findNearest(name, Object.keys(properties))
    return [
      { at: path, text: `${path} was ignored${similar ? `; did you mean ${at ? `${at}.${similar}` : similar}?` : ''}` },
    ]
  })
}

const MAX_NAME_LENGTH = 200
/** The beginning of a longer name could be that of a secret, which would not be recognized. */
export const shortenName = (name: string) =>
  name.length > MAX_NAME_LENGTH ? `(a name of ${name.length} characters)` : name

/** The known name nearest to this one; undefined if none is similar. */
export function findNearest(name: string, known: readonly string[]): string | undefined {
  const short = name.slice(0, 64).toLowerCase()
  const ranked = known
    .filter((candidate) => Math.abs(candidate.length - short.length) <= maxEdits(candidate))
    .map((candidate) => ({ candidate, edits: editDistance(short, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits)
  const best = ranked[0]
  return best && best.edits <= maxEdits(best.candidate) ? best.candidate : undefined
}

const maxEdits = (candidate: string) => Math.max(1, Math.floor(candidate.length / 3))

/** Damerau-Levenshtein distance: insertions, deletions, replacements and swaps of neighbors. */
function editDistance(a: string, b: string): number {
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

const MAX_HEADER_CHARS = 1000

/** Percent-encoded, so that field names cannot break the header. Complete hints only, at most 1 kB. */
export function formatHintsHeader(hints: readonly Hint[]): string {
  let header = ''
  for (const { text } of hints) {
    // encodeURIComponent throws on a lone surrogate; toWellFormed replaces it by U+FFFD.
    const next = `${header}${header ? ', ' : ''}${encodeURIComponent(text.toWellFormed())}`
    if (next.length > MAX_HEADER_CHARS) break
    header = next
  }
  return header
}
