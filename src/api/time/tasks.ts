import * as archival from '../domain/resources/archival.ts'
import * as authorization from '../domain/resources/authorization.ts'
import * as closingBalances from '../domain/resources/closing-balances.ts'
import * as combinedTransfers from '../domain/resources/combined-transfers.ts'
import * as transactions from '../domain/resources/transactions.ts'
import * as verification from '../domain/resources/verification.ts'
import * as vrns from '../domain/resources/virtual-reference-numbers.ts'
import type { Tx } from '../store/tx.ts'
import type { TaskRecord } from '../store/world.ts'

/** What one kind of task does when it falls due. Its answer, if any, tells in a few words what came of it. */
export type Runner = (tx: Tx, task: TaskRecord) => string | void

/** Door 2, time: one line per kind of task. */
export const tasks: Readonly<Record<string, Runner>> = {
  [verification.DECIDE_KYC]: verification.decide,
  [transactions.BEGIN_PAYMENT]: transactions.begin,
  [transactions.FINISH_PAYMENT]: transactions.finish,
  [transactions.RECEIVE_RETURN]: transactions.receiveReturn,
  [transactions.RECEIVE_NOC]: transactions.receiveNoc,
  [transactions.CONTINUE_ARCHIVAL]: archival.continueArchival,
  [archival.FINISH_ARCHIVAL]: archival.finishArchival,
  [authorization.CLOSE_AUTHORIZATION]: authorization.closeWindow,
  [vrns.REGISTER_VRN]: vrns.register,
  [combinedTransfers.CONTINUE_COMBINED]: combinedTransfers.proceed,
  [closingBalances.CLOSE_OF_DAY]: closingBalances.close,
}
