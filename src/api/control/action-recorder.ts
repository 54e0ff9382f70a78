import type { Cause } from '../contract/control/history.ts'
import { type MethodName, methods } from '../contract/control/methods.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import type { Redaction } from '../http/redact.ts'
import { type OperatorLog, rebuildAction } from '../replay/operator-log.ts'
import { toTimestamp } from '../store/clock.ts'
import type { Commit, CommittedAction } from '../store/commit.ts'
import type { Store } from '../store/store.ts'
import { type OperationGroup, OperationGroups } from './operation-groups.ts'

interface RunningAction {
  readonly name: MethodName
  readonly input: unknown
  readonly seq_before: number
  readonly group: OperationGroup | null
  /** Its latest commit. */
  commit?: Commit
}

interface RecorderParts {
  readonly store: Store
  readonly actions: OperatorLog
  readonly exchanges: ExchangeLog
  readonly redaction: Redaction
  readonly reportError: (error: unknown) => void
}

/** Adds the operator's actions to the operator log, and describes them in their commits, in case a crash comes before that. */
export class ActionRecorder {
  readonly #parts: RecorderParts
  readonly #running: RunningAction[] = []
  readonly groups: OperationGroups

  constructor(parts: RecorderParts) {
    this.#parts = parts
    const { store } = parts
    this.groups = new OperationGroups(store)
    store.addOrigin = (commit, request) => {
      if (request) return this.groups.assign(commit, this.groups.findRun(request.run))
      const running = this.#find(commit.cause)
      const action = running && this.#describe(running, commit.cause)
      return this.groups.assign(action ? { ...commit, action } : commit, running?.group)
    }
    store.subscribe((commit) => {
      const running = commit.action && this.#find(commit.cause)
      if (running) running.commit = commit
    })
  }

  /** An action that fails after a commit has still changed the world, so it is logged, too. */
  async record<T>(
    name: MethodName,
    input: unknown,
    work: () => T | Promise<T>,
    group: OperationGroup | null = {},
  ): Promise<T> {
    const action: RunningAction = { name, input, seq_before: this.#parts.store.world.seq, group }
    this.#running.push(action)
    try {
      const result = await work()
      this.#log(() => this.#entryOf(action))
      return result
    } catch (error) {
      const { commit } = action
      if (commit) this.#log(() => rebuildAction(commit)!)
      throw error
    } finally {
      this.#running.splice(this.#running.indexOf(action), 1)
    }
  }

  /** An action that cannot be logged, e.g. because the disk is full, has still been executed. */
  #log(entry: () => Parameters<OperatorLog['add']>[0]) {
    try {
      this.#parts.actions.add(entry())
    } catch (error) {
      this.#parts.reportError(error)
    }
  }

  #entryOf({ name, input, seq_before, commit }: RunningAction) {
    const { store, exchanges } = this.#parts
    const at = toTimestamp(store.clock.now())
    return {
      name,
      input: this.#print(name, input),
      at,
      after: exchanges.newestUid,
      seq_before,
      // A break may have frozen the clock since, in a commit of its own.
      seq_after: commit?.seq ?? store.world.seq,
    }
  }

  /** As JSON text, without secrets, and without what the records have that it adds. */
  #print(name: MethodName, input: unknown): string {
    const method = methods[name]
    const left = 'keeps' in method ? { ...(input as object), [method.keeps]: undefined } : input
    return this.#parts.redaction.redactBody(JSON.stringify(left), 'application/json')
  }

  #describe({ name, input, seq_before }: RunningAction, cause: Cause): CommittedAction {
    const isPart = cause.door === 'time' && name === 'clock.advance'
    return {
      name,
      ...(isPart ? {} : { input: this.#print(name, input) }),
      after: this.#parts.exchanges.newestUid,
      seq_before,
    }
  }

  #find({ door, name }: Cause): RunningAction | undefined {
    if (this.#running.length === 0) return undefined
    // The cause of a decision names the decision, too.
    const [method] = name.split(' ')
    return this.#running.findLast((action) =>
      door === 'operator' ? action.name === method : door === 'time' && RUNS_TASKS.has(action.name),
    )
  }
}

const RUNS_TASKS: ReadonlySet<MethodName> = new Set(['clock.advance', 'tasks.run'])
