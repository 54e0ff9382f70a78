/** Walks through two JSON values side by side. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

interface ValuePair {
  /** A path such as `data[0].details.phone`; empty for the whole. */
  readonly at: string
  /** The name of the nearest field. */
  readonly field: string
  /** undefined where one side has nothing. */
  readonly a: Json | undefined
  readonly b: Json | undefined
}

/** For the uid of a record in a, returns the uid of the corresponding record in b. */
type FindUid = (uid: string) => string | undefined

/**
 * Yields all pairs of scalar values, and what only one side has. Records in lists are matched by uid, those without a match
 * in order, so one more record does not make all later ones differ.
 */
export function* pairValues(
  a: Json | undefined,
  b: Json | undefined,
  findUid: FindUid,
  at = '',
  field = '',
): Generator<ValuePair, void, undefined> {
  if (isList(a) && isList(b)) {
    for (const [i, [left, right]] of matchItems(a, b, findUid).entries())
      yield* pairValues(left, right, findUid, `${at}[${i}]`, field)
  } else if (isObject(a) && isObject(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
      yield* pairValues(fieldValue(a, name), fieldValue(b, name), findUid, at === '' ? name : `${at}.${name}`, name)
  } else yield { at, field, a, b }
}

/** The items in the order of a, then those that only b has. */
function matchItems(
  a: readonly Json[],
  b: readonly Json[],
  findUid: FindUid,
): (readonly [Json | undefined, Json | undefined])[] {
  const byUid = new Map(b.flatMap((item) => (uidOf(item) === undefined ? [] : [[uidOf(item)!, item] as const])))
  if (byUid.size === 0 || !a.some((item) => uidOf(item) !== undefined))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i], b[i]] as const)
  const matches = a.map((item) => {
    const uid = uidOf(item)
    const other = uid === undefined ? undefined : findUid(uid)
    return other === undefined ? undefined : byUid.get(other)
  })
  const matched = new Set(matches)
  const rest = b.filter((item) => !matched.has(item))
  const pairs = a.map((item, i) => [item, matches[i] ?? rest.shift()] as const)
  return [...pairs, ...rest.map((item) => [undefined, item] as const)]
}

/** The uids of a list of records, in order; undefined if it is none. */
export const uidsOf = (list: Json | undefined): string[] | undefined => {
  if (!isList(list) || list.length === 0) return undefined
  const uids = list.map(uidOf)
  return uids.every((uid) => uid !== undefined) ? uids : undefined
}

const uidOf = (item: Json): string | undefined =>
  isObject(item) && typeof item.uid === 'string' ? item.uid : undefined

export const isList = (value: Json | undefined): value is readonly Json[] => Array.isArray(value)
export const isObject = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const fieldValue = (object: { readonly [name: string]: Json }, name: string) =>
  Object.hasOwn(object, name) ? object[name] : undefined

/** undefined if the text is not JSON, or is too deep to be a response of this API. */
export function parseJsonBody(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isWithinDepth(value, MAX_DEPTH) ? value : undefined
  } catch {
    return undefined
  }
}

const MAX_DEPTH = 128
const isWithinDepth = (value: Json, levels: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value as object).every((part: Json) => isWithinDepth(part, levels - 1))
}
