import { describe, expect, it } from 'vitest'
import { achReturnCodes, instantPaymentRejections } from '../../src/api/contract/network-codes.ts'
import type { CustodialAccount } from '../../src/api/contract/resources/custodial-accounts.ts'
import type { SyntheticAccount } from '../../src/api/contract/resources/synthetic-accounts.ts'
import type {
  CustodialLineItem,
  SyntheticLineItem,
  Transaction,
  TransactionEvent,
} from '../../src/api/contract/resources/transactions.ts'
import type { Transfer } from '../../src/api/contract/resources/transfers.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import { currentWorld, forkWorld } from '../../src/api/store/copies.ts'
import { ACH, type Category, STRUCTURED, setUpPayments } from '../support/payments.ts'
import { table } from '../support/table.ts'
import { putRecord } from '../support/world.ts'

/**
 * Payments step by step: each rail × direction × outcome at both paces, on a business day, over a weekend and over a
 * holiday; then the lists of Transactions, Transaction Events and line items.
 */

type Setup = Awaited<ReturnType<typeof setUpPayments>>
type Customer = Awaited<ReturnType<Setup['customer']>>
type Pace = 'fast' | 'real'
type Body = Record<string, unknown>

// ── Instants ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Instants are of 2026 and UTC: New York is four hours behind in August, five in November. */
const utc = (text: string) => `2026-${text.replace(' ', 'T')}.000Z`
const later = (instant: string, ms: number) => new Date(Date.parse(instant) + ms).toISOString()

/** When the payment is created, and the day then in New York. */
const WHENS: Readonly<Record<string, readonly [made: string, today: string]>> = {
  'on a Tuesday at 10:00': ['08-18 14:00:00', '2026-08-18'],
  'on a Friday at 20:30': ['08-15 00:30:00', '2026-08-14'],
  'on Thanksgiving at noon': ['11-26 17:00:00', '2026-11-26'],
  'two days before Thanksgiving': ['11-24 15:00:00', '2026-11-24'],
}
/** The days of the pace fast, where instants are so many seconds after the payment is created. */
const OFF_HOURS = ['on a Friday at 20:30', 'on Thanksgiving at noon']
type Instants = Readonly<Record<string, string>>

/** Expected instants by rail, pace and day. `back`: the other bank sends a return or a notification of change. */
const TIMES = table(`
  rail         | pace | when                         | pending        | settled        | posted         | back           | back settled   | back posted
  book         | fast | off hours                    | 1              | 1              | 1              |                |                |
  book         | real | on a Tuesday at 10:00        | 08-18 14:00:01 | 08-18 14:00:01 | 08-19 00:00:00 |                |                |
  book         | real | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:01 | 08-18 00:00:00 |                |                |
  book         | real | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:01 | 11-28 01:00:00 |                |                |
  ACH STANDARD | fast | off hours                    | 2              | 5              | 5              | 8              | 9              | 9
  ACH STANDARD | real | on a Tuesday at 10:00        | 08-18 21:00:00 | 08-19 12:30:00 | 08-20 00:00:00 | 08-20 21:00:00 | 08-21 12:30:00 | 08-22 00:00:00
  ACH STANDARD | real | on a Friday at 20:30         | 08-17 21:00:00 | 08-18 12:30:00 | 08-19 00:00:00 | 08-19 21:00:00 | 08-20 12:30:00 | 08-21 00:00:00
  ACH STANDARD | real | two days before Thanksgiving | 11-24 22:00:00 | 11-25 13:30:00 | 11-26 01:00:00 | 11-27 22:00:00 | 11-30 13:30:00 | 12-01 01:00:00
  ACH STANDARD | real | on Thanksgiving at noon      | 11-27 22:00:00 | 11-30 13:30:00 | 12-01 01:00:00 | 12-01 22:00:00 | 12-02 13:30:00 | 12-03 01:00:00
  ACH SAMEDAY  | fast | off hours                    | 1              | 3              | 3              | 6              | 7              | 7
  ACH SAMEDAY  | real | on a Tuesday at 10:00        | 08-18 18:15:00 | 08-18 21:00:00 | 08-19 00:00:00 | 08-19 21:00:00 | 08-20 12:30:00 | 08-21 00:00:00
  ACH SAMEDAY  | real | on a Friday at 20:30         | 08-17 14:00:00 | 08-17 17:00:00 | 08-18 00:00:00 | 08-18 21:00:00 | 08-19 12:30:00 | 08-20 00:00:00
  ACH SAMEDAY  | real | two days before Thanksgiving | 11-24 19:15:00 | 11-24 22:00:00 | 11-25 01:00:00 | 11-25 22:00:00 | 11-27 13:30:00 | 11-28 01:00:00
  ACH SAMEDAY  | real | on Thanksgiving at noon      | 11-27 15:00:00 | 11-27 18:00:00 | 11-28 01:00:00 | 11-30 22:00:00 | 12-01 13:30:00 | 12-02 01:00:00
  wire out     | fast | off hours                    | 1              | 2              | 2              |                |                |
  wire out     | real | on a Tuesday at 10:00        | 08-18 14:01:00 | 08-18 14:10:00 | 08-19 00:00:00 |                |                |
  wire out     | real | on a Friday at 20:30         | 08-17 13:01:00 | 08-17 13:10:00 | 08-18 00:00:00 |                |                |
  wire out     | real | on Thanksgiving at noon      | 11-27 14:01:00 | 11-27 14:10:00 | 11-28 01:00:00 |                |                |
  instant out  | fast | off hours                    | 1              | 2              | 2              |                |                |
  instant out  | real | on a Tuesday at 10:00        | 08-18 14:00:01 | 08-18 14:00:03 | 08-19 00:00:00 |                |                |
  instant out  | real | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:03 | 08-18 00:00:00 |                |                |
  instant out  | real | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:03 | 11-28 01:00:00 |                |                |
  time-out     | fast | off hours                    | 1              | 20             |                |                |                |
  time-out     | real | on a Tuesday at 10:00        | 08-18 14:00:01 | 08-18 14:00:20 |                |                |                |
  time-out     | real | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:20 |                |                |                |
  time-out     | real | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:20 |                |                |                |
  ACH in       | fast | off hours                    |                | 1              | 1              |                |                |
  ACH in       | real | on a Tuesday at 10:00        |                | 08-19 12:30:00 | 08-20 00:00:00 |                |                |
  ACH in       | real | on a Friday at 20:30         |                | 08-17 12:30:00 | 08-18 00:00:00 |                |                |
  ACH in       | real | on Thanksgiving at noon      |                | 11-27 13:30:00 | 11-28 01:00:00 |                |                |
  wire in      | fast | off hours                    |                | 1              | 1              |                |                |
  wire in      | real | on a Tuesday at 10:00        |                | 08-18 14:01:00 | 08-19 00:00:00 |                |                |
  wire in      | real | on a Friday at 20:30         |                | 08-17 01:01:00 | 08-18 00:00:00 |                |                |
  wire in      | real | on Thanksgiving at noon      |                | 11-27 02:01:00 | 11-28 01:00:00 |                |                |
  instant in   | fast | off hours                    |                | 1              | 1              |                |                |
  instant in   | real | on a Tuesday at 10:00        |                | 08-18 14:00:01 | 08-19 00:00:00 |                |                |
  instant in   | real | on a Friday at 20:30         |                | 08-15 00:30:01 | 08-18 00:00:00 |                |                |
  instant in   | real | on Thanksgiving at noon      |                | 11-26 17:00:01 | 11-28 01:00:00 |                |                |
`)

/** Payments on a VRN: `settled` if the Client approves at once, `late settled` if it does not answer for 24 hours. */
const WINDOWS = table(`
  rail         | pace | when                         | settled            | posted             | late settled   | late posted
  ACH in       | fast | off hours                    | 1.5                | 1.5                | 86401          | 86401
  ACH in       | real | on a Tuesday at 10:00        | 08-19 12:30:00     | 08-20 00:00:00     | 08-19 14:00:01 | 08-20 00:00:00
  ACH in       | real | on a Friday at 20:30         | 08-17 12:30:00     | 08-18 00:00:00     | 08-17 12:30:00 | 08-18 00:00:00
  ACH in       | real | on Thanksgiving at noon      | 11-27 13:30:00     | 11-28 01:00:00     | 11-27 17:00:01 | 11-28 01:00:00
  wire in      | fast | off hours                    | 1.5                | 1.5                | 86401          | 86401
  wire in      | real | on a Tuesday at 10:00        | 08-18 14:01:00     | 08-19 00:00:00     | 08-19 14:00:01 | 08-20 00:00:00
  wire in      | real | on a Friday at 20:30         | 08-17 01:01:00     | 08-18 00:00:00     | 08-17 01:01:00 | 08-18 00:00:00
  wire in      | real | on Thanksgiving at noon      | 11-27 02:01:00     | 11-28 01:00:00     | 11-27 17:00:01 | 11-28 01:00:00
`)

/**
 * The named instants of a rail, for each pace and day. `acted`: the Client or the operator acts; `closed`: the authorization
 * window ends.
 */
const timesOf = (rail: string, [names = [], ...rows]: string[][]) =>
  rows
    .filter(([row]) => row === rail)
    .flatMap(([, pace, days = '', ...cells]) =>
      (pace === 'fast' ? OFF_HOURS : [days]).map((when) => {
        const made = utc(WHENS[when]![0])
        const named = cells.map((cell, i) => [names[i + 3]!, cell] as const).filter(([, cell]) => cell !== '')
        const instants: Instants = {
          made,
          acted: later(made, 500),
          closed: later(made, 86_400_000),
          ...Object.fromEntries(
            named.map(([name, cell]) => [name, pace === 'fast' ? later(made, Number(cell) * 1_000) : utc(cell)]),
          ),
        }
        return { pace: pace as Pace, when, instants }
      }),
    )

// ── Expected steps ──────────────────────────────────────────────────────────────────────────────────────────────────

/**
 * A story has a line for each step: the name of its instant | status of the Transfer, or - | its Transactions with
 * direction, amount, status, settled_index, statement and codes | balance, pending and available amount of the general
 * account | the same of the dda. Indented lines list what the step adds to the books: events and line items, each with
 * its settled_index; a line item ends with its running balance.
 *
 * The general account starts with 1000.00 from a wire: settled_index 1 in each list, line items 1 and 2.
 */
const BOOK = `
  made    | queued  | book_transfer neutral 40.25 queued             | 1000.00 -40.25 959.75, 0.00 40.25 0.00 | FREE
  pending | pending | book_transfer neutral 40.25 pending            | 1000.00 -40.25 959.75, 0.00 40.25 0.00 | FREE
  settled | settled | book_transfer neutral 40.25 settled 2          | 959.75 0.00 959.75, 40.25 0.00 40.25   | FREE
    synthetic 3 master -40.25 = 959.75
    synthetic 4 other 40.25 = 40.25
  posted  | settled | book_transfer neutral 40.25 settled 2 [posted] | 959.75 0.00 959.75, 40.25 0.00 40.25   | FREE
`
const BEGINS = `
  made    | queued  | TYPE WAY AMOUNT queued             | HELD  | HELD
  pending | pending | TYPE WAY AMOUNT pending            | HELD  | HELD
`
const SENT = `${BEGINS}
  settled | settled | TYPE WAY AMOUNT settled 2          | MOVED | MOVED
    MOVES
  posted  | settled | TYPE WAY AMOUNT settled 2 [posted] | MOVED | MOVED
`
const FAILS = `${BEGINS}
  settled | failed  | TYPE WAY AMOUNT failed CODE        | FREE  | FREE
`
const CANCELED = `
  made    | queued   | TYPE WAY AMOUNT queued            | HELD  | HELD
  acted   | canceled | TYPE WAY AMOUNT canceled          | FREE  | FREE
`
const RETURNED = `${SENT}
  back         | settled | ach WAY AMOUNT settled 2 [posted] CODE, ach_return COUNTER AMOUNT pending CODE                 | COMING | COMING
  back settled | settled | ach WAY AMOUNT settled 2 [posted] CODE, ach_return COUNTER AMOUNT settled 3 CODE               | FREE   | FREE
    COMES
  back posted  | settled | ach WAY AMOUNT settled 2 [posted] CODE, ach_return COUNTER AMOUNT settled 3 [back posted] CODE | FREE   | FREE
`
const NOTICED = `${SENT}
  back    | settled | ach WAY AMOUNT settled 2 [posted] CODE | MOVED | MOVED
`
const PRENOTE = `
  made    | queued  | ach WAY 0.00 queued             | FREE | FREE
  pending | pending | ach WAY 0.00 pending            | FREE | FREE
  settled | settled | ach WAY 0.00 settled 2          | FREE | FREE
  posted  | settled | ach WAY 0.00 settled 2 [posted] | FREE | FREE
`
const RECEIVED = `
  made    | - | TYPE WAY AMOUNT pending            | HELD  | HELD
  settled | - | TYPE WAY AMOUNT settled 2          | MOVED | MOVED
    MOVES
  posted  | - | TYPE WAY AMOUNT settled 2 [posted] | MOVED | MOVED
`
const RECEIVED_FAILS = `
  made    | - | TYPE WAY AMOUNT pending            | HELD  | HELD
  acted   | - | TYPE WAY AMOUNT failed CODE        | FREE  | FREE
`
const allowed = (decided: string, settled: string, posted: string, word: string) => `
  made       | - | TYPE WAY AMOUNT authorization_pending client_approval_pending | HELD  | HELD
  ${decided} | - | TYPE WAY AMOUNT pending ${word}                               | HELD  | HELD
  ${settled} | - | TYPE WAY AMOUNT settled 2 ${word}                             | MOVED | MOVED
    MOVES
  ${posted}  | - | TYPE WAY AMOUNT settled 2 [${posted}] ${word}                 | MOVED | MOVED
`
const denied = (decided: string, word: string) => `
  made       | - | TYPE WAY AMOUNT authorization_pending client_approval_pending | HELD  | HELD
  ${decided} | - | TYPE WAY AMOUNT authorization_denied ${word}                  | FREE  | FREE
`
/** A payment on a locked VRN is denied at once: the Client is not asked for authorization. */
const LOCKED = `
  made | - | TYPE WAY AMOUNT authorization_denied auto_denied vrn_locked | FREE | FREE
`

/** What a settlement adds to the books: the money goes from the first to the second account of each book. */
const entries = (n: number, event: string, way: string, amount: string, books: string[][], left: string, got: string) =>
  [
    `event ${n} ${event} ${books[1]!.join(' > ')} ${amount} ${way}`,
    ...['synthetic', 'custodial'].flatMap((book, i) => [
      `${book} ${2 * n - 1} ${books[i]![0]} -${amount} = ${left}`,
      `${book} ${2 * n} ${books[i]![1]} ${amount} = ${got}`,
    ]),
  ].join('\n')

const OURS = [
  ['master', 'TYPE_external'],
  ['dda', 'dda_cash_external'],
]
const THEIRS = [
  ['outside', 'master'],
  ['dda_cash_received', 'dda'],
]
const turned = (books: string[][]) => books.map(([from, to]) => [to!, from!])
/** The words of the stories for each direction of the money. */
const DIRECTIONS = {
  credit: {
    ...{ WAY: 'negative', COUNTER: 'positive', AMOUNT: '40.25' },
    ...{ HELD: '1000.00 -40.25 959.75', MOVED: '959.75 0.00 959.75', COMING: '959.75 40.25 959.75' },
    MOVES: entries(2, 'odfi_ach_withdrawal', 'negative', '40.25', OURS, '959.75', '40.25'),
    COMES: entries(3, 'odfi_ach_deposit', 'positive', '40.25', turned(OURS), '0.00', '1000.00'),
  },
  debit: {
    ...{ WAY: 'positive', COUNTER: 'negative', AMOUNT: '40.25' },
    ...{ HELD: '1000.00 40.25 1000.00', MOVED: '1040.25 0.00 1040.25', COMING: '1040.25 -40.25 1000.00' },
    MOVES: entries(2, 'odfi_ach_deposit', 'positive', '40.25', turned(OURS), '-40.25', '1040.25'),
    COMES: entries(3, 'odfi_ach_withdrawal', 'negative', '40.25', OURS, '1000.00', '0.00'),
  },
  deposit: {
    ...{ WAY: 'positive', AMOUNT: '40.25', HELD: '1000.00 40.25 1000.00', MOVED: '1040.25 0.00 1040.25' },
    MOVES: entries(2, 'rdfi_ach_deposit', 'positive', '40.25', THEIRS, '-1040.25', '1040.25'),
  },
  /** "Received debits: never refused for lack of funds: the balance may fall below zero." */
  withdrawal: {
    ...{ WAY: 'negative', AMOUNT: '1200.50', HELD: '1000.00 -1200.50 -200.50', MOVED: '-200.50 0.00 -200.50' },
    MOVES: entries(2, 'rdfi_ach_withdrawal', 'negative', '1200.50', turned(THEIRS), '-200.50', '200.50'),
  },
}
type Direction = keyof typeof DIRECTIONS

// ── Create payments ─────────────────────────────────────────────────────────────────────────────────────────────────

/** The setup of one test case. */
interface World {
  readonly setup: Setup
  readonly olive: Customer
  readonly when: string
  readonly other: string
}
/** The Transfer, or the Transaction of a payment received from another bank. */
type Payment = { readonly transfer: string } | { readonly transaction: string }
type CreatePayment = (world: World, more: Body) => Promise<Payment>

const createBookTransfer: CreatePayment = async ({ setup, olive, other }) => ({
  transfer: (await setup.pay(olive, olive.master, other, '40.25')).uid,
})
const createAch =
  (way: 'credit' | 'debit', service_processing: string): CreatePayment =>
  async ({ setup, olive, when }, { amount = '40.25', entry = {}, ...party }) => {
    const external = await setup.account(olive, 'ach_external', party)
    const [from, to] = way === 'credit' ? [olive.master, external] : [external, olive.master]
    const ach = { ...ACH, service_processing, effective_entry_date: WHENS[when]![1], ...(entry as Body) }
    return { transfer: (await setup.pay(olive, from, to, amount, { ach })).uid }
  }
const createOutgoing =
  (category: 'wire_external' | 'instant_payment_external'): CreatePayment =>
  async ({ setup, olive }, party) => {
    const external = await setup.account(olive, category, party)
    return { transfer: (await setup.pay(olive, olive.master, external, '40.25')).uid }
  }
const createIncoming =
  (transaction_type: string, us_dollar_amount: number): CreatePayment =>
  async ({ setup, olive }, { vrn, ...more }) => {
    const on = vrn ? { virtual_reference_number_uid: await openVrn(setup, olive, vrn === 'locked') } : {}
    const body = { transaction_type, us_dollar_amount, customer_uid: olive.uid, ...on, ...more }
    return { transaction: await setup.mock(body) }
  }

async function openVrn({ api }: Setup, { master }: Customer, locked: boolean): Promise<string> {
  const body = { synthetic_account_uid: master, routing_number: '110000000', synchronous_registration: true }
  const { uid } = (await api.post('/virtual_reference_numbers', body)).body
  if (locked) {
    const json = { lock_reason: 'customer_request' }
    expect(await api.call('PUT', `/virtual_reference_numbers/${uid}/lock`, { json })).toMatchObject({ status: 200 })
  }
  return String(uid)
}

type Action = (world: World, payment: Payment) => Promise<unknown>

const put = async ({ setup }: World, path: string, json: object) =>
  expect(await setup.api.call('PUT', path, { json })).toMatchObject({ status: 200 })
const cancel: Action = (world, payment) =>
  put(world, `/transfers/${(payment as { transfer: string }).transfer}/cancel`, {})
const failWith =
  (inputs?: object): Action =>
  ({ setup }, payment) =>
    setup.move('transactions', (payment as { transaction: string }).transaction, 'fail', inputs)
const sendDecision =
  (json: object): Action =>
  (world, payment) =>
    put(world, `/transactions/${(payment as { transaction: string }).transaction}/authorize`, json)

const APPROVE = sendDecision({ authorization_status: 'client_approved' })
const DENY = sendDecision({ authorization_status: 'client_denied', denied_reason: 'unauthorized_credit' })

interface Row {
  readonly rail: string
  readonly what: string
  readonly story: string
  readonly create: CreatePayment
  readonly more?: Body | undefined
  readonly action?: Action | undefined
  readonly program?: Body
  readonly times?: string[][]
}
type Case = readonly [what: string, story: string, code?: string | undefined, more?: Body, action?: Action]

/** The rows of one rail and direction, with the words of their stories. */
const rowsOf = (rail: string, TYPE: string, direction: Direction, create: CreatePayment, cases: readonly Case[]) =>
  cases.map(([what, story, CODE = '', more, action]): Row => {
    const words = { ...DIRECTIONS[direction], TYPE, CODE, FREE: '1000.00 0.00 1000.00' }
    const told = Object.entries(words).reduce((text, [word, value]) => text.replaceAll(word, value), story)
    return { rail, what, story: told, create, more, action }
  })

const FAILING = {
  credit: { name: 'failing one' },
  debit: { ach: { account_type: 'checking', counterparty_name: 'FAIL Freight Co' } },
}
const achRows = (rail: 'ACH STANDARD' | 'ACH SAMEDAY', returned: { credit: string; debit: string }): Row[] =>
  (['credit', 'debit'] as const).flatMap((way) => {
    const code = returned[way]
    const number = { account_number: `7700${code.replace('R', '99')}` }
    return rowsOf(rail, 'ach', way, createAch(way, rail.slice(4)), [
      [`out, ${way}, settled`, SENT],
      [`out, ${way}, failed`, FAILS, '', FAILING[way]],
      [`out, ${way}, canceled`, CANCELED, '', {}, cancel],
      [`out, ${way}, returned with ${code}`, RETURNED, `${code} ${achReturnCodes[code]!.reason}`, number],
      [
        `out, ${way}, notified of change`,
        ...([NOTICED, 'C04 Bank account name change NORTHERN MILL CO', { account_number: '77009804' }] as const),
      ],
      [`out, ${way}, prenote`, PRENOTE, '', { amount: '0.00', entry: { prenote: true } }],
    ])
  })

const INCOMING = [
  ['credit', 'deposit', 40.25],
  ['debit', 'withdrawal', -1200.5],
] as const
const incomingRows = (rail: string, type: string): Row[] =>
  INCOMING.flatMap(([way, direction, amount]) => {
    const [code, reason] = type === 'instant_payment' ? ['ERR102', 'Account number invalid or closed'] : []
    const locked: Case = ['credit, on a locked VRN', LOCKED, '', { vrn: 'locked' }]
    return rowsOf(rail, type, direction, createIncoming(type, amount), [
      [`${way}, settled`, RECEIVED],
      [`${way}, failed`, RECEIVED_FAILS, code && `${code} ${reason}`, {}, failWith(code ? { code } : {})],
      ...(way === 'credit' ? [locked] : []),
    ])
  })

/** Payments on a VRN that need the Client's authorization: ACH, and wire credits. */
const authorizationRows = (rail: string, type: string): Row[] =>
  INCOMING.slice(0, type === 'wire' ? 1 : 2).flatMap(([way, direction, amount]) => {
    const word = 'client_unanswered_auto_'
    const on = { vrn: 'open' }
    const rows = rowsOf(rail, type, direction, createIncoming(type, amount), [
      [`${way}, approved`, allowed('acted', 'settled', 'posted', 'client_approved'), '', on, APPROVE],
      [
        `${way}, unanswered, auto-approved`,
        ...([allowed('closed', 'late settled', 'late posted', `${word}approved`), '', on] as const),
      ],
      [`${way}, denied`, denied('acted', 'client_denied unauthorized_credit'), '', on, DENY],
      [`${way}, unanswered, auto-denied`, denied('closed', `${word}denied`), '', on],
      ...(way === 'debit' ? [[`${way}, on a locked VRN`, LOCKED, '', { vrn: 'locked' }] as const] : []),
    ])
    return rows.map((row) => ({
      ...row,
      times: WINDOWS,
      ...(row.what.endsWith('auto-denied') && { program: { unanswered_authorization: 'deny' } }),
    }))
  })

const instantOut = createOutgoing('instant_payment_external')
const ROWS: readonly Row[] = [
  ...rowsOf('book', 'book', 'credit', createBookTransfer, [['settled', BOOK]]),
  ...achRows('ACH STANDARD', { credit: 'R03', debit: 'R01' }),
  ...achRows('ACH SAMEDAY', { credit: 'R03', debit: 'R10' }),
  ...rowsOf('wire out', 'wire', 'credit', createOutgoing('wire_external'), [
    ['settled', SENT],
    ['failed', FAILS, '', { wire: { counterparty_name: 'Failing Leasing Inc' } }],
    ['canceled', CANCELED, '', {}, cancel],
  ]),
  ...rowsOf('instant out', 'instant_payment', 'credit', instantOut, [
    ['settled', SENT],
    [
      ...(['failed, by name', FAILS, 'ERR302 Payment not accepted'] as const),
      { instant_payment: { counterparty_name: 'fail Okafor', counterparty_address: STRUCTURED } },
    ],
    ['rejected, by number', FAILS, 'ERR102 Account number invalid or closed', { account_number: '770009102' }],
  ]),
  ...rowsOf('time-out', 'instant_payment', 'credit', instantOut, [
    ['instant out', FAILS, 'ERR500 Timed out', { account_number: '770009500' }],
  ]),
  ...incomingRows('ACH in', 'ach'),
  ...incomingRows('wire in', 'wire'),
  ...incomingRows('instant in', 'instant_payment'),
  ...authorizationRows('ACH in', 'ach'),
  ...authorizationRows('wire in', 'wire'),
]

// ── Read and compare ────────────────────────────────────────────────────────────────────────────────────────────────

interface Step {
  readonly at: string
  readonly head: string
  readonly books: readonly string[]
}

const ENTRY = /^(event|synthetic|custodial) /

/** The steps of a story. Steps at the same instant are merged: the later one gives the expected state. */
function steps(story: string, instants: Instants): Step[] {
  const read: { at: string; head: string; books: string[] }[] = []
  for (const [first = '', ...cells] of table(story.replace(/\n\s*\n/g, '\n'))) {
    const last = read.at(-1)
    if (ENTRY.test(first)) {
      last!.books.push(first)
      continue
    }
    const instant = (name: string) => {
      if (!instants[name]) throw new Error(`The tables have no instant ${name}`)
      return instants[name]
    }
    const named = cells.map((cell) => cell.replace(/\[(.*?)\]/g, (_, name: string) => `posted ${instant(name)}`))
    const step = { at: instant(first), head: named.map((cell) => cell.replace(/\s+$/, '')).join(' | '), books: [] }
    if (last?.at === step.at) last.head = step.head
    else read.push(step)
  }
  return read
}

function nameOf({ synthetic_account_category: category, liability, master_account }: SyntheticAccount): string {
  if (category !== 'general') return category
  return liability ? (master_account ? 'master' : 'other') : 'outside'
}

const formatBalances = (account: SyntheticAccount | CustodialAccount) =>
  `${account.net_usd_balance} ${account.net_usd_pending_balance} ${account.net_usd_available_balance}`

function describeTransaction(it: Transaction): string {
  const { ach, instant_payment, authorization: decision } = it
  const words = [
    ...[it.type, it.net_asset, it.us_dollar_amount, it.status, it.settled_index],
    it.statement_posted_at && `posted ${it.statement_posted_at}`,
    ...[ach?.ach_return_code, ach?.ach_return_reason, ach?.noc_code, ach?.noc_reason, ach?.noc_corrected_data],
    ...[instant_payment?.failure_code, instant_payment?.failure_reason],
    ...[decision?.authorization_status, decision?.denied_reason],
  ]
  return words.filter((word) => word != null).join(' ')
}

/** Reads all that a story expects, through the API or through the control API. */
async function createObserver({ setup, olive, other }: World, payment: Payment) {
  const { api, sandbox, list } = setup
  const names = new Map<string, string>()
  for (const liability of [true, false])
    for (const account of await list<SyntheticAccount>(`/synthetic_accounts?liability=${liability}`))
      names.set(account.uid, nameOf(account))
  for (const { uid, type } of await list<CustodialAccount>('/custodial_accounts')) names.set(uid, type)
  const generals = names.get(other) === 'other' ? [olive.master, other] : [olive.master]
  const [dda = ''] = [...names.keys()].filter((uid) => names.get(uid) === 'dda')
  const name = (uid: string) => names.get(uid) ?? uid

  async function ask<T>(method: string, input: object): Promise<T> {
    const reply = await sandbox.call(method, input)
    expect(reply).toMatchObject({ ok: true })
    return (reply as { value: T }).value
  }
  const listEntries = async <T>(collection: string, transaction_uid: string[]) =>
    (await ask<Page<T>>('records.list', { collection, transaction_uid, sort: 'settled_index_asc' })).data

  async function observe(through: 'API' | 'door') {
    const get = async <T>(collection: string, uid: string): Promise<T> =>
      through === 'API' ? (await api.get<T>(`/${collection}/${uid}`)).body : ask('records.get', { collection, uid })
    const transfer = 'transfer' in payment ? await get<Transfer>('transfers', payment.transfer) : null
    const uids = 'transfer' in payment ? transfer!.transaction_uids : [payment.transaction]
    const [transactions, accounts, custodian, events, synthetic, custodial] = await Promise.all([
      Promise.all(uids.map((uid) => get<Transaction>('transactions', uid))),
      Promise.all(generals.map((uid) => get<SyntheticAccount>('synthetic_accounts', uid))),
      get<CustodialAccount>('custodial_accounts', dda),
      listEntries<TransactionEvent>('transaction_events', uids),
      listEntries<SyntheticLineItem>('synthetic_line_items', uids),
      listEntries<CustodialLineItem>('custodial_line_items', uids),
    ])
    const head = [
      transfer?.status ?? '-',
      transactions.map(describeTransaction).join(', '),
      accounts.map(formatBalances).join(', '),
      formatBalances(custodian),
    ].join(' | ')
    const line = (it: SyntheticLineItem | CustodialLineItem, account: string) =>
      `${it.settled_index} ${name(account)} ${it.us_dollar_amount} = ${it.running_us_dollar_balance}`
    const books = [
      ...events.map((it) => {
        const way = `${name(it.source_custodial_account_uid)} > ${name(it.destination_custodial_account_uid)}`
        return `event ${it.settled_index} ${it.type} ${way} ${it.us_dollar_amount} ${it.net_asset}`
      }),
      ...synthetic.map((it) => `synthetic ${line(it, it.synthetic_account_uid)}`),
      ...custodial.map((it) => `custodial ${line(it, it.custodial_account_uid)}`),
    ]
    return { head, books, transfer, transactions, events, synthetic, custodial }
  }
  return observe
}
type Observation = Awaited<ReturnType<Awaited<ReturnType<typeof createObserver>>>>

/** Holds in every state: the payment, its events and its line items refer to each other and have the same instants. */
function expectLinks({ transfer, transactions, events, synthetic, custodial }: Observation, createdAt: string) {
  for (const it of transactions) {
    const own = events.filter(({ transaction_uids }) => transaction_uids.includes(it.uid))
    expect(it.transaction_event_uids).toEqual(own.map(({ uid }) => uid))
    expect(it.transfer_uid, 'transfer_uid is null if and only if the payment is received from another bank').toBe(
      transfer?.uid ?? null,
    )
    expect(it.initial_action_at).toBe(it.created_at)
    expect(it.settled_at === null).toBe(it.settled_index === null)
    for (const moved of [...own, ...synthetic, ...custodial].filter((one) =>
      'transaction_uids' in one ? true : one.transaction_uid === it.uid,
    ))
      expect([moved.created_at, moved.settled_at, moved.status]).toEqual([it.settled_at, it.settled_at, 'settled'])
    for (const event of own)
      expect(event.custodial_line_item_uids).toEqual(
        custodial.filter(({ transaction_event_uid }) => transaction_event_uid === event.uid).map(({ uid }) => uid),
      )
  }
  expect(transactions[0]?.created_at).toBe(createdAt)
}

const inOrder = (books: readonly string[]) =>
  ['event', 'synthetic', 'custodial'].flatMap((kind) => books.filter((entry) => entry.startsWith(`${kind} `)))

/** A world with a Customer and 1000.00 at this instant. It is created once and copied for each story. */
async function createStart(begins: string, pace: Pace) {
  // Onboarding takes two seconds.
  const setup = await setUpPayments({ start: Date.parse(begins) - 2_000, pace })
  const olive = await setup.customer()
  await setup.fund(olive, '1000.00')
  return { from: forkWorld(currentWorld(setup.sandbox.store)), olive }
}
const starts = new Map<string, ReturnType<typeof createStart>>()

async function checkStory(row: Row, pace: Pace, when: string, instants: Instants) {
  const expected = steps(row.story, instants)
  const { at: begins } = expected[0]!
  const key = `${begins} ${pace}`
  if (!starts.has(key)) starts.set(key, createStart(begins, pace))
  const { from, olive } = await starts.get(key)!
  const setup = await setUpPayments({ from: forkWorld(from) })
  if (row.program) await setup.configure(row.program)
  const other = row.rail === 'book' ? await setup.account(olive, 'general') : ''
  const world: World = { setup, olive, when, other }
  const payment = await row.create(world, row.more ?? {})
  const observe = await createObserver(world, payment)

  let before = { head: '', books: [] as string[] }
  for (const { at, head, books } of expected) {
    if (before.head !== '') {
      await setup.advance({ to: later(at, -1) })
      const { head, books } = await observe('door')
      expect({ head, books }, `a moment before ${at}`).toEqual(before)
      await setup.advance({ to: at })
      if (row.action && at === instants.acted) await row.action(world, payment)
    }
    const observation = await observe('API')
    before = { head, books: inOrder([...before.books, ...books]) }
    expect({ at, head: observation.head, books: observation.books }).toEqual({ at, ...before })
    expectLinks(observation, begins)
  }
  await setup.advance({ until: 'idle' })
  await setup.advance({ business_days: 2 })
  const end = await observe('door')
  expect({ head: end.head, books: end.books }, 'the state is final').toEqual(before)
  await setup.expectBalancedLedger()
}

const CASES = ROWS.flatMap((row) =>
  timesOf(row.rail, row.times ?? TIMES).map(
    ({ pace, when, instants }) =>
      [`${row.rail}, ${row.what}: ${when}, pace ${pace}`, row, pace, when, instants] as const,
  ),
)

describe('1: "A Transaction records amount, origin and destination of an asset movement", step by step', () => {
  it.each(CASES)('%s', async (_title, row, pace, when, instants) => {
    await checkStory(row, pace, when, instants)
  })
})

// ── Outcomes of test account numbers ────────────────────────────────────────────────────────────────────────────────

/** A Customer with 1000.00 on its master account, at pace fast. */
async function setUpFundedCustomer() {
  const setup = await setUpPayments()
  const olive = await setup.customer()
  await setup.fund(olive, '1000.00')
  return { ...setup, olive }
}

describe('the data of a payment decides its outcome', () => {
  it('a credit to a number that returns debits only, and the reverse, is accepted and not returned', async () => {
    const { olive, account, pay, advance, transfer } = await setUpFundedCustomer()
    const insufficient = await account(olive, 'ach_external', { account_number: '1239901' })
    const refused = await account(olive, 'ach_external', { account_number: '1239923' })
    const payments = [
      await pay(olive, olive.master, insufficient, '0.50'),
      await pay(olive, refused, olive.master, '0.50'),
    ]
    await advance({ until: 'idle' })
    for (const { uid } of payments)
      expect(await transfer(uid)).toMatchObject({ status: 'settled', transaction_uids: [expect.any(String)] })
  })

  it('an ACH entry to an account number ending in 99NN is returned with RNN, for each listed code only', async () => {
    const { olive, account, pay, advance, transfer, transaction } = await setUpFundedCustomer()
    const unlisted = ['R00', 'R13', 'R18', 'R32', 'R61', 'R99']
    const uids = new Map<string, string>()
    for (const code of [...Object.keys(achReturnCodes), ...unlisted]) {
      const external = await account(olive, 'ach_external', { account_number: `12399${code.slice(1)}` })
      const isForDebits = achReturnCodes[code]?.hits === 'debit'
      const [from, to] = isForDebits ? [external, olive.master] : [olive.master, external]
      uids.set(code, (await pay(olive, from, to, '0.50')).uid)
    }
    await advance({ until: 'idle' })
    for (const [code, uid] of uids) {
      const answers = await Promise.all((await transfer(uid)).transaction_uids.map(transaction))
      const results = answers.map(({ type, status, ach }) => [
        type,
        status,
        ach?.ach_return_code,
        ach?.ach_return_reason,
      ])
      const reason = achReturnCodes[code]?.reason
      expect([code, results]).toEqual([
        code,
        reason === undefined
          ? [['ach', 'settled', null, null]]
          : [
              ['ach', 'settled', code, reason],
              ['ach_return', 'settled', code, reason],
            ],
      ])
    }
  })

  it('an instant payment to an account number ending in 9NNN is rejected with ERRNNN, for each listed code only', async () => {
    const { olive, account, pay, advance, transaction } = await setUpFundedCustomer()
    const codes = Object.keys(instantPaymentRejections).filter((code) => code.length === 'ERR100'.length)
    const unknown = ['ERR000', 'ERR199', 'ERR108']
    const uids = new Map<string, string>()
    for (const code of [...codes, ...unknown]) {
      const number = { account_number: `1239${code.slice(3)}` }
      const external = await account(olive, 'instant_payment_external', number)
      uids.set(code, (await pay(olive, olive.master, external, '1.00')).transaction_uids[0]!)
    }
    await advance({ until: 'idle' })
    for (const [code, uid] of uids) {
      const { status, instant_payment: { failure_code, failure_reason } = {} } = await transaction(uid)
      const result = [status, failure_code, failure_reason]
      const reason = instantPaymentRejections[code]
      expect(result).toEqual(reason === undefined ? ['settled', null, null] : ['failed', code, reason])
    }
  })

  // Positions in the corrected data as published: account 1-17, routing 1-9, transaction code of two digits.
  it.each<[string, string, string | undefined, string | undefined]>([
    ['C01', 'Incorrect account number', '1230801', '1230801'],
    ['C02', 'Incorrect routing number', '021098020', '021098020'],
    ['C03', 'Incorrect routing number and account number', '021098033   1230803', '021098033   1230803'],
    ['C04', 'Bank account name change', 'NORTHERN MILL CO', 'NORTHERN MILL CO'],
    ['C05', 'Incorrect transaction code', '32', '37'],
    [
      ...(['C06', 'Incorrect account number and transaction code'] as const),
      ...(['1230806             32', '1230806             37'] as const),
    ],
    [
      ...(['C07', 'Incorrect routing number, account number and transaction code'] as const),
      ...(['0210980751230807          32', '0210980751230807          37'] as const),
    ],
    ['C09', 'Incorrect individual identification number', '09', '09'],
    ['C13', 'Addenda format error', undefined, undefined],
  ])(
    'an ACH entry to an account number ending in 98NN gets a notification of change %s, "%s", and moves no money',
    async (...row) => {
      const [code, reason, ofCredit, ofDebit] = row
      const { olive, account, pay, advance, transaction, transfer, balances } = await setUpFundedCustomer()
      const external = await account(olive, 'ach_external', { account_number: `12398${code.slice(1)}` })
      const entry = { ach: { ...ACH, addenda: 'Invoice 7' } }
      const credit = await pay(olive, olive.master, external, '10.00', entry)
      const debit = await pay(olive, external, olive.master, '10.00', entry)
      await advance({ until: 'idle' })
      for (const [payment, corrected] of [
        [credit, ofCredit],
        [debit, ofDebit],
      ] as const) {
        const { ach, status } = await transaction(payment.transaction_uids[0]!)
        expect(status).toBe('settled')
        expect([ach?.noc_code, ach?.noc_reason, ach?.noc_corrected_data]).toEqual([code, reason, corrected ?? null])
        expect((await transfer(payment.uid)).transaction_uids).toHaveLength(1)
      }
      expect(await balances(olive.master)).toEqual({ balance: '1000.00', pending: '0.00', available: '1000.00' })
    },
  )
})

// ── The books ───────────────────────────────────────────────────────────────────────────────────────────────────────

describe('id and settled_index', () => {
  /** Four payments that settle in another order than they are created. */
  async function createFourPayments() {
    const setup = await setUpFundedCustomer()
    const { olive, account, pay, mock, advance } = setup
    const ach = await pay(olive, olive.master, await account(olive, 'ach_external'), '1.00')
    const wire = await pay(olive, olive.master, await account(olive, 'wire_external'), '2.00')
    const createBookTransfer = await pay(olive, olive.master, await account(olive, 'general'), '3.00')
    const instant = await mock({ transaction_type: 'instant_payment', customer_uid: olive.uid, us_dollar_amount: 4 })
    const uids = [ach, wire, createBookTransfer].map(({ transaction_uids: [uid] }) => uid!)
    const names = new Map([...uids, instant].map((uid, i) => [uid, ['ach', 'wire', 'book', 'instant'][i]!]))
    const order = async (sort: string) =>
      (await setup.list<Transaction>(`/transactions?id_after=1&sort=${sort}`)).map((it) => [
        names.get(it.uid),
        it.id,
        it.settled_index,
      ])
    return { ...setup, advance, names, order }
  }

  it('`id` counts in the order of creation, settled_index in that of settlement: at the same instant, of creation', async () => {
    const { order, advance } = await createFourPayments()
    const unsettled = await order('id_asc')
    expect(unsettled).toEqual(['ach', 'wire', 'book', 'instant'].map((name, i) => [name, i + 2, null]))
    await advance({ until: 'idle' })
    // They settle after one, one, two and five seconds.
    const settled = [['book', 4] as const, ['instant', 5], ['wire', 3], ['ach', 2]]
    expect(await order('settled_index_asc')).toEqual(settled.map(([name, id], i) => [name, id, i + 2]))
  })

  it('events and line items have their own settled_index per list; a book transfer has no event', async () => {
    const { advance, list, names } = await createFourPayments()
    await advance({ until: 'idle' })
    const count = async (path: string) =>
      (await list<CustodialLineItem & TransactionEvent>(`/${path}?sort=settled_index_asc`))
        .map((it) => [names.get(it.transaction_uid ?? it.transaction_uids[0]), it.settled_index])
        .filter(([name]) => name !== undefined)
    const from = (first: number, ...names: string[]) => names.map((name, i) => [name, first + i])
    const all = ['instant', 'instant', 'wire', 'wire', 'ach', 'ach']
    expect(await count('transaction_events')).toEqual(from(2, 'instant', 'wire', 'ach'))
    expect(await count('synthetic_line_items')).toEqual(from(3, 'book', 'book', ...all))
    expect(await count('custodial_line_items')).toEqual(from(3, ...all))
  })
})

describe('descriptions and accounts of a payment', () => {
  const PRIMARY = 'Primary Synthetic Account'

  it.each([
    ['sent', PRIMARY, 'The Mill', 'Withdrawal'],
    ['taken', 'The Mill', PRIMARY, 'Deposit'],
    ['received, with a description', 'Outside bank', PRIMARY, 'Deposit'],
  ])('%s: descriptions of the Transaction, its event, its line items', async (what, from, to, moved) => {
    const { olive, account, pay, mock, advance, transaction, list } = await setUpFundedCustomer()
    const mill = await account(olive, 'ach_external', { name: 'The Mill' })
    const incoming = { transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 5 }
    const [one, other] = what === 'taken' ? [mill, olive.master] : [olive.master, mill]
    const uid = what.startsWith('received')
      ? await mock({ ...incoming, description: 'Eight letters' })
      : (await pay(olive, one, other, '5.00')).transaction_uids[0]!
    await advance({ until: 'idle' })
    const descriptions = [(await transaction(uid)).description]
    for (const path of ['transaction_events', 'synthetic_line_items', 'custodial_line_items']) {
      const found = await list<TransactionEvent>(`/${path}?transaction_uid=${uid}&sort=settled_index_asc`)
      descriptions.push(...found.map(({ description }) => description))
    }
    const transfer = `Transfer from "${from}" to "${to}"`
    expect(descriptions).toEqual([
      ...[what.startsWith('received') ? 'Eight letters' : transfer, transfer],
      ...[`Debit to "${to}"`, `Credit from "${from}"`, `${moved} to "${to}"`, `${moved} from "${from}"`],
    ])
  })

  it('custodial_account_uids holds the dda and the cash account of the direction; it is empty for a book transfer', async () => {
    const { olive, account, pay, mock, list, transaction } = await setUpFundedCustomer()
    const type = new Map((await list<CustodialAccount>('/custodial_accounts')).map((it) => [it.uid, it.type] as const))
    const ach = await account(olive, 'ach_external')
    const createIncoming = { transaction_type: 'ach', customer_uid: olive.uid }
    const uids = {
      credit: (await pay(olive, olive.master, ach, '1.00')).transaction_uids[0]!,
      debit: (await pay(olive, ach, olive.master, '1.00')).transaction_uids[0]!,
      book: (await pay(olive, olive.master, await account(olive, 'general'), '1.00')).transaction_uids[0]!,
      deposit: await mock({ ...createIncoming, us_dollar_amount: 1 }),
      withdrawal: await mock({ ...createIncoming, us_dollar_amount: -1 }),
    }
    const types: Record<string, unknown> = {}
    for (const [name, uid] of Object.entries(uids)) {
      const { custodial_account_uids } = await transaction(uid)
      types[name] = custodial_account_uids.map((one) => type.get(one)).sort()
    }
    expect(types).toEqual({
      credit: ['dda', 'dda_cash_external'],
      debit: ['dda', 'dda_cash_external'],
      book: [],
      deposit: ['dda', 'dda_cash_received'],
      withdrawal: ['dda', 'dda_cash_received'],
    })
  })

  it('a line item names its custodial account, and its quantities are in dollars', async () => {
    const { olive, account, pay, advance, list } = await setUpFundedCustomer()
    const ach = await account(olive, 'ach_external', { name: 'Mill' })
    const { transaction_uids } = await pay(olive, olive.master, ach, '40.25')
    await advance({ until: 'idle' })
    const custodial = new Map(
      (await list<CustodialAccount>('/custodial_accounts')).map((it) => [it.type, it.uid] as const),
    )
    const [credit, debit] = await list<SyntheticLineItem>(
      `/synthetic_line_items?transaction_uid=${transaction_uids[0]}`,
    )
    expect(debit).toEqual({
      uid: debit!.uid,
      settled_index: 3,
      transaction_uid: transaction_uids[0],
      synthetic_account_uid: olive.master,
      status: 'settled',
      us_dollar_amount: '-40.25',
      running_us_dollar_balance: '959.75',
      running_asset_balance: '959.75',
      asset_quantity: '-40.25',
      asset_type: 'USD',
      closing_price: '1.00',
      description: 'Debit to "Mill"',
      custodial_account_uid: custodial.get('dda'),
      custodial_account_name: 'Commercial DDA',
      created_at: '2026-08-14T14:00:07.000Z',
      settled_at: '2026-08-14T14:00:07.000Z',
    })
    expect(credit).toMatchObject({
      synthetic_account_uid: ach,
      custodial_account_uid: custodial.get('dda_cash_external'),
    })
    const lines = await list<CustodialLineItem>(`/custodial_line_items?transaction_uid=${transaction_uids[0]}`)
    const [event] = await list<TransactionEvent>(`/transaction_events?transaction_uid=${transaction_uids[0]}`)
    expect(lines.map((it) => [it.custodial_account_uid, it.asset_quantity, it.running_asset_balance])).toEqual([
      [custodial.get('dda_cash_external'), '40.25', '40.25'],
      [custodial.get('dda'), '-40.25', '959.75'],
    ])
    for (const line of lines)
      expect(line).toMatchObject({
        transaction_event_uid: event!.uid,
        status: 'settled',
        asset_type: 'USD',
        closing_price: '1.00',
        type: 'odfi_ach_withdrawal',
        occurred_at: event!.settled_at,
      })
    expect(event!.custodial_line_item_uids).toEqual(lines.map(({ uid }) => uid).reverse())
  })
})

// ── Lists ───────────────────────────────────────────────────────────────────────────────────────────────────────────

// Filters and orders of fields are tested in lists.test.ts.
describe('GET /transactions', () => {
  it('search_description: "exact match, or with * at its ends", case ignored', async () => {
    const { olive, mock, list } = await setUpFundedCustomer()
    for (const description of ['Salary of August', 'Lost in the post'])
      await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 1, description })
    for (const [text, expected] of table(`
      Salary of August | Salary of August
      salary OF august | Salary of August
      Salary           |
      Salary*          | Salary of August
      *AUGUST          | Salary of August
      *in the*         | Lost in the post
      *o*              | Lost in the post, Salary of August
      Sal*ust          |
    `)) {
      const listed = await list<Transaction>(`/transactions?type=ach&search_description=${text}`)
      expect([text, listed.map(({ description }) => description).join(', ')]).toEqual([text, expected])
    }
  })

  it('in the order of their descriptions', async () => {
    const { olive, mock, list } = await setUpFundedCustomer()
    for (const description of ['beta beta', 'Gamma Gamma', 'Alpha Alpha'])
      await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 1, description })
    const sorted = async (order: string) =>
      (await list<Transaction>(`/transactions?type=ach&sort=description_${order}`)).map((one) => one.description)
    expect(await sorted('asc')).toEqual(['Alpha Alpha', 'beta beta', 'Gamma Gamma'])
    expect(await sorted('desc')).toEqual(['Gamma Gamma', 'beta beta', 'Alpha Alpha'])
  })

  it.each([
    ['denied', 'show_denied_auths'],
    ['expired', 'show_expired'],
  ] as const)('a Transaction with status %s is listed only with %s=true', async (status, parameter) => {
    const { api, olive, sandbox, account, pay } = await setUpFundedCustomer()
    const { transaction_uids } = await pay(olive, olive.master, await account(olive, 'ach_external'), '1.00')
    const [uid] = transaction_uids
    // No request leads to this status: only card payments have it, and the sandbox has no cards.
    putRecord(sandbox, 'transactions', uid!, { status })
    const found = async (query: string) =>
      (await api.get<Page<Transaction>>(`/transactions?type=ach&${query}`)).body.data.map((it) => it.uid)
    expect(await found('')).toEqual([])
    expect(await found(`status=${status}`)).toEqual([])
    expect(await found(`${parameter}=true`)).toEqual([uid])
    expect(await found(`${parameter}=true&status=${status}`)).toEqual([uid])
    expect(await found(`${parameter}=false`)).toEqual([])
    const other = parameter === 'show_expired' ? 'show_denied_auths' : 'show_expired'
    expect(await found(`${other}=true`)).toEqual([])
  })
})

describe('3.11: "List view omits" what only get one shows', () => {
  const lines = { line1: '1 Main St', line2: null, line3: null, country: 'US' }
  const noted = { addenda: 'Invoice 7', noc_corrected_data: 'NORTHERN MILL CO' }
  const wired = { counterparty_address: lines, wire_instructions: 'Ring twice' }
  const atOnce = { memo: 'For tea', counterparty_address: STRUCTURED }
  type Told = readonly [
    rail: 'ach' | 'wire' | 'instant_payment',
    only: Body,
    category?: Category,
    party?: Body,
    more?: Body,
  ]

  it.each<[string, ...Told]>([
    [
      ...([
        'an ACH: addenda and corrected data',
        'ach',
        noted,
        'ach_external',
        { account_number: '77009804' },
      ] as const),
      { ach: { ...ACH, addenda: 'Invoice 7' } },
    ],
    [
      ...(['a wire out: address and instructions', 'wire', wired, 'wire_external'] as const),
      { wire: { counterparty_name: 'Harbor Leasing Inc', counterparty_address: lines } },
      { wire: { wire_instructions: 'Ring twice' } },
    ],
    ['a wire in: address and instructions', 'wire', wired],
    [
      ...(['an instant payment out: memo, purpose and address', 'instant_payment'] as const),
      { ...atOnce, purpose_of_payment: '' },
      ...(['instant_payment_external', {}, { instant_payment: { memo: 'For tea' } }] as const),
    ],
    ['an instant payment in: memo and address', 'instant_payment', atOnce],
  ])('%s', async (_what, rail, only, category, party, more) => {
    const { olive, account, pay, mock, advance, transaction, list } = await setUpFundedCustomer()
    const uid = category
      ? (await pay(olive, olive.master, await account(olive, category, party), '1.00', more)).transaction_uids[0]!
      : await mock({ transaction_type: rail, customer_uid: olive.uid, us_dollar_amount: 1, ...only })
    await advance({ until: 'idle' })
    const one = await transaction(uid)
    expect(one[rail]).toMatchObject(only)
    const listed = (await list<Transaction>('/transactions')).find((it) => it.uid === uid)!
    const facts = Object.entries(one[rail]!).filter(([name]) => !Object.hasOwn(only, name))
    expect(listed).toEqual({ ...one, [rail]: Object.fromEntries(facts) })
  })

  it('a Transaction has only the object of its own rail', async () => {
    const { olive, account, pay, transaction } = await setUpFundedCustomer()
    for (const category of ['general', 'ach_external', 'wire_external', 'instant_payment_external'] as const) {
      const { transaction_uids } = await pay(olive, olive.master, await account(olive, category), '1.00')
      const one = await transaction(transaction_uids[0]!)
      const objects = ['ach', 'wire', 'instant_payment', 'authorization'].filter((key) => key in one)
      expect(objects).toEqual(category === 'general' ? [] : [category.replace('_external', '')])
    }
  })
})
