import type { Advance } from '../../src/api/contract/control/clock.ts'
import type { MethodName, MethodOutput } from '../../src/api/contract/control/methods.ts'
import type { PathPayment, PaymentPath } from '../../src/api/contract/control/payments.ts'
import type { Task } from '../../src/api/contract/resources/tasks.ts'

/** Compares every sentence about the future with what an advance then does. */

export type Ask = <N extends MethodName>(name: N, input: object) => Promise<MethodOutput<N>>

/** They recur, or wait for receivers of webhooks: nothing is said of what they will do. */
const UNTOLD = new Set(['close of day', 'send waiting events'])
/** A sentence that names no outcome may not sound like one. */
const CLAIM = /\b(settle[sd]?|fail(s|ed)?|returned|registered|archived|approved|denied|completed)\b/

interface Future {
  readonly tasks: readonly Task[]
  readonly preview: MethodOutput<'clock.preview'>
  readonly clock: MethodOutput<'clock.read'>
  readonly paths: ReadonlyMap<string, PaymentPath>
  readonly pending: readonly (MethodOutput<'ledger.balances'>['pending'][number] & { readonly account: string })[]
}

const MAX_PATHS = 4

/** The sandbox runs at most 200 tasks ahead, with those that they schedule: of so few it knows each outcome. */
const ALL_FORESEEN = 50

/** What the sandbox says before an advance to this goal. */
export async function readFuture(ask: Ask, goal: object): Promise<Future> {
  const { tasks } = await ask('tasks.list', {})
  const payments = [...new Set(tasks.flatMap(({ kind, record }) => (record && PAYMENT.has(kind) ? [record] : [])))]
  const paths = new Map<string, PaymentPath>()
  for (const uid of payments.slice(0, MAX_PATHS)) paths.set(uid, await ask('payments.path', { uid }))
  const accounts = new Set(
    [...paths.values()].flatMap(({ payments: [first] }) => first!.entries.map(({ account }) => account.uid)),
  )
  const pending = []
  for (const account of [...accounts].slice(0, MAX_PATHS))
    for (const entry of (await ask('ledger.balances', { account_uid: account })).pending)
      pending.push({ ...entry, account })
  return { tasks, preview: await ask('clock.preview', goal), clock: await ask('clock.read', {}), paths, pending }
}

const PAYMENT = new Set(['send payment', 'finish payment', 'close authorization', 'receive return'])

/** What of it has not come true. */
export async function findUntrue(ask: Ask, future: Future, advance: Advance): Promise<string[]> {
  const { to, stopped_by } = advance
  const fired = advance.fired.filter(({ task }) => !UNTOLD.has(task))
  return [
    ...compareTasks(future, fired, to),
    ...(stopped_by === 'goal' ? comparePreview(future, fired, to) : []),
    ...(await comparePaths(ask, future, to)),
    ...(await comparePending(ask, future, to)),
  ]
}

const describe = ({
  at,
  task,
  record,
  outcome,
}: Pick<Advance['fired'][number], 'at' | 'task' | 'record' | 'outcome'>) => `${at} ${task} of ${record}: ${outcome}`

function compareTasks({ tasks, clock }: Future, fired: Advance['fired'], to: string): string[] {
  const left = [...fired]
  const untrue: string[] = []
  for (const { uid, kind, record, why, outcome, due_at, held, failed } of tasks) {
    const said = `the task ${uid} (${kind}), due ${due_at}, says "${why}"`
    if (outcome === null && CLAIM.test(why)) untrue.push(`${said}, but names no outcome`)
    if (held || failed !== null || due_at > to || UNTOLD.has(kind)) continue
    const at = due_at > clock.now ? due_at : clock.now
    const found = left.findIndex((one) => one.task === kind && one.record === record && one.at === at)
    const ran = left[found]
    // An archival that goes on replaces it, perhaps with one at the same time.
    const isUnknown = kind === 'finish archival' || tasks.length > ALL_FORESEEN
    if (outcome === null && ran && !isUnknown) untrue.push(`${said}, but ran: ${describe(ran)}`)
    if (outcome !== null && JSON.stringify(ran?.message) !== JSON.stringify(outcome))
      untrue.push(`${said}, but ${ran ? describe(ran) : 'did not run'}`)
    if (ran && outcome !== null && !why.endsWith(`: ${ran.outcome}`)) untrue.push(`${said}, but ${describe(ran)}`)
    if (found !== -1) left.splice(found, 1)
  }
  return untrue
}

function comparePreview({ tasks, preview, clock }: Future, fired: Advance['fired'], to: string): string[] {
  const foreseen = preview.tasks.filter(({ kind }) => !UNTOLD.has(kind))
  const at = (due_at: string) => (due_at > clock.now ? due_at : clock.now)
  // The uid of a record that does not exist yet is provisional.
  const existing = new Set(tasks.map(({ record }) => record))
  const named = (record: string | null) => (existing.has(record) ? record : 'new')
  const said = foreseen.map(({ due_at, kind, record, outcome }) =>
    JSON.stringify([at(due_at), kind, named(record), outcome]),
  )
  const done = fired.map(({ at: ran, task, record, message }) => JSON.stringify([ran, task, named(record), message]))
  const untrue = said.flatMap((one, i) =>
    one === done[i] ? [] : [`clock.preview says ${one}, but ${done[i] ?? 'nothing'} ran`],
  )
  const others = preview.tasks.length - foreseen.length
  if (preview.runs === preview.tasks.length && preview.runs - others !== fired.length)
    untrue.push(`clock.preview says that ${preview.runs - others} tasks run, but ${fired.length} did`)
  if (preview.to !== null && preview.to !== to)
    untrue.push(`clock.preview says that it ends at ${preview.to}, not at ${to}`)
  const next = fired[0]
  if (
    next &&
    clock.next &&
    !UNTOLD.has(preview.tasks[0]?.kind ?? '') &&
    JSON.stringify(clock.next.outcome) !== JSON.stringify(next.message)
  )
    untrue.push(`clock.read says "${clock.next.what}" of the next task, but ${describe(next)}`)
  return untrue
}

type Passed = readonly [state: string, from: string | null]
const stateList = ({ states }: PathPayment, ...kinds: string[]): Passed[] =>
  states.filter(({ kind }) => kinds.includes(kind)).map(({ state, from }) => [state, from] as const)
/** A repair may have lost the commit with which a state began: such a state is shown only while it lasts. */
const isDated = ([, from]: Passed) => from !== null

async function comparePaths(ask: Ask, { paths }: Future, to: string): Promise<string[]> {
  const untrue: string[] = []
  for (const [uid, before] of paths) {
    const after = await ask('payments.path', { uid })
    let expected = 0
    for (const [i, payment] of before.payments.entries()) {
      const isReached = ([, from]: Passed) => from !== null && from <= to
      const coming = stateList(payment, 'scheduled').filter(isReached)
      if (payment.transaction_uid === null && coming.length === 0) continue
      expected++
      const said = [...stateList(payment, 'passed', 'current'), ...coming].filter(isDated)
      const now = after.payments[i]
      const came = now ? stateList(now, 'passed', 'current').filter(isDated) : []
      if (JSON.stringify(said) !== JSON.stringify(came))
        untrue.push(`payments.path of ${uid} says ${JSON.stringify(said)}, but it was ${JSON.stringify(came)}`)
      const posts = coming.some(([state]) => state === 'settled')
      if (posts && JSON.stringify(entriesOf(payment)) !== JSON.stringify(now && entriesOf(now)))
        untrue.push(`payments.path of ${uid} says that other entries post: ${JSON.stringify(entriesOf(payment))}`)
    }
    const arrived = after.payments.filter(({ transaction_uid }) => transaction_uid !== null).length
    if (arrived !== expected)
      untrue.push(`payments.path of ${uid} says that there are ${expected} payments, but there were ${arrived}`)
  }
  return untrue
}

const entriesOf = ({ entries }: PathPayment) =>
  entries.map(({ book, account, amount }) => `${book} ${account.uid} ${amount}`).sort()

async function comparePending(ask: Ask, { pending }: Future, to: string): Promise<string[]> {
  const untrue: string[] = []
  for (const { transaction_uid: uid, due_at, settles } of pending) {
    if (due_at === null || due_at > to) continue
    const { status } = (await ask('records.get', { collection: 'transactions', uid })) as { status?: unknown }
    if ((settles === '0.00') === (status === 'settled'))
      untrue.push(`ledger.balances says that ${uid} settles for ${settles}, but it is ${String(status)}`)
  }
  return untrue
}

/** What `requests.foresee` has not said of the tasks that a request then scheduled. Their outcomes are compared when they run. */
export function findUnforeseen(
  { refused, follows, is_whole }: MethodOutput<'requests.foresee'>,
  before: MethodOutput<'tasks.list'>,
  after: MethodOutput<'tasks.list'>,
): string | undefined {
  if (refused) return `requests.foresee says that it is refused: ${refused.title}`
  if (!is_whole) return undefined
  const known = new Set(before.tasks.map(({ uid }) => uid))
  const said = new Set(follows.map(({ kind, due_at, outcome }) => JSON.stringify([kind, due_at, outcome])))
  for (const { uid, kind, due_at, outcome, held } of after.tasks) {
    const done = JSON.stringify([kind, due_at, outcome])
    if (!known.has(uid) && !held && outcome !== null && !said.has(done))
      return `requests.foresee does not say ${done}, but ${[...said].join()}`
  }
  return undefined
}
