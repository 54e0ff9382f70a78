import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, dialog } from 'electron'
import { argumentsOf, splitArguments } from './arguments.ts'
import { runCommandLine } from './command-line.ts'
import { Desktop } from './desktop.ts'
import type { SecondStart } from './open-file.ts'
import { commandArguments } from './terminal-command.ts'
import { declareScheme } from './window.ts'

/** Host 1: Electron. A second start passes its files to the first one. A command opens no window. */

const folder = dirname(fileURLToPath(import.meta.url))
const args = argumentsOf(process.argv, process.defaultApp ?? false)
const command = commandArguments(process.argv)

app.setName('Sandbank')
declareScheme()

function start() {
  return new Desktop(folder, args).start()
}

/** Passed explicitly: Chromium reorders the arguments of a second start, and adds its own. */
const secondStart = (): SecondStart => ({ files: splitArguments(args).files.map((file) => resolve(file)) })

/** The exit code of a command that Ctrl-C or the system stops; shells use it, too. */
const INTERRUPTED = 130

/**
 * Signals end a command, and so does the system, which quits apps in its own way. Without a listener Electron exits with 0. A command
 * other than `serve` stops at once: what it writes becomes visible only when it is complete.
 */
function endOnQuit(): (close: () => Promise<number>) => void {
  let end = async () => INTERRUPTED
  let isEnding = false
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => app.quit())
  app.on('before-quit', (event) => {
    event.preventDefault()
    if (isEnding) return
    isEnding = true
    void end().then((code) => app.exit(code))
  })
  return (close) => void (end = close)
}

async function runCommand(commandArgs: readonly string[]) {
  app.dock?.hide()
  const onEnd = endOnQuit()
  const code = await runCommandLine(commandArgs, { folder, onEnd })
  // The callback runs after everything before was written.
  if (code !== undefined) process.stdout.write('', () => app.exit(code))
}

if (command) void runCommand(command)
else if (app.requestSingleInstanceLock({ ...secondStart() }))
  Promise.resolve()
    .then(start)
    .catch((error: unknown) => {
      dialog.showErrorBox('Sandbank could not start', error instanceof Error ? error.message : String(error))
      app.exit(1)
    })
else app.quit()
