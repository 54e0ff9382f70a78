import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { callingClients, testOpenapiFetch } from './generated.ts'
import { lintWithRedocly, lintWithSpectral } from './linters.ts'
import { testPostmanCollection } from './postman.ts'
import { testThroughPrism } from './prism.ts'
import { type Context, DOCUMENTS, type Document } from './sandbox.ts'
import { type Tool, Tools, versions } from './tools.ts'

/** npm run test:clients: whether tools that read OpenAPI documents understand those of a running sandbox, and its responses. */

interface Options {
  readonly only: string
  readonly print: (line: string) => void
}

interface Check {
  readonly tools: readonly Tool[]
  /** Default: those of the API. */
  readonly documents?: readonly Document[]
  /** Returns what passed. Throws an error that says what was found and what is expected. */
  readonly run: (context: Context) => Promise<string>
}

const checks: readonly Check[] = [
  { tools: ['@redocly/cli'], run: lintWithRedocly },
  { tools: ['@stoplight/spectral-cli'], run: lintWithSpectral },
  { tools: ['openapi-typescript', 'openapi-fetch'], run: testOpenapiFetch },
  { tools: ['openapi-to-postmanv2', 'newman'], run: testPostmanCollection },
  { tools: ['@stoplight/prism-cli'], run: testThroughPrism },
  ...callingClients,
]

const nameOf = ({ tools }: Check) => tools.map((tool) => `${tool} ${versions[tool]}`).join(' + ')

/** Returns whether all have passed. */
export async function testClients({ only, print }: Options): Promise<boolean> {
  const root = mkdtempSync(join(tmpdir(), 'sandbank-clients-'))
  const remove = () => rmSync(root, { recursive: true, force: true })
  process.once('exit', remove)
  try {
    print('Fetching the tools from npm …')
    const tools = await Tools.install(root)
    let failed = 0
    for (const check of checks)
      for (const [i, document] of (check.documents ?? DOCUMENTS).entries()) {
        const name = `${nameOf(check)}, ${document}`
        if (!only.split('|').some((text) => name.includes(text))) continue
        const folder = join(root, `${check.tools.join('-').replaceAll('/', '-')}-${i}`)
        mkdirSync(folder)
        const result = await check.run({ tools, folder, document }).then(
          (passed) => `ok     ${name}: ${passed}`,
          (error: Error) => `FAILED ${name}: ${error.message}`,
        )
        if (result.startsWith('FAILED')) failed++
        print(result)
      }
    print(failed === 0 ? 'All clients passed' : `${failed} failed`)
    return failed === 0
  } finally {
    remove()
    process.off('exit', remove)
  }
}
