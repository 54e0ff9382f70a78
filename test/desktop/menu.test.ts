import { expect, it } from 'vitest'
import { createMenu, type MenuCommands } from '../../src/main/menu.ts'

/** The native menu of the desktop app. */

const commands = new Proxy({}, { get: () => () => {} }) as MenuCommands
const itemsOf = (platform: NodeJS.Platform) =>
  createMenu(commands, [], [{ name: 'Faults', address: '#/faults', keys: 'g f' }], platform).flatMap(
    ({ label, role, submenu }) =>
      (Array.isArray(submenu) ? submenu : []).map((item) => ({ menu: label?.replace('&', '') ?? role, ...item })),
  )
/** Roles have the shortcuts of the system: Electron adds them. */
const shortcuts = (platform: NodeJS.Platform) =>
  Object.fromEntries(
    itemsOf(platform).flatMap(({ menu, label, role, accelerator }) =>
      accelerator === undefined ? [] : [[accelerator, `${menu}: ${label ?? role}`]],
    ),
  )

it('opens each menu with Alt and a letter of its own, and shows the & of a folder', () => {
  const menus = createMenu(commands, ['/home/a/R&D'], [], 'linux')
  const letters = menus.map(({ label = '' }) => /&(\w)/.exec(label)?.[1])
  expect(letters).toEqual(['F', 'E', 'V', 'G', 'W', 'H'])
  expect(JSON.stringify(menus)).toContain('/home/a/R&&D')
})

it.each([
  [
    'linux',
    {
      'CmdOrCtrl+,': 'File: Settings…',
      'CmdOrCtrl+W': 'Window: close',
      'Alt+Left': 'Go: Back',
      'Alt+Right': 'Go: Forward',
    },
    ['quit', 'minimize', 'reload', 'resetZoom', 'zoomIn', 'zoomOut', 'togglefullscreen', 'about'],
  ],
  [
    'darwin',
    { 'CmdOrCtrl+,': 'Sandbank: Settings…', 'Cmd+[': 'Go: Back', 'Cmd+]': 'Go: Forward' },
    ['about', 'services', 'hide', 'hideOthers', 'unhide', 'quit', 'close', 'reload', 'zoomIn', 'zoomOut'],
  ],
] as const)('on %s has the usual shortcuts, each once', (platform, own, roles) => {
  expect(shortcuts(platform)).toMatchObject({
    ...own,
    'CmdOrCtrl+N': 'File: New World…',
    'CmdOrCtrl+Shift+N': 'File: New Window',
    'CmdOrCtrl+O': 'File: Open World…',
    'CmdOrCtrl+F': 'Edit: Find…',
    'CmdOrCtrl+=': 'View: zoomIn',
  })
  const items = itemsOf(platform)
  expect(items.map(({ role }) => role)).toEqual(expect.arrayContaining([...roles]))
  const all = items.flatMap(({ accelerator }) => accelerator ?? [])
  expect(all.length).toBe(new Set(all).size)
})
