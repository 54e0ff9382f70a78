import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { engines } from '../../../package.json' with { type: 'json' }
import { findNearest } from '../../api/contract/terms/nearest.ts'
import { appPaths, defaultDataFolder } from '../app-paths.ts'
import { send } from '../library/http.ts'
import { explainUnusablePort } from '../ports.ts'
import { type FoundFile, runtimeFolder } from '../runtime-files.ts'
import type { Command, Run, Terminal } from './command.ts'
import { formatCount } from './format.ts'
import { variableOf } from './parse.ts'
import { explainElsewhere, explainSilence, locateSandboxes, originOf } from './running.ts'
import { commands } from './table.ts'

/** `sandbank doctor`: looks at everything that keeps a sandbox from running or commands from finding it. */

interface Finding {
  readonly ok: boolean
  /** What was found and, if it is not right, what was expected and what to do. */
  readonly text: string
}

const good = (text: string): Finding => ({ ok: true, text })
const bad = (text: string): Finding => ({ ok: false, text })

export const doctor: Run = async ({ values }, terminal) => {
  const findings = [
    checkNode(process.versions),
    checkWindow(terminal),
    checkFolder('data folder', terminal.env.SANDBANK_DATA || defaultDataFolder(terminal.env)),
    checkRuntimeFolder(terminal.env),
    ...checkVariables(terminal.env),
    ...(await checkSandboxes(terminal)),
    await checkPort(terminal.env),
  ]
  const isWell = findings.every(({ ok }) => ok)
  if (values.json) terminal.print(JSON.stringify({ ok: isWell, findings }))
  else {
    const { paint, print } = terminal
    for (const { ok, text } of findings) print(`${ok ? paint('green', 'ok  ') : paint('red', 'FAIL')}  ${text}`)
    const problems = findings.filter(({ ok }) => !ok)
    print(isWell ? 'Everything is in order.' : `${formatCount(problems.length, 'problem')} found.`)
  }
  return isWell ? 0 : 1
}

/** The app brings its own. */
export function checkNode({ node: version, electron }: { node: string; electron?: string | undefined }): Finding {
  if (electron !== undefined) return good(`Node ${version} of the app`)
  const least = engines.node.replace(/[^\d.]/g, '')
  const numbers = (text: string) => text.split('.').map(Number)
  const [major = 0, minor = 0] = numbers(version)
  const [leastMajor = 0, leastMinor = 0] = numbers(least)
  const isEnough = major > leastMajor || (major === leastMajor && minor >= leastMinor)
  return isEnough
    ? good(`Node ${version}`)
    : bad(`Node ${version} was found, ${least} or later is expected: install a newer one`)
}

function checkWindow({ host }: Terminal): Finding {
  const page = join(appPaths(host.folder).window, 'index.html')
  return existsSync(page)
    ? good('The window is built')
    : bad(`The window is not built, ${page} is expected: run npm run build; the API works without it`)
}

function checkFolder(what: string, folder: string): Finding {
  const existing = nearestExisting(folder)
  try {
    if (!statSync(existing).isDirectory())
      return bad(`The ${what} ${folder}: ${existing} is a file, a folder is expected`)
    accessSync(existing, constants.W_OK)
    return good(`The ${what} ${folder} ${existing === folder ? 'is writable' : 'can be created'}`)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return bad(
      `The ${what} ${folder} cannot be written (${code}): change its permissions, or pass --data with another folder`,
    )
  }
}

function nearestExisting(folder: string): string {
  if (existsSync(folder) || dirname(folder) === folder) return folder
  return nearestExisting(dirname(folder))
}

function checkRuntimeFolder(env: NodeJS.ProcessEnv): Finding {
  const folder = runtimeFolder(env)
  const writable = checkFolder('folder of runtime files', folder)
  if (!writable.ok)
    return bad(
      `${writable.text.replace(/: [^:]*$/, '')}: commands need --url to find a sandbox; set XDG_RUNTIME_DIR to a folder of yours`,
    )
  const mode = process.platform !== 'win32' && existsSync(folder) ? statSync(folder).mode & 0o777 : 0o700
  if (!(mode & 0o077)) return writable
  return bad(`The folder of runtime files ${folder} has mode ${mode.toString(8)}, 700 is expected: chmod 700 ${folder}`)
}

/** Variables that no command reads are mostly misspelled. */
function checkVariables(env: NodeJS.ProcessEnv): Finding[] {
  const known = [
    ...Object.values(commands as Readonly<Record<string, Command>>).flatMap(({ options }) =>
      Object.entries(options).map(([name, option]) => variableOf(name, option)),
    ),
    ...['SANDBANK_CONTROL_KEY', 'SANDBANK_LOG_LENGTH'],
    // Of sandbank status -o env, for other programs.
    ...['SANDBANK_API', 'SANDBANK_CONTROL', 'SANDBANK_PROGRAM_UID', 'SANDBANK_HMAC_KEY'],
  ]
  return Object.keys(env)
    .filter((name) => name.startsWith('SANDBANK_'))
    .map((name) => {
      if (known.includes(name)) return good(`${name} is set`)
      const meant = findNearest(name, known)
      return bad(`${name} is set, which no command reads: ${meant ? `did you mean ${meant}?` : 'remove it'}`)
    })
}

/** Tokens are refused if the clocks differ by more. */
const MAX_SKEW_MS = 30_000

async function checkSandboxes({ env, version }: Terminal): Promise<Finding[]> {
  const skipped: Finding[] = []
  const located = await locateSandboxes({ env, printError: (line) => void skipped.push(bad(`${line}: delete it`)) })
  const found = await Promise.all(
    located.map(({ file, state }) => {
      if (state === 'silent') return bad(explainSilence(file))
      if (state === 'ended') return good(`${file.path} was left by a sandbox that has ended, and is removed`)
      if (state === 'elsewhere') return good(`${explainElsewhere(file)}; if it has ended, delete ${file.path}`)
      return checkRunning(file, version)
    }),
  )
  const isNone = !located.some(({ state }) => state === 'running' || state === 'silent')
  return [...skipped, ...found, ...(isNone ? [good('No sandbox is running')] : [])]
}

async function checkRunning(file: FoundFile, version: string): Promise<Finding> {
  const name = `The sandbox at ${originOf(file)}, process ${file.pid},`
  const skew = await measureSkew(originOf(file))
  if (skew !== undefined && Math.abs(skew) > MAX_SKEW_MS)
    return bad(
      `${name} has a clock that differs by ${Math.round(skew / 1000)} s, at most 30 s are expected: set the clock of one of the two machines, or tokens are refused`,
    )
  if (file.version !== version)
    return bad(
      `${name} is version ${file.version}, ${version} is expected, as this command: stop it, and start it again`,
    )
  return good(`${name} answers; version ${file.version}`)
}

async function measureSkew(origin: string): Promise<number | undefined> {
  const { headers } = await send(`${origin}/health`, { method: 'GET', withinMs: 5_000 })
  return headers.date === undefined ? undefined : Date.parse(headers.date) - Date.now()
}

async function checkPort(env: NodeJS.ProcessEnv): Promise<Finding> {
  const port = Number(env.SANDBANK_PORT || 4010)
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    return bad(`SANDBANK_PORT is ${env.SANDBANK_PORT}: a number from 0 to 65535 is expected`)
  const located = await locateSandboxes({ env, printError: () => {} })
  if (located.some(({ file, state }) => state === 'running' && new URL(file.api).port === String(port)))
    return good(`Port ${port} is that of a running sandbox`)
  const refusal = await explainUnusablePort(port, env.SANDBANK_HOST || '127.0.0.1')
  if (refusal === undefined) return good(`Port ${port} is free`)
  return bad(`${refusal.replace(/\.$/, '')}; pass it to sandbank serve --port`)
}
