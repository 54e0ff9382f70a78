import type { Store } from '../store/store.ts'
import type { ProgramRecord } from '../store/world.ts'

/** All keys that must not be logged, including those that a rewind or a reset removed from the world. */
export function collectKeys(store: Store, others: readonly string[]): () => readonly string[] {
  const removed = new Set<string>()
  const keysOf = ({ hmac_key, former_hmac_keys = [] }: ProgramRecord) => [hmac_key, ...former_hmac_keys]
  const collect = () => [
    ...new Set([...others, ...removed, ...store.world.collections.programs.inOrder().flatMap(keysOf)]),
  ]
  let keys = collect()
  store.subscribe(({ changes, goes_on_from }) => {
    const isReplaced = goes_on_from !== undefined
    if (!isReplaced && !changes.some(({ collection }) => collection === 'programs')) return
    if (isReplaced) for (const key of keys) removed.add(key)
    keys = collect()
  })
  return () => keys
}
