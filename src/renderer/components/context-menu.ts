import { create } from 'zustand'
import { callDesktop, isDesktop } from '../data/desktop.ts'
import { newWindowLabel, openNewWindow } from '../data/new-window.ts'
import { copyText } from '../ui/Button.tsx'
import type { Anchor, MenuEntries } from '../ui/Menu.tsx'

/** The context menu: of the system in the desktop app, else of the window. Without entries the browser's own opens. */

interface ShownMenu {
  readonly entries: MenuEntries
  readonly at: Anchor
  readonly focused: Element | null
}

type MenuEvent = Pick<MouseEvent, 'preventDefault' | 'clientX' | 'clientY'>

export const useContextMenu = create<{ readonly shown: ShownMenu | null }>()(() => ({ shown: null }))

export const closeContextMenu = () => useContextMenu.setState({ shown: null })

/** Answers a right-click or the menu key. The menu is at the pointer, or below the row at `box`. */
export function openContextMenu(event: MenuEvent, entries: MenuEntries, box?: DOMRect) {
  if (entries.length === 0) return
  event.preventDefault()
  const at = box
    ? { x: Math.max(0, box.left + 16), y: Math.max(0, box.top), height: box.height }
    : { x: event.clientX, y: event.clientY, height: 0 }
  if (isDesktop()) return void showOfSystem(entries, box ? { x: at.x, y: at.y + at.height } : null)
  useContextMenu.setState({ shown: { entries, at, focused: document.activeElement } })
}

/** Without a point it opens at the pointer. */
async function showOfSystem(entries: MenuEntries, at: { x: number; y: number } | null) {
  const items = entries.map((entry) => entry && { label: entry.label, ...(entry.keys ? { keys: entry.keys } : {}) })
  const { chosen } = await callDesktop('desk.context_menu', { items, at }).catch(() => ({ chosen: null }))
  if (chosen !== null) entries[chosen]?.run()
}

/** What a link within the window offers on a right-click. */
export const linkEntries = (address: string): MenuEntries => [
  { label: newWindowLabel(), run: () => openNewWindow(address) },
  { label: 'Copy address', run: () => void copyText(new URL(address, location.href).href) },
]
