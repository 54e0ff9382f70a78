import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Removed when the test ends. */
export function createTemporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Copies a data folder as a kill leaves it, also while a sandbox runs. Node cannot copy the socket of its lock. */
export function copyDataFolder(from: string, to = join(createTemporaryFolder(), 'copy')): string {
  cpSync(from, to, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  return to
}
