import { ApiError, errors } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import type { CombinedTransfer, CreateCombinedTransfer } from '../../contract/resources/combined-transfers.ts'
import type { CreateSyntheticAccount, SyntheticAccountCategory } from '../../contract/resources/synthetic-accounts.ts'
import type { OutcomeOf } from '../../contract/tasks.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { ReadTx, Tx } from '../../store/tx.ts'
import type { CombinedTransferRecord, TaskRecord } from '../../store/world.ts'
import { nextState } from '../rules/machine.ts'
import { requireRecord } from './require-record.ts'
import * as syntheticAccounts from './synthetic-accounts.ts'
import * as transfers from './transfers.ts'

/** Creates a counterparty and a Transfer in one call, one after the other. The resource shows the errors of both. */

/** Assumed (invented): each of the two steps takes a second, at both paces. */
const STEP_MS = 1_000

export function find(tx: Tx, uid: Uid): CombinedTransferRecord {
  refuseDisabled(tx)
  const combined = tx.combined_transfers.get(uid)
  if (!combined) throw new ApiError('combinedTransferNotFound')
  return combined
}

export function refuseDisabled(tx: Tx) {
  if (!tx.program.combined_transfers) throw new ApiError('combinedTransfersDisabled')
}

export function create(tx: Tx, asked: CreateCombinedTransfer): CombinedTransferRecord {
  refuseDisabled(tx)
  const external_uid = asked.external_uid ?? null
  if (external_uid !== null && tx.combined_transfers.findBy('external_uid', external_uid).length > 0)
    throw new ApiError('combinedTransferExists')
  const own_side = findOwnSide(tx, asked.transfer)
  const combined = tx.combined_transfers.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    external_uid,
    status: 'queued',
    asked: { ...asked, synthetic_account: withoutToken(asked.synthetic_account) },
    ...(own_side ? { own_side } : {}),
    // One that does not exist fails at the next step, and until then no other record may name it.
    synthetic_account_uid: tx.synthetic_accounts.get(asked.synthetic_account.uid ?? '')?.uid ?? null,
    transfer_uid: null,
    created_at: tx.now,
  })
  scheduleStep(tx, combined, 'counterparty_due')
  return combined
}

const FIELD_OF = { source: 'source_synthetic_account_uid', destination: 'destination_synthetic_account_uid' } as const
type Side = keyof typeof FIELD_OF

/**
 * Typed clients must name both sides. Returns the one with the Customer's account, or undefined if only one is given.
 *
 * Assumed (invented): it is the side that names an active account of the initiating Customer. The other is ignored if it names nothing
 * or the same account, which then is the source; another account is refused with 400/1007.
 */
function findOwnSide(tx: Tx, transfer: CreateCombinedTransfer['transfer']): Side | undefined {
  const { source_synthetic_account_uid: source, destination_synthetic_account_uid: destination } = transfer
  if (source == null || destination == null) return undefined
  const pools = tx.customers.get(transfer.initiating_customer_uid)?.pool_uids ?? []
  const isOwn = (uid: Uid) => {
    const account = tx.synthetic_accounts.get(uid)
    return account?.status === 'active' && pools.includes(account.pool_uid)
  }
  const [own, ignored]: readonly [Side, Side] = isOwn(source) ? ['source', 'destination'] : ['destination', 'source']
  const isOther = source !== destination && tx.synthetic_accounts.get(transfer[FIELD_OF[ignored]]!)
  if (!isOwn(transfer[FIELD_OF[own]]!) || isOther)
    throw new ApiError(
      'invalidArgument',
      `exactly one of transfer.${FIELD_OF.source} and transfer.${FIELD_OF.destination} is expected: an active account of the Customer`,
    )
  const at = `transfer.${FIELD_OF[ignored]}`
  tx.hints.push({ at, text: `${at} was ignored: the synthetic_account is the ${ignored}` })
  return own
}

/** The token is accepted and not stored. */
function withoutToken({ external_processor_token: _, ...account }: CreateCombinedTransfer['synthetic_account']) {
  return account
}

/**
 * First the counterparty, then the Transfer.
 *
 * Assumed (sibling): it is completed once its Transfer is initiated; the Transfer has a status of its own.
 */
export function runNextStep(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'continue combined transfer'> {
  const combined = requireRecord(tx.combined_transfers, subject_uid ?? '', 'Combined Transfer')
  return combined.status === 'queued' ? createCounterparty(tx, combined) : createTransfer(tx, combined)
}

function createCounterparty(tx: Tx, combined: CombinedTransferRecord): OutcomeOf<'continue combined transfer'> {
  const pending = move(tx, combined, 'begin')
  const { uid, ...account } = combined.asked.synthetic_account
  return attempt(tx, pending, 'synthetic_account', () => {
    const known = uid == null ? undefined : syntheticAccounts.find(tx, uid)
    refuseGeneral(known ?? tx.synthetic_account_types.get(account.synthetic_account_type_uid ?? ''))
    const made = known ?? syntheticAccounts.create(tx, account as CreateSyntheticAccount)
    tx.combined_transfers.put({ ...pending, synthetic_account_uid: made.uid })
    scheduleStep(tx, pending, 'transfer_due')
    return statusOutcome(pending)
  })
}

/** Section 1: the counterparty is an external account, a new one or an existing one. */
function refuseGeneral(counterparty: { readonly synthetic_account_category: SyntheticAccountCategory } | undefined) {
  if (counterparty?.synthetic_account_category === 'general')
    throw new ApiError('invalidArgument', 'the counterparty must be an external account, and this one is general')
}

function createTransfer(tx: Tx, combined: CombinedTransferRecord): OutcomeOf<'continue combined transfer'> {
  const transfer = combined.asked.transfer
  const own = combined.own_side ?? (transfer.source_synthetic_account_uid == null ? 'destination' : 'source')
  const own_uid = transfer[FIELD_OF[own]] ?? ''
  const counterparty_uid = combined.synthetic_account_uid ?? ''
  return attempt(tx, combined, 'transfer', () => {
    // Assumed (sibling): an existing Transfer with the same external_uid is an error here.
    if (transfer.external_uid != null && tx.transfers.findBy('external_uid', transfer.external_uid).length > 0)
      throw new ApiError('invalidArgument', 'external_uid has already been taken')
    const { uid } = transfers.initiate(tx, {
      ...transfer,
      source_synthetic_account_uid: own === 'source' ? own_uid : counterparty_uid,
      destination_synthetic_account_uid: own === 'source' ? counterparty_uid : own_uid,
    })
    return statusOutcome(move(tx, { ...combined, transfer_uid: uid }, 'complete'))
  })
}

/** An error in one of the steps ends it. The steps check before they write, so a failed step has written nothing. */
function attempt(
  tx: Tx,
  combined: CombinedTransferRecord,
  step: string,
  work: () => OutcomeOf<'continue combined transfer'>,
): OutcomeOf<'continue combined transfer'> {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, title, detail } = errors.combinedTransferStopped
    const extra = `${step}: ${errors[error.key].code} ${errors[error.key].title}${error.extra ? `: ${error.extra}` : ''}`
    move(tx, { ...combined, errors: [{ code, title, detail, occurred_at: tx.now, extra }] }, 'fail')
    return { code: 'failed_with', facts: { error: extra } }
  }
}

const statusOutcome = ({ status }: CombinedTransferRecord): OutcomeOf<'continue combined transfer'> => ({
  code: 'combined_transfer',
  facts: { combined_transfer_status: status },
})

const move = (tx: Tx, combined: CombinedTransferRecord, event: keyof typeof machines.combined_transfer.moves) =>
  tx.combined_transfers.put({ ...combined, status: nextState(machines.combined_transfer, combined.status, event) })

const scheduleStep = (tx: Tx, { uid }: CombinedTransferRecord, code: 'counterparty_due' | 'transfer_due') =>
  tx.schedule({
    kind: 'continue combined transfer',
    due_at: toTimestamp(toMs(tx.now) + STEP_MS),
    subject_uid: uid,
    why: { code, facts: { combined_transfer_uid: uid } },
  })

/** The submitted data with the uids of the results, without the account number. */
export function show(_tx: ReadTx, record: CombinedTransferRecord): CombinedTransfer {
  const { asked, own_side: _side, synthetic_account_uid, transfer_uid, ...rest } = record
  const { account_number: _, ...account } = asked.synthetic_account
  return {
    ...rest,
    synthetic_account: { ...account, uid: synthetic_account_uid ?? account.uid ?? null },
    transfer: { ...asked.transfer, uid: transfer_uid },
  }
}
