import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

/**
 * Creates a folder and the missing ones above it. `mkdirSync` with `recursive` would never return where the system answers
 * ENOENT although the folder above exists, as in /proc.
 */
export function createFolder(folder: string) {
  if (existsSync(folder)) return
  const above = dirname(folder)
  if (above !== folder) createFolder(above)
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    // Another process may have created it in the meantime.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
