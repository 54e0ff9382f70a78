import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './store-error.ts'

/**
 * One process per data folder. Takes over a lock whose process is gone, and one with the pid of this process: in a container
 * every process has pid 1, so that lock is left over from an earlier start. Returns a function that unlocks.
 */
function lockFolder(folder: string): () => void {
  const path = join(realpathSync(folder), 'lock')
  const content = JSON.stringify({ pid: process.pid })
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(path, content, { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const owner = readOwner(path)
    if (locked.has(path) || (owner !== undefined && isOtherProcess(owner)) || tries > 3)
      throw new StoreError(
        `The data folder ${folder} is in use by process ${owner ?? 'unknown'}: stop that one, or pass --data with another folder`,
      )
    // Rename first: of two processes that find the same stale lock, only one succeeds.
    const aside = `${path}.${process.pid}`
    try {
      renameSync(path, aside)
      rmSync(aside, { force: true })
    } catch {}
  }
  locked.add(path)
  return () => {
    locked.delete(path)
    if (readOwner(path) === process.pid) rmSync(path, { force: true })
  }
}

type Lock = typeof lockFolder

/** The lock in use. */
export let lock: Lock = lockFolder

/** For simulations, whose data folders are not on a disk. Without an argument the lock of the system is used again. */
export function replaceLock(other: Lock = lockFolder) {
  lock = other
}

/** The locks of this process. */
const locked = new Set<string>()

function readOwner(path: string): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(path, 'utf8')) as { pid?: unknown }
    return typeof pid === 'number' ? pid : undefined
  } catch {
    return undefined
  }
}

function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
