import { join } from 'node:path'
import { app, type BrowserWindow, dialog, type OpenDialogOptions } from 'electron'

/** Of the window that was used last; absent before there is one. */
type Parent = BrowserWindow | undefined

/** The questions and messages of the desktop. `undefined` means that the user cancelled. */

export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

interface Question<T> {
  /** Without it the message belongs to no window. */
  readonly window?: Parent
  readonly type?: 'question' | 'warning' | 'error' | 'info'
  readonly message: string
  readonly detail?: string
  /** What each button means. */
  readonly buttons?: Readonly<Record<string, T>>
  /** The last button. */
  readonly cancel?: string
  /** Enter cancels. */
  readonly isDangerous?: boolean
}

/** Is told each error that is shown. */
let logError = (_line: string) => {}
/** Cancels what is open: the app quits. macOS does so only for a dialog of a window. */
let quits = new AbortController().signal
export const prepareDialogs = (log: (line: string) => void, signal: AbortSignal) => {
  logError = log
  quits = signal
}

async function ask<T>({ window, buttons = {}, cancel = 'Cancel', isDangerous, ...texts }: Question<T>) {
  const labels = [...Object.keys(buttons), cancel]
  const cancelId = labels.length - 1
  const options = { ...texts, buttons: labels, defaultId: isDangerous ? cancelId : 0, cancelId, signal: quits }
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options))
  return buttons[labels[response] ?? cancel]
}

/** An error box (`showErrorBox`) would stop the API until it is clicked. */
function showMessage(message: string, detail: string, type: 'error' | 'info' = 'error'): void {
  if (type === 'error') logError(`${message}: ${detail}`)
  void ask({ type, message, detail, cancel: 'OK' })
}

export const showError = (error: unknown) => showMessage('The action failed', errorMessage(error))

export const showFileError = (line: string) => showMessage('The file was not opened', line)

export const showSaveError = (error: unknown) => showMessage('The file was not saved', errorMessage(error))

/** `data`: the folder of the open world. */
export const showUnusedOptions = (options: readonly string[], data: string | null) =>
  showMessage(
    'Sandbank is already open',
    `Its world is ${data === null ? 'in memory' : `in ${data}`}. Not used: ${options.join(' ')}. Quit it first, or choose another world in File and another port in Settings.`,
    'info',
  )
/** Resolves when it is closed. */
export const showAddressError = (window: BrowserWindow, detail: string): Promise<undefined> =>
  ask<undefined>({ window, type: 'error', message: 'The address was not opened', detail, cancel: 'OK' })

/** Before the app is ready, the system has only error boxes. */
export async function showStartError(error: unknown): Promise<void> {
  const message = 'Sandbank could not start'
  const detail = errorMessage(error)
  logError(`${message}: ${detail}`)
  if (app.isReady()) await ask({ type: 'error', message, detail, cancel: 'Quit' })
  else dialog.showErrorBox(message, detail)
}

/** Returns the port to try next: the same one, or the free one. */
export function askForPort(
  window: Parent,
  port: number,
  free: number | undefined,
  cancel: string,
): Promise<number | undefined> {
  const hint =
    free === undefined ? '' : ` Port ${free} is free; it will be remembered, and your app needs the new address.`
  return ask({
    window,
    type: 'question',
    message: `Port ${port} is taken by another program`,
    detail: `Sandbank's API cannot listen there.${hint}`,
    buttons: { ...(free === undefined ? {} : { [`Use ${free}`]: free }), 'Try Again': port },
    cancel,
  })
}

export const askAfterFailedOpening = (window: Parent, error: unknown, message: string, cancel: string) =>
  ask({
    window,
    type: 'error',
    message,
    detail: `${errorMessage(error)}\n\nNothing in it was changed.`,
    buttons: { 'Try Again': 'retry', 'Open Another World…': 'open another' } as const,
    cancel,
  })

/** Returns true if the user agrees to lose a world that is only in memory. */
export const askToDiscardWorld = (window: Parent) =>
  ask({
    window,
    type: 'warning',
    message: 'This world is not saved and will be lost',
    detail: 'It was started with --ephemeral. To keep it, export a bundle from Requests first.',
    buttons: { Discard: true },
    isDangerous: true,
  })

export const askForWorldKind = (window: Parent, folder: string) =>
  ask({
    window,
    type: 'question',
    message: 'What should the new world contain?',
    detail: `Its folder is ${folder}. The demo world has Customers, accounts and a month of payments; the empty world has only a Program.`,
    buttons: { 'Demo World': 'demo', 'Empty World': 'empty' } as const,
  })

export const askToOpenFile = async (
  window: BrowserWindow,
  message: string,
  button: string,
  isDangerous: boolean,
): Promise<boolean> => (await ask({ window, message, buttons: { [button]: true }, isDangerous })) === true

export async function showRemarks(window: BrowserWindow, remarks: readonly string[]): Promise<void> {
  await ask({ window, type: 'info', message: 'A note on this world', detail: remarks.join('\n'), cancel: 'Continue' })
}

export const showRecovery = (window: BrowserWindow, remarks: readonly string[], seq: number, balanced: boolean) =>
  ask({
    window,
    type: 'info',
    message: 'This world was not closed properly the last time',
    detail: `${remarks.join('\n')}\n\nEvery change that a response confirmed is there: commit ${seq}. ${balanced ? 'Both books balance.' : 'The books do not balance: see Accounts and ledger.'}`,
    cancel: 'Continue',
  })

export const showWindowCrash = (window: BrowserWindow, reason: string) =>
  ask({
    window,
    type: 'error',
    message: 'The window crashed',
    detail: `The sandbox is still running, and nothing is lost (${reason}).`,
    cancel: 'Reload Window',
  })

/** Electron cannot cancel it: nothing waits for it once the app quits. */
function choose(window: Parent, options: OpenDialogOptions) {
  const quit = new Promise<{ canceled: boolean; filePaths: string[] }>((resolve) =>
    quits.addEventListener('abort', () => resolve({ canceled: true, filePaths: [] })),
  )
  return Promise.race([window ? dialog.showOpenDialog(window, options) : dialog.showOpenDialog(options), quit])
}

export async function chooseFolder(window: Parent, title: string): Promise<string | undefined> {
  const { canceled, filePaths } = await choose(window, {
    title,
    // Without it GTK begins in the list of recent files, where no folder can be made.
    defaultPath: app.getPath('home'),
    properties: ['openDirectory', 'createDirectory'],
  })
  return canceled ? undefined : filePaths[0]
}

export async function chooseFiles(window: Parent): Promise<readonly string[]> {
  const { filePaths } = await choose(window, {
    title: 'Open a Bundle or a Scenario',
    properties: ['openFile'],
    filters: [{ name: 'Bundles and scenarios', extensions: ['sandbank', 'yaml', 'yml'] }],
  })
  return filePaths
}

/** Returns whether it has a picture of each window. */
export async function askForReport(window: Parent): Promise<boolean | undefined> {
  const answer = await ask({
    window,
    type: 'question',
    message: 'Save a report for an issue?',
    detail:
      'A zip file on this computer, with the versions and settings of the app, the check of the data folder and the log of the app. Nothing is sent. Keys, tokens and Social Security numbers are removed, personal data of the open world is replaced as in a bundle, and your home folder is shown as ~; names of other folders stay, and what the log says of worlds that were open before. In the pictures of the windows nothing is masked.',
    buttons: { 'Save without Pictures…': 'without', 'Save with Pictures…': 'with' } as const,
  })
  return answer && answer === 'with'
}

/** Where to save a file that has this name by default. */
export async function chooseNewFile(window: Parent, name: string): Promise<string | undefined> {
  const options = { title: `Save ${name}`, defaultPath: join(app.getPath('downloads'), name) }
  const { canceled, filePath } = await (window
    ? dialog.showSaveDialog(window, options)
    : dialog.showSaveDialog(options))
  return canceled ? undefined : filePath
}
