import { areEqual } from '../store/equal.ts'
import type { Store } from '../store/store.ts'
import type { ProgramRecord } from '../store/world.ts'

/** All keys that must not be logged, including those that a rewind or a reset removed from the world. */
export function collectKeys(store: Store, others: readonly string[]): () => readonly string[] {
  const removed = new Set<string>()
  const keysOf = ({ hmac_key, former_hmac_keys = [] }: ProgramRecord) => [hmac_key, ...former_hmac_keys]
  const collect = () => {
    const { programs, webhooks } = store.world.collections
    const ofWebhooks = webhooks.inOrder().map(({ hmac_key }) => hmac_key)
    return [...new Set([...others, ...removed, ...programs.inOrder().flatMap(keysOf), ...ofWebhooks])]
  }
  let keys = collect()
  store.subscribe(({ changes, goes_on_from }) => {
    const isReplaced = goes_on_from !== undefined
    const isChanged = changes.some(({ collection }) => collection === 'programs' || collection === 'webhooks')
    if (!isReplaced && !isChanged) return
    // A webhook may be deleted, and its key is still a secret.
    for (const key of keys) removed.add(key)
    const found = collect()
    // Another list means that what was found with the last one is not valid any more.
    if (isReplaced || !areEqual(found, keys)) keys = found
  })
  return () => keys
}
