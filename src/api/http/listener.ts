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
import { errorBody } from './failure.ts'

/** The socket under both doors: opening and closing it, and what must be refused before there is a request at all. */

/** A port that is taken: the host decides what to offer. */
export class PortTaken extends Error {
  override name = 'PortTaken'
  readonly port: number
  constructor(port: number) {
    super(`Port ${port} is taken: pass --port with another one (0 takes a free one), or stop the other process`)
    this.port = port
  }
}

/** A connection that sends nothing more is ended this long after we stopped listening. */
const CLOSE_WITHIN_MS = 1_500
/** Who announces a body must send it. */
const REQUEST_WITHIN_MS = 60_000

export interface Listener {
  readonly origin: string
  close(): Promise<void>
}

/** Longer than any work of ours: a connection that was closed while it took would be used once more by its client. */
const IDLE_MS = 65_000

interface ListenOptions {
  readonly app: (req: IncomingMessage, res: ServerResponse) => void
  /** What requests and answers are made as. */
  readonly messages: Pick<ServerOptions, 'IncomingMessage' | 'ServerResponse'>
  readonly host: string
  readonly port: number
  readonly now: () => Timestamp
}

export async function listen({ app, messages, host, port, now }: ListenOptions): Promise<Listener> {
  // What Node or Express would refuse in their own words, or in none, is refused in ours.
  const answering = new WeakMap<Socket, ServerResponse>()
  const http = createServer(
    { ...messages, requireHostHeader: false, requestTimeout: REQUEST_WITHIN_MS, keepAliveTimeout: IDLE_MS },
    (req, res) => {
      answering.set(req.socket, res)
      if (toPath(req)) app(req, res)
      else refuseRequest(req, res, 'the address of the request is not well-formed', now())
    },
  )
  http.on('checkExpectation', (req, res) => refuseRequest(req, res, 'Expect: only 100-continue is met', now()))
  http.on('clientError', (error, socket) => {
    // Garbage behind a good request must not take the place of that request's answer.
    const answer = answering.get(socket as Socket)
    if (answer?.req.complete && !answer.closed) answer.once('finish', () => socket.end())
    else refuseBytes(error, socket as Socket, now())
  })
  http.on('connect', (req, socket) => refuseConnect(req, socket as Socket, now()))
  await bind(http, host, port)
  const { port: bound } = http.address() as AddressInfo
  return { origin: `http://${host.includes(':') ? `[${host}]` : host}:${bound}`, close: () => stopListening(http) }
}

function bind(http: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') reject(new PortTaken(port))
      else if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
        reject(new StoreError(`${host} is no address of this machine: pass --host 127.0.0.1`))
      else if (error.code === 'EACCES') reject(new StoreError(`Port ${port} needs more rights: pass --port above 1023`))
      else reject(error)
    })
    http.listen(port, host, resolve)
  })
}

/** Nothing new comes in; what is being answered is answered; what only waits is ended. */
function stopListening(http: Server): Promise<void> {
  return new Promise((resolve) => {
    const last = setTimeout(() => http.closeAllConnections(), CLOSE_WITHIN_MS)
    http.close(() => {
      clearTimeout(last)
      resolve()
    })
    http.closeIdleConnections()
  })
}

/** What Node cannot even read as HTTP gets the error body too. */
function refuseBytes(error: Error & { code?: string }, socket: Socket, occurred_at: string) {
  if (error.code === 'ECONNRESET' || !socket.writable) return
  const extra =
    error.code === 'HPE_HEADER_OVERFLOW' ? 'the headers are larger than 16 kB' : 'the request is not well-formed HTTP'
  endWith(socket, new ApiError('invalidArgument', extra), occurred_at)
}

/** A path is asked for; or, as of a proxy, a whole URL, whose host then counts. */
function toPath(req: IncomingMessage): boolean {
  const { url = '' } = req
  if (url.startsWith('/')) return true
  if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) return false
  const { host, pathname, search } = new URL(url)
  req.url = pathname + search
  req.headers.host = host
  return true
}

function refuseRequest({ headers }: IncomingMessage, res: ServerResponse, extra: string, occurred_at: string) {
  const body = errorBody(new ApiError('invalidArgument', extra), occurred_at)
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

function refuseConnect({ headers }: IncomingMessage, socket: Socket, occurred_at: string) {
  endWith(socket, new ApiError('methodNotAllowed', 'CONNECT'), occurred_at, headers['x-trace-id'])
}

function endWith(socket: Socket, error: ApiError, occurred_at: string, trace?: string | string[]) {
  const body = errorBody(error, occurred_at)
  const text = JSON.stringify(body)
  const head = [
    `HTTP/1.1 ${body.status} ${STATUS_CODES[body.status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    ...(trace === undefined ? [] : [`x-trace-id: ${String(trace)}`]),
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${text}`)
}
