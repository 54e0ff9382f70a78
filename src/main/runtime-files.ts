import { chmodSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { readSmallFile, replacePrivateFile } from '../api/system/private-files.ts'
import { hasEnded, isElsewhere, type ProcessIdentity } from '../api/system/processes.ts'
import { applicationFolder } from './app-paths.ts'

/**
 * A running sandbox writes where it listens and with which key into a file that only its owner can read, so that commands
 * find it. It removes the file when it ends; the file of a process that was killed is removed by the next command.
 */

export interface RuntimeFile extends ProcessIdentity {
  readonly api: string
  /** null for the desktop app, which serves its window to no browser. */
  readonly gui: string | null
  readonly control: string
  readonly control_key: string
  readonly data: string | null
  readonly version: string
  readonly started_at: string
  /** The sandbox answers it: nothing else that has its address now, or its pid, is taken for it. */
  readonly nonce: string
}

export interface FoundFile extends RuntimeFile {
  readonly path: string
}

/** Assumed (invented): XDG_RUNTIME_DIR counts on every system that sets it; without it the files are next to the default data folder. */
export function runtimeFolder(env: NodeJS.ProcessEnv, platform = process.platform, home = homedir()): string {
  if (env.XDG_RUNTIME_DIR) return join(env.XDG_RUNTIME_DIR, 'sandbank')
  return join(applicationFolder(env, platform, home), 'running')
}

type Listening = Pick<RuntimeFile, 'api' | 'gui' | 'control' | 'control_key' | 'data' | 'version'> & {
  readonly identity: Pick<RuntimeFile, keyof ProcessIdentity | 'started_at' | 'nonce'>
}

/** Returns a function that removes the file; undefined if it cannot be written, which must not keep a sandbox from running. */
export function writeRuntimeFile(sandbox: Listening, env: NodeJS.ProcessEnv): (() => void) | undefined {
  const folder = runtimeFolder(env)
  const { api, gui, control, control_key, data, version, identity } = sandbox
  const content: RuntimeFile = { api, gui, control, control_key, data, version, ...identity }
  // In a home that containers share, several sandboxes have the same pid and port.
  const path = join(folder, `${identity.pid}-${new URL(api).port}-${identity.nonce.slice(0, 8)}.json`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (statSync(folder).mode & 0o077) chmodSync(folder, 0o700)
    removeLeftovers(env)
    replacePrivateFile(path, `${JSON.stringify(content)}\n`)
  } catch {
    return undefined
  }
  const remove = () => {
    process.off('exit', remove)
    removeRuntimeFile(path)
  }
  process.on('exit', remove)
  return remove
}

/** A file is written within milliseconds. */
const UNFINISHED_AFTER_MS = 60_000
/** Assumed (invented): the file of a sandbox on another machine or in another container is removed after 30 days, as nothing tells whether it has ended. */
const ELSEWHERE_FOR_MS = 30 * 86_400_000

/** What processes have left that were killed. */
function removeLeftovers(env: NodeJS.ProcessEnv) {
  const now = Date.now()
  for (const file of readRuntimeFiles(env))
    if (hasEnded(file) || (isElsewhere(file) && now - Date.parse(file.started_at) > ELSEWHERE_FOR_MS))
      removeRuntimeFile(file.path)
  const folder = runtimeFolder(env)
  for (const name of listFiles(folder).filter((name) => name.endsWith('.json.new'))) {
    const stats = statSync(join(folder, name), { throwIfNoEntry: false })
    if (stats?.isFile() && now - stats.mtimeMs > UNFINISHED_AFTER_MS) rmSync(join(folder, name), { force: true })
  }
}

const MOST_BYTES = 64 << 10

/** Newest first. Everything else in the folder is skipped, with a line that says why. */
export function readRuntimeFiles(env: NodeJS.ProcessEnv, onSkipped = (_line: string) => {}): FoundFile[] {
  const folder = runtimeFolder(env)
  return listFiles(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => {
      const path = join(folder, name)
      const read = readSmallFile(path, MOST_BYTES)
      const content = 'text' in read ? parseRuntimeFile(read.text) : undefined
      if (content) return { ...content, path }
      const found = 'found' in read ? read.found : 'another content'
      // The sandbox has just removed it.
      if (found !== 'nothing')
        onSkipped(`${path} was skipped: the file of a running sandbox is expected, found ${found}`)
      return []
    })
    .sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

const isText = (value: unknown) => typeof value === 'string' && value !== '' && value.length <= 4_096
const isAddress = (value: unknown) => isText(value) && /^https?:\/\//.test(String(value)) && URL.canParse(String(value))
const isTextOrNull = (value: unknown) => value === null || isText(value)

/** Not with zod, which takes longer to load than a command takes to run. */
const CHECKS: { readonly [K in keyof RuntimeFile]: (value: unknown) => boolean } = {
  api: isAddress,
  gui: (value) => value === null || isAddress(value),
  control: isAddress,
  control_key: isText,
  data: isTextOrNull,
  version: isText,
  pid: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  host: isText,
  boot_id: isTextOrNull,
  pid_namespace: isTextOrNull,
  process_start: isTextOrNull,
  started_at: (value) => isText(value) && !Number.isNaN(Date.parse(String(value))),
  nonce: isText,
}

function parseRuntimeFile(text: string): RuntimeFile | undefined {
  try {
    const content = JSON.parse(text) as RuntimeFile | null
    const isWhole = Object.entries(CHECKS).every(([name, isValid]) => isValid(content?.[name as keyof RuntimeFile]))
    return isWhole ? content! : undefined
  } catch {
    return undefined
  }
}

export function removeRuntimeFile(path: string) {
  try {
    rmSync(path, { force: true })
  } catch {
    // Of another user, or the folder is gone.
  }
}
