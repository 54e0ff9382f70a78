/** What this browser remembers of the layout. If storage is disabled, a choice holds until the screen is left. */

const storageKey = (key: string) => `sandbank.layout.${key}`

export function readRemembered(key: string): string | null {
  try {
    return localStorage.getItem(storageKey(key))
  } catch {
    return null
  }
}

/** Without a value it forgets. */
export function remember(key: string, value: string | undefined) {
  try {
    if (value === undefined) localStorage.removeItem(storageKey(key))
    else localStorage.setItem(storageKey(key), value)
  } catch {}
}
