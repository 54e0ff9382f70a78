import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog, ipcMain } from 'electron'
import { version } from '../../package.json' with { type: 'json' }
import { openSandbox } from '../api/sandbox.ts'
import { serveWindow } from './ipc.ts'
import { sandboxOptions, serveOptions } from './options.ts'
import { openWindow } from './window.ts'

/** Host 1: Electron. What it runs is what the plain Node host runs; only the window and its bridge are its own. */

const folder = dirname(fileURLToPath(import.meta.url))
const library = join(folder, '../../resources/scenarios')

async function run() {
  const args = process.argv.slice(app.isPackaged ? 1 : 2)
  await app.whenReady()
  const tell = (line: string) => void process.stderr.write(`${line}\n`)
  const sandbox = await openSandbox({ ...sandboxOptions(serveOptions(args), process.env), version, library, tell })
  const window = openWindow(folder)
  serveWindow(ipcMain, window.webContents, sandbox)
  app.on('second-instance', () => {
    if (window.isMinimized()) window.restore()
    window.focus()
  })

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
