import type { MethodParsed } from '../contract/control/methods.ts'
import type { ScenarioRun } from '../contract/control/scenarios.ts'
import { ApiError } from '../contract/errors.ts'
import { noSuchWorld } from '../http/error-response.ts'
import type { SandboxClient, ScratchSandbox } from '../replay/client.ts'
import { ScenarioCatalog } from '../scenarios/catalog.ts'
import { readScenarioInSteps, ScenarioFileError } from '../scenarios/file.ts'
import { createPlans, type Plan } from '../scenarios/plan.ts'
import { recordScenario } from '../scenarios/record.ts'
import { openForPlan, PlanRun, stageTitle } from '../scenarios/run.ts'
import type { OperatorDoor } from './door.ts'

/** scenarios.*: the catalog, and the scenario that is run, as a whole or step by step. */

type Request = MethodParsed<'scenarios.step'>

interface CurrentScenario {
  readonly name: string | null
  readonly example: number
  readonly into: 'scratch' | 'present'
  readonly client: SandboxClient
  /** Stays when it is undone. */
  operation: number | null
  readonly run: PlanRun
  readonly scratch: ScratchSandbox | undefined
  isRunning: boolean
  /** Stop after the current step. */
  isPauseRequested: boolean
}

export class ScenarioRunner {
  readonly catalog: ScenarioCatalog
  readonly #door: OperatorDoor
  #current: CurrentScenario | undefined
  /** While one is being opened or run: in which world. */
  #busyIn: CurrentScenario['into'] | undefined
  #isClosed = false

  constructor(door: OperatorDoor) {
    this.catalog = new ScenarioCatalog(door.library, door.ownScenarios, () => door.notify({ type: 'scenarios' }))
    this.#door = door
    door.onClose(() => this.#close())
  }

  current(): ScenarioRun | null {
    return this.#current ? describeRun(this.#current) : null
  }

  run({ until = Number.POSITIVE_INFINITY, ...request }: MethodParsed<'scenarios.run'>): Promise<ScenarioRun> {
    return this.#runExclusive(request, async () => this.#runUntil(await this.#findCurrent(request), until))
  }

  step(request: Request): Promise<ScenarioRun> {
    return this.#runExclusive(request, async () => {
      const current = await this.#findCurrent(request)
      return this.#runUntil(current, current.run.nextIndex + 1)
    })
  }

  pause(): boolean {
    if (!this.#current?.isRunning) return false
    this.#current.isPauseRequested = true
    return true
  }

  record({ since, name = 'Recorded session', teaches }: MethodParsed<'scenarios.record'>) {
    const removeSecrets = (text: string) => this.#door.redaction.removeSecrets(text)
    return recordScenario(this.#door, { since, name, teaches, removeSecrets })
  }

  /** Of a scenario in the current world. */
  refuseDuringRun() {
    if (this.#busyIn === 'present') throw isRunning()
  }

  async #runExclusive(request: Request, work: () => Promise<ScenarioRun>): Promise<ScenarioRun> {
    if (this.#busyIn) throw isRunning()
    const { into = 'scratch' } = isNew(request) ? request : (this.#current ?? {})
    this.#busyIn = into
    try {
      const run = await work()
      this.#requireOpen()
      return run
    } catch (error) {
      this.#requireOpen()
      throw error
    } finally {
      this.#busyIn = undefined
    }
  }

  /** What a scenario met after its world was dropped says nothing about the scenario. */
  #requireOpen() {
    if (!this.#isClosed) return
    const { name } = this.#door.describe()
    throw name === null ? new ApiError('invalidArgument', 'the sandbox is closing') : noSuchWorld(name)
  }

  /** A new run of the named scenario, or else the paused one. */
  async #findCurrent(request: Request): Promise<CurrentScenario> {
    if (isNew(request)) return this.#start(request)
    if (!this.#current) throw new ApiError('invalidArgument', 'name or text is expected: no scenario has been started')
    if (stateOf(this.#current) !== 'paused')
      throw new ApiError('invalidArgument', `the scenario has ${stateOf(this.#current)}: name one to begin again`)
    return this.#current
  }

  async #start({ name, text, example = 0, into = 'scratch', stays = false, reset }: Request): Promise<CurrentScenario> {
    const plan = await this.#createPlan(name, text, example)
    if (into === 'present') refuseRestart(plan)
    if (reset === false) refuseBeginning(plan, into)
    await this.#current?.scratch?.close()
    this.#current = undefined
    const scratch =
      into === 'scratch' ? await openForPlan(plan, this.#door.openScratch, stays ? 'scenario' : undefined) : undefined
    const client = scratch ?? (reset === false ? this.#door.openRun('scenarios.run') : await this.#resetForPlan(plan))
    const run = new PlanRun(plan, client)
    this.#current = {
      name: name ?? null,
      example,
      into,
      client,
      operation: null,
      run,
      scratch,
      isRunning: false,
      isPauseRequested: false,
    }
    return this.#current
  }

  async #createPlan(name: string | undefined, text: string | undefined, example: number): Promise<Plan> {
    try {
      const steps = readScenarioInSteps(text ?? this.catalog.read(name!).text, `${name ?? 'scenario'}.yaml`)
      const file = await this.#door.jobs.runSilent(steps)
      const plans = createPlans(file, this.catalog.createFinder())
      const plan = plans[example]
      if (plan) return plan
      throw new ApiError('invalidArgument', `example: there are ${plans.length}, counted from 0`)
    } catch (error) {
      if (error instanceof ScenarioFileError) throw new ApiError('invalidArgument', error.message)
      throw error
    }
  }

  /** Replaces the current world by the one that the plan needs. The reset can be undone. */
  async #resetForPlan({ setup }: Plan): Promise<SandboxClient> {
    const { kind, seed, start, clock } = setup
    const client = this.#door.openRun('scenarios.run')
    for (const [name, input] of [
      ['world.reset', { world: kind, seed, start, ...clock }],
      ['faults.clear', {}],
    ] as const) {
      const reply = await client.call(name, input)
      const [error] = reply.ok ? [] : reply.error.errors
      if (error) throw new ApiError('invalidArgument', error.extra ?? error.detail)
    }
    return client
  }

  /** Until a step fails, the scenario is paused, or the step `until` is next. */
  async #runUntil(current: CurrentScenario, until: number): Promise<ScenarioRun> {
    const { run } = current
    const last = Math.min(until, run.plan.stages.length)
    current.isRunning = true
    current.isPauseRequested = false
    try {
      while (run.nextIndex < last && !current.isPauseRequested) {
        const result = await run.runNext()
        current.operation = current.client.operation?.() ?? current.operation
        this.#notifyOf(current)
        if (!result?.ok) break
      }
    } finally {
      current.isRunning = false
      if (stateOf(current) !== 'paused') await current.scratch?.close()
    }
    return this.#notifyOf(current)
  }

  #notifyOf(current: CurrentScenario): ScenarioRun {
    const run = describeRun(current)
    this.#door.notify({ type: 'scenario', run })
    return run
  }

  async #close() {
    this.#isClosed = true
    this.pause()
    await this.#current?.scratch?.close()
  }
}

const isNew = ({ name, text }: Request) => name !== undefined || text !== undefined

const isRunning = () =>
  new ApiError('invalidArgument', 'a scenario is running: wait for it, or stop it with scenarios.pause')

/** The host of the current world would have to be restarted. */
function refuseRestart({ stages }: Plan) {
  const stage = stages.find(({ kind }) => kind === 'restart')
  if (!stage) return
  const { file, line, column } = stage.from.placeOf(stage.path)
  const message = 'the sandbox of the current world cannot be restarted by a scenario: run it in a temporary world'
  throw new ApiError('invalidArgument', `${file}:${line}:${column}: restart: ${message}`)
}

function refuseBeginning({ needs_world }: Plan, into: CurrentScenario['into']) {
  if (into !== 'present')
    throw new ApiError('invalidArgument', 'reset: false is for into: present; a temporary world is always new')
  if (needs_world !== null)
    throw new ApiError(
      'invalidArgument',
      `reset: false goes on in the current world, and the scenario cannot: ${needs_world}`,
    )
}

function stateOf({ run, isRunning }: CurrentScenario): ScenarioRun['state'] {
  if (run.results.some(({ ok }) => !ok)) return 'failed'
  if (run.nextIndex >= run.plan.stages.length) return 'passed'
  return isRunning ? 'running' : 'paused'
}

function describeRun(current: CurrentScenario): ScenarioRun {
  const { name, example, into, operation, scratch, run } = current
  return {
    name,
    title: run.plan.name,
    example,
    into,
    state: stateOf(current),
    at: run.nextIndex,
    steps: run.plan.stages.map((stage) => ({
      kind: stage.kind,
      title: stageTitle(stage),
      scenario: stage.from.scenario.name,
      line: stage.from.placeOf(stage.path).line,
    })),
    operation,
    world: scratch?.name ?? null,
    result: run.result(),
  }
}
