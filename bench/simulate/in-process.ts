import { EventEmitter } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Requests without sockets. While it is installed, `createServer` of `node:http` only remembers the handler of the sandbox, and
 * `InProcessServer.send` hands it requests. Everything after Node's HTTP parser is the product's own code.
 */

export interface InProcessRequest {
  readonly method: string
  /** Without the origin: `/api/v1/customers`. */
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly text?: string
}

export interface InProcessResponse {
  readonly status: number
  readonly text: string
  /** The process was killed before it sent this, so no client has received it. */
  readonly isLost: boolean
}

interface Options {
  readonly IncomingMessage: new (socket: unknown) => IncomingMessage
  readonly ServerResponse: new (req: IncomingMessage) => ServerResponse
}
type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** The fields of a socket that the product reads. */
const SOCKET = { remoteAddress: '127.0.0.1', readable: true, writable: true, destroy() {}, setNoDelay() {}, end() {} }
type OnConnection = (socket: object) => void

export class InProcessServer {
  readonly #options: Options
  readonly #handler: Handler
  #isListening = false
  #onConnection: OnConnection = () => {}
  /** True if the process of this server was killed. */
  hasEnded = () => false

  constructor(options: Options, handler: Handler) {
    this.#options = options
    this.#handler = handler
  }

  // The part of `http.Server` that the product uses.
  on = (name: string, listener: OnConnection) => {
    if (name === 'connection') this.#onConnection = listener
    return this
  }
  once = () => this
  off = () => this
  removeListener = () => this
  address = () => ({ address: '127.0.0.1', family: 'IPv4', port: 4010 })
  closeIdleConnections() {}
  closeAllConnections() {}
  listen(_port: number, _host: string, listening: () => void) {
    this.#isListening = true
    queueMicrotask(listening)
  }
  close(closed: () => void) {
    this.#isListening = false
    queueMicrotask(closed)
  }

  /** Each request has a connection of its own. Resolves with the response, as soon as the product ends it. */
  send({ method, path, headers, text = '' }: InProcessRequest): Promise<InProcessResponse> {
    if (!this.#isListening) return Promise.reject(new Error('The sandbox does not listen'))
    const { IncomingMessage, ServerResponse } = this.#options
    const socket = Object.assign(new EventEmitter(), SOCKET)
    this.#onConnection(socket)
    const req = new IncomingMessage(socket)
    const bytes = Buffer.from(text)
    Object.assign(req, { method, url: path, complete: true })
    req.headers = {
      host: '127.0.0.1:4010',
      ...headers,
      ...(bytes.length > 0 ? { 'content-length': String(bytes.length), 'content-type': 'application/json' } : {}),
    }
    if (bytes.length > 0) req.push(bytes)
    req.push(null)
    const res = new ServerResponse(req)
    return new Promise((resolve) => {
      res.end = ((body?: string | Buffer) => {
        socket.emit('close')
        resolve({
          status: res.statusCode,
          text: body === undefined ? '' : body.toString(),
          isLost: this.hasEnded(),
        })
        return res
      }) as typeof res.end
      this.#handler(req, res)
    })
  }
}

let newest: InProcessServer | undefined

/** From now on the servers of this process are in-process servers. Returns a function that ends this. */
export function installInProcessServer(): () => void {
  const { createServer } = http
  http.createServer = ((options: Options, handler: Handler) => {
    newest = new InProcessServer(options, handler)
    return newest
  }) as unknown as typeof createServer
  syncBuiltinESMExports()
  return () => {
    http.createServer = createServer
    syncBuiltinESMExports()
  }
}

/** The server that was created last. */
export function newestServer(): InProcessServer {
  if (!newest) throw new Error('No sandbox was opened since installInProcessServer()')
  return newest
}
