import { Clock } from '../store/clock.ts'
import { MemoryWorldFile } from '../store/memory-world-file.ts'
import type { ProveBooks } from '../store/replacement.ts'
import { Store } from '../store/store.ts'
import { StoreError } from '../store/store-error.ts'
import { checkLedgerInSteps } from '../views/books.ts'

/** From the line items alone, before the world takes the place of the current one. `refuse`: the error, with the first problem. */
export const booksProof = (refuse: (problem: string) => Error): ProveBooks =>
  function* (world) {
    const { problems } = yield* checkLedgerInSteps(new Store(world, new Clock(world, () => 0), new MemoryWorldFile()))
    const [first] = problems
    if (first !== undefined) throw refuse(first)
  }

export const proveBooks = booksProof(
  (problem) => new StoreError(`The books of the new world do not balance: ${problem}. Nothing was changed`),
)
