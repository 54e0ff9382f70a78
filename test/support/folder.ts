import { cpSync, mkdtempSync, rmSync } from 'node:fs'
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
