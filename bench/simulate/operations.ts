import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { changingMethods } from '../support/examples.ts'
import type { Random } from '../support/random.ts'

/**
 * The operations of a run. They name records by their position (modulo the number of records that exist by then), so an operation
 * keeps a meaning when the shrinker removes earlier ones. `id` is unique within a run; trace ids and names are derived from it.
 */

export type Person = 'approved' | 'Smith' | 'Johnson' | 'minor' | 'empty'
export type Force = 'none' | 'fail' | 'return' | 'return of debits' | 'correction' | 'reject'
export type Category = 'general' | 'ach_external' | 'wire_external' | 'instant_payment_external'

export interface Limits {
  readonly minimum: number
  readonly maximum: number
  readonly daily: number
}

export type Action =
  | { readonly kind: 'create customer'; readonly person: Person }
  | { readonly kind: 'onboard'; readonly customer: number }
  | { readonly kind: 'archive customer'; readonly customer: number }
  | { readonly kind: 'open account'; readonly customer: number; readonly category: Category; readonly force: Force }
  | { readonly kind: 'archive account'; readonly account: number }
  | {
      readonly kind: 'transfer'
      readonly customer: number
      readonly from: number
      readonly to: number
      readonly cents: number
      readonly sameDay: boolean
    }
  | { readonly kind: 'cancel'; readonly transfer: number }
  /** Opens an ACH counterparty and sends it money. */
  | { readonly kind: 'combine'; readonly customer: number; readonly from: number; readonly cents: number }
  | {
      readonly kind: 'receive'
      readonly type: 'ach' | 'wire' | 'instant_payment'
      readonly customer: number
      readonly cents: number
      /** Of the Customer's general accounts or of its VRNs; null names neither. */
      readonly account: number | null
      readonly vrn: number | null
    }
  /** So many wires that the world then has more than 1,000 records. */
  | { readonly kind: 'receive many'; readonly customer: number }
  | { readonly kind: 'receive return'; readonly payment: number }
  | { readonly kind: 'return'; readonly payment: number }
  | { readonly kind: 'open vrn'; readonly account: number; readonly fails: boolean }
  | { readonly kind: 'lock vrn' | 'unlock vrn' | 'archive vrn'; readonly vrn: number }
  | { readonly kind: 'authorize'; readonly payment: number; readonly approve: boolean }
  | { readonly kind: 'configure'; readonly settings: ProgramSettings }
  | { readonly kind: 'advance'; readonly seconds: number }
  | { readonly kind: 'set pace'; readonly pace: 'fast' | 'real' }
  | { readonly kind: 'settle now'; readonly payment: number }
  | { readonly kind: 'fail now'; readonly payment: number }
  | { readonly kind: 'repeat trace id'; readonly of: number }
  | { readonly kind: 'read'; readonly what: string }
  | { readonly kind: 'keep snapshot'; readonly name: string }
  | ({ readonly kind: 'restore snapshot'; readonly name: string } & Meanwhile)
  | ({ readonly kind: 'rewind'; readonly to: number } & Meanwhile)
  | ({ readonly kind: 'reset' } & Meanwhile)
  | { readonly kind: 'export' }
  /** Of the newest export. */
  | ({ readonly kind: 'import' } & Meanwhile)
  | { readonly kind: 'create program' }
  /** Without an address: its events are records of the world like others, and nothing is sent. */
  | { readonly kind: 'create webhook' }
  | { readonly kind: 'rotate key' }
  /** A control method as in the example of the contract, which a rewind undoes. */
  | { readonly kind: 'example'; readonly name: MethodName }
  | { readonly kind: 'restart' }
  /** Stops the sandbox, changes one bit of one file, starts the sandbox, and puts the file back. */
  | { readonly kind: 'flip'; readonly file: number; readonly at: number; readonly bit: number }

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
  const actions = [...OPENING, ...Array.from({ length: count }, () => pickActions(random)).flat()]
  const operations = actions.map((action, id): Operation => {
    const event = id >= 4 ? pickEventOf(action, random) : undefined
    return { ...action, id, ...(event && { event }) }
  })
  return { seed, durability, operations: [...operations, { kind: 'restart', id: operations.length }] }
}

function pickEventOf({ kind }: Action, random: Random): Event | undefined {
  if (kind === 'flip' || kind === 'receive many') return undefined
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

/** After a reset, uids are issued again: mostly a world follows that has them, too. */
function pickActions(random: Random): Action[] {
  const action = pickAction(random)
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

function pickAction(random: Random): Action {
  const any = () => random.below(1000)
  const cents = () => random.pick([0, 1, 99, 100, 2_500, 10_000, 49_999, 50_000, 100_000, 750_000])
  return random.pickWeighted<() => Action>([
    [3, () => ({ kind: 'create customer', person: random.pickWeighted(PEOPLE) })],
    [3, () => ({ kind: 'onboard', customer: any() })],
    [2, () => ({ kind: 'archive customer', customer: any() })],
    [7, () => ({ kind: 'open account', customer: any(), ...pickAccount(random) })],
    [1, () => ({ kind: 'archive account', account: any() })],
    [
      20,
      () => ({
        kind: 'transfer',
        customer: any(),
        from: any(),
        to: any(),
        cents: cents(),
        sameDay: random.chance(0.3),
      }),
    ],
    [2, () => ({ kind: 'combine', customer: any(), from: any(), cents: Math.max(1, cents()) })],
    [3, () => ({ kind: 'cancel', transfer: any() })],
    [
      9,
      () => ({
        kind: 'receive',
        type: random.pick(['ach', 'wire', 'instant_payment'] as const),
        customer: any(),
        cents: Math.max(1, cents()) * (random.chance(0.2) ? -1 : 1),
        account: random.chance(0.5) ? any() : null,
        vrn: random.chance(0.4) ? any() : null,
      }),
    ],
    [0.3, () => ({ kind: 'receive many', customer: any() })],
    [2, () => ({ kind: 'receive return', payment: any() })],
    [4, () => ({ kind: 'return', payment: any() })],
    [3, () => ({ kind: 'open vrn', account: any(), fails: random.chance(0.2) })],
    [1, () => ({ kind: 'lock vrn', vrn: any() })],
    [1, () => ({ kind: 'unlock vrn', vrn: any() })],
    [1, () => ({ kind: 'archive vrn', vrn: any() })],
    [4, () => ({ kind: 'authorize', payment: any(), approve: random.chance(0.6) })],
    [2, () => ({ kind: 'configure', settings: pickSettings(random) })],
    [14, () => ({ kind: 'advance', seconds: random.pick([1, 1, 2, 3, 5, 60, 3_600, 86_400, 259_200]) })],
    [1, () => ({ kind: 'set pace', pace: random.pick(['fast', 'real'] as const) })],
    [2, () => ({ kind: 'settle now', payment: any() })],
    [1, () => ({ kind: 'fail now', payment: any() })],
    [4, () => ({ kind: 'repeat trace id', of: any() })],
    [
      4,
      () => ({ kind: 'read', what: random.pick(['/customers', '/transfers', '/transactions', '/synthetic_accounts']) }),
    ],
    [2, () => ({ kind: 'keep snapshot', name: random.pick(['a', 'b']) })],
    [2, () => ({ kind: 'restore snapshot', name: random.pick(['a', 'b']), meanwhile: random.below(6) })],
    [2, () => ({ kind: 'rewind', to: any(), meanwhile: random.below(6) })],
    [1, () => ({ kind: 'reset', meanwhile: random.below(6) })],
    [2, () => ({ kind: 'export' })],
    [3, () => ({ kind: 'import', meanwhile: random.below(6) })],
    [1, () => ({ kind: 'create program' })],
    [2, () => ({ kind: 'create webhook' })],
    [1, () => ({ kind: 'rotate key' })],
    [1, () => ({ kind: 'example', name: random.pick(SIMULATED) })],
    [3, () => ({ kind: 'restart' })],
    [5, () => ({ kind: 'flip', file: any(), at: random.next(), bit: random.below(8) })],
  ])()
}

function pickAccount(random: Random): { category: Category; force: Force } {
  const category = random.pick(['general', 'ach_external', 'ach_external', 'wire_external', 'instant_payment_external'])
  const forces: Readonly<Record<string, readonly Force[]>> = {
    general: ['none'],
    ach_external: ['none', 'none', 'fail', 'return', 'return of debits', 'correction'],
    wire_external: ['none', 'none', 'fail'],
    instant_payment_external: ['none', 'none', 'fail', 'reject'],
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
