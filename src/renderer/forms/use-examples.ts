import { useEffect, useRef, useState } from 'react'
import type { ExampleName, ExampleValues } from '../../api/contract/terms/examples.ts'
import type { RecordRef } from '../data/at-hand.ts'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import type { Body } from './BodyText.tsx'
import { customerOf } from './SchemaForm.tsx'
import type { JsonObject } from './values.ts'

/** What the sandbox says about the examples of requests in this world. */

export interface Examples {
  /** The Customer to whom they belong, if they are those of one Customer. */
  readonly customer: string | undefined
  readonly values: ExampleValues
  /** No record is in the state that they need. */
  readonly missing: ReadonlySet<ExampleName>
}

export async function readExamples(program_uid: string, near?: RecordRef | null): Promise<Examples> {
  const read = (input: object) => sandbox['requests.examples']({ program_uid, ...input })
  // The record may be of another Program, or gone.
  const { customer_uid, values, missing } = await (near ? read({ near }).catch(() => read({})) : read({}))
  return {
    customer: customer_uid ?? undefined,
    values: new Map(Object.entries(values) as [ExampleName, string][]),
    missing: new Set(missing as ExampleName[]),
  }
}

/** Without a connection the examples of the contract stay as they are. */
const NONE: Examples = { customer: undefined, values: new Map(), missing: new Set() }

/**
 * Read again when the Program or the world is replaced, but not with every commit: a form must not change while typing. Another
 * `form` begins with the records as they are then.
 */
export function useExamples(
  program_uid: string | undefined,
  near: RecordRef | null | undefined = null,
  form = '',
): Examples | null {
  const key = JSON.stringify([program_uid, near, form])
  const worlds = useFeed(({ versions }) => versions['*'])
  const [read, setRead] = useState<{ key: string; examples: Examples } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` contains the other inputs; `worlds` changes when the world is replaced.
  useEffect(() => {
    if (program_uid === undefined) return
    let isLate = false
    readExamples(program_uid, near)
      .catch(() => NONE)
      .then((examples) => isLate || setRead({ key, examples }))
    return () => {
      isLate = true
    }
  }, [key, worlds])
  return read?.key === key ? read.examples : null
}

/**
 * The examples for the Customer that the body names. When another Customer is chosen, what the body still has of the examples for the
 * one before follows. The Customer with which the form began gets back at once the examples with which it began, so that the body can
 * be sent without waiting for a read.
 */
export function useCustomerExamples(
  program_uid: string,
  initial: Examples,
  body: Body,
  createBody: (examples: Examples) => JsonObject,
): Examples {
  const customer = customerOf(body.value)
  const [began] = useState({ examples: initial, customer })
  const [of, setOf] = useState(began)
  /** The latest values, for the result of a read. */
  const latest = useRef({ body, of, createBody })
  latest.current = { body, of, createBody }
  useEffect(() => {
    if (customer === undefined || customer.length !== UID_LENGTH || customer === latest.current.of.customer) return
    const change = (examples: Examples) => {
      const { body: now, of: before, createBody: create } = latest.current
      now.setValue(followExample(now.value, create(before.examples), create(examples)))
      setOf({ examples, customer })
    }
    if (customer === began.customer) return change(began.examples)
    let isLate = false
    readExamples(program_uid, { collection: 'customers', uid: customer }).then(
      (read) => isLate || read.customer !== customer || change(read),
      () => {},
    )
    return () => {
      isLate = true
    }
  }, [customer, program_uid, began])
  return of.examples
}

const UID_LENGTH = 16

/** Fields that still have the value of the former example get that of the next one. */
const followExample = (value: JsonObject, former: JsonObject, next: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      name in next && JSON.stringify(part) === JSON.stringify(former[name]) ? next[name] : part,
    ]),
  )
