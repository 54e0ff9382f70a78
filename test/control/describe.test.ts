import { expect } from 'vitest'
import { call, expectRefusedCall } from '../support/operator.ts'
import { it, startSandbox } from '../support/sandbox.ts'

/** The control method `describe`: the texts themselves are tested in test/contract/describe.test.ts. */

it('the example of an operation names records of this world, and the API accepts it', async () => {
  const sandbox = await startSandbox({ world: 'demo' })
  const { text, see } = await call(sandbox, 'describe', { name: 'POST /transfers' })
  const [, body = ''] = /^Example: sandbank call POST \/transfers -d '(.*)'$/m.exec(text) ?? []
  const tried = await call(sandbox, 'requests.try', { endpoint: 'createTransfer', body: JSON.parse(body) })
  expect(tried).toMatchObject({ status: 201, refused: null })
  expect(see).toContain('transfers')
})

it('an unknown name is refused with the nearest known ones', async () => {
  const sandbox = await startSandbox()
  await expectRefusedCall(
    sandbox,
    () => call(sandbox, 'describe', { name: 'clock.advence' }),
    'routeNotFound',
    /did you mean clock\.advance/,
  )
})

it('without a name it answers the map, which has the commands that the host knows', async () => {
  const commands = () => [{ name: 'serve', summary: 'run the sandbox', lines: ['serve: run the sandbox'], options: [] }]
  const sandbox = await startSandbox({ commands })
  const { map = [] } = await call(sandbox, 'describe', {})
  expect(map.find(({ kind }) => kind === 'command')).toEqual({
    kind: 'command',
    names: [{ name: 'serve', summary: 'run the sandbox' }],
  })
  expect(await call(sandbox, 'describe', { name: 'serve' })).toMatchObject({
    kind: 'command',
    text: 'serve: run the sandbox',
  })
})
