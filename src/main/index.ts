import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog } from 'electron'
import { command } from './command.ts'
import { Desktop } from './desktop.ts'
import { commandIn } from './launcher.ts'
import { filesIn, type HandedOver } from './open-file.ts'
import { declareScheme } from './window.ts'

/** Host 1: Electron. A second start hands over to the first. A command has no window, and is nobody's second start. */

const folder = dirname(fileURLToPath(import.meta.url))
const args = process.argv.slice(app.isPackaged ? 1 : 2)
const wanted = commandIn(process.argv)

app.setName('Sandbank')
declareScheme()

function start() {
  return new Desktop(folder, args).start()
}

/** Said by itself: Chromium rearranges the arguments of a second start, and adds its own. */
const handedOver = (): HandedOver => ({ files: filesIn(args).files.map((file) => resolve(file)) })

/** It is told to end by a signal, which Node or Electron hears first, or by the system as any app is. */
function onEnd(close: () => Promise<0 | 1>) {
  let ending = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit())
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (ending) return
    ending = true
    void close().then((code) => app.exit(code))
  })
}

async function runCommand(words: readonly string[]) {
  app.dock?.hide()
  const code = await command(words, { folder, onEnd })
  // Only what was said before is on its way when this is.
  if (code !== undefined) process.stdout.write('', () => app.exit(code))
}

if (wanted) void runCommand(wanted)
else if (app.requestSingleInstanceLock({ ...handedOver() }))
  Promise.resolve()
    .then(start)
    .catch((error: unknown) => {
      dialog.showErrorBox('Sandbank could not start', error instanceof Error ? error.message : String(error))
      app.exit(1)
    })
else app.quit()
