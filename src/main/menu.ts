import type { MenuItemConstructorOptions } from 'electron'
import type { MenuPlace } from '../api/contract/desktop.ts'

/** The native menu. It shows the window's keyboard shortcuts, which the window itself handles. */

export interface MenuCommands {
  newWorld(): void
  openWorld(): void
  openRecent(folder: string): void
  openFile(): void
  showFolder(): void
  go(address: string): void
}

type Items = MenuItemConstructorOptions[]

export function createMenu(
  commands: MenuCommands,
  recent: readonly string[],
  places: readonly MenuPlace[],
  platform = process.platform,
): Items {
  const isMac = platform === 'darwin'
  const divider = { type: 'separator' } as const
  const file: Items = [
    { label: 'New World…', accelerator: 'CmdOrCtrl+N', click: commands.newWorld },
    { label: 'Open World…', accelerator: 'CmdOrCtrl+O', click: commands.openWorld },
    {
      label: 'Recent Worlds',
      enabled: recent.length > 0,
      submenu: recent.map((folder) => ({ label: folder, click: () => commands.openRecent(folder) })),
    },
    divider,
    { label: 'Open Bundle or Scenario…', accelerator: 'CmdOrCtrl+Shift+O', click: commands.openFile },
    divider,
    { label: 'Open Data Folder', click: commands.showFolder },
    divider,
    isMac ? { role: 'close' } : { role: 'quit' },
  ]
  const go: Items = places.map(({ name, address, keys }) => ({
    label: keys === '' ? name : `${name}    ${keys}`,
    click: () => commands.go(address),
  }))
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: file },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        divider,
        { role: 'togglefullscreen' },
      ],
    },
    { label: 'Go', enabled: go.length > 0, submenu: go },
    { role: 'windowMenu' },
    { role: 'help', submenu: [...(isMac ? [] : [{ role: 'about' } as const])] },
  ]
}
