import type { Hint } from '../contract/control/exchanges.ts'
import type { JsonSchema } from '../contract/openapi.ts'
import { findMeantName } from '../contract/terms/nearest.ts'

/**
 * Finds unknown fields and parameters, which the platform ignores silently, and the nearest known name of each.
 *
 * Assumed (invented; strict): unknown query parameters and body fields are ignored; the header x-sandbank-hints and the window name them.
 */
export function findHints(value: unknown, schema: JsonSchema, at = ''): Hint[] {
  const options = schema.anyOf ?? [schema]
  const properties = options.find((option) => option.properties)?.properties
  if (!properties || typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, part]) => {
    const path = at ? `${at}.${shortenName(name)}` : shortenName(name)
    if (Object.hasOwn(properties, name)) return findHints(part, properties[name]!, path)
    if (name === '') return [{ at: path, text: `a field without a name was ignored${at ? ` in ${at}` : ''}` }]
    const similar = findMeantName(
      name,
      Object.keys(properties).filter((known) => !Object.hasOwn(value, known)),
    )
    return [
      { at: path, text: `${path} was ignored${similar ? `; did you mean ${at ? `${at}.${similar}` : similar}?` : ''}` },
    ]
  })
}

const MAX_NAME_LENGTH = 200
/** The beginning of a longer name could be that of a secret, which would not be recognized. */
export const shortenName = (name: string) =>
  name.length > MAX_NAME_LENGTH ? `(a name of ${name.length} characters)` : name

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
