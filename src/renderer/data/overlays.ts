import { create } from 'zustand'

/** Whether the palette is open. Its code is loaded when it is first needed. */
interface PaletteState {
  readonly open: boolean
  /** How often it was opened. Each time begins with an empty text. */
  readonly times: number
  /** Keys that were typed before the input existed. */
  readonly early: string
}

export const usePalette = create<PaletteState>()(() => ({ open: false, times: 0, early: '' }))

export const openPalette = () => usePalette.setState(({ times }) => ({ open: true, times: times + 1, early: '' }))
export const closePalette = () => usePalette.setState({ open: false })
export const togglePalette = () => (usePalette.getState().open ? closePalette() : openPalette())

/**
 * Keys typed right after the palette's shortcut are buffered until the input exists, so that none is lost or taken for
 * another shortcut.
 */
export function addEarlyKey(key: string) {
  if (key.length === 1) usePalette.setState(({ early }) => ({ early: early + key }))
  else if (key === 'Backspace') usePalette.setState(({ early }) => ({ early: early.slice(0, -1) }))
  else if (key === 'Escape') closePalette()
}

/** Whether the find bar is open. Only the desktop app has one: a browser has its own. */
interface FindState {
  readonly open: boolean
  /** What had the focus before. */
  readonly focused: Element | null
  /** Counts how often it was opened: opening an open bar selects its text. */
  readonly opened: number
}

export const useFind = create<FindState>()(() => ({ open: false, focused: null, opened: 0 }))

/** Does nothing while a dialog has the focus, which it does not give away. */
export function openFindBar() {
  const focused = document.activeElement
  if (focused?.closest('[role=dialog], [role=alertdialog]')) return
  useFind.setState((find) => ({ open: true, focused: find.open ? find.focused : focused, opened: find.opened + 1 }))
}

export const closeFindBar = () => useFind.setState({ open: false, focused: null })

/** Whether the list of all keyboard shortcuts is open. */
export const useShortcutsShown = create<{ readonly shown: boolean }>()(() => ({ shown: false }))

/** Whether the sheet with what an app needs is open. */
export const useConnect = create<{ readonly shown: boolean }>()(() => ({ shown: false }))

export const openConnect = () => useConnect.setState({ shown: true })

export const showShortcuts = () => useShortcutsShown.setState({ shown: true })
