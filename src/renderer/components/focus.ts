import { usePalette } from '../data/palette.ts'
import { type Route, useRoute } from '../data/route.ts'
import type { Screen } from '../data/screen-list.ts'

/** Who went by keys wants to go on by keys. */
let cameByKeys = false

export const openScreen = (screen: Screen) => navigateWithFocus({ screen })

/** Goes there by keys: what is there takes the focus. */
export function navigateWithFocus(to: Partial<Route>) {
  const { screen: here, go } = useRoute.getState()
  cameByKeys = true
  go(to)
  if (here === useRoute.getState().screen) requestAnimationFrame(focusScreen)
}

/** The first screen is nobody's doing: there the keys begin at the top of the window. */
let isStarted = false

/** As long as the palette stands open, the focus is its own. */
let isWaiting = false
export const focusWaitingScreen = () => isWaiting && focusScreen()

/** The table of the screen takes the focus, so that arrows work at once; also when what had the focus is no more. */
export function focusScreen() {
  const lost = isStarted && document.activeElement === document.body
  isStarted = true
  if (!cameByKeys && !lost) return
  isWaiting = usePalette.getState().open
  if (isWaiting) return
  cameByKeys = false
  const main = document.querySelector<HTMLElement>('main')
  const table = main?.querySelector<HTMLElement>(':is([role=grid], [role=listbox], [role=treegrid])')
  ;(table ?? main)?.focus()
}
