import type { BrowserWindow } from 'electron'
import { chooseNewFile } from './dialogs.ts'
import { saveFile } from './save-file.ts'

/** Prints the page of a window, on paper or into a file. */

const options = { printBackground: true } as const

/** Rejects if the printer fails; not if the user cancels. */
export const printPage = ({ webContents }: BrowserWindow): Promise<void> =>
  new Promise((resolve, reject) => {
    webContents.print(options, (isDone, reason) => {
      if (isDone || /cancel/i.test(reason)) resolve()
      else reject(new Error(`The page was not printed: ${reason}`))
    })
  })

export async function savePageAsPdf(window: BrowserWindow): Promise<void> {
  const { webContents } = window
  const name = `${webContents
    .getTitle()
    .replaceAll(/[^\p{L}\p{N}-]+/gu, ' ')
    .trim()}.pdf`
  const path = await chooseNewFile(window, name)
  if (path === undefined || webContents.isDestroyed()) return
  const bytes = await webContents.printToPDF({ ...options, generateTaggedPDF: true })
  await saveFile(path, bytes)
}
