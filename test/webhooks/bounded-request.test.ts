import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type HostileName, hostileNames, startHostileReceiver } from '../../bench/support/hostile-receivers.ts'
import { createAgent } from '../../src/api/webhooks/agents.ts'
import { type Answered, sendBounded, type Unanswered } from '../../src/api/webhooks/bounded-request.ts'
import { waitFor } from '../support/wait.ts'

const WITHIN_MS = 700

async function start(name: HostileName) {
  const receiver = await startHostileReceiver(name)
  const agent = createAgent(receiver.url, 8)
  onTestFinished(async () => {
    agent.destroy()
    await receiver.stop()
  })
  const send = (signal?: AbortSignal) =>
    sendBounded(
      { url: receiver.url, method: 'POST', headers: { 'content-length': '2' }, body: '{}' },
      { agent, withinMs: WITHIN_MS, ...(signal ? { signal } : {}) },
    )
  return { receiver, agent, send }
}

const wordFor = ({ status, ...ended }: Answered | Unanswered) => {
  if (status !== null) return status >= 200 && status < 300 ? 'accepted' : 'refused'
  return (ended as Unanswered).why === 'silent' ? 'silent' : 'no answer'
}

const idle = (agent: ReturnType<typeof createAgent>) => Object.values(agent.freeSockets).flat().length
const busy = (agent: ReturnType<typeof createAgent>) => Object.values(agent.sockets).flat().length

describe('a request to a receiver that', () => {
  it.each(hostileNames)('%s, ends once and in time, and leaves nothing behind', async (name) => {
    const { receiver, agent, send } = await start(name)
    const began = performance.now()
    const ended = await Promise.all([send(), send(), send()])
    const took = performance.now() - began
    expect(ended.map(wordFor)).toEqual(Array(3).fill(receiver.outcome))
    expect(took).toBeLessThan(WITHIN_MS + 500)
    // A connection without an end is closed, or kept for the next request.
    await waitFor(() => expect(busy(agent)).toBe(0))
    // This one does not even read that a connection has ended.
    if (name === 'never reads') return
    await waitFor(() => expect(receiver.countOpen()).toBe(idle(agent)))
    agent.destroy()
    await waitFor(() => expect(receiver.countOpen()).toBe(0))
  })

  it.each(hostileNames)('%s, can be aborted at any time', async (name) => {
    const { receiver, agent, send } = await start(name)
    for (const ms of [0, 1, 5, 20]) {
      const abort = new AbortController()
      const sent = send(abort.signal)
      let ended: Answered | Unanswered | undefined
      void sent.then((end) => (ended = end))
      await new Promise((done) => setTimeout(done, ms))
      abort.abort()
      await sent
      expect(wordFor(ended!) === receiver.outcome || (ended as Unanswered).why === 'aborted').toBe(true)
    }
    await waitFor(() => expect(busy(agent)).toBe(0))
  })
})

it('a request whose signal is aborted already connects to nothing', async () => {
  const { receiver, send } = await start('never answers')
  expect(await send(AbortSignal.abort())).toMatchObject({ status: null, why: 'aborted' })
  expect(receiver.countOpen()).toBe(0)
})

it('an abort leaves no listener on the signal, and neither does an answer', async () => {
  const { send } = await start('has a body of 3 kB and refuses')
  const abort = new AbortController()
  const added: unknown[] = []
  const removed: unknown[] = []
  const { signal } = abort
  const { addEventListener, removeEventListener } = signal
  signal.addEventListener = (...args: Parameters<typeof addEventListener>) => {
    added.push(args[1])
    addEventListener.apply(signal, args)
  }
  signal.removeEventListener = (...args: Parameters<typeof removeEventListener>) => {
    removed.push(args[1])
    removeEventListener.apply(signal, args)
  }
  for (let times = 0; times < 20; times++) await send(signal)
  expect(added).toHaveLength(20)
  expect(removed).toEqual(added)
})

/** `answer` gets the connections that were opened so far. */
async function listen(answer: (socket: Socket, connections: number, request: number) => void) {
  let connections = 0
  const sockets = new Set<Socket>()
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    const connection = ++connections
    let requests = 0
    socket.on('error', () => {})
    socket.on('data', () => answer(socket, connection, ++requests))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const agent = createAgent(url, 8)
  onTestFinished(() => {
    agent.destroy()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const request = { url, method: 'GET', headers: {}, body: '' } as const
  return { send: () => sendBounded(request, { agent, withinMs: WITHIN_MS }), countConnections: () => connections }
}

const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n'

describe('a connection that is used again and', () => {
  it.each([
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['is closed', (socket: Socket) => socket.destroy()],
    ['has garbage', (socket: Socket) => void socket.write('garbage\r\n\r\n')],
  ])('%s, is no refusal: the request is sent once more, over another one', async (_, spoil) => {
    const { send, countConnections } = await listen((socket, _connection, request) => {
      if (request === 1) socket.write(NO_CONTENT)
      else spoil(socket)
    })
    expect(await send()).toMatchObject({ status: 204 })
    expect(await send()).toMatchObject({ status: 204 })
    expect(countConnections()).toBe(2)
  })

  it('is followed by another one that is bad, fails: a request is sent twice at most', async () => {
    let requests = 0
    const { send, countConnections } = await listen((socket) => {
      if (++requests === 1) socket.write(NO_CONTENT)
      else socket.resetAndDestroy()
    })
    expect(await send()).toMatchObject({ status: 204 })
    expect(await send()).toMatchObject({ status: null, why: 'failed' })
    expect(requests).toBe(3)
    expect(countConnections()).toBe(2)
  })

  it('goes silent the second time, has no time of its own', async () => {
    let requests = 0
    const { send } = await listen((socket) => {
      requests++
      if (requests === 1) socket.write(NO_CONTENT)
      if (requests === 2) setTimeout(() => socket.resetAndDestroy(), WITHIN_MS / 2)
    })
    await send()
    const began = performance.now()
    expect(await send()).toMatchObject({ status: null, why: 'silent' })
    expect(requests).toBe(3)
    expect(performance.now() - began).toBeLessThan(WITHIN_MS + 200)
  })
})

it('a connection on which the receiver goes on between two requests is closed, not read', async () => {
  const { receiver, agent, send } = await start('goes on after its answer without an end')
  expect(await send()).toMatchObject({ status: 204 })
  await waitFor(() => expect(receiver.countOpen()).toBe(0))
  expect(idle(agent)).toBe(0)
})

it('a name that does not exist fails', async () => {
  const request = { url: 'http://hooks.invalid/', method: 'GET', headers: {}, body: '' } as const
  const ended = await sendBounded(request, { agent: false, withinMs: 5_000 })
  expect(ended).toMatchObject({ status: null, why: 'failed', error: expect.stringMatching(/hooks\.invalid/) })
})

it('what cannot be sent at all fails', async () => {
  for (const [url, headers] of [
    ['nowhere', {}],
    ['http://127.0.0.1:9/', { 'x-bad': 'a\nb' }],
  ] as const)
    expect(
      await sendBounded({ url, method: 'GET', headers, body: '' }, { agent: false, withinMs: WITHIN_MS }),
    ).toMatchObject({ status: null, why: 'failed' })
})

it('a status counts when it has arrived, and its time is that of the status', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(202, { 'content-type': 'text/plain' })
    response.write('so far')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const began = performance.now()
  const ended = await sendBounded({ url, method: 'GET', headers: {}, body: '' }, { agent: false, withinMs: 5_000 })
  const took = performance.now() - began
  expect(ended).toMatchObject({ status: 202, type: 'text/plain', body: Buffer.from('so far') })
  expect(ended.ms).toBeLessThan(took - 400)
})
