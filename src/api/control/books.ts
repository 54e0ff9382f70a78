import type { Book, LedgerAccount, LedgerLine, LedgerProof, TrialBalance } from '../contract/control.ts'
import type { Page } from '../contract/terms/list.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { inspect } from '../domain/rules/ledger.ts'
import { isNegative, sum } from '../domain/rules/money.ts'
import type { Tx } from '../store/store.ts'
import type {
  CustodialAccountRecord,
  CustodialLineItemRecord,
  SyntheticAccountRecord,
  SyntheticLineItemRecord,
} from '../store/world.ts'

/** The ledger as the operator reads it: both books in one shape. */

const BOOKS: readonly Book[] = ['synthetic', 'custodial']

export function accountsOf(tx: Tx, book: Book | undefined): LedgerAccount[] {
  return BOOKS.filter((one) => book === undefined || one === book).flatMap((one) =>
    one === 'synthetic'
      ? oldestFirst(tx.synthetic_accounts).map((account) =>
          shown(
            one,
            account,
            account.name,
            account.synthetic_account_category,
            tx.synthetic_line_items.count('synthetic_account_uid', account.uid),
          ),
        )
      : oldestFirst(tx.custodial_accounts).map((account) =>
          shown(
            one,
            account,
            account.name ?? account.type,
            account.type,
            tx.custodial_line_items.count('custodial_account_uid', account.uid),
          ),
        ),
  )
}

const shown = (
  book: Book,
  account: SyntheticAccountRecord | CustodialAccountRecord,
  name: string,
  kind: string,
  lines: number,
): LedgerAccount => ({
  book,
  uid: account.uid,
  name,
  program_uid: account.program_uid,
  customer_uid: account.customer_uid,
  pool_uid: account.pool_uid,
  kind,
  liability: account.liability,
  balance: account.book_balance,
  pending: account.net_usd_pending_balance,
  available: account.net_usd_available_balance,
  lines,
})

interface Wanted {
  readonly book?: Book | undefined
  readonly account_uid?: Uid | undefined
  readonly transaction_uid?: Uid | undefined
  readonly limit?: number | undefined
  readonly offset?: number | undefined
}

export function linesOf(tx: Tx, wanted: Wanted): Page<LedgerLine> {
  const { book, account_uid, transaction_uid, limit = 100, offset = 0 } = wanted
  const fits = (account: Uid, transaction: Uid) =>
    (account_uid === undefined || account === account_uid) &&
    (transaction_uid === undefined || transaction === transaction_uid)
  const lines: { made: number; line: LedgerLine }[] = []
  if (book !== 'custodial')
    for (const line of tx.synthetic_line_items.newestFirst())
      if (fits(line.synthetic_account_uid, line.transaction_uid))
        lines.push({ made: line.made, line: lineOf('synthetic', line, line.synthetic_account_uid, tx) })
  if (book !== 'synthetic')
    for (const line of tx.custodial_line_items.newestFirst())
      if (fits(line.custodial_account_uid, line.transaction_uid))
        lines.push({ made: line.made, line: lineOf('custodial', line, line.custodial_account_uid, tx) })
  lines.sort((a, b) => b.made - a.made)
  const data = lines.slice(offset, offset + limit).map(({ line }) => line)
  return { total_count: lines.length, count: data.length, limit, offset, data }
}

function lineOf(
  book: Book,
  line: SyntheticLineItemRecord | CustodialLineItemRecord,
  account_uid: Uid,
  tx: Tx,
): LedgerLine {
  const account = book === 'synthetic' ? tx.synthetic_accounts.get(account_uid) : tx.custodial_accounts.get(account_uid)
  return {
    book,
    uid: line.uid,
    account_uid,
    account_name: account?.name ?? (account && 'type' in account ? account.type : account_uid),
    transaction_uid: line.transaction_uid,
    amount: line.us_dollar_amount,
    running: line.running_us_dollar_balance ?? line.us_dollar_amount,
    description: line.description,
    at: line.settled_at,
  }
}

export function trialBalance(tx: Tx): TrialBalance[] {
  return BOOKS.map((book) => {
    const lines = [...(book === 'synthetic' ? tx.synthetic_line_items : tx.custodial_line_items).newestFirst()]
    const amounts: Money[] = lines.map(({ us_dollar_amount }) => us_dollar_amount)
    return {
      book,
      accounts: (book === 'synthetic' ? tx.synthetic_accounts : tx.custodial_accounts).size,
      lines: lines.length,
      credits: sum(amounts.filter((amount) => !isNegative(amount))),
      debits: sum(amounts.filter(isNegative)),
      total: sum(amounts),
    }
  })
}

/** Every Program keeps books of its own. */
export function prove(programs: readonly Uid[], inProgram: <T>(uid: Uid, work: (tx: Tx) => T) => T): LedgerProof {
  const proofs = programs.map((uid) => inProgram(uid, inspect))
  const checked: Record<string, number> = {}
  for (const proof of proofs)
    for (const [what, count] of Object.entries(proof.checked)) checked[what] = (checked[what] ?? 0) + count
  return {
    balanced: proofs.every(({ balanced }) => balanced),
    checked: { programs: programs.length, ...checked },
    problems: proofs.flatMap(({ problems }) => problems),
  }
}

const oldestFirst = <T>(records: { newestFirst(): Iterable<T> }): T[] => [...records.newestFirst()].reverse()
