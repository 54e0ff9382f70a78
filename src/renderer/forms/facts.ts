import { useEffect, useState } from 'react'
import { collectionNames } from '../../api/contract/collections.ts'
import { endpoints } from '../../api/contract/endpoints.ts'
import { type CollectionName, listed } from '../data/collections.ts'
import { simulatedNow, useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { formatIsoDate } from '../format/time.ts'
import type { Filling } from './example.ts'

/** Records of this world that a request can name: one Customer with what belongs to it. */

type Row = Readonly<Record<string, unknown>> & { readonly uid: string }

export interface Wish {
  readonly customer?: string | undefined
  readonly account?: string | undefined
  readonly vrn?: string | undefined
}

export interface Facts {
  readonly today: string
  readonly customer: Row | undefined
  /** The newest Customer that waits to be onboarded. */
  readonly newcomer: Row | undefined
  /** Active general accounts of the Customer, the one that is meant first. */
  readonly general: readonly Row[]
  readonly external: readonly Row[]
  readonly vrns: readonly Row[]
  /** External types by their category. */
  readonly types: readonly Row[]
  /** ACH that the Customer began, settled, and that has not come back. */
  readonly returnable: readonly Row[]
  /** ACH by which somebody drew on the Customer, settled, and that was not returned. */
  readonly drawn: Row | undefined
  readonly products: readonly Row[]
  /** The newest of each collection; of Transactions one that awaits authorization, if there is one. */
  readonly newest: Readonly<Partial<Record<CollectionName, Row>>>
}

/** The collections with an endpoint: only their records can be named in a request. */
const paths = new Set<string>(Object.values(endpoints).map(({ path }) => path))
const NEWEST = collectionNames.filter((name) => paths.has(`/${name}`))

const MANY = 50

export async function readFacts(program_uid: string, wish: Wish): Promise<Facts> {
  const list = async (collection: CollectionName, filters: object = {}, limit = MANY): Promise<Row[]> =>
    (await sandbox['records.list']({ collection, program_uid, limit, ...filters })).data as Row[]
  const get = (collection: CollectionName, uid: unknown): Promise<Row | undefined> =>
    typeof uid !== 'string'
      ? Promise.resolve(undefined)
      : sandbox['records.get']({ collection, uid }).then(
          (record) => record as Row,
          () => undefined,
        )

  const wishedVrn = await get(listed.vrns, wish.vrn)
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
  const all = await list(listed.vrns, { status: ['active'] })
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
    newcomer: initiated[0],
    general: first(wishedAccount, general),
    external: chosen.accounts.filter(({ synthetic_account_category }) => synthetic_account_category !== 'general'),
    vrns: first(wishedVrn, chosen.vrns),
    types,
    products,
    returnable: settled.filter(({ transfer_uid }) => transfer_uid !== null),
    drawn: settled.find(({ transfer_uid, net_asset }) => transfer_uid === null && net_asset === 'negative'),
    newest: {
      ...Object.fromEntries(NEWEST.map((name, at) => [name, newest[at]?.[0]])),
      ...(awaiting[0] ? { transactions: awaiting[0] } : {}),
    },
  }
}

/** The uid that a field of this name may have. */
export function fillingOf(facts: Facts): Filling {
  const { customer, general, external, vrns, types, products, returnable, drawn, newest } = facts
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
export function useFacts(program_uid: string | undefined, wish: Wish): Facts | null {
  const key = JSON.stringify([program_uid, wish])
  const worlds = useFeed(({ versions }) => versions['*'])
  const [read, setRead] = useState<{ key: string; facts: Facts } | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` says what the others say, `worlds` that all is new.
  useEffect(() => {
    if (program_uid === undefined) return
    let late = false
    readFacts(program_uid, wish).then(
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

const NOTHING: Facts = {
  today: '',
  customer: undefined,
  newcomer: undefined,
  general: [],
  external: [],
  vrns: [],
  types: [],
  returnable: [],
  drawn: undefined,
  products: [],
  newest: {},
}
