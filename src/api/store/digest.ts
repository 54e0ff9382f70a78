import type { Slice } from './record-slices.ts'

/**
 * A digest of records: a sum with one summand for each field of each record, which depends on the collection, the uid, the field and
 * its value. So a change costs what differs, the order of records and of fields does not matter, and a record that is missing, doubled,
 * outdated or in another collection changes the sum.
 */
export class Digest {
  /** Two sums modulo 2^32, of numbers that are independent of each other. */
  low = 0
  high = 0

  add({ low, high }: Lanes) {
    this.low = (this.low + low) | 0
    this.high = (this.high + high) | 0
  }

  subtract({ low, high }: Lanes) {
    this.low = (this.low - low) | 0
    this.high = (this.high - high) | 0
  }

  copy(): Digest {
    const copy = new Digest()
    copy.add(this)
    return copy
  }

  /** The inverse of `toString`. */
  static parse(text: string): Digest {
    const digest = new Digest()
    digest.high = Number.parseInt(text.slice(0, 8), 16) | 0
    digest.low = Number.parseInt(text.slice(8), 16) | 0
    return digest
  }

  /** A record takes the place of another one. Of values that stay, nothing is computed. */
  addChange(collection: string, was: object | null | undefined, is: object | null | undefined) {
    if (was === is) return
    sum[0] = 0
    sum[1] = 0
    if (!was) sumFields(is as Fields, 1)
    else if (!is) sumFields(was as Fields, -1)
    else sumDifferences(was as Fields, is as Fields)
    hashValue(((is ?? was) as Fields).uid)
    this.#addRecord(collection, hash[0]!, hash[1]!, sum[0]!, sum[1]!)
  }

  subtractSlice(slice: Slice) {
    const other = new Digest()
    other.addSlice(slice)
    this.subtract(other)
  }

  /** All records of a slice: each of its values is hashed once. */
  addSlice({ collection, layouts, values, records }: Slice) {
    const lows = new Int32Array(values.length)
    const highs = new Int32Array(values.length)
    for (let at = 0; at < values.length; at++) {
      hashValue(values[at])
      lows[at] = hash[0]!
      highs[at] = hash[1]!
    }
    const summaries = layouts.map((fields) => new LayoutSums(fields))
    for (const row of records) {
      const sums = summaries[row[0]!]!
      let [low, high] = [0, 0]
      for (let column = 1; column < row.length; column++) {
        const at = row[column]!
        // The next record often has the same value.
        if (sums.latest[column] !== at) {
          place(sums.names[column - 1]!, lows[at]!, highs[at]!)
          sums.latest[column] = at
          sums.latestLows[column] = hash[0]!
          sums.latestHighs[column] = hash[1]!
        }
        low += sums.latestLows[column]!
        high += sums.latestHighs[column]!
      }
      const uid = row[sums.uid]!
      this.#addRecord(collection, lows[uid]!, highs[uid]!, low | 0, high | 0)
    }
  }

  #addRecord(collection: string, uidLow: number, uidHigh: number, low: number, high: number) {
    const name = knownText(collection)
    mix(name.low, name.high, uidLow, uidHigh)
    this.low = (this.low + Math.imul(low, hash[0]! | 1)) | 0
    this.high = (this.high + Math.imul(high, hash[1]! | 1)) | 0
  }

  /** Sixteen hexadecimal digits. */
  toString(): string {
    return toHex(this.high) + toHex(this.low)
  }
}

interface Lanes {
  readonly low: number
  readonly high: number
}

/** Absent and undefined are the same, as in a file. */
type Fields = Readonly<Record<string, unknown>>

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const toHex = (lane: number) =>
  HEX[lane >>> 24]! + HEX[(lane >>> 16) & 255]! + HEX[(lane >>> 8) & 255]! + HEX[lane & 255]!

class LayoutSums {
  readonly uid: number
  readonly names: readonly Lanes[]
  readonly latest: Int32Array
  readonly latestLows: Int32Array
  readonly latestHighs: Int32Array

  constructor(fields: readonly string[]) {
    this.names = fields.map(knownText)
    this.uid = fields.indexOf('uid') + 1
    this.latest = new Int32Array(fields.length + 1).fill(-1)
    this.latestLows = new Int32Array(fields.length + 1)
    this.latestHighs = new Int32Array(fields.length + 1)
  }
}

/** Of the fields of one record. */
const sum = new Int32Array(2)

function sumFields(fields: Fields, sign: 1 | -1) {
  for (const field in fields) if (fields[field] !== undefined) sumField(field, fields[field], sign)
}

function sumDifferences(before: Fields, after: Fields) {
  let common = 0
  for (const field in after) {
    const value = after[field]
    const old = before[field]
    if (old !== undefined) common++
    if (value === old) continue
    if (value !== undefined) sumField(field, value, 1)
    if (old !== undefined) sumField(field, old, -1)
  }
  if (Object.keys(before).length === common) return
  for (const field in before) if (before[field] !== undefined && !(field in after)) sumField(field, before[field], -1)
}

function sumField(field: string, value: unknown, sign: 1 | -1) {
  hashField(field, value)
  sum[0]! += sign * hash[0]!
  sum[1]! += sign * hash[1]!
}

// ── Hashes ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** The result of the latest call below: an object for each would take longer than the hash. */
const hash = new Int32Array(2)

/** Kinds of values, so that the text `null` differs from null. */
const [TEXT, NUMBER, CONSTANT, OBJECT, ARRAY] = [1, 2, 3, 4, 5]

const [NULL, TRUE, FALSE] = [1, 2, 3].map(hashConstant) as [Lanes, Lanes, Lanes]

function hashConstant(number: number): Lanes {
  mix(CONSTANT, number, 0, 0)
  return { low: hash[0]!, high: hash[1]! }
}

/** Names of fields and collections. There are few, unless an import has thousands of its own. */
const known = new Map<string, Lanes>()
const MAX_KNOWN = 10_000

function knownText(text: string): Lanes {
  let lanes = known.get(text)
  if (!lanes) {
    hashText(text, TEXT)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(text, (lanes = { low: hash[0]!, high: hash[1]! }))
  }
  return lanes
}

function hashField(field: string, value: unknown) {
  // First, as it may hash the name.
  const name = knownText(field)
  hashValue(value)
  place(name, hash[0]!, hash[1]!)
}

/** A value in a field. The hash of the value is mixed already, so a factor of each field is enough. */
function place({ low, high }: Lanes, valueLow: number, valueHigh: number) {
  hash[0] = Math.imul(valueLow ^ high, low | 1)
  hash[1] = Math.imul(valueHigh ^ low, high | 1)
}

function hashValue(value: unknown) {
  if (typeof value === 'string') hashText(value, TEXT)
  else if (typeof value === 'number') hashNumber(value)
  else if (typeof value !== 'object' || value === null) {
    const { low, high } = value === null ? NULL : value ? TRUE : FALSE
    hash[0] = low
    hash[1] = high
  } else if (Array.isArray(value)) hashArray(value)
  else hashObject(value as Fields)
}

function hashNumber(value: number) {
  if (Number.isSafeInteger(value)) mix(NUMBER, NUMBER, value | 0, Math.floor(value / 2 ** 32))
  else hashText(String(value), NUMBER)
}

/** In the order of its values. */
function hashArray(values: readonly unknown[]) {
  let low: number = ARRAY
  let high = values.length
  for (const value of values) {
    hashValue(value)
    mix(low, high, hash[0]!, hash[1]!)
    low = hash[0]!
    high = hash[1]!
  }
  mix(low, high, ARRAY, 0)
}

/** In any order of its fields, as records are compared. */
function hashObject(fields: Fields) {
  let low = 0
  let high = 0
  for (const field in fields) {
    if (fields[field] === undefined) continue
    hashField(field, fields[field])
    low += hash[0]!
    high += hash[1]!
  }
  mix(low | 0, high | 0, OBJECT, 0)
}

function hashText(text: string, kind: number) {
  let low = 0xdeadbeef ^ kind
  let high = 0x41c6ce57 ^ kind
  const { length } = text
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x9e3779b1)
    high = Math.imul(high ^ code, 0x5f356495)
  }
  finish(low ^ length, high)
}

function mix(low: number, high: number, otherLow: number, otherHigh: number) {
  finish(
    Math.imul(low, 0x85ebca6b) + Math.imul(otherLow, 0xc2b2ae35),
    Math.imul(high, 0x27d4eb2f) + Math.imul(otherHigh, 0x165667b1) + low,
  )
}

/** Each bit of the two changes all bits of both. */
function finish(low: number, high: number) {
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  hash[0] = low ^ (low >>> 15)
  hash[1] = high ^ (high >>> 14)
}
