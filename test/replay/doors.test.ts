import { describe, expect, it } from 'vitest'
import { createControlClient } from '../../src/api/contract/control/client.ts'
import type { MethodInput, MethodName } from '../../src/api/contract/control/methods.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
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
    const bridge = ipcBridge(sandbox)
    return { sandbox, bridge, control: createControlClient(bridge), api: sandbox.client() }
  }

  it.each(REFUSED)('%s refuses %j', async (method, input, key, extra) => {
    const { sandbox, control } = await operator()
    const call = control[method] as (input: unknown) => Promise<unknown>
    await expectRefusedCall(sandbox, () => call(input), key, extra)
  })

  it('sent requests are replayed, exported, imported elsewhere and replayed there', async () => {
    const { control, api } = await operator()
    await api.post('/customers', { email: 'ada@example.test', details: { first_name: 'Ada' } })
    await control['clock.advance']({ by: 'PT1H' })
    const { data } = await control['exchanges.list']({ limit: 1 })
    const replayed = await control['exchanges.replay']({ uids: [data[0]!.uid] })
    expect(replayed).toMatchObject({ same: 1, differs: 0, refused: 0, unrecorded: 0, unusable: [] })
    const { text, exchanges, acts } = await control['bundles.export']({ note: 'for you' })
    expect({ exchanges, acts }).toEqual({ exchanges: 2, acts: 1 })

    const other = await operator()
    const { since, note } = await other.control['bundles.import']({ text })
    expect(note).toBe('for you')
    expect(await other.control['exchanges.replay']({ since })).toMatchObject({ same: 2, differs: 0, refused: 0 })
    expect(await other.control['exchanges.replay']({ text })).toMatchObject({ same: 2, differs: 0, refused: 0 })
    const [customer] = (await other.control['records.list']({ collection: 'customers', include_initiated: true })).data
    const related = await other.control['records.related']({ collection: 'customers', uid: String(customer!.uid) })
    expect(related).toEqual({ related: [], named: [], payment_return: null, tasks: [] })
  })

  it('a scenario is saved, listed, read, run step by step, paused, continued and deleted', async () => {
    const { bridge, control } = await operator()
    const heard: Notice[] = []
    const stop = bridge.subscribe((notices) => void heard.push(...notices))
    expect(await control['scenarios.save']({ name: 'mine', text: MINE })).toMatchObject({ own: true, steps: 2 })
    const { scenarios } = await control['scenarios.list']({})
    expect(scenarios[0]).toMatchObject({ name: 'mine', title: 'Mine', own: true, trouble: null })
    expect(scenarios.length).toBeGreaterThan(30)
    expect(await control['scenarios.read']({ name: 'mine' })).toEqual({ name: 'mine', text: MINE, own: true })
    expect(await control['scenarios.step']({ name: 'mine' })).toMatchObject({ state: 'paused', at: 1 })
    expect(await control['scenarios.pause']({})).toEqual({ paused: false })
    expect(await control['scenarios.run']({})).toMatchObject({ state: 'passed', at: 2, into: 'scratch' })
    expect(await control['scenarios.delete']({ name: 'mine' })).toEqual({ deleted: true })
    await expect.poll(() => heard.some(({ type }) => type === 'scenario')).toBe(true)
    stop()
  })

  it('a session is recorded as a scenario that passes', async () => {
    const { control, api } = await operator()
    await api.post('/customers', { email: 'ada@example.test', details: { first_name: 'Ada' } })
    const { text, steps, left_out } = await control['scenarios.record']({ name: 'By hand' })
    expect({ steps, left_out }).toEqual({ steps: 1, left_out: [] })
    const input: MethodInput<'scenarios.run'> = { text, into: 'present' }
    expect(await control['scenarios.run'](input)).toMatchObject({ state: 'passed', title: 'By hand' })
  })
})
