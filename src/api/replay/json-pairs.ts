/** Two answers side by side, place by place. */

export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json }

export interface Pair {
  /** A path, as `data[0].details.phone`; empty for the whole. */
  readonly at: string
  /** The nearest field's name. */
  readonly field: string
  /** undefined where one of them has nothing. */
  readonly a: Json | undefined
  readonly b: Json | undefined
}

/** `twinOf` names, for a record of a, the uid that its like has in b. */
export type TwinOf = (uid: string) => string | undefined

/**
 * The leaves, and what stands on one side only. Records of two lists are matched by uid, those that have no match in
 * order: a list that holds one more is then not different from there on.
 */
export function* pairs(
  a: Json | undefined,
  b: Json | undefined,
  twinOf: TwinOf,
  at = '',
  field = '',
): Generator<Pair, void, undefined> {
  if (isList(a) && isList(b)) {
    for (const [i, [left, right]] of matched(a, b, twinOf).entries())
      yield* pairs(left, right, twinOf, `${at}[${i}]`, field)
  } else if (isObject(a) && isObject(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)]))
      yield* pairs(of(a, name), of(b, name), twinOf, at === '' ? name : `${at}.${name}`, name)
  } else yield { at, field, a, b }
}

/** Records in the order of a, then what only b has. */
function matched(
  a: readonly Json[],
  b: readonly Json[],
  twinOf: TwinOf,
): (readonly [Json | undefined, Json | undefined])[] {
  const right = new Map(b.flatMap((item) => (uidOf(item) === undefined ? [] : [[uidOf(item)!, item] as const])))
  if (right.size === 0 || !a.some((item) => uidOf(item) !== undefined))
    return Array.from({ length: Math.max(a.length, b.length) }, (_, i) => [a[i], b[i]] as const)
  const twins = a.map((item) => {
    const uid = uidOf(item)
    const twin = uid === undefined ? undefined : twinOf(uid)
    return twin === undefined ? undefined : right.get(twin)
  })
  const taken = new Set(twins)
  const left = b.filter((item) => !taken.has(item))
  const both = a.map((item, i) => [item, twins[i] ?? left.shift()] as const)
  return [...both, ...left.map((item) => [undefined, item] as const)]
}

/** The uids of a list in their order; undefined for what is no list of records. */
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
const of = (value: { readonly [name: string]: Json }, name: string) =>
  Object.hasOwn(value, name) ? value[name] : undefined

/** undefined where the text is no JSON, or goes deeper than anything that is answered. */
export function parsed(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json
    return isWithin(value, DEEPEST) ? value : undefined
  } catch {
    return undefined
  }
}

const DEEPEST = 128
const isWithin = (value: Json, left: number): boolean => {
  if (typeof value !== 'object' || value === null) return true
  return left > 0 && Object.values(value as object).every((part: Json) => isWithin(part, left - 1))
}
