import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { changingMethods } from '../support/examples.ts'
import type { Random } from '../support/random.ts'

/**
 * The operations of a run. They name records by their position (modulo the number of records that exist by then), so an operation
 * keeps a meaning when the shrinker removes earlier ones. `id` is unique within a run; trace ids and names are derived from it.
 */

export type Person = 'approved' | 'Smith' | 'Johnson' | 'minor' | 'empty'
export type Force =
  | 'none'
  | 'fail'
  | 'open later'
  | 'fail to open'
  | 'return'
  | 'return of debits'
  | 'late return'
  | 'refuse reversal'
  | 'correction'
  | 'reject'
  | 'time out'
export type Category = 'general' | 'ach_external' | 'wire_external' | 'instant_payment_external'

export interface Limits {
  readonly minimum: number
  readonly maximum: number
  readonly daily: number
}

/** Particulars of a transfer. */
export interface TransferTerms {
  /** From today to the effective entry date of an ACH. */
  readonly daysAhead?: number
  /** An ACH of nothing, which only tries the account. */
  readonly isPrenote?: boolean
  /** Its external_uid, if it has one: the same again creates nothing. */
  readonly again?: number
}

/** While the world is replaced, requests create so many Customers. */
export interface Meanwhile {
  readonly meanwhile?: number
}

export interface ProgramSettings {
  readonly pre_funding?: boolean
  readonly client_authorization?: boolean
  readonly unanswered_authorization?: 'approve' | 'deny'
  readonly authorization_hours?: number
  readonly queue_minutes?: number
  readonly limits?: Limits | null | undefined
}

/** What happens to the disk while an operation runs. `after` counts calls of the file system. */
export type Event =
  | { readonly kind: 'kill' | 'power loss'; readonly after: number }
  | { readonly kind: 'error'; readonly after: number; readonly code: string; readonly times: number }
  | { readonly kind: 'full disk'; readonly bytes: number }

export type Operation = Action & { readonly id: number; readonly event?: Event }

export interface Plan {
  readonly seed: string
  readonly durability: 'write' | 'fsync'
  /** Simulated time at the beginning. */
  readonly start?: number
  /** The world is compared after so many operations. */
  readonly compareEvery?: number
  /** The history has commits that are not of the plan, so a replay differs. */
  readonly hasOtherCommits?: boolean
  /** The world is gone after its process. */
  readonly isInMemory?: boolean
  readonly operations: readonly Operation[]
}

const PEOPLE: readonly (readonly [number, Person])[] = [
  [12, 'approved'],
  [1, 'Smith'],
  [1, 'Johnson'],
  [1, 'minor'],
  [1, 'empty'],
]

/** A run begins with two Customers that have money, so that most of its operations are accepted, and with a world to come back to. */
const OPENING: readonly Action[] = [
  { kind: 'create customer', person: 'approved' },
  { kind: 'onboard', customer: 0 },
  { kind: 'create customer', person: 'approved' },
  { kind: 'onboard', customer: 1 },
  { kind: 'advance', seconds: 2 },
  { kind: 'receive', type: 'wire', customer: 0, cents: 500_000, account: null, vrn: null },
  { kind: 'open account', customer: 0, category: 'ach_external', force: 'none' },
  { kind: 'receive', type: 'ach', customer: 1, cents: 80_000, account: null, vrn: null },
  { kind: 'advance', seconds: 86_400 },
  { kind: 'keep snapshot', name: 'a' },
  { kind: 'export' },
]

export function createPlan(seed: string, random: Random): Plan {
  const durability = random.chance(0.5) ? 'fsync' : 'write'
  const count = random.between(15, 35)
  const webhook: Action = { kind: 'create webhook', ...pickWebhook(random) }
  const opening = random.chance(0.6) ? OPENING.toSpliced(5, 0, webhook) : OPENING
  const actions = [...opening, ...Array.from({ length: count }, () => pickActions(random)).flat()]
  const operations = number(actions, (action, id) => (id >= 4 ? pickEventOf(action, random) : undefined))
  return { seed, durability, operations: [...operations, { kind: 'restart', id: operations.length }] }
}

const number = (
  actions: readonly Action[],
  eventOf: (action: Action, id: number) => Event | undefined = () => undefined,
): Operation[] =>
  actions.map((action, id) => {
    const event = eventOf(action, id)
    return { ...action, id, ...(event && { event }) }
  })

/** What only a simulated disk does. */
const SIMULATED_ONLY: readonly Kind[] = ['flip', 'receive many']

/** With kills alone, which a real process can have, and with each method that changes something. It ends after so many kills. */
export function createKillPlan(seed: string, random: Random, most = Number.POSITIVE_INFINITY): Plan {
  const durability = random.chance(0.5) ? 'fsync' : 'write'
  const webhook: Action = { kind: 'create webhook', hasAddress: false, confirm: false, topics: null, from: 'now' }
  const examples = changingMethods.map((name): Action => ({ kind: 'example', name }))
  const picked = Array.from({ length: 25 }, () => pickActions(random)).flat()
  const alone = [...picked.filter(({ kind }) => !SIMULATED_ONLY.includes(kind)), ...examples]
  const actions = [...OPENING, webhook, ...random.shuffle(alone)].map(
    (action) => ({ ...action, meanwhile: 0 }) as Action,
  )
  let kills = 0
  const operations = number(actions, (_, id) =>
    id >= 4 && random.chance(0.12) ? { kind: 'kill', after: random.below(12) } : undefined,
  )
  const end = operations.findIndex(({ event }) => event && ++kills >= most)
  const done = end < 0 ? operations : operations.slice(0, end + 1)
  return { seed, durability, operations: [...done, { kind: 'restart', id: operations.length }] }
}

/** Adds those that are picked and wanted, until so many of them count. */
function add(
  count: number,
  begun: readonly Action[],
  pick: () => Action[],
  isWanted: (action: Action) => boolean,
  counts = isWanted,
) {
  const added: Action[] = []
  while (added.filter(counts).length < count) added.push(...pick().filter(isWanted))
  return [...begun, ...added]
}

/** Edges of the banking calendar: a cut-off, a close, a weekend, a holiday, both changes of the clock, the end of a year. */
const STARTS = [
  ...['2026-08-14T14:00:00.000Z', '2026-08-14T20:59:50.000Z', '2026-08-14T23:59:50.000Z', '2026-08-15T14:00:00.000Z'],
  ...['2026-11-25T21:59:00.000Z', '2026-11-01T05:30:00.000Z', '2027-03-14T06:59:50.000Z', '2026-12-31T23:00:00.000Z'],
]
/** What seldom comes together by chance: a debit that comes back and is re-presented, a reversal that is refused, a VRN. */
const ANSWERED: readonly Action[] = [
  { kind: 'transfer', customer: 0, from: 10, to: 12, cents: 5_000, sameDay: false },
  { kind: 'transfer', customer: 0, from: 12, to: 11, cents: 2_500, sameDay: false },
  { kind: 'advance', seconds: 86_400 },
  { kind: 're-present', payment: 0 },
  { kind: 'return', payment: 3 },
  { kind: 'open vrn', account: 1, fails: false },
  { kind: 'advance', seconds: 86_400 },
]

/** One on each rail, which settle at the pace of the run: of those that are picked few do at the pace `real`. */
const SENT = [1, 4, 6, 8].map(
  (to): Action => ({ kind: 'transfer', customer: 0, from: 12, to, cents: 1_000, sameDay: to === 4 }),
)

/** What can happen to money, compared after each operation, without crashes and faults. */
export function createMoneyPlan(seed: string, random: Random, count: number): Plan {
  const pace: Action = { kind: 'set pace', pace: random.pick(['fast', 'real']) }
  const plain = CATEGORIES.flatMap((category) => (['none', 'fail'] as const).map((force) => ({ category, force })))
  const answering = (['return of debits', 'refuse reversal'] as const).map(
    (force) => ({ category: 'ach_external', force }) as const,
  )
  const counterparties = [...plain, ...answering].map(
    (account): Action => ({ kind: 'open account', customer: 0, ...account }),
  )
  const opening = OPENING.filter(({ kind }) => moneyKinds.includes(kind))
  const begun = [...opening, ...counterparties, ...ANSWERED, pace, ...SENT]
  const pick = () => [pickAction(random)]
  const operations = number(add(count, begun, pick, ({ kind }) => moneyKinds.includes(kind)))
  const start = Date.parse(random.pick(STARTS))
  return { seed, durability: 'write', start, compareEvery: 1, operations }
}

const WEBHOOK_KINDS: readonly Kind[] = [
  ...(['create webhook', 'change webhook', 'delete webhook', 'set receiver', 'rewind', 'undo', 'redo'] as const),
]

/** What webhooks do while money moves, with kills. */
export function createWebhookPlan(seed: string, random: Random, count: number): Plan {
  const opening = OPENING.filter(({ kind }) => moneyKinds.includes(kind))
  const webhook: Action = { kind: 'create webhook', hasAddress: true, confirm: true, topics: null, from: 'beginning' }
  const isWanted = ({ kind }: Action) =>
    WEBHOOK_KINDS.includes(kind) || (moneyKinds.includes(kind) && random.chance(0.3))
  const actions = add(count - 1, [webhook, ...opening], () => [pickAction(random)], isWanted)
  const killed = () => (random.chance(0.1) ? ({ kind: 'kill', after: random.below(12) } as const) : undefined)
  const operations: Operation[] = [...number(actions, killed), { kind: 'restart', id: count + 100 }]
  return { seed, durability: 'write', compareEvery: 5, operations }
}

const REPLACING: readonly Kind[] = ['restore snapshot', 'rewind', 'reset', 'import', 'undo', 'redo', 'write']

/** Worlds, small and large, in memory and on disk, that are replaced while clients write; half of those on disk with a kill. */
export function createReplacementPlan(seed: string, random: Random, count: number): Plan {
  const isInMemory = random.chance(0.5)
  const address: Action = { kind: 'create webhook', hasAddress: true, confirm: false, topics: null, from: 'now' }
  const begun: readonly Action[] = [
    ...OPENING,
    address,
    { kind: 'receive many', customer: 0 },
    { kind: 'advance', seconds: 86_400 },
    { kind: 'keep snapshot', name: 'b' },
  ]
  const isReplacing = ({ kind }: Action) => REPLACING.includes(kind)
  const isWanted = (action: Action) => isReplacing(action) || action.kind === 'export'
  const pick = () => (random.chance(0.02) ? [{ kind: 'write' } as const] : pickActions(random))
  // There may be nothing to undo or to redo.
  const isCertain = (action: Action) => isReplacing(action) && action.kind !== 'undo' && action.kind !== 'redo'
  const actions = add(count, begun, pick, isWanted, isCertain).map((action) =>
    isReplacing(action) ? ({ ...action, meanwhile: random.between(4, 12) } as Action) : action,
  )
  const operations = number(actions, (action) =>
    !isInMemory && isReplacing(action) && random.chance(0.5) ? { kind: 'kill', after: random.below(150) } : undefined,
  )
  return { seed, durability: 'write', compareEvery: 1, hasOtherCommits: true, isInMemory, operations }
}

function pickEventOf({ kind }: Action, random: Random): Event | undefined {
  if (kind === 'flip' || kind === 'receive many' || kind === 'list') return undefined
  if (kind === 'example') return random.chance(0.3) ? { kind: 'kill', after: random.below(12) } : undefined
  return random.chance(0.12) ? pickEvent(random) : undefined
}

function pickEvent(random: Random): Event {
  return random.pickWeighted<Event>([
    [4, { kind: 'kill', after: random.below(12) }],
    [4, { kind: 'power loss', after: random.below(12) }],
    [
      2,
      {
        kind: 'error',
        after: random.below(8),
        code: random.pick(['EIO', 'ENOSPC', 'EMFILE', 'EDQUOT', 'EROFS']),
        times: random.pick([1, 1, 2, 5, 1000]),
      },
    ],
    [1, { kind: 'full disk', bytes: random.pick([0, 1, 100, 500, 1_000, 3_000]) }],
  ])
}

/** The others write to another folder, or wait for time that does not pass. */
const SIMULATED = changingMethods.filter((name) => name !== 'worlds.keep' && name !== 'faults.set')

/** After a reset, uids are issued again: mostly a world follows that has them, too. An undo is often followed by its redo. */
function pickActions(random: Random): Action[] {
  const action = pickAction(random)
  if (action.kind === 'undo' && random.chance(0.5)) return [{ ...action, meanwhile: 0 }, { kind: 'redo' }]
  if (action.kind !== 'reset' || random.chance(0.3)) return [action]
  const meanwhile = random.between(1, 5)
  return [
    action,
    random.pick<Action>([
      { kind: 'restore snapshot', name: 'a', meanwhile },
      { kind: 'import', meanwhile },
    ]),
  ]
}

/** How often an operation is picked, and its fields. */
type Row = readonly [weight: number, pick: (random: Random) => object]

/** One of the records that exist by then. */
const any = (random: Random) => random.below(1000)
const cents = (random: Random) => random.pick([0, 1, 99, 100, 2_500, 10_000, 49_999, 50_000, 100_000, 750_000])
const someCents = (random: Random) => Math.max(1, cents(random))

/** What moves money, or decides when and where it moves. */
const moneyRows = {
  'create customer': [3, (random) => ({ person: random.pickWeighted(PEOPLE) })],
  onboard: [3, (random) => ({ customer: any(random) })],
  'archive customer': [2, (random) => ({ customer: any(random) })],
  'open account': [7, (random) => ({ customer: any(random), ...pickAccount(random) })],
  'archive account': [1, (random) => ({ account: any(random) })],
  transfer: [
    20,
    (random) => ({
      customer: any(random),
      from: any(random),
      to: any(random),
      ...pickAmount(random),
      sameDay: random.chance(0.3),
    }),
  ],
  /** Opens an ACH counterparty, and sends it money or collects some. */
  combine: [
    2,
    (random) => ({
      customer: any(random),
      from: any(random),
      cents: someCents(random),
      isDebit: random.chance(0.4),
    }),
  ],
  cancel: [3, (random) => ({ transfer: any(random) })],
  /** To one of the Customer's general accounts or of its VRNs; null names neither. */
  receive: [
    9,
    (random) => ({
      type: random.pick(['ach', 'wire', 'instant_payment'] as const),
      customer: any(random),
      cents: someCents(random) * (random.chance(0.2) ? -1 : 1),
      account: random.chance(0.5) ? any(random) : null,
      vrn: random.chance(0.4) ? any(random) : null,
      ...pickWait(random),
    }),
  ],
  'receive return': [2, (random) => ({ payment: any(random) })],
  /** An ACH that was returned with R01, by the operator. */
  're-present': [2, (random) => ({ payment: any(random) })],
  return: [4, (random) => ({ payment: any(random) })],
  'open vrn': [3, (random) => ({ account: any(random), fails: random.chance(0.2) })],
  'lock vrn': [3, (random) => ({ vrn: any(random) })],
  'unlock vrn': [3, (random) => ({ vrn: any(random) })],
  'archive vrn': [1, (random) => ({ vrn: any(random) })],
  authorize: [4, (random) => ({ payment: any(random), approve: random.chance(0.6) })],
  configure: [2, (random) => ({ settings: pickSettings(random) })],
  advance: [10, (random) => ({ seconds: random.pick([1, 1, 2, 3, 5, 60, 3_600, 86_400, 259_200]) })],
  'advance days': [2, (random) => ({ businessDays: random.between(1, 6) })],
  /** To what is due next, or to the next time that it is this time in New York; so many milliseconds earlier. */
  'advance to': [4, (random) => ({ time: random.pick(TIMES), early: random.pick([0, 0, 1, 1_000, 2_000]) })],
  'set pace': [1, (random) => ({ pace: random.pick(['fast', 'real'] as const) })],
  'settle now': [2, (random) => ({ payment: any(random) })],
  'fail now': [1, (random) => ({ payment: any(random) })],
} satisfies Readonly<Record<string, Row>>

const otherRows = {
  /** So many wires that the world then has more than 1,000 records. */
  'receive many': [0.3, (random) => ({ customer: any(random) })],
  'repeat trace id': [4, (random) => ({ of: any(random) })],
  read: [4, (random) => ({ what: random.pick(['/customers', '/transfers', '/transactions', '/synthetic_accounts']) })],
  'keep snapshot': [2, (random) => ({ name: random.pick(['a', 'b']) })],
  'restore snapshot': [
    2,
    (random): Meanwhile & { name: string } => ({ name: random.pick(['a', 'b']), ...pickMeanwhile(random) }),
  ],
  rewind: [2, (random): Meanwhile & { to: number } => ({ to: any(random), ...pickMeanwhile(random) })],
  undo: [3, pickMeanwhile],
  redo: [2, () => ({})],
  reset: [1, pickMeanwhile],
  /** Nothing is replaced: clients write while the books are checked. Only where worlds are replaced. */
  write: [0, pickMeanwhile],
  export: [2, () => ({})],
  /** Of the newest export. */
  import: [3, pickMeanwhile],
  'create program': [1, () => ({})],
  /** Without an address its events are records of the world like others, and nothing is sent. */
  'create webhook': [2, pickWebhook],
  'change webhook': [
    4,
    (random) => ({
      webhook: any(random),
      status: random.pick(['active', 'paused', undefined] as const),
      ...(random.chance(0.4) ? { from: pickFrom(random) } : {}),
    }),
  ],
  'delete webhook': [1, (random) => ({ webhook: any(random) })],
  /** Whether the receiver of all webhooks accepts what it gets. */
  'set receiver': [1, (random) => ({ accepts: random.chance(0.7) })],
  /** A list with several filters, a sort and pages. */
  list: [4, (random) => ({ query: any(random) })],
  'rotate key': [1, () => ({})],
  /** A control method as in the example of the contract, which a rewind undoes. */
  example: [1, (random) => ({ name: random.pick<MethodName>(SIMULATED) })],
  restart: [3, () => ({})],
  /** Stops the sandbox, changes one bit of one file (often of its first or last byte), starts it, and puts the file back. */
  flip: [5, (random) => ({ file: any(random), at: random.next(), bit: random.below(8) })],
} satisfies Readonly<Record<string, Row>>

const rows = { ...moneyRows, ...otherRows }
type Kind = keyof typeof rows
export type Action = { [K in Kind]: { readonly kind: K } & Readonly<ReturnType<(typeof rows)[K][1]>> }[Kind]
export const moneyKinds = Object.keys(moneyRows) as readonly Kind[]

function pickAction(random: Random): Action {
  const [kind, [, pick]] = random.pickWeighted(Object.entries<Row>(rows).map((row) => [row[1][0], row] as const))
  return { kind, ...pick(random) } as Action
}

/** A number: since one of the events that are kept. */
export type From = 'now' | 'beginning' | number

const pickFrom = (random: Random): From => random.pick<From>(['now', 'beginning', any(random)])

function pickWebhook(random: Random): NewWebhook {
  return {
    hasAddress: random.chance(0.6),
    confirm: random.chance(0.5),
    topics: random.pick([null, null, ['transactions'], ['customers', 'transfers.status_change']]),
    from: random.chance(0.5) ? 'now' : pickFrom(random),
  }
}

interface NewWebhook {
  readonly hasAddress: boolean
  readonly confirm: boolean
  readonly topics: readonly string[] | null
  readonly from: From
}

function pickMeanwhile(random: Random): Meanwhile {
  return { meanwhile: random.below(6) }
}

/** So many seconds after the request, instead of at the time of the rail. */
const pickWait = (random: Random): { after?: number } =>
  random.chance(0.2) ? { after: random.pick([1, 3_600, 200_000]) } : {}

/** What is due next, the close of a day, and the cut-offs and settlements of the rails. */
const TIMES = [null, null, null, '00:00', '08:30', '10:00', '16:15', '17:00', '18:45', '20:00']

/** Mostly some cents; else as much as there is, or a cent more or less; and the particulars of the transfer. */
function pickAmount(random: Random): Amount {
  const way = random.below(16)
  if (way === 0) return { cents: 0, terms: { isPrenote: true } }
  const amount = { cents: cents(random) }
  if (way < 4) return { ...amount, beyond: random.pick([-1, 0, 1]) }
  if (way < 6) return { ...amount, terms: { daysAhead: random.pick([-1, 1, 3, 30, 31]) } }
  return way === 6 ? { ...amount, terms: { again: random.below(3) } } : amount
}

interface Amount {
  readonly cents: number
  /** Instead of `cents`: so many more than the available balance of a general account. */
  readonly beyond?: number
  readonly terms?: TransferTerms
}

const CATEGORIES = ['general', 'ach_external', 'wire_external', 'instant_payment_external'] as const

function pickAccount(random: Random): { category: Category; force: Force } {
  const category = random.pick(['general', 'ach_external', 'ach_external', 'wire_external', 'instant_payment_external'])
  const forces: Readonly<Record<string, readonly Force[]>> = {
    general: ['none', 'none', 'open later', 'fail to open'],
    ach_external: [
      'none',
      'none',
      'fail',
      'return',
      'return of debits',
      'late return',
      'refuse reversal',
      'correction',
      'open later',
    ],
    wire_external: ['none', 'none', 'fail', 'open later', 'fail to open'],
    instant_payment_external: ['none', 'none', 'fail', 'reject', 'time out'],
  }
  return { category: category as Category, force: random.pick(forces[category]!) }
}

const pickSettings = (random: Random): ProgramSettings =>
  random.pick<ProgramSettings>([
    { pre_funding: random.chance(0.5) },
    { client_authorization: random.chance(0.6) },
    { unanswered_authorization: random.pick(['approve', 'deny'] as const) },
    { authorization_hours: random.pick([1, 24]) },
    { queue_minutes: random.pick([0, 1, 30]) },
    { limits: random.pick([null, { minimum: 100, maximum: 50_000, daily: 60_000 }]) },
  ])
