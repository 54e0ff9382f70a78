// npm run openapi: prints the contract into resources/openapi.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runnerImport } from 'vite'
import { root } from './prepare.mjs'

const path = join(root, 'resources', 'openapi.json')

export async function printed() {
  const contract = join(root, 'src', 'api', 'contract')
  const { module } = await runnerImport(join(contract, 'openapi.ts'), { root, configFile: false, logLevel: 'error' })
  const { module: table } = await runnerImport(join(contract, 'endpoints.ts'), {
    root,
    configFile: false,
    logLevel: 'error',
  })
  return `${JSON.stringify(module.openapi(table.endpoints), null, 2)}\n`
}

export async function isFresh() {
  try {
    return readFileSync(path, 'utf8') === (await printed())
  } catch {
    return false
  }
}

if (process.argv[1] === join(root, 'scripts', 'openapi.mjs')) {
  writeFileSync(path, await printed())
  console.log('resources/openapi.json is written')
}
