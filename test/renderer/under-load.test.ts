import { renderHook } from '@testing-library/react'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { type Bridge, createControlClient } from '../../src/api/contract/control/client.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { NoticeBatches } from '../../src/api/sandbox.ts'
import { type Feed, useFeed } from '../../src/renderer/data/feed.ts'
import { httpBridge } from '../../src/renderer/data/http-bridge.ts'
import { useRecords } from '../../src/renderer/data/live-list.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { ipcBridge } from '../support/bridges.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'

/** More requests than a window is told of one by one: at the end it knows what a window knows that is opened then. */

const REQUESTS = 500
const CONNECTIONS = 15
/** One of so many creates a Customer. */
const EVERY = 5

async function sendRequests(sandbox: TestSandbox, count = REQUESTS) {
  const api = sandbox.client()
  let sent = 0
  const work = async () => {
    while (sent < count) {
      const n = ++sent
      if (n % EVERY === 0) await api.post('/customers', { email: `${crypto.randomUUID()}@x.test` })
      // Refused, with and without a token.
      else if (n % 7 === 0) await api.get('/customers/unknown')
      else if (n % 11 === 0) await api.send('GET', '/customers')
      else await api.get('/customers?limit=1')
    }
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
}

/** Over IPC; the window takes its next batch when the gate is open, so that much is left out, however slow the machine is. */
function slowBridge(sandbox: TestSandbox) {
  const { call } = ipcBridge(sandbox)
  const omitted: Notice[] = []
  let gate = Promise.resolve()
  let open = () => {}
  let reconnect = () => {}
  const bridge: Bridge = {
    call,
    subscribe(onNotices, connected) {
      const batches = new NoticeBatches((notices) => {
        omitted.push(...notices.filter(({ type }) => type === 'omitted'))
        onNotices(structuredClone(notices))
        return gate
      })
      const stop = sandbox.subscribe(batches.add)
      connected?.(true)
      reconnect = () => {
        connected?.(false)
        connected?.(true)
      }
      return () => {
        stop()
        batches.stop()
      }
    },
  }
  const isBusy = () => {
    gate = new Promise((resolve) => {
      open = resolve
    })
  }
  return { bridge, omitted, isBusy, isFree: () => open(), reconnect: () => reconnect() }
}

const COMPARED = [
  ...(['connection', 'programs', 'tasks', 'seq', 'exchanges', 'isLogComplete', 'requestTotals'] as const),
  ...(['faults', 'jumps', 'progress', 'job', 'run'] as const),
] satisfies (keyof Feed)[]

const CUSTOMERS = { collection: 'customers', fields: ['uid', 'email'] } as const

/** What the window knows, and the rows of a list that it shows. */
function look(program_uid: string) {
  const list = renderHook(() => useRecords(CUSTOMERS, program_uid))
  const read = () => {
    const feed = useFeed.getState()
    const { now, ...clock } = feed.clock ?? {}
    const { rows, total } = list.result.current
    return { ...Object.fromEntries(COMPARED.map((name) => [name, feed[name]])), clock, now, rows, total }
  }
  return { read, close: () => list.unmount() }
}

/** A list has pages; their order is that of the sandbox. */
async function expectAsAfterOpening(sandbox: TestSandbox, bridge: Bridge, close: () => void, program_uid: string) {
  const client = createControlClient(bridge)
  const { total_count } = await client['exchanges.list']({ limit: 1 })
  const { total_count: customers } = await client['records.list']({ collection: 'customers', program_uid, limit: 0 })
  const old = look(program_uid)
  const isWhole = () => {
    const { isLogComplete, exchanges, progress, seq } = useFeed.getState()
    expect([isLogComplete, exchanges.length, progress, seq]).toEqual([true, total_count, null, sandbox.store.world.seq])
    expect(old.read().rows).toHaveLength(customers)
    expect(old.read().now).toBe(new Date(sandbox.store.clock.now()).toISOString())
  }
  await waitFor(isWhole)
  const before = old.read()
  old.close()
  close()
  onTestFinished(connect(bridge))
  const fresh = look(program_uid)
  await waitFor(() => {
    expect(useFeed.getState().isLogComplete).toBe(true)
    expect(fresh.read().rows).toHaveLength(customers)
  })
  expect(before).toEqual(fresh.read())
  fresh.close()
}

type Control = ReturnType<typeof createControlClient>

type Slow = ReturnType<typeof slowBridge>

const meanwhile: Readonly<Record<string, (control: Control, slow: Slow) => Promise<unknown>>> = {
  nothing: () => Promise.resolve(),
  'a lost connection': (_control, { reconnect }) => Promise.resolve(reconnect()),
  'a rewind': (control) => control['world.rewind']({ seq: 1 }),
  'a reset': (control) => control['world.reset']({ world: 'empty' }),
  'an advance': (control) => control['clock.advance']({ by: 'P3D' }),
  'faults that requests meet': (control) =>
    control['faults.set']({ faults: [{ kind: 'status', code: 6008, method: 'GET', path: '/customers*', times: 3 }] }),
}

describe('after many requests and', () => {
  it.each(Object.keys(meanwhile))('%s: a window that was busy knows what a new one does', async (name) => {
    const sandbox = await startSandbox()
    const [program] = sandbox.programs()
    const slow = slowBridge(sandbox)
    const { bridge, omitted, isBusy, isFree } = slow
    const close = connect(bridge)
    onTestFinished(close)
    await waitFor(() => expect(useFeed.getState().isLogComplete).toBe(true))
    const list = look(program!.uid)
    await waitFor(() => expect(list.read().total).toBe(0))
    isBusy()
    await sendRequests(sandbox, REQUESTS / 2)
    await meanwhile[name]!(createControlClient(bridge), slow)
    await sendRequests(sandbox, REQUESTS / 2)
    isFree()
    await waitFor(() => expect(omitted.length).toBeGreaterThan(0))
    await expectAsAfterOpening(sandbox, bridge, close, program!.uid)
    list.close()
  })

  it('while it is hidden, a window only counts; shown again, it knows what a new one does', async ({ sandbox }) => {
    const [program] = sandbox.programs()
    const hidden = vi.spyOn(document, 'hidden', 'get')
    onTestFinished(() => hidden.mockRestore())
    const bridge = httpBridge('test-key', (path, init) => fetch(new URL(String(path), sandbox.api), init))
    const close = connect(bridge)
    onTestFinished(close)
    await waitFor(() => expect(useFeed.getState().isLogComplete).toBe(true))
    hidden.mockReturnValue(true)
    await sendRequests(sandbox)
    expect(useFeed.getState().exchanges).toEqual([])
    hidden.mockReturnValue(false)
    document.dispatchEvent(new Event('visibilitychange'))
    await waitFor(() => expect(useFeed.getState().requestCounts).not.toEqual([]))
    await expectAsAfterOpening(sandbox, bridge, close, program!.uid)
  })
})

it('a hidden window whose sandbox was restarted applies nothing of the one that ended', async () => {
  const [ended, sandbox] = [await startSandbox(), await startSandbox()]
  const hidden = vi.spyOn(document, 'hidden', 'get')
  onTestFinished(() => hidden.mockRestore())
  let current = ipcBridge(ended)
  let restart = () => {}
  const bridge: Bridge = {
    call: (name, input) => current.call(name, input),
    subscribe(onNotices, connected) {
      let stop = current.subscribe(onNotices, connected)
      restart = () => {
        stop()
        connected?.(false)
        current = ipcBridge(sandbox)
        stop = current.subscribe(onNotices, connected)
      }
      return () => stop()
    },
  }
  const close = connect(bridge)
  onTestFinished(close)
  await waitFor(() => expect(useFeed.getState().isLogComplete).toBe(true))
  const counted = new Promise<void>((resolve) => {
    onTestFinished(current.subscribe(() => resolve()))
  })
  hidden.mockReturnValue(true)
  await sendRequests(ended, EVERY)
  await counted
  restart()
  await waitFor(() => expect(useFeed.getState()).toMatchObject({ isLogComplete: true, versions: { '*': 2 } }))
  await sendRequests(sandbox, EVERY)
  hidden.mockReturnValue(false)
  document.dispatchEvent(new Event('visibilitychange'))
  await expectAsAfterOpening(sandbox, bridge, close, sandbox.programs()[0]!.uid)
})
