// npm run openapi: writes the contract to resources/openapi.json, and the format of scenarios to resources/scenario.schema.json.
import { join } from 'node:path'
import { load, staleFiles, writeFiles } from './generated.mjs'
import { root } from './prepare.mjs'

const print = (document) => `${JSON.stringify(document, null, 2)}\n`

const documents = {
  'resources/openapi.json': async () => {
    const { createOpenApi } = await load('src/api/contract/openapi.ts')
    const { endpoints } = await load('src/api/contract/endpoints.ts')
    return print(createOpenApi(endpoints))
  },
  'resources/scenario.schema.json': async () => print((await load('src/api/http/scenario-schema.ts')).scenarioSchema()),
}

/** The documents that differ from the code. */
export const staleDocuments = async () =>
  (await staleFiles(documents)).map((path) => `${path} is out of date: run npm run openapi`)

if (process.argv[1] === join(root, 'scripts', 'openapi.mjs')) await writeFiles(documents)
