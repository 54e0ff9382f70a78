import { isDesktop } from './desktop.ts'

/**
 * A second window on another record or world. In a browser it is a tab: as this window opens it, it begins with a copy of the session
 * storage, and so with the key. The desktop app opens a window of its own, see main/window.ts.
 */

export const openNewWindow = (address: string) => void window.open(address)

export const newWindowLabel = (what = '') =>
  `Open${what === '' ? '' : ` ${what}`} in a new ${isDesktop() ? 'window' : 'tab'}`

/** The new window must not hold on to the one that opened it. */
export const releaseOpener = () => {
  if (window.opener) window.opener = null
}

/** The link within the window under a place in it. */
export function findLink(target: EventTarget | null): string | null {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href]') : null
  return link && link.origin === location.origin && link.hash !== '' ? link.href : null
}

/**
 * The browser's own ways to open a link in a new tab (Ctrl or the middle button, Shift outside of tables) would open one without the
 * key. In a table Shift marks rows.
 */
export function listenToLinkClicks() {
  const onClick = (event: MouseEvent) => {
    const address = findLink(event.target)
    const isMiddle = event.type === 'auxclick' && event.button === 1
    const isModified = event.type === 'click' && (event.ctrlKey || event.metaKey || event.shiftKey)
    if (address === null || !(isMiddle || isModified)) return
    event.preventDefault()
    if (event.shiftKey && (event.target as Element).closest('[role=grid]')) return
    event.stopPropagation()
    openNewWindow(address)
  }
  for (const type of ['click', 'auxclick'] as const) window.addEventListener(type, onClick, { capture: true })
}
