import { callDesktop, isDesktop } from './desktop.ts'

export const NOT_SAVED = 'No file was saved'

/** Saves a text as a file: the desktop asks where, a browser has its own way. False if nothing was saved, which the user knows. */
export async function saveFile(name: string, text: string, type: string): Promise<boolean> {
  if (isDesktop()) return (await callDesktop('desk.save_file', { name, text })).saved
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser starts the download later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
  return true
}
