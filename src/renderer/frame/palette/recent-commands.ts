import { readStored, writeStored } from '../../data/stored.ts'

/** The ids of the commands that were run last, stored in this browser. */

const STORAGE_KEY = 'sandbank.recent'
const MAX_RECENT = 5

export function readRecentCommands(): readonly string[] {
  const stored = readStored('localStorage', STORAGE_KEY)
  return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : []
}

export const rememberCommand = (id: string) =>
  writeStored(
    'localStorage',
    STORAGE_KEY,
    [id, ...readRecentCommands().filter((other) => other !== id)].slice(0, MAX_RECENT),
  )
