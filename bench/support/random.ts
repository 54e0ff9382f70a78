import { createHash } from 'node:crypto'

/** Random numbers that follow from a seed: the same seed gives the same sequence (mulberry32). */
export class Random {
  #state: number

  constructor(seed: string) {
    this.#state = createHash('sha256').update(seed).digest().readUInt32LE(0)
  }

  /** From 0 to below 1. */
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

  chance(probability: number): boolean {
    return this.next() < probability
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new Error('There is nothing to pick from')
    return items[this.below(items.length)] as T
  }

  /** The items in another order. */
  shuffle<T>(items: readonly T[]): T[] {
    const keyed = items.map((item) => [this.next(), item] as const)
    return keyed.sort(([a], [b]) => a - b).map(([, item]) => item)
  }

  /** Each row is a weight and an item. */
  pickWeighted<T>(rows: readonly (readonly [number, T])[]): T {
    let left = this.next() * rows.reduce((sum, [weight]) => sum + weight, 0)
    for (const [weight, row] of rows) {
      left -= weight
      if (left < 0) return row
    }
    return rows.at(-1)![1]
  }
}
