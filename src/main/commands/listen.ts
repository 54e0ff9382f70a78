import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import type { Notice } from '../../api/contract/control/notices.ts'
import type { Webhook } from '../../api/contract/resources/webhooks.ts'
import { send } from '../library/http.ts'
import { type VerifiedWebhook, verifyWebhook } from '../library/webhooks.ts'
import { toParameters } from './actions.ts'
import { findProgram } from './call.ts'
import { CommandError, OptionError, type Run, type Terminal } from './command.ts'
import { forward } from './forward.ts'
import { paintStatus } from './paint.ts'
import { watchParent } from './parent.ts'
import { callControl, findSandbox, openNotices, type RunningSandbox, readNotices } from './running.ts'
import { commands } from './table.ts'
import { nameOfEvent } from './webhooks.ts'

/**
 * `sandbank listen`: a receiver of its own for the webhooks of the running sandbox, which prints each event, and can pass it on to the
 * receiver of an app.
 */
export const listen: Run = async (input, terminal) => {
  const { key: given, program, ...values } = input.values as { key?: string; program?: string; 'forward-to'?: string }
  const target = values['forward-to']
  const key = given ?? randomBytes(16).toString('hex')
  const sandbox = await findSandbox(input, terminal)
  requireThisMachine(sandbox)
  const { uid: program_uid } = await findProgram(sandbox, program)
  const notices = await openNotices(sandbox)
  const receiver = await startReceiver({ target, key, json: input.values.json === true }, terminal)
  const { url } = receiver
  const settings = { ...toParameters(commands.listen, input), hmac_key: key, confirm: false }
  const subscription = createSubscription(sandbox, { ...settings, program_uid, url })
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
    terminal.printError(describe(url, target, given === undefined ? key : undefined))
    return await Promise.race([stopped, followSandbox(notices, subscription, terminal)])
  } finally {
    process.stdout.off('error', onReaderGone)
    notices.destroy()
    receiver.stop()
  }
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
    ...(key === undefined ? [] : [`key ${key}`]),
    'Ctrl-C ends',
  ].join('; ')

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

/** `url`: the address for the webhook. */
async function startReceiver(options: ReceiverOptions, terminal: Terminal) {
  const path = `${PATH}${randomBytes(12).toString('hex')}`
  const server = createServer(async (request, response) => {
    const { method, url = '' } = request
    // Another sandbank listen asks whether this one still runs.
    if (method === 'GET' && url === path) return void response.writeHead(204).end()
    const topic = url.startsWith(`${path}/`) ? url.slice(path.length + 1) : ''
    if (method !== 'POST' || !/^[a-z_]+$/.test(topic)) return void response.writeHead(404).end()
    try {
      const body = await readBody(request)
      if (body === undefined) response.writeHead(413, { connection: 'close' }).end()
      else await receive(topic, { body, headers: request.headers }, response, options, terminal)
    } catch {
      // The sandbox has closed the connection.
      response.destroy()
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function receive(
  topic: string,
  received: Received,
  response: ServerResponse,
  { target, key, json }: ReceiverOptions,
  { print, printError, paint, paintError }: Terminal,
) {
  const event = verify(received, key)
  if (typeof event === 'string') {
    printError(`Refused a request to /${topic}: ${event}`)
    return response.writeHead(401, { 'content-type': 'text/plain' }).end(event)
  }
  const url = `${target}/${topic}`
  const answer = target === undefined ? undefined : await forward(url, received)
  const reason = answer?.status === null ? `${url} did not answer: ${answer.error}` : undefined
  const describeAnswer = (paint: Terminal['paint']) =>
    answer
      ? [paintStatus(paint, answer.status ?? BAD_GATEWAY), paint('dim', `${answer.ms} ms`), ...(reason ? [reason] : [])]
      : []
  if (!json) print([...describeEvent(topic, event, paint), ...describeAnswer(paint)].join('  '))
  else {
    print(received.body.toString('utf8'))
    if (answer) printError([url, ...describeAnswer(paintError)].join('  '))
  }
  if (!answer) return response.writeHead(204).end()
  if (answer.status === null) return response.writeHead(BAD_GATEWAY, { 'content-type': 'text/plain' }).end(reason)
  const { status, type, body } = answer
  return response.writeHead(status, type === undefined ? {} : { 'content-type': type }).end(body)
}

/** Returns the reason if the request is not to be trusted. */
function verify({ body, headers }: Received, key: string): VerifiedWebhook | string {
  try {
    return verifyWebhook({ body, headers, key })
  } catch (error) {
    return (error as Error).message
  }
}

interface Received {
  readonly body: Buffer
  readonly headers: IncomingMessage['headers']
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

// ── The subscription ───────────────────────────────────────────────────────────────────────────────────────────────

/** How long the sandbox may take to delete the webhook at the end. */
const END_MS = 2_000
const PROBE_MS = 1_000

interface Wanted {
  readonly program_uid: string
  readonly url: string
  readonly [setting: string]: unknown
}

type Subscription = ReturnType<typeof createSubscription>

/** The webhook of one `listen`. */
function createSubscription(sandbox: RunningSandbox, wanted: Wanted) {
  const { program_uid } = wanted
  let uid: string | undefined
  let hasEnded = false
  /** What is done with the webhook, one after the other. */
  let work: Promise<unknown> = Promise.resolve()
  function next<T>(step: () => Promise<T>): Promise<T> {
    const done = work.then(step)
    work = done.catch(() => {})
    return done
  }
  const list = async () => (await callControl(sandbox, 'webhooks.list', { program_uid })).webhooks
  const isMissingIn = (found: readonly Webhook[]) =>
    !hasEnded && uid !== undefined && !found.some((webhook) => webhook.uid === uid)

  async function create(others: readonly Webhook[]) {
    // A `listen` that was killed has left its webhook behind. Another one may delete it at the same time.
    for (const { uid, url } of others)
      if (url !== null && url !== wanted.url && (await isAbandoned(url)))
        await callControl(sandbox, 'webhooks.delete', { uid }).catch(() => {})
    uid = (await callControl(sandbox, 'webhooks.create', wanted)).uid
  }

  async function remove(): Promise<string | undefined> {
    if (uid === undefined) return undefined
    try {
      await callControl(sandbox, 'webhooks.delete', { uid }, END_MS)
    } catch (error) {
      // A rewind may have removed it.
      if (!(error instanceof CommandError && error.status === 404)) return (error as Error).message
    }
    return undefined
  }

  return {
    hasEnded: () => hasEnded,
    create: () =>
      next(async () => {
        if (!hasEnded) await create(await list())
      }),
    /** After a rewind, a restore or a reset, which can remove it. Returns false if it is there. */
    createIfMissing: () =>
      next(async () => {
        const found = await list()
        const isMissing = isMissingIn(found)
        if (isMissing) await create(found)
        return isMissing
      }),
    isMissing: () => next(async () => isMissingIn(await list())),
    /** Returns the reason if it cannot be deleted. */
    delete() {
      hasEnded = true
      return next(remove)
    },
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
  if (!subscription.hasEnded()) printError('The sandbox has ended')
  // A sandbox that is closing may still do it.
  await subscription.delete()
  return 1
}

const isDeletion = (notice: Notice) => notice.type === 'commit' && notice.cause.name === 'webhooks.delete'
