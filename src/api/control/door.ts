import type { MethodName, MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import type { Notice } from '../contract/control/notices.ts'
import type { Reference } from '../contract/describe/describe.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import type { Faults } from '../http/faults.ts'
import type { Redaction } from '../http/redact.ts'
import type { TraceIds } from '../http/trace-ids.ts'
import type { OpenScratchSandbox, SandboxClient, WorldSetup } from '../replay/client.ts'
import type { OperatorLog } from '../replay/operator-log.ts'
import type { CallLog } from '../store/call-log.ts'
import type { Snapshots } from '../store/snapshots.ts'
import type { Steps } from '../store/steps.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../store/world.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Jobs, OnText } from './jobs.ts'

/** What the control methods need of their sandbox. */
export interface OperatorDoor {
  readonly store: Store
  readonly scheduler: Scheduler
  /** Holds the requests, the actions and the trace ids. */
  readonly log: CallLog
  readonly exchanges: ExchangeLog
  readonly actions: OperatorLog
  readonly traces: TraceIds
  readonly faults: Faults
  readonly snapshots: Snapshots
  readonly jobs: Jobs
  readonly redaction: Redaction
  /** Sends requests and control method calls to this sandbox. */
  readonly client: SandboxClient
  /** The same, for a scenario or a replay: all that it does is one operation. */
  readonly openRun: (name: MethodName) => SandboxClient
  readonly recordAction: <T>(name: MethodName, input: unknown, work: () => Promise<T>) => Promise<T>
  readonly createWorld: (setup: WorldSetup) => Steps<{ readonly world: World }>
  readonly openScratch: OpenScratchSandbox
  /** The folder of the library's scenarios. */
  readonly library: string
  /** The folder of the operator's own scenarios; null keeps them in memory. */
  readonly ownScenarios: string | null
  readonly notify: (notice: Notice) => void
  /** Adds work to do when the sandbox closes. */
  readonly onClose: (work: () => Promise<void>) => void
  readonly describe: () => MethodOutput<'world.describe'>
  readonly reference: () => Reference
  readonly identify: () => MethodOutput<'sandbox.identify'>
  readonly open: () => MethodOutput<'sandbox.open'>
  readonly stop: (nonce: string) => MethodOutput<'sandbox.stop'>
  /** As in `RecordedSandbox`. */
  readonly begins: number
  readonly worlds: WorldsDoor
}

/** The named worlds of the sandbox, as the control methods of one of them use them. */
export type WorldsDoor = {
  readonly [N in WorldsMethod as N extends `worlds.${infer Name}` ? Name : N]: (
    input: MethodParsed<N>,
  ) => MethodOutput<N> | Promise<MethodOutput<N>>
} & { readonly openStaying: OpenScratchSandbox }

type WorldsMethod = Extract<MethodName, `worlds.${string}` | 'reach'>

/** A method that only reads may return its steps. */
export type Control = {
  readonly [N in MethodName]: (
    input: MethodParsed<N>,
    onText?: OnText,
  ) => MethodOutput<N> | Promise<MethodOutput<N>> | Steps<MethodOutput<N>>
}
