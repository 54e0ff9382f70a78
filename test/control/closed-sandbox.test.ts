import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { openSandbox } from '../../src/api/sandbox.ts'
import type { Store } from '../../src/api/store/store.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** In memory nothing of a sandbox waits for the disk, so a loop of these lets the event loop turn only if closing does. */
async function openAndClose(): Promise<WeakRef<Store>> {
  const sandbox = await openSandbox({ version: 'test', data: null, port: 0, world: 'empty', clock: 'frozen' })
  const store = new WeakRef(sandbox.store)
  await sandbox.close()
  return store
}

it('of sandboxes that are opened and closed in a loop, at most the last two stay in memory', async () => {
  const stores: WeakRef<Store>[] = []
  for (let n = 0; n < 10; n++) stores.push(await openAndClose())
  collectGarbage()
  expect(stores.filter((store) => store.deref() !== undefined).length).toBeLessThan(3)
})
