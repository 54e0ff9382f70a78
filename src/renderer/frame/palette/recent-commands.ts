/** What was done from the palette lately, by the names of its commands; kept in this browser. */

const STORAGE_KEY = 'sandbank.recent'
const MAX_RECENT = 5

export function readRecentCommands(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, MAX_RECENT) : []
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
    // A browser that keeps nothing remembers nothing.
  }
}
