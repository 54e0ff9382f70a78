import { join } from 'node:path'
import type { MethodName } from '../contract/control.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import { Log } from '../store/log.ts'

/** What the operator did to the world, beside the request log: with it a record is whole, and can be replayed. */

export interface OperatorAction {
  readonly uid: Uid
  readonly name: MethodName
  /** JSON text, secrets removed. */
  readonly input: string
  /** Simulated time when it was done. */
  readonly at: Timestamp
  /** The newest exchange at that moment; null when there was none. */
  readonly after: Uid | null
  readonly seq_before: number
  readonly seq_after: number
}

export class OperatorLog {
  readonly #log: Log<OperatorAction, object>

  private constructor(log: Log<OperatorAction, object>) {
    this.#log = log
  }

  static async open(dataFolder: string | null): Promise<OperatorLog> {
    return new OperatorLog(await Log.open(dataFolder && join(dataFolder, 'acts'), 'o'))
  }

  add(act: Omit<OperatorAction, 'uid'>) {
    // One that another log has held gets a uid of this one.
    this.#log.add({ ...act, uid: this.#log.nextUid }, {})
  }

  /** The oldest first. */
  all(): OperatorAction[] {
    return this.#log.summaries()
  }

  close() {
    this.#log.close()
  }
}
