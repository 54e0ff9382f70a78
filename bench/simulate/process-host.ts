import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { holdsWorld } from '../../src/api/files.ts'
import { Clock } from '../../src/api/store/clock.ts'
import { openDataFolder, SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { listSegments } from '../../src/api/store/segments.ts'
import { Store } from '../../src/api/store/store.ts'
import { Client, ConnectionLost, expectSuccess } from '../support/client.ts'
import { changingMethods } from '../support/examples.ts'
import { runCommand, type SandboxProcess, serve } from '../support/process.ts'
import { Random } from '../support/random.ts'
import { type Host, type Reply, type Response, START } from './host.ts'
import type { Event, Plan } from './operations.ts'

/** The sandbox as the built command line on a real disk. A kill is a SIGKILL at a random instant. */

/** A start takes longer than a request. */
const START_IS_LONGER = 60
/** Two processes start at once: one has the folder, the other is refused. */
const startsTwice = (start: number) => start % 7 === 3
const TOKEN_LIFETIME_MS = 7 * 3_600_000

export interface ProcessOptions {
  /** Damages the data folder after each kill, to show that it is found. */
  readonly damage?: ((data: string) => void) | undefined
  /** The addresses of webhooks. */
  readonly receivers?: readonly string[]
}

export class ProcessHost implements Host {
  readonly random: Random
  readonly #data: string
  readonly #kept: string
  readonly #plan: Plan
  readonly #damage: ProcessOptions['damage']
  readonly #receivers: readonly string[]
  readonly writers = 6
  readonly restarts: boolean
  #process: SandboxProcess | undefined
  #client: Client | undefined
  /** Milliseconds until the kill that is scheduled. */
  #killAfter: number | undefined
  #timer: NodeJS.Timeout | undefined
  #signedInAt = Number.NEGATIVE_INFINITY
  #starts = 0
  #keptWorlds = 0
  #turns = 0
  injected = 0
  onCommit: Host['onCommit'] = () => {}
  hasEnded = true
  now = START
  seq = 0
  readonly counts = { 'torn lines': 0, 'second processes refused': 0, 'kills while starting': 0 }

  constructor(plan: Plan, folder: string, { damage, receivers = [] }: ProcessOptions = {}) {
    this.random = new Random(`${plan.seed} kills`)
    this.#data = join(folder, 'data')
    this.#kept = join(folder, 'kept')
    mkdirSync(this.#kept)
    this.#plan = plan
    this.#damage = damage
    this.#receivers = receivers
    this.restarts = !plan.isInMemory
  }

  enter = () => () => {}
  tick() {}
  async settle() {}
  addressOf = (id: number) => this.#receivers[id % this.#receivers.length]

  async start(isNew: boolean) {
    this.#process = await this.#serve(isNew)
    this.#starts++
    this.hasEnded = false
    this.#arm(START_IS_LONGER)
    const output = await this.#process.output.catch((error: Error) => {
      if (!this.hasEnded) this.#process = undefined // It refused to start.
      throw error
    })
    this.#client = new Client(output, { withinMs: 120_000 })
    this.#signedInAt = Number.NEGATIVE_INFINITY
    await this.#learnState()
    if (this.hasEnded) throw new Error('The process was killed')
  }

  async #serve(isNew: boolean): Promise<SandboxProcess> {
    const fresh = ['--world', 'empty', '--seed', 'torture', '--start', new Date(START).toISOString()]
    const place = this.restarts ? ['--data', this.#data, '--durability', this.#plan.durability] : ['--ephemeral']
    const args = [...place, '--clock', 'frozen', ...(isNew ? fresh : [])]
    if (!startsTwice(this.#starts) || this.#killAfter !== undefined) return serve(args)
    const both = [serve(args), serve(args)]
    const first = await Promise.any(both.map((one) => one.output.then(() => one)))
    const { pid } = await first.output
    const { code, stderr } = await both.find((one) => one !== first)!.ended
    if (code !== 1 || !new RegExp(`is in use by process ${pid}[:,]`).test(stderr))
      throw new Error(`A second process on the folder ended with ${code}: ${stderr}`)
    this.counts['second processes refused']++
    return first
  }

  /** The kill comes while it stops, or while it starts again. */
  async stop() {
    if (this.random.chance(0.3)) this.#arm(1)
    await this.#end('stop')
  }

  async kill() {
    this.hasEnded = true
    await this.#end('kill')
  }

  async #end(how: 'stop' | 'kill') {
    const ended = this.#process
    this.#process = undefined
    this.#client?.close()
    if (!ended) return
    const { code, signal, stderr } = await ended[how]()
    clearTimeout(this.#timer)
    if (signal !== 'SIGKILL' && (how === 'kill' || code !== 0))
      throw new Error(`The sandbox ended by itself with ${code ?? signal}: ${stderr}`)
    this.counts['torn lines'] += stderr.split('\n').filter((line) => line.includes('torn')).length
    if (signal !== 'SIGKILL' || !this.restarts) return
    this.#damage?.(this.#data)
    if (this.#plan.hasOtherCommits && this.#starts % 3 === 0) await fillJournal(this.#data)
  }

  schedule({ kind, after = 0 }: Event & { readonly after?: number }) {
    if (kind === 'kill') this.#killAfter = after + this.random.next()
  }

  endFaults() {
    clearTimeout(this.#timer)
    this.#killAfter = undefined
  }

  /** What takes `slowness` times as long as a request is killed so much later. */
  #arm(slowness: number) {
    if (this.#killAfter === undefined) return
    const process = this.#process
    this.#timer = setTimeout(() => {
      this.hasEnded = true
      process?.child.kill('SIGKILL')
    }, this.#killAfter * slowness)
    if (slowness > 1) this.counts['kills while starting']++
    this.#killAfter = undefined
  }

  async request(method: string, path: string, trace: string, json?: object): Promise<Response | undefined> {
    const response = await this.#send(method !== 'GET', (client) => client.api(method, path, json, trace))
    return response && { status: response.status, body: response.body }
  }

  async call(name: string, input: object): Promise<Reply | undefined> {
    const changes = (changingMethods as readonly string[]).includes(name)
    // Each world is kept in a folder of its own.
    const sent = name === 'worlds.keep' ? { ...input, folder: join(this.#kept, String(++this.#keptWorlds)) } : input
    const response = await this.#send(changes, (client) => client.control(name, sent))
    return response && { ok: response.status === 200, value: response.body }
  }

  async #send<T>(changes: boolean, send: (client: Client) => Promise<T>): Promise<T | undefined> {
    if (changes) this.#arm(1)
    try {
      const answer = await send(this.#client!)
      if (changes) await this.#learnState()
      return answer
    } catch (error) {
      if (this.hasEnded && error instanceof ConnectionLost) return undefined
      throw error
    }
  }

  /** It signs in before the token ends, so that no request has to. */
  async #learnState() {
    const client = this.#client!
    const turn = ++this.#turns
    try {
      const now = Date.parse((await expectSuccess(client.control('clock.read'))).now)
      const { seq } = await expectSuccess(client.control('world.describe'))
      // Of several at once the last one has the newest state.
      if (turn !== this.#turns) return
      Object.assign(this, { now, seq })
      const age = this.now - this.#signedInAt
      if (age < 0 || age > TOKEN_LIFETIME_MS) {
        await client.token()
        this.#signedInAt = this.now
      }
    } catch (error) {
      if (!this.hasEnded || !(error instanceof ConnectionLost)) throw error
    }
  }

  /** The folder of a kept world is whole; if a kill came during the call, it may have no world. */
  async findProblemOfKept(): Promise<string | undefined> {
    for (const name of readdirSync(this.#kept)) {
      const folder = join(this.#kept, name)
      if (!holdsWorld(folder)) continue
      const { code, stdout, stderr } = await runCommand(['check', folder])
      if (code !== 0) return `A kept world is not whole: ${stdout}${stderr}`
    }
    return undefined
  }

  image = () => undefined
}

/** So many commits are left until the world file is rewritten. */
const LEFT = 5

/** Adds commits that change nothing else, so that the world file is rewritten under the load of the clients. */
async function fillJournal(data: string): Promise<void> {
  const never = { commits: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY }
  const { world, file } = await openDataFolder(data, 'write', () => {}, never)
  const store = new Store(world!, new Clock(world!, () => 0), file)
  // A world file begins a new segment.
  const newest = Math.max(...listSegments(data).map(({ firstSeq }) => firstSeq))
  for (let n = world!.seq - newest + 1; n < SAVE_AFTER.commits - LEFT; n++)
    store.operate({ door: 'operator', name: 'clock.set' }, (tx) => tx.setClock({ ...tx.clock }))
  await file.close()
}
