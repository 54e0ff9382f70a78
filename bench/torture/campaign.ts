import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, ConnectionLost, expectSuccess, type HttpRequest, type Response } from '../support/client.ts'
import { type SandboxProcess, serve } from '../support/process.ts'
import { Random } from '../support/random.ts'
import { fillJournal, worldFileId } from './journal.ts'
import { Load } from './load.ts'
import { type Call, CHANGING_METHODS, type ChangingMethod, leastCalled, MethodCalls } from './methods.ts'
import { NamedWorlds } from './named-worlds.ts'
import { OperatorLogCheck } from './operator-log.ts'
import { REPLACING, Replacements, type ReplacingMethod } from './replacements.ts'
import { RequestLog } from './request-log.ts'
import { Settings } from './settings.ts'
import { Verification } from './verification.ts'

/**
 * Kills a sandbox at random instants, under load, during control methods or while it starts, and starts it again on the same data
 * folder. After each start the world, the request log and the settings are compared with the responses that the client got.
 */

export interface Options {
  readonly kills: number
  readonly seed: string
  readonly print?: (line: string) => void
  /** Damages the data folder after each kill, to show that the campaign finds it. */
  readonly damage?: (data: string) => void
}

export interface Result {
  readonly kills: number
  readonly whileStarting: number
  /** Changes that were acknowledged. */
  readonly acknowledged: number
  /** Changes whose response the kill cut off. */
  readonly unanswered: number
  /** Records that were looked up one by one. */
  readonly checked: number
  /** Answered requests that were looked up in the request log. */
  readonly logged: number
  /** Entries of the operator log that were compared with the calls. */
  readonly actions: number
  readonly commits: number
  /** Messages of the sandbox about torn lines. */
  readonly tornLines: number
  /** How often the world file was rewritten during a round. */
  readonly worldFiles: number
  /** Second processes, which must be refused. */
  readonly refusedProcesses: number
  /** How often each control method that changes something was answered, and how often a kill cut it off. */
  readonly methods: Readonly<Record<ChangingMethod, { readonly answered: number; readonly interrupted: number }>>
  readonly problems: readonly string[]
}

const WORKERS = 6
/** The kill comes after at most so many responses. */
const KILL_IN_LOAD = 100
const STARTS_WITHIN_MS = 600
/** So many methods are answered in each round under load, and so many are called at the instant of the kill. */
const METHODS_ANSWERED = 4
const METHODS_INTERRUPTED = 2
/** The journal is filled before the third round, or the last if there are fewer, and every tenth one after it. */
const isFilledBefore = (round: number, kills: number) => round % 10 === Math.min(2, kills - 1)

export async function campaign(options: Options): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-torture-'))
  const run = new Campaign(options, folder)
  const result = await run.run()
  if (result.problems.length === 0 || options.damage) rmSync(folder, { recursive: true, force: true })
  else options.print?.(`${result.problems[0]}. The data folder: ${join(folder, 'data')}`)
  return result
}

type OtherMethod = Exclude<ChangingMethod, ReplacingMethod>
const isReplacing = (name: ChangingMethod): name is ReplacingMethod => (REPLACING as ChangingMethod[]).includes(name)
const OTHER_METHODS = CHANGING_METHODS.filter((name): name is OtherMethod => !isReplacing(name))

class Campaign {
  readonly #options: Options
  readonly #random: Random
  readonly #data: string
  readonly #load: Load
  readonly #verification = new Verification()
  readonly #requests = new RequestLog()
  readonly #actions: OperatorLogCheck
  readonly #worlds: NamedWorlds
  readonly #methods = new MethodCalls()
  #settings!: Settings
  #replacements!: Replacements
  #calls!: Readonly<Record<OtherMethod, Call>>
  #starts = 0
  /** Rounds under load, without those with a filled journal. */
  #rounds = 0
  /** Rounds with a filled journal. */
  #filled = 0
  /** Resolves after so many more responses. */
  #awaited: { responses: number; resolve: () => void } | undefined
  readonly #problems: string[] = []
  readonly #sum = { whileStarting: 0, unanswered: 0, tornLines: 0, commits: 0, worldFiles: 0, refusedProcesses: 0 }

  constructor(options: Options, folder: string) {
    const data = join(folder, 'data')
    this.#options = options
    this.#random = new Random(options.seed)
    this.#data = data
    this.#load = new Load(this.#random)
    this.#actions = new OperatorLogCheck(data)
    this.#worlds = new NamedWorlds(join(folder, 'kept'))
  }

  async run(): Promise<Result> {
    const { kills, print = () => {} } = this.#options
    await this.#createWorld()
    let done = 0
    for (; done < kills && this.#problems.length === 0; done++) {
      const isFilled = isFilledBefore(done, kills)
      if (!isFilled && this.#random.chance(0.1)) await this.#killWhileStarting()
      else await this.#round(isFilled).catch((error: Error) => this.#problems.push(error.message))
      if ((done + 1) % Math.max(1, Math.floor(kills / 10)) === 0)
        print(`${done + 1} kills, ${this.#load.acknowledged} changes acknowledged, ${this.#problems.length} problems`)
    }
    if (this.#problems.length === 0) await this.#finish().catch((error: Error) => this.#problems.push(error.message))
    return {
      ...{ kills: done, ...this.#sum, problems: this.#problems },
      acknowledged: this.#load.acknowledged + (this.#settings?.acknowledged ?? 0),
      checked: this.#verification.checked,
      logged: this.#requests.checked,
      actions: this.#actions.checked,
      methods: this.#countMethods(),
    }
  }

  async #createWorld() {
    const host = this.#serve(['--world', 'empty', '--seed', this.#options.seed])
    const client = await this.#connect(host)
    await this.#load.createCustomers(client)
    this.#settings = await Settings.create(client, this.#random, await this.#load.createActiveCustomer(client))
    this.#load.changeSetting = (client) => this.#settings.change(client)
    const tools = { load: this.#load, verification: this.#verification, settings: this.#settings }
    this.#replacements = await Replacements.create(client, this.#random, tools)
    this.#calls = { ...this.#load.calls, ...this.#settings.calls, ...this.#worlds.calls }
    await this.#verification.begin(client)
    this.#problems.push(...(await this.#actions.verify(client)))
    client.close()
    await host.kill()
  }

  async #killWhileStarting() {
    const host = this.#serve()
    await new Promise((resolve) => setTimeout(resolve, this.#random.below(STARTS_WITHIN_MS)))
    await host.kill()
    this.#sum.whileStarting++
  }

  /** One start, the checks, load until the kill. `isFilled`: the world file is rewritten under this load. */
  async #round(isFilled: boolean) {
    if (isFilled) await fillJournal(this.#data)
    const worldFile = worldFileId(this.#data)
    const host = await this.#start()
    try {
      const client = await this.#connect(host)
      this.#problems.push(...(await this.#verify(client)))
      if (this.#random.chance(0.3)) await this.#replacements.keepCheckpoint(client)
      this.#load.beginRound()
      this.#settings.beginRound()
      const round = isFilled ? undefined : this.#rounds++
      let killed: Promise<unknown> | undefined
      const replacing = this.#pickReplacing(round)
      if (replacing)
        this.#problems.push(
          ...(await this.#replacements.run(client, replacing.name, (ms) => {
            if (replacing.isInterrupted) killed = this.#killAfter(host, this.#random.next() * ms)
          })),
        )
      killed ??= this.#killInLoad(host, client, isFilled, worldFile)
      const isClockRunning = round !== undefined && round % 4 === 3
      await this.#load.runUntilLost(client, WORKERS, { isClockRunning })
      await killed
      client.close()
      if (worldFileId(this.#data) !== worldFile) this.#sum.worldFiles++
    } finally {
      const { signal, stderr } = await host.kill()
      this.#methods.endRound()
      if (signal !== 'SIGKILL') this.#problems.push(`the sandbox ended by itself: ${stderr}`)
    }
    this.#options.damage?.(this.#data)
    this.#sum.tornLines += countTornLines((await host.ended).stderr)
    this.#sum.unanswered += this.#load.creations.filter(({ response }) => response === undefined).length
  }

  /** In half of the rounds one of the methods that replace the world is called before the load, in a quarter it is interrupted. */
  #pickReplacing(round: number | undefined): { name: ReplacingMethod; isInterrupted: boolean } | undefined {
    if (round === undefined || round % 2 === 0) return undefined
    const isInterrupted = round % 4 === 1
    const counts = isInterrupted ? this.#methods.interrupted : this.#methods.answered
    return { name: leastCalled(REPLACING, counts)[0]!, isInterrupted }
  }

  async #killAfter(host: SandboxProcess, ms: number): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await host.kill()
  }

  /**
   * After so many responses, which does not depend on the speed of the machine, and after the methods whose turn it is were answered.
   * Those whose turn it is to be interrupted are called just before.
   */
  async #killInLoad(host: SandboxProcess, client: Client, isFilled: boolean, worldFile: number): Promise<void> {
    const responses = this.#random.between(isFilled ? 60 : 1, KILL_IN_LOAD)
    const ignoreEnd = (error: Error) => {
      if (!(error instanceof ConnectionLost)) this.#problems.push(error.message)
    }
    const planned = leastCalled(OTHER_METHODS, this.#methods.answered).slice(0, METHODS_ANSWERED)
    const answered = planned.map((name) => this.#methods.callUntilAnswered(client, name, this.#calls[name]))
    const enough = new Promise<void>((resolve) => (this.#awaited = { responses, resolve }))
    await Promise.race([Promise.all([enough, ...answered.map((one) => one.catch(ignoreEnd))]), host.ended])
    // In every second of these rounds the rewrite ends before the kill, and in the others the kill may come during it.
    if (isFilled && this.#filled++ % 2 === 0)
      for (const deadline = Date.now() + 60_000; worldFileId(this.#data) === worldFile && Date.now() < deadline; )
        await new Promise((resolve) => setTimeout(resolve, 5))
    for (const name of leastCalled(OTHER_METHODS, this.#methods.interrupted).slice(0, METHODS_INTERRUPTED))
      void Promise.resolve(this.#calls[name](client)).catch(() => {})
    await this.#killAfter(host, this.#random.below(5))
  }

  #countMethods(): Result['methods'] {
    const { answered, interrupted } = this.#methods
    const counts = CHANGING_METHODS.map((name) => [
      name,
      { answered: answered.get(name) ?? 0, interrupted: interrupted.get(name) ?? 0 },
    ])
    return Object.fromEntries(counts)
  }

  #onRequest = (request: HttpRequest) => {
    this.#methods.onRequest(request)
    this.#actions.onRequest(request)
  }

  #onResponse = (request: HttpRequest, response: Response) => {
    this.#requests.add(request, response)
    this.#actions.onResponse(request, response)
    this.#methods.onResponse(request, response)
    if (this.#awaited && --this.#awaited.responses <= 0) this.#awaited.resolve()
  }

  /** In some rounds two processes start at once, or a second one starts later: one has the folder, the other is refused. */
  async #start(): Promise<SandboxProcess> {
    if (this.#starts % 7 !== 3) return this.#serve()
    const hosts = [this.#serve(), this.#serve()]
    const first = await Promise.any(hosts.map((host) => host.output.then(() => host)))
    const { pid } = await first.output
    const { code, stderr } = await hosts.find((host) => host !== first)!.ended
    this.#sum.refusedProcesses++
    if (code !== 1 || !stderr.includes(`is in use by process ${pid}:`))
      this.#problems.push(`a second process on the folder ended with ${code}: ${stderr}`)
    return first
  }

  async #verify(client: Client): Promise<string[]> {
    const problems = await this.#replacements.recover(client)
    if (this.#load.isClockRunning) await expectSuccess(client.control('clock.advance', { by: 'PT1S' }))
    return [
      ...problems,
      ...(await this.#requests.verify(client, this.#load.creations)),
      ...(await this.#settings.verify(client)),
      ...(await this.#verification.verify(this.#load, client)),
      ...(await this.#actions.verify(client)),
      ...(await this.#worlds.verify(client)),
    ]
  }

  /** The last start: verifies every record, advances the clock until nothing is due, and stops the sandbox. */
  async #finish() {
    const host = this.#serve()
    const client = await this.#connect(host)
    this.#problems.push(...(await this.#verify(client)), ...(await this.#verification.verifyAllRecords(client)))
    this.#load.beginRound()
    this.#sum.commits = (await expectSuccess(client.control('world.describe'))).seq
    this.#load.clock = (await expectSuccess(client.control('clock.advance', { until: 'idle' }))).to
    this.#problems.push(...(await this.#verification.verify(this.#load, client)))
    const { due } = await expectSuccess(client.control('clock.read'))
    if (due > 0) this.#problems.push(`${due} tasks are due after an advance until idle`)
    client.close()
    const { code, stderr } = await host.stop()
    this.#sum.tornLines += countTornLines(stderr)
    if (code !== 0) this.#problems.push(`the last process ended with ${code}: ${stderr}`)
  }

  #serve(args: readonly string[] = []): SandboxProcess {
    const durability = this.#starts++ % 2 === 0 ? 'fsync' : 'write'
    return serve(['--data', this.#data, '--clock', 'frozen', '--durability', durability, ...args])
  }

  /** The limit only ends what hangs, also on a busy machine. */
  async #connect(host: SandboxProcess, withinMs = 120_000): Promise<Client> {
    const sockets = WORKERS + METHODS_ANSWERED + METHODS_INTERRUPTED
    return new Client(await host.output, {
      sockets,
      withinMs,
      onRequest: this.#onRequest,
      onResponse: this.#onResponse,
    })
  }
}

const countTornLines = (stderr: string) => stderr.split('\n').filter((line) => line.includes('torn')).length
