import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, onTestFinished } from 'vitest'
import { MAX_NEWEST, NoticeBatch } from '../../src/api/contract/control/notice-batch.ts'
import type { Notice } from '../../src/api/contract/control/notices.ts'
import { NoticeBatches } from '../../src/api/sandbox.ts'
import { NoticeSender } from '../../src/main/ipc.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { waitFor } from '../support/wait.ts'

const commit = (seq: number, door: 'request' | 'time', uids: string[]): Notice => ({
  type: 'commit',
  seq,
  operation: seq,
  at: '2026-11-20T14:04:18.000Z',
  cause: { door, name: 'any' },
  collections: [door === 'time' ? 'tasks' : 'customers'],
  uids,
})

const exchange = (n: number, program_uid: string | null, status: number) =>
  ({ type: 'exchange', exchange: { uid: `x${n}`, program_uid, status } }) as Notice

const work = (uid: string, done: number) => ({ type: 'work', uid, done }) as Notice

describe('a batch of notices', () => {
  it('has the newest requests and commits, what the others were, and only the latest of each other kind', () => {
    const batch = new NoticeBatch()
    const notices = [
      exchange(1, 'a', 200),
      exchange(2, null, 401),
      commit(5, 'time', ['u1', 'u2']),
      work('w1', 1),
      exchange(3, 'a', 404),
      commit(6, 'request', ['u2', 'u3']),
      work('w2', 1),
      { type: 'world' } as const,
      work('w1', 2),
      exchange(4, 'a', 200),
      commit(7, 'request', ['u4']),
      { type: 'world' } as const,
    ]
    for (const notice of notices) batch.add(notice)
    const taken = batch.take(2)
    const omitted = {
      type: 'omitted',
      requests: [
        { program_uid: 'a', total: 2, refused: 1 },
        { program_uid: null, total: 1, refused: 1 },
      ],
      doors: ['time', 'request'],
      seq: 6,
      collections: ['tasks', 'customers'],
      uids: ['u1', 'u2', 'u3'],
    }
    expect(taken).toEqual([omitted, ...notices.slice(9, 11), work('w2', 1), work('w1', 2), { type: 'world' }])
    expect([batch.isEmpty, batch.take()]).toEqual([true, []])
    // A window that is busy itself collects batches in the same way.
    for (const notice of [...taken, ...taken]) batch.add(notice)
    expect(batch.take(0)[0]).toMatchObject({ requests: [{ total: 6 }, { total: 2 }], uids: ['u1', 'u2', 'u3', 'u4'] })
  })

  it('takes bounded space, and names no records if they are too many', () => {
    const batch = new NoticeBatch()
    for (let seq = 1; seq <= 5_000; seq++) batch.add(commit(seq, 'request', [`u${seq}`]))
    const [omitted, ...newest] = batch.take()
    expect(omitted).toMatchObject({ seq: 5_000 - MAX_NEWEST, uids: null })
    expect(newest).toHaveLength(MAX_NEWEST)
  })
})

const countIn = (notices: readonly Notice[]) =>
  notices
    .flatMap((notice) => (notice.type === 'omitted' ? notice.requests.map(({ total }) => total) : []))
    .concat(notices.filter(({ type }) => type === 'exchange').length)
    .reduce((sum, n) => sum + n, 0)

const REQUESTS = 700

/** Refused at the door, so that they are fast. */
async function sendRequests({ api }: Pick<TestSandbox, 'api'>, count = REQUESTS) {
  for (let left = count; left > 0; left -= 20)
    await Promise.all(Array.from({ length: Math.min(20, left) }, () => fetch(`${api}/customers`)))
}

async function listen({ control }: Pick<TestSandbox, 'control'>, query = '') {
  const stop = new AbortController()
  onTestFinished(() => stop.abort())
  const headers = { 'x-control-key': 'test-key' }
  const response = await fetch(`${control}/notices${query}`, { headers, signal: stop.signal })
  expect(response.status).toBe(200)
  const heard: (Notice | Notice[])[] = []
  void (async () => {
    let rest = ''
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
      const events = (rest + chunk).split('\n\n')
      rest = events.pop()!
      for (const event of events) if (event.startsWith('data: ')) heard.push(JSON.parse(event.slice(6)))
    }
  })().catch(() => {})
  return heard
}

describe('the stream of notices', () => {
  it('has each notice for a program, and for two windows batches that count them all', async ({ sandbox }) => {
    const program = await listen(sandbox)
    const windows = [await listen(sandbox, '?batches=true'), await listen(sandbox, '?batches=true')]
    await sendRequests(sandbox)
    await waitFor(() => expect(program).toHaveLength(REQUESTS))
    for (const batches of windows) {
      await waitFor(() => expect(countIn(batches.flat())).toBe(REQUESTS))
      expect(batches.every((batch) => Array.isArray(batch) && batch.length <= MAX_NEWEST + 1)).toBe(true)
      const newest = batches.flat().findLast(({ type }) => type === 'exchange')
      expect(newest).toMatchObject({ exchange: { uid: `x${REQUESTS}` } })
    }
  })

  it('has no other form', async () => {
    const { control } = await startSandbox()
    const response = await fetch(`${control}/notices?batches=yes`, { headers: { 'x-control-key': 'test-key' } })
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ code: 1007, extra: 'batches=yes: true was expected, or no such parameter' }] },
    ])
  })
})

describe('a window of the desktop app', () => {
  /** What its page gets; it takes no batch by itself. */
  function openWindow(sandbox: TestSandbox) {
    const batches: (readonly Notice[])[] = []
    const contents = { isDestroyed: () => false, send: (_: string, batch: readonly Notice[]) => batches.push(batch) }
    const subscribe = (listener: (notice: Notice) => void, world: string | null) =>
      (world === null ? sandbox : sandbox.worlds.get(world))?.subscribe(listener)
    const sender = new NoticeSender(contents as never, subscribe, null)
    onTestFinished(() => sender.stop())
    return { batches, sender }
  }

  it('gets one batch at a time, and after a pause what it missed as one', async ({ sandbox }) => {
    const { batches, sender } = openWindow(sandbox)
    sender.follow(null)
    await sendRequests(sandbox)
    expect(batches).toHaveLength(1)
    sender.onTaken(1)
    await waitFor(() => expect(batches).toHaveLength(2))
    expect(countIn(batches.flat())).toBe(REQUESTS)
    expect(batches[1]!.length).toBeLessThanOrEqual(MAX_NEWEST + 1)
  })

  it('gets nothing of the world that it showed before, also if it has not taken the last batch', async () => {
    const sandbox = await startSandbox()
    const other = await sandbox.worlds.create({ name: 'other', from: 'empty' })
    const { batches, sender } = openWindow(sandbox)
    sender.follow(null)
    await sendRequests(sandbox, 1)
    await waitFor(() => expect(batches).toHaveLength(1))
    await sendRequests(sandbox, 3)
    sender.follow('other')
    await sendRequests(sandbox, 3)
    await sendRequests(other, 2)
    await waitFor(() => expect(batches).toHaveLength(2))
    // What the page takes late is a batch of the world before.
    sender.onTaken(1)
    await sendRequests(sandbox)
    await sendRequests(other, 2)
    expect(batches).toHaveLength(2)
    sender.onTaken(2)
    await waitFor(() => expect(countIn(batches.slice(1).flat())).toBe(4))
    expect(sender.follow('gone')).toBe(false)
    sender.onTaken(batches.length)
    await sendRequests(other, 2)
    await nextTurn()
    expect(countIn(batches.slice(1).flat())).toBe(4)
  })
})

it('a stopped sender sends nothing more, although a batch was on its way', async () => {
  let take = () => {}
  const sent: (readonly Notice[])[] = []
  const batches = new NoticeBatches((notices) => {
    sent.push(notices)
    return new Promise((resolve) => {
      take = resolve
    })
  })
  batches.add({ type: 'faults' })
  await waitFor(() => expect(sent).toHaveLength(1))
  batches.add({ type: 'world' })
  batches.stop()
  take()
  await nextTurn()
  expect(sent).toEqual([[{ type: 'faults' }]])
})

it.each([
  ['is rejected', () => Promise.reject(new Error('the frame was disposed'))],
  [
    'throws',
    () => {
      throw new Error('the frame was disposed')
    },
  ],
] as const)('a sender whose message %s stops, and the process goes on', async (_, fails) => {
  const failures: unknown[] = []
  const onFailure = (error: unknown) => failures.push(error)
  process.on('unhandledRejection', onFailure)
  onTestFinished(() => void process.off('unhandledRejection', onFailure))
  let sent = 0
  const batches = new NoticeBatches(() => {
    sent++
    return fails()
  })
  batches.add({ type: 'faults' })
  await waitFor(() => expect(sent).toBe(1))
  await nextTurn()
  expect(failures).toEqual([])
})
