import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import packageJson from '../../package.json' with { type: 'json' }
import { startSandbox } from '../support/sandbox.ts'
import { createProject, hasPytest, ROOT, runIn } from './support.ts'

/** The pytest plugin. examples.long.test.ts runs it with a sandbox that it starts itself. */

const PYTEST = ['python3', '-m', 'pytest', '-q', '-p', 'no:cacheprovider']
const CONFTEST = readFileSync(join(ROOT, 'examples/python/conftest.py'), 'utf8')

const SUITE = `
import pytest
from sandbank_pytest import Refused

def test_fails(world):
    world.call("POST", "/customers", {"email": "ada@example.test"})
    [customer] = world.call("GET", "/customers", query={"external_uid": "demo-business-1"})["data"]
    payment = {"transaction_type": "wire", "customer_uid": customer["uid"], "us_dollar_amount": 5, "description": "\\x1b[2Jcleared\\x9b2J"}
    world.call("POST", "/sandbox/mock_transactions", payment)
    world.clock.advance("1 business day")
    assert world.call("GET", "/customers", query={"include_initiated": "true"})["total_count"] == 0

@pytest.mark.world(from_="empty", pace="real", start="2026-11-20T15:00:00.000Z")
def test_has_a_world_of_its_own(world):
    assert world.call("GET", "/customers", query={"include_initiated": "true"})["total_count"] == 0
    assert world.control("clock.read")["pace"] == "real"
    assert world.clock.advance("1 business day")["to"] == "2026-11-23T15:00:00.000Z"
    assert world.clock.now == "2026-11-23T15:00:00.000Z"

def test_tells_why_it_was_refused(world):
    with pytest.raises(Refused, match="GET /customers/nobody: 404 4002 - Unknown customer"):
        world.call("GET", "/customers/nobody")

def test_advances_by_words(world):
    before = world.clock.now
    assert before < world.clock.advance("8 business days")["to"] == world.clock.now
    with pytest.raises(Refused, match='"soon" is no amount of time'):
        world.clock.advance("soon")
`

describe.skipIf(!hasPytest)('the pytest plugin', () => {
  it('gives each test a world; a failed one prints its requests, an address and a bundle, and its world stays', async () => {
    const { api, control } = await startSandbox()
    const project = createProject({ 'conftest.py': CONFTEST, 'test_suite.py': SUITE })
    const env = { SANDBANK_URL: new URL(api).origin, SANDBANK_CONTROL_KEY: 'test-key' }
    const { code, text } = await runIn(project, PYTEST, env)
    expect(text).toMatch(/1 failed, 3 passed/)
    expect(code).toBe(1)
    expect(text).toContain('Sandbank: the world of test_fails')
    expect(text).toContain('2026-11-23 15:00:00Z  POST /customers → 201  Create a Customer')
    expect(text).toMatch(/Timeline \(\d+\)\n/)
    const report = text.slice(text.indexOf('Requests ('))
    expect(report).toContain('\\u001b[2Jcleared\\u009b2J')
    expect(report).not.toMatch(/[^\P{Cc}\n]/u)
    expect(text).toMatch(/While the sandbox runs: http:.*\/worlds\/world-1\/#key=test-key/)
    expect(existsSync(join(project, 'sandbank-failures/test-suite-py-test-fails.sandbank'))).toBe(true)
    const headers = { 'x-control-key': 'test-key', 'content-type': 'application/json' }
    const listed = await fetch(`${control}/worlds.list`, { method: 'POST', headers, body: '{}' })
    expect(await listed.json()).toMatchObject({ worlds: [{ name: 'world-1' }] })
  })
})

it('the package contains the plugin, and its set-up has at most 5 lines', () => {
  expect(packageJson.files).toContain('resources/python/sandbank_pytest.py')
  expect(CONFTEST.trimEnd().split('\n').length).toBeLessThanOrEqual(5)
})
