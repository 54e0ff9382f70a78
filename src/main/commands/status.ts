import { setTimeout } from 'node:timers/promises'
import { parseAmountOfTime, parseDuration } from '../../api/contract/terms/amounts-of-time.ts'
import { isElsewhere, isRunning } from '../../api/system/processes.ts'
import { send } from '../library/http.ts'
import { openingAddress, startBrowser } from '../open-browser.ts'
import { type FoundFile, type RuntimeFile, removeRuntimeFile } from '../runtime-files.ts'
import { CommandError, NoAnswer, OptionError, type Run, type Terminal } from './command.ts'
import { formatClock } from './format.ts'
import { formatListening, toJson } from './greeting.ts'
import { refuse } from './option-values.ts'
import {
  callControl,
  explainElsewhere,
  explainSilence,
  findSandbox,
  identify,
  type Located,
  locateSandboxes,
  NOT_RUNNING,
  originOf,
  parseUrl,
  sandboxAt,
} from './running.ts'

/** `sandbank status`, `open`, `stop` and `wait`: the running sandbox itself. */

export const status: Run = async (input, terminal) => {
  const sandbox = await findSandbox(input, terminal)
  const { api, control, control_key, file } = sandbox
  const { version, data, seq } = await callControl(sandbox, 'world.describe')
  const clock = await callControl(sandbox, 'clock.read')
  const { programs } = await callControl(sandbox, 'programs.list')
  const listening = { ...sandbox, programs, data, pid: file?.pid ?? null }
  const [program] = programs
  const texts = {
    json: () => JSON.stringify({ ...toJson(listening), version, seq, clock }),
    env: () =>
      formatEnvironment({
        SANDBANK_URL: api.replace(/\/api\/v1$/, ''),
        SANDBANK_CONTROL_KEY: control_key ?? '',
        SANDBANK_API: api,
        SANDBANK_CONTROL: control,
        SANDBANK_PROGRAM_UID: program?.uid ?? '',
        SANDBANK_HMAC_KEY: program?.hmac_key ?? '',
      }),
    text: () => `Sandbank ${version}${file ? `, process ${file.pid}` : ''}

${formatListening(listening, { Clock: formatClock(clock), Commits: String(seq) })}`,
  }
  const { output = 'text' } = input.values as { output?: keyof typeof texts }
  terminal.print(texts[output]())
  return 0
}

/** Lines for `eval` in sh: the quotes take every character as it is. */
const formatEnvironment = (values: Readonly<Record<string, string>>) =>
  Object.entries(values)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", `'\\''`)}'`)
    .join('\n')

export const openWindow: Run = async (input, terminal) => {
  const sandbox = await findSandbox(input, terminal)
  const { gui, control_key } = sandbox
  if (gui === null) throw new CommandError('This is the sandbox of the desktop app: start it again to see its window')
  const { print, json } = input.values
  if (print) {
    terminal.print(json ? JSON.stringify({ window: gui }) : gui)
    return 0
  }
  // Without a key the window asks for it.
  const { path } = control_key === undefined ? { path: undefined } : await callControl(sandbox, 'sandbox.open')
  await startedBrowser(path === undefined ? gui : openingAddress(originOf(sandbox), path))
  const opened = gui.replace(/#.*$/, '')
  terminal.print(json ? JSON.stringify({ window: opened }) : `Opened ${opened}`)
  return 0
}

const startedBrowser = (url: string) =>
  new Promise<void>((resolve, reject) => {
    const fail = () => reject(new CommandError('No browser could be opened; sandbank open --print prints the address'))
    startBrowser(url, fail).once('spawn', resolve)
  })

/** `30`, `30s`, `2 minutes`, `PT30S`: the time to wait. A number alone is seconds. */
function startWaiting(text: string) {
  const amount = parseAmountOfTime(/^[\d.]+$/.test(text) ? `${text}s` : text, 0)
  try {
    if (amount && 'by' in amount) return { text, end: Date.now() + parseDuration(amount.by) }
  } catch {
    // Months and years have no fixed length.
  }
  return refuse('--timeout: a time such as 30s is', text)
}
type Waiting = ReturnType<typeof startWaiting>

export const stop: Run = async ({ values }, terminal) => {
  const { all, timeout = '', url, json } = values as { all?: boolean; timeout?: string; url?: string; json?: boolean }
  const waiting = startWaiting(timeout)
  const found = (await locateSandboxes(terminal, url)).filter(({ state }) => state !== 'ended')
  // Those of other machines and containers are meant only if they can be reached, or are named.
  const chosen = found.filter(({ state }) => state !== 'elsewhere' || url !== undefined)
  if (chosen.length > 1 && !all)
    throw new OptionError(
      `${chosen.length} sandboxes are running, at ${chosen.map(({ file }) => originOf(file)).join(', ')}: choose one with --url, or pass --all`,
    )
  const stopped: string[] = []
  const report = (origin: string) => {
    stopped.push(origin)
    if (!json) terminal.print(`Stopped ${origin}`)
  }
  if (chosen.length === 0) await stopAt(await findUnknown(url, terminal), waiting, report)
  const problems = await Promise.all(chosen.map((one) => stopOne(one, waiting, report)))
  if (json) terminal.print(JSON.stringify({ stopped }))
  const failed = problems.filter((problem) => problem !== undefined)
  if (failed.length > 0) throw new CommandError(failed.join('\n'))
  return 0
}

/** Returns why it was not stopped. No signal is sent: a process that cannot answer would not act on one either. */
async function stopOne({ file, state }: Located, waiting: Waiting, report: Report): Promise<string | undefined> {
  if (state === 'silent') return explainSilence(file)
  if (state === 'elsewhere') return `${explainElsewhere(file)}: stop it there`
  try {
    await stopAt(file, waiting, report)
    removeRuntimeFile(file.path)
    return undefined
  } catch (error) {
    if (error instanceof CommandError) return error.message
    throw error
  }
}

type Stoppable = Pick<RuntimeFile, 'api' | 'control' | 'control_key' | 'nonce'> & Partial<FoundFile>

/** Gets the origin of each sandbox that has ended. */
type Report = (origin: string) => void

async function stopAt(sandbox: Stoppable, waiting: Waiting, report: Report) {
  await callControl({ ...sandbox, gui: null, file: undefined }, 'sandbox.stop', { nonce: sandbox.nonce })
  await waitForEnd(sandbox, waiting)
  report(originOf(sandbox))
}

/** Without a runtime file the address and the key name the sandbox. */
async function findUnknown(url: string | undefined, { env }: Terminal): Promise<Stoppable> {
  const control_key = env.SANDBANK_CONTROL_KEY
  if (url === undefined) throw new NoAnswer(NOT_RUNNING)
  const { origin } = new URL(parseUrl(url))
  if (!control_key)
    throw new CommandError(
      `No sandbox of this user runs at ${origin}: to stop another one, pass its key in SANDBANK_CONTROL_KEY`,
    )
  const sandbox = sandboxAt(origin, env)
  return { ...sandbox, control_key, nonce: (await callControl(sandbox, 'sandbox.identify')).nonce }
}

/** A process of this machine has ended when it is gone: it saves until then. Of another one its address tells. */
async function waitForEnd(sandbox: Stoppable, { text, end }: Waiting) {
  const process = sandbox.pid !== undefined && !isElsewhere(sandbox as FoundFile) ? (sandbox as FoundFile) : undefined
  const isThere = async () =>
    process ? isRunning(process) : (await identify(sandbox, Math.max(1, end - Date.now()))) === 'same'
  while (await isThere()) {
    if (Date.now() >= end)
      throw new CommandError(
        `${process ? `Process ${process.pid}` : 'The sandbox'} at ${originOf(sandbox)} has not ended within ${text}: it is closing; wait, or end it`,
      )
    await setTimeout(50)
  }
}

/** Waits until a sandbox answers, and prints the address of its API. */
export const wait: Run = async ({ values }, terminal) => {
  const { timeout = '', url, json } = values as { timeout?: string; url?: string; json?: boolean }
  const { text, end } = startWaiting(timeout)
  if (url !== undefined) parseUrl(url)
  const said = new Set<string>()
  const printError = (line: string) => {
    if (!said.has(line)) terminal.printError(line)
    said.add(line)
  }
  for (;;) {
    const left = Math.max(1, end - Date.now())
    const located = url === undefined ? await locateSandboxes({ ...terminal, printError }, undefined, left) : []
    const running = located.find(({ state }) => state === 'running')
    const api = url === undefined ? running?.file.api : await answering(url, left)
    if (api !== undefined) {
      terminal.print(json ? JSON.stringify({ api }) : api)
      return 0
    }
    if (Date.now() >= end) {
      const silent = located.filter(({ state }) => state === 'silent').map(({ file }) => explainSilence(file))
      const reason = url === undefined ? 'No sandbox has started' : `Nothing answers at ${url}`
      throw new NoAnswer([`${reason} within ${text}`, ...silent].join('\n'))
    }
    await setTimeout(100)
  }
}

async function answering(url: string, withinMs: number): Promise<string | undefined> {
  const { origin } = new URL(url)
  const within = { method: 'GET', withinMs: Math.min(withinMs, 5_000) }
  const answer = await send(`${origin}/health`, within).catch(() => undefined)
  return answer?.status === 200 ? `${origin}/api/v1` : undefined
}
