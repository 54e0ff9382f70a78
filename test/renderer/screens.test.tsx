import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { App } from '../../src/renderer/App.tsx'
import { listenToHash } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { exchange, fakeBridge, Refused } from './support.tsx'

beforeAll(() => {
  // jsdom lays nothing out.
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
})
beforeEach(() => {
  location.hash = '#/connect'
})
afterEach(cleanup)

function show(answers: Readonly<Record<string, unknown>> = {}) {
  const fake = fakeBridge(answers)
  const closing = [listenToHash(), connect(fake.bridge)]
  onTestFinished(() => closing.forEach((close) => void close()))
  render(<App keyed />)
  return fake
}

describe('the window', () => {
  it('without a key says what to do', () => {
    render(<App keyed={false} />)
    expect(screen.getByRole('heading').textContent).toBe('This window needs its key')
  })

  it('with a wrong key says so', async () => {
    show({ 'world.describe': new Refused(401, 1004, 'Unauthorized') })
    expect((await screen.findByRole('heading')).textContent).toBe('The key is not valid')
  })

  it('shows a request that arrives, and the step it takes', async () => {
    const { tell } = show()
    await screen.findByText('no request yet')
    expect(screen.getByText('Reach the address')).toBeTruthy()
    act(() => tell({ type: 'exchange', exchange: exchange('x1') }))
    expect(await screen.findByText('Reached the address')).toBeTruthy()
    expect(screen.getByText('1 request in 30 s')).toBeTruthy()
  })

  it('asks again when a collection changes that it shows', async () => {
    const { tell, table } = show()
    expect(await screen.findByText('0 Customers')).toBeTruthy()
    table['records.list'] = { total_count: 3, count: 0, limit: 0, offset: 0, data: [] }
    const cause = { door: 'request', name: 'POST /customers' } as const
    act(() =>
      tell({ type: 'commit', seq: 7, at: '2026-11-20T14:04:18.000Z', cause, collections: ['customers'], uids: ['c'] }),
    )
    expect(await screen.findByText('3 Customers')).toBeTruthy()
    expect(screen.getByText('7')).toBeTruthy()
  })

  it('shows an advance that somebody else asked for, and its end', async () => {
    const { tell, asked } = show()
    await screen.findByText('Frozen')
    const progress = {
      type: 'progress',
      from: '2026-11-20T14:04:18.000Z',
      to: '2026-11-23T14:04:18.000Z',
      now: '2026-11-21T14:04:18.000Z',
      ran: 9,
      left: 9,
    } as const
    act(() => tell({ ...progress, done: false }))
    expect(await screen.findByText('9 of 18 tasks')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(asked.at(-1)).toEqual({ name: 'clock.cancel', input: {} })
    act(() => tell({ ...progress, done: true }))
    expect(await screen.findByText('Frozen')).toBeTruthy()
  })

  it('shows on every screen what takes long, until it is over, and cancels it', async () => {
    const { tell, asked } = show({ 'work.cancel': { canceled: true } })
    await screen.findByText('Frozen')
    const work = { type: 'work', uid: 'w1', name: 'world.rewind', done: 42_000, of: 95_000, unit: 'commits' } as const
    act(() => tell({ ...work, can_stop: true, over: false }))
    const told = within(await screen.findByRole('region', { name: 'Rewinding' }))
    expect(told.getByText('42,000 of 95,000 commits read')).toBeTruthy()
    expect(told.getByRole('progressbar').getAttribute('aria-valuenow')).toBe('42000')
    fireEvent.click(told.getByRole('button', { name: 'Cancel' }))
    expect(asked.at(-1)).toEqual({ name: 'work.cancel', input: { uid: 'w1' } })
    act(() => tell({ ...work, done: 95_000, can_stop: false, over: false }))
    expect(await told.findByText('Replacing the current world…')).toBeTruthy()
    expect(told.queryByRole('button')).toBeNull()
    act(() => tell({ ...work, can_stop: false, over: true }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Rewinding' })).toBeNull())
  })

  it.each([
    [
      'snapshots.restore',
      { done: 12_340_000, of: 44_000_000, unit: 'bytes' },
      'Restoring a snapshot',
      '12.3 of 44.0 MB read',
    ],
    ['exchanges.replay', { done: 120, of: 300, unit: 'steps' }, 'Replaying', '120 of 300 steps done'],
    ['bundles.export', { done: 1_200, of: null, unit: 'steps' }, 'Exporting a bundle', '1,200 steps done'],
    ['bundles.import', { done: 1_200_000, of: 2_400_000, unit: 'bytes' }, 'Importing a bundle', '1.2 of 2.4 MB read'],
    ['bundles.import', { done: 5, of: 70, unit: 'commits' }, 'Importing a bundle', '5 of 70 commits checked'],
    [
      'snapshots.keep',
      { done: 2_000, of: 9_000, unit: 'records' },
      'Saving a snapshot',
      '2,000 of 9,000 records written',
    ],
    [
      'snapshots.compare',
      { done: 1_000, of: 9_000, unit: 'records' },
      'Comparing two worlds',
      '1,000 of 9,000 records compared',
    ],
  ] as const)('says how far it is, in what it counts: %s %j', async (name, told, title, far) => {
    const { tell } = show()
    await screen.findByText('Frozen')
    act(() => tell({ type: 'work', uid: 'w1', name, ...told, can_stop: true, over: false }))
    const shown = within(await screen.findByRole('region', { name: title }))
    expect(shown.getByText(far)).toBeTruthy()
  })

  it('of two that go on at a time the first is shown until it is over, and then the other', async () => {
    const { tell } = show()
    await screen.findByText('Frozen')
    const common = { type: 'work', done: 1, of: 9, unit: 'records', can_stop: true } as const
    act(() => tell({ ...common, uid: 'w1', name: 'snapshots.keep', over: false }))
    await screen.findByRole('region', { name: 'Saving a snapshot' })
    act(() => tell({ ...common, uid: 'w2', name: 'snapshots.compare', over: false }))
    act(() => tell({ ...common, uid: 'w1', name: 'snapshots.keep', over: true }))
    act(() => tell({ ...common, uid: 'w2', name: 'snapshots.compare', over: false }))
    await screen.findByRole('region', { name: 'Comparing two worlds' })
    act(() => tell({ ...common, uid: 'w2', name: 'snapshots.compare', over: true }))
    await waitFor(() => expect(screen.queryByRole('region', { name: 'Comparing two worlds' })).toBeNull())
  })

  it('the meter of an advance goes by simulated time, as tasks make others', async () => {
    const { tell } = show()
    await screen.findByText('Frozen')
    const day = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z', now: '2026-11-20T06:00:00.000Z' }
    act(() => tell({ type: 'progress', ...day, ran: 1, left: 99, done: false }))
    const meter = await screen.findByRole('progressbar', { name: 'Progress of the advance' })
    expect(Number(meter.getAttribute('aria-valuenow')) / Number(meter.getAttribute('aria-valuemax'))).toBe(0.25)
  })

  it('knows that an address names no screen', async () => {
    location.hash = '#/ledger'
    show()
    expect(await screen.findByText('Screen not found')).toBeTruthy()
  })
})
