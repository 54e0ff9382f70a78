/** True if the whole element is visible in its pane. */
export function isInView(element: Element | null | undefined): boolean {
  const pane = element?.closest('[data-pane]')
  if (!element || !pane) return false
  const [box, paneBox] = [element.getBoundingClientRect(), pane.getBoundingClientRect()]
  return box.top >= paneBox.top && box.bottom <= Math.min(paneBox.bottom, innerHeight)
}

/**
 * Scrolls the nearest pane until the element is at its top, below sticky headers. `scrollIntoView` would also scroll all
 * boxes around the pane.
 */
export function scrollToTop(element: Element | null | undefined, below = 32) {
  const pane = element?.closest('[data-pane]')
  if (!element || !pane) return
  if (getComputedStyle(pane).overflowY === 'visible') return element.scrollIntoView?.({ block: 'nearest' })
  pane.scrollTop += element.getBoundingClientRect().top - pane.getBoundingClientRect().top - below
}
