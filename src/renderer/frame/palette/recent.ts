/** What was done from the palette lately, by the names of its commands; kept in this browser. */

const KEPT = 'sandbank.recent'
const MOST = 5

export function recent(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEPT) ?? '[]')
    return Array.isArray(kept) ? kept.filter((id) => typeof id === 'string').slice(0, MOST) : []
  } catch {
    return []
  }
}

export function remember(id: string) {
  try {
    localStorage.setItem(KEPT, JSON.stringify([id, ...recent().filter((other) => other !== id)].slice(0, MOST)))
  } catch {
    // A browser that keeps nothing remembers nothing.
  }
}
