import type { LedgerAccount, LedgerLine } from '../../../api/contract/control/ledger.ts'
import { formatCsv } from '../../format/csv.ts'

const ACCOUNT_HEADERS =
  'customer_uid customer book uid name kind status account_number_last_four balance pending available lines'.split(' ')
const LINE_HEADERS = 'at type source destination description amount balance transaction_uid line_item_uid'.split(' ')

export const formatAccountsCsv = (accounts: readonly LedgerAccount[]): string =>
  formatCsv([
    ACCOUNT_HEADERS,
    ...accounts.map((account) => [
      account.customer_uid,
      account.customer_name,
      account.book,
      account.uid,
      account.name,
      account.kind,
      account.status,
      account.account_number_last_four,
      account.balance,
      account.pending,
      account.available,
      account.lines,
    ]),
  ])

export const formatLinesCsv = (lines: readonly LedgerLine[]): string =>
  formatCsv([
    LINE_HEADERS,
    ...lines.map((line) => [
      line.at,
      line.type,
      line.source.name,
      line.destination.name,
      line.purpose,
      line.amount,
      line.running,
      line.transaction_uid,
      line.uid,
    ]),
  ])
