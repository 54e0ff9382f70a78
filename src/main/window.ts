import { join } from 'node:path'
import { BrowserWindow } from 'electron'

/** The one window: isolated, sandboxed, and unable to go anywhere else. */
export function openWindow(folder: string): BrowserWindow {
  const window = new BrowserWindow({
    width: 1440,
    height: 900,
    minWidth: 320,
    minHeight: 480,
    title: 'Sandbank',
    webPreferences: {
      preload: join(folder, '../preload/index.cjs'),
      contextIsolation: true,
      sandbox: true,
      nodeIntegration: false,
    },
  })
  window.webContents.on('will-navigate', (event) => event.preventDefault())
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }))
  window.webContents.session.setPermissionRequestHandler((_contents, permission, decide) =>
    decide(permission === 'clipboard-sanitized-write'),
  )
  void window.loadFile(join(folder, '../renderer/index.html'))
  return window
}
