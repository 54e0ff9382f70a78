// npm run openapi: writes the contract to resources/openapi.json, and the format of scenarios to resources/scenario.schema.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './prepare.mjs'

async function load(file) {
  const path = join(root, 'src', 'api', file)
  const { module } = await runnerImport(path, { root, configFile: false, logLevel: 'error' })
  return module
}

const documents = {
  'resources/openapi.json': async () => {
    const { createOpenApi } = await load('contract/openapi.ts')
    const { endpoints } = await load('contract/endpoints.ts')
    return createOpenApi(endpoints)
  },
  'resources/scenario.schema.json': async () => (await load('http/scenario-schema.ts')).scenarioSchema(),
}

const print = (document) => `${JSON.stringify(document, null, 2)}\n`

/** The documents that differ from the code. */
export async function staleDocuments() {
  const stale = []
  for (const [path, create] of Object.entries(documents))
    try {
      if (readFileSync(join(root, path), 'utf8') !== print(await create())) stale.push(path)
    } catch {
      stale.push(path)
    }
  return stale.map((path) => `${path} is out of date: run npm run openapi`)
}

if (process.argv[1] === join(root, 'scripts', 'openapi.mjs'))
  for (const [path, create] of Object.entries(documents)) {
    writeFileSync(join(root, path), print(await create()))
    console.log(`${path} is written`)
  }
