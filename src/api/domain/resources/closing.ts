import { machines } from '../../contract/machines.ts'
import type { Tx } from '../../store/tx.ts'
import type { SyntheticAccountRecord, VirtualReferenceNumberRecord } from '../../store/world.ts'
import { nextState } from '../rules/machine.ts'

/** Final: an account is closed together with its VRNs. */
export function closeAccount(tx: Tx, account: SyntheticAccountRecord) {
  tx.synthetic_accounts.put({
    ...account,
    status: nextState(machines.synthetic_account, account.status, 'archive'),
    closed_at: tx.now,
  })
  for (const vrn of tx.virtual_reference_numbers.findBy('synthetic_account_uid', account.uid))
    if (vrn.status === 'active') closeVrn(tx, vrn)
}

export function closeVrn(tx: Tx, vrn: VirtualReferenceNumberRecord) {
  for (const task of tx.tasks.findBy('subject_uid', vrn.uid)) tx.tasks.remove(task.uid)
  tx.virtual_reference_numbers.put({
    ...vrn,
    status: nextState(machines.virtual_reference_number, vrn.status, 'archive'),
    archived_at: tx.now,
  })
}
