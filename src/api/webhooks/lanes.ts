import type { Uid } from '../contract/terms/primitives.ts'

/** How many records of one webhook are told of at once. */
export const LANES = 8

interface Waiting {
  readonly delivery: Uid
  readonly resolve: () => void
}

/**
 * The deliveries of one webhook that are being sent or wait for it. Those that tell of one record follow each other, so that a receiver gets
 * them in order; the records take turns.
 *
 * Assumed: a later event of a record does not wait for the retries or the delay of an earlier one.
 */
export class Lanes {
  /** Never rejects. */
  readonly #send: (delivery: Uid) => Promise<void>
  /** By record. The first of each is the next one. */
  readonly #waiting = new Map<Uid, Waiting[]>()
  /** The records with deliveries of which none is being sent. */
  readonly #ready = new Set<Uid>()
  #busy = 0

  constructor(send: (delivery: Uid) => Promise<void>) {
    this.#send = send
  }

  /** Resolves when the delivery has been sent. */
  add(delivery: Uid, record: Uid): Promise<void> {
    return new Promise((resolve) => {
      const waiting = this.#waiting.get(record)
      if (waiting) return void waiting.push({ delivery, resolve })
      this.#waiting.set(record, [{ delivery, resolve }])
      this.#ready.add(record)
      this.#begin()
    })
  }

  #begin() {
    for (const record of this.#ready) {
      if (this.#busy >= LANES) return
      this.#ready.delete(record)
      this.#busy++
      void this.#sendNext(record)
    }
  }

  async #sendNext(record: Uid) {
    const waiting = this.#waiting.get(record)!
    const { delivery, resolve } = waiting.shift()!
    await this.#send(delivery)
    resolve()
    this.#busy--
    if (waiting.length > 0) this.#ready.add(record)
    else this.#waiting.delete(record)
    this.#begin()
  }
}
