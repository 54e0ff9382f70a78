import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app } from 'electron'
import { createTemporaryFolder, removeTemporaryFolder } from '../api/system/temporary-folders.ts'
import { argumentsOf, cutAfterAddress, splitArguments } from './arguments.ts'
import { runCommandLine } from './command-line.ts'
import { OptionError } from './commands/command.ts'
import { Desktop } from './desktop.ts'
import { showStartError } from './dialogs.ts'
import { resolveFile, type SecondStart } from './open-file.ts'
import { commandArguments } from './terminal-command.ts'
import { declareScheme } from './window.ts'

/** Host 1: Electron. A second start passes its files to the first one. A command opens no window. */

/** As in electron-builder.yml. */
const APP_ID = 'dev.sandbank.desktop'

const folder = dirname(fileURLToPath(import.meta.url))
const argv = cutAfterAddress(process.argv)
const args = argumentsOf(argv, process.defaultApp ?? false)
const command = commandArguments(argv)

app.setName('Sandbank')
// Windows groups windows and shows notifications by the id of the installer.
if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
declareScheme()

function start() {
  // On the other systems the package declares the scheme (electron-builder.yml).
  if (process.platform === 'win32' && app.isPackaged) app.setAsDefaultProtocolClient('sandbank')
  return new Desktop(folder, args).start()
}

/** Passed explicitly: Chromium reorders the arguments of a second start, and adds its own. */
const secondStart = (): SecondStart => ({ files: splitArguments(args).files.map(resolveFile) })

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

/** A command needs no profile of Chromium, and must not share that of an open window. */
function setTemporaryProfile() {
  const profile = createTemporaryFolder('profile')
  app.setPath('sessionData', profile)
  process.on('exit', () => removeTemporaryFolder(profile))
}

/** The arguments before the command are those of Chromium, and `--`. */
const self = { command: process.execPath, args: process.argv.slice(1, process.argv.indexOf('--') + 1) }

async function runCommand(commandArgs: readonly string[]) {
  app.dock?.hide()
  setTemporaryProfile()
  const onEnd = endOnQuit()
  const code = await runCommandLine(commandArgs, { folder, onEnd, end: () => app.quit(), self, endsWithParent: true })
  // The callback runs after everything before was written.
  if (code !== undefined) process.stdout.write('', () => app.exit(code))
}

if (command) void runCommand(command)
else if (app.requestSingleInstanceLock({ ...secondStart() }))
  Promise.resolve()
    .then(start)
    .catch(async (error: unknown) => {
      await showStartError(error)
      app.exit(error instanceof OptionError ? 2 : 1)
    })
else app.quit()
