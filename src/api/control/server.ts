import { timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { setImmediate as pause } from 'node:timers/promises'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
} from 'express'
import { type ControlReply, LENGTH_HEADER, MASKED_HEADER, OPERATION_HEADER } from '../contract/control/client.ts'
import type { MethodName } from '../contract/control/methods.ts'
import type { Notice } from '../contract/control/notices.ts'
import { ApiError } from '../contract/errors.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { triggers } from '../contract/triggers.ts'
import type { Allowlist } from '../http/allowlist.ts'
import type { RequestLocals } from '../http/app.ts'
import { BodyReader, MAX_BODY_BYTES, MAX_DEPTH } from '../http/body.ts'
import { keepConnection } from '../http/connections.ts'
import { sendDocument } from '../http/documents.ts'
import { errorBody, noSuchWorld, toApiError } from '../http/error-response.ts'
import { findExcess } from '../http/json-size.ts'
import { type RequestContext, traceIdOf } from '../http/request-handling.ts'
import type { Steps } from '../store/steps.ts'
import type { OnText } from './jobs.ts'
import { printInSteps } from './long-lists.ts'
import { NoticeBatches } from './notice-batches.ts'
import type { Openings } from './openings.ts'

/** What the control API needs of a world. */
export interface ControlledWorld extends RequestContext {
  readonly call: (name: string, input: unknown, onText?: OnText) => Promise<ControlReply>
  readonly subscribe: (listener: (notice: Notice) => void) => () => void
  runSteps<T>(steps: Steps<T>): Promise<T>
  now(): Timestamp
}

interface ServerOptions {
  /** Handles everything except /control and the window. */
  readonly api: Express
  /** The world without a prefix in its addresses. */
  readonly root: ControlledWorld
  readonly findWorld: (name: string) => ControlledWorld | undefined
  readonly allowlist: Allowlist
  readonly key: string
  /** The folder of the built window; undefined serves none. */
  readonly window: string | undefined
  readonly openings: Openings
}

/**
 * Three Express apps side by side: the API, the control API and the window. Not one app with the API mounted in it: Express
 * swaps the prototypes of requests to a mounted app, which `createMessageClasses` avoids. All worlds share them, as an app takes
 * milliseconds to create: the prefix of a world is removed from the URL, and the app finds the world in `res.locals`.
 */
export function createServerHandler(options: ServerOptions): (req: IncomingMessage, res: ServerResponse) => void {
  const { api, root, window } = options
  const control = createControlApp(options)
  const isBuilt = window && existsSync(join(window, 'index.html'))
  const windowApp = isBuilt ? createWindowApp(options, window) : undefined
  return (req, res) => {
    const given = req.url ?? ''
    const { world, worldName } = given.startsWith(WORLDS) ? takePrefix(req, options) : { world: root, worldName: null }
    ;(res as Response).locals = { world, worldName, given } satisfies WindowLocals
    const { url = '' } = req
    const isWindow = windowApp && WINDOW_URLS[req.method ?? '']?.test(url)
    if (CONTROL_URL.test(url)) control(req as Request, res as Response)
    // Also for a world that does not exist: the window says so, and leads back.
    else if (isWindow) windowApp(req as Request, res as Response)
    else api(req as Request, res as Response)
  }
}

/** Removes the prefix of a world from the URL, so that routes, logs and replays are the same in every world. */
function takePrefix(req: IncomingMessage, { root, findWorld }: ServerOptions): RequestLocals {
  const [, worldName, rest = ''] = WORLD_URL.exec(req.url ?? '') ?? []
  if (worldName === undefined) return { world: root, worldName: null }
  req.url = rest.startsWith('/') ? rest : `/${rest}`
  return { world: findWorld(worldName), worldName }
}

interface WindowLocals extends RequestLocals {
  /** The URL with the prefix of a world. */
  readonly given: string
}

const WORLDS = '/worlds/'
const WORLD_URL = /^\/worlds\/([^/?]+)(.*)$/s
const lacksSlash = (url: string) => /^\/worlds\/[^/?]+(?:\?|$)/.test(url)

/** The fragment, which has the control key, stays with the browser. */
function redirect(res: ServerResponse, url: string) {
  const [path = '', query] = url.split(/(?=\?)/, 2)
  res.writeHead(308, { location: `${path}/${query ?? ''}` }).end()
}

function requireWorld({ locals }: Response): RequestContext {
  const { world, worldName } = locals as RequestLocals
  if (!world) throw noSuchWorld(worldName ?? '')
  return world
}
const worldOf = (res: Response) => (res.locals as { readonly world: ControlledWorld }).world

const CONTROL_URL = /^\/control(?:[/?]|$)/
/** An address that is valid once is not used up by a HEAD. */
const WINDOW_URLS: Readonly<Record<string, RegExp>> = {
  GET: /^\/(?:assets\/|open\/|(?:index\.html)?(?:\?|$))/,
  HEAD: /^\/(?:assets\/|(?:index\.html)?(?:\?|$))/,
}

// ── The control API ──────────────────────────────────────────────────────────────────────────────────────────────

/** Methods that take whole files. */
const LARGE_INPUT: ReadonlySet<string> = new Set<MethodName>([
  'bundles.import',
  'exchanges.replay',
  'recordings.describe',
])
const MAX_LARGE_INPUT_BYTES = 256 << 20
/** Assumed (invented): the input of a control method has at most 11,000 keys; exchanges.replay takes a list of 10,000. */
const MAX_KEYS = 11_000

function createControlApp(options: ServerOptions): Express {
  const { key } = options
  const app = createApp()
  const router = express.Router()
  router.use(checkCaller(options))
  // Without the key, as the document of the API is.
  router.get('/openapi.json', (req, res) => sendDocument(requireWorld(res), req, res, 'control', '3.1'))
  router.get('/openapi-3.0.json', (req, res) => sendDocument(requireWorld(res), req, res, 'control', '3.0'))
  router.use((req, res, next) => {
    if (!isKey(req.headers['x-control-key'], key))
      throw new ApiError('unauthorized', 'the header x-control-key is missing or wrong')
    keepConnection(req.socket)
    requireWorld(res)
    next()
  })
  router.get('/notices', streamNotices)
  router.get('/triggers', (_req, res) => void res.json({ triggers }))
  router.post('/:method', async (req, res) => {
    const name = String(req.params.method)
    const world = worldOf(res)
    const { [MASKED_HEADER]: wanted } = req.headers
    const masked = wanted === undefined ? undefined : new MaskedAnswer(world, Number(wanted) || undefined)
    const text = new TextAnswer(res, masked)
    const reply = await world.call(
      name,
      await readJson(req, LARGE_INPUT.has(name) ? MAX_LARGE_INPUT_BYTES : MAX_BODY_BYTES),
      text.write,
    )
    if (reply.ok && reply.operation !== undefined && !res.headersSent) res.setHeader(OPERATION_HEADER, reply.operation)
    if (reply.ok && text.hasBegun) text.end(reply.value as object)
    else if (reply.ok && masked) await world.runSteps(printInSteps(reply.value as object, masked.write))
    else if (reply.ok) await sendInSteps(res, reply.value as object, world)
    else if (res.headersSent) res.destroy()
    else return void res.status(reply.error.status).json(reply.error)
    if (masked) await masked.send(res)
  })
  router.use(() => {
    throw new ApiError('routeNotFound', 'control methods are called by POST /control/<method>')
  })
  app.use('/control', router)
  app.use(answerErrors(options))
  return app
}

/** Writes an answer with a long `text` while it is created. */
class TextAnswer {
  readonly #res: Response
  readonly #masked: MaskedAnswer | undefined
  hasBegun = false

  constructor(res: Response, masked: MaskedAnswer | undefined) {
    this.#res = res
    this.#masked = masked
  }

  readonly write = (piece: string): Promise<void> | undefined => {
    if (this.#res.destroyed) throw new ApiError('invalidArgument', 'the client has disconnected')
    const text = JSON.stringify(piece).slice(1, -1)
    if (this.hasBegun) return this.#send(text)
    this.hasBegun = true
    if (!this.#masked) this.#res.status(200).type('json')
    return this.#send(`{"text":"${text}`)
  }

  #send(text: string): Promise<void> | undefined {
    if (this.#masked) this.#masked.write(text)
    else if (!this.#res.write(text)) return drained(this.#res)
    return undefined
  }

  /** The other fields follow the text. */
  end(value: object) {
    const { text: _, ...others } = value as Record<string, unknown>
    const rest = `",${JSON.stringify(others).slice(1)}`
    if (this.#masked) this.#masked.write(rest)
    else this.#res.end(rest)
  }
}

/** Of characters, masked in about a millisecond. */
const MASKED_PIECE = 1 << 16

/** An answer without keys and tokens, as the log is: masked piece by piece, and not beyond what the caller shows. */
class MaskedAnswer {
  readonly #world: ControlledWorld
  readonly #most: number
  readonly #pieces: string[] = []
  #length = 0

  constructor(world: ControlledWorld, most = Number.POSITIVE_INFINITY) {
    this.#world = world
    this.#most = most
  }

  /** What is masked may become shorter, so more is kept than is shown. */
  readonly write = (piece: string) => {
    if (this.#length < 4 * this.#most) this.#pieces.push(piece)
    this.#length += piece.length
  }

  async send(res: Response) {
    let text = ''
    let masked = 0
    await this.#world.runSteps(
      splitAtQuotes(this.#pieces, (part) => {
        if (text.length > this.#most) return
        text += this.#world.redaction.removeSecrets(part)
        masked += part.length
      }),
    )
    const isWhole = masked === this.#length && text.length <= this.#most
    if (!isWhole) res.setHeader(LENGTH_HEADER, Math.max(this.#length, text.length))
    res.type(isWhole ? 'json' : 'text').send(isWhole ? text : text.slice(0, this.#most).toWellFormed())
  }
}

/** A part per step. No key or token goes on behind a quote of JSON, as its own quotes are escaped. */
function* splitAtQuotes(pieces: readonly string[], use: (part: string) => void): Steps<void> {
  for (const piece of pieces)
    for (let from = 0, to = 0; from < piece.length; from = to) {
      to = from + MASKED_PIECE
      do to = piece.indexOf('"', to) + 1 || piece.length
      while (to < piece.length && piece[to - 2] === '\\')
      use(piece.slice(from, to))
      yield
    }
}

const MAX_WAIT_MS = 60_000

/** Until the client has read what was written, or has disconnected. One that does not read is disconnected after a while. */
function drained(res: Response): Promise<void> {
  return new Promise((resolve) => {
    const slow = setTimeout(() => res.destroy(), MAX_WAIT_MS)
    const finish = () => {
      clearTimeout(slow)
      res.off('drain', finish)
      res.off('close', finish)
      resolve()
    }
    res.on('drain', finish)
    res.on('close', finish)
  })
}

/** A short answer is sent at once, with its length. */
async function sendInSteps(res: Response, value: object, world: ControlledWorld) {
  let waiting = ''
  await world.runSteps(
    printInSteps(value, (piece) => {
      if (waiting !== '' && !res.destroyed) {
        if (!res.headersSent) res.status(200).type('json')
        res.write(waiting)
      }
      waiting = piece
    }),
  )
  if (res.destroyed) return
  if (res.headersSent) res.end(waiting)
  else res.type('json').send(waiting)
}

const HEARTBEAT_MS = 15_000
const MAX_UNREAD_BYTES = 8 << 20

/**
 * Sends notices as server-sent events until the client disconnects, the world is dropped or the sandbox closes: each by itself, so that a
 * program gets them all, or for a window in batches.
 */
const streamNotices: RequestHandler = (req, res) => {
  const batches = isInBatches(req) ? new NoticeBatches((notices) => writeBatch(res, notices)) : undefined
  const { subscribe, closing } = worldOf(res)
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive' })
  res.write(': listening\n\n')
  const write = (notice: Notice) => {
    // A client that does not read would fill the memory; it reconnects.
    if (res.writableLength > MAX_UNREAD_BYTES) res.destroy()
    else res.write(`data: ${print(notice)}\n\n`)
  }
  const unsubscribe = subscribe(batches?.add ?? write)
  const heartbeat = setInterval(() => void res.write(': still here\n\n'), HEARTBEAT_MS)
  const stop = () => {
    unsubscribe()
    batches?.stop()
    clearInterval(heartbeat)
  }
  const end = () => {
    stop()
    res.end()
  }
  closing.addEventListener('abort', end)
  res.on('close', () => {
    closing.removeEventListener('abort', end)
    stop()
  })
  req.socket.setNoDelay(true)
}

function isInBatches({ query }: Request): boolean {
  if (query.batches === undefined || query.batches === 'true') return query.batches === 'true'
  throw new ApiError('invalidArgument', `batches=${query.batches}: true was expected, or no such parameter`)
}

/** A client that does not read gets no further batch meanwhile. */
function writeBatch(res: Response, notices: readonly Notice[]): Promise<void> | undefined {
  const isTaken = res.write(`data: [${notices.map(print).join()}]\n\n`)
  return isTaken ? undefined : drained(res)
}

/** Printed once for all clients. */
const printed = new WeakMap<Notice, string>()

function print(notice: Notice): string {
  const text = printed.get(notice) ?? JSON.stringify(notice)
  printed.set(notice, text)
  return text
}

/** Compares in constant time. */
function isKey(header: string | string[] | undefined, key: string): boolean {
  if (typeof header !== 'string') return false
  const a = Buffer.from(header)
  const b = Buffer.from(key)
  return a.length === b.length && timingSafeEqual(a, b)
}

async function readJson(req: Request, maxBytes: number): Promise<unknown> {
  const { bytes, tooLarge } = await new BodyReader(req, maxBytes).whole
  if (tooLarge) throw new ApiError('bodyTooLarge', `more than ${maxBytes} bytes`)
  // Each of these calls takes long for a bundle of many MB.
  const isLarge = bytes.length > MAX_BODY_BYTES
  if (isLarge) await pause()
  const text = bytes.toString('utf8').trim()
  if (text === '') return {}
  if (isLarge) await pause()
  else refuseExcess(text)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new ApiError('invalidArgument', 'the body is not well-formed JSON')
  }
}

/** Not of a longer text, which has a whole file in one field: counting its keys would take longer than parsing it. */
function refuseExcess(text: string) {
  const excess = findExcess(text, { keys: MAX_KEYS, levels: MAX_DEPTH })
  if (excess === 'keys') throw new ApiError('invalidArgument', `the input has more than ${MAX_KEYS} keys`)
  if (excess === 'levels') throw new ApiError('invalidArgument', `the input has more than ${MAX_DEPTH} levels`)
}

// ── The window ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The window needs its own files only. `style-src` allows the style attributes that virtual lists set. */
const WINDOW_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** Both hosts send them with each file of the window. */
export const WINDOW_HEADERS = {
  'content-security-policy': WINDOW_POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
}

/** The page and the files in assets/: such a path cannot leave the folder on any system. */
const FILE_PATH = /^\/(index(\.html)|assets\/[\w-][\w.-]*(\.\w+))$/

/** A file of the built window. It is read as a whole: opening one in Electron's archive copies it to a temporary file, which stays. */
export async function readWindowFile(folder: string, pathname: string) {
  const [, path, pageEnding, assetEnding] = FILE_PATH.exec(pathname) ?? []
  const type = TYPES[pageEnding ?? assetEnding ?? '']
  if (!path || !type) return undefined
  const content = await readFile(join(folder, path)).catch(() => undefined)
  return content && { content, type }
}

const sendWindowFile =
  (folder: string): RequestHandler =>
  async ({ path }, res, next) => {
    const file = await readWindowFile(folder, path === '/' ? '/index.html' : path)
    if (!file) return next()
    res.set({ 'content-type': file.type, 'cache-control': 'public, max-age=0' }).send(file.content)
  }

function createWindowApp(options: ServerOptions, folder: string): Express {
  const app = createApp()
  app.use(checkCaller(options), (_req, res, next) => {
    res.set(WINDOW_HEADERS)
    const { given } = res.locals as WindowLocals
    // The window's files are addressed relative to the window, whose address ends in a slash.
    if (lacksSlash(given)) redirect(res, given)
    else next()
  })
  app.get('/open/:code', ({ params }, res) => {
    const { status, html } = options.openings.answer(params.code)
    res.set('cache-control', 'no-store').status(status).type('html').send(html)
  })
  app.use(sendWindowFile(folder))
  // A missing file gets the API's 404.
  app.use(options.api)
  app.use(answerErrors(options))
  return app
}

// ── Both ─────────────────────────────────────────────────────────────────────────────────────────────────────────

function createApp(): Express {
  const app = express()
  app.disable('x-powered-by')
  return app
}

const checkCaller =
  ({ allowlist }: ServerOptions): RequestHandler =>
  (req, _res, next) => {
    allowlist.checkOperator(req.socket.remoteAddress)
    allowlist.checkHost(req.headers.host)
    allowlist.checkOrigin(req.headers.origin, req.headers.host)
    next()
  }

const answerErrors =
  ({ root }: ServerOptions): ErrorRequestHandler =>
  (error, req, res, _next) => {
    const refusal = toApiError(error)
    const world = (res.locals as { readonly world?: ControlledWorld }).world ?? root
    if (refusal.key === 'internal') world.reportInternalError(refusal)
    if (res.headersSent) return void res.destroy()
    const body = errorBody(refusal, world.now())
    const trace = traceIdOf(req)
    if (trace !== undefined) res.setHeader('x-trace-id', trace)
    res.status(body.status).json(body)
  }
