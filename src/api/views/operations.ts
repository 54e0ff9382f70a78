import { rowOf } from '../contract/collections.ts'
import { formatCause, isOfSandbox } from '../contract/control/causes.ts'
import type { Cause } from '../contract/control/history.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import type { Operation, UndoStep } from '../contract/control/operations.ts'
import { ApiError } from '../contract/errors.ts'
import { formatAmount } from '../contract/terms/format-amount.ts'
import { newYorkTime } from '../contract/terms/new-york.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { bankingDayAfter, isBankingDay } from '../domain/rules/calendar.ts'
import { add, ZERO } from '../domain/rules/money.ts'
import { type Change, type Commit, operationOf } from '../store/commit.ts'
import { currentBranch, findCommit, findLeftCommits } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore, WorldReplacement } from '../store/store.ts'
import type { TransactionRecord } from '../store/world.ts'
import { MAX_RECORDS_NAMED, summarizeCommit } from './commits.ts'

/**
 * Operations, and what undo and redo would do: all of it follows from the commits. An undo or a redo is a commit that goes on from another one;
 * the stack is what is found by following these, newest first. An operation with a rewind stays on it, so that it can be undone, too.
 */

const DEFAULT_LIMIT = 50

/** An undo or a redo. Those in the history of an import are a part of it. */
const isMove = ({ cause, part_of }: Pick<Commit, 'cause' | 'part_of'>) =>
  cause.undo !== undefined && part_of === undefined

const beginsOperation = (commit: Commit) => operationOf(commit) === commit.seq && !isMove(commit)

/** By its first commit: a scenario begins with a reset, and an advance with its tasks. */
export function causeOfOperation({ cause, action, run }: Commit): Cause {
  const name = run ?? (cause.door === 'time' ? action?.name : undefined)
  return name === undefined ? cause : { door: 'operator', name }
}

/**
 * Assumed (invented): an operation that undo names is what a user did, such as a request, an action, or a start with another clock. Not tasks that
 * ran as the clock runs, the attempts of webhooks, or that the sandbox was closed or its world copied: these are undone with the one before.
 */
const isByItself = (first: Commit) => isOfSandbox(causeOfOperation(first))

/** Its time is also that before it. */
const isRequestOrDecision = ({ cause, goes_on_from, clock }: Commit) =>
  cause.door !== 'time' && goes_on_from === undefined && clock === undefined

/** The commits up to one that undo goes back along, newest first. */
const stackOf = (store: ReadStore, newest: number) =>
  currentBranch(store, { before: newest + 1 }, { newest, follows: isMove })

/**
 * Of the newest operation, or another one. One that has commits of others between its own takes these along. What ran by itself since goes
 * along, too: undone alone it would run again at once.
 */
export function* findUndo(store: ReadStore, wanted?: number): Steps<UndoStep> {
  const { seq: newest } = store.world
  if (wanted !== undefined) yield* refuseUndo(store, wanted)
  const whole: Commit[] = []
  const begun = new Set<number>()
  /** The times before advances. */
  const times = new Map<number, Timestamp>()
  let target = wanted
  for (const commit of stackOf(store, newest)) {
    yield
    if (!commit) continue
    if (commit.cause.name === 'world.create') break
    const first = operationOf(commit)
    begun.add(first)
    if (commit.cause.from !== undefined) times.set(first, commit.cause.from)
    if (first !== commit.seq) continue
    begun.delete(first)
    // What the sandbox has added to an undo is no operation either.
    if (!isMove(commit)) whole.push(commit)
    if (begun.size > 0) continue
    // Of several with commits between each other's, the one that began first, as for redo.
    target ??= whole.findLast((one) => !isByItself(one))?.seq
    if (target === undefined || commit.seq > target) continue
    const to = commit.seq - 1
    const isAdvance = causeOfOperation(commit).name === 'clock.advance'
    const at = (isAdvance ? times.get(first) : isRequestOrDecision(commit) ? commit.at : null) ?? null
    if (to >= store.firstSeq || to === store.beginning.seq)
      return { ...(yield* describeStep(store, whole, target, to)), at }
    break
  }
  throw refusal(
    target === undefined
      ? 'there is nothing to undo'
      : `the history does not have what was before operation ${target} any more: it begins with commit ${store.firstSeq}`,
  )
}

/** Counts what is in the world after the commit `until`, by default the current one: no others that a rewind has left. */
function* describeStep(
  store: ReadStore,
  whole: readonly Commit[],
  target: number,
  to: number,
  until?: number,
): Steps<UndoStep> {
  const undoing = yield* findUndoing(store, until)
  const counted = whole.filter(({ seq }) => seq === target || !undoing(seq))
  const first = counted.find(({ seq }) => seq === target)!
  return {
    operation: target,
    ...(yield* inWords(store, target)),
    cause: causeOfOperation(first),
    goes_on_from: first.goes_on_from ?? null,
    to,
    at: null,
    operations: counted.length,
    requests: counted.filter(({ seq, cause }) => seq !== target && cause.door === 'request').length,
  }
}

/** What an undo has undone: also what arrived after it was found and before its commit. */
export function addArrived(step: UndoStep, arrived: readonly Commit[]): UndoStep {
  const move = arrived.findIndex(isMove)
  const begun = arrived.slice(0, move === -1 ? arrived.length : move).filter(beginsOperation)
  const requests = begun.filter(({ cause }) => cause.door === 'request')
  return { ...step, operations: step.operations + begun.length, requests: step.requests + requests.length }
}

/** The first commits of the operations that an undo has undone, newest first. */
function* undoneBy(store: ReadStore, seq: number, to: number): Steps<readonly Commit[]> {
  const whole: Commit[] = []
  for (const commit of stackOf(store, seq - 1)) {
    yield
    if (commit && commit.seq <= to) break
    if (commit && beginsOperation(commit)) whole.push(commit)
  }
  return whole
}

/** An operation that is not in the current world cannot be undone. */
function* refuseUndo(store: ReadStore, wanted: number): Steps<void> {
  const { seq } = store.world
  if (wanted > seq) throw refusal(`there is no operation ${wanted} yet: the newest commit is ${seq}`)
  const commit = yield* findCommit(store, wanted)
  if (!commit)
    throw refusal(`operation ${wanted} is not in the history any more, which begins with commit ${store.firstSeq}`)
  if (commit.cause.name === 'world.create') throw refusal('the creation of the world cannot be undone: see world.reset')
  if (isMove(commit))
    throw refusal(
      `commit ${wanted} is ${commit.cause.undo === 'undo' ? 'an undo' : 'a redo'} itself: see operations.redo`,
    )
  const first = operationOf(commit)
  if (first !== wanted) throw refusal(`commit ${wanted} is a part of operation ${first}: undo that one`)
  const left = (yield* findUndoing(store))(wanted)
  if (!left) return
  throw refusal(
    left.cause.undo && left.operation === left.seq
      ? `operation ${wanted} is undone already, by commit ${left.seq}: operations.redo brings it back`
      : `operation ${left.operation} (${left.cause.name}) went on from before operation ${wanted}: undo operation ${left.operation} first`,
  )
}

/** For each operation, the undo, rewind or other replacement, up to a commit, that went back before it. */
function* findUndoing(store: ReadStore, until = store.world.seq) {
  const findLeft = findLeftCommits((yield* store.findReplacements()).filter(({ seq }) => seq <= until))
  return (operation: number): WorldReplacement | undefined => {
    const by = findLeft(operation)
    return by && by.operation !== operation ? by : undefined
  }
}

export function* previewUndo(store: ReadStore, operation?: number): Steps<MethodOutput<'operations.preview'>> {
  const [undo, redo] = [yield* orNull(findUndo(store, operation)), yield* orNull(findRedo(store, operation))]
  const left = operation === undefined ? undefined : (yield* findUndoing(store))(operation)
  const undone_by = left ? { seq: left.seq, cause: left.cause, goes_on_from: left.goes_on_from } : null
  return { undo, redo, undone_by }
}

function* inWords(store: ReadStore, operation: number): Steps<Pick<UndoStep, 'says' | 'did'>> {
  let summary: Summary | undefined
  for (const commit of store.historyInSteps({ after: operation - 1 })) {
    yield
    if (commit && commit.seq < operation) break
    if (!commit || operationOf(commit) !== operation || isMove(commit)) continue
    summary ??= beginSummary(commit)
    addCommit(summary, commit)
  }
  return { says: summary ? wordsOf(summary) : '', did: summary ? didOf(summary) : '' }
}

const refusal = (extra: string) => new ApiError('invalidArgument', `operation: ${extra}`)

/** The newest undo that can be redone, or the one of an operation. */
export function* findRedo(store: ReadStore, wanted?: number): Steps<UndoStep> {
  let undo: Commit | undefined
  for (const commit of undosOf(store)) {
    yield
    if (!commit) continue
    // Each older one goes back less far.
    if (wanted !== undefined && commit.goes_on_from! >= wanted) break
    undo = commit
    if (wanted === undefined) break
  }
  if (undo) {
    const { seq, goes_on_from = 0 } = undo
    const whole = yield* undoneBy(store, seq, goes_on_from)
    const target = wanted ?? whole.at(-1)?.seq
    if (target !== undefined && whole.some((commit) => commit.seq === target))
      return yield* describeStep(store, whole, target, seq - 1, seq - 1)
  }
  throw refusal(
    wanted === undefined
      ? 'there is nothing to redo: nothing was undone since the last change'
      : `operation ${wanted} cannot be redone: it is not undone, or the world has changed since`,
  )
}

/** Undos that nothing but a redo of later ones and what runs by itself followed, newest first. */
function* undosOf(store: ReadStore): Iterable<Commit | undefined> {
  let next = store.world.seq
  for (const commit of store.historyInSteps()) {
    const isUndo = commit?.seq === next && commit.cause.undo === 'undo' && isMove(commit)
    yield isUndo ? commit : undefined
    if (commit?.seq !== next) continue
    // What the sandbox adds to an undo, such as outcomes of webhooks, is no change of the user's.
    if (commit.part_of !== undefined) next = commit.part_of
    else if (isByItself(commit)) next = commit.seq - 1
    else if (!isMove(commit)) return
    else next = isUndo ? commit.seq - 1 : commit.goes_on_from!
  }
}

/** After a redo was found: it would leave behind what others have changed since. */
export function refuseRedo({ to }: UndoStep, arrived: readonly Commit[]) {
  const change = arrived.find((commit) => (commit.part_of === undefined ? !isByItself(commit) : commit.part_of <= to))
  if (!change) return
  const what = `commit ${change.seq} (${change.cause.name}) came meanwhile and is kept`
  throw refusal(`nothing was redone: ${what}; world.rewind {"seq":${to}} leaves it behind`)
}

/** undefined where the step is refused. */
function* orNull<T>(steps: Steps<T>): Steps<T | null> {
  try {
    return yield* steps
  } catch (error) {
    if (error instanceof ApiError) return null
    throw error
  }
}

/** Newest first, by their last commits. A page ends where no operation is cut. */
export function* operationsOf(
  store: ReadStore,
  limit = DEFAULT_LIMIT,
  before = Number.POSITIVE_INFINITY,
): Steps<MethodOutput<'operations.list'>> {
  const found = new Map<number, Summary>()
  const begun = new Set<number>()
  const undoing = yield* findUndoing(store)
  for (const commit of store.historyInSteps({ before })) {
    yield
    if (!commit) continue
    const first = operationOf(commit)
    if (commit.seq >= before) continue
    if (found.size >= limit && begun.size === 0) return { operations: toOperations(found), next: commit.seq + 1 }
    begun.add(first)
    const summary = found.get(first) ?? beginSummary(commit)
    found.set(first, summary)
    addCommit(summary, commit)
    if (first === commit.seq && begun.delete(first)) summary.undone_by = undoing(first)?.seq ?? null
  }
  // The history has only the end of the others.
  for (const cut of begun) found.delete(cut)
  return { operations: toOperations(found), next: null }
}

type Summary = { -readonly [F in Exclude<keyof Operation, 'says' | 'did'>]: Operation[F] }

const toOperations = (found: ReadonlyMap<number, Summary>): Operation[] =>
  [...found.values()].map((one) => ({ ...one, says: wordsOf(one), did: didOf(one) }))

/** As it stands after Undo: `advance of 8 business days`. */
const wordsOf = ({ at, until, ...one }: Summary): string =>
  one.cause.name === 'clock.advance' ? `advance ${describeSpan(Date.parse(at), Date.parse(until))}` : nameOperation(one)

export const nameOperation = ({ cause, goes_on_from }: Pick<Summary, 'cause' | 'goes_on_from'>): string =>
  cause.decision === undefined
    ? formatCause({ cause, goes_on_from }).replace(/^operator /, 'action: ')
    : `decision ${cause.decision}`

const MINUTE_MS = 60_000
const LONGEST_IN_HOURS = 48 * 60

/** `of 8 business days`, if it ends at the same time of day; a short one in hours, minutes or seconds; else by its end. */
function describeSpan(from: number, to: number): string {
  const [begin, end] = [newYorkTime(from), newYorkTime(to)]
  const minutes = (to - from) / MINUTE_MS
  if (begin.time_ms === end.time_ms && begin.date < end.date && isBankingDay(end.date)) {
    let days = 1
    for (let day = bankingDayAfter(begin.date); day < end.date; day = bankingDayAfter(day)) days++
    return `of ${count(days, 'business day')}`
  }
  if (minutes < 2) return `of ${count(Math.round(minutes * 60), 'second')}`
  if (minutes < LONGEST_IN_HOURS && Number.isInteger(minutes))
    return `of ${minutes % 60 === 0 ? count(minutes / 60, 'hour') : count(minutes, 'minute')}`
  return `to ${end.date} ${new Date(end.time_ms).toISOString().slice(11, 19).replace(/:00$/, '')} ET`
}

const count = (n: number, one: string) => `${n.toLocaleString('en-US')} ${one}${n === 1 ? '' : 's'}`

const MAX_NAMED = 3

/** Its tasks with what they came to, the money that settled; without tasks, how many records it changed. */
function didOf({ tasks, money, records }: Summary): string {
  const outcomes = new Map<string, number>()
  for (const { outcome, count } of tasks) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + count)
  const ran = [...outcomes.values()].reduce((sum, n) => sum + n, 0)
  outcomes.delete('done')
  const byCount = ([, a]: [string, number], [, b]: [string, number]) => b - a
  const came = [...outcomes].sort(byCount).map(([outcome, n]) => `${n.toLocaleString('en-US')} ${outcome}`)
  const byCollection = Object.entries(records).sort(byCount)
  const others = byCollection.slice(MAX_NAMED).reduce((sum, [, n]) => sum + n, 0)
  const changed = byCollection
    .slice(0, MAX_NAMED)
    .map(([name, n]) => count(n, name.replaceAll('_', ' ').replace(/s$/, '')))
    .concat(others > 0 ? count(others, 'other record') : [])
  return [
    ran > 0 ? `${count(ran, 'task')}${came.length > 0 ? `: ${came.join(', ')}` : ''}` : changed.join(', '),
    Number(money) === 0 ? '' : `$${formatAmount(money)} settled`,
  ]
    .filter(Boolean)
    .join('; ')
}

const beginSummary = (last: Commit): Summary => ({
  operation: operationOf(last),
  last: last.seq,
  commits: 0,
  at: last.at,
  until: last.clock?.at ?? last.stood_at ?? last.at,
  cause: last.cause,
  goes_on_from: null,
  tasks: [],
  money: ZERO,
  records: {},
  about: [],
  undone_by: null,
})

/** From the last commit to the first. */
function addCommit(to: Summary, commit: Commit) {
  const { cause, changes, goes_on_from = null } = commit
  const { records, about } = summarizeCommit(commit, null)
  to.commits++
  to.at = [to.at, commit.at, cause.from ?? commit.at].sort()[0]!
  to.cause = causeOfOperation(commit)
  to.goes_on_from ??= goes_on_from
  for (const [name, count] of Object.entries(records)) to.records[name] = (to.records[name] ?? 0) + count
  const others = to.about.filter(({ uid }) => !about.some((one) => one.uid === uid))
  to.about = [...about, ...others].slice(0, MAX_RECORDS_NAMED)
  if (goes_on_from !== null) return
  if (cause.door === 'time') addTask(to, cause.name, outcomeOf(commit))
  for (const change of changes) if (hasSettled(change)) to.money = add(to.money, amountOf(change))
}

function addTask({ tasks }: Summary, kind: string, outcome: string) {
  const task = tasks.find((one) => one.kind === kind && one.outcome === outcome)
  if (task) task.count++
  else tasks.push({ kind, outcome, count: 1 })
}

type WithStatus = { readonly status?: string | null; readonly failed?: string | null } | null
const statusOf = (record: Change['record']) => (record as WithStatus)?.status ?? null

/** The status that the record of a task came to. */
function outcomeOf({ changes }: Commit): string {
  if (changes.some(({ collection, record }) => collection === 'tasks' && (record as WithStatus)?.failed))
    return 'failed'
  const isMain = ({ collection }: Change) => rowOf(collection).main
  const changed = changes.find((one) => one.record && isMain(one) && statusOf(one.record) !== statusOf(one.was))
  return (changed && statusOf(changed.record)) ?? 'done'
}

export const hasSettled = ({ collection, record, was }: Change) =>
  collection === 'transactions' && statusOf(record) === 'settled' && statusOf(was) !== 'settled'

export const amountOf = ({ record }: Change) => (record as unknown as TransactionRecord).us_dollar_amount
