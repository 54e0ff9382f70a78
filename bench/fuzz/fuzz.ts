import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleOf, methodNames } from '../../src/api/contract/control/methods.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { namesIn } from '../../src/api/contract/terms/examples.ts'
import { defaultSettings } from '../../src/api/domain/seed.ts'
import type { Response } from '../support/client.ts'
import { allEndpoints, changingMethods, valuesOf } from '../support/examples.ts'
import { quickHostileNames, startHostileReceiver } from '../support/hostile-receivers.ts'
import { Random } from '../support/random.ts'
import { printCurl } from './curl.ts'
import { KnownRecords } from './known-records.ts'
import { RequestGenerator } from './request-generator.ts'
import { controlRequest, editedImport, type FuzzRequest } from './requests.ts'
import { collectionOf, FuzzTarget, type Stall, serveArguments } from './target.ts'

/** Sends requests generated from the contract until so many are sent or a response has a problem. */

export interface Options {
  readonly requests: number
  readonly seed: string
  readonly print?: (line: string) => void
}

export interface Result {
  readonly sent: number
  readonly succeeded: number
  /** Endpoints and control methods that succeeded at least once. */
  readonly reached: ReadonlySet<string>
  readonly codes: ReadonlySet<number>
  readonly problem: string | undefined
  /** The longest stalls, by endpoint or method. */
  readonly stalls: readonly Stall[]
  /** The last ones as curl lines, if there is a problem, which the response to the last one has. */
  readonly requests: readonly string[]
}

/** After so many requests the books are checked, and the Program's settings are reset. */
const CHECK_BOOKS_EVERY = 250
const RESET_SETTINGS_EVERY = 120
const REQUESTS_WITH_FAULTS = 3
const REQUESTS_MEANWHILE = 6
const EDIT_WORLD_EVERY = 400
const REQUESTS_TO_EDITED_WORLD = 25
/** What a request leaves in memory may show only after thousands of the same kind. */
const BURST_EVERY = 15_000
const BURST = 5_000

const LISTS = allEndpoints.filter(([, { method, path }]) => method === 'GET' && !path.includes('{'))
/** The values of the next requests are those near another Customer. */
const FIND_EXAMPLES = 0.3
/** Methods that need no record and change nothing. */
const READS_OF_WORLD = methodNames.filter(
  (name) => !changingMethods.includes(name) && namesIn(exampleOf(name)).length === 0 && name !== 'sandbox.stop',
)
/** Not sent to an edited world: they replace or keep the world, or set faults. */
const REPLACES_WORLD = new Set(['world.reset', 'world.rewind', 'snapshots.restore', 'bundles.import'])
const NOT_IN_EDITED_WORLD = new Set([...REPLACES_WORLD, 'snapshots.keep', 'faults.set'])

class Fuzz {
  readonly #target: FuzzTarget
  readonly #records = new KnownRecords()
  readonly #requests: RequestGenerator
  readonly #log: FuzzRequest[] = []
  readonly #seed: string
  readonly #random: Random
  #edits = 0
  #bursts = 0
  #hasEditedWorld = false
  readonly reached = new Set<string>()
  readonly codes = new Set<number>()
  succeeded = 0
  problem: string | undefined

  constructor(target: FuzzTarget, seed: string, receivers: readonly string[]) {
    this.#target = target
    this.#random = new Random(seed)
    this.#requests = new RequestGenerator(this.#records, this.#random, seed, receivers)
    this.#records.mainProgram = target.mainProgram
    this.#seed = seed
  }

  get log(): readonly FuzzRequest[] {
    return this.#log
  }
  get sent(): number {
    return this.#log.length
  }

  async learnRecords() {
    this.#records.forget()
    for (const [name] of LISTS)
      await this.#send(this.#requests.api(name, { query: name === 'listCustomers' ? 'include_initiated=true' : '' }))
    await this.#send(controlRequest('programs.list', {}))
    await this.#send(this.#requests.nextExamples())
  }

  async step() {
    const request = this.#withRequests(this.#requests.next())
    const response = await this.#send(request)
    if (request.meanwhile && response?.status === 200) await this.learnRecords()
    if (request.name === 'faults.set' && response?.status === 200) await this.#sendWithFaults()
    // A scenario or a replay may leave faults.
    if (/^(scenarios|exchanges)\./.test(request.name ?? '')) await this.#send(controlRequest('faults.clear', {}))
    if (this.#random.chance(FIND_EXAMPLES)) await this.#send(this.#requests.nextExamples())
    if (this.sent >= (this.#edits + 1) * EDIT_WORLD_EVERY) await this.#editWorld()
    if (this.sent >= (this.#bursts + 1) * BURST_EVERY) await this.#sendBurst()
    if (this.sent % CHECK_BOOKS_EVERY < 2) await this.checkBooks()
    if (this.sent % RESET_SETTINGS_EVERY < 2) await this.#resetSettings()
    // The response of createMockTransaction has only a uid.
    if (request.name === 'createMockTransaction' && response?.status === 201)
      await this.#send(this.#requests.api('getTransaction', { params: { uid: response.body.uid } }))
    if (request.name === 'onboardCustomer' && response?.status === 200) {
      await this.#send(controlRequest('clock.advance', { by: 'PT2S' }))
      await this.#send(this.#requests.api('listCustomers', {}))
      await this.#send(this.#requests.api('listSyntheticAccounts', {}))
    }
  }

  /** To a request that replaces the world, those that are sent meanwhile. */
  #withRequests(request: FuzzRequest): FuzzRequest {
    if (request.name === null || !REPLACES_WORLD.has(request.name)) return request
    return { ...request, meanwhile: Array.from({ length: REQUESTS_MEANWHILE }, () => this.#requests.nextOfApi()) }
  }

  async checkBooks() {
    await this.#send(controlRequest('ledger.check', {}))
  }

  async #sendBurst() {
    this.#bursts++
    const request = this.#requests.nextRead()
    for (let n = 0; n < BURST; n++) await this.#send(this.#requests.repeat(request))
  }

  async #sendWithFaults() {
    for (let n = 0; n < REQUESTS_WITH_FAULTS; n++) await this.#send({ ...this.#requests.next(), hasFaults: true })
    await this.#send(controlRequest('faults.clear', {}))
  }

  /** A bundle with a defect is refused, or gives a world in which every request still has a declared response. */
  async #editWorld() {
    const before = await this.#send(controlRequest('world.describe', {}))
    const imported = await this.#send(this.#withRequests(editedImport(`${this.#seed}-${++this.#edits}`)))
    if (imported?.status !== 200) return
    this.#hasEditedWorld = true
    await this.learnRecords()
    for (const name of READS_OF_WORLD) await this.#send(controlRequest(name, {}))
    for (let n = 0; n < REQUESTS_TO_EDITED_WORLD; n++) {
      const request = this.#requests.next()
      if (!NOT_IN_EDITED_WORLD.has(request.name ?? '')) await this.#send(request)
    }
    this.#hasEditedWorld = false
    await this.#send(controlRequest('faults.clear', {}))
    const back = await this.#send(controlRequest('world.rewind', { seq: before?.body.seq }))
    if (back?.status !== 200) this.problem ??= 'a rewind does not undo an import'
    await this.learnRecords()
    await this.checkBooks()
  }

  /** With random settings, most requests would soon be refused. */
  async #resetSettings() {
    for (const { uid } of this.#records.all('programs').slice(0, 1))
      await this.#send(controlRequest('programs.update', { uid, ...defaultSettings }))
    const { tasks = [] } = ((await this.#send(controlRequest('tasks.list', {})))?.body ?? {}) as {
      tasks?: unknown[]
    }
    for (const task of tasks.slice(-20)) this.#records.learn('tasks', task)
  }

  async #send(given: FuzzRequest): Promise<Response | undefined> {
    if (this.problem !== undefined) return undefined
    const request = this.#hasEditedWorld ? { ...given, hasEditedWorld: true } : given
    this.#log.push(request)
    const { response, problem } = await this.#target.send(request)
    this.problem = problem
    if (response && response.status < 300) this.#learn(request, response)
    else for (const { code } of response?.body?.errors ?? []) this.codes.add(code)
    return response
  }

  #learn(request: FuzzRequest, { body }: Response) {
    this.succeeded++
    if (request.name !== null) this.reached.add(request.name)
    const collection = collectionOf(request)
    if (collection !== undefined)
      this.#records.learn(collection, Array.isArray(body?.[collection]) ? { data: body[collection] } : body)
    if (request.name === 'moves.list') this.#records.learnMoves(JSON.parse(request.text ?? '{}'), body.moves)
    if (request.name === 'requests.examples') this.#records.examples = valuesOf(body)
    if (request.name === 'clock.advance') this.#records.now = body.to
    if (request.name === 'clock.read') this.#records.now = body.now
    if (request.name === 'world.describe') this.#records.seq = body.seq
  }
}

export async function fuzz(options: Options): Promise<Result> {
  const receivers = await Promise.all(quickHostileNames.map(startHostileReceiver))
  try {
    return await fuzzWith(
      receivers.map(({ url }) => url),
      options,
    )
  } finally {
    await Promise.all(receivers.map(({ stop }) => stop()))
  }
}

async function fuzzWith(receivers: readonly string[], { requests, seed, print = () => {} }: Options): Promise<Result> {
  const data = mkdtempSync(join(tmpdir(), 'sandbank-fuzz-'))
  const target = await FuzzTarget.open(serveArguments(seed, data))
  const work = new Fuzz(target, seed, receivers)
  await work.learnRecords()
  const reportEvery = Math.max(1, Math.floor(requests / 10))
  for (let next = reportEvery; work.sent < requests && work.problem === undefined; ) {
    await work.step()
    if (work.sent < next) continue
    print(`${work.sent} requests, ${work.succeeded} succeeded`)
    next += reportEvery
  }
  await work.checkBooks()
  const problem = work.problem ?? (await checkEnd(target, data))
  const { stalls } = target
  const stderr = await target.close()
  rmSync(data, { recursive: true, force: true })
  const { sent, succeeded, reached, codes } = work
  if (problem !== undefined && stderr !== '') print(`Its stderr: ${stderr.slice(0, 4_000)}`)
  const last = problem === undefined ? [] : work.log.slice(-PRINTED).map(printCurl)
  return { sent, succeeded, reached, codes, problem, stalls, requests: last }
}

/** The sandbox stops without a message, and its data folder can be opened again with balanced books. */
async function checkEnd(target: FuzzTarget, data: string): Promise<string | undefined> {
  if (!target.isAlive) return 'the process ended'
  const stderr = await target.close()
  if (stderr !== '') return `its stderr: ${stderr.slice(0, 2_000)}`
  const again = await FuzzTarget.open(['--data', data])
  const { problem } = await again.send(controlRequest('ledger.check', {}))
  return problem ?? ((await again.close()) || undefined)
}

/** Of the requests before a problem. */
const PRINTED = 40
const CALLABLE = Object.keys(endpoints).length + methodNames.length

/** `npm run fuzz`, with a report. Returns true when there is no problem. */
export async function runFuzz({ requests, seed, print = () => {} }: Options): Promise<boolean> {
  const began = Date.now()
  print(`Fuzzing with ${requests} requests, seed ${seed}`)
  const result = await fuzz({ requests, seed, print })
  const { sent, succeeded, reached, codes, problem } = result
  print(
    `${sent} requests, ${succeeded} succeeded; ${reached.size} of ${CALLABLE} endpoints and methods succeeded; ${codes.size} error codes`,
  )
  const missed = [...Object.keys(endpoints), ...methodNames].filter((name) => !reached.has(name))
  if (missed.length > 0) print(`Never succeeded: ${missed.join(', ')}`)
  if (problem !== undefined) {
    print(`FAILED: ${problem}`)
    print(`$ORIGIN is a sandbox started by: serve ${serveArguments(seed, '…').join(' ')}`)
    for (const line of result.requests) print(`  ${line.length > 4_000 ? `${line.slice(0, 4_000)}…` : line}`)
  } else print('No defect, no hang, every response as the contract says, the books balance')
  print(`The longest stalls: ${result.stalls.map(({ name, ms }) => `${name} ${Math.round(ms)} ms`).join(', ')}`)
  print(
    `${Math.round((Date.now() - began) / 1000)} s. Repeat with: npm run fuzz -- --requests ${requests} --seed ${seed}`,
  )
  return problem === undefined
}
