import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { ScenarioResult } from '../../src/api/contract/scenario-results.ts'
import { run, runInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { parseXml } from '../support/xml.ts'

const root = join(import.meta.dirname, '../..')
const LIBRARY = join(root, 'resources/scenarios')

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = createTemporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

const PASSES = 'name: It passes\nsteps:\n  - request: GET /customers\n'
const FAILS = `name: It fails & says <why>
examples:
  - { limit: 5 }
  - { limit: 7 }
steps:
  - request: GET /customers?limit=5
    expect:
      status: 200
      body:
        limit: $limit
        total_count: 0
  - advance: idle
`

describe('sandbank run', () => {
  it('runs every scenario of the library in one call', async () => {
    const first = await run(['run', LIBRARY])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const lines = first.stdout.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(readdirSync(LIBRARY).length)
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^✓ .+ {2}\d+ ms$/)
    expect(lines.at(-1)).toMatch(/^\d+ scenarios passed in \d+ ms$/)
  })

  it('finds a scenario of the library by its name', async () => {
    const { code, stdout } = await runInProcess(['run', 'duplicate-trace-id'])
    expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 0, lines: 3 })
  })

  it('reports a failed expectation with expected and actual value, line, request and response', async () => {
    const folder = folderOf({ 'fails.yaml': FAILS, 'passes.yml': PASSES })
    const { code, stdout, stderr } = await run(['run', folder])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(
      stdout
        .replaceAll(/\d+ ms/g, 'n ms')
        .replaceAll(folder, '…')
        .split('\n'),
    ).toEqual([
      '✓ It fails & says <why> (limit: 5)  n ms',
      '✗ It fails & says <why> (limit: 7)  n ms',
      '  …/fails.yaml:6:5  step 1 of 2: GET /customers?limit=5',
      '    line              expected  actual',
      '    10    body limit  7         5',
      '    sent      GET /customers?limit=5',
      '    answered  200 {"total_count":0,"count":0,"limit":5,"offset":0,"data":[]}',
      '  not run: 1 step',
      '✓ It passes  n ms',
      '1 of 3 scenarios failed, in n ms',
      '',
    ])
  })

  it('--json prints only one document to stdout', async () => {
    const { code, stdout, stderr } = await run([
      'run',
      folderOf({ 'a.yaml': FAILS, 'b.json': JSON.stringify({ name: 'B', steps: [{ advance: 'idle' }] }) }),
      '--json',
    ])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    const document = JSON.parse(stdout) as { passed: number; failed: number; scenarios: ScenarioResult[] }
    expect(document).toMatchObject({ passed: 2, failed: 1, ms: expect.any(Number) })
    expect(document.scenarios.map(({ name, example, ok, left }) => [name, example, ok, left])).toEqual([
      ['It fails & says <why>', 'limit: 5', true, 0],
      ['It fails & says <why>', 'limit: 7', false, 1],
      ['B', null, true, 0],
    ])
    expect(document.scenarios[1]!.steps[0]!.checks).toMatchObject([
      { what: 'status', ok: true },
      { what: 'body limit', expected: 7, actual: 5, ok: false, place: { line: 10 } },
      { what: 'body total_count', ok: true },
    ])
  })

  it('--junit writes well-formed XML: a suite for each file, a case for each scenario or example', async () => {
    const folder = folderOf({ 'fails.yaml': FAILS, 'passes.yaml': PASSES })
    const file = join(folder, 'out', 'junit.xml')
    expect(await runInProcess(['run', folder, '--junit', file])).toMatchObject({ code: 1 })
    const document = parseXml(readFileSync(file, 'utf8'))
    const [all] = document.getElementsByTagName('testsuites')
    expect([all!.getAttribute('tests'), all!.getAttribute('failures')]).toEqual(['3', '1'])
    const suites = [...document.getElementsByTagName('testsuite')]
    expect(suites.map((suite) => ['name', 'tests', 'failures'].map((name) => suite.getAttribute(name)))).toEqual([
      [join(folder, 'fails.yaml'), '2', '1'],
      [join(folder, 'passes.yaml'), '1', '0'],
    ])
    expect([...document.getElementsByTagName('testcase')].map((one) => one.getAttribute('name'))).toEqual([
      'It fails & says <why> (limit: 5)',
      'It fails & says <why> (limit: 7)',
      'It passes',
    ])
    const [failure] = document.getElementsByTagName('failure')
    expect(failure!.textContent).toContain('10    body limit  7         5')
  })

  it('a scenario can start with another one of its folder or of the library', async () => {
    const folder = folderOf({
      'a.yaml': 'name: A\ngiven: { scenario: b }\nsteps:\n  - expect: { balances: { $account: "1000.00" } }\n',
      'b.yaml': 'name: B\ngiven: { scenario: a-funded-customer }\nsteps:\n  - expect: { ledger: balanced }\n',
    })
    expect(await runInProcess(['run', join(folder, 'a.yaml')])).toMatchObject({ code: 0, stderr: '' })
  })

  it('the package contains the library', () => {
    expect(packageJson.files).toContain('resources/scenarios')
  })

  it('finds its library from any folder', async () => {
    const folder = createTemporaryFolder()
    const installed = join(folder, 'node_modules/sandbank')
    mkdirSync(installed, { recursive: true })
    for (const name of ['out/main', 'resources/scenarios'])
      cpSync(join(root, name), join(installed, name), { recursive: true })
    writeFileSync(join(installed, 'package.json'), JSON.stringify({ type: 'module' }))
    symlinkSync(join(root, 'node_modules'), join(installed, 'node_modules'))
    expect(existsSync(join(installed, 'out/main/cli.js'))).toBe(true)
    const { code, stdout } = await run(
      ['run', 'a-funded-customer'],
      {},
      { cli: join(installed, 'out/main/cli.js'), cwd: folder },
    )
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ A funded Customer/) })
  })

  it('--help lists the options and the library', async () => {
    const { code, stdout } = await runInProcess(['run', '--help'])
    expect(code).toBe(0)
    expect(stdout).toContain('sandbank run SCENARIO... [--junit FILE] [--json]')
    for (const name of readdirSync(LIBRARY)) expect(stdout).toContain(name.replace(/\.\w+$/, ''))
  })
})

describe('sandbank run refuses with exit code 2, before it runs anything', () => {
  it.each([
    [
      'no scenario',
      ['run'],
      /^A scenario is expected: a file, a folder or a name of the library; see sandbank run --help$/,
    ],
    ['an unknown option', ['run', 'x', '--speed', '3'], /^Unknown option '--speed'; see sandbank run --help$/],
    ['--junit without a file', ['run', 'x', '--junit'], /--junit/],
    ['--junit with nothing', ['run', 'x', '--junit='], /^--junit: a file is expected$/],
    [
      'a file that does not exist',
      ['run', 'x.yaml'],
      /^x\.yaml: a file, a folder or a scenario of the library is expected \(.*a-funded-customer, .*\)$/,
    ],
    [
      'a path that leaves the library',
      ['run', '../openapi'],
      /^\.\.\/openapi: a file, a folder or a scenario of the library is expected/,
    ],
  ])('%s', async (_name, args, message) => {
    const { code, stdout, stderr } = await runInProcess(args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(message)])
  })

  it('a --junit that cannot be written', async () => {
    const folder = folderOf({ 'a.yaml': PASSES, file: '' })
    const { code, stdout, stderr } = await runInProcess([
      'run',
      join(folder, 'a.yaml'),
      '--junit',
      join(folder, 'file/junit.xml'),
    ])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^--junit: .*junit\.xml cannot be written \(E\w+\)\n$/)
  })

  it('an empty folder', async () => {
    const folder = createTemporaryFolder()
    const { code, stderr } = await runInProcess(['run', folder])
    expect(code).toBe(2)
    expect(stderr).toBe(
      `${folder}: scenarios are expected, files that end in .yaml, .yml, .json; the folder has none\n`,
    )
  })

  it('all errors of all files, each once, with file, line and column', async () => {
    const folder = folderOf({
      'a.yaml': PASSES,
      'b.yaml': 'name: B\nsteps:\n  - fly: 1\n  - request: GET\n',
      'c.yaml': 'name: C\ngiven: { scenario: b }\nsteps:\n  - advance: idle\n',
    })
    const { code, stdout, stderr } = await run(['run', folder, join(folder, 'b.yaml'), 'lost', '--json'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(folder, '…').slice(0, 40)),
    ).toEqual([
      'lost: a file, a folder or a scenario of the library'.slice(0, 40),
      '…/b.yaml:3:5: steps[0].fly: exactly one of'.slice(0, 40),
      '…/b.yaml:4:14: steps[1].request: a method'.slice(0, 40),
    ])
  })
})
