import { create } from 'zustand'

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
