import fc from 'fast-check'
import { DeniedReason } from '../../../src/api/contract/resources/transactions.ts'

/** Random histories: what requests, operators and time can do to several Customers, as plain data. */

/** Cents, or the available balance plus so many cents, or one nth of it. */
export type Amount = { readonly cents: number } | { readonly available_plus: number } | { readonly part: number }

/** One operation as plain data, which fast-check can generate and shrink. A number selects a record: the nth, modulo their count. */
export type Operation =
  | {
      readonly do: 'pay'
      readonly way: Way
      readonly customerIndex: number
      readonly from: number
      readonly to: number
      readonly amount: Amount
      readonly isSameDay: boolean
      readonly prenote: boolean
      readonly daysAhead: number
      readonly sec_code: string
      readonly again: number | null
      readonly isAcrossPools: boolean
    }
  | { readonly do: 'cancel'; readonly index: number }
  | {
      readonly do: 'receive'
      readonly type: 'ach' | 'wire' | 'instant_payment'
      readonly customerIndex: number
      readonly amount: Amount
      readonly isDebit: boolean
      readonly to: 'nothing' | 'account' | 'vrn'
      readonly index: number
    }
  | { readonly do: 'receive return'; readonly index: number }
  | {
      readonly do: 'authorize'
      readonly index: number
      readonly approve: boolean
      readonly reason: string
      readonly isAny: boolean
    }
  | {
      readonly do: 'return'
      readonly index: number
      readonly code: number
      readonly isFitting: boolean
      readonly again: number | null
    }
  | {
      readonly do: 'create combined transfer'
      readonly customerIndex: number
      readonly from: number
      readonly isOutgoing: boolean
      readonly isKnown: boolean
      readonly ending: string
      readonly amount: Amount
    }
  | {
      readonly do: 'create VRN'
      readonly customerIndex: number
      readonly index: number
      readonly name: string
      readonly isSynchronous: boolean
    }
  | { readonly do: 'change VRN'; readonly change: 'lock' | 'unlock' | 'archive' | 'rename'; readonly index: number }
  | {
      readonly do: 'open account'
      readonly customerIndex: number
      readonly category: Category
      readonly name: string
      readonly ending: string
    }
  | { readonly do: 'close account'; readonly customerIndex: number; readonly index: number }
  | { readonly do: 'rename account'; readonly customerIndex: number; readonly index: number }
  | {
      readonly do: 'create customer'
      readonly type: string
      readonly last_name: string
      readonly dob: string
      readonly ssn: number
    }
  | { readonly do: 'onboard'; readonly customerIndex: number; readonly product: number }
  | { readonly do: 'update customer'; readonly customerIndex: number; readonly last_name: string }
  | {
      readonly do: 'archive customer'
      readonly customerIndex: number
      readonly to: number | null
      readonly again: boolean
    }
  | {
      readonly do: 'decide'
      readonly collection: 'customers' | 'transactions' | 'virtual_reference_numbers'
      readonly index: number
      readonly move: number
      readonly input: number
      readonly isPossible: boolean
    }
  | { readonly do: 'advance'; readonly by: Advance }
  | { readonly do: 'set pace'; readonly pace: 'fast' | 'real' }
  | { readonly do: 'change settings'; readonly settings: Record<string, unknown> }

export type Advance =
  | { readonly by: string }
  | { readonly business_days: number }
  | { readonly until: 'next' | 'idle' }
  /** The next time it is this time in New York, less so many milliseconds. */
  | { readonly clock: string; readonly early_ms: number }

export type Way = 'ach out' | 'ach in' | 'wire' | 'instant' | 'book' | 'any'
export type Category = 'general' | 'ach_external' | 'wire_external' | 'instant_payment_external'

const nth = fc.nat({ max: 1000 })
/** Mostly one of the newest records, which can still change. */
const recent = fc.oneof({ weight: 3, arbitrary: fc.nat({ max: 3 }) }, { weight: 2, arbitrary: nth })
const repeat = <T>(times: number, value: T): T[] => Array<T>(times).fill(value)
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

/** Endings of account numbers: ordinary ones, one for each trigger, and some that only resemble a trigger. */
const ending = fc.constantFrom('10', '10', '9902', '9901', '9910', '9999', '9804', '9899', '9301', '9500', '9999')

const weighted = (weight: number, arbitrary: fc.Arbitrary<Operation>) => ({ weight, arbitrary })
const generate = <D extends Operation['do']>(
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
      early_ms: fc.constantFrom(0, 0, 1, 1_000, 2_000, 3_000),
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
  weighted(
    30,
    generate('pay', {
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
      customerIndex: nth,
      from: nth,
      to: nth,
      amount,
      isSameDay: rarely(3),
      prenote: rarely(12),
      daysAhead: fc.oneof(
        { weight: 9, arbitrary: fc.constant(0) },
        { weight: 2, arbitrary: fc.constantFrom(-1, 1, 3, 30, 31) },
      ),
      sec_code: fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom('CCD', 'PPD', 'WEB') },
        { weight: 1, arbitrary: fc.constantFrom('TEL', 'CIE') },
      ),
      again,
      isAcrossPools: rarely(25),
    }),
  ),
  weighted(6, generate('cancel', { index: recent })),
  weighted(
    14,
    generate('receive', {
      type: fc.constantFrom('ach', 'ach', 'wire', 'wire', 'instant_payment'),
      customerIndex: nth,
      amount,
      isDebit: rarely(4),
      to: fc.constantFrom('nothing', 'account', 'vrn', 'vrn', 'vrn'),
      index: nth,
    }),
  ),
  weighted(4, generate('receive return', { index: recent })),
  weighted(
    6,
    generate('authorize', {
      index: recent,
      approve: fc.boolean(),
      reason: fc.constantFrom(...DeniedReason.options),
      isAny: rarely(6),
    }),
  ),
  weighted(8, generate('return', { index: recent, code: nth, isFitting: rarely(6).map((no) => !no), again })),
  weighted(
    4,
    generate('create combined transfer', {
      customerIndex: nth,
      from: nth,
      isOutgoing: fc.boolean(),
      isKnown: rarely(3),
      ending,
      amount,
    }),
  ),
  weighted(
    3,
    generate('create VRN', {
      customerIndex: nth,
      index: nth,
      name: fc.constantFrom('Shop', 'Invoices', 'fail', 'instant payment fail'),
      isSynchronous: fc.boolean(),
    }),
  ),
  weighted(
    5,
    generate('change VRN', {
      change: fc.constantFrom('lock', 'lock', 'unlock', 'unlock', 'archive', 'rename'),
      index: nth,
    }),
  ),
  weighted(
    5,
    generate('open account', {
      customerIndex: nth,
      category: fc.constantFrom('general', 'ach_external', 'ach_external', 'wire_external', 'instant_payment_external'),
      name: fc.constantFrom('Mill', 'Mill', 'Mill', 'fail'),
      ending,
    }),
  ),
  weighted(4, generate('close account', { customerIndex: nth, index: nth })),
  weighted(1, generate('rename account', { customerIndex: nth, index: nth })),
  weighted(
    2,
    generate('create customer', {
      type: fc.constantFrom('primary', 'primary', 'sole_proprietor'),
      last_name: lastName,
      dob: fc.oneof(
        { weight: 8, arbitrary: fc.constant('1990-04-17') },
        { weight: 1, arbitrary: fc.constant('2015-01-01') },
      ),
      ssn: fc.nat({ max: 3 }),
    }),
  ),
  weighted(1, generate('onboard', { customerIndex: nth, product: nth })),
  weighted(2, generate('update customer', { customerIndex: nth, last_name: lastName })),
  weighted(3, generate('archive customer', { customerIndex: nth, to: fc.option(nth), again: fc.boolean() })),
  weighted(
    18,
    generate('decide', {
      collection: fc.constantFrom(
        ...repeat(6, 'transactions' as const),
        ...repeat(3, 'customers' as const),
        'virtual_reference_numbers' as const,
      ),
      index: recent,
      move: nth,
      input: nth,
      isPossible: rarely(8).map((no) => !no),
    }),
  ),
  weighted(30, generate('advance', { by: advance })),
  weighted(2, generate('set pace', { pace: fc.constantFrom('fast', 'real') })),
  weighted(3, generate('change settings', { settings })),
)

export interface Setup {
  readonly start: string
  readonly pace: 'fast' | 'real'
}

/** An ordinary day, and instants at the edges of the banking calendar. */
export const setup: fc.Arbitrary<Setup> = fc.record({
  start: fc.constantFrom(
    ...['2026-08-14T14:00:00.000Z', '2026-08-14T20:59:50.000Z', '2026-08-14T23:59:50.000Z', '2026-08-15T14:00:00.000Z'],
    ...['2026-11-25T21:59:00.000Z', '2026-11-01T05:30:00.000Z', '2027-03-14T06:59:50.000Z', '2026-12-31T23:00:00.000Z'],
  ),
  pace: fc.constantFrom('fast', 'real'),
})

export interface History {
  readonly setup: Setup
  readonly operations: readonly Operation[]
}

/** Removes operations while the history still fails, until none can be removed. */
export async function shrinkHistory(history: History, fails: (smaller: History) => Promise<boolean>): Promise<History> {
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
  fc.record({ setup, operations: fc.array(operation, { minLength: length, maxLength: length }) })
