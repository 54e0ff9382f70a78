/** Lets the browser save a text as a file. */
export function downloadFile(name: string, text: string, type: string) {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser starts the download later.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
