import { readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StoreError } from './store-error.ts'

/**
 * One process per data folder. A lock whose process is gone is taken over, and so is one with our own pid: in a
 * container every process is number 1, so the lock was left by an earlier life of the same container.
 */
export function lock(folder: string): () => void {
  const path = join(realpathSync(folder), 'lock')
  const mine = JSON.stringify({ pid: process.pid })
  for (let tries = 0; ; tries++) {
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: 0o600 })
      break
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    const found = ownerOf(path)
    if (held.has(path) || (found !== undefined && isAnother(found)) || tries > 3)
      throw new StoreError(
        `The data folder ${folder} is in use by process ${found ?? 'unknown'}: stop that one, or pass --data with another folder`,
      )
    // Moved aside first: of two processes that find the same dead lock, one moves it and the other finds nothing.
    const aside = `${path}.${process.pid}`
    try {
      renameSync(path, aside)
      rmSync(aside, { force: true })
    } catch {}
  }
  held.add(path)
  return () => {
    held.delete(path)
    if (ownerOf(path) === process.pid) rmSync(path, { force: true })
  }
}

/** What this process has locked in this life. */
const held = new Set<string>()

function ownerOf(path: string): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(path, 'utf8')) as { pid?: unknown }
    return typeof pid === 'number' ? pid : undefined
  } catch {
    return undefined
  }
}

function isAnother(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
