import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import vitestPackage from 'vitest/package.json' with { type: 'json' }
import { version } from '../../package.json' with { type: 'json' }
// @ts-expect-error: the script is plain JavaScript, so that it runs without a build.
import { npmCommand } from '../../scripts/npm-command.mjs'
import { plainEnvironment, root, runCommand } from '../support/project.ts'

/** The package as npm packs it, installed without a network into an empty project, on each Node that it supports. */

const folder = mkdtempSync(join(tmpdir(), 'sandbank-tarball-'))
const project = join(folder, 'project')
const withRunners = join(folder, 'with-runners')
const tarball = join(folder, `sandbank-${version}.tgz`)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const npm = (args: readonly string[], cwd: string, env: Record<string, string> = {}) => {
  const { command, args: all, shell } = npmCommand([...args])
  return spawnSync(command, all, { cwd, shell, encoding: 'utf8', env: { ...plainEnvironment(), ...env } })
}
const createProject = (path: string) => {
  mkdirSync(path, { recursive: true })
  writeFileSync(join(path, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
}

// ── What is installed ────────────────────────────────────────────────────────────────────────────────────────────

/** A version of Node by its npm package. */
function findNode(major: number): { path: string } | { reason: string } {
  if (Number(process.versions.node.split('.')[0]) === major) return { path: process.execPath }
  const found = npm(['exec', '--yes', '--package', `node@${major}`, '--', 'node', '-p', 'process.execPath'], tmpdir(), {
    npm_config_ignore_scripts: 'false',
  })
  const path = found.stdout.trim().split('\n').at(-1)
  return found.status === 0 && path ? { path } : { reason: `npm has no Node ${major} here` }
}
const nodes = [20, 22, 24].map((major) => ({ major, ...findNode(major) }))
for (const node of nodes) if ('reason' in node) console.log(`Node ${node.major} is skipped: ${node.reason}`)

/** The versions that the documentation names. */
const RUNNERS = [`vitest@${vitestPackage.version}`, 'jest@30.5.2', '@playwright/test@1.65.1', 'typescript@5.9.3']
const installOptions = ['--no-audit', '--no-fund', '--ignore-scripts']

beforeAll(() => {
  const packed = npm(['pack', '--ignore-scripts', '--pack-destination', folder], root)
  if (packed.status !== 0) throw new Error(packed.stderr)
  createProject(project)
  const installed = npm(['install', '--offline', ...installOptions, tarball], project)
  if (installed.status !== 0) throw new Error(installed.stderr)
})

const filesIn = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(path.length + 1))

it('the package has the library, the fixtures, the command, the window, documents, scenarios and licences, and nothing else', () => {
  expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['sandbank'])
  const files = filesIn(join(project, 'node_modules/sandbank'))
  const expected = [
    /^(?:package\.json|README\.md|LICENSE)$/,
    /^out\/main\/(?:cli|electron|index|chunks\/[\w-]+)\.js$/,
    /^out\/main\/library\/(?:index|child|vitest|playwright)\.js$/,
    /^out\/main\/library\/jest\.cjs$/,
    /^out\/main\/library\/(?:index|vitest|playwright)\.d\.ts$/,
    /^out\/main\/library\/[\w-]+\.d\.cts$/,
    /^out\/renderer\/(?:index\.html|assets\/[\w.-]+)$/,
    /^out\/documents\/(?:(?:openapi-3\.0|control-openapi)\.json|descriptions\.txt)$/,
    /^docs\/[\w-]+\.md$/,
    /^resources\/(?:agents\.md|openapi\.json|scenario\.schema\.json|third-party-licenses\.txt|python\/sandbank_pytest\.py|shell\/sandbank-test\.sh|scenarios\/[\w-]+\.yaml)$/,
  ]
  for (const form of expected)
    expect(
      files.some((file) => form.test(file)),
      String(form),
    ).toBe(true)
  expect(files.filter((file) => !expected.some((form) => form.test(file)))).toEqual([])
  console.log(`The package has ${files.length} files, ${statSync(tarball).size} bytes packed`)
})

// ── On each Node ─────────────────────────────────────────────────────────────────────────────────────────────────

const USE = `
import { startSandbox } from 'sandbank'
for (const child of [false, true]) {
  const sandbox = await startSandbox({ child })
  const world = await sandbox.worlds.create()
  await world.clock.advance('8 business days')
  const { total_count } = await world.client.call('GET /customers', { status: ['active', 'archived'] })
  const page = await (await fetch(world.gui)).text()
  console.log(JSON.stringify([child, total_count > 0, page.includes('<title>'), (await sandbox.worlds.list()).length]))
  await world.drop()
  await sandbox.close()
}
const openapi = await import('sandbank/openapi.json', { with: { type: 'json' } })
console.log(Object.keys(openapi.default.paths).length)
`

describe.each(nodes)('on Node $major', (node) => {
  if ('reason' in node) return it.skip(node.reason)
  const env = { PATH: `${dirname(node.path)}${delimiter}${process.env.PATH}` }

  it('the library runs in the process and as a child, in an empty project', async () => {
    writeFileSync(join(project, 'use.mjs'), USE)
    const { code, stdout, stderr } = await runCommand(node.path, ['use.mjs'], { cwd: project })
    expect({ code, stderr: stderr.replaceAll(/.*(?:ExperimentalWarning|--trace-warnings).*\n/g, '') }).toEqual({
      code: 0,
      stderr: '',
    })
    expect(stdout.trim().split('\n').slice(0, 2)).toEqual(['[false,true,true,1]', '[true,true,true,1]'])
  })

  it('npx sandbank serve listens, and ends with SIGTERM', async () => {
    const serve = ['sandbank', 'serve', '--port', '0', '--ephemeral', '--json']
    const { command, args, shell } = npmCommand(['exec', '--offline', '--', ...serve])
    const began = performance.now()
    const child = spawn(command, args, { cwd: project, shell, env: { ...plainEnvironment(), ...env }, detached: true })
    onTestFinished(() => {
      try {
        process.kill(-child.pid!, 'SIGKILL')
      } catch {}
    })
    let stderr = ''
    child.stderr.on('data', (text) => (stderr += text))
    const line = await new Promise<string>((resolve, reject) => {
      child.stdout.once('data', (text) => resolve(String(text)))
      child.once('exit', () => reject(new Error(stderr)))
    })
    const { api, pid } = JSON.parse(line) as { api: string; pid: number }
    console.log(`Node ${node.major}: npx sandbank serve listened after ${Math.round(performance.now() - began)} ms`)
    for (const path of ['/health', '/llms.txt', '/docs/control.md'])
      expect((await fetch(api.replace('/api/v1', path))).status, path).toBe(200)
    const ended = new Promise((resolve) => child.once('exit', resolve))
    process.kill(pid, 'SIGTERM')
    expect(await ended).toBe(0)
  })

  const suites = {
    vitest: ['node_modules/vitest/vitest.mjs', 'run', '--root', 'vitest'],
    jest: ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--rootDir', 'jest'],
    playwright: ['node_modules/@playwright/test/cli.js', 'test', '--config', 'playwright'],
  }
  it.each(Object.entries(suites))(
    'the example passes with %s, and a test that fails is reported',
    async (name, args) => {
      const installed = installRunners()
      if ('reason' in installed) return console.log(`The fixtures are not tested: ${installed.reason}`)
      const failures = join(withRunners, 'failures', name)
      const plain = { CI: '1', NO_COLOR: '1', FORCE_COLOR: '0', SANDBANK_FAILURES: failures }
      const run = () => runCommand(node.path, args, { cwd: withRunners, env: { ...env, ...plain } })
      const failing = join(withRunners, name, `failing.${name === 'playwright' ? 'spec' : 'test'}.mjs`)
      rmSync(failing, { force: true })
      const passed = await run()
      expect({ code: passed.code, output: `${passed.stdout}${passed.stderr}` }).toEqual({
        code: 0,
        output: expect.stringMatching(/\b3 passed/),
      })
      writeFileSync(failing, FAILING.replace('RUNNER', name))
      const failed = await run()
      const output = `${failed.stdout}${failed.stderr}`
      expect({ code: failed.code, output }).toEqual({
        code: 1,
        output: expect.stringMatching(/1 failed[\s\S]*3 passed|3 passed[\s\S]*1 failed/),
      })
      expect(output).toMatch(/Sandbank: the world of ".*fails on purpose"/)
      expect(output).toContain('GET /pools → 200')
      expect(output).toMatch(/While the sandbox runs: http:\/\/127\.0\.0\.1:\d+\/worlds\/[\w-]+\/#key=/)
      expect(readdirSync(failures)).toEqual(['failing-fails-on-purpose.sandbank'])
    },
  )
})

const FAILING = `
import { test } from 'sandbank/RUNNER'
test('fails on purpose', async ({ world }) => {
  await world.client.call('GET /pools')
  throw new Error('on purpose')
})
`

let installing: { reason: string } | { done: true } | undefined
/** Needs a network. */
function installRunners() {
  if (installing) return installing
  createProject(withRunners)
  cpSync(join(root, 'examples'), withRunners, { recursive: true })
  const { status, stderr } = npm(['install', ...installOptions, '--prefer-offline', tarball, ...RUNNERS], withRunners)
  return (installing =
    status === 0 ? { done: true } : { reason: `npm cannot install ${RUNNERS.join(', ')}: ${stderr}` })
}

it('Jest without ES modules, and Playwright with TypeScript in a CommonJS project, load their fixtures', async () => {
  const installed = installRunners()
  if ('reason' in installed) return console.log(`The fixtures are not tested: ${installed.reason}`)
  const commonjs = join(withRunners, 'commonjs')
  mkdirSync(commonjs, { recursive: true })
  writeFileSync(join(commonjs, 'package.json'), '{}')
  const body = "test('pools', async ({ world }) => { await world.client.call('GET /pools') })\n"
  writeFileSync(join(commonjs, 'pools.test.js'), `const { test } = require('sandbank/jest')\n${body}`)
  writeFileSync(join(commonjs, 'pools.spec.ts'), `import { test } from 'sandbank/playwright'\n${body}`)
  const env = { CI: '1', NO_COLOR: '1', FORCE_COLOR: '0' }
  const jest = ['node_modules/jest/bin/jest.js', '--rootDir', 'commonjs', 'pools.test.js']
  const playwright = ['node_modules/@playwright/test/cli.js', 'test', '--config', 'commonjs', 'pools.spec']
  for (const args of [jest, playwright]) {
    const { code, stdout, stderr } = await runCommand(process.execPath, args, { cwd: withRunners, env })
    expect({ code, output: `${stdout}${stderr}` }).toEqual({ code: 0, output: expect.stringMatching(/1 passed/) })
  }
})

// ── Types ────────────────────────────────────────────────────────────────────────────────────────────────────────

const CONSUMER = `
import { connectSandbox, type Customer, type NamedWorld, SandbankError, startSandbox } from 'sandbank'

const sandbox = await startSandbox({ child: true, start: '2026-11-23T15:00:00Z' })
const page = await sandbox.client.call('GET /customers', { status: ['active', 'archived'], limit: 5 })
const emails: (string | undefined)[] = page.data.map(({ email }) => email)
const customer: Customer = await sandbox.client.call('GET /customers/{uid}', { uid: 'a' })
await sandbox.client.call('POST /customers', { email: emails[0] ?? customer.uid })
// @ts-expect-error the operation needs a uid
await sandbox.client.call('GET /customers/{uid}')
// @ts-expect-error there is no such operation
await sandbox.client.call('GET /planets')
// @ts-expect-error there is no such status
await sandbox.client.call('GET /customers', { status: 'happy' })
const world: NamedWorld = await sandbox.worlds.create({ name: 'a', from: 'empty' })
const { to }: { to: string } = await world.clock.advance('8 business days')
await world.control.clock.advance({ business_days: 2 })
// @ts-expect-error there is no such method
await world.control.clock.rewind({})
const commits: number = (await world.control.world.commits({ limit: 1 })).commits.length
const other = await connectSandbox({ url: 'http://127.0.0.1:4010', control_key: to })
const code: number = new SandbankError('x', { status: 400, errors: [] }).code
export { code, commits, other }
`

const FIXTURES = `
import { expect } from 'vitest'
import { test as jestTest } from 'sandbank/jest'
import { test as playwrightTest } from 'sandbank/playwright'
import { createTest, test } from 'sandbank/vitest'

test('vitest', async ({ world }) => {
  const { data } = await world.client.call('GET /pools')
  expect(data[0]?.uid).toBe('x')
  // @ts-expect-error there is no such operation
  await world.client.call('GET /planets')
})
createTest({ from: 'empty', clock: 'running' }).concurrent('vitest', async ({ world }) => void (await world.drop()))
jestTest.each([1, 2])('jest %d', async (n, { world }) => void (await world.clock.advance(\`\${n} hours\`)))
jestTest.each([['pools', 1] as const])('jest %s %d', async (text, n, { world }) => void (await world.control.records.get({ collection: text, uid: n.toFixed() })))
playwrightTest('playwright', async ({ page, world }) => void (await page.goto(world.gui)))
`

describe.each(['nodenext', 'bundler'])('with moduleResolution %s', (moduleResolution) => {
  const compilers = {
    'TypeScript 7': () => join(root, 'node_modules/typescript/bin/tsc'),
    'TypeScript 5.9': () => join(withRunners, 'node_modules/typescript/bin/tsc'),
  }
  it.each(Object.entries(compilers))(
    'the types compile in strict mode with %s, without other packages',
    async (_, find) => {
      const installed = installRunners()
      if ('reason' in installed) return console.log(`TypeScript is not tested: ${installed.reason}`)
      const compile = async (path: string, name: string, text: string, options: object) => {
        writeFileSync(join(path, `${name}.ts`), text)
        const config = {
          compilerOptions: {
            strict: true,
            noEmit: true,
            exactOptionalPropertyTypes: true,
            noUncheckedIndexedAccess: true,
            target: 'es2023',
            moduleResolution,
            module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
            ...options,
          },
          files: [`${name}.ts`],
        }
        writeFileSync(join(path, `tsconfig.${name}.json`), JSON.stringify(config))
        return runCommand(process.execPath, [find(), '-p', `tsconfig.${name}.json`], { cwd: path })
      }
      const alone = await compile(project, 'consumer', CONSUMER, { types: [], lib: ['es2023'] })
      expect(alone).toEqual({ code: 0, stdout: '', stderr: '' })
      // The types of Vitest and Playwright need those of Node.
      const fixtures = await compile(withRunners, 'fixtures', FIXTURES, { skipLibCheck: true })
      expect(fixtures).toEqual({ code: 0, stdout: '', stderr: '' })
    },
  )
})
