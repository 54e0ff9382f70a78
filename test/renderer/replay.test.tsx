import { cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { App } from '../../src/renderer/App.tsx'
import { resetReplay } from '../../src/renderer/data/replay.ts'
import { isBundle, readFileText, replayInput, toLinePath } from '../../src/renderer/data/replay-input.ts'
import { listenToHash } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { explainFaults, formatFault } from '../../src/renderer/format/faults.ts'
import { exchange, fakeBridge, Refused } from './support.tsx'

// Queries by role are slow in jsdom, which has no layout.
configure({ asyncUtilTimeout: 15_000, defaultHidden: true })
vi.setConfig({ testTimeout: 20_000 })

beforeAll(() => {
  // jsdom has no layout.
  Element.prototype.scrollIntoView ??= () => {}
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
})
beforeEach(resetReplay)
afterEach(cleanup)

const data = [exchange('x3', { seq_before: 7 }), exchange('x2'), exchange('x1')]

function show(hash: string, answers: Readonly<Record<string, unknown>> = {}) {
  location.hash = hash
  const fake = fakeBridge({
    'exchanges.list': { total_count: 3, count: 3, limit: 1000, offset: 0, data },
    'snapshots.list': { snapshots: [{ name: 'before-lunch' }, { name: 'torn', trouble: 'cut short' }] },
    ...answers,
  })
  const closing = [listenToHash(), connect(fake.bridge)]
  onTestFinished(() => closing.forEach((close) => void close()))
  render(<App hasKey />)
  return fake
}

const replayed = (verdict: string, differences: readonly object[] = []) => ({
  same: 0,
  differs: 0,
  refused: 0,
  unrecorded: 0,
  left: 0,
  [verdict]: 1,
  exchanges: [
    {
      index: 0,
      method: 'GET',
      path: '/customers',
      verdict,
      recorded: { status: 200, body: { total_count: 1 } },
      replayed: { status: 200, body: { total_count: 2 } },
      differences,
    },
  ],
  acts: [{ name: 'moves.make', refused: 'its status is settled' }],
  unusable: [{ at: 'line 2', why: 'no endpoint of this API' }],
})
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name }))
const inputs = (calls: readonly { name: string; input: unknown }[]) =>
  calls.filter(({ name }) => name === 'exchanges.replay').map(({ input }) => input)

describe('a replay', () => {
  it('of one request uses the world at that time, and shows the differences', async () => {
    const { calls } = show('#/requests/x3?replay=own', {
      'exchanges.replay': replayed('differs', [{ at: 'total_count', recorded: 1, replayed: 2 }]),
    })
    await screen.findByLabelText(/^This request/)
    press('Replay')
    expect(await screen.findByText('1 differs')).toBeTruthy()
    expect(inputs(calls)).toEqual([{ uids: ['x3'], into: 'then', gaps: true }])
    const compared = within(screen.getByRole('region', { name: 'Comparison' }))
    expect(compared.getByRole('row', { name: /^total_count 1 2 / })).toBeTruthy()
    expect(screen.getByText('no endpoint of this API')).toBeTruthy()
    expect(screen.getByText('its status is settled')).toBeTruthy()
  })

  it('of everything since a request can use a valid snapshot', async () => {
    const { calls } = show('#/requests/x3?replay=own', { 'exchanges.replay': replayed('same') })
    fireEvent.click(await screen.findByLabelText(/^Everything since/))
    await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>(/^A snapshot/).disabled).toBe(false))
    fireEvent.click(screen.getByLabelText(/^A snapshot/))
    expect([...screen.getByLabelText<HTMLSelectElement>('Snapshot').options].map(({ text }) => text)).toEqual([
      'before-lunch',
    ])
    fireEvent.click(screen.getByLabelText(/^Keep the time/))
    press('Replay')
    await screen.findByText('1 same')
    expect(inputs(calls)).toEqual([{ since: 7, into: { snapshot: 'before-lunch' }, gaps: false }])
  })

  it('that fails shows the error, and keeps the chosen options', async () => {
    show('#/requests?replay=own', { 'exchanges.replay': new Refused(400, 1007, 'Invalid Argument') })
    await screen.findByLabelText('All requests in the list: 3')
    press('Replay')
    expect((await screen.findByRole('alert')).textContent).toBe('The replay failed. 1007 Invalid Argument: A detail. ')
    expect(screen.getByLabelText<HTMLInputElement>('All requests in the list: 3').checked).toBe(true)
  })

  it('that was canceled shows how many steps were not replayed', async () => {
    show('#/requests/x3?replay=own', { 'exchanges.replay': { ...replayed('same'), left: 288 } })
    await screen.findByLabelText(/^This request/)
    press('Replay')
    expect(await screen.findByText('Canceled: 288 recorded steps were not replayed.')).toBeTruthy()
  })

  it('of pasted commands uses a copy of the current world, or that world, and is undone', async () => {
    const { calls } = show('#/requests?replay=import', {
      'exchanges.replay': replayed('unrecorded'),
      'world.rewind': {},
    })
    expect((await screen.findByLabelText<HTMLInputElement>(/^The world at that time/)).disabled).toBe(true)
    fireEvent.change(screen.getByLabelText(/^Or paste/), { target: { value: 'curl http://x/customers' } })
    expect(screen.getByLabelText<HTMLInputElement>(/^A copy of the current world/).checked).toBe(true)
    fireEvent.click(screen.getByLabelText(/^The current world/))
    press('Replay')
    await screen.findByText('1 unrecorded')
    expect(inputs(calls)).toEqual([{ text: 'curl http://x/customers', into: 'present', gaps: false }])
    press('Undo')
    expect(await screen.findByText('Undone.')).toBeTruthy()
    expect(calls).toContainEqual({ name: 'world.rewind', input: { seq: 1 } })
  })
})

describe('the request log', () => {
  it('selects several rows by keyboard, and clears them with Escape', async () => {
    show('#/requests')
    const grid = await screen.findByRole('grid', { name: 'Requests, newest first' })
    await waitFor(() => expect(screen.getAllByText('/customers')).toHaveLength(3))
    fireEvent.keyDown(grid, { key: 'Home' })
    fireEvent.keyDown(grid, { key: 'ArrowDown', shiftKey: true })
    expect(await screen.findByText('2 chosen')).toBeTruthy()
    fireEvent.keyDown(grid, { key: 'End' })
    fireEvent.keyDown(grid, { key: ' ' })
    expect(await screen.findByText('3 chosen')).toBeTruthy()
    fireEvent.keyDown(grid, { key: 'Escape' })
    await waitFor(() => expect(screen.queryByText(/chosen/)).toBeNull())
    fireEvent.keyDown(grid, { key: 'a', ctrlKey: true })
    expect(await screen.findByText('3 chosen')).toBeTruthy()
  })
})

describe('faults', () => {
  it('are set with the fields of their kind, shown on every screen, and cleared', async () => {
    const { calls, replies } = show('#/faults')
    await screen.findByText('No active faults')
    fireEvent.change(screen.getByLabelText('kind'), { target: { value: 'rate_limit' } })
    expect(screen.queryByLabelText('ms')).toBeNull()
    fireEvent.change(screen.getByLabelText('per_minute'), { target: { value: '5' } })
    fireEvent.change(screen.getByLabelText('path'), { target: { value: '/transfers*' } })
    const fault = { kind: 'rate_limit', path: '/transfers*', per_minute: 5 }
    replies['faults.set'] = replies['faults.list'] = { faults: [{ ...fault, met: 0 }] }
    press('Add')
    expect(await screen.findByText('rate_limit, 5 per minute on /transfers*', { selector: 'b *' })).toBeTruthy()
    expect(calls).toContainEqual({ name: 'faults.set', input: { faults: [fault] } })
    expect(screen.getByRole('button', { name: /^1 fault active/ })).toBeTruthy()
    replies['faults.clear'] = replies['faults.list'] = { faults: [] }
    press('Clear all')
    expect(await screen.findByText('No active faults')).toBeTruthy()
    expect(screen.queryByRole('button', { name: /fault active/ })).toBeNull()
  })

  it('are described in one line', () => {
    expect(formatFault({ kind: 'latency', ms: 1500, jitter_ms: 20, rate: 0.5, times: 3, method: 'GET' })).toBe(
      'latency 1,500 ms plus up to 20 ms on every GET, 50 % of them, for 3 requests',
    )
    expect(formatFault({ kind: 'status', until: '2026-11-20T14:04:18.000Z' })).toBe(
      'status 500 on every request, until 20 Nov 2026 09:04:18 ET',
    )
    expect(explainFaults('latency, drop_after_commit')).toContain('the caller does not know')
    expect(explainFaults('something new')).toBe('')
  })
})

describe('an imported file', () => {
  it('is a bundle if its first line says so', () => {
    expect(isBundle('\ufeff{"sandbank":"bundle","version":1}\n{}')).toBe(true)
    expect(isBundle('{"log":{"note":"x"}}\n{"sandbank":"bundle"}')).toBe(false)
  })
  it('is read as UTF-8 or UTF-16, and refused if it is not text', async () => {
    const utf16 = new Uint8Array([0xff, 0xfe, 0x63, 0, 0x75, 0])
    const file = (bytes: Uint8Array<ArrayBuffer>) => ({ arrayBuffer: () => Promise.resolve(bytes.buffer) }) as Blob
    expect(await readFileText(file(utf16))).toBe('cu')
    expect(await readFileText(file(new TextEncoder().encode('ü')))).toBe('ü')
    await expect(readFileText(file(new Uint8Array([0x1f, 0x8b, 8])))).rejects.toThrow('It is not a text file')
  })
  it('is replayed into the chosen target', () => {
    const setup = { place: 'demo', snapshot: '', gaps: null } as const
    expect(replayInput({ text: 'x' }, setup)).toEqual({ text: 'x', into: { fresh: 'demo' }, gaps: true })
    expect(toLinePath('data[0].items[12].status')).toBe('data.0.items.12.status')
  })
})
