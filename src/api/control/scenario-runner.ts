import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MethodOutput, MethodParsed, ScenarioInfo, ScenarioRun } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { SandboxClient, ScratchSandbox } from '../replay/client.ts'
import { readScenario, type ScenarioFile, ScenarioFileError } from '../scenarios/file.ts'
import { ENDINGS, namesIn, readNamed } from '../scenarios/library.ts'
import { type FindScenario, type Plan, plansOf } from '../scenarios/plan.ts'
import { recordScenario } from '../scenarios/record.ts'
import { begin, Run, titleOfStage } from '../scenarios/run.ts'
import type { OperatorDoor } from './door.ts'

/** The scenarios of a window: which there are, and the one that is being run, step by step if somebody likes. */

type Begun = MethodParsed<'scenarios.step'>

interface Current {
  readonly name: string | null
  readonly example: number
  readonly into: 'scratch' | 'present'
  readonly began_at: number | null
  readonly run: Run
  readonly scratch: ScratchSandbox | undefined
  isRunning: boolean
  /** Somebody wants it to stop when its step is done. */
  isToPause: boolean
}

interface Known {
  readonly text: string
  readonly info: ScenarioInfo
}

/** Reading a whole library takes its time, its files stay as they are, and one world after another asks for it. */
const libraries = new Map<string, Map<string, Known>>()

function infosOf(library: string): Map<string, Known> {
  const infos = libraries.get(library) ?? new Map<string, Known>()
  libraries.set(library, infos)
  return infos
}

export class ScenarioRunner {
  readonly #door: OperatorDoor
  /** Without a data folder the operator's own are kept here. */
  readonly #inMemory = new Map<string, string>()
  /** Beside scenarios of one's own, which those of the library may begin with. */
  readonly #infos = new Map<string, Known>()
  #current: Current | undefined
  #isBusy = false

  constructor(door: OperatorDoor) {
    this.#door = door
    door.whenClosed(() => this.#close())
  }

  // ── Which there are ──────────────────────────────────────────────────────────────────────────────────────────────

  list(): ScenarioInfo[] {
    const own = this.#ownNames()
    const library = namesIn(this.#door.library).filter((name) => !own.includes(name))
    const find = this.#finder()
    const infos = own.length === 0 ? infosOf(this.#door.library) : this.#infos
    return [...own, ...library].map((name) => this.#info(name, own.includes(name), find, infos))
  }

  read(name: string): MethodOutput<'scenarios.read'> {
    const own = this.#ownText(name)
    const text = own ?? readNamed(this.#door.library, name)?.text
    if (text === undefined) throw new ApiError('routeNotFound', `there is no scenario "${name}"`)
    return { name, text, own: own !== undefined }
  }

  /** Whatever it says: a scenario that is half written is kept, with what is wrong with it. */
  save(name: string, text: string): ScenarioInfo {
    const { ownScenarios } = this.#door
    if (ownScenarios === null) this.#inMemory.set(name, text)
    else {
      mkdirSync(ownScenarios, { recursive: true, mode: 0o700 })
      const path = join(ownScenarios, `${name}.yaml`)
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    }
    // Others may begin with it.
    this.#infos.clear()
    return this.#info(name, true)
  }

  delete(name: string): boolean {
    const { ownScenarios } = this.#door
    const isOwn = this.#ownNames().includes(name)
    if (!isOwn && namesIn(this.#door.library).includes(name))
      throw new ApiError('invalidArgument', `name: "${name}" is of the library, and stays`)
    if (!isOwn) throw new ApiError('routeNotFound', `there is no scenario "${name}"`)
    this.#infos.clear()
    if (ownScenarios === null) this.#inMemory.delete(name)
    else for (const ending of ENDINGS) rmSync(join(ownScenarios, name + ending), { force: true })
    return true
  }

  #ownNames(): string[] {
    const { ownScenarios } = this.#door
    return ownScenarios === null ? [...this.#inMemory.keys()].sort() : namesIn(ownScenarios)
  }

  #ownText(name: string): string | undefined {
    const { ownScenarios } = this.#door
    return ownScenarios === null ? this.#inMemory.get(name) : readNamed(ownScenarios, name)?.text
  }

  #info(name: string, own: boolean, find = this.#finder(), infos = this.#infos): ScenarioInfo {
    const { text } = this.read(name)
    const known = infos.get(name)
    if (known?.text === text) return known.info
    const info = this.#told(name, text, own, find)
    infos.set(name, { text, info })
    return info
  }

  #told(name: string, text: string, own: boolean, find: FindScenario): ScenarioInfo {
    try {
      const file = readScenario(text, `${name}.yaml`)
      const plans = plansOf(file, find)
      return {
        name,
        title: file.scenario.name,
        teaches: file.scenario.teaches ?? null,
        own,
        examples: plans.flatMap(({ example }) => example ?? []),
        steps: plans[0]?.stages.length ?? 0,
        trouble: null,
      }
    } catch (error) {
      if (!(error instanceof ScenarioFileError)) throw error
      return { name, title: name, teaches: null, own, examples: [], steps: 0, trouble: error.message }
    }
  }

  /** Whoever names a scenario means one's own first. What many begin with is read once. */
  #finder(): FindScenario {
    const known = new Map<string, ScenarioFile>()
    return (name) => {
      const file = known.get(name) ?? this.#read(name)
      if (file) known.set(name, file)
      return file
    }
  }

  #read(name: string): ScenarioFile | undefined {
    const text = this.#ownText(name) ?? readNamed(this.#door.library, name)?.text
    return text === undefined ? undefined : readScenario(text, `${name}.yaml`)
  }

  // ── The one that is run ──────────────────────────────────────────────────────────────────────────────────────────

  current(): ScenarioRun | null {
    return this.#current ? shown(this.#current) : null
  }

  async run({ until, ...asked }: MethodParsed<'scenarios.run'>): Promise<ScenarioRun> {
    return this.#alone(async () => {
      const current = await this.#taken(asked)
      const last = Math.min(until ?? current.run.plan.stages.length, current.run.plan.stages.length)
      return this.#while(current, async () => {
        while (current.run.at < last && !current.isToPause) if (!(await this.#next(current))) break
      })
    })
  }

  async step(asked: Begun): Promise<ScenarioRun> {
    return this.#alone(async () => {
      const current = await this.#taken(asked)
      return this.#while(current, async () => void (await this.#next(current)))
    })
  }

  /** One at a time: whoever comes while another is begun or run is refused. */
  async #alone(work: () => Promise<ScenarioRun>): Promise<ScenarioRun> {
    if (this.#isBusy)
      throw new ApiError('invalidArgument', 'a scenario is running: wait for it, or stop it with scenarios.pause')
    this.#isBusy = true
    try {
      return await work()
    } finally {
      this.#isBusy = false
    }
  }

  pause(): boolean {
    if (!this.#current?.isRunning) return false
    this.#current.isToPause = true
    return true
  }

  record({ since, name = 'What was done by hand', teaches }: MethodParsed<'scenarios.record'>) {
    return recordScenario(this.#door, { since, name, teaches })
  }

  /** The one that is named, begun anew; or the one that waits. */
  async #taken(asked: Begun): Promise<Current> {
    if (asked.name !== undefined || asked.text !== undefined) return this.#begin(asked)
    if (!this.#current) throw new ApiError('invalidArgument', 'name or text is expected: no scenario has been begun')
    if (stateOf(this.#current) !== 'paused')
      throw new ApiError('invalidArgument', `the scenario has ${stateOf(this.#current)}: name one to begin again`)
    return this.#current
  }

  async #begin({ name, text, example = 0, into = 'scratch' }: Begun): Promise<Current> {
    const plan = this.#plan(name, text, example)
    await this.#current?.scratch?.close()
    this.#current = undefined
    const began_at = into === 'present' ? this.#door.store.world.seq : null
    const scratch = into === 'scratch' ? await begin(plan, this.#door.scratch) : undefined
    const target = scratch ?? (await this.#presentWorld(plan))
    const run = new Run(plan, target)
    const current = { name: name ?? null, example, into, began_at, run, scratch, isRunning: false, isToPause: false }
    this.#current = current
    return current
  }

  #plan(name: string | undefined, text: string | undefined, example: number): Plan {
    try {
      const file: ScenarioFile = readScenario(text ?? this.read(name!).text, `${name ?? 'scenario'}.yaml`)
      const plans = plansOf(file, this.#finder())
      const plan = plans[example]
      if (plan) return plan
      throw new ApiError('invalidArgument', `example: there are ${plans.length}, counted from 0`)
    } catch (error) {
      if (error instanceof ScenarioFileError) throw new ApiError('invalidArgument', error.message)
      throw error
    }
  }

  /** The present world makes room, by a reset that can be undone. */
  async #presentWorld({ beginning }: Plan): Promise<SandboxClient> {
    const { kind, seed, start, clock } = beginning
    const { target } = this.#door
    for (const [name, input] of [
      ['world.reset', { world: kind, seed, start, ...clock }],
      ['faults.clear', {}],
    ] as const) {
      const reply = await target.call(name, input)
      const [error] = reply.ok ? [] : reply.error.errors
      if (error) throw new ApiError('invalidArgument', error.extra ?? error.detail)
    }
    return target
  }

  async #while(current: Current, work: () => Promise<void>): Promise<ScenarioRun> {
    current.isRunning = true
    current.isToPause = false
    try {
      await work()
    } finally {
      current.isRunning = false
      if (stateOf(current) !== 'paused') await current.scratch?.close()
    }
    const run = shown(current)
    this.#door.notify({ type: 'scenario', run })
    return run
  }

  /** Whether it may go on. */
  async #next(current: Current): Promise<boolean> {
    const result = await current.run.next()
    this.#door.notify({ type: 'scenario', run: shown(current) })
    return result?.ok ?? false
  }

  async #close() {
    this.pause()
    await this.#current?.scratch?.close()
  }
}

function stateOf({ run, isRunning }: Current): ScenarioRun['state'] {
  if (run.results.some(({ ok }) => !ok)) return 'failed'
  if (run.at >= run.plan.stages.length) return 'passed'
  return isRunning ? 'running' : 'paused'
}

function shown(current: Current): ScenarioRun {
  const { name, example, into, began_at, run } = current
  return {
    name,
    title: run.plan.name,
    example,
    into,
    state: stateOf(current),
    at: run.at,
    steps: run.plan.stages.map((stage) => ({
      kind: stage.kind,
      title: titleOfStage(stage),
      scenario: stage.from.scenario.name,
      line: stage.from.placeOf(stage.path).line,
    })),
    began_at,
    result: run.result(),
  }
}
