import { describe, expect, it } from 'vitest'
import { createControlClient } from '../../src/api/contract/control/client.ts'
import type { MethodName } from '../../src/api/contract/control/methods.ts'
import type { ErrorKey } from '../../src/api/contract/errors.ts'
import { ipcBridge } from '../support/bridges.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { startSandbox } from '../support/sandbox.ts'

const library = 'resources/scenarios'
const MINE = 'name: Mine\nsteps:\n  - advance: PT1H\n  - advance: PT2H\n'

/** What is tried in vain, by method, with the code and the words of the refusal. */
const REFUSED: readonly [MethodName, unknown, ErrorKey, RegExp][] = [
  ['exchanges.replay', {}, 'invalidArgument', /exactly one of uids, since and text is expected/],
  ['exchanges.replay', { since: 1, text: 'curl x' }, 'invalidArgument', /exactly one of uids, since and text/],
  ['exchanges.replay', { uids: ['x999'] }, 'routeNotFound', /there is no exchange x999/],
  [
    'exchanges.replay',
    { since: 999 },
    'invalidArgument',
    /since: the newest commit is \d+; there is no commit 999 yet/,
  ],
  ['exchanges.replay', { text: 'hello' }, 'invalidArgument', /The text holds no curl line/],
  [
    'exchanges.replay',
    { text: 'curl https://a.test/api/v1/customers', into: 'then' },
    'invalidArgument',
    /into: there is no world in it; present, copy, \{snapshot\} or \{fresh\} is expected/,
  ],
  ['exchanges.replay', { since: 1, into: { snapshot: 'none' } }, 'routeNotFound', /there is no snapshot "none"/],
  ['bundles.export', { notes: 'x' }, 'invalidArgument', /notes/],
  ['bundles.import', { text: '{"log":{}}' }, 'invalidArgument', /This is no bundle/],
  ['scenarios.read', { name: 'nobody' }, 'routeNotFound', /there is no scenario "nobody"/],
  ['scenarios.save', { name: '../up', text: '' }, 'invalidArgument', /a name is 1 to 100 letters, digits, dots/],
  [
    'scenarios.delete',
    { name: 'ach-standard' },
    'invalidArgument',
    /"ach-standard" belongs to the library and cannot be deleted/,
  ],
  ['scenarios.delete', { name: 'nobody' }, 'routeNotFound', /there is no scenario "nobody"/],
  ['scenarios.run', {}, 'invalidArgument', /name or text is expected: no scenario has been started/],
  ['scenarios.run', { name: 'ach-standard', text: MINE }, 'invalidArgument', /name or text is expected, not both/],
  ['scenarios.run', { text: 'name: A\nsteps: []' }, 'invalidArgument', /scenario\.yaml:2:8: .*at least one item/],
  ['scenarios.run', { text: MINE, example: 3 }, 'invalidArgument', /example: there are 1, counted from 0/],
  ['scenarios.step', { name: 'nobody' }, 'routeNotFound', /there is no scenario "nobody"/],
  ['scenarios.record', {}, 'invalidArgument', /this world has no requests or operator actions yet/],
  ['records.related', { collection: 'customers', uid: 'nobody' }, 'routeNotFound', /customers holds no record nobody/],
]

describe('records, scenarios and bundles', () => {
  async function operator() {
    const sandbox = await startSandbox({ library })
    return { sandbox, control: createControlClient(ipcBridge(sandbox)), api: sandbox.client() }
  }

  it.each(REFUSED)('%s refuses %j', async (method, input, key, extra) => {
    const { sandbox, control } = await operator()
    const call = control[method] as (input: unknown) => Promise<unknown>
    await expectRefusedCall(sandbox, () => call(input), key, extra)
  })

  it('a curl line that is refused counts as refused, though there is no response to compare with', async () => {
    const { control } = await operator()
    const line = (path: string) =>
      `curl 'https://a.test/api/v1${path}' -H 'authorization: x' -H 'x-trace-id: ${path}'\n`
    const replayed = await control['exchanges.replay']({
      text: line('/customers') + line('/customers/none'),
      into: 'copy',
    })
    expect(replayed).toMatchObject({ same: 0, differs: 0, refused: 1, unrecorded: 1 })
    expect(replayed.exchanges.map(({ verdict }) => verdict)).toEqual(['unrecorded', 'refused'])
    // The world of the replay is gone, but not the reason that its log had.
    const reasons = replayed.exchanges.map(({ refusal }) => refusal && [refusal.stage, refusal.key])
    expect(reasons).toEqual([undefined, ['rules', 'customerNotFound']])
  })
})
