import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { methodNames } from '../../src/api/contract/control.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { defaultSettings } from '../../src/api/domain/seed.ts'
import type { Answer } from '../support/caller.ts'
import { Luck } from '../support/luck.ts'
import { type Ask, Asks } from './asks.ts'
import { Memory } from './memory.ts'
import { beginning, collectionOf, Run } from './run.ts'
import { Sources, smallest } from './smallest.ts'

/** Requests made from the contract, until so many are sent or one answer is wrong. */

export interface Options {
  readonly requests: number
  readonly seed: string
  readonly say?: (line: string) => void
}

export interface Result {
  readonly sent: number
  readonly succeeded: number
  /** Endpoints and control methods that succeeded at least once. */
  readonly reached: ReadonlySet<string>
  readonly codes: ReadonlySet<number>
  readonly complaint: string | undefined
  /** As curl lines; the last one is the one that went wrong. */
  readonly requests: readonly string[]
}

/** How often the books are proved, and the Program's settings are put back. */
const PROVE_EVERY = 250
const RESET_EVERY = 120
const UNLUCKY = 3

const LISTS = [
  ...['listCustomers', 'listPools', 'listProducts', 'listSyntheticAccountTypes', 'listSyntheticAccounts'],
  ...['listCustodialAccounts', 'listTransfers', 'listTransactions', 'listVirtualReferenceNumbers', 'listReturns'],
] as EndpointName[]
/** After these, what was known may be no more. */
const NEW_WORLD = new Set(['world.reset', 'world.rewind', 'snapshots.restore', 'bundles.import'])

class Fuzz {
  readonly #run: Run
  readonly #memory = new Memory()
  readonly #asks: Asks
  readonly #log: Ask[] = []
  readonly sources = new Sources()
  readonly reached = new Set<string>()
  readonly codes = new Set<number>()
  succeeded = 0
  complaint: string | undefined

  constructor(run: Run, seed: string) {
    this.#run = run
    this.#asks = new Asks(this.#memory, new Luck(seed), seed)
  }

  get log(): readonly Ask[] {
    return this.#log
  }
  get sent(): number {
    return this.#log.length
  }

  async lookAround() {
    this.#memory.forget()
    for (const name of LISTS)
      await this.#send(this.#asks.api(name, { query: name === 'listCustomers' ? 'include_initiated=true' : '' }))
    await this.#send(this.#asks.control('programs.list', {}))
  }

  async step() {
    const ask = this.#asks.next()
    const answer = await this.#send(ask)
    if (ask.name !== null && NEW_WORLD.has(ask.name) && answer?.status === 200) await this.lookAround()
    if (ask.name === 'faults.set' && answer?.status === 200) await this.#beUnlucky()
    if (this.sent % PROVE_EVERY < 2) await this.prove()
    if (this.sent % RESET_EVERY < 2) await this.#putBack()
    // What comes in is answered with its uid alone.
    if (ask.name === 'createMockTransaction' && answer?.status === 201)
      await this.#send(this.#asks.api('getTransaction', { params: { uid: answer.body.uid } }))
    if (ask.name === 'onboardCustomer' && answer?.status === 200) {
      await this.#send(this.#asks.control('clock.advance', { by: 'PT2S' }))
      await this.#send(this.#asks.api('listCustomers', {}))
      await this.#send(this.#asks.api('listSyntheticAccounts', {}))
    }
  }

  async prove() {
    await this.#send(this.#asks.control('ledger.check', {}))
  }

  async #beUnlucky() {
    for (let n = 0; n < UNLUCKY; n++) await this.#send({ ...this.#asks.next(), unlucky: true })
    await this.#send(this.#asks.control('faults.clear', {}))
  }

  /** Settings that refuse most requests would leave nothing to find. */
  async #putBack() {
    for (const { uid } of this.#memory.all('programs').slice(0, 1))
      await this.#send(this.#asks.control('programs.update', { uid, ...defaultSettings }))
    const { tasks = [] } = ((await this.#send(this.#asks.control('tasks.list', {})))?.body ?? {}) as {
      tasks?: unknown[]
    }
    for (const task of tasks.slice(-20)) this.#memory.learn('tasks', task)
  }

  async #send(ask: Ask): Promise<Answer | undefined> {
    if (this.complaint !== undefined) return undefined
    this.#log.push(ask)
    const { answer, complaint } = await this.#run.ask(ask)
    this.complaint = complaint
    if (answer && answer.status < 300) this.#learn(ask, answer)
    else for (const { code } of answer?.body?.errors ?? []) this.codes.add(code)
    return answer
  }

  #learn(ask: Ask, { body }: Answer) {
    this.succeeded++
    if (ask.name !== null) this.reached.add(ask.name)
    this.sources.learn(ask, body)
    const collection = collectionOf(ask)
    if (collection !== undefined)
      this.#memory.learn(collection, ask.name === 'programs.list' ? { data: body.programs } : body)
    if (ask.name === 'moves.list') this.#memory.learnMoves(JSON.parse(ask.text ?? '{}'), body.moves)
    if (ask.name === 'clock.advance') this.#memory.now = body.to
    if (ask.name === 'clock.read') this.#memory.now = body.now
  }
}

export async function fuzz({ requests, seed, say = () => {} }: Options): Promise<Result> {
  const data = mkdtempSync(join(tmpdir(), 'sandbank-fuzz-'))
  const run = await Run.open(beginning(seed, data))
  const work = new Fuzz(run, seed)
  await work.lookAround()
  const told = Math.max(1, Math.floor(requests / 10))
  for (let next = told; work.sent < requests && work.complaint === undefined; ) {
    await work.step()
    if (work.sent < next) continue
    say(`${work.sent} requests, ${work.succeeded} succeeded`)
    next += told
  }
  await work.prove()
  const complaint = work.complaint ?? (await afterwards(run, data))
  const said = await run.close()
  rmSync(data, { recursive: true, force: true })
  const { sent, succeeded, reached, codes } = work
  const small = work.complaint === undefined ? [] : await shown(work, seed, said, say)
  return { sent, succeeded, reached, codes, complaint, requests: small }
}

/** It ends well, has nothing to say of faults of its own, and what it kept can be opened again. */
async function afterwards(run: Run, data: string): Promise<string | undefined> {
  if (!run.isAlive) return 'the process ended'
  const said = await run.close()
  if (said !== '') return `it says of itself: ${said.slice(0, 2_000)}`
  const again = await Run.open(['--data', data])
  const ask: Ask = { door: 'control', name: 'ledger.check', method: 'POST', path: '/control/ledger.check', headers: {} }
  const { complaint } = await again.ask(ask)
  return complaint ?? ((await again.close()) || undefined)
}

async function shown(work: Fuzz, seed: string, said: string, say: (line: string) => void): Promise<string[]> {
  say(`Wrong: ${work.complaint}. It was asked: ${Run.curl(work.log.at(-1)!)}`)
  if (said !== '') say(`It says of itself: ${said.slice(0, 4_000)}`)
  say('Looking for the fewest requests that show it …')
  return (await smallest(work.log, work.sources, seed)).map(Run.curl)
}

const DOORS = Object.keys(endpoints).length + methodNames.length

/** The whole of it, told as it goes. Answers whether nothing was found. */
export async function command({ requests, seed, say = () => {} }: Options): Promise<boolean> {
  const began = Date.now()
  say(`Fuzzing with ${requests} requests, seed ${seed}`)
  const result = await fuzz({ requests, seed, say })
  const { sent, succeeded, reached, codes, complaint } = result
  say(
    `${sent} requests, ${succeeded} succeeded; ${reached.size} of ${DOORS} endpoints and methods did; ${codes.size} codes of refusals`,
  )
  const missed = [...Object.keys(endpoints), ...methodNames].filter((name) => !reached.has(name))
  if (missed.length > 0) say(`Never succeeded: ${missed.join(', ')}`)
  if (complaint !== undefined) {
    say(`FAILED: ${complaint}`)
    say(`$ORIGIN is a sandbox of: serve ${beginning(seed, '…').join(' ')}`)
    for (const line of result.requests) say(`  ${line.length > 4_000 ? `${line.slice(0, 4_000)}…` : line}`)
  } else say('No fault, no hang, every answer as the contract says, the books balance')
  say(`${Math.round((Date.now() - began) / 1000)} s. Again with: npm run fuzz -- --requests ${requests} --seed ${seed}`)
  return complaint === undefined
}
