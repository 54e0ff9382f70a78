import { createHash } from 'node:crypto'
import { openSandbox, type Sandbox } from '../../src/api/sandbox.ts'
import { checkFiles } from '../../src/api/store/check-files.ts'
import type { Commit } from '../../src/api/store/commit.ts'
import { replaceFiles } from '../../src/api/store/files.ts'
import { replaceLock } from '../../src/api/store/lock.ts'
import { type Repair, repairFolder } from '../../src/api/store/repair.ts'
import { Random } from '../support/random.ts'
import { Disk } from './disk.ts'
import { Receiver } from './events.ts'
import { type Host, type Reply, type Response, START } from './host.ts'
import { forgetServers, type InProcessServer, installInProcessServer, newestServer, setReceiver } from './in-process.ts'
import type { Event, Plan } from './operations.ts'
import { installVirtualTime, VirtualTime } from './virtual-time.ts'

/** The sandbox in this process, on a disk and a clock in memory. */

export const FOLDER = '/data'

const TOKEN_LIFETIME_MS = 7 * 3_600_000
/** After so many turns of the event loop without a change nothing follows. */
const QUIET_TURNS = 5

/** The sandboxes of this process use no network, no disk and no lock until the returned function is called. */
export function enterSimulation(): () => void {
  const uninstall = installInProcessServer()
  return () => {
    uninstall()
    replaceFiles()
    replaceLock()
  }
}

export class SimulatedHost implements Host {
  readonly random: Random
  readonly disk: Disk
  readonly time: VirtualTime
  /** Of all webhooks. */
  readonly receiver = new Receiver()
  readonly #plan: Plan
  #sandbox!: Sandbox
  #server!: InProcessServer
  /** What the sandbox reported to its owner. */
  reports: string[] = []
  #token: { text: string; issuedAt: number } | undefined
  onCommit: Host['onCommit'] = () => {}

  constructor(plan: Plan) {
    this.random = new Random(`${plan.seed} faults`)
    this.disk = new Disk(this.random)
    this.time = new VirtualTime(plan.start ?? START)
    this.#plan = plan
  }

  readonly writers = 1
  readonly restarts = true
  addressOf = (id: number) => `http://127.0.0.1:9/webhook-${id}`
  tick(ms: number) {
    this.time.tick = ms
  }
  enter = () => installVirtualTime(this.time)

  get injected(): number {
    return this.disk.injected
  }
  set injected(count: number) {
    this.disk.injected = count
  }
  get hasEnded(): boolean {
    return this.disk.isProcessEnded
  }
  get now(): number {
    return this.#sandbox.store.clock.now()
  }
  get seq(): number {
    return this.#sandbox.store.world.seq
  }

  async start(isNew: boolean) {
    this.time.forgetTimers()
    setReceiver(this.receiver.receive)
    forgetServers()
    replaceFiles(this.disk.startProcess())
    replaceLock(() => () => {})
    const reports: string[] = []
    this.#sandbox = await openSandbox({
      version: 'simulation',
      data: FOLDER,
      port: 0,
      clock: 'frozen',
      durability: this.#plan.durability,
      control_key: 'simulation-control-key',
      report: (line) => void reports.push(line),
      ...(isNew ? { seed: 'simulation', start: this.#plan.start ?? START, world: 'empty' as const } : {}),
    })
    this.reports = reports
    this.#token = undefined
    this.#server = newestServer()
    this.#server.hasEnded = () => this.hasEnded
    this.#sandbox.store.subscribe(({ seq, replacement }: Commit) => this.onCommit(seq, replacement !== undefined))
  }

  async stop() {
    await this.#sandbox.close().catch(() => {})
  }

  async kill(kind: 'kill' | 'power loss') {
    this.disk.killNow()
    await this.settle()
    if (kind === 'power loss') this.disk.losePower()
  }

  /** Lets what is sent to webhooks be sent and recorded, and the code of a killed process run to its end. */
  async settle() {
    const progress = () => [this.seq, this.receiver.attempts, this.#server.unsent, this.disk.injected].join()
    for (let quiet = 0, last = ''; quiet < QUIET_TURNS; quiet++) {
      await new Promise((resolve) => setImmediate(resolve))
      if (progress() !== last) quiet = 0
      last = progress()
    }
  }

  schedule(event: Event) {
    if (event.kind === 'error') this.disk.failAfter(event.after, event.code, event.times)
    else if (event.kind === 'full disk') this.disk.limitSpace(event.bytes)
    else this.disk.killAfter(event.after)
  }

  endFaults() {
    this.disk.endFaults()
  }

  async request(method: string, path: string, trace: string, body?: object): Promise<Response | undefined> {
    const token = await this.#accessToken()
    const { status, text, isLost } = await this.#server.send({
      method,
      path: `/api/v1${path}`,
      headers: { authorization: token, 'x-trace-id': trace },
      ...(body === undefined ? {} : { text: JSON.stringify(body) }),
    })
    return isLost ? undefined : { status, body: text === '' ? undefined : JSON.parse(text) }
  }

  async call(name: string, input: object): Promise<Reply | undefined> {
    const reply = await this.#sandbox.call(name, input)
    if (this.hasEnded) return undefined
    return reply.ok ? { ok: true, value: reply.value } : { ok: false, value: reply.error }
  }

  /** The command `sandbank check`: the problems that it finds in the files. */
  async checkFiles(): Promise<readonly string[]> {
    replaceFiles(this.disk.startProcess())
    return (await checkFiles(FOLDER)).problems
  }

  /** The command `sandbank repair`, killed after some calls of the file system if a number is given. */
  repair(killAfter?: number): Promise<Repair> {
    replaceFiles(this.disk.startProcess())
    if (killAfter !== undefined) this.disk.killAfter(killAfter)
    return repairFolder(FOLDER)
  }

  image(): string {
    const { clock, counters } = this.#sandbox.store.world
    return createHash('sha256')
      .update(JSON.stringify({ clock, counters, records: this.records() }))
      .digest('base64url')
  }

  /** The records of all collections in the order in which they were created. */
  records() {
    return Object.entries(this.#sandbox.store.world.collections).map(
      ([name, collection]) => [name, [...collection.inOrder()].sort((a, b) => a.made - b.made)] as const,
    )
  }

  async #accessToken(): Promise<string> {
    const age = this.#token ? this.now - this.#token.issuedAt : Number.POSITIVE_INFINITY
    if (age < 0 || age > TOKEN_LIFETIME_MS) {
      const [program] = this.#sandbox.programs()
      this.#token = { text: await this.#sandbox.replayClient.token(program!), issuedAt: this.now }
    }
    return this.#token!.text
  }
}
