import { setTimeout } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { Clock } from '../../api/contract/control/clock.ts'
import type { ProgramKey } from '../library/sign-token.ts'
import { openBrowser, startBrowser, writeRedirect } from '../open-browser.ts'
import { isRunning, pageBeside, removeRuntimeFile } from '../runtime-files.ts'
import { parseSeconds } from './amounts.ts'
import { formatClock } from './clock.ts'
import { CommandError, OptionError, type Run } from './command.ts'
import { send } from './http.ts'
import { callControl, findRunning, findSandbox, NOT_RUNNING, originOf } from './running.ts'

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
  const within = parseSeconds('--timeout', timeout)
  const running = await findRunning(terminal.env)
  const chosen = url === undefined ? running : running.filter((one) => originOf(one) === originOfUrl(url))
  if (chosen.length === 0)
    throw new CommandError(
      url === undefined
        ? NOT_RUNNING
        : `No sandbox of this user runs at ${url}; only those with a runtime file here can be stopped`,
    )
  if (chosen.length > 1 && !all)
    throw new OptionError(
      `${chosen.length} sandboxes are running, at ${chosen.map(originOf).join(', ')}: choose one with --url, or pass --all`,
    )
  for (const { pid } of chosen) process.kill(pid, 'SIGTERM')
  const end = Date.now() + within
  for (const file of chosen) {
    while (isRunning(file.pid) && Date.now() < end) await setTimeout(50)
    if (isRunning(file.pid))
      throw new CommandError(`Process ${file.pid} at ${originOf(file)} has not ended within ${timeout}`)
    removeRuntimeFile(file.path)
    terminal.print(`Stopped ${originOf(file)}`)
  }
  return 0
}

function originOfUrl(url: string): string {
  try {
    return new URL(url).origin
  } catch {
    throw new OptionError(`--url: the URL of a sandbox is expected, such as http://127.0.0.1:4010; found ${url}`)
  }
}

/** Waits until a sandbox answers, and prints the address of its API. */
export const wait: Run = async (input, terminal) => {
  const { timeout = '60s', url } = input.values as { timeout?: string; url?: string }
  const end = Date.now() + parseSeconds('--timeout', timeout)
  if (url !== undefined) originOfUrl(url)
  for (;;) {
    const api = url === undefined ? (await findRunning(terminal.env))[0]?.api : await answering(url)
    if (api !== undefined) {
      terminal.print(api)
      return 0
    }
    if (Date.now() >= end)
      throw new CommandError(
        `${url === undefined ? 'No sandbox has started' : `Nothing answers at ${url}`} within ${timeout}`,
      )
    await setTimeout(100)
  }
}

async function answering(url: string): Promise<string | undefined> {
  const { origin } = new URL(url)
  try {
    const { status: health } = await send(`${origin}/health`, { method: 'GET', timeoutMs: 5_000 })
    return health === 200 ? `${origin}/api/v1` : undefined
  } catch {
    return undefined
  }
}
