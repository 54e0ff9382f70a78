import { useEffect, useRef, useState } from 'react'
import { collectionOfField } from '../data/records.ts'
import { customerOf } from './SchemaForm.tsx'
import { readSampleRecords, type SampleRecords } from './sample-records.ts'
import type { Body } from './use-body.ts'
import type { JsonObject } from './values.ts'

/**
 * The sample records of the Customer that the body names. When another Customer is chosen, the uids in the body that belong
 * to the one before are replaced by those of the new one. The Customer with which the form began gets back at once the records
 * with which it began, so that the body can be sent without waiting for a read.
 */
export function useCustomerRecords(
  program_uid: string,
  initial: SampleRecords,
  body: Body,
  createBody: (records: SampleRecords) => JsonObject,
): SampleRecords {
  const [records, setRecords] = useState(initial)
  const customer = customerOf(body.value)
  /** Without any Customer the body names that of the contract's example, which cannot be read. */
  const began = useRef({ records: initial, customer: initial.customer?.uid ?? customer })
  /** The latest values, for the result of a read. */
  const latest = useRef({ body, records, createBody })
  latest.current = { body, records, createBody }
  useEffect(() => {
    const before = latest.current.records
    if (customer === undefined || customer.length !== UID_LENGTH || customer === before.customer?.uid) return
    const change = (next: SampleRecords) => {
      const { body: now, createBody: create } = latest.current
      now.setValue(replaceUids(now.value, create(before), create(next)))
      setRecords(next)
    }
    if (customer === began.current.customer) {
      if (before !== began.current.records) change(began.current.records)
      return
    }
    let isLate = false
    readSampleRecords(program_uid, { customer }).then(
      (read) => {
        // Which Customers can be onboarded does not depend on the one that the body names.
        const { initiatedCustomers } = began.current.records
        if (!isLate && read.customer?.uid === customer) change({ ...read, initiatedCustomers })
      },
      () => {},
    )
    return () => {
      isLate = true
    }
  }, [customer, program_uid])
  return records
}

const UID_LENGTH = 16

/** Fields of records that still have the value of the former Customer. */
function replaceUids(value: JsonObject, former: JsonObject, next: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => {
      const collection = collectionOfField(name)
      const isReplaced = collection !== undefined && collection !== 'customers' && part === former[name] && name in next
      return [name, isReplaced ? next[name] : part]
    }),
  )
}
