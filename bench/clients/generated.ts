import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Call, expected } from './programs/calls/calls.ts'
import type { Flow } from './programs/flow.ts'
import { CONTROL_DOCUMENTS, type Context, DOCUMENTS, type Running, withSandbox } from './sandbox.ts'
import { type Tool, versions } from './tools.ts'

/** Clients that are generated from the document: each is compiled, and passes the flow or makes a few calls. */

type Generate = (context: Context) => Promise<unknown>

const generateWithOpenapiTypescript: Generate = ({ tools, folder, document }) =>
  tools.run('openapi-typescript', [document, '--output=generated/openapi-typescript.ts'], folder)

const generateWithHeyApi: Generate = ({ tools, folder, document }) =>
  tools.run(
    '@hey-api/openapi-ts',
    [`--input=${document}`, '--output=generated/hey-api', '--client=@hey-api/client-fetch', '--no-log-file'],
    folder,
  )

function generateWithOrval({ tools, folder, document }: Context) {
  const output = {
    target: 'generated/orval.ts',
    client: 'fetch',
    headers: true,
    baseUrl: { getBaseUrlFromSpecification: true },
  }
  const config = { api: { input: document, output } }
  writeFileSync(join(folder, 'orval.config.mjs'), `export default ${JSON.stringify(config)}`)
  return tools.run('orval', ['--config', 'orval.config.mjs'], folder)
}

function generateWithKubb({ tools, folder, document }: Context) {
  const config = `import { pluginClient } from '@kubb/plugin-client'
import { pluginOas } from '@kubb/plugin-oas'
import { pluginTs } from '@kubb/plugin-ts'
export default {
  root: '.',
  input: { path: './${document}' },
  output: { path: './generated/kubb', format: false, lint: false },
  plugins: [pluginOas({ validate: false, generators: [] }), pluginTs({}), pluginClient({ client: 'fetch', bundle: true })],
}
`
  writeFileSync(join(folder, 'kubb.config.mjs'), config)
  return tools.run('@kubb/cli', ['generate', '--config', 'kubb.config.mjs'], folder)
}

/** Generators whose clients make a few calls of the API and, unless said, of the control API: programs/calls/ has a program for each. */
const callers: readonly { readonly tool: Tool; readonly generate: Generate; readonly isOfApi?: true }[] = [
  { tool: '@hey-api/openapi-ts', generate: generateWithHeyApi, isOfApi: true },
  { tool: 'orval', generate: generateWithOrval, isOfApi: true },
  {
    tool: 'swagger-typescript-api',
    generate: ({ tools, folder, document }) =>
      tools.run(
        'swagger-typescript-api',
        ['generate', '--path', document, '--output', 'generated', '--name', 'api.ts', '--silent'],
        folder,
      ),
  },
  {
    tool: 'oazapfts',
    generate: ({ tools, folder, document }) => tools.run('oazapfts', [document, 'generated/api.ts'], folder),
  },
  {
    tool: 'openapi-zod-client',
    generate: ({ tools, folder, document }) =>
      tools.run('openapi-zod-client', [document, '--output', 'generated/api.ts', '--with-alias'], folder),
  },
  {
    tool: 'openapi-typescript-codegen',
    generate: ({ tools, folder, document }) =>
      tools.run('openapi-typescript-codegen', ['--input', document, '--output', 'generated', '--useOptions'], folder),
  },
  { tool: '@kubb/cli', generate: generateWithKubb },
]

/** The strictness that the generated code of all allows. */
const COMPILER_OPTIONS = {
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
  // CommonJS that may require an ES module: the code of some finds its modules as bundlers do.
  module: 'node20',
  esModuleInterop: true,
  rewriteRelativeImportExtensions: true,
  rootDir: '.',
  outDir: 'compiled',
}

/** Compiles one of the programs with the generated client, and loads it. */
async function compileClient<Program>(context: Context, program: string, generate: Generate): Promise<Program> {
  const { tools, folder } = context
  mkdirSync(join(folder, 'generated'))
  await generate(context)
  cpSync(join(import.meta.dirname, 'programs'), join(folder, 'programs'), { recursive: true })
  const config = { compilerOptions: COMPILER_OPTIONS, files: [`programs/${program}.ts`] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await tools.run('typescript', ['--project', '.'], folder)
  const load = createRequire(join(folder, 'tsconfig.json'))
  return load(`./compiled/programs/${program}.js`) as Program
}

const compiled = `generated, compiled with TypeScript ${versions.typescript} in strict mode`

const testCalls = (tool: Tool, generate: Generate) => (context: Context) =>
  withSandbox(context, async ({ api, signRefreshToken, client, control }) => {
    const door = context.document.startsWith('control-') ? 'control' : 'api'
    const program = `calls/${tool.replace(/^@|\/(cli|openapi-ts)$/g, '')}-${door}`
    const { call } = await compileClient<{ call: Call }>(context, program, generate)
    const controlKey = client.controlKey['x-control-key']
    const found = await call({ api, refreshToken: signRefreshToken(), control, controlKey, trace: randomUUID })
    const [a, b] = [JSON.stringify(found), JSON.stringify(expected[door])]
    if (a !== b) throw new Error(`${b} is expected, ${a} was found`)
    return `${compiled}, its calls answered as expected`
  })

export const callingClients = callers.map(({ tool, generate, isOfApi = false }) => ({
  tools: [tool],
  run: testCalls(tool, generate),
  documents: isOfApi ? DOCUMENTS : [...DOCUMENTS, ...CONTROL_DOCUMENTS],
}))

const compileFlow = (context: Context) =>
  compileClient<{ run: Flow }>(context, 'openapi-fetch', generateWithOpenapiTypescript)

/** The flow through the API at this address. */
export async function runFlow(context: Context, api: string, { signRefreshToken, operator }: Running): Promise<string> {
  const { run } = await compileFlow(context)
  const answers = await run({ api, refreshToken: signRefreshToken(), trace: randomUUID }, operator)
  return `${compiled}, ${answers} responses as expected`
}

export const testOpenapiFetch = (context: Context) =>
  withSandbox(context, (sandbox) => runFlow(context, sandbox.api, sandbox))
