import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog, ipcMain } from 'electron'
import { version } from '../../package.json' with { type: 'json' }
import { openSandbox } from '../api/sandbox.ts'
import { serveWindow } from './ipc.ts'
import { bundlesIn, openBundle } from './open-bundle.ts'
import { sandboxOptions, serveOptions } from './options.ts'
import { openWindow } from './window.ts'

/** Host 1: Electron. What it runs is what the plain Node host runs; only the window and its bridge are its own. */

const folder = dirname(fileURLToPath(import.meta.url))
const library = join(folder, '../../resources/scenarios')

async function run() {
  const args = process.argv.slice(app.isPackaged ? 1 : 2)
  await app.whenReady()
  const tell = (line: string) => void process.stderr.write(`${line}\n`)
  const { bundles, options } = bundlesIn(args)
  const sandbox = await openSandbox({ ...sandboxOptions(serveOptions(options), process.env), version, library, tell })
  const window = openWindow(folder)
  serveWindow(ipcMain, window.webContents, sandbox)
  const open = (path: string) =>
    openBundle(path, {
      call: sandbox.call,
      ask: async (message) =>
        (await dialog.showMessageBox(window, { message, buttons: ['Open', 'Cancel'] })).response === 0,
      complain: (line) => dialog.showErrorBox('The bundle was not opened', line),
    })
  app.on('second-instance', (_event, argv, folder) => {
    if (window.isMinimized()) window.restore()
    window.focus()
    for (const path of bundlesIn(argv.slice(1)).bundles) void open(resolve(folder, path))
  })
  // macOS hands files over in this way.
  app.on('open-file', (event, path) => {
    event.preventDefault()
    void open(path)
  })
  for (const path of bundles) void open(path)

  let closed = false
  app.on('window-all-closed', () => app.quit())
  app.on('before-quit', (event) => {
    if (closed) return
    event.preventDefault()
    void sandbox.close().finally(() => {
      closed = true
      app.quit()
    })
  })
}

if (app.requestSingleInstanceLock()) {
  run().catch((error: unknown) => {
    dialog.showErrorBox('Sandbank could not start', error instanceof Error ? error.message : String(error))
    app.exit(1)
  })
} else app.quit()
