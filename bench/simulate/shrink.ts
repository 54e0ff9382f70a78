import type { Operation, Plan } from './operations.ts'

/** Finds a short plan that fails in the same way: without operations, then without events, that the failure does not need. */

/** How often a plan is executed at most. */
const MOST_RUNS = 400

/** Two problems are alike if they differ in uids, numbers and times only. */
export const kindOf = (problem: string): string =>
  problem
    .replaceAll(/\b[A-Za-z0-9]{16}\b/g, 'UID')
    .replaceAll(/\d+/g, 'N')
    .slice(0, 60)

export async function shrinkPlan(
  plan: Plan,
  problem: string,
  execute: (plan: Plan) => Promise<string | undefined>,
): Promise<Plan> {
  const kind = kindOf(problem)
  let found = plan
  let runs = 0
  const fails = async (operations: readonly Operation[]) => {
    if (runs++ >= MOST_RUNS) return false
    const tried = { ...plan, operations }
    const result = await execute(tried)
    const isAlike = result !== undefined && kindOf(result) === kind
    if (isAlike) found = tried
    return isAlike
  }
  for (let size = Math.ceil(plan.operations.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
    for (let from = 0; from < found.operations.length; )
      if (!(await fails(found.operations.toSpliced(from, size)))) from += size
  for (const [at, { event, ...operation }] of found.operations.entries())
    if (event) await fails(found.operations.with(at, operation as Operation))
  return found
}
