// Starts the app in the folder of the first argument, as Electron's own default app does, which the package from npm lacks.
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from 'electron'

process.defaultApp = true
const folder = resolve(process.argv.slice(1).find((arg) => !arg.startsWith('-')) ?? '.')
const { version, productName, name, main } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
app.setVersion(version)
app.setName(productName ?? name)
app.setAppPath(folder)
await import(pathToFileURL(join(folder, main)).href)
