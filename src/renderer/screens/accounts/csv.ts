import type { LedgerAccount, LedgerLine } from '../../../api/contract/control.ts'

/** Tables as RFC 4180 writes them. Amounts are plain numbers; a text that a spreadsheet would run is disarmed. */

const HEADS_OF_ACCOUNTS =
  'customer_uid customer book uid name kind status account_number_last_four balance pending available lines'.split(' ')
const HEADS_OF_LINES = 'at type source destination description amount balance transaction_uid line_item_uid'.split(' ')

export const accountsAsCsv = (accounts: readonly LedgerAccount[]): string =>
  csv(HEADS_OF_ACCOUNTS, [
    ...accounts.map((account) => [
      account.customer_uid,
      text(account.customer_name),
      account.book,
      account.uid,
      text(account.name),
      account.kind,
      account.status ?? '',
      account.account_number_last_four ?? '',
      account.balance,
      account.pending ?? '',
      account.available ?? '',
      String(account.lines),
    ]),
  ])

export const linesAsCsv = (lines: readonly LedgerLine[]): string =>
  csv(
    HEADS_OF_LINES,
    lines.map((line) => [
      line.at,
      line.type,
      text(line.source.name),
      text(line.destination.name),
      text(line.purpose),
      line.amount,
      line.running,
      line.transaction_uid,
      line.uid,
    ]),
  )

const csv = (heads: readonly string[], rows: readonly (readonly string[])[]) =>
  [heads, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('')

const quoted = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

/** What somebody stored: `=1+1` stays those four signs. */
const text = (cell: string) => (/^[\s]*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell)
