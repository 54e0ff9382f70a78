import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { writePrivateFile } from '../api/system/private-files.ts'
import { createTemporaryFolder, removeTemporaryFolder } from '../api/system/temporary-folders.ts'

/** How long the browser has to read the file. */
export const REDIRECT_MS = 60_000

interface BrowserStart {
  /** Opens an address in the system's browser. */
  start(url: string): void
  /** Runs `work` later, unless the process ends before. */
  after(ms: number, work: () => void): void
}

/**
 * The browser gets a file that redirects to the window: every user of the machine can read the command line of a process, and the
 * address has the control key.
 */
export function openBrowser(address: string, { start, after }: BrowserStart) {
  const folder = createTemporaryFolder('open')
  const file = join(folder, 'open.html')
  writeRedirect(file, address)
  const remove = () => removeTemporaryFolder(folder)
  process.once('exit', remove)
  after(REDIRECT_MS, () => {
    process.off('exit', remove)
    remove()
  })
  start(pathToFileURL(file).href)
}

/** A page that only its owner can read. */
export function writeRedirect(file: string, address: string) {
  const page = `<!doctype html><meta charset="utf-8"><title>Sandbank</title><meta http-equiv="refresh" content="0; url=${address}">`
  writePrivateFile(file, page)
}

/** Opens an address in the browser of the system. */
export function startBrowser(url: string, onError: () => void): ChildProcess {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', onError)
  child.unref()
  return child
}
