import { rowOf } from '../contract/collections.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import type { Operation, UndoStep } from '../contract/control/operations.ts'
import { ApiError } from '../contract/errors.ts'
import type { Money } from '../contract/terms/primitives.ts'
import { add, ZERO } from '../domain/rules/money.ts'
import { type Change, type Commit, operationOf } from '../store/commit.ts'
import { findLeftCommits } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import type { TransactionRecord } from '../store/world.ts'
import { MAX_RECORDS_NAMED, summarizeCommit } from './commits.ts'

/**
 * Operations, and what undo and redo would do: all of it follows from the commits. An undo or a redo is a commit that goes on from another one;
 * the stack is what is found by following these, newest first. An operation with a rewind stays on it, so that it can be undone, too.
 */

const DEFAULT_LIMIT = 50

/** An undo or a redo. Those in the history of an import are a part of it. */
const isMove = ({ cause, part_of }: Commit) => cause.undo !== undefined && part_of === undefined

function commitAt(store: ReadStore, seq: number): Commit | undefined {
  const [commit] = store.commitsBetween(seq, seq)
  return commit
}

/** The commits up to one that undo goes back along, newest first. */
function* stackOf(store: ReadStore, from = store.world.seq): Iterable<Commit | undefined> {
  let next = from
  for (const commit of store.historyInSteps()) {
    const isNext = commit && commit.seq <= next
    if (isNext && isMove(commit)) next = commit.goes_on_from!
    yield isNext && !isMove(commit) ? commit : undefined
  }
}

/** Of the newest operation, or another one. One that has commits of others between its own takes these along. */
export function* findUndo(store: ReadStore, wanted?: number): Steps<UndoStep> {
  if (wanted !== undefined) yield* refuseUndo(store, wanted)
  const whole: Commit[] = []
  const begun = new Set<number>()
  let target = wanted
  for (const commit of stackOf(store)) {
    yield
    if (!commit) continue
    if (commit.cause.name === 'world.create') break
    const first = operationOf(commit)
    target ??= first
    begun.add(first)
    if (first !== commit.seq) continue
    begun.delete(first)
    whole.push(commit)
    if (begun.size > 0 || !whole.some(({ seq }) => seq === target)) continue
    const to = commit.seq - 1
    if (to >= store.firstSeq || to === store.beginning.seq) return describeStep(whole, target, to)
    break
  }
  throw refusal(
    target === undefined
      ? 'there is nothing to undo'
      : `the history does not have what was before operation ${target} any more: it begins with commit ${store.firstSeq}`,
  )
}

function describeStep(whole: readonly Commit[], target: number, to: number): UndoStep {
  const { cause, goes_on_from = null } = whole.find(({ seq }) => seq === target)!
  const requests = whole.filter(({ seq, cause }) => seq !== target && cause.door === 'request').length
  return { operation: target, cause, goes_on_from, to, operations: whole.length, requests }
}

/** An operation that is not in the current world cannot be undone. */
function* refuseUndo(store: ReadStore, wanted: number): Steps<void> {
  const { seq } = store.world
  if (wanted > seq) throw refusal(`there is no operation ${wanted} yet: the newest commit is ${seq}`)
  const commit = commitAt(store, wanted)
  if (!commit)
    throw refusal(`operation ${wanted} is not in the history any more, which begins with commit ${store.firstSeq}`)
  if (commit.cause.name === 'world.create') throw refusal('the creation of the world cannot be undone: see world.reset')
  if (isMove(commit)) throw refusal(`commit ${wanted} is an ${commit.cause.undo} itself: see operations.redo`)
  const first = operationOf(commit)
  if (first !== wanted) throw refusal(`commit ${wanted} is a part of operation ${first}: undo that one`)
  const left = yield* findUndoing(store, wanted)
  if (!left) return
  throw refusal(
    isMove(left)
      ? `operation ${wanted} is undone already, by commit ${left.seq}: operations.redo brings it back`
      : `operation ${operationOf(left)} (${left.cause.name}) went on from before operation ${wanted}: undo operation ${operationOf(left)} first`,
  )
}

/** The undo, rewind or other replacement that went back before an operation. */
function* findUndoing(store: ReadStore, operation: number): Steps<Commit | undefined> {
  const by = findLeftCommits(yield* store.findReplacements())(operation)
  const left = by && commitAt(store, by.seq)
  return left && operationOf(left) !== operation ? left : undefined
}

export function* previewUndo(store: ReadStore, operation?: number): Steps<MethodOutput<'operations.preview'>> {
  const [undo, redo] = [yield* orNull(findUndo(store, operation)), yield* orNull(findRedo(store, operation))]
  const left = operation === undefined ? undefined : yield* findUndoing(store, operation)
  const undone_by = left ? { seq: left.seq, cause: left.cause, goes_on_from: left.goes_on_from ?? null } : null
  return { undo, redo, undone_by }
}

const refusal = (extra: string) => new ApiError('invalidArgument', `operation: ${extra}`)

/** The newest undo that can be redone, or the one of an operation. */
export function* findRedo(store: ReadStore, wanted?: number): Steps<UndoStep> {
  for (const { seq, goes_on_from = 0 } of undosOf(store)) {
    const whole: Commit[] = []
    for (const commit of stackOf(store, seq - 1)) {
      yield
      if (commit && commit.seq <= goes_on_from) break
      if (commit && operationOf(commit) === commit.seq) whole.push(commit)
    }
    const target = wanted ?? whole.at(-1)?.seq
    if (target !== undefined && whole.some(({ seq }) => seq === target)) return describeStep(whole, target, seq - 1)
  }
  throw refusal(
    wanted === undefined
      ? 'there is nothing to redo: nothing was undone since the last change'
      : `operation ${wanted} cannot be redone: it is not undone, or the world has changed since`,
  )
}

/** Undos that nothing but a redo of later ones followed, newest first. */
function* undosOf(store: ReadStore): Iterable<Commit> {
  for (let commit = commitAt(store, store.world.seq); commit; ) {
    // What the sandbox adds to an undo, such as outcomes of webhooks, is no change of the user's.
    if (commit.part_of !== undefined) commit = commitAt(store, commit.part_of)
    if (!commit || !isMove(commit)) return
    const isUndo = commit.cause.undo === 'undo'
    if (isUndo) yield commit
    commit = commitAt(store, isUndo ? commit.seq - 1 : commit.goes_on_from!)
  }
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
  const found = new Map<number, OperationSummary>()
  const begun = new Set<number>()
  let newestOfBranch = Number.POSITIVE_INFINITY
  let replacement: Commit | undefined
  let next: number | null = null
  for (const commit of store.historyInSteps({ before })) {
    yield
    if (!commit) continue
    const isLeft = commit.seq > newestOfBranch
    const undoneBy = isLeft && replacement && operationOf(replacement) !== operationOf(commit) ? replacement.seq : null
    if (!isLeft && commit.goes_on_from !== undefined) {
      newestOfBranch = commit.goes_on_from
      replacement = commit
    }
    if (commit.seq >= before) continue
    if (found.size >= limit && begun.size === 0) {
      next = found.size > 0 ? commit.seq + 1 : null
      break
    }
    const first = operationOf(commit)
    begun.add(first)
    const summary = found.get(first) ?? new OperationSummary(commit)
    found.set(first, summary)
    summary.add(commit)
    if (first !== commit.seq) continue
    begun.delete(first)
    summary.begin(commit, undoneBy)
  }
  const operations = [...found.values()].flatMap(({ operation }) => operation ?? [])
  const [undo, redo] = [yield* orNull(findUndo(store)), yield* orNull(findRedo(store))]
  return { operations, next, undo, redo }
}

/** What the commits of an operation did, newest first. */
class OperationSummary {
  readonly #last: Commit
  readonly #records: Record<string, number> = {}
  readonly #tasks = new Map<string, Operation['tasks'][number]>()
  #about: Operation['about'] = []
  #money: Money = ZERO
  #commits = 0
  #goesOnFrom: number | null = null
  /** Its own cause, where it begins with a task. */
  #advance: Operation['cause'] | undefined
  /** Undefined if the history does not have its first commit. */
  operation: Operation | undefined

  constructor(last: Commit) {
    this.#last = last
  }

  add(commit: Commit) {
    const { records, about } = summarizeCommit(commit, null)
    this.#commits++
    for (const [name, count] of Object.entries(records)) this.#records[name] = (this.#records[name] ?? 0) + count
    const named = new Set(about.map(({ uid }) => uid))
    this.#about = [...about, ...this.#about.filter(({ uid }) => !named.has(uid))].slice(0, MAX_RECORDS_NAMED)
    this.#goesOnFrom ??= commit.goes_on_from ?? null
    if (commit.cause.name === 'clock.advance') this.#advance = commit.cause
    if (commit.goes_on_from !== undefined) return
    if (commit.cause.door === 'time') this.#addTask(commit.cause.name, outcomeOf(commit))
    for (const change of commit.changes) if (hasSettled(change)) this.#money = add(this.#money, amountOf(change))
  }

  #addTask(kind: string, outcome: string) {
    const key = `${kind}: ${outcome}`
    const count = (this.#tasks.get(key)?.count ?? 0) + 1
    this.#tasks.set(key, { kind, outcome, count })
  }

  begin({ seq, at, cause, action }: Commit, undone_by: number | null) {
    const { seq: last, clock, stood_at, at: end } = this.#last
    this.operation = {
      operation: seq,
      last,
      commits: this.#commits,
      at,
      until: clock?.at ?? stood_at ?? end,
      cause: (action?.name === 'clock.advance' && this.#advance) || cause,
      goes_on_from: this.#goesOnFrom,
      tasks: [...this.#tasks.values()].sort((a, b) => b.count - a.count),
      money: this.#money,
      records: this.#records,
      about: this.#about,
      undone_by,
    }
  }
}

interface WithStatus {
  readonly status?: string | null
  readonly failed?: string | null
}
const statusOf = (record: Change['record']) => (record as WithStatus | null)?.status ?? null

/** The status that the record of a task came to. */
function outcomeOf({ changes }: Commit): string {
  if (changes.some(({ collection, record }) => collection === 'tasks' && (record as WithStatus | null)?.failed))
    return 'failed'
  const changed = changes.find(
    ({ collection, record, was }) => record && rowOf(collection).main && statusOf(record) !== statusOf(was),
  )
  return (changed && statusOf(changed.record)) ?? 'done'
}

const hasSettled = ({ collection, record, was }: Change) =>
  collection === 'transactions' && statusOf(record) === 'settled' && statusOf(was) !== 'settled'

const amountOf = ({ record }: Change) => (record as unknown as TransactionRecord).us_dollar_amount
