import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { startSandbox } from '../../src/main/library/index.ts'
import { findOrStartShared } from '../../src/main/library/shared-sandbox.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { createLinkedProject, root, runCommand } from '../support/project.ts'

/** `sandbank/vitest` in a project of its own, with the example and with tests that fail. */

const vitest = join(root, 'node_modules/vitest/vitest.mjs')

function createProject() {
  return createLinkedProject({ sandbank: root, vitest: join(root, 'node_modules/vitest') })
}

/** Runs the suite of a project. Both outputs together. */
async function runSuite(cwd: string, env: Record<string, string> = {}) {
  const options = { cwd, env: { NO_COLOR: '1', ...env } }
  const { code, stdout, stderr } = await runCommand(process.execPath, [vitest, 'run', '--root', 'vitest'], options)
  return { code, output: `${stdout}${stderr}` }
}

const FAILING = `
import { createTest, test } from 'sandbank/vitest'
import { describe, expect } from 'vitest'

const names = new Set()
const counts = new Set()
test.concurrent.for([1, 2, 3, 4])('world %d', async (n, { world }) => {
  names.add(world.name)
  const [{ uid }] = (await world.client.call('GET /customers', { external_uid: 'demo-business-1' })).data
  const count = async () => (await world.client.call('GET /transactions', { customer_uid: uid })).total_count
  counts.add(await count())
  await world.client.call('POST /sandbox/mock_transactions', {
    transaction_type: 'wire', customer_uid: uid, us_dollar_amount: n,
  })
  counts.add(await count())
  expect([...counts]).toHaveLength(2)
  await world.clock.advance(n + ' hours')
  expect((await world.clock.read()).now).toBe('2026-11-23T' + (15 + n) + ':00:00.000Z')
})
test('each test has a world of its own, which is dropped', async ({ world }) => {
  expect(names.size).toBe(4)
  const found = await world.control.worlds.list()
  expect(found.worlds.map(({ name }) => name).filter((name) => names.has(name))).toEqual([])
})
createTest({ from: 'empty' })('an empty world', async ({ world }) => {
  expect((await world.client.call('GET /customers')).total_count).toBe(0)
})
test('without a world', () => {})
test.fails('fails as it should', async ({ world }) => {
  expect(world.name).toBe('')
})
describe('a payment', () => {
  test('fails / on purpose', async ({ world }) => {
    const { data } = await world.client.call('GET /customers', { external_uid: 'demo-business-1' })
    await world.client.call('POST /sandbox/mock_transactions', {
      transaction_type: 'wire', customer_uid: data[0].uid, us_dollar_amount: 77,
    })
    await world.client.call('POST /customers', { email: 'ada@example.test' })
    await world.clock.advance('idle')
    expect(1).toBe(2)
  })
})
`

it('each test of a Vitest suite has a world of its own; a failed one prints its requests and timeline, and leaves a bundle', async () => {
  const folder = createProject()
  writeFileSync(join(folder, 'vitest/failing.test.mjs'), FAILING)
  const { code, output } = await runSuite(folder)
  expect(output).toContain('Tests  1 failed | 10 passed | 1 expected fail')
  expect(code).toBe(1)
  expect(output).toContain('Sandbank: the world of "a payment > fails / on purpose"')
  expect(output).toMatch(/POST \/sandbox\/mock_transactions → 201/)
  expect(output).toMatch(/transaction "Wire .*" over 77\.00: status pending → settled/)
  expect(output).toMatch(/customer \w{16} is created, initiated/)
  expect(output.match(/Sandbank: the world of/g)).toHaveLength(1)
  const [, gui] = /While the sandbox runs: (\S+)/.exec(output) ?? []
  expect(gui).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/worlds\/[\w-]+\/#key=/)
  const [, file = ''] = /npx sandbank import (\S+) --data/.exec(output) ?? []
  expect(readdirSync(join(folder, 'sandbank-failures'))).toEqual(['failing-a-payment-fails-on-purpose.sandbank'])
  const imported = await runCommand(
    process.execPath,
    [join(root, 'out/main/cli.js'), 'import', file, '--data', file.replace('.sandbank', '')],
    { cwd: folder },
  )
  expect(imported).toMatchObject({ code: 0 })
  expect(existsSync(join(folder, 'sandbank-failures/failing-a-payment-fails-on-purpose/world.jsonl'))).toBe(true)
  // The sandbox of the run ends with Vitest.
  const isAnswering = () =>
    fetch(new URL(gui!).origin).then(
      () => true,
      () => false,
    )
  await expect.poll(isAnswering).toBe(false)
})

it('a suite whose sandbox cannot be reached fails at once, before any test', async () => {
  const nowhere = { SANDBANK_URL: 'http://127.0.0.1:1', SANDBANK_CONTROL_KEY: 'x' }
  const { code, output } = await runSuite(createProject(), nowhere)
  const words = 'The sandbox of SANDBANK_URL cannot be used: Nothing answers at http://127.0.0.1:1: start that sandbox'
  expect({ code, output }).toEqual({ code: 1, output: expect.stringContaining(words) })
  expect(output).toContain('no tests')
})

it('with SANDBANK_URL the tests use that sandbox, and the report of a failed one has no control key', async () => {
  const sandbox = await startSandbox({ child: false, control_key: 'key-of-a-sandbox-that-stays' })
  onTestFinished(() => sandbox.close())
  const folder = createProject()
  writeFileSync(
    join(folder, 'vitest/rent.test.mjs'),
    "import { test } from 'sandbank/vitest'\ntest('fails', async ({ world }) => { throw new Error(world.api) })\n",
  )
  const { code, output } = await runSuite(folder, {
    SANDBANK_URL: sandbox.api,
    SANDBANK_CONTROL_KEY: sandbox.control_key,
  })
  const { origin } = new URL(sandbox.api)
  expect(code).toBe(1)
  expect(output).toContain(`While the sandbox runs: ${origin}/worlds/world-1/\n`)
  expect(output).not.toContain('key-of-a-sandbox-that-stays')
  expect((await sandbox.worlds.list()).map(({ name }) => name)).toEqual(['world-1'])
})

it.each([
  [{ SANDBANK_URL: '4010' }, 'SANDBANK_URL: found 4010, expected an address such as http://127.0.0.1:4010'],
  [{ SANDBANK_URL: 'http://127.0.0.1:1' }, 'SANDBANK_URL is set, SANDBANK_CONTROL_KEY is not'],
])('the environment of a fixture is checked: %j', (env, words) => {
  vi.stubEnv('SANDBANK_CONTROL_KEY', '')
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(() => findOrStartShared('child.js')).toThrow(words)
})

it('the folder that holds the address of the sandbox of a run must be private', async () => {
  const temporary = createTemporaryFolder()
  const shared = join(temporary, `sandbank-${userInfo().username}`)
  mkdirSync(shared)
  chmodSync(shared, 0o777)
  vi.stubEnv('TMPDIR', temporary)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(() => findOrStartShared('child.js')).toThrow(`${shared} belongs to another user, or others may read it`)
})
