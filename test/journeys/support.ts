import { join } from 'node:path'
import { expect } from 'vitest'
import { formatMessage } from '../../src/api/contract/messages.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import type { Change, Commit } from '../../src/api/store/commit.ts'
import type { CollectionName, RecordOf, TaskRecord, World } from '../../src/api/store/world.ts'
import type { ApiResponse } from '../support/client.ts'
import { OLIVE } from '../support/customers.ts'
import { setUpPayments } from '../support/payments.ts'

/**
 * A journey runs step by step and writes the changes of each step as a readable text. The text comes from the commits
 * alone, with names in place of uids, times of New York, and only the important fields.
 */

// ── What is said of a record ─────────────────────────────────────────────────────────────────────────────────────

type Value = string | boolean | null | undefined

interface Telling<R> {
  readonly title: (record: R, names: Names) => string
  /** The fields to show, in this order; fields without a value are omitted. */
  readonly facts: (record: R, names: Names) => Readonly<Record<string, Value>>
}

const wall = new Intl.DateTimeFormat('en-US', {
  timeZone: 'America/New_York',
  weekday: 'short',
  day: '2-digit',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

/** `Fri 14 Aug 2026 10:00:02` */
export function newYork(instant: string): string {
  const part = Object.fromEntries(wall.formatToParts(Date.parse(instant)).map(({ type, value }) => [type, value]))
  return `${part.weekday} ${part.day} ${part.month} ${part.year} ${part.hour}:${part.minute}:${part.second}`
}
const when = (instant: string | null | undefined) => instant && newYork(instant)

/** Readable names in place of uids. */
class Names {
  readonly #names = new Map<string, string>()

  note({ collection, uid, record }: Change) {
    if (!record) return
    if (collection === 'customers') this.#names.set(uid, nameOf(record as RecordOf['customers']))
    if (collection === 'synthetic_accounts')
      this.#names.set(uid, `"${(record as RecordOf['synthetic_accounts']).name}"`)
    if (collection === 'products') this.#names.set(uid, (record as RecordOf['products']).name)
  }

  of(uid: string | null | undefined): string {
    return (uid && this.#names.get(uid)) || 'nobody'
  }

  /** Replaces uids within a text. */
  in(text: string): string {
    let named = text
    for (const [uid, name] of this.#names) named = named.replaceAll(uid, name)
    return named
  }
}

const nameOf = ({ details: { first_name, last_name } }: RecordOf['customers']): string =>
  [first_name, last_name].filter(Boolean).join(' ') || 'without a name'

const CASH = { dda_cash_external: 'cash sent', dda_cash_received: 'cash received' } as Readonly<Record<string, string>>

const tellings: { readonly [N in CollectionName]?: Telling<RecordOf[N]> } = {
  customers: {
    title: (customer) => `customer ${nameOf(customer)}`,
    facts: ({ archival, details, ...customer }, names) => ({
      status: customer.status,
      kyc: customer.kyc_status,
      email: customer.email,
      external_uid: customer.external_uid,
      born: details.dob,
      'ssn ends': details.ssn_last_four,
      activated: when(customer.activated_at),
      locked: when(customer.locked_at),
      'what is left goes to': archival?.destination_synthetic_account_uid
        ? names.of(archival.destination_synthetic_account_uid)
        : undefined,
      'can apply again': archival?.can_apply_again,
      archived: when(customer.archived_at),
    }),
  },
  customer_products: {
    title: ({ product_uid }, names) => `customer product ${names.of(product_uid)}`,
    facts: ({ status }) => ({ status }),
  },
  transfers: {
    title: (transfer, names) =>
      `transfer of ${transfer.usd_transfer_amount} by ${transfer.rail} from ${names.of(transfer.source_synthetic_account_uid)} to ${names.of(transfer.destination_synthetic_account_uid)}`,
    facts: ({ status, purpose }) => ({ status, for: purpose }),
  },
  transactions: {
    title: ({ us_dollar_amount, type, description }, names) =>
      `transaction of ${us_dollar_amount}, ${type}, ${names.in(formatMessage(description))}`,
    facts: ({ status, ach, authorization }) => ({
      status,
      authorization: authorization?.authorization_status,
      'decided by': when(authorization?.authorization_required_by),
      returned: ach?.ach_return_code,
    }),
  },
  returns: {
    title: ({ return_reason }) => `return "${return_reason}"`,
    facts: ({ status, ach }) => ({ status, code: ach?.ach_return_code }),
  },
  combined_transfers: {
    title: ({ asked }) =>
      `combined transfer of ${asked.transfer.usd_transfer_amount}, "${asked.synthetic_account.name}"`,
    facts: ({ status, errors }) => ({ status, because: errors?.[0]?.extra }),
  },
  synthetic_line_items: {
    title: ({ synthetic_account_uid }, names) => `line of ${names.of(synthetic_account_uid)}`,
    facts: ({ us_dollar_amount, running_us_dollar_balance }) => ({
      amount: us_dollar_amount,
      running: running_us_dollar_balance,
    }),
  },
  synthetic_accounts: {
    title: ({ name, synthetic_account_category }) => `account "${name}" (${synthetic_account_category})`,
    facts: (account) => ({
      status: account.status,
      balance: account.net_usd_balance,
      pending: account.net_usd_pending_balance,
      available: account.net_usd_available_balance,
      closed: when(account.closed_at),
    }),
  },
  custodial_accounts: {
    title: ({ name, type }) => `custodial account ${name ?? CASH[type] ?? type}`,
    facts: (account) => ({
      status: account.status,
      balance: account.net_usd_balance,
      pending: account.net_usd_pending_balance,
      available: account.net_usd_available_balance,
      closed: when(account.closed_at),
    }),
  },
  virtual_reference_numbers: {
    title: ({ name = 'without a name' }) => `VRN ${name}`,
    facts: (vrn) => ({
      status: vrn.status,
      registration: vrn.instant_payment_rail_registration_status,
      archived: when(vrn.archived_at),
    }),
  },
}

const OVER: ReadonlySet<string> = new Set(['settled', 'failed', 'canceled', 'archived', 'authorization_denied'])

const said = (facts: Readonly<Record<string, Value>>) =>
  Object.entries(facts)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([fact, value]) => `${fact} ${value}`)
    .join(', ')

/** The order of the changes of a commit. */
const ORDER: readonly CollectionName[] = [
  ...(Object.keys(tellings) as CollectionName[]),
  'tasks', // New and removed tasks come last.
]

// ── The diary ────────────────────────────────────────────────────────────────────────────────────────────────────

class Diary {
  readonly #names = new Names()
  /** The records as of the last written commit: the world itself changes in place. */
  readonly #known = new Map<CollectionName, Map<string, object>>()
  #pages: string[] = []

  constructor(world: World) {
    for (const [name, collection] of Object.entries(world.collections) as [
      CollectionName,
      World['collections'][CollectionName],
    ][])
      for (const record of collection.inOrder()) this.#note({ collection: name, uid: record.uid, record, was: null })
  }

  #note(change: Change): object | undefined {
    const { collection, uid, record } = change
    let known = this.#known.get(collection)
    if (!known) this.#known.set(collection, (known = new Map()))
    const before = known.get(uid)
    if (record) known.set(uid, record)
    else known.delete(uid)
    this.#names.note(change)
    return before
  }

  write(line: string) {
    this.#pages.push(line)
  }

  turnOver() {
    this.#pages = []
  }

  /** A line for every record without a final status. */
  standing(): string[] {
    return (Object.keys(tellings) as CollectionName[]).flatMap((collection) => {
      if (collection === 'synthetic_line_items') return []
      const telling = tellings[collection] as unknown as Telling<object>
      const records = [...(this.#known.get(collection)?.values() ?? [])]
      return records.flatMap((record) => {
        const { status, ...facts } = telling.facts(record, this.#names)
        if (OVER.has(String(status)) || (collection === 'custodial_accounts' && !status)) return []
        return [`${telling.title(record, this.#names)}: ${said({ status, ...facts })}`]
      })
    })
  }

  get text(): string {
    return `${this.#pages.join('\n').trim()}\n`
  }

  get length(): number {
    return this.#pages.length
  }

  listen = (commit: Commit) => {
    // Note all names of the commit first, because any of its records may use them.
    for (const change of commit.changes) this.#names.note(change)
    const told = commit.changes
      .map((change) => ({ at: ORDER.indexOf(change.collection), line: this.#tell(change, commit) }))
      .filter(({ line }) => line !== undefined)
      .sort((a, b) => a.at - b.at)
    if (told.length === 0) return
    const { door, name } = commit.cause
    this.write(`${newYork(commit.at)}  ${door}: ${name}`)
    for (const { line } of told) this.write(`    ${line}`)
  }

  #tell(change: Change, commit: Commit): string | undefined {
    const before = this.#note(change)
    if (change.collection === 'tasks') return tellTask(before as TaskRecord | undefined, change.record, commit)
    const telling = tellings[change.collection] as unknown as Telling<object> | undefined
    if (!telling) return undefined
    if (!change.record) return `gone: ${telling.title(before!, this.#names)}`
    const was = before && telling.facts(before, this.#names)
    const moved = Object.entries(telling.facts(change.record, this.#names)).flatMap(([fact, value]) => {
      const past = was?.[fact]
      if (String(value ?? '') === String(past ?? '')) return []
      return [was === undefined ? `${fact} ${value}` : `${fact} ${past ?? '–'} → ${value ?? '–'}`]
    })
    if (was && moved.length === 0) return undefined
    const title = telling.title(change.record, this.#names)
    return `${was ? '' : 'new '}${title}${moved.length > 0 ? `: ${moved.join(', ')}` : ''}`
  }
}

function tellTask(before: TaskRecord | undefined, record: object | null, { cause, at }: Commit): string | undefined {
  const task = (record ?? before) as TaskRecord
  if (task.recurring) return undefined
  if (record) return before ? `task ${task.kind}: ${task.failed}` : `due: ${task.kind}, ${newYork(task.due_at)}`
  const ran = cause.door === 'time' && cause.name === task.kind && task.due_at === at
  return ran ? undefined : `no longer due: ${task.kind}, ${newYork(task.due_at)}`
}

// ── The journey ──────────────────────────────────────────────────────────────────────────────────────────────────

const isAnswer = (result: unknown): result is ApiResponse =>
  typeof result === 'object' && result !== null && 'status' in result && 'text' in result

function outcome({ status, body }: ApiResponse): string {
  const [refusal] = (body as { errors?: { code: number; title: string; extra?: string }[] } | undefined)?.errors ?? []
  if (!refusal) return `answered with ${status}`
  return `refused with ${status}/${refusal.code} ${refusal.title}${refusal.extra ? `: ${refusal.extra}` : ''}`
}

export type Pace = NonNullable<SandboxOptions['pace']>
export const PACES = ['fast', 'real'] as const

export async function journey(options: Partial<SandboxOptions> & { pace: Pace }) {
  const told = await setUpPayments(options)
  const { api, sandbox, advance } = told
  const diary = new Diary(sandbox.store.world)
  sandbox.store.subscribe(diary.listen)

  /** Runs one step, and writes its title, its result and its changes. */
  async function step<T>(title: string, work: () => Promise<T>): Promise<T> {
    diary.write(`\n## ${title}`)
    const from = diary.length
    const result = await work()
    if (isAnswer(result)) diary.write(`    ${outcome(result)}`)
    else if (diary.length === from) diary.write('    nothing changes')
    return result
  }

  const now = () => sandbox.store.world.clock.at
  const passes = async (title: string, goal: object) => {
    const advanced = await step(title, () => advance(goal))
    for (const { at, task, outcome } of advanced.fired)
      if (outcome.startsWith('waits')) diary.write(`    ${newYork(at)}  ${task} ${outcome}`)
    diary.write(`    It is ${newYork(now())}.`)
    return advanced
  }
  const read = async <T = Record<string, unknown>>(path: string) => (await api.get<T>(path)).body
  const archive = (uid: string, json: object = {}) => api.call('DELETE', `/customers/${uid}`, { json })

  /** From an empty body to an active Customer, as section 4.4 recommends. */
  async function become({ email, details }: typeof OLIVE = OLIVE, external_uid = 'olive-1') {
    const created = await step('A Customer is created with an empty body', () => api.post('/customers', {}))
    const uid = String(created.body.uid)
    const put = (json: object) => api.call('PUT', `/customers/${uid}`, { json })
    await step('It gets the identifier of the Client, and an email', () => put({ external_uid, email }))
    await step('It gets its personal data', () => put({ details }))
    const products = await told.list<{ uid: string; prerequisite_product_uids: string[] }>('/products')
    const product_uid = products.find(({ prerequisite_product_uids: some }) => some.length === 0)!.uid
    const onboard = () => api.post('/customer_products', { customer_uid: uid, product_uid })
    expect(await step('It is onboarded', onboard)).toMatchObject({ status: 200 })
    await passes('Its identity is checked', { by: 'PT2S' })
    const customer = await read<{ pool_uids: string[]; status: string }>(`/customers/${uid}`)
    expect(customer.status).toBe('active')
    const accounts = await told.list<{ uid: string }>(`/synthetic_accounts?customer_uid=${uid}&liability=true`)
    return { uid, pool: customer.pool_uids[0]!, master: accounts[0]!.uid }
  }

  /** Drops the text so far and starts with the current records. */
  function beginHere() {
    diary.turnOver()
    diary.write(`How things stand on ${newYork(now())}:`)
    for (const line of diary.standing()) diary.write(`    ${line}`)
  }

  /** Compares the text with its snapshot file. */
  async function keep(name: string) {
    const file = `${name} (${options.pace}).txt`
    const text = `# ${name}, at pace ${options.pace}\n\n${diary.text}`
    expect(text, 'the text must not contain a uid').not.toMatch(/\b(?=\w*[A-Z])(?=\w*\d)[1-9A-HJ-NP-Za-km-z]{16}\b/)
    await expect(text).toMatchFileSnapshot(join(import.meta.dirname, 'snapshots', file))
  }

  return { ...told, step, passes, now, read, archive, become, beginHere, keep }
}
export type Journey = Awaited<ReturnType<typeof journey>>
