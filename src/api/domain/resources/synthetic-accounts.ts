import { ApiError, type ErrorKey } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import type {
  CreateSyntheticAccount,
  SyntheticAccount,
  SyntheticAccountCategory,
  UpdateSyntheticAccount,
} from '../../contract/resources/synthetic-accounts.ts'
import type { OutcomeOf } from '../../contract/tasks.ts'
import type { Money, Uid } from '../../contract/terms/primitives.ts'
import { isBlank } from '../../contract/terms/texts.ts'
import { openingFor } from '../../contract/triggers.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { ReadTx, Tx } from '../../store/tx.ts'
import type { PoolRecord, SyntheticAccountRecord, TaskRecord } from '../../store/world.ts'
import { nextState } from '../rules/machine.ts'
import { isZero, ZERO } from '../rules/money.ts'
import { refuseOtherForm } from '../rules/wire-addresses.ts'
import * as customers from './customers.ts'
import { requireRecord } from './require-record.ts'
import { openPaymentsOf } from './transactions.ts'
import * as vrns from './virtual-reference-numbers.ts'

const ACCOUNT_DIGITS = 12
const ADDRESS = 'wire.counterparty_address'

export function find(tx: Tx, uid: Uid): SyntheticAccountRecord {
  const account = tx.synthetic_accounts.get(uid)
  if (!account) throw new ApiError('syntheticAccountNotFound')
  return account
}

/**
 * Assumed (invented): an unknown Pool or type is 404/1019; a name that exists in its Pool is 409/2002; an external account is a
 * duplicate if another one, neither archived nor failed, has its category, routing number, account number and Pool.
 */
export function create(tx: Tx, body: CreateSyntheticAccount): SyntheticAccountRecord {
  const pool = requireRecord(tx.pools, body.pool_uid, 'Pool')
  const type = requireRecord(tx.synthetic_account_types, body.synthetic_account_type_uid, 'Synthetic Account Type')
  const category = type.synthetic_account_category
  const customer = customers.find(tx, pool.owner_customer_uid)
  customers.refuseArchival(customer)
  if (customer.status !== 'active') throw new ApiError('inactiveCustomer')
  if (customer.locked_at !== null) throw new ApiError('customerLocked')
  const party = category === 'general' ? undefined : partyOf(category, body)
  if (party?.wire) refuseOtherForm(tx.program, ADDRESS, party.wire.counterparty_address)
  refuseBeyondLimits(tx, customer.uid, category, body)
  refuseTwins(tx, pool, category, body)

  const common = { name: body.name, ...(body.external_uid == null ? {} : { external_uid: body.external_uid }) }
  if (!party) {
    const dda = tx.custodial_accounts.findBy('pool_uid', pool.uid).filter(({ type: kind }) => kind === 'dda')
    const uids = dda.map(({ uid }) => uid)
    return initiate(tx, openGeneral(tx, pool, uids, { ...common, master_account: false, type_uid: type.uid }))
  }
  const external = put(tx, pool, {
    ...common,
    ...party,
    synthetic_account_type_uid: type.uid,
    synthetic_account_category: category,
    custodial_account_uids: [],
    liability: false,
    master_account: false,
    balance: null,
  })
  return initiate(tx, external)
}

/** Its name can make an account wait; see `contract/triggers.ts`. */
function initiate(tx: Tx, account: SyntheticAccountRecord): SyntheticAccountRecord {
  if (account.status !== 'initiated') return account
  const due_at = toTimestamp(toMs(tx.now) + OPENING_TAKES_MS)
  tx.schedule({
    kind: 'open account',
    due_at,
    subject_uid: account.uid,
    why: { code: 'account_opening_due', facts: {} },
  })
  return account
}
const OPENING_TAKES_MS = 1_000

export function open(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'open account'> {
  const account = find(tx, subject_uid ?? '')
  const { status } = endOpening(tx, account, openingFor(account.name, tx.program) ?? 'activate')
  return { code: 'account', facts: { account_status: status } }
}

export function endOpening(tx: Tx, account: SyntheticAccountRecord, event: 'activate' | 'fail') {
  for (const task of tx.tasks.findBy('subject_uid', account.uid))
    if (task.kind === 'open account') tx.tasks.remove(task.uid)
  const status = nextState(machines.synthetic_account, account.status, event)
  return tx.synthetic_accounts.put({ ...account, status, ...(event === 'fail' ? { closed_at: tx.now } : {}) })
}

/** An asset account represents money held elsewhere and shows no balance. */
export const openAsset = (tx: Tx, pool: PoolRecord, name: string): SyntheticAccountRecord =>
  put(tx, pool, {
    name,
    synthetic_account_type_uid: generalType(tx),
    synthetic_account_category: 'general',
    custodial_account_uids: [],
    liability: false,
    master_account: false,
    routing_number: null,
    account_number: null,
    balance: null,
  })

/** A general account holds assets of its Customer and receives payments by its own number. */
export function openGeneral(
  tx: Tx,
  pool: PoolRecord,
  custodial_account_uids: Uid[],
  {
    name,
    external_uid,
    master_account,
    type_uid,
  }: { name: string; external_uid?: string; master_account: boolean; type_uid?: Uid },
): SyntheticAccountRecord {
  return put(tx, pool, {
    name,
    ...(external_uid === undefined ? {} : { external_uid }),
    synthetic_account_type_uid: type_uid ?? generalType(tx),
    synthetic_account_category: 'general',
    custodial_account_uids,
    liability: true,
    master_account,
    routing_number: tx.program.routing_number,
    account_number: tx.digits(ACCOUNT_DIGITS),
    balance: ZERO,
  })
}

/** Assumed (sibling): name, external_uid and the counterparty's details may change; another Pool, type or number is 422/2007. */
export function update(tx: Tx, uid: Uid, body: UpdateSyntheticAccount): SyntheticAccountRecord {
  const account = find(tx, uid)
  const { name = account.name, external_uid, note } = body
  if (note == null || isBlank(note)) throw new ApiError('syntheticAccountNoteMissing', 'note', undefined, ['note'])
  customers.refuseLocked(tx, account.customer_uid)
  if (account.status !== 'active') throw new ApiError('syntheticAccountNotUpdatable', `its status is ${account.status}`)
  if (isAsset(account))
    throw new ApiError('syntheticAccountNotUpdatable', 'the service keeps it for its own accounting')
  const fixed = FIXED.filter((field) => body[field] != null && body[field] !== account[field])
  if (fixed.length > 0)
    throw new ApiError('syntheticAccountNotUpdatable', fixed.map((field) => `${field} cannot change`).join('; '))
  if (account.wire && body.wire) refuseOtherForm(tx.program, ADDRESS, body.wire.counterparty_address)
  if (name !== account.name) refuseTwinName(tx, account.pool_uid, name)
  if (external_uid != null && external_uid !== account.external_uid) refuseTwinExternalUid(tx, external_uid)
  return tx.synthetic_accounts.put({
    ...account,
    name,
    ...(external_uid == null ? {} : { external_uid }),
    ...(account.ach && body.ach ? { ach: adjusted(account.ach, body.ach) } : {}),
    ...(account.wire && body.wire ? { wire: adjusted(account.wire, body.wire) } : {}),
    ...(account.instant_payment && body.instant_payment
      ? { instant_payment: adjusted(account.instant_payment, body.instant_payment) }
      : {}),
  })
}

/** Fields that were not sent stay; null counts as sent. A parsed body lacks what was not sent. */
const adjusted = <T extends object>(held: T, sent: { readonly [K in keyof T]?: T[K] | undefined }) =>
  ({ ...held, ...sent }) as T

const FIXED = ['pool_uid', 'synthetic_account_type_uid', 'routing_number', 'account_number'] as const

/**
 * The specification does not restrict the category, so external accounts can be archived, too. VRNs are archived with
 * their account.
 *
 * Assumed (sibling): archiving the asset account that the service keeps for its own accounting is 422/2003, as for the master
 * account.
 */
export function archive(tx: Tx, uid: Uid): void {
  const account = find(tx, uid)
  refuseArchiving(tx, account)
  close(tx, account)
}

/** Final, and without checks. */
export function close(tx: Tx, account: SyntheticAccountRecord) {
  tx.synthetic_accounts.put({
    ...account,
    status: nextState(machines.synthetic_account, account.status, 'archive'),
    closed_at: tx.now,
  })
  vrns.archiveAll(tx, account.uid)
}

export function refuseArchiving(tx: Tx, account: SyntheticAccountRecord) {
  customers.refuseLocked(tx, account.customer_uid)
  if (account.status !== 'active') throw new ApiError('syntheticAccountNotActive', `its status is ${account.status}`)
  if (account.master_account || isAsset(account)) throw new ApiError('masterAccountNotArchivable')
  if (account.net_usd_balance !== null && !isZero(account.net_usd_balance))
    throw new ApiError('syntheticAccountHasBalance', 'Its balance is not 0')
  if (openPaymentsOf(tx, account.uid).length > 0)
    throw new ApiError('syntheticAccountHasTransfer', 'It has a pending transfer')
}

export function show(tx: ReadTx, record: SyntheticAccountRecord): SyntheticAccount {
  const isGeneral = record.synthetic_account_category === 'general'
  const { net_usd_balance } = record
  return {
    ...record,
    account_number: isGeneral ? record.account_number : null,
    account_number_last_four: record.account_number?.slice(-4) ?? null,
    asset_balances:
      net_usd_balance === null
        ? null
        : record.custodial_account_uids.map((custodial_account_uid) => ({
            asset_quantity: net_usd_balance,
            asset_type: 'USD',
            current_usd_value: net_usd_balance,
            custodial_account_uid,
            custodial_account_name: tx.custodial_accounts.get(custodial_account_uid)?.name ?? '',
            debit: false,
          })),
  }
}

type Party = Pick<SyntheticAccountRecord, 'routing_number' | 'account_number' | 'ach' | 'instant_payment' | 'wire'>

/** The details that an external category needs; objects of other rails are ignored. */
function partyOf(category: Exclude<SyntheticAccountCategory, 'general'>, body: CreateSyntheticAccount): Party {
  const { ach, instant_payment, wire, routing_number, account_number } = body
  const rail = { ach_external: 'ach', instant_payment_external: 'instant_payment', wire_external: 'wire' } as const
  const missing = [
    !routing_number && 'routing_number',
    !account_number && 'account_number',
    !body[rail[category]] && rail[category],
  ].filter((name) => name !== false)
  if (missing.length > 0) throw new ApiError('missingParameter', missing.map((name) => `${name} is missing`).join('; '))
  const numbers = { routing_number: routing_number ?? null, account_number: account_number ?? null }
  if (category === 'ach_external') return { ...numbers, ach: ach! }
  return category === 'wire_external' ? { ...numbers, wire: wire! } : { ...numbers, instant_payment: instant_payment! }
}

function refuseTwins(tx: Tx, pool: PoolRecord, category: SyntheticAccountCategory, body: CreateSyntheticAccount) {
  const { external_uid, routing_number, account_number } = body
  if (external_uid != null) refuseTwinExternalUid(tx, external_uid)
  refuseTwinName(tx, pool.uid, body.name)
  if (category === 'general' || !account_number) return
  const twin = tx.synthetic_accounts
    .findBy('account_number', account_number)
    .find(
      (other) =>
        other.pool_uid === pool.uid &&
        other.synthetic_account_category === category &&
        other.routing_number === routing_number &&
        other.status !== 'archived' &&
        other.status !== 'failed',
    )
  if (twin) throw new ApiError('syntheticAccountExists', `Account number taken by Synthetic Account ${twin.uid}.`)
}

/** Section 1: types and their limits are configured per Program. Without a setting there is no limit. */
function refuseBeyondLimits(
  tx: Tx,
  customer_uid: Uid,
  category: SyntheticAccountCategory,
  { routing_number, account_number }: CreateSyntheticAccount,
) {
  const limits = tx.program.account_limits
  const refuseAt = (most: number | null, count: number, key: ErrorKey) => {
    if (most !== null && count >= most) throw new ApiError(key, undefined, `has ${count} · at most ${most}`)
  }
  const accounts = tx.synthetic_accounts.findBy('customer_uid', customer_uid).filter((account) => !isAsset(account))
  const active = accounts.filter(({ status }) => status === 'active')
  if (category === 'general') {
    const general = active.filter(({ liability }) => liability).length
    return refuseAt(limits.general_accounts, general, 'generalAccountsExhausted')
  }
  const externals = accounts.filter(({ liability }) => !liability)
  const isSame = (account: SyntheticAccountRecord) =>
    account.routing_number === routing_number && account.account_number === account_number
  const different = new Set(externals.map((account) => `${account.routing_number} ${account.account_number}`))
  const latest = externals.at(-1)?.opened_at
  const wait_ms = (limits.minutes_between_external_accounts ?? 0) * 60_000
  if (
    limits.one_external_account &&
    accounts.filter(isOpen).some((account) => account.synthetic_account_category === category)
  )
    throw new ApiError('externalAccountAlreadyOpen')
  if (!externals.some(isSame)) refuseAt(limits.external_accounts, different.size, 'externalAccountsExhausted')
  const left_ms = latest === undefined ? 0 : toMs(latest) + wait_ms - toMs(tx.now)
  if (left_ms > 0)
    throw new ApiError('externalAccountTooRecent', undefined, `possible in ${Math.ceil(left_ms / 60_000)} minutes`)
  refuseAt(limits.same_external_account, externals.filter(isSame).length, 'externalAccountTooOften')
  const ach = active.filter((account) => account.synthetic_account_category === 'ach_external')
  if (category === 'ach_external') refuseAt(limits.ach_external_accounts, ach.length, 'outboundAchAccountsExhausted')
}

function refuseTwinExternalUid(tx: Tx, external_uid: string) {
  if (tx.synthetic_accounts.findBy('external_uid', external_uid).length > 0)
    throw new ApiError('syntheticAccountExists', 'external_uid has already been taken')
}

function refuseTwinName(tx: Tx, pool_uid: Uid, name: string) {
  const twin = tx.synthetic_accounts
    .findBy('pool_uid', pool_uid)
    .some((other) => other.name === name && isOpen(other) && !isAsset(other))
  if (twin) throw new ApiError('syntheticAccountExists', 'name has already been taken in this Pool')
}

const isOpen = ({ status }: SyntheticAccountRecord) => status === 'active' || status === 'initiated'

/** An account that the service keeps for its own accounting. */
export const isAsset = ({ liability, synthetic_account_category }: SyntheticAccountRecord): boolean =>
  !liability && synthetic_account_category === 'general'

/** Assumed (invented): of several general types, the service uses the oldest for its accounts. */
function generalType(tx: Tx): Uid {
  const general = [...tx.synthetic_account_types.newestFirst()].findLast(
    (type) => type.synthetic_account_category === 'general',
  )
  if (!general) throw new Error(`Program ${tx.program.uid} has no general Synthetic Account Type`)
  return general.uid
}

type Given = 'uid' | 'program_uid' | 'made' | 'customer_uid' | 'pool_uid' | 'status' | 'opened_at' | 'closed_at'
type Balances = 'net_usd_balance' | 'net_usd_pending_balance' | 'net_usd_available_balance' | 'net_usd_closing_balance'
type Particular = Omit<SyntheticAccountRecord, Given | Balances | 'book_balance' | 'net_usd_closing_balance_as_of'> & {
  readonly balance: Money | null
}

const put = (tx: Tx, pool: PoolRecord, { balance, ...particular }: Particular): SyntheticAccountRecord =>
  tx.synthetic_accounts.put({
    ...particular,
    uid: tx.uid(),
    program_uid: tx.program.uid,
    customer_uid: pool.owner_customer_uid,
    pool_uid: pool.uid,
    status: openingFor(particular.name, tx.program) ? 'initiated' : 'active',
    net_usd_balance: balance,
    net_usd_pending_balance: balance,
    net_usd_available_balance: balance,
    net_usd_closing_balance: null,
    book_balance: ZERO,
    opened_at: tx.now,
    closed_at: null,
  })
