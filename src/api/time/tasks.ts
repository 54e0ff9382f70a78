import * as archival from '../domain/resources/archival.ts'
import * as closingBalances from '../domain/resources/closing-balances.ts'
import * as verification from '../domain/resources/verification.ts'
import type { Tx } from '../store/store.ts'
import type { TaskRecord } from '../store/world.ts'

/** What one kind of task does when it falls due. Its answer, if any, tells in a few words what came of it. */
export type Runner = (tx: Tx, task: TaskRecord) => string | void

/** Door 2, time: one line per kind of task. */
export const tasks: Readonly<Record<string, Runner>> = {
  [verification.DECIDE_KYC]: verification.decide,
  [archival.CONTINUE_ARCHIVAL]: archival.continueArchival,
  [closingBalances.CLOSE_OF_DAY]: closingBalances.close,
}
