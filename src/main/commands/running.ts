import type { Readable } from 'node:stream'
import { OPERATION_HEADER } from '../../api/contract/control/client.ts'
import type { MethodName, MethodOutput } from '../../api/contract/control/methods.ts'
import type { Notice } from '../../api/contract/control/notices.ts'
import type { ErrorBody } from '../../api/contract/error-body.ts'
import { hasEnded, isElsewhere, isStopped } from '../../api/system/processes.ts'
import { type Answer, type Outgoing, open, send } from '../library/http.ts'
import { type FoundFile, type RuntimeFile, readRuntimeFiles, removeRuntimeFile } from '../runtime-files.ts'
import { CommandError, type Input, NoAnswer, type Terminal } from './command.ts'
import { refuse } from './option-values.ts'

/** The running sandbox that a command works with: of --url, or the newest of the runtime files. */

export interface RunningSandbox {
  /** Of the chosen world. */
  readonly api: string
  readonly control: string
  /** null for the desktop app. */
  readonly gui: string | null
  readonly control_key: string | undefined
  /** undefined for a sandbox without a runtime file here. */
  readonly file: FoundFile | undefined
}

export async function findSandbox(input: Input, terminal: Terminal): Promise<RunningSandbox> {
  const { url, world } = input.values as { readonly url?: string; readonly world?: string }
  const { env, printError } = terminal
  const located = await locateSandboxes(terminal, url)
  const running = located.filter(({ state }) => state === 'running').map(({ file }) => file)
  const silent = located.filter(({ state }) => state === 'silent').map(({ file }) => file)
  if (url !== undefined) {
    if (silent[0]) throw new NoAnswer(explainSilence(silent[0]))
    return withWorld(sandboxAt(url, env, running[0]), world)
  }
  const [newest, ...others] = running
  if (!newest) throw new NoAnswer(silent.length > 0 ? silent.map(explainSilence).join('\n') : NOT_RUNNING)
  for (const file of silent) printError(explainSilence(file))
  if (others.length > 0)
    printError(
      `${running.length} sandboxes are running; this is the newest, at ${originOf(newest)}. Others: ${others.map(originOf).join(', ')} (--url chooses)`,
    )
  return withWorld(ofFile(newest), world)
}

/** Without a question whether it answers: for a call that may fail, and changes nothing. */
export function newestSandbox({ env }: Terminal): RunningSandbox | undefined {
  const file = readRuntimeFiles(env).find((one) => !hasEnded(one) && !isElsewhere(one) && !isStopped(one))
  return file && ofFile(file)
}

export const NOT_RUNNING =
  'No sandbox is running: start one with sandbank serve or the desktop app, or pass --url (and its key in SANDBANK_CONTROL_KEY)'

/**
 * `silent`: its process runs, but does not answer. `elsewhere`: on another machine or in another container, and it does not answer at
 * its address here.
 */
type State = 'running' | 'silent' | 'elsewhere' | 'ended'

export interface Located {
  readonly file: FoundFile
  readonly state: State
}

/** The sandboxes of the runtime files, newest first; with a URL those at that address. Removes the files of those that have ended. */
export async function locateSandboxes(
  { env, printError }: Pick<Terminal, 'env' | 'printError'>,
  url?: string,
  withinMs?: number,
): Promise<Located[]> {
  const origin = url === undefined ? undefined : new URL(parseUrl(url)).origin
  const files = readRuntimeFiles(env, printError).filter((file) => origin === undefined || originOf(file) === origin)
  const located = await Promise.all(files.map(async (file) => ({ file, state: await stateOf(file, withinMs) })))
  for (const { file, state } of located) if (state === 'ended') removeRuntimeFile(file.path)
  return located
}

/** How long a busy sandbox may take to say that it is there. */
const ANSWER_WITHIN_MS = 5_000
const MOST_BYTES = 4_096

async function stateOf(file: FoundFile, withinMs = ANSWER_WITHIN_MS): Promise<State> {
  if (hasEnded(file)) return 'ended'
  const isHere = !isElsewhere(file)
  if (isHere && isStopped(file)) return 'silent'
  const answer = await identify(file, Math.min(withinMs, ANSWER_WITHIN_MS))
  if (answer === 'same') return 'running'
  if (!isHere) return 'elsewhere'
  // It closes, it has too many connections, or its network is another one.
  if (file.process_start !== null) return 'silent'
  return answer === 'none' ? 'silent' : 'ended'
}

/**
 * Whether the sandbox of the file answers at its address: with its nonce. Nothing listens there after it has ended, or something else
 * that has the port now.
 */
export async function identify(
  { control, control_key, nonce }: Pick<RuntimeFile, 'control' | 'control_key' | 'nonce'>,
  withinMs: number,
): Promise<'same' | 'other' | 'refused' | 'none'> {
  try {
    const { text } = await send(`${control}/sandbox.identify`, {
      method: 'POST',
      headers: { 'x-control-key': control_key },
      withinMs,
      mostBytes: MOST_BYTES,
    })
    return (parseAnswer(text) as { nonce?: unknown } | null)?.nonce === nonce ? 'same' : 'other'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ECONNREFUSED' ? 'refused' : 'none'
  }
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export const explainSilence = (file: FoundFile): string =>
  `The sandbox at ${originOf(file)}, process ${file.pid}, does not answer: ${isStopped(file) ? `it is stopped; kill -CONT ${file.pid} lets it go on` : `wait, or end that process`}`

export const explainElsewhere = (file: FoundFile): string =>
  `The sandbox at ${originOf(file)}, process ${file.pid}, runs on ${file.host}, on another machine or in another container, and does not answer at that address here`

export const originOf = ({ api }: { api: string }) => new URL(api).origin

const ofFile = (file: FoundFile): RunningSandbox => {
  const { api, control, gui, control_key } = file
  return { api, control, gui, control_key, file }
}

/** `http://127.0.0.1:4010`, also with the path of a world or of its API. `file`: of the sandbox that answers there. */
export function sandboxAt(url: string, env: NodeJS.ProcessEnv, file?: FoundFile): RunningSandbox {
  const base = parseUrl(url)
  const control_key = env.SANDBANK_CONTROL_KEY || file?.control_key
  const gui = `${base}/${control_key === undefined ? '' : `#key=${control_key}`}`
  return { api: `${base}/api/v1`, control: `${base}/control`, gui: file?.gui === null ? null : gui, control_key, file }
}

export function parseUrl(url: string): string {
  try {
    const { protocol, origin, pathname } = new URL(url)
    const [, world = ''] = /^(\/worlds\/[^/]+)?\/?(?:api\/v1\/?|control\/?)?$/.exec(pathname) ?? []
    if (protocol === 'http:' || protocol === 'https:') return origin + world
  } catch {}
  return refuse('--url: the URL of a sandbox, such as http://127.0.0.1:4010, is', url)
}

function withWorld(sandbox: RunningSandbox, world: string | undefined): RunningSandbox {
  if (world === undefined) return sandbox
  const move = (address: string) => {
    const { origin, pathname, hash } = new URL(address)
    return `${origin}/worlds/${encodeURIComponent(world)}${pathname.replace(/^\/worlds\/[^/]+/, '')}${hash}`
  }
  const { api, control, gui } = sandbox
  return { ...sandbox, api: move(api), control: move(control), gui: gui && move(gui) }
}

/** Longer than any latency that can be injected. */
const TIMEOUT_MS = 120_000

/** Calls a control method; a refusal is thrown. */
export async function callControl<N extends MethodName>(
  sandbox: RunningSandbox,
  method: N,
  input: object = {},
  withinMs?: number,
): Promise<MethodOutput<N>> {
  return JSON.parse(await askControl(sandbox, method, JSON.stringify(input), withinMs)) as MethodOutput<N>
}

/** Calls a method with a text, or reads a document of the control API. */
export async function askControl(
  sandbox: RunningSandbox,
  path: string,
  body?: string,
  withinMs?: number,
): Promise<string> {
  return (await exchangeControl(sandbox, path, body, withinMs)).text
}

/** The same, with the operation that it was, if it has changed the world. */
export async function exchangeControl(sandbox: RunningSandbox, path: string, body?: string, withinMs?: number) {
  const { text, headers } = await sendControl(sandbox, path, body, { withinMs })
  return { text, operation: Number(headers[OPERATION_HEADER]) || undefined }
}

/** With the headers of the answer. */
export async function sendControl(
  sandbox: RunningSandbox,
  path: string,
  body: string | undefined,
  outgoing: Partial<Outgoing> = {},
): Promise<Answer> {
  const method = body === undefined ? 'GET' : 'POST'
  const headers = { ...outgoing.headers, ...controlHeaders(sandbox), 'content-type': 'application/json' }
  const answer = await request(`${sandbox.control}/${path}`, { ...outgoing, method, headers, body })
  if (answer.status === 200) return answer
  throw new CommandError(`${path} is refused: ${reasonOf(answer.text)}`, answer.status)
}

/** A request whose failure says what to do. */
export const request = (url: string, outgoing: Outgoing): Promise<Answer> =>
  reach(url, () => send(url, { timeoutMs: TIMEOUT_MS, ...outgoing }))

/** The notices of the sandbox as a stream, which ends with the sandbox. */
export async function openNotices(sandbox: RunningSandbox): Promise<Readable> {
  const url = `${sandbox.control}/notices`
  const outgoing = { method: 'GET', headers: controlHeaders(sandbox), timeoutMs: 60_000 }
  const stream = await reach(url, () => open(url, outgoing))
  stream.on('error', () => {})
  return stream
}

export async function* readNotices(stream: Readable): AsyncGenerator<Notice> {
  const { createInterface } = await import('node:readline')
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }))
      if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as Notice
  } catch {
    // The stream ends with an error, also in the middle of a line, if the process of the sandbox is killed.
  }
}

function controlHeaders({ control_key }: RunningSandbox): Readonly<Record<string, string>> {
  if (control_key !== undefined) return { 'x-control-key': control_key }
  throw new CommandError('The control key is missing: set SANDBANK_CONTROL_KEY to the key of that sandbox')
}

async function reach<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const { origin } = new URL(address)
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
      throw new NoAnswer(`Nothing answers at ${origin}: start that sandbox, or leave --url out`)
    throw new NoAnswer(`${origin} did not answer (${code ?? message})`)
  }
}

/** The detail of an error is the general sentence of its code; the extra says what is wrong here. */
export function reasonOf(text: string): string {
  const { errors: [first] = [] } = (parseAnswer(text) ?? {}) as Partial<ErrorBody>
  return first?.extra ?? first?.detail ?? text
}
