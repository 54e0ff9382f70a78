import { expect } from 'vitest'
import type { ScenarioResult } from '../../src/api/contract/scenario-results.ts'
import type { OpenScratchSandbox } from '../../src/api/replay/client.ts'
import { openScratch } from '../../src/api/sandbox.ts'
import { readScenario, ScenarioFileError } from '../../src/api/scenarios/file.ts'
import { runInScratch } from '../../src/api/scenarios/library.ts'
import { createPlans, type FindScenario, type Plan } from '../../src/api/scenarios/plan.ts'

/** Scenarios as text, planned and run without a file. */

/** Steps after which $customer is active. */
export const CUSTOMER = `  - request: POST /customers
    body:
      email: ada@example.test
      details: { first_name: Ada, last_name: Byron, phone: "5155550123", ssn: 512-04-8823, dob: 1990-04-17,
                 address: { street1: 1 Quay, city: Ames, state: IA, postal_code: "50010" } }
    capture: { customer: uid }
  - request: POST /customer_products
    body: { customer_uid: $customer, product_uid: cQ2vNf7ZxLm9TbKe }
  - advance: PT2S
`

export const open: OpenScratchSandbox = (from, options) => openScratch({ version: '0.0.0-test' }, from, options)

/** Files by their names, for scenarios that begin with others. */
export const among =
  (files: Readonly<Record<string, string>>): FindScenario =>
  (name) =>
    files[name] === undefined ? undefined : readScenario(files[name], `${name}.yaml`)

export const plans = (text: string, files: Readonly<Record<string, string>> = {}): Plan[] =>
  createPlans(readScenario(text, 'scenario.yaml'), among(files))

/** What is wrong with it, without the name of the file: `3:5: …`. */
export function troubles(text: string, files?: Readonly<Record<string, string>>): string[] {
  try {
    plans(text, files)
    return []
  } catch (error) {
    if (error instanceof ScenarioFileError) return error.message.replaceAll('scenario.yaml:', '').split('\n')
    throw error
  }
}

export const run = (text: string, files?: Readonly<Record<string, string>>): Promise<ScenarioResult[]> =>
  plans(text, files).reduce<Promise<ScenarioResult[]>>(
    async (before, plan) => [...(await before), await runInScratch(plan, open)],
    Promise.resolve([]),
  )

/** Runs one that must pass, and tells why when it does not. */
export async function passes(text: string, files?: Readonly<Record<string, string>>): Promise<ScenarioResult> {
  const [result] = await run(text, files)
  expect(failures(result!)).toEqual([])
  expect(result).toMatchObject({ ok: true, left: 0 })
  return result!
}

/** The expectations that were not met: what, expected, actual. */
export const failures = ({ steps }: ScenarioResult) =>
  steps.flatMap(({ checks, trouble }) => [
    ...(trouble === null ? [] : [trouble]),
    ...checks.filter(({ ok }) => !ok).map(({ what, expected, actual }) => [what, expected, actual]),
  ])
