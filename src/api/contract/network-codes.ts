/** The codes of other banks and of the networks, with their meanings: they are fields of Transactions. */

export interface AchReturnCode {
  readonly reason: string
  /** Which entries can be returned with it. */
  readonly hits: 'debit' | 'credit' | 'both'
  /**
   * How long after settlement it can be sent. Assumed (sibling): codes that depend on an agreement or a refusal, which the sandbox
   * does not know, have 60 days.
   */
  readonly frame: '2 banking days' | '60 days'
}

const twoBankingDays = (reason: string, hits: AchReturnCode['hits'] = 'both'): AchReturnCode => ({
  reason,
  hits,
  frame: '2 banking days',
})
const sixtyDays = (reason: string, hits: AchReturnCode['hits'] = 'debit'): AchReturnCode => ({
  reason,
  hits,
  frame: '60 days',
})

export const achReturnCodes: Readonly<Record<string, AchReturnCode>> = {
  R01: twoBankingDays('Insufficient funds', 'debit'),
  R02: twoBankingDays('Account closed'),
  R03: twoBankingDays('No account or unable to locate account'),
  R04: twoBankingDays('Invalid account number structure'),
  R05: sixtyDays('Unauthorized debit to consumer account using corporate code'),
  R06: sixtyDays('Return requested by ODFI', 'both'),
  R07: sixtyDays('Authorization revoked by customer'),
  R08: twoBankingDays('Payment stopped', 'debit'),
  R09: twoBankingDays('Uncollected funds', 'debit'),
  R10: sixtyDays('Customer advises not authorized'),
  R11: sixtyDays('Entry not in accordance with the terms of the authorization'),
  R12: twoBankingDays('Account or branch sold'),
  R14: twoBankingDays('Representative payee deceased'),
  R15: twoBankingDays('Account holder deceased'),
  R16: twoBankingDays('Account frozen or OFAC instruction'),
  R17: twoBankingDays('File record edit criteria'),
  R20: twoBankingDays('Non-transaction account'),
  R21: twoBankingDays('Invalid company identification', 'credit'),
  R23: sixtyDays('Credit refused by receiver', 'credit'),
  R24: twoBankingDays('Duplicate entry'),
  R29: twoBankingDays('Corporate customer advises not authorized', 'debit'),
  R31: sixtyDays('Permissible return'),
  R33: sixtyDays('Return of XCK entry'),
  R37: sixtyDays('Source document presented for payment'),
  R38: sixtyDays('Stop payment on source document'),
  R39: twoBankingDays('Improper source document', 'debit'),
  R50: twoBankingDays('State law affecting RCK acceptance', 'debit'),
  R51: sixtyDays('Item related to RCK entry is ineligible'),
  R52: sixtyDays('Stop payment on item related to RCK entry'),
  R53: sixtyDays('Item and RCK entry presented for payment'),
  R70: twoBankingDays('Permissible return not accepted'),
}

/** A debit collects money from the other bank's customer, a credit pays it. */
export type AchDirection = 'debit' | 'credit'

const fits = ({ hits }: AchReturnCode, direction: AchDirection) => hits === 'both' || hits === direction

/** The codes with which an entry of this direction can be returned. */
export const returnCodesFor = (
  direction: AchDirection,
  codes: Readonly<Record<string, AchReturnCode>> = achReturnCodes,
): Readonly<Record<string, AchReturnCode>> =>
  Object.fromEntries(Object.entries(codes).filter(([, code]) => fits(code, direction)))

/** Why an entry of this direction cannot be returned with a code; undefined if it can. */
export function findMisfit(code: string, direction: AchDirection): string | undefined {
  const row = achReturnCodes[code]
  if (!row || fits(row, direction)) return undefined
  return `${code} returns ${row.hits}s, and this is a ${direction}, which fits ${Object.keys(returnCodesFor(direction)).join(', ')}`
}

/** The codes with which a bank refuses an improper reversal: of a consumer's debit, or of any entry. */
export const reversalRefusals: Readonly<Record<string, AchReturnCode>> = Object.fromEntries(
  Object.entries(achReturnCodes).filter(([code]) => code === 'R11' || code === 'R17'),
)

/** Notifications of change: no money moves, but the sender should correct its data. */
export const nocCodes: Readonly<Record<string, string>> = {
  C01: 'Incorrect account number',
  C02: 'Incorrect routing number',
  C03: 'Incorrect routing number and account number',
  C04: 'Bank account name change',
  C05: 'Incorrect transaction code',
  C06: 'Incorrect account number and transaction code',
  C07: 'Incorrect routing number, account number and transaction code',
  C09: 'Incorrect individual identification number',
  C13: 'Addenda format error',
}

const groups: readonly (readonly [reason: string, codes: readonly string[]])[] = [
  ['Receiving bank unavailable', ['ERR050', 'ERR1501']],
  ['Account number invalid or missing', ['ERR100', 'ERR101']],
  ['Account number invalid or closed', ['ERR102']],
  [
    'Payment not allowed',
    [
      ...['ERR103', 'ERR200', 'ERR201', 'ERR300', 'ERR306', 'ERR601', 'ERR602', 'ERR800', 'ERR900', 'ERR1100'],
      ...['ERR1300', 'ERR1400', 'ERR1500', 'ERR1504', 'ERR1505', 'ERR1506'],
    ],
  ],
  ['Account currency missing or invalid', ['ERR104', 'ERR105']],
  ['Account type missing or invalid', ['ERR106', 'ERR107']],
  ['Counterparty participant signed off', ['ERR203']],
  ['Insufficient funds', ['ERR301']],
  ['Payment not accepted', ['ERR302']],
  ['Currency invalid', ['ERR303']],
  ['Amount invalid', ['ERR304']],
  ['Amount exceeds network limit', ['ERR305']],
  ['Missing required data', ['ERR400', 'ERR402']],
  ['Customer not found', ['ERR401', 'ERR1000']],
  ['Country code missing or invalid', ['ERR403', 'ERR404', 'ERR405', 'ERR406']],
  ['Data missing or invalid', ['ERR407', 'ERR408']],
  ['Timed out', ['ERR500']],
  ['Creditor unknown', ['ERR501']],
  ['Customer says it will not be paid', ['ERR599']],
  ['Request format invalid', ['ERR550', 'ERR555', 'ERR1200']],
  ['Invalid body', ['ERR552', 'ERR554']],
  ['Invalid payment type info', ['ERR553', 'ERR901']],
  ['Duplicate payment', ['ERR551', 'ERR700']],
  ['Error not found', ['ERR556', 'ERR557', 'ERR558', 'ERR999']],
  ['Future date unsupported', ['ERR600']],
  ['Network inactive', ['ERR850']],
  ['Payment id missing', ['ERR902']],
  ['Bank missing or invalid', ['ERR1201', 'ERR1203']],
  ['Recipient connection down', ['ERR1202']],
  ['Sending bank unavailable', ['ERR1503']],
]

export const instantPaymentRejections: Readonly<Record<string, string>> = Object.fromEntries(
  groups.flatMap(([reason, codes]) => codes.map((code) => [code, reason] as const)),
)

/** What a code of any of these tables means; undefined for other texts. */
export const meaningOfCode = (code: string): string | undefined =>
  achReturnCodes[code]?.reason ?? nocCodes[code] ?? instantPaymentRejections[code]
