import { join } from 'node:path'
import type { MethodName } from '../contract/control/methods.ts'
import type { Timestamp, Uid } from '../contract/terms/primitives.ts'
import { Log, type LogOptions } from '../store/log.ts'

export interface OperatorAction {
  readonly uid: Uid
  readonly name: MethodName
  /** JSON text, without secrets. */
  readonly input: string
  /** Simulated time. */
  readonly at: Timestamp
  /** The newest exchange before it; null if there was none. */
  readonly after: Uid | null
  readonly seq_before: number
  readonly seq_after: number
}

/** The control method calls that changed the world. With the request log it makes the record of the world complete. */
export class OperatorLog {
  readonly #log: Log<OperatorAction, object>

  private constructor(log: Log<OperatorAction, object>) {
    this.#log = log
  }

  static async open(dataFolder: string | null, options?: LogOptions): Promise<OperatorLog> {
    return new OperatorLog(await Log.open(dataFolder && join(dataFolder, 'acts'), 'o', options))
  }

  /** Returns when all entries so far are on the disk. */
  sync(): Promise<void> {
    return this.#log.sync()
  }

  /** An action from another log gets a uid of this one. */
  add(action: Omit<OperatorAction, 'uid'>) {
    this.#log.add({ ...action, uid: this.#log.nextUid }, {})
  }

  /** Oldest first. */
  entries(): OperatorAction[] {
    return this.#log.summaries()
  }

  close() {
    this.#log.close()
  }
}
