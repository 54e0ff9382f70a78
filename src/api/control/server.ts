import { timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import type { ControlReply, MethodName, Notice } from '../contract/control.ts'
import { controlOpenapi } from '../contract/control-openapi.ts'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { triggers } from '../contract/triggers.ts'
import type { Allowlist } from '../http/allowlist.ts'
import { MAX_BODY_BYTES, readBody } from '../http/body.ts'
import { errorBody, toApiError } from '../http/error-response.ts'
import { traceIdOf } from '../http/request-handling.ts'

/** The operator's door for browsers, test suites and the command line; and the window itself, served to a browser. */

export interface ControlServerOptions {
  readonly call: (name: string, input: unknown) => Promise<ControlReply>
  readonly subscribe: (listener: (notice: Notice) => void) => () => void
  readonly now: () => Timestamp
  readonly fault: (error: ApiError) => void
  readonly allowlist: Allowlist
  readonly key: string
  /** The folder of the built window; without one there is only the API. */
  readonly window: string | undefined
  /** Aborted when the sandbox closes: streams of notices end at once. */
  readonly closing: AbortSignal
  /** Answers everything that is not the operator's. */
  readonly api: Express
}

/** The operator hands in whole files: bundles, and what others have recorded. */
const TAKES_FILES: ReadonlySet<string> = new Set<MethodName>(['bundles.import', 'exchanges.replay'])
const MAX_FILE_BYTES = 256 << 20
const HEARTBEAT_MS = 15_000
const MOST_UNREAD_BYTES = 8 << 20

/** Printed when somebody first asks, and once: it depends on the contract alone. */
let printed: string | undefined
const document = () => (printed ??= JSON.stringify(controlOpenapi()))

export function server({
  call,
  subscribe,
  now,
  fault,
  allowlist,
  key,
  window,
  closing,
  api,
}: ControlServerOptions): (req: IncomingMessage, res: ServerResponse) => void {
  const app = express()
  app.disable('x-powered-by')

  const guard: RequestHandler = (req, _res, next) => {
    allowlist.checkOperator(req.socket.remoteAddress)
    allowlist.checkHost(req.headers.host)
    allowlist.checkOrigin(req.headers.origin, req.headers.host)
    next()
  }
  const needsKey: RequestHandler = (req, _res, next) => {
    if (!same(req.headers['x-control-key'], key))
      throw new ApiError('unauthorized', 'the header x-control-key is missing or wrong')
    next()
  }

  const control = express.Router()
  control.use(guard, needsKey)
  control.get('/notices', (req, res) => {
    res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' })
    res.write(': listening\n\n')
    const stop = subscribe((notice) => {
      // Who does not read is let go, and asks anew: a queue without end would take the memory of the sandbox.
      if (res.writableLength > MOST_UNREAD_BYTES) res.destroy()
      else res.write(`data: ${JSON.stringify(notice)}\n\n`)
    })
    const end = () => {
      stop()
      clearInterval(heart)
      res.end()
    }
    closing.addEventListener('abort', end)
    const heart = setInterval(() => void res.write(': still here\n\n'), HEARTBEAT_MS)
    res.on('close', () => {
      clearInterval(heart)
      closing.removeEventListener('abort', end)
      stop()
    })
    req.socket.setNoDelay(true)
  })
  control.get('/openapi.json', (_req, res) => void res.type('json').send(document()))
  control.get('/triggers', (_req, res) => void res.json({ triggers }))
  control.post('/:method', async (req, res) => {
    const name = String(req.params.method)
    const reply = await call(name, await jsonOf(req, TAKES_FILES.has(name) ? MAX_FILE_BYTES : MAX_BODY_BYTES))
    if (reply.ok) res.json(reply.value)
    else res.status(reply.error.status).json(reply.error)
  })
  control.use(() => {
    throw new ApiError('routeNotFound', 'control methods are called by POST /control/<method>')
  })
  const refuses: ErrorRequestHandler = (error, req, res, _next) => {
    const refusal = toApiError(error)
    if (refusal.key === 'internal') fault(refusal)
    if (res.headersSent) return void res.destroy()
    const body = errorBody(refusal, now())
    const trace = traceIdOf(req)
    if (trace !== undefined) res.setHeader('x-trace-id', trace)
    res.status(body.status).json(body)
  }
  control.use(refuses)
  app.use('/control', control)

  if (window && existsSync(join(window, 'index.html'))) {
    const files = express.static(window, { index: 'index.html', fallthrough: true, maxAge: 0 })
    const serves: RequestHandler = (req, res, next) => {
      if (req.method !== 'GET' || !isOfWindow(req.path)) return next()
      guard(req, res, () => {
        res.setHeader('content-security-policy', WINDOW_POLICY)
        res.setHeader('x-content-type-options', 'nosniff')
        res.setHeader('referrer-policy', 'no-referrer')
        files(req, res, next)
      })
    }
    app.use(serves, refuses)
  }
  app.use(api)
  app.use(refuses)
  // Nearly all requests are the API's own: they need not pass the operator's paths first.
  return (incoming, answer) => {
    if (!incoming.url?.startsWith('/api/v1/')) return app(incoming, answer)
    const [req, res] = [incoming as Request, answer as Response]
    api(req, res, (error: unknown) => refuses(error, req, res, () => {}))
  }
}

/** The window needs itself and nothing else. `style-src` allows the style attributes that virtual lists set. */
export const WINDOW_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const isOfWindow = (path: string) => path === '/' || path === '/index.html' || path.startsWith('/assets/')

/** In constant time, whatever the length. */
function same(given: string | string[] | undefined, key: string): boolean {
  if (typeof given !== 'string') return false
  const a = Buffer.from(given)
  const b = Buffer.from(key)
  return a.length === b.length && timingSafeEqual(a, b)
}

async function jsonOf(req: Request, most: number): Promise<unknown> {
  const { bytes, tooLarge } = await readBody(req, most)
  if (tooLarge) throw new ApiError('bodyTooLarge', `more than ${most} bytes`)
  const text = bytes.toString('utf8').trim()
  if (text === '') return {}
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new ApiError('invalidArgument', 'the body is not well-formed JSON')
  }
}
