// npm run openapi: writes what follows from the contract: resources/openapi.json, the format of scenarios in
// resources/scenario.schema.json, and src/api/store/form.ts, from which a start sees that a data folder has another form.
import { createHash } from 'node:crypto'
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
  'src/api/store/form.ts': async () => {
    const { storedForm } = await load('src/api/replay/bundles/stored-fields.ts')
    const digest = createHash('sha256').update(JSON.stringify(storedForm())).digest('hex').slice(0, 8)
    return `// Written by npm run openapi: a digest of the schemas of all that is stored.\nexport const STORED_FORM = '${digest}'\n`
  },
}

/** The documents that differ from the code. */
export const staleDocuments = async () =>
  (await staleFiles(documents)).map((path) => `${path} is out of date: run npm run openapi`)

if (process.argv[1] === join(root, 'scripts', 'openapi.mjs')) await writeFiles(documents)
