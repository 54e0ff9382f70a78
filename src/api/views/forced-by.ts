import {
  endingFor,
  type Forcing,
  forcesFailure,
  forcesRegistrationFailure,
  kycTriggerFor,
  openingFor,
  outcomesOfNumber,
} from '../contract/triggers.ts'
import type {
  CollectionName,
  CustomerRecord,
  ReadWorld,
  StoredRecord,
  SyntheticAccountRecord,
  TransactionRecord,
  VrnRecord,
} from '../store/world.ts'

/**
 * The data that forced an outcome (`contract/triggers.ts`), for `why`: it reads the present data, so a value that was changed since is
 * not found.
 */

const byCollection: {
  readonly [N in CollectionName]?: (world: ReadWorld, record: StoredRecord, task: string) => string | undefined
} = {
  customers: (world, record) => ofCustomer(world, record as CustomerRecord),
  kyc_evaluations: (world, record) => ofOwner(world, record),
  customer_products: (world, record) => ofOwner(world, record),
  synthetic_accounts: (world, record, task) =>
    task === 'open account' ? ofAccount(world, record as SyntheticAccountRecord) : undefined,
  transactions: (world, record) => ofTransaction(world, record as TransactionRecord),
  transfers: (world, { uid }) => {
    const payment = world.collections.transactions.inOrder().find((one) => one.transfer_uid === uid)
    return payment && ofTransaction(world, payment)
  },
  virtual_reference_numbers: (world, record) => ofVrn(world, record as VrnRecord),
}

/** One sentence, or undefined if no data forced what the task did with the record. */
export const findForcingData = (
  world: ReadWorld,
  collection: CollectionName,
  record: StoredRecord,
  task: string,
): string | undefined => byCollection[collection]?.(world, record, task)

const programOf = (world: ReadWorld, { program_uid }: StoredRecord): Forcing | undefined =>
  world.collections.programs.get(program_uid)

function ofOwner(world: ReadWorld, record: StoredRecord): string | undefined {
  const { customer_uid } = record as StoredRecord & { readonly customer_uid: string }
  const customer = world.collections.customers.get(customer_uid)
  return customer && ofCustomer(world, customer)
}

function ofCustomer(world: ReadWorld, customer: CustomerRecord): string | undefined {
  if (customer.kyc_status_reasons?.includes('Minor (age < 18 years)')) return 'details.dob: the Customer is under 18'
  const { last_name } = customer.details
  const trigger = kycTriggerFor(last_name, programOf(world, customer))
  return trigger && trigger.outcome === customer.kyc_status ? `details.last_name is "${last_name}"` : undefined
}

const ofAccount = (world: ReadWorld, account: SyntheticAccountRecord): string | undefined =>
  openingFor(account.name, programOf(world, account)) && `its name is "${account.name}"`

function ofTransaction(world: ReadWorld, payment: TransactionRecord): string | undefined {
  const accounts = [payment.source_synthetic_account_uid, payment.destination_synthetic_account_uid]
  const external = accounts.map((uid) => world.collections.synthetic_accounts.get(uid)).find((one) => !one?.liability)
  if (!external) return undefined
  const program = programOf(world, payment)
  if (payment.will_fail) return failureOf(external, program)
  const { ach_return_code, noc_code } = payment.ach ?? {}
  const original = world.collections.transactions.get(payment.original_transaction_uid ?? '')
  const isRefusal = [payment.type, original?.type].includes('initiated_ach_reversal')
  const returned = isRefusal ? 'reversal_refusal' : 'ach_return'
  return numberOf(external, returned, ach_return_code, program) ?? numberOf(external, 'noc', noc_code, program)
}

/** That the account number of the counterparty forces this code. */
function numberOf(
  { uid, account_number }: SyntheticAccountRecord,
  outcome: 'ach_return' | 'reversal_refusal' | 'noc' | 'rejection',
  code: string | null | undefined,
  program: Forcing | undefined,
): string | undefined {
  if (code === undefined || code === null || code !== outcomesOfNumber(account_number, program)[outcome])
    return undefined
  return `the account_number of ${uid} ${endsWith(endingFor(account_number, outcome))}`
}

const endsWith = (ending: string | undefined) => (ending === undefined ? 'forces it' : `ends in ${ending}`)

function failureOf(external: SyntheticAccountRecord, program: Forcing | undefined): string | undefined {
  const { name, ach, wire, instant_payment, account_number } = external
  if (forcesFailure(name, program)) return `the name of ${external.uid} is "${name}"`
  const party = (ach ?? wire ?? instant_payment)?.counterparty_name
  if (forcesFailure(party, program)) return `the counterparty_name of ${external.uid} is "${party}"`
  return numberOf(external, 'rejection', outcomesOfNumber(account_number, program).rejection, program)
}

function ofVrn(world: ReadWorld, vrn: VrnRecord): string | undefined {
  const hasFailed = vrn.instant_payment_rail_registration_status === 'failed'
  return hasFailed && forcesRegistrationFailure(vrn.name, programOf(world, vrn))
    ? `its name is "${vrn.name}"`
    : undefined
}
