import { closeSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { writePrivateFile } from '../system/private-files.ts'
import { isInOtherNamespace, isOfEarlierBoot, isOfOtherMachine, isRunning } from '../system/processes.ts'
import { type LockOwner, refusal, type StoredOwner } from './lock-owner.ts'
import { StoreError } from './store-error.ts'

/**
 * The file `lock` describes the process that has the folder open. Beside a socket it is for people, for earlier versions and, on a
 * network share, for other machines. On a file system without sockets it is the lock itself.
 */

type FileOwner = LockOwner & { readonly has_socket: boolean }
interface Found {
  readonly text: string
  readonly owner: (StoredOwner & Partial<FileOwner>) | undefined
}
interface Place {
  /** As the user named it. */
  readonly folder: string
  readonly share: string | undefined
}

/** A lock file without content has just been created, or is left from a crash. */
const WRITTEN_WITHIN_MS = 1_000

/** Returns a function that removes the file. Throws a StoreError if another process has the folder. */
export async function takeLockFile(path: string, owner: FileOwner, place: Place): Promise<() => void> {
  const file = join(path, 'lock')
  const text = `${JSON.stringify(owner)}\n`
  while (!takeFree(file, text)) {
    // On a local disk a socket has already decided.
    const found = await readLockFile(path, owner.has_socket && !place.share ? 0 : WRITTEN_WITHIN_MS)
    if (!found) continue
    if (found.owner) checkIsFree(found.owner, owner, file, place)
    // The socket keeps other processes of this machine away; without it only one may replace a file.
    if (owner.has_socket ? replaceFile(file, text) : replaceStale(file, found.text, text)) break
  }
  return () => {
    if (readText(file) === text) rmSync(file, { force: true })
  }
}

/** Throws a StoreError if a process has the folder whose lock is this file. Changes nothing. */
export async function requireFreeFile(path: string, own: LockOwner, place: Place) {
  const { owner } = (await readLockFile(path)) ?? {}
  // Its socket was asked.
  if (owner) checkIsFree(owner, { ...own, has_socket: true }, join(path, 'lock'), place)
}

/** Returns undefined if there is none, and no owner if it cannot be read. */
export async function readLockFile(path: string, within_ms = 0): Promise<Found | undefined> {
  const deadline = Date.now() + within_ms
  for (;;) {
    const text = readText(join(path, 'lock'))
    if (text === undefined) return undefined
    const owner = parseOwner(text)
    if (owner || Date.now() >= deadline) return { text, owner }
    await wait(50)
  }
}

function parseOwner(text: string): Found['owner'] {
  try {
    const owner = JSON.parse(text) as Found['owner']
    return typeof owner?.pid === 'number' ? owner : undefined
  } catch {
    return undefined
  }
}

function checkIsFree(other: NonNullable<Found['owner']>, own: FileOwner, file: string, { folder, share }: Place) {
  if (share && isOfOtherMachine(other)) throw refusal(folder, other, file)
  // On a local disk: from before a restart, or the folder is a copy from another machine.
  if (!share && isOfEarlierBoot(other)) return
  // Its socket would have answered.
  if (other.has_socket && own.has_socket) return
  if (isInOtherNamespace(other) || isRunning(other)) throw refusal(folder, other, file)
}

/** Returns false if the file exists, or if another process took it for the rest of a crash while this one paused. */
function takeFree(file: string, text: string): boolean {
  let descriptor: number
  try {
    descriptor = openSync(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
  try {
    writeFileSync(descriptor, text)
    return readText(file) === text
  } catch (error) {
    rmSync(file, { force: true })
    throw error
  } finally {
    closeSync(descriptor)
  }
}

function replaceFile(file: string, text: string): true {
  const temporary = `${file}.${process.pid}.new`
  try {
    writePrivateFile(temporary, text)
    renameSync(temporary, file)
    return true
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** Of several processes that found the same stale lock, the one that creates the second file replaces it. */
function replaceStale(file: string, stale: string, text: string): boolean {
  const takeover = `${file}.takeover`
  try {
    closeSync(openSync(takeover, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new StoreError(
      `Another process is taking over the data folder, according to ${takeover}: if that file stays, a process was killed meanwhile; delete it`,
    )
  }
  try {
    return readText(file) === stale && replaceFile(file, text)
  } finally {
    rmSync(takeover, { force: true })
  }
}

/** undefined if there is no such file. */
function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
}
