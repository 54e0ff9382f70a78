import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Step } from '../../src/api/contract/scenarios.ts'
import { readScenarios, scenarioNames } from '../../src/api/sandbox.ts'
import { readScenario, type ScenarioFile } from '../../src/api/scenarios/file.ts'

/** The files of the library are valid and documented. test/hosts/run.test.ts runs them. */

const ROOT = join(import.meta.dirname, '../..')
const LIBRARY = join(ROOT, 'resources/scenarios')

const names = scenarioNames(LIBRARY)
const files = new Map<string, ScenarioFile>(
  names.map((name) => [name, readScenario(readFileSync(join(LIBRARY, `${name}.yaml`), 'utf8'), `${name}.yaml`)]),
)
const scenarioOf = (name: string) => files.get(name)!.scenario

describe('the scenario library', () => {
  it('contains only scenarios', () => {
    expect(readdirSync(LIBRARY).sort()).toEqual(names.map((name) => `${name}.yaml`).sort())
    expect(names.length).toBeGreaterThanOrEqual(36)
  })

  it('is sorted by name', () => {
    expect(names).toEqual([...names].sort())
    const entries = readScenarios([LIBRARY], LIBRARY)
    expect([...new Set(entries.map(({ file }) => basename(file, '.yaml')))]).toEqual(names)
  })

  it('has a unique title for each scenario', () => {
    const titles = names.map((name) => scenarioOf(name).name)
    expect(titles).toEqual([...new Set(titles)])
  })

  it('is listed in docs/scenarios.md with the description of each scenario', () => {
    const docs = readFileSync(join(ROOT, 'docs/scenarios.md'), 'utf8')
    const section = docs.slice(docs.indexOf('\n## The library'))
    const rows = [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, file, teaches]) => [file, teaches])
    expect(rows).toEqual(names.map((name) => [name, scenarioOf(name).teaches]))
  })
})

/** What a step expects besides the status. */
const expectationsOf = (step: Step) =>
  Object.entries(('expect' in step && step.expect) || {}).filter(([key]) => key !== 'status')

const movesMoney = (step: Step) =>
  'inject' in step || ('request' in step && /^POST \/(transfers|combined_transfers|returns)$/.test(step.request))

describe('a scenario of the library', () => {
  it.each(names)('%s has a description, checks results, and proves the books when money moves', (name) => {
    const { teaches, steps } = scenarioOf(name)
    expect(name, 'kebab-case').toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(teaches, 'one sentence').toMatch(/^[A-Z0-9].*\.$/)
    expect(teaches, 'one sentence').not.toMatch(/[.!?]\s/)

    const expected = steps.flatMap(expectationsOf)
    expect(expected.length, 'it checks more than the status').toBeGreaterThan(0)
    if (steps.some(movesMoney)) expect(expected, 'it proves the books').toContainEqual(['ledger', 'balanced'])

    const [entry] = readScenarios([name], LIBRARY)
    expect(entry!.issues).toEqual([])
    expect(entry!.plans.length).toBeGreaterThan(0)
  })
})
