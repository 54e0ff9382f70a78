import fc from 'fast-check'
import type { ControlReply } from '../../src/api/contract/control/client.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { ApiError, errors } from '../../src/api/contract/errors.ts'
import { achReturnCodes } from '../../src/api/contract/network-codes.ts'
import { DeniedReason } from '../../src/api/contract/resources/transactions.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { dispatch } from '../../src/api/control/dispatch.ts'
import type { OperatorDoor } from '../../src/api/control/door.ts'
import { Jobs } from '../../src/api/control/jobs.ts'
import { createControl } from '../../src/api/control/methods.ts'
import { dateAt, instantAt, plusDays } from '../../src/api/domain/rules/calendar.ts'
import { checkBooks } from '../../src/api/domain/rules/ledger.ts'
import { seedWorld } from '../../src/api/domain/seed.ts'
import { toApiError, toRefusal } from '../../src/api/http/error-response.ts'
import { handlers } from '../../src/api/http/handlers.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { Clock } from '../../src/api/store/clock.ts'
import type { Commit } from '../../src/api/store/commit.ts'
import { MemoryWorldFile } from '../../src/api/store/data-folder.ts'
import { Store } from '../../src/api/store/store.ts'
import type { Tx } from '../../src/api/store/tx.ts'
import { type CollectionName, emptyWorld, type World } from '../../src/api/store/world.ts'
import { simulatePast } from '../../src/api/time/past.ts'
import { Scheduler } from '../../src/api/time/scheduler.ts'
import { taskRunners as tasks } from '../../src/api/time/tasks.ts'
import { apiClient } from './client.ts'
import { OLIVE, PERSON } from './story.ts'

/**
 * Any history: what requests, operators and time may do to several Customers, as plain data that fast-check can make
 * and make smaller, and somebody who carries it out at the doors of a sandbox.
 */

// ── The doors ────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Input {
  readonly params?: Record<string, string>
  readonly query?: Record<string, unknown>
  readonly body?: object
}

// biome-ignore lint/suspicious/noExplicitAny: an answer as its reader expects it; its schema has been through it.
export type Body = any
export type Answered =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly code: number; readonly extra: string }

export interface Doors {
  readonly store: Store
  request(name: EndpointName, input?: Input): Promise<Answered>
  call(name: string, input: object): Promise<ControlReply>
}

/** Whatever happened is worse than a refusal: a fault of the sandbox, or a task that failed. */
export class Fault extends Error {
  override name = 'Fault'
}

/** A sandbox without a network: the same tables behind every door, and nothing is kept. */
export function innerDoors({ seed, start }: { readonly seed: string; readonly start: number }): Doors {
  const world = emptyWorld(seed, new Date(start).toISOString())
  simulatePast({ world, clock: { mode: 'frozen', pace: 'fast' }, seed: seedWorld, tasks, steps: [] })
  const store = new Store(world, new Clock(world, () => 0), new MemoryWorldFile(), checkBooks)
  const fault = (error: unknown): never => {
    throw new Fault(toApiError(error).cause_for_operator ?? String(error))
  }
  store.onListenerError = fault
  const failed: string[] = []
  const scheduler = new Scheduler({
    store,
    tasks,
    notify: (notice) => void (notice.type === 'task_failed' && failed.push(JSON.stringify(notice.task))),
    trouble: fault,
  })
  const runDue = () => void scheduler.runDue()
  const now = () => world.clock.at
  const operator = createControl({
    store,
    scheduler,
    onClose: () => {},
    jobs: new Jobs(() => {}),
    ...({} as Pick<
      OperatorDoor,
      | 'exchanges'
      | 'actions'
      | 'traces'
      | 'client'
      | 'library'
      | 'ownScenarios'
      | 'notify'
      | 'faults'
      | 'snapshots'
      | 'createWorld'
      | 'openScratch'
      | 'describe'
    >),
  })
  const program = world.collections.programs.inOrder()[0]!.uid
  const noTaskFailed = () => {
    if (failed.length > 0) throw new Fault(`A task failed: ${failed.join('; ')}`)
  }
  const faults: ApiError[] = []

  return {
    store,
    async request(name, { params = {}, query = {}, body } = {}) {
      const endpoint: Endpoint = endpoints[name]
      runDue()
      noTaskFailed()
      const before = { seq: world.seq, counters: world.counters }
      try {
        const input = { params, query: parsed(endpoint.query, query), body: parsed(endpoint.body, body) }
        const cause = { door: 'request', name: `${endpoint.method} ${endpoint.path}` } as const
        const handler = (handlers as unknown as Record<string, (tx: Tx, input: unknown) => unknown>)[name]!
        const shown = store.transact(program, cause, (tx) => endpoint.response.parse(handler(tx, input)))
        return { ok: true, body: shown as Body }
      } catch (error) {
        if (!(error instanceof ApiError)) throw new Fault(`${name}: ${(error as Error).stack}`, { cause: error })
        if (world.seq !== before.seq || world.counters !== before.counters)
          throw new Fault(`${name} was refused, and changed the world`)
        const { status, code } = errors[error.key]
        return { ok: false, status, code, extra: error.extra ?? '' }
      }
    },
    async call(name, input) {
      const reply = await dispatch(operator, name, input, {
        now,
        runDue,
        reportInternalError: (error) => void faults.push(error),
        newestSeq: () => world.seq,
        logAction: () => {},
      })
      if (faults.length > 0) throw new Fault(`${name}: ${faults[0]!.cause_for_operator}`)
      noTaskFailed()
      return reply
    },
  }
}

function parsed(schema: Endpoint['body'], value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value ?? {})
  if (!result.success) throw toRefusal(result.error.issues, value)
  return result.data
}

/** The same by HTTP, as an integrator's app comes in. */
export function httpDoors(sandbox: Sandbox): Doors {
  const api = apiClient(sandbox)
  return {
    store: sandbox.store,
    async request(name, { params = {}, query = {}, body } = {}) {
      const { method, path }: Endpoint = endpoints[name]
      const filled = path.replace(/\{(\w+)\}/g, (_, param: string) => encodeURIComponent(params[param]!))
      const asked = Object.entries(query).flatMap(([field, value]) =>
        Array.isArray(value) ? value.map((one) => `${field}[]=${one}`) : [`${field}=${String(value)}`],
      )
      const sent = body === undefined ? {} : { json: body }
      const { status, body: said } = await api.call<Body>(
        method,
        `${filled}${asked.length ? '?' : ''}${asked.join('&')}`,
        sent,
      )
      if (status >= 500) throw new Fault(`${name} answered ${status}`)
      if (status < 300) return { ok: true, body: said }
      const [error] = said.errors
      return { ok: false, status, code: error.code, extra: error.extra ?? '' }
    },
    async call(name, input) {
      const reply = await sandbox.call(name, input)
      if (!reply.ok && reply.error.status >= 500) throw new Fault(`${name} answered ${reply.error.status}`)
      return reply
    },
  }
}

// ── Operations ───────────────────────────────────────────────────────────────────────────────────────────────────

/** Cents, or what is there to spend and so many cents more, or a part of it. */
export type Amount = { readonly cents: number } | { readonly available_plus: number } | { readonly part: number }

/** Numbers say which one: of so many as there are, the nth. */
export type Operation =
  | {
      readonly do: 'pay'
      readonly way: Way
      readonly who: number
      readonly from: number
      readonly to: number
      readonly amount: Amount
      readonly same_day: boolean
      readonly prenote: boolean
      readonly ahead: number
      readonly sec_code: string
      readonly again: number | null
      readonly stray: boolean
    }
  | { readonly do: 'cancel'; readonly which: number }
  | {
      readonly do: 'receive'
      readonly type: 'ach' | 'wire' | 'instant_payment'
      readonly who: number
      readonly amount: Amount
      readonly debit: boolean
      readonly through: 'nothing' | 'account' | 'vrn'
      readonly which: number
    }
  | { readonly do: 'come back'; readonly which: number }
  | {
      readonly do: 'authorize'
      readonly which: number
      readonly approve: boolean
      readonly reason: string
      readonly any: boolean
    }
  | {
      readonly do: 'give back'
      readonly which: number
      readonly code: number
      readonly fit: boolean
      readonly again: number | null
    }
  | {
      readonly do: 'combine'
      readonly who: number
      readonly from: number
      readonly out: boolean
      readonly known: boolean
      readonly ending: string
      readonly amount: Amount
    }
  | {
      readonly do: 'make a VRN'
      readonly who: number
      readonly which: number
      readonly name: string
      readonly at_once: boolean
    }
  | { readonly do: 'turn a VRN'; readonly how: 'lock' | 'unlock' | 'archive' | 'rename'; readonly which: number }
  | {
      readonly do: 'open'
      readonly who: number
      readonly category: Category
      readonly name: string
      readonly ending: string
    }
  | { readonly do: 'close'; readonly who: number; readonly which: number }
  | { readonly do: 'rename'; readonly who: number; readonly which: number }
  | {
      readonly do: 'enroll'
      readonly type: string
      readonly last_name: string
      readonly dob: string
      readonly ssn: number
    }
  | { readonly do: 'onboard'; readonly who: number; readonly product: number }
  | { readonly do: 'adjust'; readonly who: number; readonly last_name: string }
  | { readonly do: 'archive'; readonly who: number; readonly to: number | null; readonly again: boolean }
  | {
      readonly do: 'move'
      readonly collection: 'customers' | 'transactions' | 'virtual_reference_numbers'
      readonly which: number
      readonly move: number
      readonly input: number
      readonly legal: boolean
    }
  | { readonly do: 'advance'; readonly by: Advance }
  | { readonly do: 'pace'; readonly pace: 'fast' | 'real' }
  | { readonly do: 'configure'; readonly settings: Record<string, unknown> }

export type Advance =
  | { readonly by: string }
  | { readonly business_days: number }
  | { readonly until: 'next' | 'idle' }
  /** The next time that New York's clocks show this, so many milliseconds early. */
  | { readonly clock: string; readonly early: number }

type Way = 'ach out' | 'ach in' | 'wire' | 'instant' | 'book' | 'any'
type Category = 'general' | 'ach_external' | 'wire_external' | 'instant_payment_external'

const nth = fc.nat({ max: 1000 })
/** Mostly the newest, whose story is not over. */
const recent = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 3 }) }, { weight: 2, arbitrary: nth })
const fill = <T>(times: number, value: T): T[] => Array<T>(times).fill(value)
const rarely = (one: number) => fc.nat({ max: one - 1 }).map((n) => n === 0)
const again = fc.option(fc.nat({ max: 2 }), { freq: 12 })

const amount: fc.Arbitrary<Amount> = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 30_000 }).map((cents) => ({ cents })) },
  { weight: 3, arbitrary: fc.constantFrom(-1, 0, 0, 1).map((available_plus) => ({ available_plus })) },
  { weight: 2, arbitrary: fc.integer({ min: 2, max: 7 }).map((part) => ({ part })) },
  {
    weight: 2,
    arbitrary: fc
      .constantFrom(...[0, 1, 1, 2, 99, 99_999_999, 100_000_000, 100_000_001, 500_000_001, 999_999_999_999])
      .map((cents) => ({ cents })),
  },
)

const lastName = fc.constantFrom('Quill', 'Marsh', 'Smith', 'Johnson')

/** Plain, one for each trigger there is, and numbers that only look like one. */
const ending = fc.constantFrom('10', '10', '9902', '9901', '9910', '9999', '9804', '9899', '9301', '9500', '9999')

const often = (weight: number, arbitrary: fc.Arbitrary<Operation>) => ({ weight, arbitrary })
const made = <D extends Operation['do']>(
  what: D,
  model: { [K in Exclude<keyof Extract<Operation, { do: D }>, 'do'>]: fc.Arbitrary<Extract<Operation, { do: D }>[K]> },
): fc.Arbitrary<Operation> => fc.record({ do: fc.constant(what), ...model }) as unknown as fc.Arbitrary<Operation>

const advance: fc.Arbitrary<Advance> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: 1, max: 6 }).map((s) => ({ by: `PT${s}S` })) },
  { weight: 1, arbitrary: fc.constantFrom('PT0.5S', 'PT20S', 'PT6M', 'PT1H', 'PT24H', 'P2D').map((by) => ({ by })) },
  { weight: 1, arbitrary: fc.constantFrom('P1W', 'P2W', 'P9W').map((by) => ({ by })) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 6 }).map((business_days) => ({ business_days })) },
  { weight: 3, arbitrary: fc.constantFrom('next', 'next', 'idle').map((until) => ({ until }) as Advance) },
  {
    weight: 3,
    arbitrary: fc.record({
      clock: fc.constantFrom('00:00', '08:30', '10:00', '16:15', '17:00', '18:45', '20:00'),
      early: fc.constantFrom(0, 0, 1, 1_000, 2_000, 3_000),
    }),
  },
)

const settings: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  fc.boolean().map((pre_funding) => ({ pre_funding })),
  fc.constantFrom('approve', 'deny').map((unanswered_authorization) => ({ unanswered_authorization })),
  fc.constantFrom(1, 24).map((authorization_hours) => ({ authorization_hours })),
  fc.constantFrom(true, true, false).map((client_authorization) => ({ client_authorization })),
  fc.constantFrom(true, true, false).map((returns) => ({ returns })),
  fc.constantFrom(true, true, false).map((combined_transfers) => ({ combined_transfers })),
  fc.constantFrom(0, 5).map((vrn_cooldown_minutes) => ({ vrn_cooldown_minutes })),
  fc.constantFrom(0, 10).map((n) => ({ queue_minutes: { ach: n, wire: n, instant_payment: 0, book: n } })),
)

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  often(
    30,
    made('pay', {
      way: fc.constantFrom(
        'ach out',
        'ach out',
        'ach out',
        'ach in',
        'ach in',
        'wire',
        'instant',
        'book',
        'book',
        'any',
      ),
      who: nth,
      from: nth,
      to: nth,
      amount,
      same_day: rarely(3),
      prenote: rarely(12),
      ahead: fc.oneof(
        { weight: 9, arbitrary: fc.constant(0) },
        { weight: 2, arbitrary: fc.constantFrom(-1, 1, 3, 30, 31) },
      ),
      sec_code: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom('CCD', 'PPD', 'WEB') },
        { weight: 1, arbitrary: fc.constantFrom('TEL', 'CIE') },
      ),
      again,
      stray: rarely(25),
    }),
  ),
  often(6, made('cancel', { which: recent })),
  often(
    14,
    made('receive', {
      type: fc.constantFrom('ach', 'ach', 'wire', 'wire', 'instant_payment'),
      who: nth,
      amount,
      debit: rarely(4),
      through: fc.constantFrom('nothing', 'account', 'vrn', 'vrn', 'vrn'),
      which: nth,
    }),
  ),
  often(4, made('come back', { which: recent })),
  often(
    6,
    made('authorize', {
      which: recent,
      approve: fc.boolean(),
      reason: fc.constantFrom(...DeniedReason.options),
      any: rarely(6),
    }),
  ),
  often(8, made('give back', { which: recent, code: nth, fit: rarely(6).map((no) => !no), again })),
  often(4, made('combine', { who: nth, from: nth, out: fc.boolean(), known: rarely(3), ending, amount })),
  often(
    3,
    made('make a VRN', {
      who: nth,
      which: nth,
      name: fc.constantFrom('Shop', 'Invoices', 'fail', 'instant payment fail'),
      at_once: fc.boolean(),
    }),
  ),
  often(
    5,
    made('turn a VRN', { how: fc.constantFrom('lock', 'lock', 'unlock', 'unlock', 'archive', 'rename'), which: nth }),
  ),
  often(
    5,
    made('open', {
      who: nth,
      category: fc.constantFrom('general', 'ach_external', 'ach_external', 'wire_external', 'instant_payment_external'),
      name: fc.constantFrom('Mill', 'Mill', 'Mill', 'fail'),
      ending,
    }),
  ),
  often(4, made('close', { who: nth, which: nth })),
  often(1, made('rename', { who: nth, which: nth })),
  often(
    2,
    made('enroll', {
      type: fc.constantFrom('primary', 'primary', 'sole_proprietor'),
      last_name: lastName,
      dob: fc.oneof(
        { weight: 8, arbitrary: fc.constant('1990-04-17') },
        { weight: 1, arbitrary: fc.constant('2015-01-01') },
      ),
      ssn: fc.nat({ max: 3 }),
    }),
  ),
  often(1, made('onboard', { who: nth, product: nth })),
  often(2, made('adjust', { who: nth, last_name: lastName })),
  often(3, made('archive', { who: nth, to: fc.option(nth), again: fc.boolean() })),
  often(
    18,
    made('move', {
      collection: fc.constantFrom(
        ...fill(6, 'transactions' as const),
        ...fill(3, 'customers' as const),
        'virtual_reference_numbers' as const,
      ),
      which: recent,
      move: nth,
      input: nth,
      legal: rarely(8).map((no) => !no),
    }),
  ),
  often(30, made('advance', { by: advance })),
  often(2, made('pace', { pace: fc.constantFrom('fast', 'real') })),
  often(3, made('configure', { settings })),
)

export interface Beginning {
  readonly start: string
  readonly pace: 'fast' | 'real'
}

/** A plain day, and instants at the edges of the banking calendar. */
export const beginning: fc.Arbitrary<Beginning> = fc.record({
  start: fc.constantFrom(
    ...['2026-08-14T14:00:00.000Z', '2026-08-14T20:59:50.000Z', '2026-08-14T23:59:50.000Z', '2026-08-15T14:00:00.000Z'],
    ...['2026-11-25T21:59:00.000Z', '2026-11-01T05:30:00.000Z', '2027-03-14T06:59:50.000Z', '2026-12-31T23:00:00.000Z'],
  ),
  pace: fc.constantFrom('fast', 'real'),
})

export interface History {
  readonly beginning: Beginning
  readonly operations: readonly Operation[]
}

/** The part of a history that still fails when no single operation more can be left out. */
export async function smallest(history: History, fails: (smaller: History) => Promise<boolean>): Promise<History> {
  let { operations } = history
  for (let size = operations.length; size >= 1; ) {
    let smaller = false
    for (let from = 0; from < operations.length; ) {
      const rest = [...operations.slice(0, from), ...operations.slice(from + size)]
      if (await fails({ ...history, operations: rest })) {
        operations = rest
        smaller = true
      } else from += size
    }
    if (size > 1 || !smaller) size = Math.floor(size / 2)
  }
  return { ...history, operations }
}

export const histories = (length: number): fc.Arbitrary<History> =>
  fc.record({ beginning, operations: fc.array(operation, { minLength: length, maxLength: length }) })

// ── The witness: what a client can know ──────────────────────────────────────────────────────────────────────────

const readBy = {
  customers: 'getCustomer',
  custodial_accounts: 'getCustodialAccount',
  synthetic_accounts: 'getSyntheticAccount',
  transfers: 'getTransfer',
  transactions: 'getTransaction',
  virtual_reference_numbers: 'getVirtualReferenceNumber',
  returns: 'getReturn',
  combined_transfers: 'getCombinedTransfer',
} as const satisfies Partial<Record<CollectionName, EndpointName>>
export type Witnessed = keyof typeof readBy
const MAY_BE_OFF: readonly Witnessed[] = ['returns', 'combined_transfers']

const isWitnessed = (name: CollectionName): name is Witnessed => Object.hasOwn(readBy, name)

export interface Sight {
  readonly collection: Witnessed
  readonly uid: string
  readonly before: Body | undefined
  readonly after: Body
}

/** Hears from commits what has changed, and reads it through the API. */
export class Witness {
  readonly known: { readonly [N in Witnessed]: Map<string, Body> } = {
    customers: new Map(),
    custodial_accounts: new Map(),
    synthetic_accounts: new Map(),
    transfers: new Map(),
    transactions: new Map(),
    virtual_reference_numbers: new Map(),
    returns: new Map(),
    combined_transfers: new Map(),
  }
  #unread = new Map<string, Witnessed>()
  /** What the Program has turned off, and does not show. */
  #hidden = new Map<string, Witnessed>()
  #doors!: Doors

  attend(doors: Doors) {
    this.#doors = doors
    doors.store.subscribe((commit) => this.#hear(commit))
  }

  #hear({ changes }: Commit) {
    for (const { collection, uid, record } of changes)
      if (isWitnessed(collection) && record) this.#unread.set(uid, collection)
  }

  /** Reading, too, lets fall due what is due, so it goes on until there is nothing left to read. */
  async read(): Promise<Sight[]> {
    const sights: Sight[] = []
    while (this.#unread.size > 0) {
      const unread = [...this.#unread]
      this.#unread.clear()
      for (const [uid, collection] of unread) {
        const answered = await this.#doors.request(readBy[collection], { params: { uid } })
        if (!answered.ok) {
          if (!MAY_BE_OFF.includes(collection))
            throw new Fault(`${collection} ${uid} cannot be read: ${answered.status}/${answered.code}`)
          this.#hidden.set(uid, collection)
          continue
        }
        sights.push({ collection, uid, before: this.known[collection].get(uid), after: answered.body })
        this.known[collection].set(uid, answered.body)
      }
    }
    return sights
  }

  /** What could not be read, once more. */
  readHidden(): Promise<Sight[]> {
    for (const [uid, collection] of this.#hidden) this.#unread.set(uid, collection)
    this.#hidden.clear()
    return this.read()
  }

  all(collection: Witnessed): Body[] {
    return [...this.known[collection].values()]
  }
}

// ── The actor: carries operations out ────────────────────────────────────────────────────────────────────────────

/** What came of an operation, in words and for whoever judges it. */
export interface Deed {
  readonly what: string
  readonly ok: boolean
  readonly said: string
  /** Of what a Client asked to be paid from a general account: whether it was. */
  readonly spending?: {
    readonly account: string
    readonly cents: bigint
    readonly category: string
    readonly taken: boolean
    readonly code: number | undefined
  }
}

const pick = <T>(from: readonly T[], n: number): T | undefined =>
  from.length === 0 ? undefined : from[n % from.length]
/** 0 is the newest. */
const pickRecent = <T>(from: readonly T[], n: number): T | undefined =>
  from.length === 0 ? undefined : from[from.length - 1 - (n % from.length)]

/** Those for which it is so; the others only when there is none. */
const usually = (all: Body[], isSo: (one: Body) => boolean): Body[] => {
  const found = all.filter(isSo)
  return found.length > 0 ? found : all
}
const isActive = ({ status }: Body) => status === 'active'

export const toCents = (text: string): bigint => BigInt(text.replace('.', ''))
const toText = (cents: bigint): string => {
  const size = String(cents < 0n ? -cents : cents).padStart(3, '0')
  return `${cents < 0n ? '-' : ''}${size.slice(0, -2)}.${size.slice(-2)}`
}

const SOMEWHERE = {
  street_number: '8',
  street1: 'Wharf Road',
  city: 'Toledo',
  state: 'OH',
  postal_code: '43604',
  country: 'US',
}

/** How time is moved; whoever wants it moved in another way passes that in. */
export type Mover = (doors: Doors, input: object) => Promise<ControlReply>
const straight: Mover = (doors, input) => doors.call('clock.advance', input)

const CATEGORY: Partial<Record<Way, Category>> = {
  'ach out': 'ach_external',
  'ach in': 'ach_external',
  wire: 'wire_external',
  instant: 'instant_payment_external',
}
const VERB = {
  lock: 'lockVirtualReferenceNumber',
  unlock: 'unlockVirtualReferenceNumber',
  archive: 'archiveVirtualReferenceNumber',
  rename: 'updateVirtualReferenceNumber',
} as const

export class Actor {
  doors: Doors
  readonly witness: Witness
  readonly #move: Mover
  #program = ''
  #types = new Map<string, string>()
  #products: string[] = []
  /** Numbers of its own: a name and an account number are not used twice. */
  #made = 0

  constructor(doors: Doors, { witness = new Witness(), mover = straight }: { witness?: Witness; mover?: Mover } = {}) {
    this.doors = doors
    this.witness = witness
    this.#move = mover
    witness.attend(doors)
  }

  get world(): World {
    return this.doors.store.world
  }

  get now(): number {
    return Date.parse(this.world.clock.at)
  }

  /** Another process, or the same one again, with the same world. */
  goTo(doors: Doors) {
    this.doors = doors
    this.witness.attend(doors)
  }

  /** Three Customers: one with a counterparty of each kind, one with a single one, one without; all with money. */
  async begin({ pace }: Beginning): Promise<void> {
    this.#program = this.world.collections.programs.inOrder()[0]!.uid
    const types = await this.#must('listSyntheticAccountTypes')
    for (const { uid, synthetic_account_category } of types.data) this.#types.set(synthetic_account_category, uid)
    const products = await this.#must('listProducts')
    this.#products = products.data.toReversed().map(({ uid }: Body) => uid)
    for (const [i, type] of ['primary', 'sole_proprietor', 'primary'].entries()) {
      const { uid } = await this.#must('createCustomer', { body: person(type, ['Oyl', 'Reyes', 'Quint'][i]!, i) })
      await this.#must('onboardCustomer', { body: { customer_uid: uid, product_uid: this.#firstProduct() } })
    }
    await this.doors.call('clock.advance', { by: 'PT2S' })
    await this.witness.read()
    for (const [i, customer] of this.#customers().entries()) {
      await this.#must('createSyntheticAccount', {
        body: this.#account(customer.pool_uids[0], 'general', 'Reserve', ''),
      })
      if (i === 0)
        for (const [category, name, end] of COUNTERPARTIES)
          await this.#must('createSyntheticAccount', {
            body: this.#account(customer.pool_uids[0], category, name, end),
          })
      if (i === 1)
        await this.#must('createSyntheticAccount', {
          body: this.#account(customer.pool_uids[0], 'ach_external', 'Mill', '10'),
        })
    }
    await this.witness.read()
    for (const customer of this.#customers())
      for (const [i, { uid, pool_uid }] of this.#general(customer).entries()) {
        await this.#must('createVirtualReferenceNumber', {
          body: {
            name: `Shop of ${pool_uid}`,
            synthetic_account_uid: uid,
            routing_number: '110000000',
            synchronous_registration: true,
          },
        })
        await this.#must('createMockTransaction', {
          body: {
            transaction_type: 'wire',
            customer_uid: customer.uid,
            us_dollar_amount: i === 0 ? '1000.00' : '250.50',
            synthetic_account_uid: uid,
          },
        })
      }
    await this.doors.call('clock.advance', { by: 'PT2S' })
    if (pace === 'real') await this.doors.call('clock.set', { pace })
  }

  async perform(operation: Operation): Promise<Deed> {
    switch (operation.do) {
      case 'pay':
        return this.#pay(operation)
      case 'cancel': {
        const transfer = pickRecent(
          usually(this.witness.all('transfers'), ({ status }) => status === 'queued' || status === 'pending'),
          operation.which,
        )
        if (!transfer) return NOTHING_THERE
        return this.#ask(`cancel ${worded(transfer)}`, 'cancelTransfer', {
          params: { uid: transfer.uid },
          body: { cancellation_reason: 'no more' },
        })
      }
      case 'receive':
        return this.#receive(operation)
      case 'come back': {
        const ours = this.witness.all('transactions').filter(({ type, transfer_uid }) => type === 'ach' && transfer_uid)
        const payment = pickRecent(ours, operation.which)
        if (!payment) return NOTHING_THERE
        return this.#ask(`mock the return of ${worded(payment)}`, 'createMockTransaction', {
          body: { transaction_type: 'ach_return', transaction_uid: payment.uid },
        })
      }
      case 'authorize': {
        const { which, approve, reason, any } = operation
        const all = this.witness.all('transactions')
        const payment = pickRecent(any ? all : usually(all, ({ status }) => status === 'authorization_pending'), which)
        if (!payment) return NOTHING_THERE
        return this.#ask(`${approve ? 'approve' : `deny (${reason})`} ${worded(payment)}`, 'authorizeTransaction', {
          params: { uid: payment.uid },
          body: approve
            ? { authorization_status: 'client_approved' }
            : { authorization_status: 'denied', denied_reason: reason },
        })
      }
      case 'give back':
        return this.#giveBack(operation)
      case 'combine':
        return this.#combine(operation)
      case 'make a VRN': {
        const account = this.#generalOf(operation.who, operation.which)
        if (!account) return NOTHING_THERE
        return this.#ask(`make a VRN "${operation.name}" of ${account.name}`, 'createVirtualReferenceNumber', {
          body: {
            name: operation.name,
            synthetic_account_uid: account.uid,
            routing_number: '110000000',
            synchronous_registration: operation.at_once,
          },
        })
      }
      case 'turn a VRN': {
        const { how, which } = operation
        const vrn = pick(this.witness.all('virtual_reference_numbers'), which)
        if (!vrn) return NOTHING_THERE
        const body =
          how === 'lock' ? { lock_reason: 'admin' } : how === 'rename' ? { name: `Shop ${++this.#made}` } : undefined
        return this.#ask(`${how} VRN ${vrn.uid}`, VERB[how], { params: { uid: vrn.uid }, ...(body ? { body } : {}) })
      }
      case 'open': {
        const { who, category, name, ending: end } = operation
        const customer = this.#customer(who)
        if (!customer) return NOTHING_THERE
        const body = this.#account(customer.pool_uids[0], category, name, end)
        return this.#ask(`open ${body.name} for ${customer.details.last_name}`, 'createSyntheticAccount', { body })
      }
      case 'close': {
        const account = pick(this.#accountsOf(this.#customer(operation.who)), operation.which)
        if (!account) return NOTHING_THERE
        return this.#ask(`close ${account.name}`, 'archiveSyntheticAccount', { params: { uid: account.uid } })
      }
      case 'rename': {
        const account = pick(this.#accountsOf(this.#customer(operation.who)), operation.which)
        if (!account) return NOTHING_THERE
        return this.#ask(`rename ${account.name}`, 'updateSyntheticAccount', {
          params: { uid: account.uid },
          body: { name: `${account.name}'`, note: 'asked for' },
        })
      }
      case 'enroll': {
        const { type, last_name, dob, ssn } = operation
        const made = await this.doors.request('createCustomer', { body: person(type, last_name, 10 + ssn, dob) })
        if (!made.ok) return deed(`create ${last_name}`, made)
        return this.#ask(`create and onboard ${last_name}, ${type}, born ${dob}`, 'onboardCustomer', {
          body: { customer_uid: made.body.uid, product_uid: this.#firstProduct() },
        })
      }
      case 'onboard': {
        const customer = pick(this.witness.all('customers'), operation.who)
        if (!customer) return NOTHING_THERE
        return this.#ask(`onboard ${customer.details.last_name} further`, 'onboardCustomer', {
          body: { customer_uid: customer.uid, product_uid: pick(this.#products, operation.product) },
        })
      }
      case 'adjust': {
        const customer = pick(this.witness.all('customers'), operation.who)
        if (!customer) return NOTHING_THERE
        const { first_name, phone, address } = PERSON
        return this.#ask(`${customer.details.last_name} is called ${operation.last_name}`, 'updateCustomer', {
          params: { uid: customer.uid },
          body: { email: OLIVE.email, details: { first_name, phone, address, last_name: operation.last_name } },
        })
      }
      case 'archive': {
        const customer = pick(this.witness.all('customers'), operation.who)
        if (!customer) return NOTHING_THERE
        const external = this.#accountsOf(customer).filter(({ liability }) => !liability)
        const to = operation.to === null ? undefined : pick(external, operation.to)
        return this.#ask(
          `archive ${customer.details.last_name}${to ? `, the rest to ${to.name}` : ''}`,
          'archiveCustomer',
          {
            params: { uid: customer.uid },
            body: {
              can_apply_again: operation.again,
              ...(to ? { destination_synthetic_account_uid: to.uid } : {}),
            },
          },
        )
      }
      case 'move':
        return this.#makeMove(operation)
      case 'advance':
        return this.#advance(operation.by)
      case 'pace':
        return deed(
          `the pace is ${operation.pace}`,
          replied(await this.doors.call('clock.set', { pace: operation.pace })),
        )
      case 'configure': {
        const reply = await this.doors.call('programs.update', { uid: this.#program, ...operation.settings })
        return deed(`set ${JSON.stringify(operation.settings)}`, replied(reply))
      }
    }
  }

  async configure(settings: object) {
    await this.doors.call('programs.update', { uid: this.#program, ...settings })
  }

  async #pay(operation: Extract<Operation, { do: 'pay' }>): Promise<Deed> {
    const { way, who, amount: asked, same_day, prenote, ahead, sec_code, stray } = operation
    const customer = this.#customer(who, way)
    const others = stray ? this.#customer(who + 1) : customer
    const reached = (category: string) =>
      usually(this.#accountsOf(others), isActive).filter((a) => a.synthetic_account_category === category)
    const general = usually(this.#general(customer), isActive)
    const any = this.#accountsOf(customer, true)
    const [sources, destinations] = {
      'ach out': [general, reached('ach_external')],
      'ach in': [reached('ach_external'), general],
      wire: [general, reached('wire_external')],
      instant: [general, reached('instant_payment_external')],
      book: [general, stray ? this.#general(others) : general],
      any: [any, any],
    }[way]
    const source = pick(sources!, operation.from)
    const destination = pick(
      destinations!.length > 1 ? destinations!.filter((one) => one !== source) : destinations!,
      operation.to,
    )
    if (!customer || !source || !destination) return NOTHING_THERE
    const isPrenote = prenote && way.startsWith('ach')
    const text = isPrenote ? '0.00' : this.#text(asked, source)
    const again = operation.again === null ? {} : { external_uid: `again-${operation.again}` }
    const known = this.witness
      .all('transfers')
      .some(({ external_uid }) => external_uid !== undefined && external_uid === again.external_uid)
    const answered = await this.doors.request('createTransfer', {
      body: {
        ...again,
        source_synthetic_account_uid: source.uid,
        destination_synthetic_account_uid: destination.uid,
        initiating_customer_uid: customer.uid,
        usd_transfer_amount: text,
        ach: {
          originator_name: 'Harbor',
          sec_code,
          entry_description: 'PAY',
          service_processing: same_day ? 'SAMEDAY' : 'STANDARD',
          effective_entry_date: plusDays(dateAt(this.now), ahead),
          prenote: isPrenote,
          ...(sec_code === 'CIE' ? { id_number: '77' } : {}),
        },
      },
    })
    const particulars = [
      same_day && 'SAMEDAY',
      isPrenote && 'prenote',
      ahead !== 0 && `${ahead} days ahead`,
      again.external_uid,
    ]
    const what = `pay ${text} from ${source.name} to ${destination.name} ${particulars.filter(Boolean).join(', ')}`
    const { liability, uid } = source
    if (!liability || known) return deed(what, answered)
    return {
      ...deed(what, answered),
      spending: {
        account: uid,
        cents: toCents(text),
        category: destination.synthetic_account_category,
        taken: answered.ok,
        code: answered.ok ? undefined : answered.code,
      },
    }
  }

  #receive({ type, who, amount: asked, debit, through, which }: Extract<Operation, { do: 'receive' }>) {
    const customer = this.#customer(who)
    if (!customer) return NOTHING_THERE
    const general = this.#general(customer)
    const vrns = this.witness
      .all('virtual_reference_numbers')
      .filter(({ synthetic_account_uid }) => general.some(({ uid }) => uid === synthetic_account_uid))
    const account = pick(general, which)
    const vrn = pick(vrns, which)
    const text = this.#text(asked, account)
    const to =
      through === 'vrn' && vrn
        ? { virtual_reference_number_uid: vrn.uid }
        : through === 'account' && account
          ? { synthetic_account_uid: account.uid }
          : {}
    return this.#ask(
      `${customer.details.last_name} receives ${debit ? '-' : ''}${text} by ${type} ${through === 'vrn' ? `on VRN ${vrn?.uid}` : through === 'account' ? `on ${account?.name}` : ''}`,
      'createMockTransaction',
      {
        body: {
          transaction_type: type,
          customer_uid: customer.uid,
          us_dollar_amount: `${debit ? '-' : ''}${text}`,
          ...to,
        },
      },
    )
  }

  #giveBack({ which, code, fit, again: repeated }: Extract<Operation, { do: 'give back' }>) {
    const settled = this.witness
      .all('transactions')
      .filter((it) => !fit || (it.status === 'settled' && ['ach', 'wire'].includes(it.type)))
    const payment = pickRecent(settled, which)
    if (!payment) return NOTHING_THERE
    const isOurs = payment.transfer_uid !== null
    const hit = payment.net_asset === 'negative' ? 'debit' : 'credit'
    const codes = ['R01', 'R02', 'R03', 'R04', 'R06', 'R09', 'R10', 'R16', 'R17', 'R20', 'R23', 'R29', 'R31']
    const fitting = codes.filter(
      (one) => !fit || achReturnCodes[one]!.hits === 'both' || achReturnCodes[one]!.hits === hit,
    )
    const takesCode = fit ? payment.type === 'ach' && !isOurs : code % 2 === 0
    const ach = takesCode ? { ach: { ach_return_code: pick(fitting, code) } } : {}
    return this.#ask(`return ${worded(payment)} ${takesCode ? pick(fitting, code) : ''}`, 'createReturn', {
      body: {
        ...(repeated === null ? {} : { external_uid: `again-${repeated}` }),
        original_transaction_uid: payment.uid,
        requesting_customer_uid: payment.customer_uid,
        requestor_type: 'customer',
        return_reason: 'not wanted',
        ...ach,
      },
    })
  }

  #combine({ who, from, out, known, ending: end, amount: asked }: Extract<Operation, { do: 'combine' }>) {
    const customer = this.#customer(who)
    const account = pick(this.#general(customer), from)
    if (!account) return NOTHING_THERE
    const there = known
      ? pick(
          this.#accountsOf(customer).filter(({ liability }) => !liability),
          from,
        )
      : undefined
    const party = there ? { uid: there.uid } : this.#account(customer.pool_uids[0], 'ach_external', 'Sails', end)
    const text = this.#text(asked, account)
    return this.#ask(
      `combined: ${out ? 'send' : 'take'} ${text} ${account.name} with ${there?.name ?? `a new account ${end}`}`,
      'createCombinedTransfer',
      {
        body: {
          synthetic_account: party,
          transfer: {
            [out ? 'source_synthetic_account_uid' : 'destination_synthetic_account_uid']: account.uid,
            initiating_customer_uid: customer.uid,
            usd_transfer_amount: text,
            ach: {
              originator_name: 'Harbor',
              sec_code: 'CCD',
              entry_description: 'SAILS',
              service_processing: 'STANDARD',
              effective_entry_date: dateAt(this.now),
            },
          },
        },
      },
    )
  }

  /** A move that is said to be legal is made, and one that is not is refused. */
  async #makeMove({ collection, which, move, input, legal }: Extract<Operation, { do: 'move' }>): Promise<Deed> {
    const all = this.witness.all(collection)
    const isMovable = ({ status, type }: Body) => ['queued', 'pending'].includes(status) || type === 'ach'
    const record = pickRecent(legal && collection === 'transactions' ? usually(all, isMovable) : all, which)
    if (!record) return NOTHING_THERE
    const listed = await this.doors.call('moves.list', { collection, uid: record.uid })
    if (!listed.ok) throw new Fault(`The moves of ${record.uid} cannot be listed`)
    const { moves } = listed.value as { moves: Body[] }
    const wanted = pick(
      moves.filter((one) => one.legal === legal),
      move,
    )
    if (!wanted) return NOTHING_THERE
    const inputs = Object.fromEntries(
      wanted.inputs
        .filter(({ required }: Body) => required)
        .map(({ name, values }: Body) => [name, values ? pick(values, input) : 'asked for']),
    )
    const what = `move: ${wanted.move} ${Object.values(inputs).join(' ')} ${collection} ${worded(record)}`
    const reply = await this.doors.call('moves.make', { collection, uid: record.uid, move: wanted.move, inputs })
    if (reply.ok !== wanted.legal)
      throw new Fault(`${what} is ${wanted.legal ? '' : 'not '}legal: ${JSON.stringify(reply)}`)
    return deed(what, replied(reply))
  }

  async #advance(by: Advance): Promise<Deed> {
    const input = 'clock' in by ? { to: new Date(this.#nextTime(by.clock, by.early)).toISOString() } : by
    const reply = await this.#move(this.doors, input)
    if (!reply.ok) throw new Fault(`The clock did not go: ${JSON.stringify(reply.error)}`)
    return { what: `advance ${Object.values(input).join()}`, ok: true, said: `it is ${this.world.clock.at}` }
  }

  #nextTime(clock: string, early: number): number {
    for (let date = dateAt(this.now); ; date = plusDays(date, 1)) {
      const ms = instantAt(date, clock) - early
      if (ms >= this.now) return ms
    }
  }

  // ── Who and what there is

  #customers = () => this.witness.all('customers').filter(({ pool_uids }) => pool_uids.length > 0)

  /** Mostly one that may act, and has whom to pay that way. */
  #customer(n: number, way?: Way): Body {
    const category = way && CATEGORY[way]
    const reaches = (customer: Body) =>
      !category || this.#accountsOf(customer).some((one) => one.synthetic_account_category === category)
    const acts = ({ status, locked_at }: Body) => status === 'active' && locked_at === null
    const all = this.#customers()
    return pick(n % 8 === 0 ? all : usually(usually(all, acts), reaches), n)
  }
  #firstProduct = () => this.#products[0]!

  #accountsOf(customer: Body, withAssets = false): Body[] {
    if (!customer) return []
    return this.witness
      .all('synthetic_accounts')
      .filter(
        (account) =>
          account.pool_uid === customer.pool_uids[0] &&
          (withAssets || account.liability || account.synthetic_account_category !== 'general'),
      )
  }
  #general = (customer: Body) => this.#accountsOf(customer).filter(({ liability }) => liability)
  #generalOf = (who: number, which: number) => pick(this.#general(this.#customer(who)), which)

  #text(amount: Amount, account: Body | undefined): string {
    if ('cents' in amount) return toText(BigInt(amount.cents))
    const known = account && this.witness.known.synthetic_accounts.get(account.uid)?.net_usd_available_balance
    const available = known ? toCents(known) : 10_000n
    const cents = 'part' in amount ? available / BigInt(amount.part) : available + BigInt(amount.available_plus)
    return toText(cents > 0n ? cents : 1n)
  }

  #account(pool_uid: string, category: Category, name: string, end: string): Body {
    const n = ++this.#made
    const counterparty_name = `${name} ${n}`
    const numbers = { routing_number: '021000021', account_number: `${1_000 + n}${end}` }
    const party = {
      general: {},
      ach_external: { ...numbers, ach: { account_type: 'checking', counterparty_name } },
      wire_external: { ...numbers, wire: { counterparty_name } },
      instant_payment_external: { ...numbers, instant_payment: { counterparty_name, counterparty_address: SOMEWHERE } },
    }[category]
    return {
      name: `${name} ${n}${end ? ` (…${end}, ${category})` : ''}`,
      pool_uid,
      synthetic_account_type_uid: this.#types.get(category),
      ...party,
    }
  }

  async #ask(what: string, name: EndpointName, input: Input): Promise<Deed> {
    return deed(what, await this.doors.request(name, input))
  }

  async #must(name: EndpointName, input?: Input): Promise<Body> {
    const answered = await this.doors.request(name, input)
    if (!answered.ok)
      throw new Fault(`The beginning was refused: ${name} ${answered.status}/${answered.code} ${answered.extra}`)
    return answered.body
  }
}

const COUNTERPARTIES: readonly (readonly [Category, string, string])[] = [
  ['ach_external', 'Mill', '10'],
  ['ach_external', 'fail', '10'],
  ['ach_external', 'Mill', '9902'],
  ['ach_external', 'Mill', '9804'],
  ['wire_external', 'Lease', '10'],
  ['wire_external', 'fail', '10'],
  ['instant_payment_external', 'Ada', '10'],
  ['instant_payment_external', 'Ada', '9301'],
  ['instant_payment_external', 'Ada', '9500'],
]

const person = (customer_type: string, last_name: string, n: number, dob = PERSON.dob) => ({
  customer_type,
  email: OLIVE.email,
  details: {
    ...PERSON,
    last_name,
    dob,
    ssn: `512-04-${8800 + n}`,
    ...(customer_type === 'sole_proprietor' ? { business_name: `${last_name} Supply` } : {}),
  },
})

const NOTHING_THERE: Deed = { what: 'there is nothing to do it with', ok: false, said: '' }

const replied = (reply: ControlReply): Answered => {
  if (reply.ok) return { ok: true, body: reply.value }
  const { errors: said, status } = reply.error
  return { ok: false, status, code: said[0]!.code, extra: said[0]!.extra ?? '' }
}

const deed = (what: string, answered: Answered): Deed => ({
  what,
  ok: answered.ok,
  said: answered.ok
    ? [answered.body?.status, answered.body?.uid].filter(Boolean).join(' ')
    : `refused ${answered.status}/${answered.code} ${answered.extra}`,
})

const worded = ({ uid, status, type, us_dollar_amount, usd_transfer_amount, details }: Body) =>
  [details?.last_name, us_dollar_amount ?? usd_transfer_amount, type, `(${uid}, ${status})`].filter(Boolean).join(' ')
