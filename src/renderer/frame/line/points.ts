import type { Operation, PartOfTime } from '../../../api/contract/control/operations.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { sandbox } from '../../data/sandbox.ts'
import { formatShortInstant } from '../../format/text.ts'

/** A point on the line: an operation, a task, or just an instant. */
export interface Point {
  readonly at: number
  /** The newest commit until then; null if nothing happened before, and for what is to come. */
  readonly commit: number | null
  readonly operation: Pick<Operation, 'operation' | 'says' | 'did'> | null
  readonly task: Task | null
}

const NOWHERE = { commit: null, operation: null, task: null }

export const saysOf = ({ at, operation, task }: Point, now: number): string => {
  const what = task
    ? `${task.kind}: ${task.failed ?? task.why}`
    : operation
      ? `${operation.says}, ${operation.did}`
      : at > now
        ? 'to come'
        : 'nothing'
  return `${formatShortInstant(at)}: ${what}`
}

/** More commits than that between two operations belong to one of them. */
const PAGE = 200

async function operationsBefore(before: number): Promise<readonly Operation[]> {
  const { operations } = await sandbox['operations.list']({ limit: PAGE, before })
  return operations.filter(({ undone_by }) => undone_by === null)
}

const pointOf = (operation: Operation): Point => ({
  ...NOWHERE,
  at: Date.parse(operation.until),
  commit: operation.last,
  operation,
})

/** The operation or the task next to a point, in either direction; at the ends the point itself. Now is between the two. */
export async function pointAfter(
  point: Point | null,
  now: number,
  tasks: readonly Task[],
  step: -1 | 1,
): Promise<Point> {
  const here = point ?? { ...NOWHERE, at: now }
  const due = tasks.toSorted((a, b) => a.due_at.localeCompare(b.due_at))
  // The time of the window is in whole seconds, so what just happened may be after it.
  if (here.task || (here.commit === null && here.at > now)) {
    const next =
      step === 1
        ? due.find(({ due_at }) => Date.parse(due_at) > here.at)
        : due.findLast(({ due_at }) => Date.parse(due_at) < here.at)
    return next ? pointOfTask(next) : step === 1 ? here : { ...NOWHERE, at: now }
  }
  if (step === -1) {
    const before = here.operation?.operation ?? (here.commit === null ? undefined : here.commit + 1)
    if (before === 1) return here
    const [next] = await operationsBefore(before ?? Number.MAX_SAFE_INTEGER)
    return next ? pointOf(next) : here
  }
  const later = here.commit === null ? [] : await operationsBefore(here.commit + PAGE)
  const next = later.findLast(({ operation }) => operation > here.commit!)
  if (next) return pointOf(next)
  return here.commit === null && due[0] ? pointOfTask(due[0]) : { ...NOWHERE, at: now }
}

const pointOfTask = (task: Task): Point => ({ ...NOWHERE, at: Date.parse(task.due_at), task })

interface Place {
  readonly at: number
  /** Of the pointer, in milliseconds. */
  readonly near: number
  readonly now: number
  readonly tasks: readonly Task[]
  readonly parts: readonly PartOfTime[]
  readonly from: number
}

/** What is at a place: a task or an operation near to it; in the past else the world as it was then. */
export async function findPoint({ at, near, now, tasks, parts, from }: Place): Promise<Point> {
  const distance = (ms: number) => Math.abs(ms - at)
  if (at > now - near) {
    const [task] = tasks
      .filter(({ due_at }) => distance(Date.parse(due_at)) < near)
      .sort((a, b) => distance(Date.parse(a.due_at)) - distance(Date.parse(b.due_at)))
    if (task) return pointOfTask(task)
    if (at > now) return { ...NOWHERE, at: Math.max(now + SECOND_MS, roundTo(near, at)) }
  }
  const [part = await newestBefore(at, from, parts)] = parts
    .filter(({ until }) => distance(Date.parse(until)) < near)
    .sort((a, b) => distance(Date.parse(a.until)) - distance(Date.parse(b.until)))
  if (!part) return { ...NOWHERE, at }
  // All of it, also if only its beginning lies before the point.
  const { undo: operation } = await sandbox['operations.preview']({ operation: part.last })
  const isNear = distance(Date.parse(part.until)) < near
  return { at: isNear ? Date.parse(part.until) : at, commit: part.commit, operation, task: null }
}

const SECOND_MS = 1_000
const STEPS = [60 * 60, 15 * 60, 60].map((seconds) => seconds * SECOND_MS)

/** A round time, as far as the pointer allows. */
function roundTo(near: number, at: number): number {
  const step = STEPS.find((one) => one <= near) ?? SECOND_MS
  return Math.round(at / step) * step
}

const BEGINNING = '2000-01-01T00:00:00.000Z'

async function newestBefore(at: number, from: number, parts: readonly PartOfTime[]): Promise<PartOfTime | undefined> {
  const found = parts.findLast(({ until }) => Date.parse(until) <= at)
  if (found) return found
  const to = new Date(from).toISOString()
  return (await sandbox['operations.count']({ from: BEGINNING, to, parts: 1 })).parts[0]
}
