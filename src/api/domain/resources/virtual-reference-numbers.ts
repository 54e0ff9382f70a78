import { ApiError } from '../../contract/errors.ts'
import { machines } from '../../contract/machines.ts'
import type {
  CreateVrn,
  LockVrn,
  RegistrationStatus,
  UpdateVrn,
  Vrn,
} from '../../contract/resources/virtual-reference-numbers.ts'
import type { OutcomeOf } from '../../contract/tasks.ts'
import type { Uid } from '../../contract/terms/primitives.ts'
import { forcesRegistrationFailure, forcesVrnFailure } from '../../contract/triggers.ts'
import { toMs, toTimestamp } from '../../store/clock.ts'
import type { ReadTx, Tx } from '../../store/tx.ts'
import type { TaskRecord, VrnRecord } from '../../store/world.ts'
import { ddaOf } from '../rules/ledger.ts'
import { nextState } from '../rules/machine.ts'
import { REGISTRATION_TAKES_MS } from '../rules/rails.ts'
import * as customers from './customers.ts'
import { knownUnlessRefused } from './require-record.ts'

/** A virtual account number for one Synthetic Account: it receives payments and holds no balance. */

const DIGITS = 16

export function find(tx: Tx, uid: Uid): VrnRecord {
  const vrn = tx.virtual_reference_numbers.get(uid)
  if (!vrn) throw new ApiError('vrnNotFound')
  return vrn
}

/**
 * Assumed (invented): any routing number is accepted; with
 * synchronous_registration the response has the result, because no time passes in a request; in a Program without
 * instant payments a VRN stays unregistered.
 */
export function create(tx: Tx, body: CreateVrn): VrnRecord {
  const { external_uid, name, routing_number } = body
  if (external_uid != null) {
    const [known] = tx.virtual_reference_numbers.findBy('external_uid', external_uid)
    if (known) return knownUnlessRefused(tx, known, 'vrnNotCreated')
  }
  if (forcesVrnFailure(name, tx.program)) throw new ApiError('vrnNotCreated', 'its name begins with "fail"')
  const account = tx.synthetic_accounts.get(body.synthetic_account_uid)
  if (!account) throw new ApiError('syntheticAccountNotFound')
  customers.refuseLocked(tx, account.customer_uid)
  if (account.status !== 'active' || !account.liability || account.synthetic_account_category !== 'general')
    throw new ApiError('vrnAccountIneligible')
  const registration = initialRegistration(tx, body)
  const vrn = tx.virtual_reference_numbers.put({
    uid: tx.uid(),
    program_uid: tx.program.uid,
    customer_uid: account.customer_uid,
    ...(external_uid == null ? {} : { external_uid }),
    ...(name == null ? {} : { name }),
    synthetic_account_uid: account.uid,
    custodial_account_uid: ddaOf(tx, account.pool_uid).uid,
    routing_number,
    virtual_reference_number: createUniqueNumber(tx),
    status: 'active',
    instant_payment_rail_registration_status: registration,
    locked_at: null,
    lock_reason: null,
    archived_at: null,
    created_at: tx.now,
    turned_at: null,
    registers: outcomeFor(tx, name),
  })
  if (registration === 'pending')
    tx.schedule({
      kind: 'register vrn',
      due_at: toTimestamp(toMs(tx.now) + REGISTRATION_TAKES_MS[tx.pace]),
      subject_uid: vrn.uid,
      why: { code: 'registration_ends', facts: { vrn_last_four: vrn.virtual_reference_number.slice(-4) } },
    })
  return vrn
}

function initialRegistration(tx: Tx, { name, synchronous_registration }: CreateVrn): RegistrationStatus {
  if (!tx.program.transaction_types.includes('instant_payment')) return 'unregistered'
  return synchronous_registration ? nextState(machines.vrn_registration, 'pending', outcomeFor(tx, name)) : 'pending'
}

const outcomeFor = (tx: Tx, name: string | null | undefined) =>
  forcesRegistrationFailure(name, tx.program) ? 'fail' : 'register'

/** Unique among all VRNs of the Program. */
function createUniqueNumber(tx: Tx): string {
  for (;;) {
    const number = tx.digits(DIGITS)
    if (tx.virtual_reference_numbers.findBy('virtual_reference_number', number).length === 0) return number
  }
}

export function register(tx: Tx, { subject_uid }: TaskRecord): OutcomeOf<'register vrn'> {
  const vrn = find(tx, subject_uid ?? '')
  const { instant_payment_rail_registration_status: registration_status } = setRegistration(tx, vrn, vrn.registers)
  return { code: 'registration', facts: { registration_status } }
}

export function setRegistration(tx: Tx, vrn: VrnRecord, outcome: 'register' | 'fail') {
  for (const task of tx.tasks.findBy('subject_uid', vrn.uid)) tx.tasks.remove(task.uid)
  return tx.virtual_reference_numbers.put({
    ...vrn,
    instant_payment_rail_registration_status: nextState(
      machines.vrn_registration,
      vrn.instant_payment_rail_registration_status,
      outcome,
    ),
  })
}

/** Assumed (sibling): an external_uid that another VRN has is 422/30004. */
export function update(tx: Tx, uid: Uid, { external_uid, name }: UpdateVrn) {
  const { external_uid: heldUid, name: heldName, ...rest } = find(tx, uid)
  refuseArchived(rest)
  const wanted = external_uid === undefined ? heldUid : external_uid
  const called = name === undefined ? heldName : name
  if (wanted != null && tx.virtual_reference_numbers.findBy('external_uid', wanted).some((other) => other.uid !== uid))
    throw new ApiError('vrnNotUpdated', 'external_uid has already been taken')
  return tx.virtual_reference_numbers.put({
    ...rest,
    ...(wanted == null ? {} : { external_uid: wanted }),
    ...(called == null ? {} : { name: called }),
  })
}

/** Assumed (invented): archiving an archived VRN changes nothing and is no error. */
export function archive(tx: Tx, uid: Uid): void {
  const vrn = find(tx, uid)
  if (vrn.status !== 'archived') close(tx, vrn)
}

/** VRNs are archived together with their account. */
export function archiveAll(tx: Tx, synthetic_account_uid: Uid) {
  for (const vrn of tx.virtual_reference_numbers.findBy('synthetic_account_uid', synthetic_account_uid))
    if (vrn.status === 'active') close(tx, vrn)
}

function close(tx: Tx, vrn: VrnRecord) {
  for (const task of tx.tasks.findBy('subject_uid', vrn.uid)) tx.tasks.remove(task.uid)
  tx.virtual_reference_numbers.put({
    ...vrn,
    status: nextState(machines.virtual_reference_number, vrn.status, 'archive'),
    archived_at: tx.now,
  })
}

export function refuseLocking(tx: Tx, vrn: VrnRecord) {
  refuseArchived(vrn)
  if (vrn.locked_at !== null) throw new ApiError('vrnAlreadyLocked')
  if (isInCooldown(tx, vrn)) throw new ApiError('vrnLockCooldown')
}

export function lock(tx: Tx, uid: Uid, { lock_reason }: LockVrn) {
  const vrn = find(tx, uid)
  refuseLocking(tx, vrn)
  return tx.virtual_reference_numbers.put({ ...vrn, locked_at: tx.now, lock_reason, turned_at: tx.now })
}

export function refuseUnlocking(tx: Tx, vrn: VrnRecord) {
  refuseArchived(vrn)
  if (vrn.locked_at === null) throw new ApiError('vrnAlreadyUnlocked')
  if (isInCooldown(tx, vrn)) throw new ApiError('vrnUnlockCooldown')
}

export function unlock(tx: Tx, uid: Uid) {
  const vrn = find(tx, uid)
  refuseUnlocking(tx, vrn)
  return tx.virtual_reference_numbers.put({ ...vrn, locked_at: null, lock_reason: null, turned_at: tx.now })
}

/** Assumed (invented; vrn_cooldown_minutes): the cooldown counts from the last lock or unlock; a Program without cooldown has 0. */
const isInCooldown = (tx: Tx, { turned_at }: VrnRecord): boolean =>
  turned_at !== null && toMs(tx.now) < toMs(turned_at) + tx.program.vrn_cooldown_minutes * 60_000

function refuseArchived({ status }: VrnRecord) {
  if (status === 'archived') throw new ApiError('vrnArchived')
}

export const show = (_tx: ReadTx, record: VrnRecord): Vrn => ({
  ...record,
  virtual_reference_number_last_four: record.virtual_reference_number.slice(-4),
})
