import { EventEmitter } from 'node:events'
import http, { type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import { Readable } from 'node:stream'

/**
 * Requests without sockets. While it is installed, `createServer` of `node:http` only remembers the handler of the sandbox, and
 * `InProcessServer.send` hands it requests; so does `request` of `node:http`, which replays use. Everything after Node's HTTP
 * parser is the product's own code.
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
  readonly headers: OutgoingHttpHeaders
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

const FIRST_PORT = 4010

export class InProcessServer {
  readonly port: number
  readonly #options: Options
  readonly #handler: Handler
  #isListening = false
  #onConnection: OnConnection = () => {}
  /** True if the process of this server was killed. */
  hasEnded = () => false
  /** What the killed process sent in vain. */
  unsent = 0

  constructor(port: number, options: Options, handler: Handler) {
    this.port = port
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
  address = () => ({ address: '127.0.0.1', family: 'IPv4', port: this.port })
  closeIdleConnections() {}
  closeAllConnections() {}
  listen(_port: number, _host: string, listening: () => void) {
    this.#isListening = true
    queueMicrotask(listening)
  }
  close(closed: () => void) {
    this.#isListening = false
    servers.delete(this.port)
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
      host: `127.0.0.1:${this.port}`,
      ...(bytes.length > 0 ? { 'content-length': String(bytes.length), 'content-type': 'application/json' } : {}),
      ...headers,
    }
    if (bytes.length > 0) req.push(bytes)
    req.push(null)
    const res = new ServerResponse(req)
    return new Promise((resolve) => {
      res.end = ((body?: string | Buffer) => {
        socket.emit('close')
        resolve({
          status: res.statusCode,
          headers: res.getHeaders(),
          text: body === undefined ? '' : body.toString(),
          isLost: this.hasEnded(),
        })
        return res
      }) as typeof res.end
      this.#handler(req, res)
    })
  }
}

interface RequestOptions {
  readonly port: string
  readonly method: string
  readonly path: string
  /** Names and values in turn. */
  readonly headers: readonly string[]
}

/** The part of `http.ClientRequest` that the product uses. */
class InProcessClientRequest extends EventEmitter {
  readonly #options: RequestOptions

  constructor(options: RequestOptions) {
    super()
    this.#options = options
  }

  end(body: Buffer) {
    const { port, method, path, headers: pairs } = this.#options
    const headers: Record<string, string> = {}
    for (let i = 0; i < pairs.length; i += 2) headers[pairs[i]!.toLowerCase()] = pairs[i + 1]!
    const server = servers.get(Number(port))
    if (!server) return void queueMicrotask(() => this.emit('error', new Error(`Nothing listens on port ${port}`)))
    server.send({ method, path, headers, text: body.toString() }).then(
      ({ status, headers: received, text }) => {
        const rawHeaders = Object.entries(received).flatMap(([name, value]) => [name, String(value)])
        this.emit('response', Object.assign(Readable.from([Buffer.from(text)]), { statusCode: status, rawHeaders }))
      },
      (error: Error) => this.emit('error', error),
    )
  }
}

/** Answers what the sandbox sends to its webhooks, with a status. */
export type Receive = (url: URL, text: string) => number
let receive: Receive = () => 503
export function setReceiver(receiver: Receive) {
  receive = receiver
}

class RequestToReceiver extends EventEmitter {
  readonly #url: URL
  readonly #isProbe: boolean

  constructor(url: URL, method: string) {
    super()
    this.#url = url
    this.#isProbe = method === 'GET'
  }

  end(body: string) {
    const server = newestServer()
    // What a killed process sends reaches nothing.
    if (server.hasEnded()) {
      server.unsent++
      return void queueMicrotask(() => this.emit('error', new Error('The process has ended')))
    }
    const statusCode = this.#isProbe ? 204 : receive(this.#url, body)
    queueMicrotask(() => this.emit('response', Object.assign(Readable.from([]), { statusCode, headers: {} })))
  }

  destroy() {}
}

/** The open servers by port. A killed process leaves its own: `forgetServers` removes them. */
const servers = new Map<number, InProcessServer>()
let newest: InProcessServer | undefined

/** From now on the servers of this process are in-process servers. Returns a function that ends this. */
export function installInProcessServer(): () => void {
  const { createServer, request } = http
  const replacement = {
    createServer: (options: Options, handler: Handler) => {
      let port = FIRST_PORT
      while (servers.has(port)) port++
      newest = new InProcessServer(port, options, handler)
      servers.set(port, newest)
      return newest
    },
    request: (target: RequestOptions | URL, options: { readonly method: string }) =>
      target instanceof URL ? new RequestToReceiver(target, options.method) : new InProcessClientRequest(target),
  }
  Object.assign(http, replacement)
  syncBuiltinESMExports()
  return () => {
    Object.assign(http, { createServer, request })
    servers.clear()
    syncBuiltinESMExports()
  }
}

export const forgetServers = () => servers.clear()

/** The server that was created last. */
export function newestServer(): InProcessServer {
  if (!newest) throw new Error('No sandbox was opened since installInProcessServer()')
  return newest
}
