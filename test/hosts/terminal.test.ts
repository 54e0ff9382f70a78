import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, vi } from 'vitest'
import { formatAnnotations } from '../../src/api/scenarios/annotations.ts'
import { formatJunit, formatReport } from '../../src/api/scenarios/report.ts'
import { createPaint, formatForTerminal } from '../../src/main/commands/paint.ts'
import { createFixture } from '../../src/main/library/fixture.ts'
import { runInProcess, serve, serveInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { it } from '../support/sandbox.ts'
import { parseXml } from '../support/xml.ts'

/** No text of outside reaches a terminal with characters that the terminal obeys. */

/** Sets the title, clears the screen, writes over the line, and says that all is well, in green. */
const HOSTILE = '\u001b]0;owned\u0007\u001b[2J\u009b2J\r\u0008\u007f\u202e\u001b[32m1 scenario passed\u001b[39m'
/** All but the end of a line and a tab. */
const OBEYED = /[^\P{Cc}\n\t]|[\u202a-\u202e\u2066-\u2069]/u
const SHOWN = '\\u001b]0;owned\\u0007\\u001b[2J\\u009b2J\\r\\u0008\\u007f\\u202e\\u001b[32m1 scenario passed\\u001b[39m'

describe('what is printed', () => {
  it('keeps the colors of the program, and no other control character', () => {
    const paint = createPaint({ FORCE_COLOR: '1' }, true)
    expect(formatForTerminal(`${paint('green', `a ${HOSTILE}`)}\tb\n${HOSTILE}`)).toBe(
      `\u001b[32ma ${SHOWN}\u001b[39m\tb\n${SHOWN}`,
    )
  })

  it('is the same JSON as before', () => {
    const value = { [HOSTILE]: [HOSTILE, 'ä\n"\\'] }
    const printed = formatForTerminal(JSON.stringify(value, null, 2))
    expect(JSON.parse(printed)).toEqual(value)
    expect(printed).not.toMatch(OBEYED)
  })
})

describe('sandbank run', () => {
  const name = `${HOSTILE}\n✓ a scenario that passed  1 ms`
  const scenario = (steps: string) => `name: ${JSON.stringify(name)}\nsteps:\n${steps}`
  const FAILING = scenario(`  - name: ${JSON.stringify(name)}\n    request: GET /customers/nope\n`)

  async function run(files: Readonly<Record<string, string>>, env: NodeJS.ProcessEnv = {}) {
    const folder = createTemporaryFolder()
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
    const { code, stdout, stderr } = await runInProcess(['run', folder], env)
    return { code, output: stdout + stderr }
  }

  it.each([
    ['a scenario that passes', scenario('  - request: GET /customers\n'), 0],
    ['a scenario that fails', FAILING, 1],
    ['a scenario whose rows have such texts', `examples: [{ a: ${JSON.stringify(name)} }]\n${FAILING}`, 1],
    ['a broken scenario', scenario(`  - ${JSON.stringify(name)}: 1\n`), 2],
    ['a text that is not YAML', `name: "${'\\x\u0085'.repeat(3)}\u009b2J`, 2],
  ])('%s: its name is shown, and is obeyed by no terminal', async (_name, text, expected) => {
    const { code, output } = await run({ 'a.yaml': text }, { GITHUB_ACTIONS: 'true', FORCE_COLOR: '1' })
    expect(code).toBe(expected)
    expect(output).not.toMatch(OBEYED)
    expect(output, 'no line of its own').not.toMatch(/^✓ a scenario that passed/m)
    if (expected === 1) expect(output).toContain(`✗ ${SHOWN}\\n✓ a scenario that passed`)
  })

  it('the name of a file is shown as well', async () => {
    const { output } = await run({ [`${HOSTILE.replaceAll('/', '')}.yaml`]: 'name: 1' })
    expect(output).toContain('\\u001b[2J')
    expect(output).not.toMatch(OBEYED)
  })

  it('JUnit files and annotations have no such characters', () => {
    const place = { file: `${HOSTILE}.yaml`, line: 1, column: 1 }
    const result = {
      name,
      example: null,
      file: place.file,
      ok: false,
      trouble: `${HOSTILE}\nsecond line`,
      steps: [],
      left: 1,
      ms: 1,
    }
    const unread = { ...result, trouble: null, issues: [{ ...place, message: HOSTILE }] }
    const junit = formatJunit({ results: [result, unread] })
    expect(junit).not.toMatch(OBEYED)
    expect(parseXml(junit).documentElement.textContent).toContain('owned')
    for (const env of [{ GITHUB_ACTIONS: 'true' }, { TF_BUILD: 'True' }])
      for (const line of formatAnnotations([result, unread], env)) expect(formatForTerminal(line)).not.toMatch(/\n|\r/)
    expect(formatReport(result).split('\n')).toHaveLength(4)
  })
})

it('the commands for a running sandbox show names of records, errors and answers without obeying them, in colors', async () => {
  const { run, line } = await serveInProcess([], { FORCE_COLOR: '1' })
  const created = await run('call', 'POST', 'customers', '-d', JSON.stringify({ external_uid: HOSTILE }))
  expect(JSON.parse(created.stdout)).toMatchObject({ external_uid: HOSTILE })
  const refused = await run('call', 'GET', 'customers', `status=${HOSTILE}`)
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('\u001b[31m400') })
  await fetch(`${line.api}/${encodeURIComponent(HOSTILE)}`)
  const outputs = [
    created,
    refused,
    await run('logs'),
    await run('logs', '--json'),
    await run('control', 'records.search', JSON.stringify({ text: HOSTILE })),
    await run('control', 'records.get', JSON.stringify({ collection: HOSTILE, uid: HOSTILE })),
    await run('snapshot', 'restore', HOSTILE),
    await run('world', 'drop', HOSTILE),
    await run('token', '--program', HOSTILE),
    await run(HOSTILE),
  ]
  for (const { stdout, stderr } of outputs) {
    const [first, ...colored] = (stdout + stderr).split('\u001b[')
    expect(colored.filter((part) => !/^(?:1|2|22|31|32|33|36|39)m/.test(part))).toEqual([])
    expect([first, ...colored].filter((part) => OBEYED.test(part!))).toEqual([])
  }
  expect(outputs.at(-1)!.stderr).toContain(`There is no command ${SHOWN}`)
})

it('the report of a failed test of the library has no such characters', async ({ folder }) => {
  // In a process of its own: the fixture waits for its answer without letting this process answer.
  const { line } = await serve(['--ephemeral'], { XDG_RUNTIME_DIR: folder })
  for (const [variable, value] of Object.entries({
    SANDBANK_URL: line.api,
    SANDBANK_CONTROL_KEY: line.control_key,
    SANDBANK_FAILURES: join(folder, 'failures'),
  }))
    vi.stubEnv(variable, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  const fixture = createFixture(join(import.meta.dirname, '../../out/main/library/child.js'))
  const world = await fixture.open({})
  await world.client.call('POST /customers', { external_uid: HOSTILE })
  const report = await fixture.close(world, { file: 'a.test.ts', title: `${HOSTILE}\nsecond line` })
  expect(report).toContain(`the world of "${SHOWN}\\nsecond line"`)
  expect(report).not.toMatch(OBEYED)
})
