import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createReplacementPlan, type Operation, type Plan } from '../simulate/operations.ts'
import { Run } from '../simulate/run.ts'
import { planOf } from '../simulate/simulate.ts'
import { changingMethods } from '../support/examples.ts'
import { quickHostileNames, startHostileReceiver } from '../support/hostile-receivers.ts'
import { Random } from '../support/random.ts'
import { addCounts } from '../support/shares.ts'
import { fillJournal } from './journal.ts'
import { ProcessHost, type ProcessOptions } from './process-host.ts'

/**
 * Executes plans of the simulation, and every method that changes something, in a process that is killed at random instants. After each
 * start the world, the request log and the operator log are compared with the answers and with the model.
 */

export interface Share {
  readonly kills: number
  readonly replacements: number
  readonly seed: string
}

export interface Options extends Share {
  readonly print?: (line: string) => void
  /** Damages the data folder after each kill, to show that the campaign finds it. */
  readonly damage?: (data: string) => void
}

type Methods = Record<string, { answered: number; interrupted: number }>

export interface Result {
  readonly counts: Readonly<Record<string, number>>
  /** How often each control method that changes something was answered, and how often a kill cut it off. */
  readonly methods: Readonly<Methods>
  /** Of those while clients wrote, by method and size. */
  readonly replaced: Readonly<Record<string, number>>
  readonly problems: readonly string[]
}

/** What only a simulated disk does. */
const LEFT_OUT: readonly Operation['kind'][] = ['flip', 'receive many']
const EXAMPLES_OF_A_PLAN = changingMethods.length
/** The part of the examples that are killed. */
const KILLED = 0.1
/** Each sandbox replaces so many worlds. */
const REPLACEMENTS_EACH = 5

export async function campaign({ kills, replacements, seed, print = () => {}, damage }: Options): Promise<Result> {
  const result = {
    counts: { kills: 0 } as Record<string, number>,
    methods: {} as Methods,
    replaced: {} as Record<string, number>,
  }
  const { counts, methods, replaced } = result
  const problems: string[] = []
  for (const name of changingMethods) methods[name] = { answered: 0, interrupted: 0 }
  const execute = async (plan: Plan, options: ProcessOptions) => {
    const folder = mkdtempSync(join(tmpdir(), 'sandbank-torture-'))
    const host = new ProcessHost(plan, folder, options)
    const run = new Run(plan, host)
    const problem = (await run.execute()) ?? (await host.findProblemOfKept())
    addCounts(counts, { ...run.counts, ...host.counts })
    addCounts(replaced, run.replacements)
    for (const [name, count] of run.examples) addCounts(methods[name]!, count)
    print(
      `${counts.kills} kills, ${counts.requests! + counts.actions!} changes acknowledged, ${problem ?? 'no problem'}`,
    )
    if (problem !== undefined) problems.push(problem)
    if (problem !== undefined && !damage)
      for (const line of [`The data folder: ${folder}`, ...run.log.slice(-40)]) print(line)
    else rmSync(folder, { recursive: true, force: true })
  }
  // Each process begins with another method.
  const first = new Random(seed).below(changingMethods.length)
  for (let n = 0; counts.kills! < kills && problems.length === 0; n++)
    await execute(planWithKills(`${seed}-${n}`, first + n * EXAMPLES_OF_A_PLAN, kills - counts.kills!), { damage })
  const receivers = replacements > 0 ? await Promise.all(quickHostileNames.map(startHostileReceiver)) : []
  for (let left = replacements, n = 0; left > 0 && problems.length === 0; left -= REPLACEMENTS_EACH, n++) {
    const inMemory = n % 2 === 1
    const random = new Random(`${seed} replacements ${n}`)
    const plan = createReplacementPlan(`${seed}-${n}`, random, Math.min(left, REPLACEMENTS_EACH), !inMemory)
    const urls = random.shuffle(receivers.map(({ url }) => url))
    // In every third start the world file is rewritten soon, under the load of the clients.
    let ends = 0
    const fill = (data: string) => (ends++ % 3 === 0 ? fillJournal(data) : undefined)
    await execute(plan, { inMemory, receivers: urls, damage: fill })
  }
  await Promise.all(receivers.map(({ stop }) => stop()))
  return { ...result, problems }
}

/**
 * The plan of a seed with kills as its only events, and with all examples in turn, from this one on. It ends after so many kills.
 */
function planWithKills(seed: string, firstExample: number, mostKills: number): Plan {
  const random = new Random(`${seed} kills`)
  const { durability, operations } = planOf(seed)
  const kill = (isKilled: boolean) => (isKilled ? { event: { kind: 'kill' as const, after: random.below(12) } } : {})
  const plain = operations
    .filter(({ kind }) => !LEFT_OUT.includes(kind))
    .map(({ event, ...operation }) => {
      const { meanwhile: _, ...alone } = operation as Operation & { meanwhile?: number }
      return { ...alone, ...kill(event !== undefined || operation.kind === 'restart') } as Operation
    })
  const next = Array.from(
    { length: EXAMPLES_OF_A_PLAN },
    (_, i) => changingMethods[(firstExample + i) % changingMethods.length]!,
  )
  // No commit has the action faults.set, so a start cannot add it to the log again.
  const names = next.flatMap((name, i) => (i % 4 === 0 ? (['faults.set', name] as const) : [name]))
  const examples = names.map(
    (name, i): Operation => ({ kind: 'example', name, id: operations.length + i, ...kill(random.chance(KILLED)) }),
  )
  const id = operations.length + examples.length
  // After the opening, in any order with the others. With a webhook there are events.
  const webhook: Operation = {
    kind: 'create webhook',
    hasAddress: false,
    confirm: false,
    topics: null,
    from: 'now',
    id,
  }
  const mixed = [...plain.slice(0, 11), webhook, ...mix(plain.slice(11), examples, random)]
  let kills = 0
  const last = mixed.findIndex(({ event }) => event !== undefined && ++kills === mostKills)
  const done = last < 0 ? mixed : mixed.slice(0, last + 1)
  return { seed, durability, operations: [...done, { kind: 'restart', id: id + 1 }] }
}

function mix(operations: readonly Operation[], others: readonly Operation[], random: Random): Operation[] {
  const mixed = [...operations]
  let at = 0
  for (const other of others) {
    at = random.between(at, mixed.length)
    mixed.splice(at++, 0, other)
  }
  return mixed
}
