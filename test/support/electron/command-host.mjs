// Runs a command of the built main process in a process of its own: node command-host.mjs -- run …
// `app` quits and exits as Electron's does; nothing else of Electron may be used by a command.
import { EventEmitter } from 'node:events'
import { createRequire } from 'node:module'

const { importWithElectron } = createRequire(import.meta.url)('./native.cjs')

const events = new EventEmitter()
const app = {
  setName: () => {},
  setPath: () => {},
  setAppUserModelId: () => {},
  dock: undefined,
  whenReady: async () => {},
  on: (name, listener) => events.on(name, listener),
  quit: () => {
    let isPrevented = false
    events.emit('before-quit', {
      preventDefault: () => {
        isPrevented = true
      },
    })
    // Electron exits with 0, whatever stopped it.
    if (!isPrevented) process.exit(0)
  },
  exit: (code = 0) => process.exit(code),
}
const protocol = { registerSchemesAsPrivileged: () => {} }

await importWithElectron(new URL('../../../out/main/index.js', import.meta.url).href, { app, protocol })
