import { useEffect, useState } from 'react'
import { collectionNames } from '../../api/contract/collections.ts'
import { endpoints } from '../../api/contract/endpoints.ts'
import { areaCollections, type CollectionName } from '../data/collections.ts'
import { simulatedNow, useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { formatIsoDate } from '../format/time.ts'
import type { ExampleValues } from './example.ts'

/** Records of this world that a request can name: one Customer with what belongs to it. */

type Row = Readonly<Record<string, unknown>> & { readonly uid: string }

export interface PreferredRecords {
  readonly customer?: string | undefined
  readonly account?: string | undefined
  readonly vrn?: string | undefined
}

export interface SampleRecords {
  readonly today: string
  readonly customer: Row | undefined
  /** The newest Customer that waits to be onboarded. */
  readonly initiatedCustomer: Row | undefined
  /** Active general accounts of the Customer, the one that is meant first. */
  readonly generalAccounts: readonly Row[]
  readonly externalAccounts: readonly Row[]
  readonly vrns: readonly Row[]
  /** External types by their category. */
  readonly accountTypes: readonly Row[]
  /** ACH that the Customer began, settled, and that has not come back. */
  readonly returnable: readonly Row[]
  /** ACH by which somebody drew on the Customer, settled, and that was not returned. */
  readonly receivedDebit: Row | undefined
  readonly products: readonly Row[]
  /** The newest of each collection; of Transactions one that awaits authorization, if there is one. */
  readonly newest: Readonly<Partial<Record<CollectionName, Row>>>
}

/** The collections with an endpoint: only their records can be named in a request. */
const paths = new Set<string>(Object.values(endpoints).map(({ path }) => path))
const NEWEST = collectionNames.filter((name) => paths.has(`/${name}`))

const MANY = 50

export async function readSampleRecords(program_uid: string, wish: PreferredRecords): Promise<SampleRecords> {
  const list = async (collection: CollectionName, filters: object = {}, limit = MANY): Promise<Row[]> =>
    (await sandbox['records.list']({ collection, program_uid, limit, ...filters })).data as Row[]
  const get = (collection: CollectionName, uid: unknown): Promise<Row | undefined> =>
    typeof uid !== 'string'
      ? Promise.resolve(undefined)
      : sandbox['records.get']({ collection, uid }).then(
          (record) => record as Row,
          () => undefined,
        )

  const wishedVrn = await get(areaCollections.vrns, wish.vrn)
  const wishedAccount = await get('synthetic_accounts', wishedVrn?.synthetic_account_uid ?? wish.account)
  const pool = await get('pools', wishedAccount?.pool_uid)
  const wishedCustomer = await get('customers', pool?.owner_customer_uid ?? wish.customer)
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
  const vrnsOf = (accounts: readonly Row[]) =>
    all.filter(({ synthetic_account_uid }) => accounts.some(({ uid }) => uid === synthetic_account_uid))

  // Of several Customers one that has VRNs has the most to try.
  const candidates = wishedCustomer ? [wishedCustomer] : open.slice(0, 5)
  let chosen = { customer: candidates[0], accounts: [] as Row[], vrns: [] as Row[] }
  for (const customer of candidates) {
    const accounts = await list('synthetic_accounts', { customer_uid: [customer.uid], status: ['active'] })
    const vrns = vrnsOf(accounts)
    if (chosen.accounts.length === 0 || vrns.length > chosen.vrns.length) chosen = { customer, accounts, vrns }
  }
  const first = (wished: Row | undefined, records: readonly Row[]) =>
    wished ? [wished, ...records.filter(({ uid }) => uid !== wished.uid)] : records
  const general = chosen.accounts
    .filter(({ synthetic_account_category }) => synthetic_account_category === 'general')
    .sort((a, b) => Number(b.net_usd_available_balance) - Number(a.net_usd_available_balance))
  const settled = chosen.customer
    ? (await list('transactions', { customer_uid: [chosen.customer.uid], type: ['ach'], status: ['settled'] })).filter(
        ({ return_uid }) => return_uid === null,
      )
    : []
  return {
    today: formatIsoDate(simulatedNow(useFeed.getState())),
    customer: chosen.customer,
    initiatedCustomer: initiated[0],
    generalAccounts: first(wishedAccount, general),
    externalAccounts: chosen.accounts.filter(
      ({ synthetic_account_category }) => synthetic_account_category !== 'general',
    ),
    vrns: first(wishedVrn, chosen.vrns),
    accountTypes: types,
    products,
    returnable: settled.filter(({ transfer_uid }) => transfer_uid !== null),
    receivedDebit: settled.find(({ transfer_uid, net_asset }) => transfer_uid === null && net_asset === 'negative'),
    newest: {
      ...Object.fromEntries(NEWEST.map((name, at) => [name, newest[at]?.[0]])),
      ...(awaiting[0] ? { transactions: awaiting[0] } : {}),
    },
  }
}

/** The uid that a field of this name may have. */
export function exampleValuesFrom(facts: SampleRecords): ExampleValues {
  const {
    customer,
    generalAccounts: general,
    externalAccounts: external,
    vrns,
    accountTypes: types,
    products,
    returnable,
    receivedDebit: drawn,
    newest,
  } = facts
  const ach = external.find(({ synthetic_account_category }) => synthetic_account_category === 'ach_external')
  const uids: Readonly<Record<string, string | undefined>> = {
    customer: customer?.uid,
    pool: (customer?.pool_uids as string[] | undefined)?.[0],
    // One that no other must come before: it is the one to begin with.
    product: (products.find((one) => [one.prerequisite_product_uids].flat().length === 0) ?? products[0])?.uid,
    synthetic_account_type: types.find(({ synthetic_account_category: of }) => of === 'ach_external')?.uid,
    destination_synthetic_account: ach?.uid ?? general[1]?.uid,
    synthetic_account: general[0]?.uid,
    virtual_reference_number: vrns[0]?.uid,
    original_transaction: drawn?.uid ?? newest.transactions?.uid,
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

/** Read again when the place or the Program changes, not under the hands of whoever fills in a form. */
export function useSampleRecords(program_uid: string | undefined, wish: PreferredRecords): SampleRecords | null {
  const key = JSON.stringify([program_uid, wish])
  const worlds = useFeed(({ versions }) => versions['*'])
  const [read, setRead] = useState<{ key: string; facts: SampleRecords } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what the others say, `worlds` that all is new.
  useEffect(() => {
    if (program_uid === undefined) return
    let late = false
    readSampleRecords(program_uid, wish).then(
      (facts) => late || setRead({ key, facts }),
      // Without the world there are the contract's own examples.
      () => late || setRead({ key, facts: { ...NOTHING, today: formatIsoDate(simulatedNow(useFeed.getState())) } }),
    )
    return () => {
      late = true
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
  receivedDebit: undefined,
  products: [],
  newest: {},
}
