import { type Body, type Client, expectSuccess } from '../support/client.ts'
import type { Creation, Kind, Load } from './load.ts'

/** Compares the responses that the client got with the records that are there after a restart. */

const PLACES: Readonly<Record<Kind, { collection: string; path: string }>> = {
  customer: { collection: 'customers', path: '/customers' },
  account: { collection: 'synthetic_accounts', path: '/synthetic_accounts' },
  transfer: { collection: 'transfers', path: '/transfers' },
  receipt: { collection: 'transactions', path: '/transactions' },
}
const KINDS = Object.keys(PLACES) as Kind[]
/** Filters without which a list leaves out records. */
export const ALL_RECORDS: Readonly<Record<string, object>> = {
  customers: { include_initiated: true },
  transactions: { include_zero: true, show_denied_auths: true, show_expired: true },
}
const PAGE = 1_000
const UNFINISHED = ['queued', 'pending', 'authorization_pending']

/** What must be in a world. */
export interface Expectations {
  readonly totals: ReadonlyMap<Kind, number>
  readonly marks: ReadonlyMap<string, { kind: Kind; presence: Presence }>
}

export class Verification {
  /** Number of records of each kind at the last check. */
  readonly #totals = new Map<Kind, number>()
  /** Every mark that was sent, and whether its record must exist, must not, or may. */
  readonly #expected = new Map<string, { kind: Kind; presence: Presence }>()
  /** Records that were looked up. */
  checked = 0

  async begin(client: Client): Promise<void> {
    for (const kind of KINDS) this.#totals.set(kind, (await newest(client, kind, 0)).total_count)
  }

  copyExpectations = (): Expectations => ({ totals: new Map(this.#totals), marks: new Map(this.#expected) })

  /** The world of then is there again: whatever was created since is gone. */
  setExpectations({ totals, marks }: Expectations) {
    for (const [kind, total] of totals) this.#totals.set(kind, total)
    for (const [mark, { kind }] of this.#expected)
      this.#expected.set(mark, marks.get(mark) ?? { kind, presence: 'absent' })
  }

  /** Returns a sentence for each problem. */
  async verify(load: Load, client: Client): Promise<string[]> {
    const problems: string[] = []
    for (const creation of load.creations)
      this.#expected.set(creation.mark, { kind: creation.kind, presence: expectedPresence(creation) })
    for (const kind of KINDS) problems.push(...(await this.#ofKind(kind, load, client)))
    problems.push(
      ...(await compareContents(load, client)),
      ...(await checkClock(load, client)),
      ...(await checkTasks(client)),
      ...(await checkTraceIds(load, client)),
      ...(await checkBooks(client)),
    )
    return problems
  }

  async #ofKind(kind: Kind, load: Load, client: Client): Promise<string[]> {
    const creations = load.creations.filter((creation) => createsRecordOf(kind, creation))
    const count = (presence: Presence) => creations.filter((it) => expectedPresence(it) === presence).length
    const [acknowledged, unanswered] = [count('present'), count('unknown')]
    const before = this.#totals.get(kind)!
    const { total_count, data } = await newest(client, kind, creations.length)
    this.#totals.set(kind, total_count)
    const own = creations.filter((creation) => creation.kind === kind)
    this.checked += own.length
    const { collection } = PLACES[kind]
    const problems =
      total_count < before + acknowledged || total_count > before + acknowledged + unanswered
        ? [
            `${collection}: ${before} before, ${acknowledged} acknowledged, ${unanswered} unanswered, but now ${total_count}`,
          ]
        : []
    return [...problems, ...own.flatMap((creation) => findMissingOrDoubled(creation, data))]
  }

  /** Counts every record that was ever created. */
  async verifyAllRecords(client: Client): Promise<string[]> {
    const problems: string[] = []
    for (const kind of KINDS) {
      const counts = new Map<string, number>()
      for (const record of await readAll(client, kind)) {
        const mark = markOf(kind, record)
        if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1)
      }
      for (const [mark, expected] of this.#expected) {
        const count = counts.get(mark) ?? 0
        if (expected.kind === kind && !isExpectedCount(count, expected.presence))
          problems.push(`${kind} ${mark} should be ${expected.presence}, and is there ${count} times`)
      }
    }
    return problems
  }
}

type Presence = 'present' | 'absent' | 'unknown'

const expectedPresence = ({ response }: Creation): Presence =>
  response === undefined ? 'unknown' : response.status < 300 ? 'present' : 'absent'

const isExpectedCount = (count: number, presence: Presence) =>
  presence === 'unknown' ? count <= 1 : count === (presence === 'present' ? 1 : 0)

/** A Transfer creates a Transaction, too. */
const createsRecordOf = (kind: Kind, creation: Creation) =>
  creation.kind === kind || (kind === 'receipt' && creation.kind === 'transfer')

function markOf(kind: Kind, record: Body): string | undefined {
  if (kind !== 'receipt') return record.external_uid ?? undefined
  return record.transfer_uid === null ? record.us_dollar_amount : undefined
}

function findMissingOrDoubled(creation: Creation, data: readonly Body[]): string[] {
  const { kind, mark, response } = creation
  const count = data.filter((record) => markOf(kind, record) === mark).length
  if (isExpectedCount(count, expectedPresence(creation))) return []
  return [`${kind} ${mark} was answered with ${response?.status ?? 'nothing'}, and is there ${count} times`]
}

/** The newest records, as many as asked for, and the number of all. */
async function newest(client: Client, kind: Kind, count: number): Promise<{ total_count: number; data: Body[] }> {
  const data: Body[] = []
  for (;;) {
    const limit = Math.min(PAGE, count - data.length)
    const page = await readPage(client, kind, { limit, offset: data.length })
    data.push(...page.data)
    if (data.length >= count || page.data.length === 0) return { total_count: page.total_count, data }
  }
}

const readAll = async (client: Client, kind: Kind): Promise<Body[]> =>
  (await newest(client, kind, Number.POSITIVE_INFINITY)).data

async function readPage(client: Client, kind: Kind, page: { limit: number; offset: number }) {
  const { collection } = PLACES[kind]
  return expectSuccess(
    client.control('records.list', { collection, ...ALL_RECORDS[collection], program_uid: client.program, ...page }),
  )
}

/** A record equals its response, or, when something may have changed it since, equals it in the fields that never change. */
async function compareContents(load: Load, client: Client): Promise<string[]> {
  const problems: string[] = []
  for (const { kind, mark, response, isUnchanged, json } of load.creations) {
    if (response?.status !== 201) continue
    const { status, body } = await client.api('GET', `${PLACES[kind].path}/${response.body.uid}`)
    const isWhole = isUnchanged && (kind === 'customer' || kind === 'transfer')
    const expected = isWhole ? response.body : fixedFields(kind, json)
    const differs = Object.keys(expected).filter(
      (field) => JSON.stringify(expected[field]) !== JSON.stringify(body?.[field]),
    )
    if (status !== 200) problems.push(`GET of ${kind} ${mark} is answered with ${status}`)
    else if (differs.length > 0) problems.push(`${kind} ${mark} differs from its response in ${differs.join(', ')}`)
  }
  return problems
}

/** The fields of a request that no later request changes. */
const FIXED_FIELDS: Readonly<Record<Kind, readonly string[]>> = {
  customer: ['external_uid', 'email'],
  account: ['external_uid', 'name', 'pool_uid'],
  transfer: [
    'external_uid',
    'source_synthetic_account_uid',
    'destination_synthetic_account_uid',
    'usd_transfer_amount',
  ],
  receipt: ['us_dollar_amount', 'customer_uid'],
}
const fixedFields = (kind: Kind, json: Body): Body =>
  Object.fromEntries(FIXED_FIELDS[kind].map((field) => [field, json[field]]))

async function checkClock(load: Load, client: Client): Promise<string[]> {
  const { now } = await expectSuccess(client.control('clock.read'))
  const expected = load.clock
  const isExpected = load.isAdvanceUnanswered || load.isClockRunning ? now >= expected : now === expected
  load.clock = now
  return isExpected ? [] : [`the clock was ${expected} in the last response, and is ${now}`]
}

/** No task is overdue, and each unfinished Transaction has a task. */
async function checkTasks(client: Client): Promise<string[]> {
  const { now } = await expectSuccess(client.control('clock.read'))
  const listed: Body[] = (await expectSuccess(client.control('tasks.list'))).tasks
  const problems = listed
    .filter(({ due_at, failed, held }) => (due_at < now && !held) || failed !== null)
    .map(({ kind, due_at, failed }) => `the task ${kind} was due at ${due_at}, and now is ${now} ${failed ?? ''}`)
  const withTask = new Set(listed.map(({ record }) => record))
  for (const { uid, status } of (await newest(client, 'receipt', PAGE)).data)
    if (UNFINISHED.includes(status) && !withTask.has(uid))
      problems.push(`the Transaction ${uid} is ${status} and has no task`)
  return problems
}

/** The trace id of an answered request is used up, unless its token had expired or the disk was full. */
async function checkTraceIds(load: Load, client: Client): Promise<string[]> {
  const creation = load.creations.findLast(
    ({ trace, response }) => trace && response && response.status !== 401 && response.status < 500,
  )
  if (!creation) return []
  const { status } = await client.api('GET', '/products', undefined, creation.trace)
  return status === 409 ? [] : [`the trace id ${creation.trace} was accepted twice, with ${status}`]
}

export async function checkBooks(client: Client): Promise<string[]> {
  const { balanced, problems } = await expectSuccess(client.control('ledger.check'))
  return balanced ? problems : ['the books do not balance', ...problems]
}
