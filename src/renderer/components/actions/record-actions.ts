import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { endpoints } from '../../../api/contract/endpoints.ts'
import { machines } from '../../../api/contract/machines.ts'
import { findMisfit } from '../../../api/contract/network-codes.ts'
import { achReturnFor } from '../../../api/contract/triggers.ts'
import type { RecordRef } from '../../data/at-hand.ts'
import { createExample } from '../../forms/example.ts'
import { exampleValuesFrom, type SampleRecords } from '../../forms/sample-records.ts'
import { shapeOf } from '../../forms/shape.ts'
import { isJsonObject, type JsonObject } from '../../forms/values.ts'

/** What a client can do with a record: requests of the API, with the record filled in. */

export interface RecordAction {
  readonly id: string
  readonly label: string
  /** The same in the palette, which names the record. */
  readonly command: string
  readonly endpoint: EndpointName
  /** The uid in the path. */
  readonly uid?: string
  readonly body: (records: SampleRecords) => JsonObject
  /** Why the API would refuse it now; null if it is possible as far as the record shows. */
  readonly whyNot: string | null
}

type Fields = Readonly<Record<string, unknown>>

export function listRecordActions({ collection, uid }: RecordRef, fields: Fields): readonly RecordAction[] {
  switch (collection) {
    case 'customers':
      return customerActions(uid, fields)
    case 'synthetic_accounts':
      return accountActions(uid, fields)
    case 'transfers':
      return [cancelTransfer(uid, fields), returnTransaction(firstOf(fields.transaction_uids), fields, true)]
    case 'transactions':
      return [returnTransaction(uid, fields, fields.transfer_uid !== null)]
    default:
      return []
  }
}

const exampleBody = (endpoint: EndpointName, records: SampleRecords): JsonObject => {
  const declared = endpoints[endpoint]
  return 'body' in declared ? (createExample(shapeOf(declared.body), exampleValuesFrom(records)) as JsonObject) : {}
}

function customerActions(uid: string, fields: Fields): RecordAction[] {
  const { status } = fields
  const whyNot = describeLock('Customer', fields) ?? expectStatus('Customer', status, ['active'])
  return [
    {
      id: 'transfer',
      label: 'Transfer',
      command: 'Transfer from this Customer',
      endpoint: 'createTransfer',
      body: (records) => ({ ...transferBody(records), initiating_customer_uid: uid }),
      whyNot,
    },
    {
      id: 'vrn',
      label: 'Create VRN',
      command: 'Create VRN for this Customer',
      endpoint: 'createVirtualReferenceNumber',
      body: (records) => exampleBody('createVirtualReferenceNumber', records),
      whyNot,
    },
    {
      id: 'archive',
      label: 'Archive',
      command: 'Archive this Customer',
      endpoint: 'archiveCustomer',
      uid,
      body: ({ externalAccounts }) => ({
        archive_note: 'At the request of the Customer',
        // Required if the Customer has several external accounts.
        ...(externalAccounts.length > 1 ? { destination_synthetic_account_uid: externalAccounts[0]!.uid } : {}),
      }),
      whyNot: expectStatus('Customer', status, machines.customer.moves.archive.from),
    },
  ]
}

function accountActions(uid: string, fields: Fields): RecordAction[] {
  const { status, synthetic_account_category: category, liability } = fields
  const isGeneral = category === 'general'
  const isSource = isGeneral || forcesReturnOfDebits(fields)
  const whyNot =
    isGeneral && liability === false
      ? 'The account is not a Customer’s.'
      : expectStatus('Synthetic Account', status, ['active'])
  return [
    {
      id: 'transfer',
      label: isSource ? 'Transfer from this account' : 'Transfer to this account',
      command: isSource ? 'Transfer from this account' : 'Transfer to this account',
      endpoint: 'createTransfer',
      body: (records) => {
        if (isSource && !isGeneral)
          return {
            ...exampleBody('createTransfer', records),
            source_synthetic_account_uid: uid,
            destination_synthetic_account_uid: records.generalAccounts[0]?.uid ?? '',
          }
        const { ach, ...body } = transferBody(records)
        if (isGeneral) return { ...body, source_synthetic_account_uid: uid, ...(ach === undefined ? {} : { ach }) }
        const isAch = category === 'ach_external' && ach !== undefined
        return { ...body, destination_synthetic_account_uid: uid, ...(isAch ? { ach } : {}) }
      },
      whyNot,
    },
    {
      id: 'vrn',
      label: 'Create VRN',
      command: 'Create VRN for this account',
      endpoint: 'createVirtualReferenceNumber',
      body: (records) => ({ ...exampleBody('createVirtualReferenceNumber', records), synthetic_account_uid: uid }),
      whyNot: isGeneral ? whyNot : 'Only a general account can have a VRN.',
    },
  ]
}

/** The number of a counterparty can force a return that is possible for debits only, such as R01: it cannot be paid then. */
function forcesReturnOfDebits({ synthetic_account_category: category, account_number_last_four: digits }: Fields) {
  const code = category === 'ach_external' ? achReturnFor(String(digits)) : undefined
  return code !== undefined && findMisfit(code, 'credit') !== undefined
}

/** Details of ACH belong to a Transfer to an ACH counterparty only. */
function transferBody(records: SampleRecords): JsonObject {
  const { ach, ...body } = exampleBody('createTransfer', records)
  const destination = records.externalAccounts.find(({ uid }) => uid === body.destination_synthetic_account_uid)
  return { ...body, ...(destination?.synthetic_account_category === 'ach_external' ? { ach } : {}) }
}

const cancelTransfer = (uid: string, { status }: Fields): RecordAction => ({
  id: 'cancel',
  label: 'Cancel',
  command: 'Cancel this Transfer',
  endpoint: 'cancelTransfer',
  uid,
  body: () => ({ cancellation_reason: 'Sent twice' }),
  whyNot: expectStatus('Transfer', status, machines.transfer.moves.cancel.from),
})

/** Of a Transfer its first Transaction is returned. */
function returnTransaction(uid: string | undefined, fields: Fields, isOwn: boolean): RecordAction {
  const customer = fields.customer_uid ?? fields.initiating_customer_uid
  const isReceivedAch = fields.type === 'ach' && !isOwn
  return {
    id: 'return',
    label: isOwn ? 'Reverse' : 'Return',
    command: isOwn ? 'Reverse this payment' : 'Return this Transaction',
    endpoint: 'createReturn',
    body: () => ({
      original_transaction_uid: uid ?? '',
      requesting_customer_uid: customer ?? '',
      requestor_type: 'customer',
      return_reason: 'Sent by mistake',
      // R23 refuses a credit, R10 a debit.
      ...(isReceivedAch ? { ach: { ach_return_code: fields.net_asset === 'positive' ? 'R23' : 'R10' } } : {}),
    }),
    whyNot: uid === undefined ? 'It has no Transaction yet.' : whyNoReturn(fields, isOwn),
  }
}

function whyNoReturn(fields: Fields, isOwn: boolean): string | null {
  const { type, status, ach, wire, instant_payment } = fields
  if ((fields.us_dollar_amount ?? fields.usd_transfer_amount) === '0.00') return 'It moved no money.'
  const isTransfer = type === undefined
  const rail = isTransfer ? (ach ? 'ach' : wire ? 'wire' : instant_payment ? 'instant_payment' : 'book') : type
  if (String(rail).includes('return') || String(rail).startsWith('initiated_')) return 'A return cannot be returned.'
  if (isOwn && rail !== 'ach') return 'Only an ACH of the Client can be reversed.'
  if (rail !== 'ach' && rail !== 'wire') return 'Only an ACH or a wire can be returned.'
  if (isReturned(fields)) return 'It was returned already.'
  return expectStatus(isTransfer ? 'Transfer' : 'Transaction', status, ['settled'])
}

/** By a Return of the Client, or by another bank: a further Transaction of the same Transfer. */
const isReturned = ({ return_uid, transaction_uids, ach }: Fields): boolean =>
  Boolean(return_uid) ||
  (Array.isArray(transaction_uids) && transaction_uids.length > 1) ||
  (isJsonObject(ach) && Boolean(ach.ach_return_code))

const describeLock = (what: string, { locked_at }: Fields) =>
  typeof locked_at === 'string' ? `The ${what} is locked.` : null

const expectStatus = (what: string, status: unknown, expected: readonly string[]) =>
  expected.includes(String(status)) ? null : `The ${what} is ${String(status)}.`

const firstOf = (uids: unknown) => (Array.isArray(uids) && typeof uids[0] === 'string' ? uids[0] : undefined)
