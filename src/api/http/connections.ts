import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ApiError } from '../contract/errors.ts'

/**
 * Limits what callers without a token can keep in memory: the number of connections, and what waits on each of them. Requests that a
 * client sends before it has the response to an earlier one run one after the other, so one response per connection is in memory.
 * Node stops reading from a connection whose responses are not read.
 *
 * Assumed (invented): 500 connections. A further one takes the place of the oldest one on which no caller has shown a valid token or the
 * control key; if there is none, it is answered with 429/1017. A connection on which requests wait is closed if its client reads
 * nothing for 10 seconds.
 */

const MAX_CONNECTIONS = 500
/** So many refused connections are open until their clients have read the error. */
const MAX_REFUSED = 100
const CLOSE_UNREAD_MS = 10_000

interface Connection {
  isRefused: boolean
  /** The response to the latest request, whose turn may come later. */
  latest: ServerResponse | undefined
  /** The number of requests that wait for their turn. */
  waiting: number
  /** Closes the connection. A response that was sent starts it again. */
  timer: NodeJS.Timeout | undefined
}

/** The set of connections that a connection is in until its caller has shown a token or the control key. */
const setsOfUnknown = new WeakMap<Socket, Set<Socket>>()

/** For a caller who has shown a valid token or the control key: no other connection takes the place of this one. */
export const keepConnection = (socket: Socket) => void setsOfUnknown.get(socket)?.delete(socket)

/** A connection that is too many. */
interface Refused {
  readonly socket: Socket
  /** undefined if it is closed without an error: a part of a response was sent, or too many wait until their error is read. */
  readonly error: ApiError | undefined
}

export class Connections {
  readonly #connections = new WeakMap<Socket, Connection>()
  /** Whose callers have shown neither a token nor the control key, oldest first. */
  readonly #unknown = new Set<Socket>()
  #open = 0
  #refused = 0

  /** Returns the connection to close, which may be an older one. */
  open(socket: Socket): Refused | undefined {
    const connection: Connection = { isRefused: false, latest: undefined, waiting: 0, timer: undefined }
    this.#connections.set(socket, connection)
    this.#unknown.add(socket)
    setsOfUnknown.set(socket, this.#unknown)
    this.#open++
    socket.once('close', () => {
      if (connection.isRefused) this.#refused--
      else this.#open--
      this.#unknown.delete(socket)
      clearTimeout(connection.timer)
    })
    return this.#open > MAX_CONNECTIONS ? this.#refuseOldest() : undefined
  }

  /** The new connection is unknown, too, and the last one. */
  #refuseOldest(): Refused {
    const [socket] = this.#unknown as Iterable<Socket> as [Socket]
    this.#unknown.delete(socket)
    const connection = this.#connections.get(socket)!
    connection.isRefused = true
    this.#open--
    this.#refused++
    const { latest } = connection
    const hasPart = latest?.headersSent && !latest.writableFinished
    return { socket, error: hasPart || this.#refused > MAX_REFUSED ? undefined : tooManyConnections() }
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

const tooManyConnections = () =>
  new ApiError(
    'tooManyRequests',
    `${MAX_CONNECTIONS} connections are open already: close some, or use each for more requests`,
  )

/** A long request, such as an advance of the clock, may take its time. */
function closeIfUnread(connection: Connection, socket: Socket) {
  if (socket.writableNeedDrain) socket.destroy()
  else connection.timer?.refresh()
}
