// The part of npm run build that electron-vite does not do: the fixture for Jest, the types of the library, and the other OpenAPI documents.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import { load } from './generated.mjs'
import { fail, root } from './prepare.mjs'

const source = join(root, 'src', 'main', 'library')
const target = join(root, 'out', 'main', 'library')

/** CommonJS, because Jest loads ES modules only with an option of Node. */
await build({
  root,
  configFile: false,
  logLevel: 'error',
  build: {
    outDir: target,
    emptyOutDir: false,
    target: 'node20.19',
    minify: false,
    reportCompressedSize: false,
    ssr: join(source, 'jest.ts'),
    rollupOptions: { external: ['@jest/globals'], output: { format: 'cjs', entryFileNames: 'jest.cjs' } },
  },
})
writeDeclarations()
await writeDocuments()

/**
 * ES modules and CommonJS may both use the types of CommonJS files, so all but the entries are such files. What the entries do not
 * reach is left out.
 */
function writeDeclarations() {
  const folder = join(root, 'out', 'declarations')
  mkdirSync(folder, { recursive: true })
  const project = join(folder, 'tsconfig.json')
  const entries = ['index', 'vitest', 'playwright', 'jest', 'playwright-test.d']
  const emit = { noEmit: false, emitDeclarationOnly: true, declaration: true, noCheck: true }
  const options = { ...emit, rootDir: root, outDir: folder }
  writeFileSync(
    project,
    JSON.stringify({
      extends: join(root, 'tsconfig.json'),
      compilerOptions: options,
      include: entries.map((name) => join(source, `${name}.ts`)),
    }),
  )
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const tsc = spawnSync(process.execPath, [compiler, '-p', project], { encoding: 'utf8' })
  // Other parts of the program may have types that cannot be declared; npm run check proves all types.
  const errors = `${tsc.stdout}${tsc.stderr}`
    .split('\n')
    .filter((line) => !/^src\/api\//.test(line))
    .join('\n')
    .trim()
  if (errors !== '') fail(`The types of the library were not written: ${errors}`)
  const written = new Set()
  const write = (name, extension) => {
    if (written.has(name)) return
    written.add(name)
    const place = name === 'contract' ? join('out', 'library') : join('src', 'main', 'library')
    const text = readFileSync(join(folder, place, `${name}.d.ts`), 'utf8')
    writeFileSync(
      join(target, `${name}.d.${extension}`),
      text.replaceAll(/(['"])\.\/([\w-]+)\.ts\1/g, (_, quote, other) => {
        write(other, 'cts')
        return `${quote}./${other}.cjs${quote}`
      }),
    )
  }
  for (const entry of ['index', 'vitest', 'playwright']) write(entry, 'ts')
  write('jest', 'cts')
  rmSync(folder, { recursive: true })
}

async function writeDocuments() {
  const { toOpenApi30 } = await load('src/api/contract/openapi-3.0.ts')
  const { controlOpenapi } = await load('src/api/contract/control/openapi.ts')
  const openapi = JSON.parse(readFileSync(join(root, 'resources', 'openapi.json'), 'utf8'))
  const folder = join(root, 'out', 'documents')
  // Files of an older build would go into the package.
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const write = (name, document) => writeFileSync(join(folder, name), `${JSON.stringify(document)}\n`)
  write('openapi-3.0.json', toOpenApi30(openapi))
  write('control-openapi.json', controlOpenapi())
  const { createReference } = await load('src/api/contract/describe/describe.ts')
  const { describeCommands } = await load('src/main/commands/help.ts')
  const { commands } = await load('src/main/commands/table.ts')
  writeFileSync(join(folder, 'descriptions.txt'), createReference(describeCommands(commands)).prepare())
}
