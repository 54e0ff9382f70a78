import { createHash, randomInt } from 'node:crypto'

/** A whole number from 0 to below the limit. */
export type Random = (below: number) => number

export const drawRandom: Random = (below) => randomInt(below)

/** Always the same numbers for the same seed. */
export function seededRandom(seed: string): Random {
  let count = 0
  return (below) => createHash('sha256').update(`${seed} ${count++}`).digest().readUIntBE(0, 6) % below
}
