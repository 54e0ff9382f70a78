import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { perform } from '../../src/renderer/actions/action.ts'
import { branchAndCompare } from '../../src/renderer/actions/world.ts'
import { useMessages } from '../../src/renderer/data/messages.ts'
import { parseRoute } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { shownWorld, worldAddress } from '../../src/renderer/data/world-address.ts'
import { branchWorld, nextBranchNames, originLabel, placeIn, useWorldAction } from '../../src/renderer/data/worlds.ts'
import { fakeBridge, Refused, showApp } from './support.tsx'

beforeEach(() => useWorldAction.setState({ isBusy: false }))
afterEach(() => {
  cleanup()
  history.replaceState(null, '', '/')
})

const world = (name: string, more: object = {}) => ({
  name,
  api: `http://127.0.0.1:4010/worlds/${name}/api/v1`,
  control: `http://127.0.0.1:4010/worlds/${name}/control`,
  gui: `http://127.0.0.1:4010/worlds/${name}/#key=k`,
  from: 'current',
  at: '2026-11-20T14:04:18.000Z',
  seq: 3,
  records: 7,
  opened_at: '2026-11-20T14:04:18.000Z',
  ...more,
})
const two = { 'worlds.list': { worlds: [world('one'), world('two')] } }
const noSuchWorld = new Refused(404, 1001, 'Page Not Found')

describe('the address of a window', () => {
  const at = (pathname: string, search = '') => ({ pathname, search })

  it('names the world before the fragment; the root world has no name', () => {
    expect(shownWorld(at('/'))).toBeNull()
    expect(shownWorld(at('/worlds/checkout-3/'))).toBe('checkout-3')
    expect(worldAddress('one', '#/time', at('/'))).toBe('/worlds/one/#/time')
    expect(worldAddress(null, '#/time', at('/worlds/one/'))).toBe('/#/time')
  })

  it('names it in the query in the desktop app, whose scheme serves one page', () => {
    Object.assign(window, { sandbox: {} })
    onTestFinished(() => void Reflect.deleteProperty(window, 'sandbox'))
    expect(shownWorld(at('/index.html'))).toBeNull()
    expect(shownWorld(at('/index.html', '?world=one'))).toBe('one')
    expect(worldAddress('one', '#/time', at('/index.html'))).toBe('/index.html?world=one#/time')
    expect(worldAddress(null, '#/time', at('/index.html', '?world=one'))).toBe('/index.html#/time')
  })
})

describe('a switch to another world', () => {
  it('keeps the screen, the filters and the record if the other world has it', async () => {
    onTestFinished(connect(fakeBridge({ 'records.get': {} }).bridge))
    expect(await placeIn('one', parseRoute('#/transfers/x12?program=p'))).toBe('#/transfers/x12?program=p')
    expect(await placeIn('one', parseRoute('#/customers?status=active'))).toBe('#/customers?status=active')
  })

  it('shows the list if the other world does not have the record', async () => {
    onTestFinished(connect(fakeBridge({ 'one records.get': noSuchWorld }).bridge))
    expect(await placeIn('one', parseRoute('#/transfers/x12?program=p&tab=x'))).toBe('#/transfers?program=p')
  })

  it('does not look for a request in the log of another world', async () => {
    onTestFinished(connect(fakeBridge().bridge))
    expect(await placeIn('one', parseRoute('#/requests/x12?method=POST'))).toBe('#/requests?method=POST')
  })
})

it('the list of worlds shows why the sandbox created no world', async () => {
  showApp('/#/?line=worlds', {
    'snapshots.list': { snapshots: [] },
    'worlds.create': new Refused(400, 1007, 'Too many worlds'),
  })
  fireEvent.submit(await screen.findByRole('form', { name: 'Create a world' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Too many worlds')
})

describe('branch and compare', () => {
  it('creates two worlds from the shown one with frozen clocks, under the next free names', async () => {
    const fake = fakeBridge({ 'worlds.list': { worlds: [world('branch-1-b')] }, 'worlds.create': world('x') })
    onTestFinished(connect(fake.bridge))
    await branchWorld({ collection: 'transactions', uid: 't1' })
    expect(fake.calls.filter(({ name }) => name === 'worlds.create').map(({ input }) => input)).toEqual([
      { name: 'branch-2-a', from: 'current', clock: 'frozen' },
      { name: 'branch-2-b', from: { world: 'branch-2-a' }, clock: 'frozen' },
    ])
    expect(location.hash).toBe('#/compare?a=branch-2-a&b=branch-2-b&about=transactions%2Ft1')
    expect(nextBranchNames([])).toEqual(['branch-1-a', 'branch-1-b'])
  })

  it('drops the first world if the second could not be created, and says why', async () => {
    const fake = fakeBridge({ 'worlds.create': world('x'), 'worlds.drop': { dropped: true } })
    const { bridge } = fake
    let creations = 0
    const call: typeof bridge.call = (name, input) => {
      if (name === 'worlds.create' && ++creations === 2) fake.replies[name] = new Refused(400, 1007, 'Too many')
      return bridge.call(name, input)
    }
    onTestFinished(connect({ ...bridge, call }))
    await perform(branchAndCompare('transactions', 't1'))
    expect(fake.calls.at(-1)).toEqual({ name: 'worlds.drop', input: { name: 'branch-1-a' } })
    expect(useMessages.getState().failure?.error).toContain('Too many')
  })

  const compare = '/#/compare?a=one&b=two&about=transactions/t1'
  const move = (name: string) => ({ move: name, to: 'pending', legal: true, why_not: null, inputs: [] })
  const record = {
    'records.get': { uid: 't1', status: 'authorization_pending' },
    'moves.list': { moves: [move('approve'), { ...move('settle'), legal: false, why_not: 'not now' }] },
    'moves.make': {},
  }

  it('advances both by the same amount, and shows which one was refused', async () => {
    const refused = new Refused(409, 1009, 'An advance is running')
    const { calls } = showApp(compare, {
      ...two,
      ...record,
      'two clock.advance': refused,
      'one clock.advance': { from: '', to: '', ran: 4, fired: [] },
    })
    const form = await screen.findByRole('form', { name: 'Advance both worlds' })
    fireEvent.change(within(form).getByLabelText('Advance both by'), { target: { value: '8 bd' } })
    fireEvent.submit(form)
    expect(await within(form).findByText('one: 4 tasks ran')).toBeTruthy()
    expect(within(form).getByText(/^two: .*An advance is running/)).toBeTruthy()
    expect(calls.filter(({ name }) => name === 'clock.advance')).toEqual([
      { name: 'clock.advance', input: { text: '8 bd' }, world: 'one' },
      { name: 'clock.advance', input: { text: '8 bd' }, world: 'two' },
    ])
  })
})

it('Start over offers the worlds that the sandbox names, with the paces that it has', async () => {
  const { calls } = showApp('/#/?line=worlds', {
    'world.describe': { seed: 's', start: '2026-11-20T14:04:18.000Z', seq: 1, resets_to: ['hosted'] },
    'clock.read': {
      now: '2026-11-20T14:04:18.000Z',
      mode: 'frozen',
      pace: 'fast',
      paces: ['fast'],
      next: null,
      due: 0,
    },
    'snapshots.list': { snapshots: [] },
    'world.reset': { seq: 2, now: '2026-11-20T14:04:18.000Z', changed: 1 },
  })
  fireEvent.click(await screen.findByRole('button', { name: /^Start over…/ }))
  const dialog = within(await screen.findByRole('dialog'))
  expect(dialog.getByRole('radio', { name: /^hosted/ })).toBeTruthy()
  expect(dialog.getAllByRole('radio')).toHaveLength(4)
  fireEvent.click(dialog.getByRole('button', { name: 'Start over' }))
  await waitFor(() =>
    expect(calls.find(({ name }) => name === 'world.reset')?.input).toMatchObject({ world: 'hosted' }),
  )
})

it('an origin is shown in words', () => {
  const origins = ['demo', 'hosted', 'current', { snapshot: 'before' }, { commit: 12 }, { world: 'one' }] as const
  expect(origins.map(originLabel)).toEqual([
    ...['fresh demo', 'fresh hosted', 'copy of the root world', 'snapshot before', 'commit 12', 'copy of one'],
  ])
})
