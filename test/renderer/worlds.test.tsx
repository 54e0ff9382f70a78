import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { App } from '../../src/renderer/App.tsx'
import { perform } from '../../src/renderer/actions/action.ts'
import { branchAndCompare } from '../../src/renderer/actions/world.ts'
import { useMessages } from '../../src/renderer/data/messages.ts'
import { listenToHash, parseRoute } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { shownWorld, worldAddress } from '../../src/renderer/data/world-address.ts'
import { branchWorld, nextBranchNames, originLabel, placeIn, useWorldAction } from '../../src/renderer/data/worlds.ts'
import { fakeBridge, Refused } from './support.tsx'

beforeAll(() => {
  // jsdom has no layout.
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
})
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
const same = { differences: [], total_count: 0 }

function show(address: string, answers: Readonly<Record<string, unknown>> = {}) {
  history.replaceState(null, '', address)
  const fake = fakeBridge({ 'snapshots.list': { snapshots: [] }, 'worlds.compare': same, ...answers })
  const closing = [listenToHash(), connect(fake.bridge)]
  onTestFinished(() => closing.forEach((close) => void close()))
  render(<App hasKey />)
  return fake
}

const button = (name: string | RegExp) => screen.findByRole('button', { name })

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
    expect(await placeIn('one', parseRoute('#/snapshots?pane=history'))).toBe('#/snapshots?pane=history')
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

describe('the switcher', () => {
  it('is not there while the sandbox has only the root world', async () => {
    show('/#/connect')
    await screen.findByText('Reach the address')
    expect(document.querySelector('[data-world]')).toBeNull()
  })

  it('appears when a world is created, and lists the worlds with their time, newest first', async () => {
    const { notify, replies } = show('/#/connect')
    await screen.findByText('Reach the address')
    Object.assign(replies, two)
    act(() => notify({ type: 'worlds' }))
    fireEvent.click(await button(/^Switch world\..*root world/))
    const options = await screen.findAllByRole('menuitemradio')
    expect(options.map(({ textContent }) => textContent)).toEqual([
      'root world',
      'twoFri 20 Nov 09:04',
      'oneFri 20 Nov 09:04',
    ])
    expect(screen.getByRole('menuitem', { name: /^All worlds/ })).toBeTruthy()
  })

  it('always shows a world that is not the root world, in the title of the page too, with a way back', async () => {
    show('/worlds/one/#/connect', { 'worlds.list': { worlds: [] } })
    expect((await button(/^Switch world\./)).textContent).toContain('one')
    expect(await button('Back to the root world')).toBeTruthy()
    expect(document.title).toBe('Sandbank · one · Connect')
  })
})

describe('a world that does not exist', () => {
  it('is named, with a way to the root world', async () => {
    show('/worlds/gone/#/customers', { 'world.describe': noSuchWorld })
    expect((await screen.findByRole('heading')).textContent).toBe('There is no world “gone”')
    expect(await button('Open the root world')).toBeTruthy()
    expect(await button('See all worlds')).toBeTruthy()
  })

  it('is noticed when it is dropped while it is shown', async () => {
    const { notify, replies } = show('/worlds/one/#/connect', two)
    await screen.findByText('Reach the address')
    replies['world.describe'] = noSuchWorld
    act(() => notify({ type: 'worlds' }))
    expect(await screen.findByText('There is no world “one”')).toBeTruthy()
  })
})

describe('the list of worlds', () => {
  it('has the origin, time, commits and records of each, and marks the shown one', async () => {
    show('/#/worlds', { 'worlds.list': { worlds: [world('one', { from: { commit: 1_204 } })] } })
    const row = (await screen.findByRole('rowheader', { name: /^one/ })).closest('tr')!
    expect([...row.cells].slice(1, 5).map(({ textContent }) => textContent)).toEqual([
      'commit 1,204',
      'Fri 20 Nov 2026 09:04:18',
      '3',
      '7',
    ])
    expect(within(row).getByRole('link').getAttribute('href')).toBe('/worlds/one/#/connect')
    expect(screen.getByRole('rowheader', { name: /^root world.*shown here/ })).toBeTruthy()
  })

  it('says what a drop loses before it drops', async () => {
    const { calls } = show('/#/worlds', { ...two, 'worlds.drop': { dropped: true } })
    const row = (await screen.findByRole('rowheader', { name: /^two/ })).closest('tr')!
    fireEvent.click(within(row).getByRole('button', { name: 'Drop…' }))
    const dialog = await screen.findByRole('dialog')
    expect(dialog.textContent).toContain('7 records, 3 commits, its clock, request log, faults and snapshots are lost')
    fireEvent.click(within(dialog).getByRole('button', { name: 'Drop' }))
    expect(await screen.findByText('Dropped two.')).toBeTruthy()
    expect(calls).toContainEqual({ name: 'worlds.drop', input: { name: 'two' } })
  })

  it('refuses a name that is in use or not allowed before it asks the sandbox', async () => {
    const { calls } = show('/#/worlds', two)
    const name = await screen.findByLabelText('Name')
    fireEvent.change(name, { target: { value: 'one' } })
    expect((await screen.findByRole('alert')).textContent).toContain('There is a world “one” already')
    fireEvent.change(name, { target: { value: 'No' } })
    expect((await screen.findByRole('alert')).textContent).toContain(
      '“No” cannot be a name: a name is 1 to 63 lower-case',
    )
    fireEvent.submit(screen.getByRole('form', { name: 'Create a world' }))
    expect(calls.map((call) => call.name)).not.toContain('worlds.create')
  })

  it('shows why the sandbox created no world', async () => {
    show('/#/worlds', { 'worlds.create': new Refused(400, 1007, 'Too many worlds') })
    fireEvent.submit(await screen.findByRole('form', { name: 'Create a world' }))
    expect((await screen.findByRole('alert')).textContent).toContain('Too many worlds')
  })
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
    expect(location.hash).toBe('#/worlds?pane=compare&a=branch-2-a&b=branch-2-b&about=transactions%2Ft1')
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

  const compare = '/#/worlds?pane=compare&a=one&b=two&about=transactions/t1'
  const move = (name: string) => ({ move: name, to: 'pending', legal: true, why_not: null, inputs: [] })
  const record = {
    'records.get': { uid: 't1', status: 'authorization_pending' },
    'moves.list': { moves: [move('approve'), { ...move('settle'), legal: false, why_not: 'not now' }] },
    'moves.make': {},
  }

  it('shows the decisions about the record in each world, and takes one in that world only', async () => {
    const { calls } = show(compare, { ...two, ...record })
    const side = await screen.findByRole('region', { name: 'two' })
    fireEvent.click(await within(side).findByRole('button', { name: 'Approve' }))
    await expect
      .poll(() => calls.filter(({ name }) => name === 'moves.make'))
      .toEqual([
        {
          name: 'moves.make',
          input: { collection: 'transactions', uid: 't1', move: 'approve', inputs: {} },
          world: 'two',
        },
      ])
    expect(within(side).queryByRole('button', { name: 'Settle' })).toBeNull()
  })

  it('shows the differences side by side, with links into both worlds', async () => {
    const fields = [{ field: 'status', a: 'settled', b: 'authorization_denied' }]
    const differences = [
      { collection: 'transactions', uid: 't1', what: 'differs', fields },
      { collection: 'synthetic_line_items', uid: 'l1', what: 'only in a', fields: [] },
    ]
    show(compare, { ...two, ...record, 'worlds.compare': { differences, total_count: 2 } })
    expect(await screen.findByText('2 records differ.')).toBeTruthy()
    const [first, second] = [...document.querySelectorAll('[data-difference]')]
    expect(first!.textContent).toContain('statussettledauthorization_denied')
    const links = [...first!.querySelectorAll('a')].map((link) => link.getAttribute('href'))
    expect(links).toEqual(['/worlds/one/#/transactions/t1', '/worlds/two/#/transactions/t1'])
    expect(second!.textContent).toContain('not in two')
  })

  it('advances both by the same amount, and shows which one was refused', async () => {
    const refused = new Refused(409, 1009, 'An advance is running')
    const { calls } = show(compare, {
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

  it('needs a second world', async () => {
    show('/#/worlds?pane=compare')
    expect(await screen.findByText(/^There is only the root world\. Create another one/)).toBeTruthy()
  })

  it('says which world was dropped meanwhile, and keeps the other', async () => {
    const gone = { 'two world.describe': noSuchWorld, 'two clock.read': noSuchWorld, 'worlds.compare': noSuchWorld }
    show(compare, { 'worlds.list': { worlds: [world('one')] }, ...record, ...gone })
    expect(await screen.findByText('There is no world “two”.')).toBeTruthy()
    expect(
      await within(screen.getByRole('region', { name: 'one' })).findByRole('button', { name: 'Approve' }),
    ).toBeTruthy()
    expect(screen.queryByText('The worlds could not be compared.')).toBeNull()
  })
})

it('an origin is shown in words', () => {
  const origins = ['demo', 'current', { snapshot: 'before' }, { commit: 12 }, { world: 'one' }] as const
  expect(origins.map(originLabel)).toEqual([
    ...['fresh demo', 'copy of the root world', 'snapshot before', 'commit 12', 'copy of one'],
  ])
})
