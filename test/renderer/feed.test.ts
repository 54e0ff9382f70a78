import { expect, it, onTestFinished } from 'vitest'
import type { Bridge } from '../../src/api/contract/control/client.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { useFeed } from '../../src/renderer/data/feed.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { waitFor } from '../support/wait.ts'
import { exchange, fakeBridge, program, Refused } from './support.tsx'

/** What the window reads again after notices, when answers are late or fail. */

const omitted = (seq: number, collections: string[] = []): Notice => ({
  type: 'omitted',
  requests: [{ program_uid: program.uid, total: 1, refused: 0 }],
  doors: ['request'],
  seq,
  collections,
  uids: [],
})

const tasksChanged: Notice = {
  type: 'commit',
  seq: 2,
  operation: 2,
  at: '2026-11-20T14:04:18.000Z',
  cause: { door: 'request', name: 'POST /transfers' },
  collections: ['tasks'],
  uids: [],
}

const page = (...uids: string[]) => ({
  total_count: uids.length,
  count: uids.length,
  limit: 1_000,
  offset: 0,
  data: uids.map((uid) => exchange(uid)),
})

const clockAt = (now: string) => ({ now, mode: 'frozen', pace: 'fast', paces: ['fast', 'real'], next: null, due: 0 })
const EARLY = '2026-11-20T14:04:18.000Z'
const LATE = '2026-11-23T14:04:18.000Z'

/** A window whose next answer of one method can be held; a held one was made when it was asked for. */
async function openWindow() {
  const fake = fakeBridge({ 'clock.read': clockAt(EARLY) })
  let held: { readonly name: string; readonly gate: Promise<void> } | undefined
  const call: Bridge['call'] = async (name, input, world) => {
    const answer = await fake.bridge.call(name, input, world)
    if (held?.name !== name) return answer
    const { gate } = held
    held = undefined
    await gate
    return answer
  }
  onTestFinished(connect({ ...fake.bridge, call }))
  await waitFor(() => expect(useFeed.getState().isLogComplete).toBe(true))
  const hold = (name: string) => {
    let release = () => {}
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    held = { name, gate }
    return async () => {
      release()
      await new Promise((resolve) => setTimeout(resolve))
    }
  }
  const count = (wanted: string) => fake.calls.filter(({ name }) => name === wanted).length
  const waitForCalls = (name: string, calls: number) => waitFor(() => expect(count(name)).toBe(calls))
  return { ...fake, hold, count, waitForCalls }
}

it('a log that could not be read after a load is read once more', async () => {
  const { replies, notify, waitForCalls } = await openWindow()
  replies['exchanges.list'] = new Refused(500, 1000, 'Internal error')
  notify(omitted(2))
  await waitForCalls('exchanges.list', 2)
  replies['exchanges.list'] = page('x1')
  await waitFor(() => expect(useFeed.getState()).toMatchObject({ isLogComplete: true, exchanges: [{ uid: 'x1' }] }))
})

it('a reading of the log goes on to its end while the load does, and another one follows', async () => {
  const { replies, notify, hold, count, waitForCalls } = await openWindow()
  const release = hold('exchanges.list')
  replies['exchanges.list'] = page('x1')
  notify(omitted(2, ['tasks']))
  await waitForCalls('exchanges.list', 2)
  await waitForCalls('tasks.list', 2)
  replies['exchanges.list'] = page('x2', 'x1')
  notify(omitted(3, ['tasks']))
  await waitForCalls('tasks.list', 3)
  expect([count('exchanges.list'), useFeed.getState().isLogComplete]).toEqual([2, false])
  await release()
  expect(useFeed.getState().exchanges).toMatchObject([{ uid: 'x1' }])
  await waitFor(() => expect(useFeed.getState().exchanges).toHaveLength(2))
  expect(count('exchanges.list')).toBe(3)
})

it('what was read before everything changed is not shown afterwards', async () => {
  const { replies, notify, hold, waitForCalls } = await openWindow()
  replies['tasks.list'] = { tasks: [{ uid: 'before the reset' }] }
  const release = hold('tasks.list')
  notify(tasksChanged)
  await waitForCalls('tasks.list', 2)
  replies['tasks.list'] = { tasks: [{ uid: 'after the reset' }] }
  notify({ type: 'world' })
  await waitFor(() => expect(useFeed.getState().tasks).toEqual([{ uid: 'after the reset' }]))
  await release()
  expect(useFeed.getState().tasks).toEqual([{ uid: 'after the reset' }])
})

it('a clock that was read earlier never replaces one that was read later', async () => {
  const { replies, notify, hold, waitForCalls } = await openWindow()
  const release = hold('tasks.list')
  replies['tasks.list'] = { tasks: [{ uid: 'late' }] }
  notify(tasksChanged)
  await waitForCalls('tasks.list', 2)
  replies['clock.read'] = clockAt(LATE)
  notify(omitted(3, ['tasks']))
  await waitFor(() => expect(useFeed.getState().clock?.now).toBe(LATE))
  await release()
  expect(useFeed.getState()).toMatchObject({ tasks: [{ uid: 'late' }], clock: { now: LATE } })
})

it('the number of requests is that of the list when the log reaches its length, and the window knows that older ones are deleted', async () => {
  const { notify } = await openWindow()
  useFeed.setState(({ world }) => ({ world: { ...world!, log_length: 100 } }))
  const feed = () => useFeed.getState()
  for (let at = 1; at <= 130; at++) {
    notify({ type: 'exchange', exchange: exchange(`x${at}`, at % 10 === 0 ? { program_uid: null } : {}) } as Notice)
    if (at === 120)
      await waitFor(() => expect([feed().exchanges.length, feed().hasDeletedRequests]).toEqual([120, false]))
  }
  await waitFor(() => expect([feed().exchanges[0]?.uid, feed().hasDeletedRequests]).toEqual(['x130', true]))
  const own = feed().exchanges.filter(({ program_uid }) => program_uid !== null).length
  expect(feed().requestTotals).toEqual({ [program.uid]: own, '': feed().exchanges.length - own })
})
