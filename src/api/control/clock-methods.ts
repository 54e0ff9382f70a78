import { rowOf } from '../contract/collections.ts'
import type {
  Advance,
  AdvanceGoal,
  AdvanceInput,
  AdvancePreview,
  BreakOn,
  Clock,
  FiredTask,
} from '../contract/control/clock.ts'
import type { MethodParsed } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { type Machine, machines } from '../contract/machines.ts'
import { parseDuration, parseInstant, readAmountOfTime } from '../contract/terms/amounts-of-time.ts'
import { showTask } from '../domain/resources/show.ts'
import { plusBankingDays } from '../domain/rules/calendar.ts'
import { pacesOf, refuseRealPace } from '../domain/rules/hosted.ts'
import { REPLACES_WORLD } from '../replay/replay.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import { type ClockState, collectionNames, collectionOf, type TaskRecord } from '../store/world.ts'
import { foresee } from '../time/foresee.ts'
import { earlierTasks, hold, release } from '../time/holds.ts'
import type { Goal, Scheduler } from '../time/scheduler.ts'
import type { OperatorDoor } from './door.ts'
import { causeOf, notFound, requireCollection } from './program-scope.ts'

/** clock.* and tasks.* */

export function readClock(door: OperatorDoor, outcomes = foresee(door).outcomes): Clock {
  const { store, scheduler } = door
  const scheduled = scheduler.waiting().filter(({ recurring }) => !recurring)
  const next = scheduled[0] && showTask(scheduled[0], outcomes.get(scheduled[0].uid))
  return {
    now: toTimestamp(store.clock.now()),
    mode: store.clock.mode,
    pace: store.clock.pace,
    paces: pacesOf(store.world),
    break_on: store.world.clock.break_on ?? null,
    next: next ? { at: next.due_at, what: next.why, message: next.message, outcome: next.outcome } : null,
    due: scheduled.length,
  }
}

export function setClock(door: OperatorDoor, { mode, pace, break_on }: MethodParsed<'clock.set'>): Clock {
  const { store, scheduler } = door
  refuseDuringAdvance(scheduler)
  if (break_on) refuseImpossibleBreak(door, break_on)
  refuseRealPace(store.world, pace)
  const now = store.clock.now()
  store.operate(causeOf('clock.set'), (tx) => tx.setClock(changeClock(tx.clock, { mode, pace, break_on }, tx.now)), now)
  return readClock(door, foresee(door, false).outcomes)
}

/** `break_on`: undefined keeps the current one, null removes it. */
function changeClock(clock: ClockState, { mode, pace, break_on }: MethodParsed<'clock.set'>, at: string): ClockState {
  const condition = break_on === undefined ? clock.break_on : break_on
  return { mode: mode ?? clock.mode, pace: pace ?? clock.pace, at, ...(condition ? { break_on: condition } : {}) }
}

/** A status that no record reaches would never stop the clock. */
function refuseImpossibleBreak({ store }: OperatorDoor, { collection, status, uid }: BreakOn) {
  const name = requireCollection(collection)
  const { status: machineName } = rowOf(name).machines ?? {}
  const machine: Machine | undefined = machineName && machines[machineName]
  const refuse = (field: string, why: string) => {
    throw new ApiError('invalidArgument', `break_on.${field}: ${why}`)
  }
  if (!Object.hasOwn(rowOf(name).schema.shape, 'status'))
    refuse('collection', `${collection} have no status; these have one: ${WITH_STATUS.join(', ')}`)
  if (machine && !machine.states.includes(status)) refuse('status', `${collection} are ${machine.states.join(', ')}`)
  if (uid === undefined) return
  const record = collectionOf(store.world, name).get(uid) as { status?: string | null } | undefined
  if (!record) return refuse('uid', `${collection} have no record ${uid}`)
  const reachable = machine && listReachable(machine, String(record.status))
  if (reachable && !reachable.has(status))
    refuse(
      'status',
      `its status is ${record.status}, from which it ${reachable.size === 0 ? 'does not change' : `can become ${[...reachable].join(', ')}`}`,
    )
}

const WITH_STATUS = collectionNames.filter((name) => Object.hasOwn(rowOf(name).schema.shape, 'status'))

/** The statuses that one or more moves lead to. */
function listReachable({ moves }: Machine, from: string, found = new Set<string>()): Set<string> {
  for (const move of Object.values(moves))
    if (move.from.includes(from) && !found.has(move.to))
      listReachable({ moves } as Machine, move.to, found.add(move.to))
  return found
}

export async function advance(
  door: OperatorDoor,
  { wait_for_webhooks: waitsForWebhooks, ...input }: AdvanceInput,
): Promise<Advance> {
  refuseNow(door)
  const goal = toGoal(input as AdvanceGoal, door.store.clock.now())
  return door.scheduler.advance(goal, causeOf('clock.advance'), { waitsForWebhooks })
}

function refuseNow({ scheduler, jobs }: OperatorDoor) {
  refuseDuringAdvance(scheduler)
  // Jobs that replace the world need time to stop; a replay advances it itself, and an export only reads.
  if (jobs.exclusive && REPLACES_WORLD.has(jobs.exclusive)) jobs.refuseDuringExclusive()
}

/** How many tasks a preview lists. */
const MAX_LISTED = 20

export function previewAdvance(door: OperatorDoor, input: AdvanceGoal): AdvancePreview {
  const { store, scheduler } = door
  const ms = store.clock.now()
  const now = toTimestamp(ms)
  const refuse = (refused: string) => ({ now, refused, to: null, runs: 0, recurring: 0, skipped: 0, tasks: [] })
  let goal: Goal
  try {
    refuseNow(door)
    goal = toGoal(input, ms)
  } catch (error) {
    if (error instanceof ApiError) return refuse(error.extra ?? error.message)
    throw error
  }
  const end = scheduler.endOf(goal, ms)
  const waiting = scheduler.waiting()
  const { tasks, outcomes, isWhole } = foresee(door)
  const ahead = isWhole ? tasks.map(({ task }) => task) : waiting
  const last = end === undefined ? ahead.findLast(({ recurring }) => !recurring)?.due_at : toTimestamp(end)
  const isReached = ({ due_at }: TaskRecord) => last !== undefined && due_at <= last
  const runs = ahead.filter(isReached)
  const skipped = store.world.collections.tasks.inOrder().filter((task) => end === undefined || isReached(task))
  return {
    now,
    refused: null,
    to: end === undefined ? null : toTimestamp(end),
    runs: runs.length,
    recurring: runs.filter(({ recurring }) => recurring).length,
    skipped: skipped.filter(({ held, failed }) => held || failed !== null).length,
    tasks: runs.slice(0, MAX_LISTED).map((task) => showTask(task, outcomes.get(task.uid))),
  }
}

export function toGoal(given: AdvanceGoal, now: number): Goal {
  const input = 'text' in given ? readAmountOfTime(given.text, now) : given
  if ('until' in input) return input
  const to =
    'business_days' in input
      ? plusBankingDays(now, input.business_days)
      : 'by' in input
        ? now + parseDuration(input.by)
        : parseInstant(input.to)
  if (to < now)
    throw new ApiError(
      'invalidArgument',
      'to: time does not go back; rewinding to an earlier commit does (world.rewind)',
    )
  if (to > LATEST) throw new ApiError('invalidArgument', 'the time is beyond the year 9900')
  return { to }
}
/** Timestamps of years with five digits would not sort as text. */
const LATEST = toMs('9900-01-01T00:00:00.000Z')

export function runTask({ scheduler, store }: OperatorDoor, uid: string): FiredTask {
  refuseDuringAdvance(scheduler)
  const task = store.world.collections.tasks.get(uid) ?? notFound(`there is no task ${uid}`)
  const earlier = store.read(task.program_uid, (tx) => earlierTasks(tx, task))
  const overtaken = earlier.map(({ kind }) => kind)
  const fired = scheduler.runNow(uid) ?? notFound(`there is no task ${uid}`)
  if (overtaken.length === 0) return fired
  return { ...fired, outcome: `${fired.outcome}, out of order: before "${overtaken.join('", "')}"`, overtaken }
}

export function holdTask(door: OperatorDoor, uid: string, held: boolean) {
  const { store } = door
  const { program_uid } = store.world.collections.tasks.get(uid) ?? notFound(`there is no task ${uid}`)
  const changed = store.transact(program_uid, causeOf(held ? 'tasks.hold' : 'tasks.release'), (tx) => {
    const task = tx.tasks.get(uid) ?? notFound(`there is no task ${uid}`)
    return held ? hold(tx, task) : release(tx, task)
  })
  return showTask(changed, foresee(door, false).outcomes.get(uid))
}

export function refuseDuringAdvance(scheduler: Scheduler) {
  if (scheduler.advancing)
    throw new ApiError('invalidArgument', 'an advance is running: wait for it, or stop it with clock.cancel')
}
