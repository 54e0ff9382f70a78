import { useMemo, useState } from 'react'
import type { Task } from '../../api/contract/resources/tasks.ts'
import { useFeed } from './feed.ts'
import { useQuery } from './use-query.ts'

/** What is scheduled for a Customer: its own tasks, and those of its payments and of its KYC/AML evaluations. */

interface CustomerTask {
  readonly task: Task
  readonly payment: Readonly<Record<string, unknown>> | undefined
}

/** More tasks of other records are not looked up. */
const MAX_SUBJECTS = 1_000
const FIELDS = ['type', 'status', 'us_dollar_amount', 'net_asset']

/** By due time; undefined until it is known. Without a Customer nothing is asked for. */
export function useCustomerTasks(customer: string | null): readonly CustomerTask[] | undefined {
  const tasks = useFeed((feed) => feed.tasks)
  const sorted = useMemo(
    () => tasks.filter(({ record }) => record !== null).sort((a, b) => (a.due_at < b.due_at ? -1 : 1)),
    [tasks],
  )
  const others = [...new Set(sorted.map(({ record }) => record!))].filter((uid) => uid !== customer)
  const isAsked = customer !== null && others.length > 0
  const filters = { customer_uid: [customer ?? ''], uids: others.slice(0, MAX_SUBJECTS), limit: MAX_SUBJECTS }
  const { data: payments } = useQuery(
    'records.list',
    isAsked ? { collection: 'transactions', ...filters, fields: FIELDS, include_zero: true } : null,
    ['transactions'],
  )
  const { data: evaluations } = useQuery(
    'records.list',
    isAsked ? { collection: 'kyc_evaluations', ...filters } : null,
    ['kyc_evaluations'],
  )
  const found = useMemo(() => {
    if (customer === null) return NONE
    if (isAsked && !(payments && evaluations)) return undefined
    const paymentOf = new Map((payments?.data ?? []).map((payment) => [String(payment.uid), payment]))
    const subjects = new Set([
      customer,
      ...paymentOf.keys(),
      ...(evaluations?.data ?? []).map(({ uid }) => String(uid)),
    ])
    return sorted
      .filter(({ record }) => subjects.has(record!))
      .map((task) => ({ task, payment: paymentOf.get(task.record!) }))
  }, [customer, isAsked, payments, evaluations, sorted])
  // Each change of the tasks is another question: until it is answered, the tasks that are still scheduled stay.
  const [last, setLast] = useState({ customer, found })
  if (found && (found !== last.found || customer !== last.customer)) setLast({ customer, found })
  const remaining = last.customer === customer ? last.found?.filter(({ task }) => sorted.includes(task)) : undefined
  return found ?? remaining
}

const NONE: readonly CustomerTask[] = []
