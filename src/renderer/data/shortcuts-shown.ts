import { create } from 'zustand'

/** Whether the list of all keyboard shortcuts is open. */
export const useShortcutsShown = create<{ readonly shown: boolean }>()(() => ({ shown: false }))

export const showShortcuts = () => useShortcutsShown.setState({ shown: true })
