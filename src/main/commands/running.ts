import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import type { Notice } from '../../api/contract/control/notices.ts'
import { type FoundFile, isOfEndedProcess, readRuntimeFiles, removeRuntimeFile } from '../runtime-files.ts'
import { CommandError, type Input, OptionError, type Terminal } from './command.ts'
import { open, send } from './http.ts'

/** The running sandbox that a command works with: of --url, or the newest of the runtime files. */

export interface RunningSandbox {
  /** Of the chosen world. */
  readonly api: string
  readonly control: string
  readonly gui: string | null
  readonly control_key: string | undefined
  /** undefined for a sandbox without a runtime file here. */
  readonly file: FoundFile | undefined
}

export async function findSandbox(input: Input, terminal: Terminal): Promise<RunningSandbox> {
  const { url, world } = input.values as { url?: string; world?: string }
  const { env, printError } = terminal
  if (url !== undefined) return withWorld(await sandboxAt(url, env), world)
  const running = await findRunning(env)
  const [newest, ...others] = running
  if (!newest) throw new CommandError(NOT_RUNNING)
  if (others.length > 0)
    printError(
      `${running.length} sandboxes are running; this is the newest, at ${originOf(newest)}. Others: ${others.map(originOf).join(', ')} (--url chooses)`,
    )
  return withWorld(ofFile(newest), world)
}

export const NOT_RUNNING =
  'No sandbox is running: start one with sandbank serve or the desktop app, or pass --url (and its key in SANDBANK_CONTROL_KEY)'

/** The files of sandboxes that answer, newest first. Removes stale ones. */
export async function findRunning(env: NodeJS.ProcessEnv): Promise<FoundFile[]> {
  const files = readRuntimeFiles(env)
  const states = await Promise.all(files.map(stateOf))
  files.forEach((file, at) => {
    if (states[at] === 'ended') removeRuntimeFile(file.path)
  })
  return files.filter((_, at) => states[at] === 'running')
}

/** How long a busy sandbox may take to say that it is there. */
const TIMEOUT_MS = 5_000

/**
 * A file is stale if nothing listens at its address, or something that refuses its key: another sandbox has the port now. A
 * sandbox that does not answer in time, while its process runs, is neither running nor ended.
 */
export async function stateOf(file: FoundFile): Promise<'running' | 'ended' | 'silent'> {
  try {
    const headers = { 'x-control-key': file.control_key }
    const { status } = await send(`${file.control}/clock.read`, { method: 'POST', headers, timeoutMs: TIMEOUT_MS })
    return status === 200 ? 'running' : 'ended'
  } catch (error) {
    const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
    return isRefused || isOfEndedProcess(file) ? 'ended' : 'silent'
  }
}

export const originOf = ({ api }: { api: string }) => new URL(api).origin

const ofFile = (file: FoundFile): RunningSandbox => {
  const { api, control, gui, control_key } = file
  return { api, control, gui, control_key, file }
}

/** `http://127.0.0.1:4010`, also with the path of a world or of its API. */
async function sandboxAt(url: string, env: NodeJS.ProcessEnv): Promise<RunningSandbox> {
  const base = parseUrl(url)
  const file = readRuntimeFiles(env).find((one) => originOf(one) === new URL(base).origin)
  const control_key = env.SANDBANK_CONTROL_KEY || file?.control_key
  const gui = `${base}/${control_key === undefined ? '' : `#key=${control_key}`}`
  return { api: `${base}/api/v1`, control: `${base}/control`, gui: file?.gui === null ? null : gui, control_key, file }
}

function parseUrl(url: string): string {
  try {
    const { protocol, origin, pathname } = new URL(url)
    const [, world = ''] = /^(\/worlds\/[^/]+)?\/?(?:api\/v1\/?|control\/?)?$/.exec(pathname) ?? []
    if (protocol === 'http:' || protocol === 'https:') return origin + world
  } catch {}
  throw new OptionError(`--url: the URL of a sandbox is expected, such as http://127.0.0.1:4010; found ${url}`)
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

interface ErrorBody {
  readonly errors?: readonly { readonly detail?: string; readonly extra?: string }[]
}

/** Calls a control method; a refusal is thrown. */
export async function callControl<T>(sandbox: RunningSandbox, method: string, input: unknown = {}): Promise<T> {
  return JSON.parse(await askControl(sandbox, method, JSON.stringify(input))) as T
}

/** As `callControl`, with texts. */
export async function askControl(
  { control, control_key }: RunningSandbox,
  method: string,
  body: string,
): Promise<string> {
  const headers = { 'x-control-key': requireKey(control_key), 'content-type': 'application/json' }
  const { status, text } = await reach(control, () => send(`${control}/${method}`, { method: 'POST', headers, body }))
  if (status === 200) return text
  throw new CommandError(`${method} is refused: ${reasonOf(text)}`)
}

/** Reads a document of the control API. */
export async function getControl({ control, control_key }: RunningSandbox, path: string): Promise<string> {
  const headers = { 'x-control-key': requireKey(control_key) }
  const { status, text } = await reach(control, () => send(`${control}/${path}`, { method: 'GET', headers }))
  if (status === 200) return text
  throw new CommandError(`${path} is refused: ${reasonOf(text)}`)
}

/** The notices of the sandbox as a stream, which ends with the sandbox. */
export async function openNotices({ control, control_key }: RunningSandbox): Promise<Readable> {
  const headers = { 'x-control-key': requireKey(control_key) }
  const stream = await reach(control, () => open(`${control}/notices`, { method: 'GET', headers, timeoutMs: 60_000 }))
  stream.on('error', () => {})
  return stream
}

export async function* readNotices(stream: Readable): AsyncGenerator<Notice> {
  try {
    for await (const line of createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }))
      if (line.startsWith('data: ')) yield JSON.parse(line.slice(6)) as Notice
  } catch {
    // The stream ends with an error, also in the middle of a line, if the process of the sandbox is killed.
  }
}

function requireKey(control_key: string | undefined): string {
  if (control_key !== undefined) return control_key
  throw new CommandError('The control key is missing: set SANDBANK_CONTROL_KEY to the key of that sandbox')
}

export async function reach<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const { origin } = new URL(address)
    if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
      throw new CommandError(`Nothing answers at ${origin}: start that sandbox, or leave --url out`)
    throw new CommandError(`${origin} did not answer (${code ?? message})`)
  }
}

export function reasonOf(text: string): string {
  try {
    const [first] = (JSON.parse(text) as ErrorBody).errors ?? []
    // The detail is the general sentence of the code; the extra says what is wrong here.
    return first?.extra ?? first?.detail ?? text
  } catch {
    return text
  }
}
