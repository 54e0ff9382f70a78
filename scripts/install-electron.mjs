// Runs the script of the package electron, which downloads its binary, and shows what the download does.
import { watchFetch } from './fetch-electron.mjs'

globalThis.fetch = watchFetch(globalThis.fetch)
await import('../node_modules/electron/install.js')
