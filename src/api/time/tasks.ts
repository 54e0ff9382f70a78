import type { Outcome } from '../contract/messages.ts'
import type { OutcomeOf, TaskKind } from '../contract/tasks.ts'
import * as archival from '../domain/resources/archival.ts'
import * as authorization from '../domain/resources/authorization.ts'
import * as bankResponses from '../domain/resources/bank-responses.ts'
import * as closingBalances from '../domain/resources/closing-balances.ts'
import * as combinedTransfers from '../domain/resources/combined-transfers.ts'
import * as syntheticAccounts from '../domain/resources/synthetic-accounts.ts'
import * as transactions from '../domain/resources/transactions.ts'
import * as verification from '../domain/resources/verification.ts'
import * as vrns from '../domain/resources/virtual-reference-numbers.ts'
import * as webhooks from '../domain/resources/webhooks.ts'
import type { Tx } from '../store/tx.ts'
import type { TaskRecord } from '../store/world.ts'

/** What a kind of task does when it is due. Runners of tests may return a text, or nothing. */
export type Runner = (tx: Tx, task: TaskRecord) => Outcome | string | void

/** One line per kind of task. */
export const taskRunners: { readonly [K in TaskKind]: (tx: Tx, task: TaskRecord) => OutcomeOf<K> } = {
  'decide kyc': verification.decideEvaluation,
  'activate customer': verification.activate,
  'send payment': transactions.begin,
  'finish payment': transactions.finish,
  'receive return': bankResponses.receiveReturn,
  'receive notification of change': bankResponses.receiveNoc,
  'continue archival': archival.continueArchival,
  'finish archival': archival.finishArchival,
  'close authorization': authorization.closeWindow,
  'register vrn': vrns.register,
  'open account': syntheticAccounts.open,
  'continue combined transfer': combinedTransfers.runNextStep,
  'send waiting events': webhooks.sendWaiting,
  'close of day': closingBalances.closeDay,
}
