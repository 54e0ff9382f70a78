import type { MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import type { PartOfTime } from '../contract/control/operations.ts'
import { parseInstant } from '../contract/terms/amounts-of-time.ts'
import { add, ZERO } from '../domain/rules/money.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import { type Commit, operationOf } from '../store/commit.ts'
import { currentBranch } from '../store/history.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadStore } from '../store/store.ts'
import { amountOf, hasSettled } from './operations.ts'

/** What the line of time draws, however much has happened: a span in parts, each with its counts. */

type Refused = MethodOutput<'operations.count'>['refused'][number]
type Part = { -readonly [F in keyof PartOfTime]: PartOfTime[F] }

export function* countOperations(
  store: ReadStore,
  exchanges: ExchangeLog,
  { from, to, parts: wanted }: MethodParsed<'operations.count'>,
): Steps<MethodOutput<'operations.count'>> {
  const [begin, end] = [parseInstant(from), parseInstant(to)]
  const length = (end - begin) / wanted
  const indexOf = (ms: number) => Math.floor((ms - begin) / length)
  const parts = new Map<number, Part>()
  for (const commit of currentBranch(store)) {
    yield
    if (!commit) continue
    const at = timeOf(commit)
    const ms = Date.parse(at)
    // Time goes one way along a branch; only what replaces the world may come from later.
    if (ms < begin && commit.goes_on_from === undefined) break
    if (ms < begin || ms >= end) continue
    const index = indexOf(ms)
    const part = parts.get(index) ?? emptyPart(commit, at)
    parts.set(index, part)
    addTo(part, commit, at)
  }
  // They change nothing, so no commit has them.
  const refused = new Map<number, Refused>()
  for (const { at, status, uid } of exchanges.summaries()) {
    yield
    const ms = Date.parse(at)
    if (status < 400 || ms < begin || ms >= end) continue
    refused.set(indexOf(ms), { until: at, requests: (refused.get(indexOf(ms))?.requests ?? 0) + 1, newest: uid })
  }
  return { parts: inOrder(parts), refused: inOrder(refused) }
}

const inOrder = <T>(byIndex: ReadonlyMap<number, T>): T[] =>
  [...byIndex].sort(([a], [b]) => a - b).map(([, one]) => one)

const timeOf = ({ at, clock, stood_at }: Commit) => clock?.at ?? stood_at ?? at

const emptyPart = (newest: Commit, at: string): Part => ({
  from: at,
  until: at,
  operations: 0,
  last: operationOf(newest),
  commit: newest.seq,
  requests: 0,
  decisions: 0,
  tasks: 0,
  settled: 0,
  money: ZERO,
})

function addTo(part: Part, commit: Commit, at: string) {
  const { cause, changes, goes_on_from } = commit
  part.from = at
  if (operationOf(commit) === commit.seq) part.operations++
  if (goes_on_from !== undefined) return
  if (cause.door === 'request') part.requests++
  else if (cause.door === 'time') part.tasks++
  else if (cause.decision !== undefined) part.decisions++
  for (const change of changes) {
    if (!hasSettled(change)) continue
    part.settled++
    part.money = add(part.money, amountOf(change))
  }
}
