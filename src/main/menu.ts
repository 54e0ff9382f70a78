import type { ContextMenuParams, MenuItemConstructorOptions } from 'electron'
import type { ContextMenuItem, MenuPlace } from '../api/contract/desktop.ts'

/** The native menu. It shows the window's keyboard shortcuts, which the window itself handles. */

type Command =
  | 'newWindow'
  | 'newWorld'
  | 'openWorld'
  | 'openFile'
  | 'showFolder'
  | 'print'
  | 'savePdf'
  | 'find'
  | 'back'
  | 'forward'
  | 'saveReport'
  | 'showLogs'
export type MenuCommands = Readonly<Record<Command, () => void> & Record<'openRecent' | 'go', (place: string) => void>>

type Items = MenuItemConstructorOptions[]

export function createMenu(
  commands: MenuCommands,
  recent: readonly string[],
  places: readonly MenuPlace[],
  platform = process.platform,
): Items {
  const isMac = platform === 'darwin'
  const divider = { type: 'separator' } as const
  const settings = { label: 'Settings…', accelerator: 'CmdOrCtrl+,', click: () => commands.go('#/settings') }
  // As the role `appMenu`, which has no Settings.
  const app: Items = [
    { role: 'about' },
    divider,
    settings,
    divider,
    { role: 'services' },
    divider,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    divider,
    { role: 'quit' },
  ]
  const file: Items = [
    { label: 'New Window', accelerator: 'CmdOrCtrl+Shift+N', click: commands.newWindow },
    divider,
    { label: 'New World…', accelerator: 'CmdOrCtrl+N', click: commands.newWorld },
    { label: 'Open World…', accelerator: 'CmdOrCtrl+O', click: commands.openWorld },
    {
      label: 'Recent Worlds',
      enabled: recent.length > 0,
      submenu: recent.map((folder) => ({ label: plain(folder), click: () => commands.openRecent(folder) })),
    },
    divider,
    { label: 'Open Bundle or Scenario…', accelerator: 'CmdOrCtrl+Shift+O', click: commands.openFile },
    divider,
    { label: 'Open Data Folder', click: commands.showFolder },
    divider,
    { label: 'Print…', accelerator: 'CmdOrCtrl+P', click: commands.print },
    { label: 'Save as PDF…', click: commands.savePdf },
    divider,
    ...(isMac ? [{ role: 'close' } as const] : [settings, divider, { role: 'quit' } as const]),
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
  const go: Items = [
    { label: 'Back', accelerator: isMac ? 'Cmd+[' : 'Alt+Left', click: commands.back },
    { label: 'Forward', accelerator: isMac ? 'Cmd+]' : 'Alt+Right', click: commands.forward },
    divider,
    ...places.map(({ name, address, keys }) => ({
      label: plain(keys === '' ? name : `${name}    ${keys}`),
      click: () => commands.go(address),
    })),
  ]
  return [
    ...(isMac ? [{ label: 'Sandbank', submenu: app }] : []),
    // Alt and the letter after & opens a menu; macOS leaves it out.
    { label: '&File', submenu: file },
    { label: '&Edit', submenu: edit },
    {
      label: '&View',
      submenu: [
        { role: 'reload' },
        { role: 'resetZoom' },
        { role: 'zoomIn' },
        // The same key without Shift.
        { role: 'zoomIn', accelerator: 'CmdOrCtrl+=', visible: false },
        { role: 'zoomOut' },
        divider,
        { role: 'togglefullscreen' },
        divider,
        { role: 'toggleDevTools' },
      ],
    },
    { label: '&Go', enabled: places.length > 0, submenu: go },
    isMac
      ? { role: 'windowMenu' }
      : { label: '&Window', submenu: [{ role: 'minimize' }, { role: 'close', accelerator: 'CmdOrCtrl+W' }] },
    {
      label: '&Help',
      role: 'help',
      submenu: [
        { label: 'Save a Report…', click: commands.saveReport },
        { label: 'Open Logs and Crash Reports', click: commands.showLogs },
        ...(isMac ? [] : [divider, { role: 'about' } as const]),
      ],
    },
  ]
}

/** A label with an & that is shown. */
const plain = (label: string) => label.replaceAll('&', '&&')

interface ContextCommands {
  copyText(text: string): unknown
  /** Absent for a link that leads out of the app. */
  openPage?(address: string): void
}

/** What a right click offers where the page does not show a menu: Electron has no context menu of its own. */
export function createContextMenu(
  { editFlags, isEditable, linkURL, selectionText }: ContextMenuParams,
  commands: ContextCommands,
): Items {
  const { copyText, openPage } = commands
  const hasText = selectionText.trim() !== ''
  return [
    ...(isEditable ? [{ role: 'cut', enabled: editFlags.canCut } as const] : []),
    ...(isEditable || hasText ? [{ role: 'copy', enabled: editFlags.canCopy } as const] : []),
    ...(isEditable ? [{ role: 'paste', enabled: editFlags.canPaste } as const] : []),
    ...(isEditable ? [{ role: 'selectAll', enabled: editFlags.canSelectAll } as const] : []),
    ...(openPage ? [{ label: 'Open in New Window', click: () => openPage(linkURL) }] : []),
    ...(linkURL === '' ? [] : [{ label: 'Copy Address', click: () => copyText(addressOf(linkURL)) }]),
  ]
}

/** The menu that a page asks for. */
export const createPageMenu = (
  items: readonly (ContextMenuItem | null)[],
  onClick: (position: number) => void,
): Items =>
  items.map((item, position) =>
    item === null
      ? { type: 'separator' }
      : {
          label: plain(item.label),
          click: () => onClick(position),
          ...(item.keys ? { accelerator: item.keys, registerAccelerator: false } : {}),
        },
  )

/** A page of the window is copied as `#/transfers`, as the key `y` copies it. */
const addressOf = (url: string) => (url.startsWith('app:') && url.includes('#') ? url.slice(url.indexOf('#')) : url)
