/** What other banks and the networks answer: codes with their meanings, as they stand on Transactions. */

export interface AchReturnCode {
  readonly reason: string
  /** Which entries it is made for: those that took money, those that brought it, or both. */
  readonly hits: 'debit' | 'credit' | 'both'
  /**
   * How long after settlement it may still be sent. Assumed: by agreement or after a refusal, of which the sandbox
   * knows nothing, counts as 60 days.
   */
  readonly frame: '2 banking days' | '60 days'
}

const short = (reason: string, hits: AchReturnCode['hits'] = 'both'): AchReturnCode => ({
  reason,
  hits,
  frame: '2 banking days',
})
const long = (reason: string, hits: AchReturnCode['hits'] = 'debit'): AchReturnCode => ({
  reason,
  hits,
  frame: '60 days',
})

export const achReturnCodes: Readonly<Record<string, AchReturnCode>> = {
  R01: short('Insufficient funds', 'debit'),
  R02: short('Account closed'),
  R03: short('No account or unable to locate account'),
  R04: short('Invalid account number structure'),
  R05: long('Unauthorized debit to consumer account using corporate code'),
  R06: long('Return requested by ODFI', 'both'),
  R07: long('Authorization revoked by customer'),
  R08: short('Payment stopped', 'debit'),
  R09: short('Uncollected funds', 'debit'),
  R10: long('Customer advises not authorized'),
  R11: long('Entry not in accordance with the terms of the authorization'),
  R12: short('Account or branch sold'),
  R14: short('Representative payee deceased'),
  R15: short('Account holder deceased'),
  R16: short('Account frozen or OFAC instruction'),
  R17: short('File record edit criteria'),
  R20: short('Non-transaction account'),
  R21: short('Invalid company identification', 'credit'),
  R23: long('Credit refused by receiver', 'credit'),
  R24: short('Duplicate entry'),
  R29: short('Corporate customer advises not authorized', 'debit'),
  R31: long('Permissible return'),
  R33: long('Return of XCK entry'),
  R37: long('Source document presented for payment'),
  R38: long('Stop payment on source document'),
  R39: short('Improper source document', 'debit'),
  R50: short('State law affecting RCK acceptance', 'debit'),
  R51: long('Item related to RCK entry is ineligible'),
  R52: long('Stop payment on item related to RCK entry'),
  R53: long('Item and RCK entry presented for payment'),
  R70: short('Permissible return not accepted'),
}

/** Notifications of change: no money moves, the sender should mend its data. */
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
