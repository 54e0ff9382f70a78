import { z } from 'zod'
import { KycEvaluation, Task } from '../../../api/contract/control.ts'
import {
  CustodialAccountClosingBalance,
  SyntheticAccountClosingBalance,
} from '../../../api/contract/resources/closing-balances.ts'
import { CombinedTransfer } from '../../../api/contract/resources/combined-transfers.ts'
import { CustodialAccount } from '../../../api/contract/resources/custodial-accounts.ts'
import { CustomerProduct } from '../../../api/contract/resources/customer-products.ts'
import { Customer } from '../../../api/contract/resources/customers.ts'
import { Pool } from '../../../api/contract/resources/pools.ts'
import { Product } from '../../../api/contract/resources/products.ts'
import { Program } from '../../../api/contract/resources/programs.ts'
import { Return } from '../../../api/contract/resources/returns.ts'
import { SyntheticAccount, SyntheticAccountType } from '../../../api/contract/resources/synthetic-accounts.ts'
import {
  CustodialLineItem,
  SyntheticLineItem,
  Transaction,
  TransactionEvent,
} from '../../../api/contract/resources/transactions.ts'
import { Transfer } from '../../../api/contract/resources/transfers.ts'
import { VirtualReferenceNumber } from '../../../api/contract/resources/virtual-reference-numbers.ts'
import type { CollectionName } from '../../data/collections.ts'

/** What the contract says of each kind of record, so that every field of it is shown, in its order. */

const shapes: Readonly<Record<CollectionName, z.ZodType>> = {
  programs: Program,
  customers: Customer,
  products: Product,
  synthetic_account_types: SyntheticAccountType,
  pools: Pool,
  customer_products: CustomerProduct,
  custodial_accounts: CustodialAccount,
  synthetic_accounts: SyntheticAccount,
  custodial_account_closing_balances: CustodialAccountClosingBalance,
  synthetic_account_closing_balances: SyntheticAccountClosingBalance,
  kyc_evaluations: KycEvaluation,
  transfers: Transfer,
  transactions: Transaction,
  transaction_events: TransactionEvent,
  synthetic_line_items: SyntheticLineItem,
  custodial_line_items: CustodialLineItem,
  virtual_reference_numbers: VirtualReferenceNumber,
  returns: Return,
  combined_transfers: CombinedTransfer,
  tasks: Task,
}

export interface Leaf {
  /** A path: `details.address.city`, `asset_balances[0].asset_type`. */
  readonly name: string
  readonly value: unknown
}

/**
 * Every field of the contract in its order, and what the record has besides. Objects are walked into; one that is not
 * there is a field of its own.
 */
export const fieldsOf = (collection: CollectionName, record: Readonly<Record<string, unknown>>): Leaf[] =>
  leaves(shapes[collection], record, '')

function leaves(schema: z.ZodType | undefined, value: unknown, path: string): Leaf[] {
  const known = schema && bare(schema)
  if (Array.isArray(value)) {
    const element = known instanceof z.ZodArray ? (known.element as z.ZodType) : undefined
    const isFlat = value.length === 0 || value.some((part) => typeof part !== 'object' || part === null)
    return isFlat ? [{ name: path, value }] : value.flatMap((part, i) => leaves(element, part, `${path}[${i}]`))
  }
  if (typeof value !== 'object' || value === null) return [{ name: path, value }]
  const shape: Readonly<Record<string, z.ZodType>> = known instanceof z.ZodObject ? known.shape : {}
  const has = value as Readonly<Record<string, unknown>>
  const names = new Set([...Object.keys(shape).filter((name) => !isHidden(shape[name]!)), ...Object.keys(has)])
  if (names.size === 0) return [{ name: path, value: [] }]
  return [...names].flatMap((name) => leaves(shape[name], has[name], path === '' ? name : `${path}.${name}`))
}

/** What is write-only is in no answer. */
const isHidden = (schema: z.ZodType) => schema.meta()?.writeOnly === true

function bare(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodOptional || schema instanceof z.ZodNullable
    ? bare(schema.unwrap() as z.ZodType)
    : schema
}
