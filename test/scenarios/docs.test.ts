import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  ExpectedAnswer,
  ExpectStep,
  isWords,
  matcherNames,
  Scenario,
  ScenarioSetup,
  steps,
} from '../../src/api/contract/scenarios.ts'
import { readScenario } from '../../src/api/scenarios/file.ts'
import { createFinder, runInScratch } from '../../src/api/scenarios/library.ts'
import { createPlans } from '../../src/api/scenarios/plan.ts'
import { failures, open } from './support.ts'

/** docs/scenarios.md is correct and complete. */

const root = join(import.meta.dirname, '../..')
const LIBRARY = join(root, 'resources/scenarios')
const page = readFileSync(join(root, 'docs/scenarios.md'), 'utf8')

const examples = [...page.matchAll(/```yaml\n(name: (.*?)\n.*?)```/gs)].map(([, text, name]) => ({ name, text }))

it.each(examples)('the example "$name" of docs/scenarios.md passes', async ({ text }) => {
  for (const plan of createPlans(readScenario(text!, 'example.yaml'), createFinder(LIBRARY, root)))
    expect(failures(await runInScratch(plan, open))).toEqual([])
})

it('docs/scenarios.md describes every key, matcher and kind of value', () => {
  const keys = [Scenario, ScenarioSetup, ExpectedAnswer, ExpectStep.shape.expect, ...Object.values(steps)].flatMap(
    ({ shape }) => Object.keys(shape),
  )
  for (const key of new Set(keys)) expect(page).toContain(`\`${key}`)
  for (const word of [...matcherNames, ...isWords]) expect(page).toMatch(new RegExp(`\\b${word}\\b`))
})
