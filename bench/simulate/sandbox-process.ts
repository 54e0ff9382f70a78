import { openSandbox, type Sandbox } from '../../src/api/sandbox.ts'
import { checkFiles } from '../../src/api/store/check-files.ts'
import { replaceFiles } from '../../src/api/store/files.ts'
import { replaceLock } from '../../src/api/store/lock.ts'
import { type Repair, repairFolder } from '../../src/api/store/repair.ts'
import type { Body } from './calls.ts'
import type { Disk } from './disk.ts'
import { forgetServers, type InProcessServer, installInProcessServer, newestServer } from './in-process.ts'
import type { VirtualTime } from './virtual-time.ts'

/** One start of the sandbox on the simulated disk. */

export const FOLDER = '/data'
export const START = Date.parse('2026-08-14T14:00:00.000Z')

export interface Response {
  readonly status: number
  readonly body: Body
}

export interface StartOptions {
  readonly durability: 'write' | 'fsync'
  readonly isNew: boolean
}

const TOKEN_LIFETIME_MS = 7 * 3_600_000

/** The sandboxes of this process use no network, no disk and no lock until the returned function is called. */
export function enterSimulation(): () => void {
  const uninstall = installInProcessServer()
  return () => {
    uninstall()
    replaceFiles()
    replaceLock()
  }
}

export class SandboxProcess {
  readonly sandbox: Sandbox
  /** What the sandbox reported to its owner. */
  readonly reports: string[]
  readonly #server: InProcessServer
  readonly #disk: Disk
  #token: { text: string; issuedAt: number } | undefined

  private constructor(sandbox: Sandbox, reports: string[], disk: Disk) {
    this.sandbox = sandbox
    this.reports = reports
    this.#server = newestServer()
    this.#server.hasEnded = () => disk.isProcessEnded
    this.#disk = disk
  }

  static async start(disk: Disk, time: VirtualTime, { durability, isNew }: StartOptions): Promise<SandboxProcess> {
    time.forgetTimers()
    forgetServers()
    replaceFiles(disk.startProcess())
    replaceLock(() => () => {})
    const reports: string[] = []
    const sandbox = await openSandbox({
      ...{ version: 'simulation', data: FOLDER, port: 0, clock: 'frozen', durability },
      control_key: 'simulation-control-key',
      report: (line) => void reports.push(line),
      ...(isNew ? { seed: 'simulation', start: START, world: 'empty' as const } : {}),
    })
    return new SandboxProcess(sandbox, reports, disk)
  }

  /** The command `sandbank check`: the problems that it finds in the files. */
  static async checkFiles(disk: Disk): Promise<readonly string[]> {
    replaceFiles(disk.startProcess())
    return (await checkFiles(FOLDER)).problems
  }

  /** The command `sandbank repair`, killed after some calls of the file system if a number is given. */
  static repair(disk: Disk, killAfter?: number): Promise<Repair> {
    replaceFiles(disk.startProcess())
    if (killAfter !== undefined) disk.killAfter(killAfter)
    return repairFolder(FOLDER)
  }

  /** Undefined if the process was killed before it answered. */
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

  /** Undefined if the process was killed before it answered. */
  async call(name: string, input: object): Promise<{ ok: boolean; value: Body } | undefined> {
    const reply = await this.sandbox.call(name, input)
    if (this.#disk.isProcessEnded) return undefined
    return reply.ok ? { ok: true, value: reply.value } : { ok: false, value: reply.error }
  }

  get now(): number {
    return this.sandbox.store.clock.now()
  }

  get seq(): number {
    return this.sandbox.store.world.seq
  }

  async #accessToken(): Promise<string> {
    const age = this.#token ? this.now - this.#token.issuedAt : Number.POSITIVE_INFINITY
    if (age < 0 || age > TOKEN_LIFETIME_MS) {
      const [program] = this.sandbox.programs()
      this.#token = { text: await this.sandbox.replayClient.token(program!), issuedAt: this.now }
    }
    return this.#token!.text
  }
}
