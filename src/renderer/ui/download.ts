/** Hands a file over to whoever sits before the window. */
export function downloadFile(name: string, text: string, type: string) {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser takes its time to begin.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
