import { drawBytes } from './draw-bytes.ts'

/**
 * A keyed permutation of short sequences (format-preserving encryption): a Feistel network over the positions, each with an
 * alphabet of its own. Every position of the result depends on every position of the input, so known pairs say nothing
 * about other inputs, not even about those that begin alike.
 */
export class Permutation {
  readonly #key: Uint8Array
  readonly #tables = new Map<string, readonly number[]>()

  constructor(key: Uint8Array) {
    this.#key = key
  }

  /** `values[i]` is at least 0 and below `sizes[i]`. Another tweak is another permutation. */
  permute(values: readonly number[], sizes: readonly number[], tweak: string): number[] {
    const result = [...values]
    const open = sizes.flatMap((size, i) => (size > 1 ? [i] : []))
    if (open.length === 0) return result
    const what = `${tweak} ${open.map((i) => sizes[i]).join(',')}`
    if (open.length === 1) {
      const [only] = open as [number]
      result[only] = this.#table(sizes[only]!, what)[result[only]!]!
      return result
    }
    const half = open.length >> 1
    const sides = [open.slice(0, half), open.slice(half)] as const
    for (let round = 0; round < ROUNDS; round++) {
      const from = sides[round % 2 === 0 ? 0 : 1]
      const to = sides[round % 2 === 0 ? 1 : 0]
      const bytes = drawBytes(this.#key, `${round} ${what} ${from.map((i) => result[i]).join(',')}`, to.length * 2)
      for (const [n, i] of to.entries()) result[i] = (result[i]! + bytes.readUInt16BE(n * 2)) % sizes[i]!
    }
    return result
  }

  /** A permutation of 0 to below the size: repeated until the result is in the range. */
  permuteNumber(value: number, size: number, tweak: string): number {
    const base = Math.ceil(Math.sqrt(size))
    let result = value
    do {
      const [high, low] = this.permute([Math.floor(result / base), result % base], [base, base], tweak) as [
        number,
        number,
      ]
      result = high * base + low
    } while (result >= size)
    return result
  }

  /** A number from 0 to below the limit, always the same for the same text. */
  draw(of: string, below: number): number {
    return drawBytes(this.#key, `draw ${of}`, 6).readUIntBE(0, 6) % below
  }

  #table(size: number, of: string): readonly number[] {
    const known = this.#tables.get(of)
    if (known) return known
    const table = Array.from({ length: size }, (_, i) => i)
    const bytes = drawBytes(this.#key, `table ${of}`, size * 4)
    for (let i = size - 1; i > 0; i--) {
      const other = bytes.readUInt32BE(i * 4) % (i + 1)
      ;[table[i], table[other]] = [table[other]!, table[i]!]
    }
    if (this.#tables.size < MAX_TABLES) this.#tables.set(of, table)
    return table
  }
}

/** More than the four that are needed against known pairs, as the alphabets are small. */
const ROUNDS = 8
const MAX_TABLES = 10_000
