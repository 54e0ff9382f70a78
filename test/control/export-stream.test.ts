import { request } from 'node:http'
import { expect, it } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import { parseBundle } from '../../src/api/replay/bundles/bundle.ts'
import { call } from '../support/operator.ts'
import { openOperator } from '../support/operator-sandbox.ts'
import type { TestSandbox } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'

/** bundles.export over HTTP sends the bundle while it is created. */

type Exported = MethodOutput<'bundles.export'>

function post(
  { sandbox }: { sandbox: TestSandbox },
  onResponse: (response: import('node:http').IncomingMessage) => void,
) {
  const { control, control_key } = sandbox
  const headers = { 'x-control-key': control_key, 'content-type': 'application/json' }
  request(`${control}/bundles.export`, { method: 'POST', headers }, onResponse).end('{}')
}

const read = (operator: { sandbox: TestSandbox }) =>
  new Promise<Exported>((resolve) =>
    post(operator, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => (text += part))
      response.on('end', () => resolve(JSON.parse(text) as Exported))
    }),
  )

it('answers with the same fields and the same records as a call in the process', async () => {
  const operator = await openOperator()
  await operator.create()
  const streamed = await read(operator)
  const called = await call(operator.sandbox, 'bundles.export', {})
  expect(streamed.name).toBe('sandbank-2026-08-14T14-00-00.sandbank')
  const { text, ...others } = streamed
  const { text: calledText, ...calledOthers } = called
  expect({ ...others, name: '' }).toEqual({ ...calledOthers, name: '' })
  const [one, other] = [parseBundle(text), parseBundle(calledText)]
  expect(one.commits.length).toBe(others.commits)
  expect(one.entries.length).toBe(other.entries.length)
  expect(one.world.collections.programs.size).toBe(other.world.collections.programs.size)
})

it('waits while the client does not read, and ends when it disconnects', async () => {
  const operator = await openOperator()
  for (let i = 0; i < 40; i++)
    await operator.control['faults.set']({
      faults: [{ kind: 'status', body: Array.from({ length: 100 }, (_, n) => `${'x'.repeat(4_000)}${i} ${n}`) }],
    })
  const response = await new Promise<import('node:http').IncomingMessage>((resolve) =>
    post(operator, (one) => {
      one.pause()
      resolve(one)
    }),
  )
  await new Promise((resolve) => setTimeout(resolve, 300))
  const busy = await operator.sandbox.call('bundles.export', {})
  expect(busy.ok, 'it still waits').toBe(false)
  response.destroy()
  const isFree = async () => (await operator.sandbox.call('work.cancel', {})) as { value: { canceled: boolean } }
  await waitFor(async () => expect((await isFree()).value.canceled).toBe(false))
})
