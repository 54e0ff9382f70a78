import { createHash } from 'node:crypto'

/** Luck that a seed repeats: the same seed, the same draws. */
export class Luck {
  #state: number

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  }

  /** From 0 to below 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let bits = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number below `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end)
  }

  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  chance(of: number): boolean {
    return this.next() < of
  }

  pick<T>(from: readonly T[]): T {
    const found = from[this.below(from.length)]
    if (found === undefined && from.length === 0) throw new Error('There is nothing to pick from')
    return found as T
  }

  /** Each row is a weight and what it weighs. */
  weighed<T>(rows: readonly (readonly [number, T])[]): T {
    let left = this.next() * rows.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, row] of rows) {
      left -= weight
      if (left < 0) return row
    }
    return rows.at(-1)![1]
  }
}
