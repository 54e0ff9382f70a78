import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { StoreError } from '../store/store-error.ts'
import { Connections } from './connections.ts'
import { errorBody } from './error-response.ts'

/** Opens and closes the HTTP server, and refuses what Node refuses before Express gets a request. */

export class PortTakenError extends Error {
  override name = 'PortTaken'
  readonly port: number
  constructor(port: number) {
    super(`Port ${port} is taken: pass --port with another one (0 takes a free one), or stop the other process`)
    this.port = port
  }
}

/** How long closing waits for open connections. */
const CLOSE_WITHIN_MS = 1_500
/** How long a client has to read an error before its connection is closed, also if it does not close its own side. */
const CLOSE_REFUSED_MS = 1_000
const REQUEST_TIMEOUT_MS = 60_000

export interface Listener {
  readonly origin: string
  /** Sets the handler of requests. Call it before anything else is awaited: until then requests stay unanswered. */
  serve(handler: Handler): void
  close(): Promise<void>
}

type Handler = (req: IncomingMessage, res: ServerResponse) => void

/** Longer than any request takes: a client would reuse a connection that was closed meanwhile. */
const KEEP_ALIVE_MS = 65_000

interface ListenOptions {
  readonly messageClasses: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>
  readonly host: string
  readonly port: number
  readonly now: () => Timestamp
}

export async function listen({ messageClasses, host, port, now }: ListenOptions): Promise<Listener> {
  const connections = new Connections()
  let handler: Handler | undefined
  const http = createServer(
    {
      ...messageClasses,
      requireHostHeader: false,
      requestTimeout: REQUEST_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (req, res) =>
      connections.take(req, res, () => {
        if (hasTwoHosts(req))
          refuseRequest(req, res, invalid('the request has two Host headers; one is expected'), now())
        else if (normalizeUrl(req)) handler?.(req, res)
        else refuseRequest(req, res, invalid('the URL of the request is not well-formed'), now())
      }),
  )
  http.on('connection', (socket) => {
    const refused = connections.open(socket)
    if (refused?.error) endWithError(refused.socket, refused.error, now())
    else refused?.socket.destroy()
  })
  http.on('checkExpectation', (req, res) =>
    refuseRequest(req, res, invalid('Expect: only 100-continue is supported'), now()),
  )
  http.on('clientError', (error, socket) => {
    // Invalid bytes after a complete request must not replace its response.
    const response = connections.latestResponse(socket as Socket)
    if (response?.req.complete && !response.closed) response.once('finish', () => end(socket as Socket))
    else refuseBytes(error, socket as Socket, now())
  })
  http.on('connect', ({ headers }, socket) =>
    endWithError(socket as Socket, new ApiError('methodNotAllowed', 'CONNECT'), now(), headers['x-trace-id']),
  )
  await bind(http, host, port)
  const { port: bound } = http.address() as AddressInfo
  return {
    origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`,
    serve(given) {
      handler = given
    },
    close: () => stopListening(http),
  }
}

function bind(http: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(new PortTakenError(port))
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new StoreError(`${host} is not an address of this machine: pass --host 127.0.0.1`))
      else if (error.code === 'EACCES')
        reject(new StoreError(`Port ${port} needs administrator rights: pass --port above 1023`))
      else reject(error)
    })
    http.listen(port, host, resolve)
  })
}

/**
 * Takes no new connections, finishes open requests, and closes idle connections. Ends in a later turn of the event loop: the loop holds
 * the server, and with it the whole sandbox, until it has closed the socket, which is after Node says so.
 */
function stopListening(http: Server): Promise<void> {
  return new Promise((resolve) => {
    const timeout = setTimeout(() => http.closeAllConnections(), CLOSE_WITHIN_MS)
    http.close(() => {
      clearTimeout(timeout)
      setImmediate(resolve)
    })
    http.closeIdleConnections()
  })
}

/** Answers bytes that are not HTTP with the error body, too. */
function refuseBytes(error: Error & { code?: string }, socket: Socket, occurred_at: string) {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const extra =
    error.code === 'HPE_HEADER_OVERFLOW' ? 'the headers are larger than 16 kB' : 'the request is not well-formed HTTP'
  endWithError(socket, new ApiError('invalidArgument', extra), occurred_at)
}

/** Node keeps the first of two, and a proxy may have checked the second. */
function hasTwoHosts({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2)
    if (rawHeaders[i]!.length === 4 && rawHeaders[i]!.toLowerCase() === 'host') hosts++
  return hosts > 1
}

/** A client that takes the sandbox for a proxy sends a complete URL, whose host counts. False for an invalid URL. */
function normalizeUrl(req: IncomingMessage): boolean {
  const { url = '' } = req
  if (url.startsWith('/')) return true
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false
  const { host, pathname, search } = new URL(url)
  req.url = pathname + search
  req.headers.host = host
  return true
}

const invalid = (extra: string) => new ApiError('invalidArgument', extra)

function refuseRequest({ headers }: IncomingMessage, res: ServerResponse, error: ApiError, occurred_at: string) {
  const body = errorBody(error, occurred_at)
  const trace = headers['x-trace-id']
  const bytes = Buffer.from(JSON.stringify(body))
  res.writeHead(body.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    ...(trace === undefined ? {} : { 'x-trace-id': trace }),
    connection: 'close',
  })
  res.end(bytes)
}

function endWithError(socket: Socket, error: ApiError, occurred_at: string, trace?: string | string[]) {
  const body = errorBody(error, occurred_at)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    ...(trace === undefined ? [] : [`x-trace-id: ${String(trace)}`]),
    'connection: close',
  ]
  end(socket, `${head.join('\r\n')}\r\n\r\n${text}`)
}

/** A client that does not close its side would otherwise keep the connection forever. */
function end(socket: Socket, text = '') {
  socket.end(text)
  const timer = setTimeout(() => socket.destroy(), CLOSE_REFUSED_MS)
  socket.once('close', () => clearTimeout(timer))
}
