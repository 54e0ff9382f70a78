import type { SilentWebhook } from '../contract/control/clock.ts'
import type { Uid } from '../contract/terms/primitives.ts'

/** So many attempts without an answer, and an advance waits for this receiver no more. */
const MAX_SILENCES = 3

interface Receiver {
  readonly uid: Uid
  readonly url: string | null
}

/**
 * Of one advance: which receivers answer nothing in time.
 *
 * Assumed (invented): after three attempts without an answer, further ones of the same advance fail without being sent, because each would take 5 seconds
 * of real time. The next advance begins anew, and outside of an advance all are sent.
 */
export class Breakers {
  readonly #silences = new Map<Uid, number>()
  readonly #unsent = new Map<Uid, { readonly url: string; count: number }>()

  noteSilence({ uid }: Receiver) {
    this.#silences.set(uid, (this.#silences.get(uid) ?? 0) + 1)
  }

  /** Why a further attempt is not sent, which then counts; undefined if it is sent. */
  refuse({ uid, url }: Receiver): string | undefined {
    if ((this.#silences.get(uid) ?? 0) < MAX_SILENCES) return undefined
    const unsent = this.#unsent.get(uid)
    if (unsent) unsent.count++
    else this.#unsent.set(uid, { url: String(url), count: 1 })
    return `not sent, because ${MAX_SILENCES} attempts before it in the same advance of the clock had no answer`
  }

  /** The receivers to which something was not sent. */
  summarize(): SilentWebhook[] {
    return [...this.#unsent].map(([uid, { url, count }]) => {
      const silences = this.#silences.get(uid)!
      const further =
        count === 1 ? 'another attempt was not sent and has' : `${count} further attempts were not sent and have`
      const message =
        `${url} did not answer ${silences} attempts in time, so ${further} failed. ` +
        'Start the receiver, then send the events again with events.resend'
      return { uid, url, unanswered: silences, not_sent: count, message }
    })
  }
}
