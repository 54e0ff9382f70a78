// npm run openapi: writes the contract to resources/openapi.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './prepare.mjs'

const path = join(root, 'resources', 'openapi.json')

export async function printOpenapi() {
  const load = async (file) => {
    const path = join(root, 'src', 'api', 'contract', file)
    const { module } = await runnerImport(path, { root, configFile: false, logLevel: 'error' })
    return module
  }
  const { createOpenApi } = await load('openapi.ts')
  const { endpoints } = await load('endpoints.ts')
  return `${JSON.stringify(createOpenApi(endpoints), null, 2)}\n`
}

export async function isFresh() {
  try {
    return readFileSync(path, 'utf8') === (await printOpenapi())
  } catch {
    return false
  }
}

if (process.argv[1] === join(root, 'scripts', 'openapi.mjs')) {
  writeFileSync(path, await printOpenapi())
  console.log('resources/openapi.json is written')
}
