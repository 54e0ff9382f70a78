import { usePalette } from './overlays.ts'
import { type Route, useRoute } from './route.ts'

/** After navigation by key the focus moves to the new screen, so that the next key works there. */
let cameByKeys = false

/** Navigates by key: the screen takes the focus. */
export function navigateWithFocus(to: Partial<Route>): undefined {
  const { screen: here, go } = useRoute.getState()
  cameByKeys = true
  go(to)
  if (here === useRoute.getState().screen) requestAnimationFrame(focusScreen)
}

/** The first screen does not take the focus: Tab starts at the top of the window. */
let isStarted = false

/** The palette is open and has the focus; the screen takes it when the palette closes. */
let isWaiting = false
export const focusWaitingScreen = () => isWaiting && focusScreen()

const TABLE = ':is([role=grid], [role=listbox], [role=treegrid])'
/** What a part says whose table is not that of the screen. */
const NOT_OF_SCREEN = '[data-takes-no-focus] *'

/** Focuses the table of the screen, so that arrow keys work at once; also if the focused element was removed. */
export function focusScreen() {
  const lost = isStarted && document.activeElement === document.body
  isStarted = true
  if (!cameByKeys && !lost) return
  isWaiting = usePalette.getState().open
  if (isWaiting) return
  cameByKeys = false
  ;(findTable() ?? document.querySelector<HTMLElement>('main'))?.focus()
}

const findTable = () => document.querySelector<HTMLElement>(`main ${TABLE}:not(${NOT_OF_SCREEN})`)

/** From the search field to the rows that it found; an arrow also selects one. */
export function focusTable(key: string) {
  const table = findTable()
  table?.focus()
  if (key === 'ArrowDown') table?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
}
