import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Calls, type Connect, type Operator, runFlow } from './programs/flow.ts'
import { type Context, withSandbox } from './sandbox.ts'
import { type Tool, versions } from './tools.ts'

/** Clients that are generated from the document: each is compiled and passes the flow. */

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

/** Generators whose code is compiled, for each document. */
const generators: readonly { readonly tool: Tool; readonly file: string; readonly generate: Generate }[] = [
  {
    tool: 'swagger-typescript-api',
    file: 'generated/api.ts',
    generate: ({ tools, folder, document }) =>
      tools.run(
        'swagger-typescript-api',
        ['generate', '--path', document, '--output', 'generated', '--name', 'api.ts', '--silent'],
        folder,
      ),
  },
  {
    tool: 'oazapfts',
    file: 'generated/api.ts',
    generate: ({ tools, folder, document }) => tools.run('oazapfts', [document, 'generated/api.ts'], folder),
  },
  {
    tool: 'openapi-zod-client',
    file: 'generated/api.ts',
    generate: ({ tools, folder, document }) =>
      tools.run('openapi-zod-client', [document, '--output', 'generated/api.ts', '--with-alias'], folder),
  },
  {
    tool: 'openapi-typescript-codegen',
    file: 'generated/index.ts',
    generate: ({ tools, folder, document }) =>
      tools.run('openapi-typescript-codegen', ['--input', document, '--output', 'generated', '--useOptions'], folder),
  },
  { tool: '@kubb/cli', file: 'generated/kubb/index.ts', generate: generateWithKubb },
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
  module: 'commonjs',
  moduleResolution: 'node10',
  esModuleInterop: true,
  rewriteRelativeImportExtensions: true,
  rootDir: '.',
  outDir: 'compiled',
}

/** Compiles one of the programs with the generated client, and loads it. */
async function compileClient(context: Context, program: string, generate: Generate): Promise<Connect> {
  const { tools, folder } = context
  await generate(context)
  cpSync(join(import.meta.dirname, 'programs'), join(folder, 'programs'), { recursive: true })
  const config = { compilerOptions: COMPILER_OPTIONS, files: [`programs/${program}.ts`] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await tools.run('typescript', ['--project', '.'], folder)
  const load = createRequire(join(folder, 'tsconfig.json'))
  return (load(`./compiled/programs/${program}.js`) as { connect: Connect }).connect
}

/** Compiles the generated code alone. Its modules are found as bundlers find them. */
async function compileGenerated(context: Context, file: string, generate: Generate): Promise<string> {
  const { tools, folder } = context
  await withSandbox(context, async () => {})
  mkdirSync(join(folder, 'generated'))
  await generate(context)
  const compilerOptions = { ...COMPILER_OPTIONS, module: 'esnext', moduleResolution: 'bundler', noEmit: true }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: [file] }))
  await tools.run('typescript', ['--project', '.'], folder)
  return `generated, compiled with TypeScript ${versions.typescript} in strict mode`
}

export const compiledGenerators = generators.map(({ tool, file, generate }) => ({
  tools: [tool],
  run: (context: Context) => compileGenerated(context, file, generate),
}))

const testClient = (program: string, generate: Generate) => (context: Context) =>
  withSandbox(context, async ({ api, refreshToken, operator }) => {
    const connect = await compileClient(context, program, generate)
    const calls = await connect({ api, refreshToken, trace: randomUUID })
    return `generated, compiled with TypeScript ${versions.typescript} in strict mode, ${await countAnswers(calls, operator)}`
  })

export const testOpenapiFetch = testClient('openapi-fetch', generateWithOpenapiTypescript)
export const testHeyApi = testClient('hey-api', generateWithHeyApi)
export const testOrval = testClient('orval', generateWithOrval)

export const compileOpenapiFetch = (context: Context) =>
  compileClient(context, 'openapi-fetch', generateWithOpenapiTypescript)

export const countAnswers = async (calls: Calls, operator: Operator) =>
  `${await runFlow(calls, operator)} responses as expected`
