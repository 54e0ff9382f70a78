import { useEffect, useState } from 'react'
import { collectionNames } from '../../api/contract/collections.ts'
import { endpoints } from '../../api/contract/endpoints.ts'
import { achReturnFor, nocFor } from '../../api/contract/triggers.ts'
import type { RecordRef } from '../data/at-hand.ts'
import { areaCollections, type CollectionName } from '../data/collections.ts'
import { customerFilter, isShared } from '../data/customer-scope.ts'
import { simulatedNow, useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { formatIsoDate } from '../format/time.ts'
import type { ExampleValues } from './example.ts'

/** Records that an example request can refer to: one Customer with its accounts, VRNs and payments. */

type SampleRecord = Readonly<Record<string, unknown>> & { readonly uid: string }

interface PreferredRecords {
  readonly customer?: string | undefined
  readonly account?: string | undefined
  readonly vrn?: string | undefined
  /** Any record, if none of the others is given. */
  readonly record?: RecordRef | null | undefined
}

export interface SampleRecords {
  readonly today: string
  /** The newest commit at the time of reading: makes the names and numbers of new records unique. */
  readonly seq: number
  /** True if a Customer or one of its records was preferred: then no sample belongs to another Customer. */
  readonly isChosen: boolean
  readonly customer: SampleRecord | undefined
  /** The Customers to onboard: the preferred one, else those that are not onboarded yet, newest first. */
  readonly initiatedCustomers: readonly SampleRecord[]
  /** Active general accounts of the Customer, the preferred one first. */
  readonly generalAccounts: readonly SampleRecord[]
  readonly externalAccounts: readonly SampleRecord[]
  readonly vrns: readonly SampleRecord[]
  readonly accountTypes: readonly SampleRecord[]
  /** Settled ACH Transactions of the Customer's own Transfers, not returned. */
  readonly returnable: readonly SampleRecord[]
  /** A settled wire from outside, not returned: its Return needs no code. */
  readonly receivedWire: SampleRecord | undefined
  readonly products: readonly SampleRecord[]
  /**
   * The newest record of each collection, of the Customer if it has one; for Transactions preferably one that is waiting for
   * authorization. If a record was preferred, it is that of its collection.
   */
  readonly newest: Readonly<Partial<Record<CollectionName, SampleRecord>>>
}

/** Collections with an endpoint; a request can only refer to their records. */
const paths = new Set<string>(Object.values(endpoints).map(({ path }) => path))
const NEWEST = collectionNames.filter((name) => paths.has(`/${name}`))

const PAGE = 50

/** The date in New York. */
export const simulatedToday = () => formatIsoDate(simulatedNow(useFeed.getState()))

export async function readSampleRecords(program_uid: string, preferred: PreferredRecords): Promise<SampleRecords> {
  const list = async (collection: CollectionName, filters: object = {}, limit = PAGE): Promise<SampleRecord[]> =>
    (await sandbox['records.list']({ collection, program_uid, limit, ...filters })).data as SampleRecord[]
  const get = (collection: CollectionName, uid: unknown): Promise<SampleRecord | undefined> =>
    typeof uid !== 'string'
      ? Promise.resolve(undefined)
      : sandbox['records.get']({ collection, uid }).then(
          (record) => record as SampleRecord,
          () => undefined,
        )

  const held = await findPreferred(get, program_uid, preferred)
  const { customer: preferredCustomer, account: preferredAccount, vrn: preferredVrn } = held
  const [{ seq }, active, initiated, types, products] = await Promise.all([
    sandbox['world.describe']({}),
    list('customers', { status: ['active'] }),
    list('customers', { status: ['initiated'], include_initiated: true }),
    list('synthetic_account_types'),
    list('products'),
  ])
  const open = active.filter(
    ({ locked_at, pool_uids }) => locked_at === null && Array.isArray(pool_uids) && pool_uids.length > 0,
  )
  const vrnsOf = async (accounts: readonly SampleRecord[]) => {
    const filter = customerFilter(
      areaCollections.vrns,
      '',
      accounts.map(({ uid }) => uid),
    )
    return filter === null ? [] : list(areaCollections.vrns, { status: ['active'], ...filter })
  }

  // Prefer a Customer with VRNs: more kinds of requests are possible.
  const candidates = preferredCustomer ? [preferredCustomer] : open.slice(0, 5)
  let chosen = { customer: candidates[0], accounts: [] as SampleRecord[], vrns: [] as SampleRecord[] }
  for (const customer of candidates) {
    const accounts = await list('synthetic_accounts', { customer_uid: [customer.uid], status: ['active'] })
    const vrns = await vrnsOf(accounts)
    if (chosen.accounts.length === 0 || vrns.length > chosen.vrns.length) chosen = { customer, accounts, vrns }
  }
  const first = (preferred: SampleRecord | undefined, records: readonly SampleRecord[]) =>
    preferred ? [preferred, ...records.filter(({ uid }) => uid !== preferred.uid)] : records
  const general = chosen.accounts
    .filter(isGeneral)
    .sort((a, b) => Number(b.net_usd_available_balance) - Number(a.net_usd_available_balance))
  const settled = chosen.customer
    ? (
        await list('transactions', {
          customer_uid: [chosen.customer.uid],
          type: ['ach', 'wire'],
          status: ['settled'],
        })
      ).filter(({ return_uid }) => return_uid === null)
    : []
  const newest = await readNewest(list, chosen.customer?.uid, chosen.accounts, preferredCustomer !== undefined)
  const isPreferredGeneral = preferredAccount !== undefined && isGeneral(preferredAccount)
  const external = chosen.accounts.filter((account) => !isGeneral(account))
  return {
    today: simulatedToday(),
    seq,
    isChosen: preferredCustomer !== undefined,
    customer: chosen.customer,
    initiatedCustomers: preferredCustomer ? [preferredCustomer] : initiated,
    generalAccounts: first(isPreferredGeneral ? preferredAccount : undefined, general),
    externalAccounts: first(isPreferredGeneral ? undefined : preferredAccount, external),
    vrns: first(preferredVrn, chosen.vrns),
    accountTypes: types,
    products,
    returnable: settled.filter(
      ({ transfer_uid, type, ach }) =>
        transfer_uid !== null && type === 'ach' && (ach as { ach_return_code?: string })?.ach_return_code == null,
    ),
    receivedWire: settled.find(({ transfer_uid, type }) => transfer_uid === null && type === 'wire'),
    newest: {
      ...newest,
      ...(chosen.customer ? { customers: chosen.customer } : {}),
      ...(held.record ? { [held.record.collection]: held.record.fields } : {}),
    },
  }
}

const isGeneral = ({ synthetic_account_category }: SampleRecord) => synthetic_account_category === 'general'

type List = (collection: CollectionName, filters?: object, limit?: number) => Promise<SampleRecord[]>

/** Of the Customer; without `isChosen` those of the Program where the Customer has none. */
async function readNewest(
  list: List,
  customer: string | undefined,
  accounts: readonly SampleRecord[],
  isChosen: boolean,
): Promise<SampleRecords['newest']> {
  const uids = accounts.map(({ uid }) => uid)
  const find = async (name: CollectionName): Promise<SampleRecord | undefined> => {
    const filter = customer === undefined ? null : customerFilter(name, customer, uids)
    const own = filter && name === 'transactions' && (await list(name, { ...filter, status: WAITING }, 1))[0]
    const found = own || (filter && (await list(name, filter, 1))[0])
    if (found || (isChosen && !isShared(name))) return found || undefined
    const waiting = name === 'transactions' ? (await list(name, { status: WAITING }, 1))[0] : undefined
    return waiting ?? (await list(name, {}, 1))[0]
  }
  const found = await Promise.all(NEWEST.map(find))
  return Object.fromEntries(NEWEST.map((name, at) => [name, found[at]]))
}
const WAITING = ['authorization_pending']

type Get = (collection: CollectionName, uid: unknown) => Promise<SampleRecord | undefined>

interface PreferredSamples {
  readonly customer?: SampleRecord | undefined
  readonly account?: SampleRecord | undefined
  readonly vrn?: SampleRecord | undefined
  readonly record?: { readonly collection: CollectionName; readonly fields: SampleRecord }
}

/** The preferred records with their Customer; nothing if they belong to another Program. */
async function findPreferred(get: Get, program_uid: string, preferred: PreferredRecords): Promise<PreferredSamples> {
  const { collection, uid } = (!preferred.customer && !preferred.account && !preferred.vrn && preferred.record) || {}
  const fields = collection && (await get(collection, uid))
  const of = (name: CollectionName, given: string | undefined) =>
    collection === name ? Promise.resolve(fields) : get(name, given)
  const vrn = await of(areaCollections.vrns, preferred.vrn)
  const account = await of(
    'synthetic_accounts',
    text(vrn?.synthetic_account_uid) ?? preferred.account ?? text(fields?.synthetic_account_uid),
  )
  const pool = await of('pools', text(account?.pool_uid) ?? text(fields?.pool_uid))
  const transaction =
    fields?.transaction_uid === undefined ? undefined : await get('transactions', fields.transaction_uid)
  const { transfer } = (fields ?? {}) as { transfer?: SampleRecord }
  const customer = await of(
    'customers',
    text(pool?.owner_customer_uid) ??
      preferred.customer ??
      text(fields?.customer_uid) ??
      text(fields?.initiating_customer_uid) ??
      text(transfer?.initiating_customer_uid) ??
      text(transaction?.customer_uid),
  )
  if (customer?.program_uid !== program_uid) return {}
  return { customer, account, vrn, ...(collection && fields ? { record: { collection, fields } } : {}) }
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** The number of some counterparties forces a return or a notification: an example should settle. */
const forcesNothing = ({ account_number_last_four }: SampleRecord) => {
  const digits = String(account_number_last_four)
  return achReturnFor(digits) === undefined && nocFor(digits) === undefined
}

/** The uids of the samples, by the names of the fields that refer to them. */
export function exampleValuesFrom(facts: SampleRecords): ExampleValues {
  const {
    customer,
    generalAccounts: general,
    externalAccounts: external,
    vrns,
    accountTypes: types,
    products,
    returnable,
    receivedWire,
    newest,
    isChosen,
  } = facts
  const counterparties = external.filter(({ synthetic_account_category: of }) => of === 'ach_external')
  const ach = counterparties.find(forcesNothing) ?? counterparties[0]
  const uids: Readonly<Record<string, string | undefined>> = {
    newest_transaction: newest.transactions?.uid,
    newest_synthetic_account: newest.synthetic_accounts?.uid,
    customer: customer?.uid,
    pool: (customer?.pool_uids as string[] | undefined)?.[0],
    // A Product without prerequisites, so that the example can be sent at once.
    product: (products.find((one) => [one.prerequisite_product_uids].flat().length === 0) ?? products[0])?.uid,
    synthetic_account_type: types.find(({ synthetic_account_category: of }) => of === 'ach_external')?.uid,
    destination_synthetic_account: ach?.uid ?? general[1]?.uid,
    synthetic_account: general[0]?.uid,
    virtual_reference_number: vrns[0]?.uid,
    original_transaction: receivedWire?.uid ?? newest.transactions?.uid,
    transaction: returnable[0]?.uid ?? newest.transactions?.uid,
  }
  return {
    today: facts.today,
    uid: (field, parent) => {
      const stem = field === 'uid' ? parent : field.replace(/_uids?$/, '')
      const name = Object.keys(uids).find((one) => stem === one || stem.endsWith(`_${one}`))
      const found = (name && uids[name]) || newest[`${stem}s` as CollectionName]?.uid
      // An empty field, rather than a record of another Customer or of the contract's example.
      return found ?? (isChosen ? '' : undefined)
    },
  }
}

/**
 * Read again when the Program or the world is replaced, but not with every commit: a form must not change while typing. Another
 * `form` begins with the records as they are then.
 */
export function useSampleRecords(
  program_uid: string | undefined,
  preferred: PreferredRecords,
  form = '',
): SampleRecords | null {
  const key = JSON.stringify([program_uid, preferred, form])
  const worlds = useFeed(({ versions }) => versions['*'])
  const [read, setRead] = useState<{ key: string; facts: SampleRecords } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` contains the other inputs; `worlds` changes when the world is replaced.
  useEffect(() => {
    if (program_uid === undefined) return
    let isLate = false
    readSampleRecords(program_uid, preferred).then(
      (facts) => isLate || setRead({ key, facts }),
      // Without a connection the examples of the contract are used.
      () => isLate || setRead({ key, facts: { ...NOTHING, today: simulatedToday() } }),
    )
    return () => {
      isLate = true
    }
  }, [key, worlds])
  return read?.key === key ? read.facts : null
}

const NOTHING: SampleRecords = {
  today: '',
  seq: 0,
  isChosen: false,
  customer: undefined,
  initiatedCustomers: [],
  generalAccounts: [],
  externalAccounts: [],
  vrns: [],
  accountTypes: [],
  returnable: [],
  receivedWire: undefined,
  products: [],
  newest: {},
}
