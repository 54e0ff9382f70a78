import { chmodSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir, hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { applicationFolder } from './app-paths.ts'

/**
 * A running sandbox writes where it listens and with which key into a file that only its owner can read, so that commands
 * find it. It removes the file when it ends; the file of a process that was killed is removed by the next command.
 */

export interface RuntimeFile {
  readonly api: string
  /** null for the desktop app, which serves its window to no browser. */
  readonly gui: string | null
  readonly control: string
  readonly control_key: string
  readonly data: string | null
  readonly pid: number
  /** Of the machine; a process id of another one says nothing here. */
  readonly hostname: string
  readonly version: string
  readonly started_at: string
}

export interface FoundFile extends RuntimeFile {
  readonly path: string
}

/** Assumed: XDG_RUNTIME_DIR counts on every system that sets it; without it the files are next to the default data folder. */
export function runtimeFolder(env: NodeJS.ProcessEnv, platform = process.platform, home = homedir()): string {
  if (env.XDG_RUNTIME_DIR) return join(env.XDG_RUNTIME_DIR, 'sandbank')
  return join(applicationFolder(env, platform, home), 'running')
}

type Listening = Pick<RuntimeFile, 'api' | 'gui' | 'control' | 'control_key' | 'data' | 'version'>

/** Returns a function that removes the file; undefined if it cannot be written, which must not keep a sandbox from running. */
export function writeRuntimeFile(sandbox: Listening, env: NodeJS.ProcessEnv): (() => void) | undefined {
  const folder = runtimeFolder(env)
  const { api, gui, control, control_key, data, version } = sandbox
  const content: RuntimeFile = {
    ...{ api, gui, control, control_key, data, version },
    ...{ pid: process.pid, hostname: hostname(), started_at: new Date().toISOString() },
  }
  const path = join(folder, `${process.pid}-${new URL(api).port}.json`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    if (statSync(folder).mode & 0o077) chmodSync(folder, 0o700)
    for (const file of readRuntimeFiles(env)) if (isOfEndedProcess(file)) removeRuntimeFile(file.path)
    // Under another name first: a command that reads it at this moment must not find half of it.
    rmSync(`${path}.new`, { force: true })
    writeFileSync(`${path}.new`, `${JSON.stringify(content)}\n`, { mode: 0o600, flag: 'wx' })
    renameSync(`${path}.new`, path)
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

/** Newest first. */
export function readRuntimeFiles(env: NodeJS.ProcessEnv): FoundFile[] {
  const folder = runtimeFolder(env)
  return listFiles(folder)
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => readRuntimeFile(join(folder, name)) ?? [])
    .sort((a, b) => (a.started_at < b.started_at ? 1 : -1))
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readRuntimeFile(path: string): FoundFile | undefined {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as RuntimeFile
    return typeof content.control === 'string' && typeof content.pid === 'number' ? { ...content, path } : undefined
  } catch {
    return undefined
  }
}

/** With the page that `sandbank open` has written beside it. */
export function removeRuntimeFile(path: string) {
  try {
    rmSync(path, { force: true })
    rmSync(pageBeside(path), { force: true })
  } catch {
    // Of another user, or the folder is gone.
  }
}

export const pageBeside = (path: string) => join(dirname(path), `${path.slice(dirname(path).length + 1, -5)}.html`)

export function isOfEndedProcess({ pid, hostname: host }: RuntimeFile): boolean {
  return host === hostname() && !isRunning(pid)
}

export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
