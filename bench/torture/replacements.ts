import { createHash } from 'node:crypto'
import { collectionNames } from '../../src/api/contract/collections.ts'
import { type Body, type Client, ConnectionLost, expectSuccess } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import type { Load } from './load.ts'
import type { ChangingMethod } from './methods.ts'
import type { Settings } from './settings.ts'
import { ALL_RECORDS, type Expectations, type Verification } from './verification.ts'

/**
 * Control methods that put another world in the place of the current one. The world before is known, and mostly the one after, so a
 * kill leaves one of them, nothing in between, and a rewind to the commit before brings back the one before exactly.
 */

export const REPLACING = [
  ...(['world.reset', 'world.rewind', 'snapshots.restore', 'bundles.import'] as const),
  ...(['exchanges.replay', 'scenarios.run', 'scenarios.step'] as const),
] satisfies ChangingMethod[]
export type ReplacingMethod = (typeof REPLACING)[number]

/** A world that can come back, by a rewind or from a snapshot. */
interface Checkpoint {
  readonly seq: number
  readonly clock: string
  readonly content: Content
  /** The newest requests in the log. */
  readonly log: readonly string[]
  readonly expectations: Expectations
}

/** What a world shows: part by part, so that a difference can be named. */
type Content = Readonly<Record<string, string>>

/** What a method leads to, from each world: records, and new requests in the log. */
interface Result {
  readonly content: Content
  readonly log: readonly string[]
}

interface Replacement {
  readonly call: (client: Client) => Promise<unknown>
  /** The world that it leads to: one of before, or the result of the method. */
  readonly checkpoint?: Checkpoint
  readonly result?: Result | undefined
}

const FIRST_DURATION_MS = 100
const CHECKPOINTS = 4
/** Records of each collection that are compared, and requests in the log. The totals are, too. */
const COMPARED = 50
const HAS_ONE_RESULT: readonly string[] = ['world.reset', 'bundles.import']

interface Tools {
  readonly load: Load
  readonly verification: Verification
  readonly settings: Settings
}

export class Replacements {
  readonly #random: Random
  readonly #tools: Tools
  /** Exported from the world of the first start. */
  readonly #bundle: string
  readonly #checkpoints: Checkpoint[] = []
  /** The world in the one snapshot, once it is acknowledged. */
  #snapshot: Checkpoint | undefined
  readonly #results = new Map<string, Result>()
  /** How long each of them took the last time. */
  readonly #durations = new Map<string, number>()
  /** The replacement that a kill cut off. */
  #interrupted: { name: string; before: Checkpoint; replacement: Replacement } | undefined

  private constructor(random: Random, tools: Tools, bundle: string) {
    this.#random = random
    this.#tools = tools
    this.#bundle = bundle
  }

  static async create(client: Client, random: Random, tools: Tools): Promise<Replacements> {
    const { text } = await expectSuccess(client.control('bundles.export'))
    return new Replacements(random, tools, text)
  }

  /** Returns a sentence for each problem. Ends early when the connection is lost. `begin` is called before anything changes, with how long it may take. */
  async run(client: Client, name: ReplacingMethod, begin: (ms: number) => void): Promise<string[]> {
    if (name === 'world.rewind' && this.#checkpoints.length === 0) await this.keepCheckpoint(client)
    if (name === 'snapshots.restore' && !this.#snapshot) await this.#keepSnapshot(client, await this.#describe(client))
    const before = await this.#describe(client)
    const problems = HAS_ONE_RESULT.includes(name) ? await this.#learnResult(client, name, before) : []
    const replacement = await this.#prepare(client, name)
    this.#interrupted = { name, before: await this.#describe(client), replacement }
    begin(this.#durations.get(name) ?? FIRST_DURATION_MS)
    try {
      await this.#call(client, name, replacement)
      const { checkpoint, result } = replacement
      const expected = checkpoint?.content ?? result?.content
      if (expected) problems.push(...compare(`after ${name}`, expected, await readContent(client)))
      if (checkpoint && this.#random.chance(0.5)) this.#continueFrom(checkpoint)
      else problems.push(...(await this.#rewindTo(client, before)))
      this.#interrupted = undefined
      return problems
    } catch (error) {
      if (error instanceof ConnectionLost) return problems
      throw error
    }
  }

  /** After a kill: the world is the one before or the new one, nothing in between, and a rewind brings back the one before. */
  async recover(client: Client): Promise<string[]> {
    const interrupted = this.#interrupted
    if (!interrupted) return []
    this.#interrupted = undefined
    const { name, before, replacement } = interrupted
    const { checkpoint, result } = replacement
    const when = `after a kill during ${name}`
    const content = await readContent(client)
    const log = (await readLog(client)).join()
    const logAfter = [...(result?.log ?? []), ...before.log].slice(0, COMPARED).join()
    const problems: string[] = []
    if (compare('', before.content, content).length === 0) {
      // It was not executed, or the kill came after the rewind that undoes it.
      if (result && log !== before.log.join() && log !== logAfter)
        problems.push(`${when}, a part of the log is missing`)
    } else {
      const after = checkpoint?.content ?? result?.content
      if (after) problems.push(...compare(when, after, content))
      if (result && log !== logAfter) problems.push(`${when}, which was executed, its log is not complete`)
    }
    return [...problems, ...(await this.#rewindTo(client, before))]
  }

  async #prepare(client: Client, name: ReplacingMethod): Promise<Replacement> {
    switch (name) {
      case 'world.rewind': {
        const checkpoint = this.#random.pick(this.#checkpoints)
        return { call: callOf(name, { seq: checkpoint.seq }), checkpoint }
      }
      case 'snapshots.restore':
        return { call: callOf(name, { name: 'checkpoint' }), checkpoint: this.#snapshot! }
      case 'exchanges.replay': {
        const { data } = await expectSuccess(client.control('exchanges.list', { limit: 10 }))
        return { call: callOf(name, { uids: data.map(({ uid }: Body) => uid), into: 'present' }) }
      }
      case 'scenarios.run':
        return { call: callOf(name, { name: 'a-funded-customer', into: 'present' }) }
      case 'scenarios.step':
        return {
          async call(client) {
            await callOf(name, { name: 'a-funded-customer', into: 'present' })(client)
            await callOf(name, {})(client)
          },
        }
      case 'world.reset':
        return { call: callOf(name, { world: 'empty' }), result: this.#results.get(name) }
      case 'bundles.import':
        return { call: callOf(name, { text: this.#bundle }), result: this.#results.get(name) }
    }
  }

  async #call(client: Client, name: string, { call }: Replacement) {
    const began = performance.now()
    await call(client)
    this.#durations.set(name, performance.now() - began)
  }

  /** Executes and undoes a method that gives the same result each time. */
  async #learnResult(client: Client, name: ReplacingMethod, before: Checkpoint): Promise<string[]> {
    if (this.#results.has(name)) return []
    await this.#call(client, name, await this.#prepare(client, name))
    const { content, log } = await this.#describe(client)
    const added = name === 'bundles.import' ? log.slice(0, countRequests(this.#bundle)) : []
    // An import keeps the keys of the present world.
    const { [KEYS]: _, ...own } = content
    this.#results.set(name, { content: own, log: added })
    return this.#rewindTo(client, before)
  }

  /** Keeps this world, to come back to it later. */
  async keepCheckpoint(client: Client): Promise<void> {
    const checkpoint = await this.#describe(client)
    this.#checkpoints.push(checkpoint)
    if (this.#checkpoints.length > CHECKPOINTS) this.#checkpoints.shift()
    if (this.#random.chance(0.5)) await this.#keepSnapshot(client, checkpoint)
  }

  async #keepSnapshot(client: Client, checkpoint: Checkpoint) {
    this.#snapshot = undefined
    await expectSuccess(client.control('snapshots.keep', { name: 'checkpoint' }))
    this.#snapshot = checkpoint
  }

  async #describe(client: Client): Promise<Checkpoint> {
    const { seq } = await expectSuccess(client.control('world.describe'))
    const { now } = await expectSuccess(client.control('clock.read'))
    return {
      seq,
      clock: now,
      content: await readContent(client),
      log: await readLog(client),
      expectations: this.#tools.verification.copyExpectations(),
    }
  }

  async #rewindTo(client: Client, { seq, content }: Checkpoint): Promise<string[]> {
    await expectSuccess(client.control('world.rewind', { seq }))
    return compare(`after a rewind to ${seq}`, content, await readContent(client))
  }

  #continueFrom({ expectations, clock }: Checkpoint) {
    this.#tools.verification.setExpectations(expectations)
    this.#tools.load.clock = clock
    this.#tools.settings.forgetWorld()
  }
}

const callOf = (method: string, input: object) => (client: Client) => expectSuccess(client.control(method, input))

async function readContent(client: Client): Promise<Content> {
  const lists = collectionNames.map(
    (collection) => [collection, 'records.list', { collection, ...ALL_RECORDS[collection], limit: COMPARED }] as const,
  )
  const others = ['clock.read', 'tasks.list', 'ledger.trial_balance']
  const read = async ([part, method, input]: readonly [string, string, object]) => {
    return [part, digest(await expectSuccess(client.control(method, input)))]
  }
  const reads = [...lists, ...others.map((method) => [method, method, {}] as const)]
  const { programs } = await expectSuccess(client.control('programs.list'))
  const keys = programs.map(({ hmac_key }: Body) => hmac_key)
  return {
    ...Object.fromEntries(await Promise.all(reads.map(read))),
    'programs.list': digest(programs.map(({ hmac_key: _, ...program }: Body) => program)),
    [KEYS]: digest(keys),
  }
}

const KEYS = 'the HMAC keys'
const digest = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex')

const compare = (when: string, expected: Content, found: Content): string[] => {
  const parts = Object.keys(expected).filter((part) => expected[part] !== found[part])
  return parts.length === 0 ? [] : [`${when}, other than expected: ${parts.join(', ')}`]
}

/** The newest requests in the log, newest first. An import gives its requests other uids. */
async function readLog(client: Client): Promise<string[]> {
  const { data } = await expectSuccess(client.control('exchanges.list', { limit: COMPARED }))
  return data
    .filter(({ program_uid }: Body) => program_uid !== null)
    .map(({ method, path, trace_id, status }: Body) => `${method} ${path} ${trace_id} ${status}`)
}

/** The requests in a bundle of callers with a token: others are not in the log. */
const countRequests = (bundle: string): number =>
  bundle.split('\n').filter((line) => line.startsWith('{"exchange":')).length
