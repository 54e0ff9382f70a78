import { type Body, dollars } from './calls.ts'
import { isLiability, type Model } from './model/model.ts'
import type { Payment, State } from './model/state.ts'

/** Compares what the API shows with the model. What the model has without a uid is found by its content. */

/** A list of the API, complete. */
export type ReadList = (path: string) => Promise<Body[]>

/** The essential fields of one record. */
type View = Readonly<Record<string, unknown>>

interface Row {
  readonly view: View
  readonly uid: string | null
  readonly learn: (uid: string, body: Body) => void
}

interface Comparison {
  readonly path: string
  readonly rows: (model: Model) => Row[]
  readonly viewOf: (body: Body) => View
}

const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString())
const uidOf = (all: readonly { uid: string | null }[], of: number) => all[of]?.uid ?? null

const comparisons: readonly Comparison[] = [
  {
    path: '/customers?include_initiated=true',
    rows: (model) =>
      model.state.customers.map((customer, of) => ({
        uid: customer.uid,
        learn: (_uid, body) => {
          customer.pool ??= body.pool_uids[0] ?? null
        },
        view: {
          status: customer.status,
          kyc: customer.kyc,
          pools: model.state.accounts.some((one) => one.customer === of) ? 1 : 0,
          total: dollars(totalOf(model, of)),
        },
      })),
    viewOf: ({ status, kyc_status, pool_uids, total_balance }) => ({
      status,
      kyc: kyc_status,
      pools: pool_uids.length,
      total: total_balance,
    }),
  },
  {
    path: '/synthetic_accounts',
    rows: (model) => accountRows(model, false),
    viewOf: accountView,
  },
  {
    path: '/synthetic_accounts?liability=false',
    // With liability=false the list has the external accounts, too.
    rows: (model) => accountRows(model, true),
    viewOf: accountView,
  },
  {
    path: '/transfers',
    rows: ({ state }) =>
      state.transfers.map((transfer) => {
        const { status, cents, source, destination } = state.payments[transfer.payment]!
        return {
          uid: transfer.uid,
          learn: (uid) => {
            transfer.uid = uid
          },
          view: { status, amount: dollars(cents), ...parties(state, source, destination) },
        }
      }),
    viewOf: (body) => ({ status: body.status, amount: body.usd_transfer_amount, ...partiesOf(body) }),
  },
  {
    path: '/transactions?include_zero=true&show_denied_auths=true&show_expired=true',
    rows: ({ state }) =>
      state.payments.map((payment, of) => ({
        uid: payment.uid,
        learn: (uid) => {
          payment.uid = uid
        },
        view: {
          id: of + 1,
          type: payment.type,
          status: payment.status,
          amount: dollars(payment.cents),
          ...parties(state, payment.source, payment.destination),
          transfer: payment.transfer === null ? null : uidOf(state.transfers, payment.transfer),
          vrn: payment.vrn === null ? null : uidOf(state.vrns, payment.vrn),
          created: instant(payment.createdAt),
          settled: instant(payment.settledAt),
          settledIndex: payment.settledIndex,
          authorization: payment.authorization,
          direction: directionOf(state, payment),
        },
      })),
    viewOf: (body) => ({
      id: body.id,
      type: body.type,
      status: body.status,
      amount: body.us_dollar_amount,
      ...partiesOf(body),
      transfer: body.transfer_uid,
      vrn: body.virtual_reference_number_uid ?? null,
      created: body.created_at,
      settled: body.settled_at ?? null,
      settledIndex: body.settled_index,
      authorization: body.authorization?.authorization_status ?? null,
      direction: body.net_asset,
    }),
  },
  {
    path: '/combined_transfers',
    rows: ({ state }) =>
      state.combined.map((one) => ({
        uid: one.uid,
        learn: () => {},
        view: { status: one.status, account: one.account === null ? null : uidOf(state.accounts, one.account) },
      })),
    viewOf: (body) => ({ status: body.status, account: body.synthetic_account.uid }),
  },
  {
    path: '/returns',
    rows: ({ state }) =>
      state.returns.map((one) => ({
        uid: one.uid,
        learn: () => {},
        view: { status: state.payments[one.payment]!.status, original: uidOf(state.payments, one.original) },
      })),
    viewOf: (body) => ({ status: body.status, original: body.original_transaction_uid }),
  },
  {
    path: '/virtual_reference_numbers',
    rows: ({ state }) =>
      state.vrns.map((vrn) => ({
        uid: vrn.uid,
        learn: () => {},
        view: {
          status: vrn.status,
          isLocked: vrn.isLocked,
          registration: vrn.registration,
          account: uidOf(state.accounts, vrn.account),
        },
      })),
    viewOf: (body) => ({
      status: body.status,
      isLocked: body.locked_at !== null,
      registration: body.instant_payment_rail_registration_status,
      account: body.synthetic_account_uid,
    }),
  },
]

function totalOf(model: Model, customer: number): number {
  return model.balances(model.generalAccountsOf(customer)).settled
}

/** Seen from the Customer's accounts. */
function directionOf({ accounts }: State, { source, destination }: Payment): string {
  if (isLiability(accounts[source]!) && isLiability(accounts[destination]!)) return 'neutral'
  return isLiability(accounts[destination]!) ? 'positive' : 'negative'
}

function accountRows(model: Model, external: boolean): Row[] {
  const { accounts, customers } = model.state
  return accounts.flatMap((account, of): Row[] => {
    const isOwn = isLiability(account)
    const isListed = external ? !isOwn : account.role !== 'asset'
    if (!isListed) return []
    const { settled, pending, available } = model.balances([of])
    const balances = isOwn ? [settled, pending, available].map(dollars) : [null, null, null]
    return [
      {
        uid: account.uid,
        learn: (uid) => {
          account.uid = uid
        },
        view: {
          // The service names its own accounts.
          name: account.role === 'opened' ? account.name : null,
          category: account.category,
          status: account.status,
          isMaster: account.role === 'master',
          isLiability: isOwn,
          pool: customers[account.customer]!.pool,
          balances,
        },
      },
    ]
  })
}

function accountView(body: Body): View {
  const isOfService = body.master_account || (body.synthetic_account_category === 'general' && !body.liability)
  return {
    name: isOfService ? null : body.name,
    category: body.synthetic_account_category,
    status: body.status,
    isMaster: body.master_account,
    isLiability: body.liability,
    pool: body.pool_uid,
    balances: [body.net_usd_balance, body.net_usd_pending_balance, body.net_usd_available_balance],
  }
}

const parties = ({ accounts }: State, source: number, destination: number) => ({
  source: uidOf(accounts, source),
  destination: uidOf(accounts, destination),
})
const partiesOf = (body: Body) => ({
  source: body.source_synthetic_account_uid,
  destination: body.destination_synthetic_account_uid,
})

/** The first difference, in words; undefined if there is none. Learns missing uids. */
export async function compareWorld(model: Model, read: ReadList): Promise<string | undefined> {
  for (const { path, rows, viewOf } of comparisons) {
    const bodies = await read(path)
    const left = new Map(bodies.map((body) => [body.uid as string, body]))
    const expected = rows(model)
    // Known uids first, so that what remains belongs to the records without one.
    for (const row of expected.toSorted((a, b) => Number(a.uid === null) - Number(b.uid === null))) {
      const text = JSON.stringify(row.view)
      const body = row.uid === null ? [...left.values()].find((one) => isSame(row, one, viewOf)) : left.get(row.uid)
      if (!body) return `GET ${path} lacks ${row.uid ?? 'a record'}, which should be ${text}`
      row.learn(body.uid, body)
      left.delete(body.uid)
      const found = viewOf(body)
      if (JSON.stringify(found) === text) continue
      // The uids of parties may have been learnt just now.
      const wanted = rows(model)[expected.indexOf(row)]!.view
      if (JSON.stringify(found) !== JSON.stringify(wanted))
        return `GET ${path}: ${body.uid} should be ${JSON.stringify(wanted)} and is ${JSON.stringify(found)}`
    }
    for (const body of left.values())
      return `GET ${path} has ${body.uid}, which should not exist: ${JSON.stringify(viewOf(body))}`
  }
  return undefined
}

/** A pool is learnt with its Customer, an account's uid by its content. */
const isSame = (row: Row, body: Body, viewOf: Comparison['viewOf']) =>
  JSON.stringify(viewOf(body)) === JSON.stringify(row.view)
