import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { quickHostileNames, startHostileReceiver } from '../support/hostile-receivers.ts'
import { Random } from '../support/random.ts'
import type { Host } from './host.ts'
import {
  createKillPlan,
  createMoneyPlan,
  createPlan,
  createReplacementPlan,
  createWebhookPlan,
  type Plan,
} from './operations.ts'
import { ProcessHost, type ProcessOptions } from './process-host.ts'
import { Run } from './run.ts'
import { kindOf, shrinkPlan } from './shrink.ts'
import { enterSimulation, SimulatedHost } from './simulated-host.ts'

/**
 * Executes one plan after the other. A seed gives a plan (operations.ts): requests, operator actions, crashes and faults. `Run`
 * executes it against the sandbox on a simulated disk (disk.ts), or in a process that is killed, and compares every response, and
 * everything after each start, with a model of the specification (model/).
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
  readonly atEnd?: (run: Run, host: Host) => Promise<void>
  /** In processes of the built sandbox, on a real disk. */
  readonly processes?: boolean
  readonly damage?: ProcessOptions['damage']
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
  const leaveSimulation = options.processes ? () => {} : enterSimulation()
  const problems = new Map<string, { plan: Plan; problem: string }>()
  const counts: Record<string, number> = {}
  try {
    for (let i = first; i < first + seeds; i++) {
      const plan = createPlanOf(seeds === 1 && first === 0 ? seed : `${seed}-${i}`)
      const { run, problem } = await executePlan(plan, options)
      addCounts(counts, run.counts)
      if (problem === undefined || problems.has(kindOf(problem))) continue
      print(`Seed ${plan.seed}: ${problem}`)
      problems.set(
        kindOf(problem),
        options.processes ? report(plan, problem, run, print) : await shorten(plan, problem, options),
      )
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

/** Kills at random instants, or replacements while six clients write. */
export function processPlanOf(seed: string): Plan {
  const random = new Random(`${seed} processes`)
  return random.chance(0.5) ? createKillPlan(seed, random) : createReplacementPlan(seed, random, 5)
}

async function executePlan(plan: Plan, options: SimulationOptions) {
  if (options.processes) return executeInProcess(plan, options)
  const host = new SimulatedHost(plan)
  const run = new Run(plan, host)
  return { run, problem: await run.execute(() => options.atEnd?.(run, host)) }
}

async function executeInProcess(plan: Plan, { atEnd, damage, print }: SimulationOptions) {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-simulate-'))
  // Events are sent to receivers that do everything wrong.
  const receivers = plan.hasOtherCommits ? await Promise.all(quickHostileNames.map(startHostileReceiver)) : []
  const host = new ProcessHost(plan, folder, { damage, receivers: receivers.map(({ url }) => url) })
  const run = new Run(plan, host)
  const problem = (await run.execute(() => atEnd?.(run, host))) ?? (await host.findProblemOfKept())
  await Promise.all(receivers.map(({ stop }) => stop()))
  Object.assign(run.counts, host.counts)
  if (problem === undefined || damage) rmSync(folder, { recursive: true, force: true })
  else print(`The data folder: ${folder}`)
  return { run, problem }
}

/** At random instants the same plan does not fail again. */
function report(plan: Plan, problem: string, { log }: Run, print: (line: string) => void) {
  for (const line of log.slice(-40)) print(`    ${line}`)
  return { plan, problem }
}

async function shorten(plan: Plan, problem: string, options: SimulationOptions) {
  const { print } = options
  const short = await shrinkPlan(plan, problem, async (tried) => (await executePlan(tried, options)).problem)
  const { run, problem: found = problem } = await executePlan(short, options)
  print(`  Shortest plan (durability ${short.durability}): ${found}`)
  for (const operation of short.operations) print(`    ${JSON.stringify(operation)}`)
  print('  What happened:')
  return report(short, found, run, print)
}

interface CommandOptions extends SimulationOptions {
  readonly first: number
  readonly workers: number
  /** Simulates in a process of its own. */
  readonly startWorker: (share: Pick<SimulationOptions, 'seeds' | 'seed' | 'first'>) => Promise<SimulationResult>
}

/** The command. Returns whether nothing was found. */
export async function runSimulation({ workers, startWorker, print, ...all }: CommandOptions): Promise<boolean> {
  const { seeds, seed, first } = all
  const started = Date.now()
  const isOne = workers <= 1 || seeds <= workers
  // The largest first, because a single plan would have the seed itself.
  const shares = Array.from({ length: workers }, (_, n) => Math.ceil((seeds - n) / workers))
  const firstOf = (n: number) => first + shares.slice(0, n).reduce((sum, share) => sum + share, 0)
  const results = isOne
    ? [await simulate({ ...all, print })]
    : await Promise.all(shares.map((share, n) => startWorker({ seeds: share, seed, first: firstOf(n) })))
  const seconds = (Date.now() - started) / 1000
  const problems = results.flatMap((result) => result.problems)
  const counts: Record<string, number> = {}
  for (const result of results) addCounts(counts, result.counts)
  const counted = Object.entries(counts).flatMap(([name, count]) => (count > 0 ? `${count} ${name}` : []))
  const speed = `${seconds.toFixed(1)} s (${Math.round((seeds / seconds) * 60)} a minute)`
  print(`${seeds} seeds in ${speed}; ${counted.join(', ')}; ${problems.length} kinds of problems`)
  return problems.length === 0
}

function addCounts(total: Record<string, number>, counts: Readonly<Record<string, number>>): void {
  for (const [name, count] of Object.entries(counts)) total[name] = (total[name] ?? 0) + count
}
