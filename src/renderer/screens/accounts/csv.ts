import type { LedgerAccount, LedgerLine } from '../../../api/contract/control/ledger.ts'
import { formatCsv } from '../../format/csv.ts'

const ACCOUNT_FIELDS = [
  ...(['customer_uid', 'customer_name', 'book', 'uid', 'name', 'kind', 'status'] as const),
  ...(['account_number_last_four', 'balance', 'pending', 'available', 'lines'] as const),
]
const LINE_HEADERS = 'at type source destination description amount balance transaction_uid line_item_uid'.split(' ')

export const formatAccountsCsv = (accounts: readonly LedgerAccount[]): string =>
  formatCsv([
    ACCOUNT_FIELDS.map((field) => field.replace('customer_name', 'customer')),
    ...accounts.map((account) => ACCOUNT_FIELDS.map((field) => account[field])),
  ])

export const formatLinesCsv = (lines: readonly LedgerLine[]): string =>
  formatCsv([
    LINE_HEADERS,
    ...lines.map(({ at, type, source, destination, purpose, amount, running, transaction_uid, uid }) => [
      ...[at, type, source.name, destination.name, purpose],
      ...[amount, running, transaction_uid, uid],
    ]),
  ])
