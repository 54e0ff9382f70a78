import { setImmediate } from 'node:timers/promises'
import { type AttemptOutcome, unpackOutcomes, type WebhookAttempts } from '../contract/resources/webhooks.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type Commit, changesInParts } from '../store/commit.ts'

/**
 * The outcomes of attempts that a rewind or a restore has undone: these are not made again, but have the same outcome again.
 *
 * Assumed (invented): of the attempts that were undone, the newest 10,000 are remembered, and older ones are made again.
 */
export class UndoneOutcomes {
  readonly #outcomes = new Map<string, AttemptOutcome>()

  find(delivery_uid: Uid, attempt: number): AttemptOutcome | undefined {
    return this.#outcomes.get(keyOf(delivery_uid, attempt))
  }

  add(outcome: AttemptOutcome) {
    const key = keyOf(outcome.delivery_uid, outcome.attempt)
    this.#outcomes.delete(key)
    this.#outcomes.set(key, outcome)
    for (const oldest of this.#outcomes.keys()) {
      if (this.#outcomes.size <= MAX_OUTCOMES_KEPT) return
      this.#outcomes.delete(oldest)
    }
  }

  /** Those that the commit of a rewind or a restore has undone. */
  async addFrom(commit: Commit) {
    for (const changes of changesInParts(commit)) {
      for (const { collection, record, was } of changes)
        if (collection === 'webhook_attempts' && was && !record)
          for (const outcome of unpackOutcomes(was as unknown as WebhookAttempts)) this.add(outcome)
      if (commit.replacement) await setImmediate()
    }
  }

  clear() {
    this.#outcomes.clear()
  }
}

const MAX_OUTCOMES_KEPT = 10_000

const keyOf = (delivery_uid: Uid, attempt: number) => `${delivery_uid} ${attempt}`
