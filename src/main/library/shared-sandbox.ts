import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { isMainThread } from 'node:worker_threads'
import { readSmallFile, replacePrivateFile } from '../../api/system/private-files.ts'
import { hasEnded } from '../../api/system/processes.ts'
import { type ChildAddress, childEnvironment, startChild } from './child-process.ts'
import type { ControlAddress } from './control.ts'

/**
 * One sandbox for all processes of a test run: the first that needs it starts it, the others find it by a file, and it ends with the
 * test runner. It is a process of its own, so that fake timers and mocks of a test do not reach it.
 */

const PREFIX = 'run-'

/** The address of the sandbox of this test run. Synchronous: test modules need it while they load, and may be CommonJS. */
export function findOrStartShared(program: string): ControlAddress {
  const { SANDBANK_URL: url, SANDBANK_CONTROL_KEY: control_key } = process.env
  if (url) return connectGiven(program, url, control_key)
  const owner = findOwner()
  const file = join(createFolder(), `${PREFIX}${owner}.json`)
  const found = readShared(file)
  if (found) return found
  const error = runProgram(program, ['share', file, String(owner)])
  const started = error === undefined ? readShared(file) : undefined
  if (started) return started
  throw new Error(`The sandbox for the tests did not start: ${error ?? 'it ended at once'}`)
}

/** The sandbox that SANDBANK_URL names. */
function connectGiven(program: string, url: string, control_key: string | undefined): ControlAddress {
  if (!URL.canParse(url))
    throw new Error(`SANDBANK_URL: found ${url}, expected an address such as http://127.0.0.1:4010`)
  if (!control_key)
    throw new Error('SANDBANK_URL is set, SANDBANK_CONTROL_KEY is not: set it to the control key of that sandbox')
  const address = { control: `${new URL(url).origin}/control`, control_key }
  const error = runProgram(program, ['check', address.control])
  if (error !== undefined) throw new Error(`The sandbox of SANDBANK_URL cannot be used: ${error}`)
  return address
}

/** Runs child.ts to its end. Returns its error. */
function runProgram(program: string, args: readonly string[]): string | undefined {
  const { status, stderr, error } = spawnSync(process.execPath, [program, ...args], {
    env: childEnvironment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
  })
  return status === 0 ? undefined : (error?.message ?? (stderr.trim() || `it ended with ${status}`))
}

/** The test runner. Its workers are threads, or child processes with a channel to it. */
const findOwner = (): number => (isMainThread && process.send !== undefined ? process.ppid : process.pid)

/** Only its owner may read what is in it, as that holds control keys. */
function createFolder(): string {
  const folder = join(tmpdir(), `sandbank-${userInfo().username}`)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const uid = process.getuid?.()
  const { uid: owner, mode } = statSync(folder)
  if (uid !== undefined && (owner !== uid || (mode & 0o077) !== 0))
    throw new Error(
      `${folder} belongs to another user, or others may read it: remove it, or set TMPDIR to another folder`,
    )
  return folder
}

const MOST_BYTES = 1 << 20

/** Removes the file of a sandbox that has ended. */
function readShared(file: string): ChildAddress | undefined {
  const read = readSmallFile(file, MOST_BYTES)
  if (!('text' in read)) return undefined
  try {
    const found = JSON.parse(read.text) as ChildAddress
    if (!hasEnded(found.process)) return found
  } catch {
    // It is not of a sandbox.
  }
  removeShared(file)
  return undefined
}

export const removeShared = (file: string) => rmSync(file, { force: true })

const RETRY_MS = 20
/** A sandbox starts within a second, and those of several test runs one after the other. */
const WAIT_MS = 60_000

/** As `lockFolder` of the store: a killed process leaves no lock. */
type Lock = (folder: string, report: () => void) => Promise<() => void> | (() => void)

/** In the process that starts it: one of them starts the sandbox, the others wait for its file. */
export async function startShared(program: string, file: string, owner: number, lock: Lock): Promise<void> {
  const folder = dirname(file)
  const unlock = await waitForLock(folder, lock)
  try {
    if (readShared(file)) return
    // Nothing else writes here: what killed processes have left.
    for (const name of readdirSync(folder))
      if (name.endsWith('.new')) rmSync(join(folder, name), { force: true })
      else if (name.startsWith(PREFIX)) readShared(join(folder, name))
    const { child, address } = await startChild(program, { sandbox: {}, owner, file })
    replacePrivateFile(file, JSON.stringify(address))
    child.disconnect()
  } finally {
    unlock()
  }
}

async function waitForLock(folder: string, lock: Lock): Promise<() => void> {
  for (const deadline = Date.now() + WAIT_MS; ; await sleep(RETRY_MS))
    try {
      return await lock(folder, () => {})
    } catch (error) {
      // Another process starts a sandbox.
      if ((error as Error).name !== 'StoreError' || Date.now() > deadline) throw error
    }
}
