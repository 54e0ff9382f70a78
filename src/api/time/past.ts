import type { Cause } from '../contract/control/history.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import type { DemoStep } from '../domain/demo.ts'
import { checkBooks } from '../domain/rules/ledger.ts'
import { Clock, toMs, toTimestamp } from '../store/clock.ts'
import type { WorldFile } from '../store/data-folder.ts'
import { MemoryWorldFile } from '../store/memory-world-file.ts'
import { runToEnd, type Steps } from '../store/steps.ts'
import { Store } from '../store/store.ts'
import type { WorldTx } from '../store/tx.ts'
import type { ClockState, World } from '../store/world.ts'
import { Scheduler } from './scheduler.ts'
import type { Runner } from './tasks.ts'

const DAY_MS = 86_400_000
const FIRST = 1
const CAUSE: Cause = { door: 'operator', name: 'world.create' }

interface SimulatedPast {
  readonly world: World
  /** The clock of the world when its past is over, at its start. */
  readonly clock: Omit<ClockState, 'at'>
  readonly seed: (tx: WorldTx) => void
  readonly tasks: Readonly<Record<string, Runner>>
  readonly steps: readonly DemoStep[]
}

/**
 * Fills a fresh world with its history before the start: runs each step at its time, and the tasks that are due in between,
 * at the pace of the banking calendar. Returns the history.
 */
export function* simulatePastInSteps({ world, clock, seed, tasks, steps }: SimulatedPast): Steps<WorldFile> {
  const start = toMs(world.start)
  const longest = Math.max(0, ...steps.map(({ days_ago }) => days_ago))
  world.clock = { mode: 'frozen', pace: 'real', at: instantDaysAgo(start, longest) }
  const history = new MemoryWorldFile()
  const store = new Store(world, new Clock(world, () => 0), history, checkBooks)
  // All of it is one operation.
  store.addOrigin = (commit) => (commit.seq === FIRST ? commit : { ...commit, part_of: FIRST })
  const reportError = (error: unknown) => {
    throw error
  }
  const scheduler = new Scheduler({ store, tasks, notify() {}, reportError })
  // The world does not exist for others yet, so its clock is set without a commit.
  const goTo = function* (at: Timestamp) {
    for (let [task] = scheduler.waiting(); task && task.due_at <= at; [task] = scheduler.waiting()) {
      world.clock = { ...world.clock, at: task.due_at }
      scheduler.runDue()
      yield 1
    }
    world.clock = { ...world.clock, at }
  }
  store.operate(CAUSE, seed)
  const known = new Map<string, Uid>()
  const program = world.collections.programs.inOrder()[0]!.uid
  for (const { days_ago, work } of steps) {
    yield* goTo(instantDaysAgo(start, days_ago))
    store.transact(program, CAUSE, (tx) => work(tx, known))
    yield 1
  }
  yield* goTo(world.start)
  // A world with steps gets a last commit at its start. An empty world only has the commit of its seed.
  world.clock = { ...clock, at: world.start }
  if (steps.length > 0) store.operate(CAUSE, (tx) => tx.setClock({ ...clock, at: world.start }))
  return history
}

export const simulatePast = (past: SimulatedPast): WorldFile => runToEnd(simulatePastInSteps(past))

const instantDaysAgo = (start: number, days: number): Timestamp => toTimestamp(Math.round(start - days * DAY_MS))
