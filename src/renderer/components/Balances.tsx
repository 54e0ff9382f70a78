import { formatAmount } from '../format/text.ts'
import { Amount } from '../ui/Text.tsx'
import { Why } from './Why.tsx'

export const BALANCES = [
  ['settled', 'net_usd_balance'],
  ['pending', 'net_usd_pending_balance'],
  ['available', 'net_usd_available_balance'],
] as const
type BalanceName = (typeof BALANCES)[number][0]

export interface AccountRef {
  readonly collection: 'synthetic_accounts' | 'custodial_accounts'
  readonly uid: string
}

/** The question why a balance of an account is what it is. */
export const questionOf = (account: AccountRef, name: BalanceName, value: string) => ({
  ...account,
  field: BALANCES.find(([word]) => word === name)![1],
  question: `Why is ${formatAmount(value)} ${name}?`,
})

interface BalanceProps {
  readonly of: AccountRef
  readonly name: BalanceName
  readonly value: string | null | undefined
  /** Only current balances have an explanation: the past ones are recomputed without it. */
  readonly isPast?: boolean
  /** The pending amount looks as those of a list do. */
  readonly faint?: boolean
}

/** One balance of an account, with its explanation. */
export function Balance({ of, name, value, isPast = false, faint = false }: BalanceProps) {
  const isPending = name === 'pending'
  const amount = <Amount value={value} movement={isPending} pending={isPending && faint} />
  return typeof value !== 'string' || isPast ? amount : <Why {...questionOf(of, name, value)}>{amount}</Why>
}
