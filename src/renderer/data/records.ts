import { formatTask } from '../../api/contract/messages.ts'
import type { Task } from '../../api/contract/resources/tasks.ts'
import { railOf, type Transfer } from '../../api/contract/resources/transfers.ts'
import { formatAmount } from '../format/text.ts'
import { type CollectionName, isCollection } from './collections.ts'

/** The collection of an API path such as `/transfers/{uid}/cancel`. */
export function collectionOfPath(path: string): CollectionName | undefined {
  const [, first] = path.split('/')
  return isCollection(first) ? first : undefined
}

interface Named {
  readonly uid?: unknown
  readonly name?: unknown
  readonly description?: unknown
  readonly product_name?: unknown
  readonly email?: unknown
  readonly type?: unknown
  readonly details?: { readonly [name: string]: unknown }
}

const joinTexts = (...parts: unknown[]) => parts.filter((part) => typeof part === 'string' && part !== '').join(' ')

/** A short name for any record; null if it has none. */
export function findRecordName(record: Named): string | null {
  const { details, name, description, product_name, email, type } = record
  const person = details && (joinTexts(details.business_name) || joinTexts(details.first_name, details.last_name))
  return [person, name, description, product_name, email, type].map((word) => joinTexts(word)).find(Boolean) ?? null
}

/** A Transfer without a name is called by its rail, any other record by its uid. */
export const recordName = (record: Named): string =>
  findRecordName(record) ?? ('usd_transfer_amount' in record ? railOf(record as Partial<Transfer>) : String(record.uid))

const AMOUNTS = ['net_usd_available_balance', 'total_balance', 'usd_transfer_amount', 'us_dollar_amount'] as const

export function recordAmount(record: Readonly<Record<string, unknown>>): string | null {
  for (const field of AMOUNTS) if (typeof record[field] === 'string') return record[field]
  return null
}

/** Why a task is scheduled and what it will do, without the uid of its record, and with formatted amounts. */
export const taskReason = (task: Pick<Task, 'message' | 'outcome'>) =>
  formatTask(
    task,
    ({ us_dollar_amount, transaction_type }) =>
      `${formatAmount(us_dollar_amount)} by ${transaction_type.replaceAll('_', ' ')}`,
  )

export const recordStatus = (record: Readonly<Record<string, unknown>>): string | null =>
  typeof record.status === 'string' ? record.status : null
