type Place = 'localStorage' | 'sessionStorage'

/** JSON that the browser keeps; null if there is none, or if storage is disabled. */
export function readStored(place: Place, key: string): unknown {
  try {
    return JSON.parse(window[place].getItem(key) ?? 'null')
  } catch {
    return null
  }
}

/** Undefined forgets it. If storage is disabled or full, a value holds until the window is reloaded. */
export function writeStored(place: Place, key: string, value: unknown) {
  try {
    if (value === undefined) window[place].removeItem(key)
    else window[place].setItem(key, JSON.stringify(value))
  } catch {}
}
