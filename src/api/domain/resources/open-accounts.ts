import { ownNames } from '../../contract/messages.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import type { Tx } from '../../store/tx.ts'
import type { CustodialAccountRecord, CustomerRecord, PoolRecord, SyntheticAccountRecord } from '../../store/world.ts'
import { ZERO } from '../rules/money.ts'
import { nameFacts } from './customers.ts'
import { requireRecord } from './require-record.ts'
import { isAsset, openAsset, openGeneral } from './synthetic-accounts.ts'

const ACCOUNT_DIGITS = 12
const COMPANY_ID_DIGITS = 9

/**
 * Opened at approval, all at once: the Pool, the account at the custodian with its two cash accounts, and the master
 * Synthetic Account.
 */
export function openAccounts(tx: Tx, customer: CustomerRecord): PoolRecord {
  const pool = tx.pools.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    name: { code: 'pool', facts: nameFacts(customer) },
    owner_customer_uid: customer.uid,
    customer_uids: [customer.uid],
  })
  const dda = openCustodial(tx, pool, {
    type: 'dda',
    liability: true,
    name: ownNames.custodialAccount,
    primary_account: true,
    status: 'active',
    net_usd_balance: ZERO,
    net_usd_pending_balance: ZERO,
    net_usd_available_balance: ZERO,
    routing_number: tx.program.routing_number,
    account_number: tx.digits(ACCOUNT_DIGITS),
    // Specification 2.4: in the sandbox, company ids and custodial accounts are always 1:1.
    company_ids: [`C${tx.digits(COMPANY_ID_DIGITS)}`],
  })
  for (const type of ['dda_cash_external', 'dda_cash_received'] as const)
    openCustodial(tx, pool, {
      type,
      liability: false,
      name: null,
      primary_account: false,
      status: null,
      net_usd_balance: null,
      net_usd_pending_balance: null,
      net_usd_available_balance: null,
      routing_number: null,
      account_number: null,
    })
  openAsset(tx, pool, ownNames.outsideAccount)
  openGeneral(tx, pool, [dda.uid], { name: ownNames.masterAccount, master_account: true })
  return pool
}

/**
 * The counter account of payments from outside. The platform, too, opens asset accounts at onboarding for its own
 * accounting. In a Pool of an older world the first such payment opens it.
 */
export function outsideAccountOf(tx: Tx, pool_uid: Uid): SyntheticAccountRecord {
  const known = tx.synthetic_accounts.findBy('pool_uid', pool_uid).find(isAsset)
  return known ?? openAsset(tx, requireRecord(tx.pools, pool_uid, 'Pool'), ownNames.outsideAccount)
}

type Particular = Pick<
  CustodialAccountRecord,
  | 'type'
  | 'liability'
  | 'name'
  | 'primary_account'
  | 'status'
  | 'net_usd_balance'
  | 'net_usd_pending_balance'
  | 'net_usd_available_balance'
  | 'routing_number'
  | 'account_number'
  | 'company_ids'
>

const openCustodial = (tx: Tx, pool: PoolRecord, particular: Particular) =>
  tx.custodial_accounts.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    customer_uid: pool.owner_customer_uid,
    pool_uid: pool.uid,
    account_errors: [],
    net_usd_closing_balance: null,
    book_balance: ZERO,
    opened_at: tx.now,
    closed_at: null,
    ...particular,
  })
