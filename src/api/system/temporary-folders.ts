import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSmallFile, writePrivateFile } from './private-files.ts'
import { hasEnded, identifyProcess, type ProcessIdentity } from './processes.ts'

/** Folders for temporary files. Each names its process, so that the next process removes those that a killed one has left. */

const PREFIX = 'sandbank-'
const OWNER = 'owner.json'
const MOST_BYTES = 4_096

let isCleaned = false

/** In the system's folder for temporary files; only its owner can read it. Remove it with everything in it. */
export function createTemporaryFolder(name: string): string {
  if (!isCleaned) removeAbandoned()
  isCleaned = true
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${name}-`))
  writePrivateFile(join(folder, OWNER), JSON.stringify(identifyProcess(process.pid)))
  return folder
}

export const removeTemporaryFolder = (folder: string) => rmSync(folder, { recursive: true, force: true, maxRetries: 3 })

function removeAbandoned() {
  for (const name of readdirSync(tmpdir()).filter((name) => name.startsWith(PREFIX)))
    try {
      if (isAbandoned(join(tmpdir(), name))) removeTemporaryFolder(join(tmpdir(), name))
    } catch {
      // Another process removes it, too.
    }
}

/** Another user could exchange the content of a folder that is not private while it is removed. */
function isAbandoned(folder: string): boolean {
  const stats = lstatSync(folder)
  if (!stats.isDirectory() || (process.getuid && (stats.uid !== process.getuid() || (stats.mode & 0o077) !== 0)))
    return false
  const read = readSmallFile(join(folder, OWNER), MOST_BYTES)
  const owner = 'text' in read ? parseOwner(read.text) : undefined
  return owner !== undefined && hasEnded(owner)
}

function parseOwner(text: string): ProcessIdentity | undefined {
  try {
    const owner = JSON.parse(text) as ProcessIdentity | null
    return Number.isSafeInteger(owner?.pid) && typeof owner?.host === 'string' ? owner : undefined
  } catch {
    return undefined
  }
}
