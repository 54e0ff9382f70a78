import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { BodyReader } from '../../src/api/http/body.ts'
import { Connections, keepConnection } from '../../src/api/http/connections.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { ask, sendBytes } from './support.ts'

/** "Limits and back-pressure": what one client can keep in memory without a token. */

class FakeSocket extends EventEmitter {
  destroyed = false
  /** True while the client does not read. */
  writableNeedDrain = false
  destroy() {
    this.destroyed = true
    this.emit('close')
  }
}

class FakeResponse extends EventEmitter {
  writableFinished = false
  headersSent = false
  finish() {
    this.writableFinished = true
    this.emit('close')
  }
}

let connections: Connections
const open = () => {
  const socket = new FakeSocket()
  const refused = connections.open(socket as unknown as Socket)
  // As the listener does.
  if (refused && !refused.error) refused.socket.destroy()
  return { socket, refused }
}
const request = (socket: FakeSocket) => {
  const response = new FakeResponse()
  const handle = vi.fn()
  connections.take({ socket } as unknown as IncomingMessage, response as unknown as ServerResponse, handle)
  return { response, handle }
}

beforeEach(() => {
  vi.useFakeTimers()
  connections = new Connections()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the requests of one connection', () => {
  it('run one after the other, in their order', () => {
    const { socket } = open()
    const [first, second, third] = [request(socket), request(socket), request(socket)]
    expect([first, second, third].map(({ handle }) => handle.mock.calls.length)).toEqual([1, 0, 0])
    first.response.finish()
    expect([second, third].map(({ handle }) => handle.mock.calls.length)).toEqual([1, 0])
    second.response.finish()
    expect(third.handle).toHaveBeenCalledOnce()
  })

  it('do not run after their client has gone', () => {
    const { socket } = open()
    const [first, second] = [request(socket), request(socket)]
    socket.destroy()
    first.response.finish()
    expect(second.handle).not.toHaveBeenCalled()
  })

  it('are given up when the client reads nothing for ten seconds', () => {
    const { socket } = open()
    socket.writableNeedDrain = true
    const [first] = [request(socket), request(socket), request(socket)]
    vi.advanceTimersByTime(9_000)
    first.response.finish()
    vi.advanceTimersByTime(9_000)
    expect(socket.destroyed).toBe(false)
    vi.advanceTimersByTime(1_000)
    expect(socket.destroyed).toBe(true)
  })

  it('leave no timer behind when all are answered', () => {
    const { socket } = open()
    const all = [request(socket), request(socket), request(socket)]
    expect(vi.getTimerCount()).toBe(1)
    for (const { response } of all) response.finish()
    expect(vi.getTimerCount()).toBe(0)
  })

  it('wait as long as a long request takes', () => {
    const { socket } = open()
    const [, second] = [request(socket), request(socket)]
    vi.advanceTimersByTime(600_000)
    expect(socket.destroyed).toBe(false)
    expect(second.handle).not.toHaveBeenCalled()
  })
})

describe('more than 500 connections', () => {
  const keep = ({ socket }: ReturnType<typeof open>) => keepConnection(socket as unknown as Socket)

  it('are refused with 429 if the callers of all others have shown a token', () => {
    const all = Array.from({ length: 500 }, open)
    expect(all.every(({ refused }) => refused === undefined)).toBe(true)
    for (const one of all) keep(one)
    const { socket, refused } = open()
    expect(refused).toMatchObject({ socket, error: { key: 'tooManyRequests' } })
    expect(request(socket).handle).not.toHaveBeenCalled()
    all[0]!.socket.destroy()
    expect(open().refused).toBeUndefined()
  })

  it('take the place of the oldest whose caller has shown no token', () => {
    const all = Array.from({ length: 500 }, open)
    keep(all[0]!)
    all[1]!.socket.destroy()
    expect(open().refused).toBeUndefined()
    const { socket, refused } = open()
    expect(refused).toMatchObject({ socket: all[2]!.socket, error: { key: 'tooManyRequests' } })
    expect(request(all[2]!.socket).handle).not.toHaveBeenCalled()
    expect(request(socket).handle).toHaveBeenCalledOnce()
  })

  it('close an older one without an error if its client has a part of a response', () => {
    const all = Array.from({ length: 500 }, open)
    const { response } = request(all[0]!.socket)
    response.headersSent = true
    expect(open().refused).toMatchObject({ socket: all[0]!.socket, error: undefined })
    response.writableFinished = true
    request(all[1]!.socket)
    expect(open().refused).toMatchObject({ socket: all[1]!.socket, error: { key: 'tooManyRequests' } })
  })

  it('are closed without an error once 100 wait until their error is read', () => {
    const refused = Array.from({ length: 700 }, open).flatMap((one) => one.refused ?? [])
    expect(refused.map(({ error }) => error !== undefined)).toEqual([
      ...Array(100).fill(true),
      ...Array(100).fill(false),
    ])
    refused[0]!.socket.destroy()
    expect(open().refused?.error).toBeDefined()
    expect(open().refused?.error).toBeUndefined()
  })
})

const silent = ({ api }: TestSandbox, bytes: string) =>
  new Promise<Socket>((resolve) => {
    const { port } = new URL(api)
    const socket = connect({ port: Number(port), host: '127.0.0.1', allowHalfOpen: true }, () => {
      socket.write(bytes)
      resolve(socket)
    })
    socket.on('error', () => {})
  })

it('a caller without a token cannot shut others out with 500 connections, whatever it sends on them', async () => {
  vi.useRealTimers()
  const sandbox = await startSandbox()
  const body = 'POST /api/v1/auth HTTP/1.1\r\nhost: localhost\r\ncontent-length: 9\r\n\r\n{'
  const page = 'GET /openapi.json HTTP/1.1\r\nhost: localhost\r\n\r\n'
  const sockets: Socket[] = []
  for (const bytes of ['', 'GET / HTTP/1.1\r\nx: ', body, page, 'NONSENSE'])
    sockets.push(...(await Promise.all(Array.from({ length: 150 }, () => silent(sandbox, bytes)))))
  try {
    const { status } = await sandbox.client().get('/customers')
    expect(status).toBe(200)
    expect(await ask(sandbox, 'exchanges.list', { limit: 1 })).toMatchObject({ data: [{ status: 200 }] })
  } finally {
    for (const socket of sockets) socket.destroy()
  }
})

it('a connection is closed after an error, although the client does not close its side', async () => {
  vi.useRealTimers()
  const sandbox = await startSandbox()
  const socket = await silent(sandbox, 'NONSENSE\r\n\r\n')
  const failed = new Promise((resolve) => socket.on('error', ({ code }: NodeJS.ErrnoException) => resolve(code)))
  socket.resume()
  await new Promise((resolve) => socket.on('end', resolve))
  // A write to a connection that the other side has left is answered with a reset.
  const writing = setInterval(() => socket.write('x'), 20)
  try {
    expect(await failed).toMatch(/^(ECONNRESET|EPIPE)$/)
  } finally {
    clearInterval(writing)
    socket.destroy()
  }
})

it('of a body without a valid token only the beginning is kept while the rest arrives', () => {
  const req = new PassThrough()
  const reader = new BodyReader(req as unknown as IncomingMessage)
  req.emit('data', Buffer.alloc(500_000, 'a'))
  reader.keepOnly(1_000)
  for (let i = 0; i < 100; i++) req.emit('data', Buffer.alloc(10_000, 'b'))
  req.emit('end')
  return expect(reader.whole).resolves.toEqual({
    bytes: Buffer.alloc(1_000, 'a'),
    tooLarge: true,
    dropped: 1_499_000,
  })
})

it('requests that are sent at once are all answered', async () => {
  vi.useRealTimers()
  const sandbox = await startSandbox()
  try {
    const one = 'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n'
    const last = 'GET /health HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'
    const { bytes } = await sendBytes(sandbox, one.repeat(300) + last)
    expect(bytes.match(/HTTP\/1.1 200 OK/g)).toHaveLength(301)
  } finally {
    await sandbox.close()
  }
})
