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
import { ACH, STRUCTURED, setUpPayments } from '../support/payments.ts'
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
const utc = (text: string) => `2026-${text.replace(' ', 'T')}${text.includes('.') ? '' : '.000'}Z`

/** `made`: the payment is created; `acted`: the Client or the operator acts; `closed`: the authorization window ends. */
const WHENS: Readonly<Record<string, Readonly<Record<'made' | 'acted' | 'closed' | 'today', string>>>> = {
  'on a Tuesday at 10:00': {
    made: '08-18 14:00:00',
    acted: '08-18 14:00:00.500',
    closed: '08-19 14:00:00',
    today: '2026-08-18',
  },
  'on a Friday at 20:30': {
    made: '08-15 00:30:00',
    acted: '08-15 00:30:00.500',
    closed: '08-16 00:30:00',
    today: '2026-08-14',
  },
  'on Thanksgiving at noon': {
    made: '11-26 17:00:00',
    acted: '11-26 17:00:00.500',
    closed: '11-27 17:00:00',
    today: '2026-11-26',
  },
  'two days before Thanksgiving': {
    made: '11-24 15:00:00',
    acted: '11-24 15:00:00.500',
    closed: '11-25 15:00:00',
    today: '2026-11-24',
  },
}
type Instants = Readonly<Record<string, string>>

/** Expected instants by rail, pace and day. `back`: the other bank sends a return or a notification of change. */
const TIMES = table(`
  rail         | pace | when                         | pending        | settled        | posted         | back           | back settled   | back posted
  book         | fast | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:01 | 08-15 00:30:01 |                |                |
  book         | fast | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:01 | 11-26 17:00:01 |                |                |
  book         | real | on a Tuesday at 10:00        | 08-18 14:00:01 | 08-18 14:00:01 | 08-19 00:00:00 |                |                |
  book         | real | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:01 | 08-18 00:00:00 |                |                |
  book         | real | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:01 | 11-28 01:00:00 |                |                |
  ACH STANDARD | fast | on a Friday at 20:30         | 08-15 00:30:02 | 08-15 00:30:05 | 08-15 00:30:05 | 08-15 00:30:08 | 08-15 00:30:09 | 08-15 00:30:09
  ACH STANDARD | fast | on Thanksgiving at noon      | 11-26 17:00:02 | 11-26 17:00:05 | 11-26 17:00:05 | 11-26 17:00:08 | 11-26 17:00:09 | 11-26 17:00:09
  ACH STANDARD | real | on a Tuesday at 10:00        | 08-18 21:00:00 | 08-19 12:30:00 | 08-20 00:00:00 | 08-20 21:00:00 | 08-21 12:30:00 | 08-22 00:00:00
  ACH STANDARD | real | on a Friday at 20:30         | 08-17 21:00:00 | 08-18 12:30:00 | 08-19 00:00:00 | 08-19 21:00:00 | 08-20 12:30:00 | 08-21 00:00:00
  ACH STANDARD | real | two days before Thanksgiving | 11-24 22:00:00 | 11-25 13:30:00 | 11-26 01:00:00 | 11-27 22:00:00 | 11-30 13:30:00 | 12-01 01:00:00
  ACH STANDARD | real | on Thanksgiving at noon      | 11-27 22:00:00 | 11-30 13:30:00 | 12-01 01:00:00 | 12-01 22:00:00 | 12-02 13:30:00 | 12-03 01:00:00
  ACH SAMEDAY  | fast | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:03 | 08-15 00:30:03 | 08-15 00:30:06 | 08-15 00:30:07 | 08-15 00:30:07
  ACH SAMEDAY  | fast | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:03 | 11-26 17:00:03 | 11-26 17:00:06 | 11-26 17:00:07 | 11-26 17:00:07
  ACH SAMEDAY  | real | on a Tuesday at 10:00        | 08-18 18:15:00 | 08-18 21:00:00 | 08-19 00:00:00 | 08-19 21:00:00 | 08-20 12:30:00 | 08-21 00:00:00
  ACH SAMEDAY  | real | on a Friday at 20:30         | 08-17 14:00:00 | 08-17 17:00:00 | 08-18 00:00:00 | 08-18 21:00:00 | 08-19 12:30:00 | 08-20 00:00:00
  ACH SAMEDAY  | real | two days before Thanksgiving | 11-24 19:15:00 | 11-24 22:00:00 | 11-25 01:00:00 | 11-25 22:00:00 | 11-27 13:30:00 | 11-28 01:00:00
  ACH SAMEDAY  | real | on Thanksgiving at noon      | 11-27 15:00:00 | 11-27 18:00:00 | 11-28 01:00:00 | 11-30 22:00:00 | 12-01 13:30:00 | 12-02 01:00:00
  wire out     | fast | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:02 | 08-15 00:30:02 |                |                |
  wire out     | fast | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:02 | 11-26 17:00:02 |                |                |
  wire out     | real | on a Tuesday at 10:00        | 08-18 14:01:00 | 08-18 14:10:00 | 08-19 00:00:00 |                |                |
  wire out     | real | on a Friday at 20:30         | 08-17 13:01:00 | 08-17 13:10:00 | 08-18 00:00:00 |                |                |
  wire out     | real | on Thanksgiving at noon      | 11-27 14:01:00 | 11-27 14:10:00 | 11-28 01:00:00 |                |                |
  instant out  | fast | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:02 | 08-15 00:30:02 |                |                |
  instant out  | fast | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:02 | 11-26 17:00:02 |                |                |
  instant out  | real | on a Tuesday at 10:00        | 08-18 14:00:01 | 08-18 14:00:03 | 08-19 00:00:00 |                |                |
  instant out  | real | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:03 | 08-18 00:00:00 |                |                |
  instant out  | real | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:03 | 11-28 01:00:00 |                |                |
  time-out     | fast | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:20 |                |                |                |
  time-out     | fast | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:20 |                |                |                |
  time-out     | real | on a Tuesday at 10:00        | 08-18 14:00:01 | 08-18 14:00:20 |                |                |                |
  time-out     | real | on a Friday at 20:30         | 08-15 00:30:01 | 08-15 00:30:20 |                |                |                |
  time-out     | real | on Thanksgiving at noon      | 11-26 17:00:01 | 11-26 17:00:20 |                |                |                |
  ACH in       | fast | on a Friday at 20:30         |                | 08-15 00:30:01 | 08-15 00:30:01 |                |                |
  ACH in       | fast | on Thanksgiving at noon      |                | 11-26 17:00:01 | 11-26 17:00:01 |                |                |
  ACH in       | real | on a Tuesday at 10:00        |                | 08-19 12:30:00 | 08-20 00:00:00 |                |                |
  ACH in       | real | on a Friday at 20:30         |                | 08-17 12:30:00 | 08-18 00:00:00 |                |                |
  ACH in       | real | on Thanksgiving at noon      |                | 11-27 13:30:00 | 11-28 01:00:00 |                |                |
  wire in      | fast | on a Friday at 20:30         |                | 08-15 00:30:01 | 08-15 00:30:01 |                |                |
  wire in      | fast | on Thanksgiving at noon      |                | 11-26 17:00:01 | 11-26 17:00:01 |                |                |
  wire in      | real | on a Tuesday at 10:00        |                | 08-18 14:01:00 | 08-19 00:00:00 |                |                |
  wire in      | real | on a Friday at 20:30         |                | 08-17 01:01:00 | 08-18 00:00:00 |                |                |
  wire in      | real | on Thanksgiving at noon      |                | 11-27 02:01:00 | 11-28 01:00:00 |                |                |
  instant in   | fast | on a Friday at 20:30         |                | 08-15 00:30:01 | 08-15 00:30:01 |                |                |
  instant in   | fast | on Thanksgiving at noon      |                | 11-26 17:00:01 | 11-26 17:00:01 |                |                |
  instant in   | real | on a Tuesday at 10:00        |                | 08-18 14:00:01 | 08-19 00:00:00 |                |                |
  instant in   | real | on a Friday at 20:30         |                | 08-15 00:30:01 | 08-18 00:00:00 |                |                |
  instant in   | real | on Thanksgiving at noon      |                | 11-26 17:00:01 | 11-28 01:00:00 |                |                |
`)

/** Payments on a VRN: `settled` if the Client approves at once, `late settled` if it does not answer for 24 hours. */
const WINDOWS = table(`
  rail         | pace | when                         | settled            | posted             | late settled   | late posted
  ACH in       | fast | on a Friday at 20:30         | 08-15 00:30:01.500 | 08-15 00:30:01.500 | 08-16 00:30:01 | 08-16 00:30:01
  ACH in       | fast | on Thanksgiving at noon      | 11-26 17:00:01.500 | 11-26 17:00:01.500 | 11-27 17:00:01 | 11-27 17:00:01
  ACH in       | real | on a Tuesday at 10:00        | 08-19 12:30:00     | 08-20 00:00:00     | 08-19 14:00:01 | 08-20 00:00:00
  ACH in       | real | on a Friday at 20:30         | 08-17 12:30:00     | 08-18 00:00:00     | 08-17 12:30:00 | 08-18 00:00:00
  ACH in       | real | on Thanksgiving at noon      | 11-27 13:30:00     | 11-28 01:00:00     | 11-27 17:00:01 | 11-28 01:00:00
  wire in      | fast | on a Friday at 20:30         | 08-15 00:30:01.500 | 08-15 00:30:01.500 | 08-16 00:30:01 | 08-16 00:30:01
  wire in      | fast | on Thanksgiving at noon      | 11-26 17:00:01.500 | 11-26 17:00:01.500 | 11-27 17:00:01 | 11-27 17:00:01
  wire in      | real | on a Tuesday at 10:00        | 08-18 14:01:00     | 08-19 00:00:00     | 08-19 14:00:01 | 08-20 00:00:00
  wire in      | real | on a Friday at 20:30         | 08-17 01:01:00     | 08-18 00:00:00     | 08-17 01:01:00 | 08-18 00:00:00
  wire in      | real | on Thanksgiving at noon      | 11-27 02:01:00     | 11-28 01:00:00     | 11-27 17:00:01 | 11-28 01:00:00
`)

/** The named instants of a rail, for each pace and day. */
function timesOf(rail: string, times: string[][]): { pace: Pace; when: string; instants: Instants }[] {
  const [names = [], ...rows] = times
  return rows
    .filter(([row]) => row === rail)
    .map(([, pace, when = '', ...cells]) => {
      const named = cells.map((cell, i) => [names[i + 3]!, cell] as const).filter(([, cell]) => cell !== '')
      return { pace: pace as Pace, when, instants: { ...WHENS[when], ...Object.fromEntries(named) } }
    })
}

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
  made    | queued  | book_transfer neutral 40.25 queued             | 1000.00 -40.25 959.75, 0.00 40.25 0.00 | 1000.00 0.00 1000.00
  pending | pending | book_transfer neutral 40.25 pending            | 1000.00 -40.25 959.75, 0.00 40.25 0.00 | 1000.00 0.00 1000.00
  settled | settled | book_transfer neutral 40.25 settled 2          | 959.75 0.00 959.75, 40.25 0.00 40.25   | 1000.00 0.00 1000.00
    synthetic 3 master -40.25 = 959.75
    synthetic 4 other 40.25 = 40.25
  posted  | settled | book_transfer neutral 40.25 settled 2 [posted] | 959.75 0.00 959.75, 40.25 0.00 40.25   | 1000.00 0.00 1000.00
`
const CREDIT_BEGINS = `
  made    | queued  | TYPE negative 40.25 queued             | 1000.00 -40.25 959.75 | 1000.00 -40.25 959.75
  pending | pending | TYPE negative 40.25 pending            | 1000.00 -40.25 959.75 | 1000.00 -40.25 959.75
`
const CREDIT = `${CREDIT_BEGINS}
  settled | settled | TYPE negative 40.25 settled 2          | 959.75 0.00 959.75    | 959.75 0.00 959.75
    event     2 odfi_ach_withdrawal dda > dda_cash_external 40.25 negative
    synthetic 3 master -40.25 = 959.75
    synthetic 4 TYPE_external 40.25 = 40.25
    custodial 3 dda -40.25 = 959.75
    custodial 4 dda_cash_external 40.25 = 40.25
  posted  | settled | TYPE negative 40.25 settled 2 [posted] | 959.75 0.00 959.75    | 959.75 0.00 959.75
`
const CREDIT_FAILS = `${CREDIT_BEGINS}
  settled | failed  | TYPE negative 40.25 failed CODE        | 1000.00 0.00 1000.00  | 1000.00 0.00 1000.00
`
const CREDIT_CANCELED = `
  made  | queued   | TYPE negative 40.25 queued   | 1000.00 -40.25 959.75 | 1000.00 -40.25 959.75
  acted | canceled | TYPE negative 40.25 canceled | 1000.00 0.00 1000.00  | 1000.00 0.00 1000.00
`
const CREDIT_RETURNED = `${CREDIT}
  back         | settled | ach negative 40.25 settled 2 [posted] CODE, ach_return positive 40.25 pending CODE                  | 959.75 40.25 959.75  | 959.75 40.25 959.75
  back settled | settled | ach negative 40.25 settled 2 [posted] CODE, ach_return positive 40.25 settled 3 CODE                | 1000.00 0.00 1000.00 | 1000.00 0.00 1000.00
    event     3 odfi_ach_deposit dda_cash_external > dda 40.25 positive
    synthetic 5 ach_external -40.25 = 0.00
    synthetic 6 master 40.25 = 1000.00
    custodial 5 dda_cash_external -40.25 = 0.00
    custodial 6 dda 40.25 = 1000.00
  back posted  | settled | ach negative 40.25 settled 2 [posted] CODE, ach_return positive 40.25 settled 3 [back posted] CODE | 1000.00 0.00 1000.00 | 1000.00 0.00 1000.00
`
const CREDIT_NOTICED = `${CREDIT}
  back         | settled | ach negative 40.25 settled 2 [posted] CODE | 959.75 0.00 959.75 | 959.75 0.00 959.75
`
const DEBIT_BEGINS = `
  made    | queued  | ach positive 40.25 queued             | 1000.00 40.25 1000.00 | 1000.00 40.25 1000.00
  pending | pending | ach positive 40.25 pending            | 1000.00 40.25 1000.00 | 1000.00 40.25 1000.00
`
const DEBIT = `${DEBIT_BEGINS}
  settled | settled | ach positive 40.25 settled 2          | 1040.25 0.00 1040.25  | 1040.25 0.00 1040.25
    event     2 odfi_ach_deposit dda_cash_external > dda 40.25 positive
    synthetic 3 ach_external -40.25 = -40.25
    synthetic 4 master 40.25 = 1040.25
    custodial 3 dda_cash_external -40.25 = -40.25
    custodial 4 dda 40.25 = 1040.25
  posted  | settled | ach positive 40.25 settled 2 [posted] | 1040.25 0.00 1040.25  | 1040.25 0.00 1040.25
`
const DEBIT_FAILS = `${DEBIT_BEGINS}
  settled | failed  | ach positive 40.25 failed             | 1000.00 0.00 1000.00  | 1000.00 0.00 1000.00
`
const DEBIT_CANCELED = `
  made  | queued   | ach positive 40.25 queued   | 1000.00 40.25 1000.00 | 1000.00 40.25 1000.00
  acted | canceled | ach positive 40.25 canceled | 1000.00 0.00 1000.00  | 1000.00 0.00 1000.00
`
const DEBIT_RETURNED = `${DEBIT}
  back         | settled | ach positive 40.25 settled 2 [posted] CODE, ach_return negative 40.25 pending CODE                  | 1040.25 -40.25 1000.00 | 1040.25 -40.25 1000.00
  back settled | settled | ach positive 40.25 settled 2 [posted] CODE, ach_return negative 40.25 settled 3 CODE                | 1000.00 0.00 1000.00   | 1000.00 0.00 1000.00
    event     3 odfi_ach_withdrawal dda > dda_cash_external 40.25 negative
    synthetic 5 master -40.25 = 1000.00
    synthetic 6 ach_external 40.25 = 0.00
    custodial 5 dda -40.25 = 1000.00
    custodial 6 dda_cash_external 40.25 = 0.00
  back posted  | settled | ach positive 40.25 settled 2 [posted] CODE, ach_return negative 40.25 settled 3 [back posted] CODE | 1000.00 0.00 1000.00   | 1000.00 0.00 1000.00
`
const DEBIT_NOTICED = `${DEBIT}
  back         | settled | ach positive 40.25 settled 2 [posted] CODE | 1040.25 0.00 1040.25 | 1040.25 0.00 1040.25
`
const PRENOTE = `
  made    | queued  | ach WAY 0.00 queued             | 1000.00 0.00 1000.00 | 1000.00 0.00 1000.00
  pending | pending | ach WAY 0.00 pending            | 1000.00 0.00 1000.00 | 1000.00 0.00 1000.00
  settled | settled | ach WAY 0.00 settled 2          | 1000.00 0.00 1000.00 | 1000.00 0.00 1000.00
  posted  | settled | ach WAY 0.00 settled 2 [posted] | 1000.00 0.00 1000.00 | 1000.00 0.00 1000.00
`
const DEPOSITED = `
    event     2 rdfi_ach_deposit dda_cash_received > dda 40.25 positive
    synthetic 3 outside -40.25 = -1040.25
    synthetic 4 master 40.25 = 1040.25
    custodial 3 dda_cash_received -40.25 = -1040.25
    custodial 4 dda 40.25 = 1040.25
`
const DEPOSIT = `
  made    | - | TYPE positive 40.25 pending            | 1000.00 40.25 1000.00 | 1000.00 40.25 1000.00
  settled | - | TYPE positive 40.25 settled 2          | 1040.25 0.00 1040.25  | 1040.25 0.00 1040.25${DEPOSITED}
  posted  | - | TYPE positive 40.25 settled 2 [posted] | 1040.25 0.00 1040.25  | 1040.25 0.00 1040.25
`
const DEPOSIT_FAILS = `
  made    | - | TYPE positive 40.25 pending            | 1000.00 40.25 1000.00 | 1000.00 40.25 1000.00
  acted   | - | TYPE positive 40.25 failed CODE        | 1000.00 0.00 1000.00  | 1000.00 0.00 1000.00
`
const WITHDRAWN = `
    event     2 rdfi_ach_withdrawal dda > dda_cash_received 1200.50 negative
    synthetic 3 master -1200.50 = -200.50
    synthetic 4 outside 1200.50 = 200.50
    custodial 3 dda -1200.50 = -200.50
    custodial 4 dda_cash_received 1200.50 = 200.50
`
/** "Received debits: never refused for lack of funds: the balance may fall below zero." */
const WITHDRAWAL = `
  made    | - | TYPE negative 1200.50 pending            | 1000.00 -1200.50 -200.50 | 1000.00 -1200.50 -200.50
  settled | - | TYPE negative 1200.50 settled 2          | -200.50 0.00 -200.50     | -200.50 0.00 -200.50${WITHDRAWN}
  posted  | - | TYPE negative 1200.50 settled 2 [posted] | -200.50 0.00 -200.50     | -200.50 0.00 -200.50
`
const WITHDRAWAL_FAILS = `
  made    | - | TYPE negative 1200.50 pending            | 1000.00 -1200.50 -200.50 | 1000.00 -1200.50 -200.50
  acted   | - | TYPE negative 1200.50 failed CODE        | 1000.00 0.00 1000.00     | 1000.00 0.00 1000.00
`
const deposit = (decided: string, settled: string, posted: string, word: string) => `
  made       | - | TYPE positive 40.25 authorization_pending client_approval_pending | 1000.00 40.25 1000.00 | 1000.00 40.25 1000.00
  ${decided} | - | TYPE positive 40.25 pending ${word}                               | 1000.00 40.25 1000.00 | 1000.00 40.25 1000.00
  ${settled} | - | TYPE positive 40.25 settled 2 ${word}                             | 1040.25 0.00 1040.25  | 1040.25 0.00 1040.25${DEPOSITED}
  ${posted}  | - | TYPE positive 40.25 settled 2 [${posted}] ${word}                 | 1040.25 0.00 1040.25  | 1040.25 0.00 1040.25
`
const withdrawal = (decided: string, settled: string, posted: string, word: string) => `
  made       | - | TYPE negative 1200.50 authorization_pending client_approval_pending | 1000.00 -1200.50 -200.50 | 1000.00 -1200.50 -200.50
  ${decided} | - | TYPE negative 1200.50 pending ${word}                               | 1000.00 -1200.50 -200.50 | 1000.00 -1200.50 -200.50
  ${settled} | - | TYPE negative 1200.50 settled 2 ${word}                             | -200.50 0.00 -200.50     | -200.50 0.00 -200.50${WITHDRAWN}
  ${posted}  | - | TYPE negative 1200.50 settled 2 [${posted}] ${word}                 | -200.50 0.00 -200.50     | -200.50 0.00 -200.50
`
const depositDenied = (decided: string, word: string) => `
  made       | - | TYPE positive 40.25 authorization_pending client_approval_pending | 1000.00 40.25 1000.00 | 1000.00 40.25 1000.00
  ${decided} | - | TYPE positive 40.25 authorization_denied ${word}                  | 1000.00 0.00 1000.00  | 1000.00 0.00 1000.00
`
const withdrawalDenied = (decided: string, word: string) => `
  made       | - | TYPE negative 1200.50 authorization_pending client_approval_pending | 1000.00 -1200.50 -200.50 | 1000.00 -1200.50 -200.50
  ${decided} | - | TYPE negative 1200.50 authorization_denied ${word}                  | 1000.00 0.00 1000.00     | 1000.00 0.00 1000.00
`
/** A payment on a locked VRN is denied at once: the Client is not asked for authorization. */
const DEPOSIT_LOCKED = `
  made | - | TYPE positive 40.25 authorization_denied auto_denied vrn_locked   | 1000.00 0.00 1000.00 | 1000.00 0.00 1000.00
`
const WITHDRAWAL_LOCKED = `
  made | - | TYPE negative 1200.50 authorization_denied auto_denied vrn_locked | 1000.00 0.00 1000.00 | 1000.00 0.00 1000.00
`

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
    const ach = { ...ACH, service_processing, effective_entry_date: WHENS[when]!.today, ...(entry as Body) }
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

const cancel: Action = async ({ setup }, payment) => {
  const { transfer } = payment as { transfer: string }
  expect(await setup.api.call('PUT', `/transfers/${transfer}/cancel`, { json: {} })).toMatchObject({ status: 200 })
}
const failWith =
  (inputs?: object): Action =>
  async ({ setup }, payment) => {
    const { transaction: uid } = payment as { transaction: string }
    const move = { collection: 'transactions', uid, move: 'fail', ...(inputs ? { inputs } : {}) }
    expect(await setup.sandbox.call('moves.make', move)).toMatchObject({ ok: true })
  }
const sendDecision =
  (json: object): Action =>
  async ({ setup }, payment) => {
    const { transaction } = payment as { transaction: string }
    expect(await setup.api.call('PUT', `/transactions/${transaction}/authorize`, { json })).toMatchObject({
      status: 200,
    })
  }

const APPROVE = sendDecision({ authorization_status: 'client_approved' })
const DENY = sendDecision({ authorization_status: 'client_denied', denied_reason: 'unauthorized_credit' })

interface Row {
  readonly what: string
  readonly rail: string
  readonly story: string
  readonly create: CreatePayment
  readonly more?: Body
  readonly action?: Action
  readonly program?: Body
  readonly times?: string[][]
}

/** Replaces the placeholders of a story, e.g. TYPE and CODE. */
const fillIn = (story: string, words: Readonly<Record<string, string>>) =>
  Object.entries(words).reduce((text, [word, value]) => text.replaceAll(word, value), story)

const achRows = (rail: 'ACH STANDARD' | 'ACH SAMEDAY', returned: { credit: string; debit: string }): Row[] => {
  const service = rail.slice(4)
  const credit = createAch('credit', service)
  const debit = createAch('debit', service)
  const type = { TYPE: 'ach' }
  const why = (code: string) => ({ CODE: `${code} ${achReturnCodes[code]!.reason}` })
  const number = (code: string) => ({ account_number: `7700${code.replace('R', '99')}` })
  const noc = 'C04 Bank account name change NORTHERN MILL CO'
  return [
    { rail, what: 'out, credit, settled', story: fillIn(CREDIT, type), create: credit },
    { rail, what: 'out, debit, settled', story: DEBIT, create: debit },
    {
      rail,
      what: 'out, credit, failed',
      story: fillIn(CREDIT_FAILS, { ...type, CODE: '' }),
      create: credit,
      more: { name: 'failing one' },
    },
    {
      rail,
      what: 'out, debit, failed',
      story: DEBIT_FAILS,
      create: debit,
      more: { ach: { account_type: 'checking', counterparty_name: 'FAIL Freight Co' } },
    },
    { rail, what: 'out, credit, canceled', story: fillIn(CREDIT_CANCELED, type), create: credit, action: cancel },
    { rail, what: 'out, debit, canceled', story: DEBIT_CANCELED, create: debit, action: cancel },
    {
      rail,
      what: `out, credit, returned with ${returned.credit}`,
      create: credit,
      more: number(returned.credit),
      story: fillIn(CREDIT_RETURNED, { ...type, ...why(returned.credit) }),
    },
    {
      rail,
      what: `out, debit, returned with ${returned.debit}`,
      create: debit,
      more: number(returned.debit),
      story: fillIn(DEBIT_RETURNED, why(returned.debit)),
    },
    {
      rail,
      what: 'out, credit, notified of change',
      create: credit,
      more: { account_number: '77009804' },
      story: fillIn(CREDIT_NOTICED, { ...type, CODE: noc }),
    },
    {
      rail,
      what: 'out, debit, notified of change',
      create: debit,
      more: { account_number: '77009804' },
      story: fillIn(DEBIT_NOTICED, { CODE: noc }),
    },
    {
      rail,
      what: 'out, credit, prenote',
      story: fillIn(PRENOTE, { WAY: 'negative' }),
      create: credit,
      more: { amount: '0.00', entry: { prenote: true } },
    },
    {
      rail,
      what: 'out, debit, prenote',
      story: fillIn(PRENOTE, { WAY: 'positive' }),
      create: debit,
      more: { amount: '0.00', entry: { prenote: true } },
    },
  ]
}
const incomingRows = (rail: string, type: string): Row[] => {
  const credit = createIncoming(type, 40.25)
  const debit = createIncoming(type, -1200.5)
  const words = (CODE = '') => ({ TYPE: type, CODE })
  const failed = type === 'instant_payment' ? 'ERR102 Account number invalid or closed' : ''
  const fail = failWith(failed ? { code: 'ERR102' } : undefined)
  return [
    { rail, what: 'credit, settled', story: fillIn(DEPOSIT, words()), create: credit },
    { rail, what: 'debit, settled', story: fillIn(WITHDRAWAL, words()), create: debit },
    { rail, what: 'credit, failed', story: fillIn(DEPOSIT_FAILS, words(failed)), create: credit, action: fail },
    { rail, what: 'debit, failed', story: fillIn(WITHDRAWAL_FAILS, words(failed)), create: debit, action: fail },
    {
      rail,
      what: 'credit, on a locked VRN',
      story: fillIn(DEPOSIT_LOCKED, words()),
      create: credit,
      more: { vrn: 'locked' },
    },
  ]
}

/** Payments on a VRN that need the Client's authorization: ACH, and wire credits. */
const authorizationRows = (rail: string, type: string): Row[] => {
  const more = { vrn: 'open' }
  const words = { TYPE: type }
  const times = WINDOWS
  const credit = { rail, create: createIncoming(type, 40.25), more, times }
  const debit = { rail, create: createIncoming(type, -1200.5), more, times }
  const denyUnanswered = { unanswered_authorization: 'deny' }
  const approved = ['acted', 'settled', 'posted', 'client_approved'] as const
  const autoApproved = ['closed', 'late settled', 'late posted', 'client_unanswered_auto_approved'] as const
  const denied = ['acted', 'client_denied unauthorized_credit'] as const
  const autoDenied = ['closed', 'client_unanswered_auto_denied'] as const
  const credits: Row[] = [
    { ...credit, what: 'credit, approved', story: fillIn(deposit(...approved), words), action: APPROVE },
    { ...credit, what: 'credit, unanswered, auto-approved', story: fillIn(deposit(...autoApproved), words) },
    { ...credit, what: 'credit, denied', story: fillIn(depositDenied(...denied), words), action: DENY },
    {
      ...credit,
      what: 'credit, unanswered, auto-denied',
      story: fillIn(depositDenied(...autoDenied), words),
      program: denyUnanswered,
    },
  ]
  const debits: Row[] = [
    { ...debit, what: 'debit, approved', story: fillIn(withdrawal(...approved), words), action: APPROVE },
    { ...debit, what: 'debit, unanswered, auto-approved', story: fillIn(withdrawal(...autoApproved), words) },
    { ...debit, what: 'debit, denied', story: fillIn(withdrawalDenied(...denied), words), action: DENY },
    {
      ...debit,
      what: 'debit, unanswered, auto-denied',
      story: fillIn(withdrawalDenied(...autoDenied), words),
      program: denyUnanswered,
    },
    {
      ...debit,
      what: 'debit, on a locked VRN',
      story: fillIn(WITHDRAWAL_LOCKED, words),
      more: { vrn: 'locked' },
    },
  ]
  return type === 'wire' ? credits : [...credits, ...debits]
}

const wireOut = createOutgoing('wire_external')
const instantOut = createOutgoing('instant_payment_external')
const wireWords = { TYPE: 'wire' }
const instantWords = (CODE = '') => ({ TYPE: 'instant_payment', CODE })
const failsByName = { wire: { counterparty_name: 'Failing Leasing Inc' } }
const failsByInstantName = { instant_payment: { counterparty_name: 'fail Okafor', counterparty_address: STRUCTURED } }

const ROWS: readonly Row[] = [
  { rail: 'book', what: 'settled', story: BOOK, create: createBookTransfer },
  ...achRows('ACH STANDARD', { credit: 'R03', debit: 'R01' }),
  ...achRows('ACH SAMEDAY', { credit: 'R03', debit: 'R10' }),
  { rail: 'wire out', what: 'settled', story: fillIn(CREDIT, wireWords), create: wireOut },
  {
    rail: 'wire out',
    what: 'failed',
    story: fillIn(CREDIT_FAILS, { ...wireWords, CODE: '' }),
    create: wireOut,
    more: failsByName,
  },
  { rail: 'wire out', what: 'canceled', story: fillIn(CREDIT_CANCELED, wireWords), create: wireOut, action: cancel },
  { rail: 'instant out', what: 'settled', story: fillIn(CREDIT, instantWords()), create: instantOut },
  {
    rail: 'instant out',
    what: 'failed, by name',
    create: instantOut,
    more: failsByInstantName,
    story: fillIn(CREDIT_FAILS, instantWords('ERR302 Payment not accepted')),
  },
  {
    rail: 'instant out',
    what: 'rejected, by number',
    create: instantOut,
    more: { account_number: '770009102' },
    story: fillIn(CREDIT_FAILS, instantWords('ERR102 Account number invalid or closed')),
  },
  {
    rail: 'time-out',
    what: 'instant out',
    create: instantOut,
    more: { account_number: '770009500' },
    story: fillIn(CREDIT_FAILS, instantWords('ERR500 Timed out')),
  },
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
      return utc(instants[name])
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
  const ms = (at: string, more: number) => new Date(Date.parse(at) + more).toISOString()
  const acted = utc(instants.acted!)

  let before = { head: '', books: [] as string[] }
  for (const { at, head, books } of expected) {
    if (before.head !== '') {
      await setup.advance({ to: ms(at, -1) })
      const { head, books } = await observe('door')
      expect({ head, books }, `a moment before ${at}`).toEqual(before)
      await setup.advance({ to: at })
      if (row.action && at === acted) await row.action(world, payment)
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

  it('`id` counts in the order of creation; settled_index is null until settlement', async () => {
    const { order } = await createFourPayments()
    expect(await order('id_asc')).toEqual([
      ['ach', 2, null],
      ['wire', 3, null],
      ['book', 4, null],
      ['instant', 5, null],
    ])
  })

  it('settled_index counts in the order of settlement; payments with the same instant settle in the order of creation', async () => {
    const { order, advance } = await createFourPayments()
    await advance({ until: 'idle' })
    // They settle after one, one, two and five seconds.
    expect(await order('settled_index_asc')).toEqual([
      ['book', 4, 2],
      ['instant', 5, 3],
      ['wire', 3, 4],
      ['ach', 2, 5],
    ])
  })

  it('events and line items have their own settled_index per list; a book transfer has no event', async () => {
    const { advance, list, names } = await createFourPayments()
    await advance({ until: 'idle' })
    const count = async (path: string) =>
      (await list<CustodialLineItem & TransactionEvent>(`/${path}?sort=settled_index_asc`))
        .map((it) => [names.get(it.transaction_uid ?? it.transaction_uids[0]), it.settled_index])
        .filter(([name]) => name !== undefined)
    expect(await count('transaction_events')).toEqual([
      ['instant', 2],
      ['wire', 3],
      ['ach', 4],
    ])
    expect(await count('synthetic_line_items')).toEqual([
      ...[['book', 3] as const, ['book', 4], ['instant', 5], ['instant', 6]],
      ...[['wire', 7] as const, ['wire', 8], ['ach', 9], ['ach', 10]],
    ])
    expect(await count('custodial_line_items')).toEqual([
      ...[['instant', 3] as const, ['instant', 4], ['wire', 5], ['wire', 6], ['ach', 7], ['ach', 8]],
    ])
  })

  it('a failed or canceled payment has an id and no settled_index', async () => {
    const { olive, api, account, pay, advance, transaction } = await setUpFundedCustomer()
    const external = await account(olive, 'ach_external')
    const canceled = await pay(olive, olive.master, external, '1.00')
    await api.call('PUT', `/transfers/${canceled.uid}/cancel`, { json: {} })
    const failing = await pay(olive, olive.master, await account(olive, 'wire_external', { name: 'fail' }), '1.00')
    const settling = await pay(olive, olive.master, external, '1.00')
    await advance({ until: 'idle' })
    const results = await Promise.all([canceled, failing, settling].map((it) => transaction(it.transaction_uids[0]!)))
    expect(results.map(({ status, id, settled_index }) => [status, id, settled_index])).toEqual([
      ['canceled', 2, null],
      ['failed', 3, null],
      ['settled', 4, 2],
    ])
  })
})

describe('descriptions and accounts of a payment', () => {
  const PRIMARY = 'Primary Synthetic Account'

  it.each<
    [string, (world: Awaited<ReturnType<typeof setUpFundedCustomer>>, external: string) => Promise<string>, string[]]
  >([
    [
      'sent',
      async ({ olive, pay }, mill) => (await pay(olive, olive.master, mill, '5.00')).transaction_uids[0]!,
      [
        `Transfer from "${PRIMARY}" to "The Mill"`,
        `Transfer from "${PRIMARY}" to "The Mill"`,
        'Debit to "The Mill"',
        `Credit from "${PRIMARY}"`,
        'Withdrawal to "The Mill"',
        `Withdrawal from "${PRIMARY}"`,
      ],
    ],
    [
      'taken',
      async ({ olive, pay }, mill) => (await pay(olive, mill, olive.master, '5.00')).transaction_uids[0]!,
      [
        `Transfer from "The Mill" to "${PRIMARY}"`,
        `Transfer from "The Mill" to "${PRIMARY}"`,
        `Debit to "${PRIMARY}"`,
        'Credit from "The Mill"',
        `Deposit to "${PRIMARY}"`,
        'Deposit from "The Mill"',
      ],
    ],
    [
      'received, with a description',
      ({ olive, mock }) =>
        mock({ transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 5, description: 'Eight letters' }),
      [
        'Eight letters',
        `Transfer from "Outside bank" to "${PRIMARY}"`,
        `Debit to "${PRIMARY}"`,
        'Credit from "Outside bank"',
        `Deposit to "${PRIMARY}"`,
        'Deposit from "Outside bank"',
      ],
    ],
  ])('%s: descriptions of the Transaction, its event, its line items', async (_what, create, expected) => {
    const setup = await setUpFundedCustomer()
    const { olive, account, advance, transaction, list } = setup
    const uid = await create(setup, await account(olive, 'ach_external', { name: 'The Mill' }))
    await advance({ until: 'idle' })
    const descriptions = [(await transaction(uid)).description]
    for (const path of ['transaction_events', 'synthetic_line_items', 'custodial_line_items'])
      for (const { description } of await list<TransactionEvent>(
        `/${path}?transaction_uid=${uid}&sort=settled_index_asc`,
      ))
        descriptions.push(description)
    expect(descriptions).toEqual(expected)
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
  it('a prenote, like any amount of zero, is listed only with include_zero=true', async () => {
    const { olive, account, pay, list } = await setUpFundedCustomer()
    const mill = await account(olive, 'ach_external')
    const { transaction_uids } = await pay(olive, olive.master, mill, '0.00', { ach: { ...ACH, prenote: true } })
    const found = async (query: string) =>
      (await list<Transaction>(`/transactions?type=ach&${query}`)).map(({ uid }) => uid)
    expect(await found('')).toEqual([])
    expect(await found('include_zero=false')).toEqual([])
    for (const yes of ['true', '1']) expect(await found(`include_zero=${yes}`)).toEqual(transaction_uids)
  })

  it('search_description: "exact match, or with * at its ends", case ignored', async () => {
    const { olive, mock, list } = await setUpFundedCustomer()
    for (const description of ['Salary of August', 'Lost in the post'])
      await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 1, description })
    const found: Record<string, string> = {}
    const expected = {
      'Salary of August': 'Salary of August',
      'salary OF august': 'Salary of August',
      Salary: '',
      'Salary*': 'Salary of August',
      '*AUGUST': 'Salary of August',
      '*in the*': 'Lost in the post',
      '*o*': 'Lost in the post, Salary of August',
      'Sal*ust': '',
    }
    for (const text of Object.keys(expected)) {
      const listed = await list<Transaction>(`/transactions?type=ach&search_description=${text}`)
      found[text] = listed.map(({ description }) => description).join(', ')
    }
    expect(found).toEqual(expected)
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

describe('3.11: the list leaves out what only get one shows', () => {
  const lines = { line1: '1 Main St', line2: null, line3: null, country: 'US' }

  it.each<
    [
      string,
      'ach' | 'wire' | 'instant_payment',
      Body,
      (setup: Awaited<ReturnType<typeof setUpFundedCustomer>>) => Promise<string>,
    ]
  >([
    [
      'an ACH: addenda and corrected data',
      'ach',
      { addenda: 'Invoice 7', noc_corrected_data: 'NORTHERN MILL CO' },
      async ({ olive, account, pay, advance }) => {
        const external = await account(olive, 'ach_external', { account_number: '77009804' })
        const { transaction_uids } = await pay(olive, olive.master, external, '1.00', {
          ach: { ...ACH, addenda: 'Invoice 7' },
        })
        await advance({ until: 'idle' })
        return transaction_uids[0]!
      },
    ],
    [
      'a wire out: address and instructions',
      'wire',
      { counterparty_address: lines, wire_instructions: 'Ring twice' },
      async ({ olive, account, pay }) => {
        const wire = { counterparty_name: 'Harbor Leasing Inc', counterparty_address: lines }
        const external = await account(olive, 'wire_external', { wire })
        const more = { wire: { wire_instructions: 'Ring twice' } }
        return (await pay(olive, olive.master, external, '1.00', more)).transaction_uids[0]!
      },
    ],
    [
      'a wire in: address and instructions',
      'wire',
      { counterparty_address: lines, wire_instructions: 'Ring twice' },
      ({ olive, mock }) =>
        mock({
          transaction_type: 'wire',
          customer_uid: olive.uid,
          us_dollar_amount: 1,
          counterparty_address: lines,
          wire_instructions: 'Ring twice',
        }),
    ],
    [
      'an instant payment out: memo, purpose and address',
      'instant_payment',
      { memo: 'For tea', purpose_of_payment: '', counterparty_address: STRUCTURED },
      async ({ olive, account, pay }) => {
        const more = { instant_payment: { memo: 'For tea' } }
        const external = await account(olive, 'instant_payment_external')
        return (await pay(olive, olive.master, external, '1.00', more)).transaction_uids[0]!
      },
    ],
    [
      'an instant payment in: memo and address',
      'instant_payment',
      { memo: 'For tea', counterparty_address: STRUCTURED },
      ({ olive, mock }) =>
        mock({
          transaction_type: 'instant_payment',
          customer_uid: olive.uid,
          us_dollar_amount: 1,
          counterparty_address: STRUCTURED,
          memo: 'For tea',
        }),
    ],
  ])('%s', async (_what, rail, only, create) => {
    const setup = await setUpFundedCustomer()
    const uid = await create(setup)
    const one = await setup.transaction(uid)
    expect(one[rail]).toMatchObject(only)
    const listed = (await setup.list<Transaction>('/transactions')).find((it) => it.uid === uid)!
    const facts = Object.entries(one[rail]!).filter(([name]) => !Object.hasOwn(only, name))
    expect(listed).toEqual({ ...one, [rail]: Object.fromEntries(facts) })
  })

  it('a Transaction has only the object of its own rail', async () => {
    const setup = await setUpFundedCustomer()
    const { olive, account, pay, mock, transaction } = setup
    const uids = {
      book: (await pay(olive, olive.master, await account(olive, 'general'), '1.00')).transaction_uids[0]!,
      ach: (await pay(olive, olive.master, await account(olive, 'ach_external'), '1.00')).transaction_uids[0]!,
      wire: (await pay(olive, olive.master, await account(olive, 'wire_external'), '1.00')).transaction_uids[0]!,
      instant: (await pay(olive, olive.master, await account(olive, 'instant_payment_external'), '1.00'))
        .transaction_uids[0]!,
      received: await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 1 }),
    }
    const objects: Record<string, string[]> = {}
    for (const [name, uid] of Object.entries(uids)) {
      const one = await transaction(uid)
      objects[name] = ['ach', 'wire', 'instant_payment', 'authorization'].filter((key) => key in one)
    }
    expect(objects).toEqual({
      book: [],
      ach: ['ach'],
      wire: ['wire'],
      instant: ['instant_payment'],
      received: ['ach'],
    })
  })
})
