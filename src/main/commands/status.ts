import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Clock } from '../../api/contract/control/clock.ts'
import { isElsewhere, isRunning } from '../../api/system/processes.ts'
import type { ProgramKey } from '../library/sign-token.ts'
import { openBrowser, startBrowser, writeRedirect } from '../open-browser.ts'
import { type FoundFile, pageBeside, type RuntimeFile, removeRuntimeFile } from '../runtime-files.ts'
import { formatClock } from './clock.ts'
import { CommandError, OptionError, type Run, type Terminal } from './command.ts'
import { send } from './http.ts'
import {
  callControl,
  explainSilence,
  findSandbox,
  identify,
  type Located,
  locateSandboxes,
  NOT_RUNNING,
  originOf,
  parseUrl,
} from './running.ts'
import { parseWait } from './wait.ts'

/** `sandbank status`, `open`, `stop` and `wait`: the running sandbox itself. */

interface About {
  readonly version: string
  readonly data: string | null
  readonly seq: number
}

export const status: Run = async (input, terminal) => {
  const { output = 'text' } = input.values as { output?: string }
  if (!['text', 'env', 'json'].includes(output)) throw new OptionError('--output: one of text, env, json is expected')
  const sandbox = await findSandbox(input, terminal)
  const { api, gui, control, control_key, file } = sandbox
  const about = await callControl<About>(sandbox, 'world.describe')
  const time = await callControl<Clock>(sandbox, 'clock.read')
  const { programs } = await callControl<{ programs: ProgramKey[] }>(sandbox, 'programs.list')
  const { version, data, seq } = about
  const keys = programs.map(({ uid, name, hmac_key }) => ({ uid, name, hmac_key }))
  const pid = file?.pid ?? null
  const state = { api, gui, control, control_key, programs: keys, data, pid, version, seq, clock: time }
  const [program] = keys
  if (output === 'json') terminal.print(JSON.stringify(state))
  else if (output === 'env')
    terminal.print(
      formatEnvironment({
        SANDBANK_URL: api.replace(/\/api\/v1$/, ''),
        SANDBANK_CONTROL_KEY: control_key ?? '',
        SANDBANK_API: api,
        SANDBANK_CONTROL: control,
        SANDBANK_PROGRAM_UID: program?.uid ?? '',
        SANDBANK_HMAC_KEY: program?.hmac_key ?? '',
      }),
    )
  else
    terminal.print(`Sandbank ${version}${pid === null ? '' : `, process ${pid}`}

  API      ${api}
  Window   ${gui ?? 'of the desktop app'}
  Program  ${keys.map(({ uid, name }) => `${uid}  ${name}`).join('\n           ')}
  Data     ${data ?? 'in memory only'}
  Clock    ${formatClock(time)}
  Commits  ${seq}`)
  return 0
}

/** Lines for `eval` in sh: the quotes take every character as it is. */
export const formatEnvironment = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('\n')

export const openWindow: Run = async (input, terminal) => {
  const { gui, file } = await findSandbox(input, terminal)
  if (gui === null) throw new CommandError('This is the sandbox of the desktop app: its window is open already')
  if (input.values.print) {
    terminal.print(gui)
    return 0
  }
  if (file) {
    // The sandbox removes the page at its end, with its runtime file, which has the same key.
    const page = pageBeside(file.path)
    writeRedirect(page, gui)
    await startedBrowser(pathToFileURL(page).href)
  } else {
    let started: Promise<void> | undefined
    openBrowser(gui, {
      start: (url) => void (started = startedBrowser(url)),
      after: (_ms, work) => void global.setTimeout(work, READING_MS),
    })
    await started
  }
  terminal.print(`Opened ${gui.replace(/#.*$/, '')}`)
  return 0
}

/** How long the command stays so that the browser can read the page. */
const READING_MS = 5_000

const startedBrowser = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const fail = () => reject(new CommandError('No browser could be opened; sandbank open --print prints the address'))
    startBrowser(url, fail).once('spawn', resolve)
  })

export const stop: Run = async (input, terminal) => {
  const { all = false, timeout = '30s', url } = input.values as { all?: boolean; timeout?: string; url?: string }
  const end = Date.now() + parseWait('--timeout', timeout)
  const found = (await locateSandboxes(terminal, url)).filter(({ state }) => state !== 'ended')
  // Those of other machines and containers are meant only if they can be reached, or are named.
  const chosen = found.filter(({ state }) => state !== 'elsewhere' || url !== undefined)
  if (chosen.length === 0) return stopUnknown(url, end, timeout, terminal)
  if (chosen.length > 1 && !all)
    throw new OptionError(
      `${chosen.length} sandboxes are running, at ${chosen.map(({ file }) => originOf(file)).join(', ')}: choose one with --url, or pass --all`,
    )
  const problems = await Promise.all(chosen.map((one) => stopOne(one, end, timeout, terminal)))
  const failed = problems.filter((problem) => problem !== undefined)
  if (failed.length > 0) throw new CommandError(failed.join('\n'))
  return 0
}

/** Returns why it was not stopped. No signal is sent: a process that cannot answer would not act on one either. */
async function stopOne({ file, state }: Located, end: number, timeout: string, { print }: Terminal) {
  if (state === 'silent') return explainSilence(file)
  if (state === 'elsewhere')
    return `The sandbox at ${originOf(file)} runs on ${file.host}, on another machine or in another container, and does not answer at that address here: stop it there`
  try {
    await callControl({ ...file, file }, 'sandbox.stop', { nonce: file.nonce })
    await waitForEnd(file, end, timeout)
  } catch (error) {
    if (error instanceof CommandError) return error.message
    throw error
  }
  removeRuntimeFile(file.path)
  print(`Stopped ${originOf(file)}`)
  return undefined
}

/** Without a runtime file the address and the key name the sandbox. */
async function stopUnknown(url: string | undefined, end: number, timeout: string, { env, print }: Terminal) {
  const control_key = env.SANDBANK_CONTROL_KEY
  if (url === undefined) throw new CommandError(NOT_RUNNING)
  const { origin } = new URL(parseUrl(url))
  if (!control_key)
    throw new CommandError(
      `No sandbox of this user runs at ${origin}: to stop another one, pass its key in SANDBANK_CONTROL_KEY`,
    )
  const api = `${origin}/api/v1`
  const sandbox = { api, control: `${origin}/control`, gui: null, control_key, file: undefined }
  const { nonce } = await callControl<{ nonce: string }>(sandbox, 'sandbox.identify')
  await callControl(sandbox, 'sandbox.stop', { nonce })
  await waitForEnd({ ...sandbox, nonce }, end, timeout)
  print(`Stopped ${origin}`)
  return 0
}

/** A process of this machine has ended when it is gone: it saves until then. Of another one its address tells. */
async function waitForEnd(
  sandbox: Pick<RuntimeFile, 'api' | 'control' | 'control_key' | 'nonce'> & Partial<FoundFile>,
  end: number,
  timeout: string,
) {
  const process = 'pid' in sandbox && !isElsewhere(sandbox as FoundFile) ? (sandbox as FoundFile) : undefined
  const isThere = async () =>
    process ? isRunning(process) : (await identify(sandbox, Math.max(1, end - Date.now()))) === 'same'
  while (await isThere()) {
    if (Date.now() >= end)
      throw new CommandError(
        `${process ? `Process ${process.pid}` : 'The sandbox'} at ${originOf(sandbox)} has not ended within ${timeout}: it is closing; wait, or end it`,
      )
    await setTimeout(50)
  }
}

/** Waits until a sandbox answers, and prints the address of its API. */
export const wait: Run = async (input, terminal) => {
  const { timeout = '60s', url } = input.values as { timeout?: string; url?: string }
  const end = Date.now() + parseWait('--timeout', timeout)
  if (url !== undefined) parseUrl(url)
  const said = new Set<string>()
  const printError = (line: string) => {
    if (!said.has(line)) terminal.printError(line)
    said.add(line)
  }
  for (;;) {
    const left = Math.max(1, end - Date.now())
    const located = url === undefined ? await locateSandboxes({ ...terminal, printError }, undefined, left) : []
    const api =
      url === undefined ? located.find(({ state }) => state === 'running')?.file.api : await answering(url, left)
    if (api !== undefined) {
      terminal.print(api)
      return 0
    }
    if (Date.now() >= end) {
      const silent = located.filter(({ state }) => state === 'silent').map(({ file }) => explainSilence(file))
      const reason = url === undefined ? 'No sandbox has started' : `Nothing answers at ${url}`
      throw new CommandError([`${reason} within ${timeout}`, ...silent].join('\n'))
    }
    await setTimeout(100)
  }
}

async function answering(url: string, withinMs: number): Promise<string | undefined> {
  const { origin } = new URL(url)
  try {
    const { status: health } = await send(`${origin}/health`, { method: 'GET', withinMs: Math.min(withinMs, 5_000) })
    return health === 200 ? `${origin}/api/v1` : undefined
  } catch {
    return undefined
  }
}
