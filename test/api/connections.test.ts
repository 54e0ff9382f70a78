import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Connections } from '../../src/api/http/connections.ts'
import { startSandbox } from '../support/sandbox.ts'
import { sendBytes } from './support.ts'

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
  finish() {
    this.writableFinished = true
    this.emit('close')
  }
}

let connections: Connections
const open = () => {
  const socket = new FakeSocket()
  return { socket, refusal: connections.open(socket as unknown as Socket) }
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
  it('are refused with 429, and closed', () => {
    const all = Array.from({ length: 500 }, open)
    expect(all.every(({ refusal }) => refusal === undefined)).toBe(true)
    const { socket, refusal } = open()
    expect(refusal).toMatchObject({ key: 'tooManyRequests' })
    expect(request(socket).handle).not.toHaveBeenCalled()
    vi.advanceTimersByTime(1_000)
    expect(socket.destroyed).toBe(true)
    all[0]!.socket.destroy()
    expect(open().refusal).toBeUndefined()
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
