import { app, type BrowserWindow, dialog } from 'electron'

/** The questions and messages of the desktop. `undefined` means that the user cancelled. */

export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

interface Question<T> {
  /** Without it the message belongs to no window. */
  readonly window?: BrowserWindow
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

async function ask<T>({ window, buttons = {}, cancel = 'Cancel', isDangerous, ...texts }: Question<T>) {
  const labels = [...Object.keys(buttons), cancel]
  const cancelId = labels.length - 1
  const options = { ...texts, buttons: labels, defaultId: isDangerous ? cancelId : 0, cancelId }
  const { response } = await (window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options))
  return buttons[labels[response] ?? cancel]
}

/** An error box (`showErrorBox`) would stop the API until it is clicked. */
const showMessage = (message: string, detail: string): void =>
  void ask({ type: 'error', message, detail, cancel: 'OK' })

export const showError = (error: unknown) => showMessage('The action failed', errorMessage(error))

export const showFileError = (line: string) => showMessage('The file was not opened', line)

/** Resolves when it is closed. */
export const showAddressError = (window: BrowserWindow, detail: string): Promise<undefined> =>
  ask<undefined>({ window, type: 'error', message: 'The address was not opened', detail, cancel: 'OK' })

/** Before the app is ready, the system has only error boxes. */
export async function showStartError(error: unknown): Promise<void> {
  const message = 'Sandbank could not start'
  const detail = errorMessage(error)
  if (app.isReady()) await ask({ type: 'error', message, detail, cancel: 'Quit' })
  else dialog.showErrorBox(message, detail)
}

/** Returns the port to try next: the same one, or the free one. */
export function askForPort(port: number, free: number | undefined, cancel: string): Promise<number | undefined> {
  const hint =
    free === undefined ? '' : ` Port ${free} is free; it will be remembered, and your app needs the new address.`
  return ask({
    type: 'question',
    message: `Port ${port} is taken by another program`,
    detail: `Sandbank's API cannot listen there.${hint}`,
    buttons: { ...(free === undefined ? {} : { [`Use ${free}`]: free }), 'Try Again': port },
    cancel,
  })
}

export const askAfterFailedOpening = (error: unknown, message: string, cancel: string) =>
  ask({
    type: 'error',
    message,
    detail: `${errorMessage(error)}\n\nNothing in it was changed.`,
    buttons: { 'Try Again': 'retry', 'Open Another World…': 'open another' } as const,
    cancel,
  })

/** Returns true if the user agrees to lose a world that is only in memory. */
export const askToDiscardWorld = () =>
  ask({
    type: 'warning',
    message: 'This world is not saved and will be lost',
    detail: 'It was started with --ephemeral. To keep it, export a bundle from Requests first.',
    buttons: { Discard: true },
    isDangerous: true,
  })

export const askForWorldKind = (folder: string) =>
  ask({
    type: 'question',
    message: 'What should the new world contain?',
    detail: `Its folder is ${folder}. The demo world has Customers, accounts and a month of payments; the empty world has only a Program.`,
    buttons: { 'Demo World': 'demo', 'Empty World': 'empty' } as const,
  })

export const askToOpenFile = async (window: BrowserWindow, message: string, button: string): Promise<boolean> =>
  (await ask({ window, message, buttons: { [button]: true } })) === true

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

export async function chooseFolder(title: string): Promise<string | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    title,
    properties: ['openDirectory', 'createDirectory'],
  })
  return canceled ? undefined : filePaths[0]
}

export async function chooseFileToSave(window: BrowserWindow, defaultPath: string): Promise<string | undefined> {
  const { canceled, filePath } = await dialog.showSaveDialog(window, { defaultPath })
  return canceled || filePath === '' ? undefined : filePath
}

export async function chooseFiles(): Promise<readonly string[]> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Open a Bundle or a Scenario',
    properties: ['openFile'],
    filters: [{ name: 'Bundles and scenarios', extensions: ['sandbank', 'yaml', 'yml'] }],
  })
  return filePaths
}
