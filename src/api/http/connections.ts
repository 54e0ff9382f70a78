import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../contract/errors.ts'

/**
 * Limits what callers without a token can keep in memory: the number of connections, and what waits on each of them. Requests that a
 * client sends before it has the response to an earlier one run one after the other, so one response per connection is in memory.
 * Node stops reading from a connection whose responses are not read.
 *
 * Assumed: 500 connections; a further one is answered with 429/1017. A connection on which requests wait is closed if its client
 * reads nothing for 10 seconds.
 */

const MAX_CONNECTIONS = 500
const CLOSE_UNREAD_MS = 10_000
/** For the error of a refused connection. */
const CLOSE_REFUSED_MS = 1_000

interface Connection {
  readonly isRefused: boolean
  /** The response to the latest request, whose turn may come later. */
  latest: ServerResponse | undefined
  /** The number of requests that wait for their turn. */
  waiting: number
  /** Closes the connection. A response that was sent starts it again. */
  timer: NodeJS.Timeout | undefined
}

export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>()
  #open = 0

  /** Returns the error for a connection that is too many. */
  open(socket: Socket): ApiError | undefined {
    this.#open++
    const isRefused = this.#open > MAX_CONNECTIONS
    const connection: Connection = { isRefused, latest: undefined, waiting: 0, timer: undefined }
    this.#connections.set(socket, connection)
    socket.once('close', () => {
      this.#open--
      clearTimeout(connection.timer)
    })
    if (!isRefused) return undefined
    connection.timer = setTimeout(() => socket.destroy(), CLOSE_REFUSED_MS)
    return new ApiError(
      'tooManyRequests',
      `${MAX_CONNECTIONS} connections are open already: close some, or use each for more requests`,
    )
  }

  latestResponse(socket: Socket): ServerResponse | undefined {
    return this.#connections.get(socket)?.latest
  }

  /** Handles the request when the responses to earlier ones are sent. */
  take({ socket }: IncomingMessage, res: ServerResponse, handle: () => void) {
    const connection = this.#connections.get(socket)!
    const { latest } = connection
    if (connection.isRefused || socket.destroyed) return
    connection.latest = res
    if (!latest || latest.writableFinished) return handle()
    connection.waiting++
    connection.timer ??= setTimeout(() => closeIfUnread(connection, socket), CLOSE_UNREAD_MS)
    latest.once('close', () => {
      connection.waiting--
      if (connection.waiting > 0) connection.timer?.refresh()
      else {
        clearTimeout(connection.timer)
        connection.timer = undefined
      }
      if (!socket.destroyed) handle()
    })
  }
}

/** A long request, such as an advance of the clock, may take its time. */
function closeIfUnread(connection: Connection, socket: Socket) {
  if (socket.writableNeedDrain) socket.destroy()
  else connection.timer?.refresh()
}
