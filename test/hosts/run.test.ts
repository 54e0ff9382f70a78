import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import type { ScenarioResult } from '../../src/api/contract/scenario-results.ts'
import { run, runInProcess, startInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { it } from '../support/sandbox.ts'
import { parseXml } from '../support/xml.ts'

const root = join(import.meta.dirname, '../..')
const LIBRARY = join(root, 'resources/scenarios')

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = createTemporaryFolder()
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

/** Without the folder and the times. */
const linesOf = (output: string, folder: string) =>
  output
    .replaceAll(folder, '…')
    .replaceAll(/\d+ ms/g, 'n ms')
    .split('\n')

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
  it('refuses an amount of time that it cannot read before anything runs', async () => {
    const { code, stdout, stderr } = await runInProcess(['run', 'ach-debit', '--dry-run', '--advance', '1zz'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^--advance: "1zz" is no amount of time: .+\n$/)
    const today = await runInProcess(['run', 'ach-debit', '--dry-run', '--advance', 'today 23:59'])
    expect(today.stderr).toBe('')
  })

  it('runs every scenario of the library in one call', async () => {
    const first = await run(['run', LIBRARY])
    expect(first).toMatchObject({ code: 0, stderr: '' })
    const lines = first.stdout.trimEnd().split('\n')
    expect(lines.length).toBeGreaterThan(readdirSync(LIBRARY).length)
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/^✓ .+ {2}\d+ ms$/)
    expect(lines.at(-1)).toMatch(/^\d+ scenarios passed in \d+ ms$/)
  })

  it('--dry-run says what a scenario has changed, and what follows within --advance', async () => {
    const { code, stdout } = await runInProcess(['run', 'ach-debit', '--dry-run', '--advance', '2bd'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^✓ An ACH debit .*\n\nNothing was changed\. It would do this:\n\nClock .*\n\nOperations of Ada Byron \+1,075\.25; the wire of 1,000\.00 [\s\S]*\n\nBalances\n +Ada Byron/,
    )
    const json = JSON.parse((await runInProcess(['run', 'ach-debit', '--dry-run', '--json'])).stdout)
    expect(json.scenarios[0].changes.records).toContainEqual(expect.objectContaining({ collection: 'customers' }))
  })

  it('finds a scenario of the library by its name', async () => {
    const { code, stdout } = await runInProcess(['run', 'duplicate-trace-id'])
    expect({ code, lines: stdout.split('\n').length }).toEqual({ code: 0, lines: 3 })
  })

  it('reports a failed expectation with expected and actual value, line, request and response', async () => {
    const folder = folderOf({ 'fails.yaml': FAILS, 'passes.yml': PASSES })
    const { code, stdout, stderr } = await runInProcess(['run', folder])
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' })
    expect(linesOf(stdout, folder)).toEqual([
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
    const { code, stdout, stderr } = await runInProcess([
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

  it('finds its library from any folder', async ({ folder }) => {
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

  it('--help lists the library', async () => {
    const { stdout } = await runInProcess(['run', '--help'])
    for (const name of readdirSync(LIBRARY)) expect(stdout).toContain(name.replace(/\.\w+$/, ''))
  })
})

describe('sandbank run refuses with exit code 2, before it runs anything', () => {
  it('an empty folder', async ({ folder }) => {
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
    rmSync(join(folder, 'a.yaml'))
    const { code, stdout, stderr } = await runInProcess(['run', folder, join(folder, 'b.yaml'), 'lost'])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(linesOf(stderr, folder)).toEqual([
      expect.stringMatching(/^…\/b\.yaml:3:5: steps\[0\]\.fly: exactly one of/),
      expect.stringMatching(/^…\/b\.yaml:4:14: steps\[1\]\.request: a method/),
      expect.stringMatching(/^lost: a file, a folder or a scenario of the library/),
      '',
    ])
  })
})

const INVALID = 'name: Invalid\nsteps:\n  - fly: 1\n'
const casesIn = (file: string) => [...parseXml(readFileSync(file, 'utf8')).getElementsByTagName('testcase')]

describe('a file that cannot be read', () => {
  it('counts as failed, and the others run: exit code 1', async () => {
    const folder = folderOf({ 'a.yaml': INVALID, 'b.yaml': PASSES })
    const { code, stdout, stderr } = await runInProcess(['run', folder, 'lost'])
    expect(code).toBe(1)
    expect(linesOf(stderr, folder)).toEqual([
      expect.stringMatching(/^…\/a\.yaml:3:5: steps\[0\]\.fly: ex/),
      expect.stringMatching(/^lost: a file, a folder or a sc/),
      '',
    ])
    expect(linesOf(stdout, folder)).toEqual([
      '✗ …/a.yaml  cannot be run',
      '✓ It passes  n ms',
      '✗ lost  cannot be run',
      '2 of 3 scenarios failed, in n ms',
      '',
    ])
  })

  it('is in the JSON document with its mistakes', async () => {
    const folder = folderOf({ 'a.yaml': INVALID, 'b.yaml': PASSES })
    const { code, stdout } = await runInProcess(['run', folder, '--json'])
    const { passed, failed, scenarios } = JSON.parse(stdout) as {
      passed: number
      failed: number
      scenarios: ScenarioResult[]
    }
    expect([code, passed, failed]).toEqual([1, 1, 1])
    expect(scenarios[0]).toMatchObject({
      name: join(folder, 'a.yaml'),
      ok: false,
      steps: [],
      issues: [
        { file: join(folder, 'a.yaml'), line: 3, column: 5, message: expect.stringMatching(/^steps\[0\]\.fly/) },
      ],
    })
  })

  it('is an error in the JUnit report, also if nothing else is there: exit code 2', async () => {
    const folder = folderOf({ 'a.yaml': INVALID })
    const junit = join(folder, 'junit.xml')
    expect(await runInProcess(['run', folder, '--junit', junit])).toMatchObject({ code: 2, stdout: '' })
    const [one] = casesIn(junit)
    expect([one!.getAttribute('file'), one!.getAttribute('line')]).toEqual([join(folder, 'a.yaml'), '3'])
    expect(one!.getElementsByTagName('error')[0]!.textContent).toContain('steps[0].fly: exactly one of')
    const [all] = parseXml(readFileSync(junit, 'utf8')).getElementsByTagName('testsuites')
    expect(['tests', 'failures', 'errors'].map((name) => all!.getAttribute(name))).toEqual(['1', '0', '1'])
  })
})

describe('--filter', () => {
  it('runs only the scenarios with the text in their name or example, in any case', async () => {
    const folder = folderOf({ 'a.yaml': FAILS, 'b.yaml': PASSES })
    expect(await runInProcess(['run', folder, '--filter', 'LIMIT: 5'])).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^✓ It fails & says <why> \(limit: 5\) {2}\d+ ms\n1 scenario passed in \d+ ms\n$/),
    })
  })

  it('that matches nothing is refused with exit code 2, and the JUnit report shows it', async () => {
    const folder = folderOf({ 'a.yaml': PASSES })
    const junit = join(folder, 'junit.xml')
    expect(await runInProcess(['run', folder, '--filter', 'wire', '--junit', junit])).toEqual({
      code: 2,
      stdout: '',
      stderr: '--filter: none of 1 scenario has "wire" in its name\n',
    })
    const [one] = casesIn(junit)
    expect(one!.getElementsByTagName('error')[0]!.getAttribute('message')).toBe(
      'none of 1 scenario has "wire" in its name',
    )
  })
})

it('--bail ends after the first failure; the report lists the others as skipped', async () => {
  const folder = folderOf({ 'a.yaml': PASSES, 'b.yaml': FAILS, 'c.yaml': PASSES })
  const junit = join(folder, 'junit.xml')
  const { code, stdout } = await runInProcess(['run', folder, '--bail', '--junit', junit])
  expect(code).toBe(1)
  expect(stdout.split('\n').at(-2)).toMatch(/^1 of 3 scenarios failed, in \d+ ms; 1 was not run$/)
  expect(casesIn(junit).map((one) => [one.getAttribute('name'), one.getElementsByTagName('skipped').length])).toEqual([
    ['It passes', 0],
    ['It fails & says <why> (limit: 5)', 0],
    ['It fails & says <why> (limit: 7)', 0],
    ['It passes', 1],
  ])
  const { not_run } = JSON.parse((await runInProcess(['run', folder, '--bail', '--json'])).stdout) as {
    not_run: number
  }
  expect(not_run).toBe(1)
})

it('each case of the JUnit report has its file and line: of the scenario, of its row of examples, or of the failure', async () => {
  const folder = folderOf({ 'a.yaml': `# first line\n${FAILS}`, 'b.yaml': PASSES })
  const junit = join(folder, 'junit.xml')
  await runInProcess(['run', folder, '--junit', junit])
  expect(casesIn(junit).map((one) => [one.getAttribute('file'), one.getAttribute('line')])).toEqual([
    [join(folder, 'a.yaml'), '4'],
    [join(folder, 'a.yaml'), '11'],
    [join(folder, 'b.yaml'), '1'],
  ])
})

describe('in a pipeline', () => {
  const folder = () => folderOf({ 'a.yaml': FAILS, 'b,1.yaml': INVALID, 'c.yaml': PASSES })

  it('of GitHub each failure is an annotation of its line', async () => {
    const scenarios = folder()
    const { stdout, stderr } = await runInProcess(['run', scenarios, '--json'], { GITHUB_ACTIONS: 'true' })
    expect(() => JSON.parse(stdout)).not.toThrow()
    const annotations = stderr.split('\n').filter((line) => line.startsWith('::'))
    expect(annotations).toEqual([
      `::error file=${join(scenarios, 'a.yaml')},line=10,col=9,title=It fails & says <why> (limit%3A 7)::GET /customers?limit=5: body limit: expected 7, found 5`,
      expect.stringMatching(
        /^::error file=.*b%2C1\.yaml,line=3,col=5,title=Invalid scenario::steps\[0\]\.fly: exactly one of/,
      ),
    ])
  })

  it('of Azure, too', async () => {
    const { stderr } = await runInProcess(['run', folder()], { TF_BUILD: 'True' })
    expect(stderr).toMatch(/^##vso\[task\.logissue type=error;sourcepath=.*a\.yaml;linenumber=10;columnnumber=9\]/m)
  })

  it('of others there are none', async () => {
    const { stderr } = await runInProcess(['run', folder()])
    expect(stderr).not.toMatch(/^(::|##)/m)
  })
})

describe('--watch', () => {
  const passed = (text: string) => text.match(/scenarios? passed/g)?.length ?? 0

  it('runs again when a file changes, in the same process, until it is ended', async () => {
    const folder = folderOf({ 'a.yaml': PASSES })
    const { printed, errors, code, end } = startInProcess(['run', folder, '--watch'])
    const text = () => [...printed, ...errors].join('\n')
    expect(await code).toBeUndefined()
    expect(passed(text())).toBe(1)
    writeFileSync(join(folder, 'a.yaml'), INVALID)
    await expect.poll(text).toContain('a.yaml:3:5: steps[0].fly')
    writeFileSync(join(folder, 'a.yaml'), PASSES)
    await expect.poll(() => passed(text())).toBe(2)
    writeFileSync(join(folder, 'b.yaml'), FAILS)
    await expect.poll(text).toContain('1 of 3 scenarios failed')
    expect(await end()).toBe(1)
  })
})
