import type { Notice } from '../contract/control/notices.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import type { Commit } from '../store/commit.ts'
import type { Store } from '../store/store.ts'

/** Sends notices of commits and requests of one world, and those passed to `notify`, to its subscribers. */
export class Notices {
  readonly #listeners = new Set<(notice: Notice) => void>()

  constructor(store: Store, exchanges: ExchangeLog) {
    store.subscribe((commit) => this.#onCommit(commit))
    exchanges.subscribe((exchange) => this.notify({ type: 'exchange', exchange }))
  }

  readonly notify = (notice: Notice) => {
    for (const listener of this.#listeners) listener(notice)
  }

  readonly subscribe = (listener: (notice: Notice) => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  removeAll() {
    this.#listeners.clear()
  }

  #onCommit({ seq, at, cause, changes, goes_on_from, replacement, part_of = seq }: Commit) {
    if (this.#listeners.size === 0) return
    this.notify({
      type: 'commit',
      seq,
      operation: part_of,
      at,
      cause,
      collections: [
        ...new Set([...changes.map(({ collection }) => collection), ...Object.keys(replacement?.records ?? {})]),
      ],
      uids: changes.map(({ uid }) => uid),
    })
    if (goes_on_from !== undefined) this.notify({ type: 'world' })
  }
}
