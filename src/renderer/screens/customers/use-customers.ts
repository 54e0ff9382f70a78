import { useEffect, useState } from 'react'
import type { Customer } from '../../../api/contract/resources/customers.ts'
import { sandbox } from '../../sandbox.ts'
import { useFeed } from '../../stores/feed.ts'

/**
 * All Customers of a Program, newest first. They are read once, page by page; afterwards only those are asked for that
 * a commit has changed, so that the list costs the same whether it holds ten or a hundred thousand.
 */

/** In a list, `details` holds only names and phone. */
export type Summary = Customer

export interface CustomersRead {
  readonly customers: readonly Summary[]
  readonly total: number | undefined
  readonly error: unknown
}

const PAGE = 1_000
const NONE: CustomersRead = { customers: [], total: undefined, error: undefined }

export function useCustomers(program_uid: string | undefined): CustomersRead {
  const everything = useFeed(({ versions }) => versions['*'] ?? 0)
  const [read, setRead] = useState<CustomersRead & { program_uid?: string | undefined }>(NONE)

  // biome-ignore lint/correctness/useExhaustiveDependencies: `everything` says that all may have changed.
  useEffect(() => {
    if (program_uid === undefined) return
    let late = false
    const ask = async (filters: object) => {
      const page = await sandbox['records.list']({
        collection: 'customers',
        program_uid,
        include_initiated: true,
        ...filters,
      })
      return { total: page.total_count, data: page.data as unknown as Summary[] }
    }
    const readAll = async () => {
      const found: Summary[] = []
      for (let total = 1; found.length < total && !late; ) {
        const page = await ask({ limit: PAGE, offset: found.length })
        if (late) return
        found.push(...page.data)
        total = page.data.length === 0 ? found.length : page.total
        // What was there stays until there is as much anew.
        setRead((was) => {
          const same = was.program_uid === program_uid
          const kept = same ? was.customers : []
          const data = found.length >= kept.length || found.length >= total ? unique(found) : kept
          return { customers: data, total: page.total, error: undefined, program_uid }
        })
      }
    }
    const readChanged = async (uids: readonly string[]) => {
      const { data } = await ask({ uid: uids, limit: PAGE })
      if (late || data.length === 0) return
      setRead((was) => {
        const customers = merged(was.customers, data)
        return { ...was, customers, total: Math.max(was.total ?? 0, customers.length), error: undefined }
      })
    }
    const failed = (error: unknown) => {
      if (!late) setRead((was) => ({ ...was, error }))
    }
    readAll().catch(failed)
    const stop = useFeed.subscribe(({ versions, changed }, before) => {
      if (versions.customers === before.versions.customers || versions['*'] !== before.versions['*']) return
      readChanged(changed).catch(failed)
    })
    return () => {
      late = true
      stop()
    }
  }, [program_uid, everything])

  return read.program_uid === program_uid ? read : NONE
}

/** Known ones change in their place; new ones come to the top. */
export function merged(known: readonly Summary[], changed: readonly Summary[]): Summary[] {
  const latest = new Map(changed.map((customer) => [customer.uid, customer]))
  const kept = known.map((customer) => {
    const newer = latest.get(customer.uid)
    latest.delete(customer.uid)
    return newer ?? customer
  })
  return [...latest.values(), ...kept]
}

/** Pages overlap when a Customer arrives between them. */
const unique = (customers: readonly Summary[]) => [...new Map(customers.map((c) => [c.uid, c])).values()]
