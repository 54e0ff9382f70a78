import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import type { Notice } from '../../api/contract/control/notices.ts'
import type { Webhook } from '../../api/contract/resources/webhooks.ts'
import { type VerifiedWebhook, verifyWebhook } from '../library/webhooks.ts'
import { findProgram } from './call.ts'
import { OptionError, type Run, type Terminal } from './command.ts'
import { forward } from './forward.ts'
import { send } from './http.ts'
import { paintStatus } from './paint.ts'
import { watchParent } from './parent.ts'
import { callControl, findSandbox, openNotices, type RunningSandbox, readNotices } from './running.ts'
import { nameOfEvent, toWebhookSettings } from './webhooks.ts'

/**
 * `sandbank listen`: a receiver of its own for the webhooks of the running sandbox, which prints each event, and can pass it on to the
 * receiver of an app.
 */
export const listen: Run = async (input, terminal) => {
  const { values } = input
  const target = values['forward-to'] === undefined ? undefined : parseTarget(String(values['forward-to']))
  const { hmac_key: key = randomBytes(16).toString('hex'), ...settings } = toWebhookSettings(values)
  const sandbox = await findSandbox(input, terminal)
  requireThisMachine(sandbox)
  const { uid: program_uid } = await findProgram(sandbox, values.program as string | undefined)
  const receiver = new Receiver(terminal, { target, key, json: values.json === true })
  const notices = await openNotices(sandbox)
  const url = await receiver.start()
  const subscription = new Subscription(sandbox, { ...settings, program_uid, url, hmac_key: key, confirm: false })
  let finish: (code: 0 | 1) => void = () => {}
  const stopped = new Promise<0 | 1>((resolve) => (finish = resolve))
  const stop = async () => {
    const problem = await subscription.delete()
    if (problem !== undefined) terminal.printError(`The webhook could not be deleted: ${problem}`)
    const code = problem === undefined ? 0 : 1
    finish(code)
    return code
  }
  const onReaderGone = () => void stop()
  // The reader of the events, such as head, has enough of them.
  process.stdout.once('error', onReaderGone)
  terminal.host.onEnd(stop)
  if (terminal.host.endsWithParent) watchParent().onEnd(() => terminal.host.end())
  try {
    await subscription.create()
    terminal.printError(describe(url, target, values.key === undefined ? key : undefined))
    return await Promise.race([stopped, followSandbox(notices, subscription, terminal)])
  } finally {
    process.stdout.off('error', onReaderGone)
    notices.destroy()
    receiver.stop()
  }
}

function parseTarget(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '') return text.replace(/\/$/, '')
  throw new OptionError(
    `--forward-to: an address such as http://127.0.0.1:8080/hooks is expected, without ? and #; found ${text}`,
  )
}

/** The receiver listens on the loopback interface, which a sandbox elsewhere cannot reach. */
function requireThisMachine({ control }: RunningSandbox) {
  const { hostname, origin } = new URL(control)
  if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return
  throw new OptionError(`listen works with a sandbox on this machine; found ${origin}`)
}

const describe = (url: string, target: string | undefined, key: string | undefined) =>
  [
    `Listening at ${url}${target === undefined ? '' : `, forwarding to ${target}`}`,
    key === undefined ? undefined : `key ${key}`,
    'Ctrl-C ends',
  ]
    .filter(Boolean)
    .join('; ')

// ── The receiver ───────────────────────────────────────────────────────────────────────────────────────────────────

/** The path of its address; the last part is different each time, so that one can be told from another. */
const PATH = '/sandbank-listen/'
/** Far more than any event has. */
const MAX_BODY_BYTES = 1_000_000

interface ReceiverOptions {
  readonly target: string | undefined
  readonly key: string
  readonly json: boolean
}

class Receiver {
  readonly #path = `${PATH}${randomBytes(12).toString('hex')}`
  readonly #server = createServer((request, response) => void this.#handle(request, response))
  readonly #terminal: Terminal
  readonly #options: ReceiverOptions

  constructor(terminal: Terminal, options: ReceiverOptions) {
    this.#terminal = terminal
    this.#options = options
  }

  /** Returns the address for the webhook. */
  async start(): Promise<string> {
    await new Promise<void>((resolve, reject) =>
      this.#server.once('error', reject).listen(0, '127.0.0.1', () => resolve()),
    )
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}${this.#path}`
  }

  stop() {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  async #handle(request: IncomingMessage, response: ServerResponse) {
    const { method, url = '' } = request
    // Another sandbank listen asks whether this one still runs.
    if (method === 'GET' && url === this.#path) return void response.writeHead(204).end()
    const topic = url.startsWith(`${this.#path}/`) ? url.slice(this.#path.length + 1) : ''
    if (method !== 'POST' || !/^[a-z_]+$/.test(topic)) return void response.writeHead(404).end()
    try {
      const body = await readBody(request)
      if (body === undefined) response.writeHead(413, { connection: 'close' }).end()
      else await this.#receive(topic, { body, headers: request.headers }, response)
    } catch {
      // The sandbox has closed the connection.
      response.destroy()
    }
  }

  async #receive(topic: string, received: Received, response: ServerResponse) {
    const { target, key } = this.#options
    const event = this.#verify(received, key)
    if (typeof event === 'string') {
      this.#terminal.printError(`Refused a request to /${topic}: ${event}`)
      return void response.writeHead(401, { 'content-type': 'text/plain' }).end(event)
    }
    if (target === undefined) {
      this.#print(topic, event, received)
      return void response.writeHead(204).end()
    }
    const url = `${target}/${topic}`
    const answer = await forward(url, received)
    const { ms } = answer
    if (answer.status === null) {
      const reason = `${url} did not answer: ${answer.error}`
      this.#print(topic, event, received, { status: BAD_GATEWAY, ms, reason })
      return void response.writeHead(BAD_GATEWAY, { 'content-type': 'text/plain' }).end(reason)
    }
    const { status, type, body } = answer
    this.#print(topic, event, received, { status, ms })
    response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body)
  }

  /** Returns the reason if the request is not to be trusted. */
  #verify({ body, headers }: Received, key: string): VerifiedWebhook | string {
    try {
      return verifyWebhook({ body, headers, key })
    } catch (error) {
      return (error as Error).message
    }
  }

  #print(topic: string, event: VerifiedWebhook, { body }: Received, forwarded?: Forwarded) {
    const { print, printError, paint, paintError } = this.#terminal
    const { target, json } = this.#options
    if (!json) return print([...describeEvent(topic, event, paint), ...describeForwarded(forwarded, paint)].join('  '))
    print(body.toString('utf8'))
    if (forwarded) printError([`${target}/${topic}`, ...describeForwarded(forwarded, paintError)].join('  '))
  }
}

interface Received {
  readonly body: Buffer
  readonly headers: IncomingMessage['headers']
}

interface Forwarded {
  readonly status: number
  readonly ms: number
  /** Why there was no answer. */
  readonly reason?: string
}

const BAD_GATEWAY = 502

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request) {
    length += (part as Buffer).length
    if (length > MAX_BODY_BYTES) return undefined
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts)
}

/** The field of the details that names the record, by topic. */
const RECORD_FIELDS: Readonly<Record<string, string>> = {
  transfers: 'transfer_uid',
  transactions: 'transaction_uid',
  synthetic_accounts: 'synthetic_account_uid',
  virtual_reference_number: 'virtual_reference_number_uid',
  customers: 'customer_uid',
}

/** The real time, as the body has no other. */
function describeEvent(topic: string, { event_type, event_id, details }: VerifiedWebhook, paint: Terminal['paint']) {
  const record = details[RECORD_FIELDS[topic] ?? '']
  return [
    paint('dim', new Date().toISOString()),
    paint('bold', nameOfEvent(topic, event_type)),
    typeof record === 'string' ? record : 'no record',
    event_id ?? 'no event_id',
  ]
}

function describeForwarded(forwarded: Forwarded | undefined, paint: Terminal['paint']): string[] {
  if (!forwarded) return []
  const { status, ms, reason } = forwarded
  return [paintStatus(paint, status), paint('dim', `${ms.toFixed(0)} ms`), ...(reason === undefined ? [] : [reason])]
}

function reasonOf(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly Error[] }
  const text = message || errors?.[0]?.message || 'the request failed'
  return code && !text.includes(code) ? `${code}: ${text}` : text
}

// ── The subscription ───────────────────────────────────────────────────────────────────────────────────────────────

/** How long the sandbox may take to delete the webhook at the end. */
const END_MS = 2_000
const PROBE_MS = 1_000

interface Wanted {
  readonly program_uid: string
  readonly url: string
  readonly [setting: string]: unknown
}

/** The webhook of one `listen`. */
class Subscription {
  readonly #sandbox: RunningSandbox
  readonly #wanted: Wanted
  #uid: string | undefined
  /** What is done with the webhook, one after the other. */
  #work: Promise<unknown> = Promise.resolve()
  #hasEnded = false
  constructor(sandbox: RunningSandbox, wanted: Wanted) {
    this.#sandbox = sandbox
    this.#wanted = wanted
  }

  create(): Promise<void> {
    return this.#next(async () => {
      if (!this.#hasEnded) await this.#create(await this.#list())
    })
  }

  /** After a rewind, a restore or a reset, which can remove it. Returns false if it is there. */
  createIfMissing(): Promise<boolean> {
    return this.#next(async () => {
      const found = await this.#list()
      if (!this.#isMissingIn(found)) return false
      await this.#create(found)
      return true
    })
  }

  isMissing(): Promise<boolean> {
    return this.#next(async () => this.#isMissingIn(await this.#list()))
  }

  /** Returns the reason if it cannot be deleted. */
  delete(): Promise<string | undefined> {
    this.#hasEnded = true
    return this.#next(() => this.#delete())
  }

  get hasEnded() {
    return this.#hasEnded
  }

  async #create(others: readonly Webhook[]) {
    await this.#deleteAbandoned(others)
    this.#uid = (await callControl<Webhook>(this.#sandbox, 'webhooks.create', this.#wanted)).uid
  }

  async #delete(): Promise<string | undefined> {
    if (this.#uid === undefined) return undefined
    const { control, control_key = '' } = this.#sandbox
    try {
      const { status } = await send(`${control}/webhooks.delete`, {
        method: 'POST',
        headers: { 'x-control-key': control_key, 'content-type': 'application/json' },
        body: JSON.stringify({ uid: this.#uid }),
        withinMs: END_MS,
      })
      // A rewind may have removed it.
      return status === 200 || status === 404 ? undefined : `the sandbox answered ${status}`
    } catch (error) {
      return reasonOf(error)
    }
  }

  #isMissingIn(found: readonly Webhook[]) {
    return !this.#hasEnded && this.#uid !== undefined && !found.some(({ uid }) => uid === this.#uid)
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work)
    this.#work = done.catch(() => {})
    return done
  }

  async #list(): Promise<readonly Webhook[]> {
    const { program_uid } = this.#wanted
    return (await callControl<{ webhooks: Webhook[] }>(this.#sandbox, 'webhooks.list', { program_uid })).webhooks
  }

  /** A `listen` that was killed has left its webhook behind. */
  async #deleteAbandoned(webhooks: readonly Webhook[]) {
    for (const { uid, url } of webhooks)
      if (url !== null && url !== this.#wanted.url && (await isAbandoned(url)))
        // Another listen may have deleted it at the same time.
        await callControl(this.#sandbox, 'webhooks.delete', { uid }).catch(() => {})
  }
}

/** Whether an address is that of a `listen` that has ended. One that does not answer in time may be busy. */
async function isAbandoned(url: string): Promise<boolean> {
  const { hostname, pathname } = new URL(url)
  if (hostname !== '127.0.0.1' || !pathname.startsWith(PATH)) return false
  try {
    return (await send(url, { method: 'GET', withinMs: PROBE_MS })).status !== 204
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
  }
}

/** Resolves with the exit code when the sandbox has ended, or another command has deleted the webhook. */
async function followSandbox(notices: Readable, subscription: Subscription, { printError }: Terminal): Promise<1> {
  for await (const notice of readNotices(notices)) {
    if (notice.type === 'world' && (await subscription.createIfMissing()))
      printError('The world was replaced by one without this webhook; it was created again')
    if (isDeletion(notice) && (await subscription.isMissing())) {
      printError('The webhook was deleted by another command')
      return 1
    }
  }
  if (!subscription.hasEnded) printError('The sandbox has ended')
  // A sandbox that is closing may still do it.
  await subscription.delete()
  return 1
}

const isDeletion = (notice: Notice) => notice.type === 'commit' && notice.cause.name === 'webhooks.delete'
