import { app, type BrowserWindow, dialog } from 'electron'

/** The questions and messages of the desktop. `undefined` means that the user cancelled. */

export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

/** An error box (`showErrorBox`) would stop the API until it is clicked. */
const showMessage = (message: string, detail: string): void =>
  void dialog.showMessageBox({ type: 'error', message, detail, buttons: ['OK'] })

export const showError = (error: unknown) => showMessage('The action failed', errorMessage(error))

export const showFileError = (line: string) => showMessage('The file was not opened', line)

/** Before the app is ready, the system has only error boxes. */
export async function showStartError(error: unknown): Promise<void> {
  const message = 'Sandbank could not start'
  const detail = errorMessage(error)
  if (app.isReady()) await dialog.showMessageBox({ type: 'error', message, detail, buttons: ['Quit'] })
  else dialog.showErrorBox(message, detail)
}

/** Returns the chosen button; the last one cancels. */
async function ask(options: {
  readonly type: 'question' | 'warning' | 'error'
  readonly message: string
  readonly detail: string
  readonly buttons: readonly string[]
  readonly defaultButton?: number
}): Promise<string | undefined> {
  const { buttons, defaultButton = 0, ...texts } = options
  const { response } = await dialog.showMessageBox({
    ...texts,
    buttons: [...buttons],
    defaultId: defaultButton,
    cancelId: buttons.length - 1,
  })
  return buttons[response]
}

/** Returns the port to try next: the same one, or the free one. */
export async function askForPort(port: number, free: number | undefined, cancel: string): Promise<number | undefined> {
  const hint =
    free === undefined ? '' : ` Port ${free} is free; it will be remembered, and your app needs the new address.`
  const button = await ask({
    type: 'question',
    message: `Port ${port} is taken by another program`,
    detail: `Sandbank's API cannot listen there.${hint}`,
    buttons: [...(free === undefined ? [] : [`Use ${free}`]), 'Try Again', cancel],
  })
  if (button === cancel) return undefined
  return button === 'Try Again' ? port : free
}

export async function askAfterFailedOpening(
  error: unknown,
  message: string,
  cancel: string,
): Promise<'retry' | 'open another' | undefined> {
  const button = await ask({
    type: 'error',
    message,
    detail: `${errorMessage(error)}\n\nNothing in it was changed.`,
    buttons: ['Try Again', 'Open Another World…', cancel],
  })
  if (button === cancel) return undefined
  return button === 'Try Again' ? 'retry' : 'open another'
}

/** Returns true if the user agrees to lose a world that is only in memory. */
export async function askToDiscardWorld(): Promise<boolean> {
  const button = await ask({
    type: 'warning',
    message: 'This world is not saved and will be lost',
    detail: 'It was started with --ephemeral. To keep it, export a bundle from Requests first.',
    buttons: ['Discard', 'Cancel'],
    defaultButton: 1,
  })
  return button === 'Discard'
}

export async function askForWorldKind(folder: string): Promise<'demo' | 'empty' | undefined> {
  const button = await ask({
    type: 'question',
    message: 'What should the new world contain?',
    detail: `Its folder is ${folder}. The demo world has Customers, accounts and a month of payments; the empty world has only a Program.`,
    buttons: ['Demo World', 'Empty World', 'Cancel'],
  })
  if (button === 'Demo World') return 'demo'
  return button === 'Empty World' ? 'empty' : undefined
}

export async function askToOpenFile(window: BrowserWindow, question: string, button: string): Promise<boolean> {
  const { response } = await dialog.showMessageBox(window, {
    message: question,
    buttons: [button, 'Cancel'],
    defaultId: 0,
    cancelId: 1,
  })
  return response === 0
}

export async function showRemarks(window: BrowserWindow, remarks: readonly string[]): Promise<void> {
  const [message, detail, buttons] = ['A note on this world', remarks.join('\n'), ['Continue']]
  await dialog.showMessageBox(window, { type: 'info', message, detail, buttons })
}

export const showRecovery = (window: BrowserWindow, remarks: readonly string[], seq: number, balanced: boolean) =>
  dialog.showMessageBox(window, {
    type: 'info',
    message: 'This world was not closed properly the last time',
    detail: `${remarks.join('\n')}\n\nEvery change that a response confirmed is there: commit ${seq}. ${balanced ? 'Both books balance.' : 'The books do not balance: see Accounts and ledger.'}`,
    buttons: ['Continue'],
  })

export const showWindowCrash = (window: BrowserWindow, reason: string) =>
  dialog.showMessageBox(window, {
    type: 'error',
    message: 'The window crashed',
    detail: `The sandbox is still running, and nothing is lost (${reason}).`,
    buttons: ['Reload Window'],
  })

export async function chooseFolder(title: string): Promise<string | undefined> {
  const { canceled, filePaths } = await dialog.showOpenDialog({
    title,
    properties: ['openDirectory', 'createDirectory'],
  })
  return canceled ? undefined : filePaths[0]
}

export async function chooseFiles(): Promise<readonly string[]> {
  const { filePaths } = await dialog.showOpenDialog({
    title: 'Open a Bundle or a Scenario',
    properties: ['openFile'],
    filters: [{ name: 'Bundles and scenarios', extensions: ['sandbank', 'yaml', 'yml'] }],
  })
  return filePaths
}
