import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog } from 'electron'
import { Desktop } from './desktop.ts'
import { declareScheme } from './window.ts'

/** Host 1: Electron. A second start hands over to the first. */

app.setName('Sandbank')
declareScheme()

function start() {
  const folder = dirname(fileURLToPath(import.meta.url))
  return new Desktop(folder, process.argv.slice(app.isPackaged ? 1 : 2)).start()
}

if (app.requestSingleInstanceLock())
  Promise.resolve()
    .then(start)
    .catch((error: unknown) => {
      dialog.showErrorBox('Sandbank could not start', error instanceof Error ? error.message : String(error))
      app.exit(1)
    })
else app.quit()
