// Runs the script of the package electron, which downloads its binary, with the proxy of the environment, and shows what the download does.
import { proxySettings, watchFetch } from './fetch-electron.mjs'

Object.assign(process.env, proxySettings(process.env))
globalThis.fetch = watchFetch(globalThis.fetch)
await import('../node_modules/electron/install.js')
