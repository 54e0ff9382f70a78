import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { app, crashReporter } from 'electron'
import { argumentsOf, cutAfterAddress, splitArguments } from './arguments.ts'
import { OptionError } from './commands/command.ts'
import { Desktop } from './desktop.ts'
import { errorMessage, showStartError } from './dialogs.ts'
import { LogFile } from './log-file.ts'
import { resolveFile, type SecondStart } from './open-file.ts'
import { declareScheme } from './window.ts'

/** Host 1: Electron, with its windows. A second start passes its files to the first one. */

/** As in electron-builder.yml. */
const APP_ID = 'dev.sandbank.desktop'

const folder = dirname(fileURLToPath(import.meta.url))
const args = argumentsOf(cutAfterAddress(process.argv), process.defaultApp ?? false)

app.setName('Sandbank')
// Windows groups windows and shows notifications by the id of the installer.
if (process.platform === 'win32') app.setAppUserModelId(APP_ID)
declareScheme()
quitOnSignals()

/** Beside the log, and only there. If the folder cannot be made, the app starts without them. */
function keepCrashReports() {
  const logs = app.getPath('logs')
  const folder = join(logs, 'crashes')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    app.setPath('crashDumps', folder)
    crashReporter.start({ uploadToServer: false })
  } catch (error) {
    new LogFile(logs).write(`There will be no crash reports: ${errorMessage(error)}`)
  }
}

function start() {
  endWithStarter()
  keepCrashReports()
  // On the other systems the package declares the scheme (electron-builder.yml). The portable app runs from the temporary folder.
  if (process.platform === 'win32' && app.isPackaged && !process.env.PORTABLE_EXECUTABLE_FILE)
    app.setAsDefaultProtocolClient('sandbank')
  return new Desktop(folder, args).start()
}

/** `npm start` ends the app by closing its channel, as its own end does. The channel may be closed before this code runs. */
function endWithStarter() {
  process.once('disconnect', () => app.quit())
  if (process.connected === false) app.quit()
}

/** Passed explicitly: Chromium reorders the arguments of a second start, and adds its own. */
function secondStart(): SecondStart {
  const { files, options } = splitArguments(args)
  return { files: files.map((file) => resolveFile(file)), options: [...options] }
}

/** Electron ends the process at a second signal, while the first one still closes the world. It takes the signals over until it is ready. */
function quitOnSignals() {
  const quit = () => app.quit()
  const listen = () => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.off(signal, quit).on(signal, quit)
  }
  listen()
  void app.whenReady().then(listen)
}

if (app.requestSingleInstanceLock({ ...secondStart() }))
  Promise.resolve()
    .then(start)
    .catch(async (error: unknown) => {
      await showStartError(error)
      app.exit(error instanceof OptionError ? 2 : 1)
    })
else app.quit()
