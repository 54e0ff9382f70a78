import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Step } from '../../src/api/contract/scenarios.ts'
import { readScenarios, scenarioNames } from '../../src/api/sandbox.ts'
import { readScenario, type ScenarioFile } from '../../src/api/scenarios/file.ts'

/** The library: each is read, and told of in docs/scenarios.md. That they pass is test/hosts/run.test.ts's to say. */

const ROOT = join(import.meta.dirname, '../..')
const LIBRARY = join(ROOT, 'resources/scenarios')

const names = scenarioNames(LIBRARY)
const files = new Map<string, ScenarioFile>(
  names.map((name) => [name, readScenario(readFileSync(join(LIBRARY, `${name}.yaml`), 'utf8'), `${name}.yaml`)]),
)
const scenarioOf = (name: string) => files.get(name)!.scenario

describe('the library', () => {
  it('holds scenarios and nothing else', () => {
    expect(readdirSync(LIBRARY).sort()).toEqual(names.map((name) => `${name}.yaml`).sort())
    expect(names.length).toBeGreaterThanOrEqual(36)
  })

  it('is listed by name: what is general comes before what is particular', () => {
    expect(names).toEqual([...names].sort())
    const { plans } = readScenarios([LIBRARY], LIBRARY)
    expect([...new Set(plans.map(({ file }) => basename(file, '.yaml')))]).toEqual(names)
  })

  it('has a name of its own for each', () => {
    const said = names.map((name) => scenarioOf(name).name)
    expect(said).toEqual([...new Set(said)])
  })

  it('is told of in docs/scenarios.md, each file once and in its own words', () => {
    const docs = readFileSync(join(ROOT, 'docs/scenarios.md'), 'utf8')
    const section = docs.slice(docs.indexOf('\n## The library'))
    const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, file, teaches]) => [file, teaches])
    expect(rows).toEqual(names.map((name) => [name, scenarioOf(name).teaches]))
  })
})

/** What a step expects beyond "2xx", with what stands within it. */
const expectationsOf = (step: Step) =>
  Object.entries(('expect' in step && step.expect) || {}).filter(([key]) => key !== 'status')

const movesMoney = (step: Step) =>
  'inject' in step || ('request' in step && /^POST \/(transfers|combined_transfers|returns)$/.test(step.request))

describe('a lesson', () => {
  it.each(names)('%s', (name) => {
    const { teaches, steps } = scenarioOf(name)
    expect(name, 'kebab-case').toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(teaches, 'one sentence').toMatch(/^[A-Z0-9].*\.$/)
    expect(teaches, 'one sentence').not.toMatch(/[.!?]\s/)

    const expected = steps.flatMap(expectationsOf)
    expect(expected.length, 'it expects more than that requests are answered').toBeGreaterThan(0)
    if (steps.some(movesMoney)) expect(expected, 'it proves the books').toContainEqual(['ledger', 'balanced'])

    const { plans, troubles } = readScenarios([name], LIBRARY)
    expect(troubles).toEqual([])
    expect(plans.length).toBeGreaterThan(0)
  })
})
