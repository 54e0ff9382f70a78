import { expect, it } from 'vitest'
import { exampleOf, type MethodInput, type MethodName, methodNames } from '../../src/api/contract/control/methods.ts'
import { fillExample } from '../../src/api/contract/terms/examples.ts'
import { findExamples } from '../../src/api/http/examples.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

/** The demo world with what the examples name besides: a request, a webhook with an event, a snapshot, a scenario and a named world. */
async function open() {
  const sandbox = await startSandbox({ world: 'demo' })
  await sandbox.client().get('/products')
  const { uid } = await call(sandbox, 'webhooks.create', { url: 'http://127.0.0.1:9/hooks', confirm: false })
  await call(sandbox, 'webhooks.update', { uid, status: 'paused' })
  await call(sandbox, 'webhooks.test', { uid })
  await call(sandbox, 'snapshots.keep', { name: 'before' })
  await call(sandbox, 'scenarios.save', exampleOf('scenarios.save'))
  await call(sandbox, 'worlds.create', exampleOf('worlds.create'))
  return sandbox
}

/** What only this run can know. */
const own: { readonly [N in MethodName]?: (sandbox: TestSandbox) => Promise<Partial<MethodInput<N>>> } = {
  'bundles.import': async (sandbox) => ({ text: (await call(sandbox, 'bundles.export', {})).text }),
  'sandbox.stop': async (sandbox) => ({ nonce: (await call(sandbox, 'sandbox.identify', {})).nonce }),
  'worlds.keep': async () => ({ folder: createTemporaryFolder() }),
  'operations.redo': async (sandbox) => {
    await call(sandbox, 'operations.undo', {})
    return {}
  },
  'world.rewind': async (sandbox) => ({ seq: sandbox.store.world.seq - 1 }),
}

it.each(methodNames)('the example of %s is accepted in the demo world', async (name) => {
  const sandbox = await open()
  if (name === 'worlds.create') await call(sandbox, 'worlds.drop', { name: 'branch' })
  const values = sandbox.store.read(sandbox.client().program.uid, (tx) => findExamples(tx).values)
  const input = { ...fillExample(exampleOf(name), values), ...(await own[name]?.(sandbox)) }
  expect(await sandbox.call(name, input)).toMatchObject({ ok: true })
})
