import { type ChildProcess, spawn } from 'node:child_process'

/** Opens an address in the browser of the system. It has no key: every user of the machine can read the command line of a process. */
export function startBrowser(url: string, onError: () => void): ChildProcess {
  const [command, ...args] =
    process.platform === 'darwin' ? ['open'] : process.platform === 'win32' ? ['cmd', '/c', 'start', ''] : ['xdg-open']
  const child = spawn(command!, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', onError)
  child.unref()
  return child
}

/** A sandbox may listen on all addresses; browsers open one. `path` is that of `sandbox.open`. */
export function openingAddress(origin: string, path: string): string {
  const { hostname, port, protocol } = new URL(origin)
  const host = { '0.0.0.0': '127.0.0.1', '[::]': '[::1]' }[hostname] ?? hostname
  return `${protocol}//${host}${port && `:${port}`}${path}`
}
