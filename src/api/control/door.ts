import type { MethodName, MethodOutput, MethodParsed, Notice } from '../contract/control.ts'
import type { ExchangeLog } from '../http/exchanges.ts'
import type { Faults } from '../http/faults.ts'
import type { TraceIds } from '../http/trace-ids.ts'
import type { OpenScratchSandbox, SandboxClient, WorldSetup } from '../replay/client.ts'
import type { OperatorLog } from '../replay/operator-log.ts'
import type { Snapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import type { World } from '../store/world.ts'
import type { Scheduler } from '../time/scheduler.ts'
import type { Jobs } from './jobs.ts'

/** What the door of the operator stands on. */
export interface OperatorDoor {
  readonly store: Store
  readonly scheduler: Scheduler
  readonly exchanges: ExchangeLog
  readonly acts: OperatorLog
  readonly traces: TraceIds
  readonly faults: Faults
  readonly snapshots: Snapshots
  readonly freshWorld: (from: WorldSetup) => World
  /** The present world, as a replay meets it. */
  readonly target: SandboxClient
  readonly scratch: OpenScratchSandbox
  /** The folder of the scenarios that come with the sandbox, and of the operator's own; null keeps these in memory. */
  readonly library: string
  readonly ownScenarios: string | null
  readonly notify: (notice: Notice) => void
  readonly work: Jobs
  /** What is to be ended when the sandbox closes. */
  readonly whenClosed: (work: () => Promise<void>) => void
  readonly describe: () => MethodOutput<'world.describe'>
}

export type Control = {
  readonly [N in MethodName]: (input: MethodParsed<N>) => MethodOutput<N> | Promise<MethodOutput<N>>
}
