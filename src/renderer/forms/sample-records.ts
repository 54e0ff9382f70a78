import { useEffect, useState } from 'react'
import { collectionNames } from '../../api/contract/collections.ts'
import { endpoints } from '../../api/contract/endpoints.ts'
import { areaCollections, type CollectionName } from '../data/collections.ts'
import { simulatedNow, useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { formatIsoDate } from '../format/time.ts'
import type { ExampleValues } from './example.ts'

/** Records that an example request can refer to: one Customer with its accounts, VRNs and payments. */

type SampleRecord = Readonly<Record<string, unknown>> & { readonly uid: string }

export interface PreferredRecords {
  readonly customer?: string | undefined
  readonly account?: string | undefined
  readonly vrn?: string | undefined
}

export interface SampleRecords {
  readonly today: string
  readonly customer: SampleRecord | undefined
  /** The newest Customer that is not onboarded yet. */
  readonly initiatedCustomer: SampleRecord | undefined
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
  /** The newest record of each collection; for Transactions preferably one that is waiting for authorization. */
  readonly newest: Readonly<Partial<Record<CollectionName, SampleRecord>>>
}

/** Collections with an endpoint; a request can only refer to their records. */
const paths = new Set<string>(Object.values(endpoints).map(({ path }) => path))
const NEWEST = collectionNames.filter((name) => paths.has(`/${name}`))

const PAGE = 50

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

  const preferredVrn = await get(areaCollections.vrns, preferred.vrn)
  const preferredAccount = await get('synthetic_accounts', preferredVrn?.synthetic_account_uid ?? preferred.account)
  const pool = await get('pools', preferredAccount?.pool_uid)
  const preferredCustomer = await get('customers', pool?.owner_customer_uid ?? preferred.customer)
  const [active, initiated, awaiting, types, products, ...newest] = await Promise.all([
    list('customers', { status: ['active'] }),
    list('customers', { status: ['initiated'], include_initiated: true }, 1),
    list('transactions', { status: ['authorization_pending'] }, 1),
    list('synthetic_account_types'),
    list('products'),
    ...NEWEST.map((name) => list(name, {}, 1)),
  ])
  const open = active.filter(
    ({ locked_at, pool_uids }) => locked_at === null && Array.isArray(pool_uids) && pool_uids.length > 0,
  )
  const all = await list(areaCollections.vrns, { status: ['active'] })
  const vrnsOf = (accounts: readonly SampleRecord[]) =>
    all.filter(({ synthetic_account_uid }) => accounts.some(({ uid }) => uid === synthetic_account_uid))

  // Prefer a Customer with VRNs: more kinds of requests are possible.
  const candidates = preferredCustomer ? [preferredCustomer] : open.slice(0, 5)
  let chosen = { customer: candidates[0], accounts: [] as SampleRecord[], vrns: [] as SampleRecord[] }
  for (const customer of candidates) {
    const accounts = await list('synthetic_accounts', { customer_uid: [customer.uid], status: ['active'] })
    const vrns = vrnsOf(accounts)
    if (chosen.accounts.length === 0 || vrns.length > chosen.vrns.length) chosen = { customer, accounts, vrns }
  }
  const first = (preferred: SampleRecord | undefined, records: readonly SampleRecord[]) =>
    preferred ? [preferred, ...records.filter(({ uid }) => uid !== preferred.uid)] : records
  const general = chosen.accounts
    .filter(({ synthetic_account_category }) => synthetic_account_category === 'general')
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
  return {
    today: formatIsoDate(simulatedNow(useFeed.getState())),
    customer: chosen.customer,
    initiatedCustomer: initiated[0],
    generalAccounts: first(preferredAccount, general),
    externalAccounts: chosen.accounts.filter(
      ({ synthetic_account_category }) => synthetic_account_category !== 'general',
    ),
    vrns: first(preferredVrn, chosen.vrns),
    accountTypes: types,
    products,
    returnable: settled.filter(
      ({ transfer_uid, type, ach }) =>
        transfer_uid !== null && type === 'ach' && (ach as { ach_return_code?: string })?.ach_return_code == null,
    ),
    receivedWire: settled.find(({ transfer_uid, type }) => transfer_uid === null && type === 'wire'),
    newest: {
      ...Object.fromEntries(NEWEST.map((name, at) => [name, newest[at]?.[0]])),
      ...(awaiting[0] ? { transactions: awaiting[0] } : {}),
    },
  }
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
  } = facts
  const ach = external.find(({ synthetic_account_category }) => synthetic_account_category === 'ach_external')
  const uids: Readonly<Record<string, string | undefined>> = {
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
      return (name && uids[name]) || newest[`${stem}s` as CollectionName]?.uid
    },
  }
}

/** Read again when the Program or the world is replaced, but not with every commit: a form must not change while typing. */
export function useSampleRecords(program_uid: string | undefined, preferred: PreferredRecords): SampleRecords | null {
  const key = JSON.stringify([program_uid, preferred])
  const worlds = useFeed(({ versions }) => versions['*'])
  const [read, setRead] = useState<{ key: string; facts: SampleRecords } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` contains the other inputs; `worlds` changes when the world is replaced.
  useEffect(() => {
    if (program_uid === undefined) return
    let isLate = false
    readSampleRecords(program_uid, preferred).then(
      (facts) => isLate || setRead({ key, facts }),
      // Without a connection the examples of the contract are used.
      () => isLate || setRead({ key, facts: { ...NOTHING, today: formatIsoDate(simulatedNow(useFeed.getState())) } }),
    )
    return () => {
      isLate = true
    }
  }, [key, worlds])
  return read?.key === key ? read.facts : null
}

const NOTHING: SampleRecords = {
  today: '',
  customer: undefined,
  initiatedCustomer: undefined,
  generalAccounts: [],
  externalAccounts: [],
  vrns: [],
  accountTypes: [],
  returnable: [],
  receivedWire: undefined,
  products: [],
  newest: {},
}
