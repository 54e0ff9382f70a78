/** The ids of the commands that were run last, stored in this browser. */

const STORAGE_KEY = 'sandbank.recent'
const MAX_RECENT = 5

export function readRecentCommands(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : []
  } catch {
    return []
  }
}

export function rememberCommand(id: string) {
  try {
    localStorage.setItem(
      STORAGE_KEY,
      JSON.stringify([id, ...readRecentCommands().filter((other) => other !== id)].slice(0, MAX_RECENT)),
    )
  } catch {
    // Storage is disabled: recent commands are not remembered.
  }
}
