import type { LedgerAccount } from '../../../api/contract/control/ledger.ts'
import { sumAmounts } from '../../format/text.ts'

/** Groups accounts by Customer, then by kind. Sums are exact: whole cents, never a float. */

export type TreeRow = CustomerRow | GroupRow | AccountRow
export interface CustomerRow {
  readonly kind: 'customer'
  readonly id: string
  readonly name: string
  readonly open: boolean
  readonly settled: string
  readonly pending: string
  readonly available: string
}
interface GroupRow {
  readonly kind: 'group'
  readonly id: string
  readonly title: string
}
export interface AccountRow {
  readonly kind: 'account'
  readonly id: string
  readonly account: LedgerAccount
}

interface TreeFilter {
  readonly q?: string
  readonly status?: readonly string[]
  readonly hideZero?: boolean
  /** The unfolded Customers. A search unfolds all that it finds. */
  readonly open: ReadonlySet<string>
}

interface Tree {
  readonly rows: readonly TreeRow[]
  /** The accounts that match the filter, also those of folded Customers. */
  readonly accounts: readonly LedgerAccount[]
  readonly customers: number
  readonly settled: string
}

const GROUPS = [
  ['general', 'general'],
  ['external', 'external: counterparties, without a balance'],
  ['custodial', 'custodial'],
] as const
type Group = (typeof GROUPS)[number][0]

export const groupOf = ({ book, liability }: LedgerAccount): Group =>
  book === 'custodial' ? 'custodial' : liability ? 'general' : 'external'

export function buildTree(
  all: readonly LedgerAccount[],
  { q = '', status = [], hideZero = false, open }: TreeFilter,
): Tree {
  const text = q.trim().toLowerCase()
  const accounts = all.filter(
    (account) =>
      (status.length === 0 || (account.status !== null && status.includes(account.status))) &&
      (!hideZero || !isZero(account)) &&
      (text === '' || searchText(account).includes(text)),
  )
  const customers = new Map<string, LedgerAccount[]>()
  for (const account of accounts) {
    const own = customers.get(account.customer_uid)
    if (own) own.push(account)
    else customers.set(account.customer_uid, [account])
  }
  const rows: TreeRow[] = []
  for (const [id, own] of customers) {
    const general = own.filter((account) => groupOf(account) === 'general')
    const isOpen = text !== '' || open.has(id)
    rows.push({
      kind: 'customer',
      id,
      name: own[0]!.customer_name,
      open: isOpen,
      settled: sumAmounts(general.map(({ balance }) => balance)),
      pending: sumAmounts(general.map(({ pending }) => pending)),
      available: sumAmounts(general.map(({ available }) => available)),
    })
    if (!isOpen) continue
    for (const [group, title] of GROUPS) {
      const members = own.filter((account) => groupOf(account) === group)
      if (members.length === 0) continue
      rows.push({ kind: 'group', id: `${id} ${group}`, title })
      for (const account of members) rows.push({ kind: 'account', id: account.uid, account })
    }
  }
  const settled = sumAmounts(accounts.flatMap((account) => (groupOf(account) === 'general' ? [account.balance] : [])))
  return { rows, accounts, customers: customers.size, settled }
}

const isZero = ({ balance, pending }: LedgerAccount) => balance === '0.00' && (pending === null || pending === '0.00')

const searchText = ({ name, uid, account_number_last_four, customer_name, customer_uid, kind }: LedgerAccount) =>
  `${name}\n${uid}\n${account_number_last_four ?? ''}\n${customer_name}\n${customer_uid}\n${kind}`.toLowerCase()
