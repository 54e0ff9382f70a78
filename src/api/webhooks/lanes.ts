import type { Uid } from '../contract/terms/primitives.ts'

/** How many records of one webhook are told of at once. */
export const LANES = 8

interface Waiting<T> {
  readonly delivery: Uid
  readonly resolve: (result: T) => void
}

/**
 * The deliveries of one webhook that are being sent or wait for it. Those that tell of one record follow each other, so that a receiver gets
 * them in order; the records take turns.
 *
 * Assumed (invented): a later event of a record does not wait for the retries or the delay of an earlier one.
 */
export class Lanes<T> {
  /** Never rejects. */
  readonly #send: (delivery: Uid) => Promise<T>
  /** By record. The first of each is the next one. */
  readonly #waiting = new Map<Uid, Waiting<T>[]>()
  /** The records with deliveries of which none is being sent. */
  readonly #ready = new Set<Uid>()
  #busy = 0

  constructor(send: (delivery: Uid) => Promise<T>) {
    this.#send = send
  }

  /** Resolves when the delivery has been sent, with what sending it returned. */
  add(delivery: Uid, record: Uid): Promise<T> {
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
    resolve(await this.#send(delivery))
    this.#busy--
    if (waiting.length > 0) this.#ready.add(record)
    else this.#waiting.delete(record)
    this.#begin()
  }
}
