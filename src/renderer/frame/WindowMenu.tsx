import { useEffect } from 'react'
import { closeContextMenu, linkEntries, openContextMenu, useContextMenu } from '../components/context-menu.ts'
import { isDesktop } from '../data/desktop.ts'
import { findLink } from '../data/new-window.ts'
import { ContextMenu } from './late.tsx'

/** The context menu that is open, and that of links which no other part answers. */
export function WindowMenu() {
  const shown = useContextMenu((state) => state.shown)
  useEffect(() => {
    // In the desktop app the main process answers a right-click on a link.
    if (isDesktop()) return
    const onMenu = (event: MouseEvent) => {
      const address = findLink(event.target)
      if (address !== null && !event.defaultPrevented) openContextMenu(event, linkEntries(address))
    }
    document.addEventListener('contextmenu', onMenu)
    return () => document.removeEventListener('contextmenu', onMenu)
  }, [])
  return shown && <ContextMenu {...shown} onClose={closeContextMenu} />
}
