import { onTestFinished } from 'vitest'
import type { Action, Event, Plan } from '../../bench/simulate/operations.ts'
import { Run } from '../../bench/simulate/run.ts'
import { enterSimulation } from '../../bench/simulate/simulated-host.ts'

export type Step = Action & { readonly event?: Event }

/** Simulates these operations in an empty world; returns the problem, if there is one. */
export async function simulateSteps(
  durability: Plan['durability'],
  seed: string,
  steps: readonly Step[],
  compareEvery?: number,
) {
  onTestFinished(enterSimulation())
  const operations = steps.map((step, id) => ({ ...step, id }))
  return new Run({ seed, durability, operations, ...(compareEvery === undefined ? {} : { compareEvery }) }).execute()
}
