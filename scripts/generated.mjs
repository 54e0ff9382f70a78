// Modules of the sources, and the files that are generated from them.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './prepare.mjs'

/** A TypeScript module of this project, by its path in parts. */
export async function load(...path) {
  const { module } = await runnerImport(join(root, ...path), { root, configFile: false, logLevel: 'error' })
  return module
}

/** Of files with functions that return their text, those that differ from it. */
export async function staleFiles(files) {
  const stale = []
  for (const [path, create] of Object.entries(files)) {
    const file = join(root, path)
    if (!existsSync(file) || readFileSync(file, 'utf8') !== (await create())) stale.push(path)
  }
  return stale
}

/** What a script does that was not imported: writes its files. */
export async function writeFiles(files) {
  for (const [path, create] of Object.entries(files)) {
    writeFileSync(join(root, path), await create())
    console.log(`${path} is written`)
  }
}
