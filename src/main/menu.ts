import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { MenuPlace } from '../api/contract/desktop.ts'

/** The native menu. It shows the window's keyboard shortcuts, which the window itself handles. */

export interface MenuCommands {
  newWorld(): void
  openWorld(): void
  openRecent(folder: string): void
  openFile(): void
  showFolder(): void
  go(address: string): void
  find(): void
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
  // As the role `editMenu`, which has no Find.
  const edit: Items = [
    { role: 'undo' },
    { role: 'redo' },
    divider,
    { role: 'cut' },
    { role: 'copy' },
    { role: 'paste' },
    { role: 'delete' },
    { role: 'selectAll' },
    divider,
    { label: 'Find…', accelerator: 'CmdOrCtrl+F', click: commands.find },
  ]
  const go: Items = places.map(({ name, address, keys }) => ({
    label: keys === '' ? name : `${name}    ${keys}`,
    click: () => commands.go(address),
  }))
  return [
    ...(isMac ? [{ role: 'appMenu' } as const] : []),
    { label: 'File', submenu: file },
    { label: 'Edit', submenu: edit },
    {
      label: 'View',
      submenu: [
        { role: 'reload' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        { role: 'zoomOut' },
        divider,
        { role: 'togglefullscreen' },
        divider,
        { role: 'toggleDevTools' },
      ],
    },
    { label: 'Go', enabled: go.length > 0, submenu: go },
    { role: 'windowMenu' },
    { role: 'help', submenu: [...(isMac ? [] : [{ role: 'about' } as const])] },
  ]
}

/** What a right click offers: Electron has no context menu of its own. */
export function createContextMenu(
  { editFlags, isEditable, linkURL, selectionText }: ContextMenuParams,
  copyText: (text: string) => void,
): Items {
  const hasText = selectionText.trim() !== ''
  return [
    ...(isEditable ? [{ role: 'cut', enabled: editFlags.canCut } as const] : []),
    ...(isEditable || hasText ? [{ role: 'copy', enabled: editFlags.canCopy } as const] : []),
    ...(isEditable ? [{ role: 'paste', enabled: editFlags.canPaste } as const] : []),
    ...(isEditable ? [{ role: 'selectAll', enabled: editFlags.canSelectAll } as const] : []),
    ...(linkURL === '' ? [] : [{ label: 'Copy Address', click: () => copyText(addressOf(linkURL)) }]),
  ]
}

/** A page of the window is copied as `#/transfers`, as the key `y` copies it. */
const addressOf = (url: string) => (url.startsWith('app:') && url.includes('#') ? url.slice(url.indexOf('#')) : url)
