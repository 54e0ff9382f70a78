import { type Body, type Caller, must } from '../support/caller.ts'
import type { Deed, Kind, Load } from './load.ts'

/** What was answered against what is there after a restart. */

const PLACE: Readonly<Record<Kind, { collection: string; path: string }>> = {
  customer: { collection: 'customers', path: '/customers' },
  account: { collection: 'synthetic_accounts', path: '/synthetic_accounts' },
  transfer: { collection: 'transfers', path: '/transfers' },
  receipt: { collection: 'transactions', path: '/transactions' },
}
const KINDS = Object.keys(PLACE) as Kind[]
/** A list leaves out what a Client seldom wants; here every record counts. */
const EVERYTHING: Readonly<Record<string, object>> = {
  customers: { include_initiated: true },
  transactions: { include_zero: true, show_denied_auths: true, show_expired: true },
}
const PAGE = 1_000
const UNFINISHED = ['queued', 'pending', 'authorization_pending']

export class Proof {
  /** How many there were of each kind when it was last proved. */
  readonly #totals = new Map<Kind, number>()
  /** Every mark ever sent, and whether its record must be there, must not, or may. */
  readonly #fates = new Map<string, { kind: Kind; fate: 'there' | 'not there' | 'open' }>()
  looked = 0

  async begin(caller: Caller): Promise<void> {
    for (const kind of KINDS) this.#totals.set(kind, (await newest(caller, kind, 0)).total_count)
  }

  /** Every complaint is a sentence; none means that all is well. */
  async after(load: Load, caller: Caller): Promise<string[]> {
    const complaints: string[] = []
    for (const deed of load.deeds) this.#fates.set(deed.mark, { kind: deed.kind, fate: fateOf(deed) })
    for (const kind of KINDS) complaints.push(...(await this.#ofKind(kind, load, caller)))
    complaints.push(
      ...(await contents(load, caller)),
      ...(await clock(load, caller)),
      ...(await tasks(caller)),
      ...(await traces(load, caller)),
      ...(await books(caller)),
    )
    return complaints
  }

  async #ofKind(kind: Kind, load: Load, caller: Caller): Promise<string[]> {
    const deeds = load.deeds.filter((deed) => makes(kind, deed))
    const made = deeds.filter((deed) => fateOf(deed) === 'there').length
    const open = deeds.filter((deed) => fateOf(deed) === 'open').length
    const before = this.#totals.get(kind)!
    const { total_count, data } = await newest(caller, kind, deeds.length)
    this.#totals.set(kind, total_count)
    const own = deeds.filter((deed) => deed.kind === kind)
    this.looked += own.length
    const { collection } = PLACE[kind]
    const complaints =
      total_count < before + made || total_count > before + made + open
        ? [
            `${collection}: there were ${before}, ${made} more were answered and ${open} were open, and there are ${total_count}`,
          ]
        : []
    return [...complaints, ...own.flatMap((deed) => misplaced(deed, data))]
  }

  /** At the end, and now and then: every record there ever was. */
  async ofEverything(caller: Caller): Promise<string[]> {
    const complaints: string[] = []
    for (const kind of KINDS) {
      const counts = new Map<string, number>()
      for (const record of await everything(caller, kind)) {
        const mark = markOf(kind, record)
        if (mark !== undefined) counts.set(mark, (counts.get(mark) ?? 0) + 1)
      }
      for (const [mark, { kind: of, fate }] of this.#fates) {
        const count = counts.get(mark) ?? 0
        const isSo = fate === 'open' ? count <= 1 : count === (fate === 'there' ? 1 : 0)
        if (of === kind && !isSo) complaints.push(`${kind} ${mark} should be ${fate}, and is there ${count} times`)
      }
    }
    return complaints
  }
}

const fateOf = ({ answer }: Deed) => (answer === undefined ? 'open' : answer.status < 300 ? 'there' : 'not there')

/** A Transfer makes its Transaction. */
const makes = (kind: Kind, deed: Deed) => deed.kind === kind || (kind === 'receipt' && deed.kind === 'transfer')

function markOf(kind: Kind, record: Body): string | undefined {
  if (kind !== 'receipt') return record.external_uid ?? undefined
  return record.transfer_uid === null ? record.us_dollar_amount : undefined
}

function misplaced(deed: Deed, data: readonly Body[]): string[] {
  const count = data.filter((record) => markOf(deed.kind, record) === deed.mark).length
  const fate = fateOf(deed)
  if (fate === 'open' ? count <= 1 : count === (fate === 'there' ? 1 : 0)) return []
  return [
    `${deed.kind} ${deed.mark} was answered with ${deed.answer?.status ?? 'nothing'}, and is there ${count} times`,
  ]
}

async function newest(caller: Caller, kind: Kind, limit: number) {
  const { collection } = PLACE[kind]
  return must(caller.control('records.list', { collection, ...EVERYTHING[collection], limit: Math.min(PAGE, limit) }))
}

async function everything(caller: Caller, kind: Kind): Promise<Body[]> {
  const { collection } = PLACE[kind]
  const all: Body[] = []
  for (;;) {
    const asked = { collection, ...EVERYTHING[collection], limit: PAGE, offset: all.length }
    const { data, total_count } = await must(caller.control('records.list', asked))
    all.push(...data)
    if (data.length === 0 || all.length >= total_count) return all
  }
}

/** An answer and its record are the same to the last field, where nothing came in between; else in what cannot change. */
async function contents(load: Load, caller: Caller): Promise<string[]> {
  const complaints: string[] = []
  for (const { kind, mark, answer, untouched, json } of load.deeds) {
    if (answer?.status !== 201) continue
    const { status, body } = await caller.api('GET', `${PLACE[kind].path}/${answer.body.uid}`)
    const said = untouched && (kind === 'customer' || kind === 'transfer') ? answer.body : lasting(kind, json)
    const differs = Object.keys(said).filter((field) => JSON.stringify(said[field]) !== JSON.stringify(body?.[field]))
    if (status !== 200) complaints.push(`${kind} ${mark} is answered with ${status} when it is asked for`)
    else if (differs.length > 0) complaints.push(`${kind} ${mark} differs from its answer in ${differs.join(', ')}`)
  }
  return complaints
}

const LASTING: Readonly<Record<Kind, readonly string[]>> = {
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
const lasting = (kind: Kind, json: Body): Body => Object.fromEntries(LASTING[kind].map((field) => [field, json[field]]))

async function clock(load: Load, caller: Caller): Promise<string[]> {
  const { now } = await must(caller.control('clock.read'))
  const expected = load.clock
  const isSo = load.advanceOpen ? now >= expected : now === expected
  load.clock = now
  return isSo ? [] : [`the clock stood at ${expected} by the last answer, and stands at ${now}`]
}

/** Nothing is overdue, and whatever is on its way has somebody to bring it on. */
async function tasks(caller: Caller): Promise<string[]> {
  const { now } = await must(caller.control('clock.read'))
  const listed: Body[] = (await must(caller.control('tasks.list'))).tasks
  const complaints = listed
    .filter(({ due_at, failed }) => due_at < now || failed !== null)
    .map(({ kind, due_at, failed }) => `the task ${kind} was due at ${due_at}, and it is ${now} ${failed ?? ''}`)
  const waited = new Set(listed.map(({ record }) => record))
  for (const { uid, status } of (await newest(caller, 'receipt', PAGE)).data)
    if (UNFINISHED.includes(status) && !waited.has(uid)) complaints.push(`the Transaction ${uid} is ${status} for ever`)
  return complaints
}

/** A trace id that was answered is used up; where the disk was full, it could not be kept either. */
async function traces(load: Load, caller: Caller): Promise<string[]> {
  const deed = load.deeds.findLast(({ answer }) => answer !== undefined && answer.status < 500)
  if (!deed) return []
  const { status } = await caller.api('GET', '/products', undefined, deed.trace)
  return status === 409 ? [] : [`the trace id ${deed.trace} was taken twice, with ${status}`]
}

export async function books(caller: Caller): Promise<string[]> {
  const { balanced, problems } = await must(caller.control('ledger.check'))
  return balanced ? problems : ['the books do not balance', ...problems]
}
