/** Whether all of it can be seen where its pane stands. */
export function isInView(element: Element | null | undefined): boolean {
  const pane = element?.closest('[data-pane]')
  if (!element || !pane) return false
  const [place, around] = [element.getBoundingClientRect(), pane.getBoundingClientRect()]
  return place.top >= around.top && place.bottom <= Math.min(around.bottom, innerHeight)
}

/**
 * Scrolls the nearest pane until this stands at its top, below what sticks there. The browser's own way would scroll
 * every box around it as well, the desk included.
 */
export function scrollToTop(element: Element | null | undefined, below = 32) {
  const pane = element?.closest('[data-pane]')
  if (!element || !pane) return
  if (getComputedStyle(pane).overflowY === 'visible') return element.scrollIntoView?.({ block: 'nearest' })
  pane.scrollTop += element.getBoundingClientRect().top - pane.getBoundingClientRect().top - below
}
