import { hostname } from 'node:os'
import { expect } from 'vitest'
import { call } from '../support/operator.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'

/** sandbox.identify and sandbox.stop. */

const isAnswering = ({ api }: TestSandbox) =>
  fetch(api.replace('/api/v1', '/health')).then(
    () => true,
    () => false,
  )

it('sandbox.identify answers which process it is, in every world the same; another sandbox of the process has another nonce', async () => {
  const sandbox = await startSandbox()
  const identity = await call(sandbox, 'sandbox.identify', {})
  const nonce = expect.stringMatching(/^[\w-]{24}$/)
  expect(identity).toEqual({ pid: process.pid, host: hostname(), started_at: expect.any(String), nonce })
  expect(Math.abs(Date.parse(identity.started_at) - Date.now())).toBeLessThan(60_000)
  const world = await sandbox.worlds.create({ from: 'empty' })
  expect(await call(world, 'sandbox.identify', {})).toEqual(identity)
  expect((await call(await startSandbox(), 'sandbox.identify', {})).nonce).not.toBe(identity.nonce)
})

it('sandbox.stop answers, and then closes the sandbox; the world is saved, and no commit is made', async () => {
  const sandbox = await startSandbox()
  const { seq } = sandbox.store.world
  const { nonce } = await call(sandbox, 'sandbox.identify', {})
  const answer = await fetch(`${sandbox.control}/sandbox.stop`, {
    method: 'POST',
    headers: { 'x-control-key': sandbox.control_key, connection: 'close' },
    body: JSON.stringify({ nonce }),
  })
  expect(await answer.json()).toEqual({ stopping: true })
  await expect.poll(() => isAnswering(sandbox)).toBe(false)
  expect(sandbox.store.world.seq).toBe(seq)
})

it('sandbox.stop lets the host end, if it has said how', async () => {
  let stops = 0
  const sandbox = await startSandbox({ onStop: () => stops++ })
  const { nonce } = await call(sandbox, 'sandbox.identify', {})
  await call(sandbox, 'sandbox.stop', { nonce })
  await expect.poll(() => stops).toBe(1)
  expect(await isAnswering(sandbox)).toBe(true)
})

it.each([
  ['without a nonce', {}, false, 'nonce is missing'],
  ['with the nonce of another sandbox', { nonce: 'x' }, false, 'nonce: it belongs to another sandbox'],
  ['in a named world', { nonce: 'own' }, true, 'it ends the sandbox with all of its worlds: call it in the root world'],
])('sandbox.stop %s is refused', async (_name, input, isNamed, reason) => {
  const sandbox = await startSandbox()
  const world = isNamed ? await sandbox.worlds.create({ from: 'empty' }) : sandbox
  const { nonce } = await call(sandbox, 'sandbox.identify', {})
  const reply = await world.call('sandbox.stop', 'nonce' in input && input.nonce === 'own' ? { nonce } : input)
  expect(reply).toMatchObject({
    ok: false,
    error: { status: 400, errors: [{ extra: expect.stringContaining(reason) }] },
  })
  expect(await isAnswering(sandbox)).toBe(true)
})

it('a scenario cannot stop its sandbox', async ({ sandbox }) => {
  const text = 'name: x\nsteps:\n  - operator: { call: sandbox.stop, input: { nonce: x } }\n'
  expect(await sandbox.call('scenarios.run', { text })).toMatchObject({
    ok: false,
    error: { errors: [{ extra: expect.stringContaining('sandbox.stop') }] },
  })
})
