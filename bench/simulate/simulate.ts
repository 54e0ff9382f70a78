import { Random } from '../support/random.ts'
import { describeCounts, shareOf, sumCounts } from '../support/shares.ts'
import { checkLargeWorld } from './large-world.ts'
import { createMoneyPlan, createPlan, createWebhookPlan, type Plan } from './operations.ts'
import { Run } from './run.ts'
import { kindOf, shrinkPlan } from './shrink.ts'
import { enterSimulation, SimulatedHost } from './simulated-host.ts'

/**
 * Executes one plan after the other. A seed gives a plan (operations.ts): requests, operator actions, crashes and faults. `Run`
 * executes it against the sandbox on a simulated disk (disk.ts), and compares every response, and everything after each start,
 * with a model of the specification (model/).
 */

export interface SimulationOptions {
  readonly seeds: number
  /** The plans have the seeds `<seed>-0`, `<seed>-1`, …; a single one has this seed itself. */
  readonly seed: string
  /** The number of the first plan. */
  readonly first?: number
  /** The plan of a seed; by default it has crashes and faults. */
  readonly planOf?: (seed: string) => Plan
  /** What is checked at the end of each run. */
  readonly atEnd?: (run: Run, host: SimulatedHost) => Promise<void>
  readonly print: (line: string) => void
}

export interface SimulationResult {
  readonly seeds: number
  /** A problem of each kind with its shortened plan. */
  readonly problems: readonly { readonly plan: Plan; readonly problem: string }[]
  readonly counts: Readonly<Record<string, number>>
}

/** Of each kind of problem only the first is shortened. */
export async function simulate(options: SimulationOptions): Promise<SimulationResult> {
  const { seeds, seed, first = 0, planOf: createPlanOf = planOf, print } = options
  const leaveSimulation = enterSimulation()
  const problems = new Map<string, { plan: Plan; problem: string }>()
  const counts: Record<string, number> = {}
  try {
    for (let i = first; i < first + seeds; i++) {
      const plan = createPlanOf(seeds === 1 && first === 0 ? seed : `${seed}-${i}`)
      const { run, problem } = await executePlan(plan, options)
      for (const [name, count] of Object.entries(run.counts)) counts[name] = (counts[name] ?? 0) + count
      if (problem === undefined || problems.has(kindOf(problem))) continue
      print(`Seed ${plan.seed}: ${problem}`)
      problems.set(kindOf(problem), await shorten(plan, problem, options))
    }
  } finally {
    leaveSimulation()
  }
  return { seeds, problems: [...problems.values()], counts }
}

export const planOf = (seed: string): Plan => createPlan(seed, new Random(seed))

/** Without crashes, and with so many random operations. */
export const moneyPlanOf = (seed: string, operations = 60): Plan => createMoneyPlan(seed, new Random(seed), operations)

/** What webhooks do while money moves, with kills. */
export const webhookPlanOf = (seed: string): Plan => createWebhookPlan(seed, new Random(seed), 40)

async function executePlan(plan: Plan, { atEnd }: SimulationOptions) {
  const host = new SimulatedHost(plan)
  const run = new Run(plan, host)
  return { run, problem: await run.execute(() => atEnd?.(run, host)) }
}

async function shorten(plan: Plan, problem: string, options: SimulationOptions) {
  const { print } = options
  const short = await shrinkPlan(plan, problem, async (tried) => (await executePlan(tried, options)).problem)
  const { run, problem: found = problem } = await executePlan(short, options)
  print(`  Shortest plan (durability ${short.durability}): ${found}`)
  for (const operation of short.operations) print(`    ${JSON.stringify(operation)}`)
  print('  What happened:')
  for (const line of run.log) print(`    ${line}`)
  return { plan: short, problem: found }
}

interface CommandOptions extends SimulationOptions {
  readonly first: number
  readonly workers: number
  /** Of the large world whose lists are compared, too; 0 for none. */
  readonly records: number
  /** Simulates in a process of its own. */
  readonly startWorker: (share: Pick<SimulationOptions, 'seeds' | 'seed' | 'first'>) => Promise<SimulationResult>
}

const QUERIES = 200

/** The command. Returns whether nothing was found. */
export async function runSimulation({
  workers,
  records,
  startWorker,
  print,
  ...all
}: CommandOptions): Promise<boolean> {
  const { seeds, seed, first } = all
  const started = Date.now()
  const isOne = workers <= 1 || seeds <= workers
  // The largest first, because a single plan would have the seed itself.
  const shares = Array.from({ length: workers }, (_, n) => shareOf(seeds, n, workers)).reverse()
  const firstOf = (n: number) => first + shares.slice(0, n).reduce((sum, share) => sum + share, 0)
  const results = isOne
    ? [await simulate({ ...all, print })]
    : await Promise.all(shares.map((share, n) => startWorker({ seeds: share, seed, first: firstOf(n) })))
  const seconds = (Date.now() - started) / 1000
  const problems = results.flatMap((result) => result.problems)
  const speed = `${seconds.toFixed(1)} s (${Math.round((seeds / seconds) * 60)} a minute)`
  const counts = describeCounts(sumCounts(results.map((result) => result.counts)))
  const wrongLists = records > 0 ? await checkLargeWorld({ records, queries: QUERIES, seed }) : []
  for (const problem of wrongLists) print(problem)
  if (records > 0)
    print(`${QUERIES} lists with filters in a world of ${records} records: ${wrongLists.length} problems`)
  print(`${seeds} seeds in ${speed}; ${counts}; ${problems.length} kinds of problems`)
  return problems.length + wrongLists.length === 0
}
