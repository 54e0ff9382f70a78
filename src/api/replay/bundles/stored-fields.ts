import { z } from 'zod'
import { collectionNames, rowOf, type ShownRecord } from '../../contract/collections.ts'
import { ExchangeDetail } from '../../contract/control/exchanges.ts'
import { Cause } from '../../contract/control/history.ts'
import { sentences } from '../../contract/messages.ts'
import { CreateCombinedTransfer } from '../../contract/resources/combined-transfers.ts'
import { ProductRail } from '../../contract/resources/products.ts'
import { type TaskKind, taskKinds, taskRow } from '../../contract/tasks.ts'
import { Money, Timestamp, Uid } from '../../contract/terms/primitives.ts'
import { kycTriggers } from '../../contract/triggers.ts'
import type { CollectionName, RecordOf, StoredRecord } from '../../store/world.ts'

/** The form of what is stored. Private fields are not in a response, so no schema of a response checks them. */

type PrivateField<N extends CollectionName> = Exclude<keyof RecordOf[N], keyof ShownRecord<N> | keyof StoredRecord>
/** Each private field, and others whose form the response leaves open. Does not compile while one is missing. */
type Fields<N extends CollectionName> = {
  readonly [F in keyof RecordOf[N] as F extends PrivateField<N> ? F : never]-?: z.core.$ZodType<RecordOf[N][F]>
} & { readonly [F in keyof RecordOf[N]]?: z.core.$ZodType<RecordOf[N][F]> }

const Rail = z.enum(['book', 'ach', 'wire', 'instant_payment'])
const PaymentRail = z.enum([...Rail.options, 'card', 'custodian'])
const Uids = z.array(Uid)
const Code = z.string().exactOptional()
const inBook = { book_balance: Money }

const fields: {
  readonly [N in CollectionName as PrivateField<N> extends never ? never : N]: Fields<N>
} = {
  programs: {
    former_hmac_keys: z.array(z.string()).exactOptional(),
    token_expirations: z.int().min(0).exactOptional(),
    forced_outcomes: z
      .object({
        last_names: z.record(z.string(), z.enum(kycTriggers.map(({ outcome }) => outcome))),
        names: z.record(z.string(), z.enum(['failure', 'registration failure', 'opening', 'opening failure'])),
        account_numbers: z.record(
          z.string(),
          z.object({
            ach_return: Code,
            return_days: z.int().exactOptional(),
            reversal_refusal: Code,
            noc: Code,
            rejection: Code,
          }),
        ),
      })
      .exactOptional(),
  },
  customers: {
    ssn: z.string().nullable(),
    archival: z
      .object({
        archive_note: z.string().nullable(),
        can_apply_again: z.boolean(),
        destination_synthetic_account_uid: Uid.nullable(),
      })
      .exactOptional(),
  },
  custodial_accounts: inBook,
  synthetic_accounts: { ...inBook, customer_uid: Uid },
  transfers: {
    pool_uid: Uid,
    rail: Rail,
    customer_uid: Uids,
    synthetic_account_uid: Uids,
    purpose: z.literal('archival').exactOptional(),
  },
  transactions: {
    pool_uid: Uid,
    rail: PaymentRail,
    originated: z.boolean(),
    synthetic_account_uid: Uids,
    open_for: Uids,
    settles_at: Timestamp,
    ended_at: Timestamp.exactOptional(),
    will_fail: z
      .object({ failure_code: z.string().exactOptional(), failure_reason: z.string().exactOptional() })
      .exactOptional(),
    comes_back_at: Timestamp.exactOptional(),
    posts_at: Timestamp.exactOptional(),
    check: z.object({ cashed_at: Timestamp.exactOptional() }).exactOptional(),
    original_transaction_uid: Uid.exactOptional(),
    is_re_presented: z.literal(true).exactOptional(),
    card: z
      .object({
        expires: z.literal(true).exactOptional(),
        settles_for: Money.exactOptional(),
        holds: z.array(z.object({ from: Timestamp, us_dollar_amount: Money })).exactOptional(),
      })
      .exactOptional(),
  },
  transaction_events: { transaction_uid: Uid },
  synthetic_line_items: { customer_uid: Uid, pool_uid: Uid },
  custodial_line_items: { customer_uid: Uid },
  products: { rails: z.array(ProductRail) },
  virtual_reference_numbers: {
    customer_uid: Uid,
    turned_at: Timestamp.nullable(),
    registers: z.enum(['register', 'fail']),
  },
  combined_transfers: {
    asked: CreateCombinedTransfer,
    own_side: z.enum(['source', 'destination']).exactOptional(),
    synthetic_account_uid: Uid.nullable(),
    transfer_uid: Uid.nullable(),
  },
  tasks: {
    kind: z.custom<TaskKind>(
      (kind) => typeof kind === 'string' && taskRow(kind) !== undefined,
      'a kind of task is expected',
    ),
    subject_uid: Uid.nullable(),
    recurring: z.boolean(),
    held: z.boolean(),
    failed: z.string().nullable(),
  },
}

const schemas = new Map<string, z.ZodType>(Object.entries(fields).map(([name, shape]) => [name, z.object(shape)]))

/** Every record has these; `made` orders the records of a collection. */
const Stored = z.object({ uid: Uid, program_uid: Uid, made: z.int().min(0) })

/** The form of all that is stored, without words: its digest is `store/form.ts`. */
export const storedForm = () => ({
  records: Object.fromEntries(
    collectionNames.map((name) => [name, [rowOf(name).schema, schemas.get(name) ?? Stored].map(formOf)]),
  ),
  commits: formOf(Cause),
  requests: formOf(ExchangeDetail),
  tasks: Object.keys(taskKinds),
  messages: Object.keys(sentences),
})

const formOf = (schema: z.ZodType) =>
  z.toJSONSchema(schema, {
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      for (const word of ['title', 'description', 'examples', 'deprecated', 'pattern'] as const) delete jsonSchema[word]
    },
  })

/** The first wrong private field of a record, and what is expected. */
export function findWrongField(collection: CollectionName, record: object): string | undefined {
  const error = Stored.safeParse(record).error ?? schemas.get(collection)?.safeParse(record).error
  return error && describeIssue(error)
}

/** The first wrong field, and what is expected. */
export function describeIssue(
  { issues: [issue] }: Pick<z.core.$ZodError, 'issues'>,
  at: readonly string[] = [],
): string {
  return `${[...at, ...(issue?.path ?? [])].join('.') || 'it'}: ${issue?.message ?? 'another form is expected'}`
}
