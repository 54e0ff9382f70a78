import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { startSandbox } from '../support/sandbox.ts'
import { createProject, runIn, shells } from './support.ts'

/** The recipe for shells. examples.long.test.ts runs it in every shell, with a sandbox that it starts itself. */

const SUITE = `. node_modules/sandbank/resources/shell/sandbank-test.sh
passes() { expect_same "$1" ""; }
fails() {
  uid=$(sandbank call GET customers external_uid=demo-business-1 | field data.0.uid)
  sandbank call POST sandbox/mock_transactions -d '{"transaction_type":"wire","customer_uid":"'"$uid"'","us_dollar_amount":5,"description":"\\u001b[2Jcleared\\u009b2J"}'
  sandbank call GET customers/nobody; echo never
}
run_tests passes fails
`
const [first] = shells.filter(({ installed }) => installed)

describe.skipIf(!first)('the recipe for shells', () => {
  it('gives each test a world; a failed one prints its requests, an address and a bundle, and its world stays', async () => {
    const { api, control } = await startSandbox()
    const env = { SANDBANK_URL: new URL(api).origin, SANDBANK_CONTROL_KEY: 'test-key' }
    const project = createProject({ 'suite.sh': SUITE })
    const { code, text } = await runIn(project, [first!.shell, 'suite.sh'], env)
    const lines = text.split('\n').filter((line) => !line.startsWith('#'))
    expect(lines).toEqual(['1..2', 'ok 1 - passes', 'not ok 2 - fails', ''])
    expect(code).toBe(1)
    expect(text).toMatch(/^# .*Unknown customer/m)
    expect(text).not.toContain('never')
    const report = text.slice(text.indexOf('Requests ('))
    expect(report).toContain('\\u001b[2Jcleared\\u009b2J')
    expect(text).not.toMatch(/[^\P{Cc}\n\t]/u)
    expect(text).toContain('GET /customers/nobody → 404 Unknown customer')
    expect(text).toMatch(/While the sandbox runs: http:.*\/worlds\/world-2\/#key=test-key/)
    expect(existsSync(join(project, 'sandbank-failures/fails.sandbank'))).toBe(true)
    const headers = { 'x-control-key': 'test-key', 'content-type': 'application/json' }
    const listed = await fetch(`${control}/worlds.list`, { method: 'POST', headers, body: '{}' })
    expect(await listed.json()).toMatchObject({ worlds: [{ name: 'world-2' }] })
  })
})

it('the package contains the recipe', () => {
  expect(packageJson.files).toContain('resources/shell/sandbank-test.sh')
})
