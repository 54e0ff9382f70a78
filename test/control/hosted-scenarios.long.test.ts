import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runScenario, scenarioNames } from '../../src/api/sandbox.ts'
import { readScenario } from '../../src/api/scenarios/file.ts'
import { createPlans } from '../../src/api/scenarios/plan.ts'

const LIBRARY = join(import.meta.dirname, '../../resources/scenarios')
const read = (name: string) => readScenario(readFileSync(join(LIBRARY, `${name}.yaml`), 'utf8'), `${name}.yaml`)

/** Each brings Customers of its own, or counts on a world without any. */
const REASONS: Readonly<Record<string, RegExp>> = {
  'archival-at-a-weekend': /pace: payments take seconds/,
  'archival-zero-balance': /pace: payments take seconds/,
  'onboarding-approved': /pace: payments take seconds/,
  'programs-whose-client-is-the-customer': /count of \/customers/,
  'tokens-expire': /body total_count/,
  'tokens-refused': /count of \/customers/,
}

it.each(scenarioNames(LIBRARY))('%s does not run in a hosted world, for a reason that is known', async (name) => {
  const [plan] = createPlans(read(name), (other) => read(other))
  const setup = { ...plan!.setup, kind: 'hosted' as const }
  const { ok, steps } = await runScenario({ ...plan!, setup }, { version: '0.0.0-test' })
  expect(ok).toBe(false)
  const { answer, trouble, checks } = steps.find((step) => !step.ok)!
  const failed = checks.find((check) => !check.ok)
  const reason = REASONS[name] ? (trouble ?? failed?.what) : answer?.body
  expect(reason).toMatch(REASONS[name] ?? /"code":1018\b/)
})
