import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Removed when the test ends, or when `until` says so. */
export function createTemporaryFolder(until: (remove: () => void) => void = onTestFinished): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
  until(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Copies a data folder as a kill leaves it, also while a sandbox runs. Node cannot copy the socket of its lock. */
export function copyDataFolder(from: string, to = join(createTemporaryFolder(), 'copy')): string {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  return to
}

/** Whether the socket of a lock is in a data folder. */
export const isLocked = (folder: string): boolean => readdirSync(folder).some((name) => name.endsWith('.sock'))
