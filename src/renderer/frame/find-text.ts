import { callDesktop } from '../data/desktop.ts'

export interface Found {
  readonly matches: number
  /** Of the highlighted match, from 1. */
  readonly position: number
}

/**
 * Chromium also finds the text in the bar's own field. As the bar comes first in the document, that match is the first one: it is not
 * counted, and skipped. The bar has no other text that is found; generated content is not.
 */
const OWN_MATCHES = 1

let latest = 0

/** Returns undefined if another search began meanwhile. */
export async function findText(
  text: string,
  { forward, isFirst, removeCaret }: { forward: boolean; isFirst: boolean; removeCaret: () => void },
): Promise<Found | undefined> {
  const turn = ++latest
  const find = (is_first: boolean) => {
    // Chromium starts at the caret if there is one, not at the match before.
    if (!is_first) removeCaret()
    return callDesktop('desk.find', { text, forward, is_first }).catch(() => null)
  }
  let result = await find(isFirst)
  const isOwn = result !== null && result.active <= OWN_MATCHES && result.matches > OWN_MATCHES
  if (isOwn && turn === latest) result = await find(false)
  if (turn !== latest) return undefined
  const { matches, active } = result ?? { matches: 0, active: 0 }
  return { matches: Math.max(0, matches - OWN_MATCHES), position: Math.max(0, active - OWN_MATCHES) }
}
