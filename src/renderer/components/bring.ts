/**
 * Scrolls the nearest pane until this stands at its top, below what sticks there. The browser's own way would scroll
 * every box around it as well, the desk included.
 */
export function bringToTop(element: Element | null | undefined, below = 32) {
  const pane = element?.closest('.pane')
  if (!element || !pane) return
  if (getComputedStyle(pane).overflowY === 'visible') return element.scrollIntoView?.({ block: 'nearest' })
  pane.scrollTop += element.getBoundingClientRect().top - pane.getBoundingClientRect().top - below
}
