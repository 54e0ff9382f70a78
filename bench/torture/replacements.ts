import { createHash } from 'node:crypto'
import { collectionNames } from '../../src/api/contract/collections.ts'
import { type Body, type Client, ConnectionLost, expectSuccess } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import type { Load } from './load.ts'
import type { RequestLog } from './request-log.ts'
import type { Settings } from './settings.ts'
import { ALL_RECORDS, type Expectations, type Verification } from './verification.ts'

/**
 * Control methods that put another world in the place of the current one. The world
 * before is known, so a kill leaves that world or a new one, and a rewind to the commit before brings it back exactly.
 */

/** A world that can come back, by a rewind or from a snapshot. */
interface Checkpoint {
  readonly seq: number
  readonly clock: string
  readonly content: Content
  readonly expectations: Expectations
}

/** What a world shows: part by part, so that a difference can be named. */
type Content = Readonly<Record<string, string>>

const CHECKPOINTS = 4
/** Records of each collection that are compared. The totals are, too. */
const COMPARED = 50

interface Tools {
  readonly load: Load
  readonly verification: Verification
  readonly settings: Settings
  readonly requests: RequestLog
}

export class Replacements {
  readonly #random: Random
  readonly #tools: Tools
  /** Exported from the world of the first start. */
  readonly #bundle: string
  readonly #checkpoints: Checkpoint[] = []
  /** The world in the one snapshot, once it is acknowledged. */
  #snapshot: Checkpoint | undefined
  /** The same action on the same world gives the same result. */
  readonly #results = new Map<string, Content>()
  /** The replacement that a kill cut off. */
  #interrupted: { name: string; before: Checkpoint } | undefined
  /** How often each of them was answered. */
  readonly answered = new Map<string, number>()

  private constructor(random: Random, tools: Tools, bundle: string) {
    this.#random = random
    this.#tools = tools
    this.#bundle = bundle
  }

  static async create(client: Client, random: Random, tools: Tools): Promise<Replacements> {
    const { text } = await expectSuccess(client.control('bundles.export'))
    return new Replacements(random, tools, text)
  }

  /** Returns a sentence for each problem. Ends early when the connection is lost. `begin` is called before anything changes. */
  async run(client: Client, begin: () => void): Promise<string[]> {
    const before = await this.#describe(client)
    const [name, call] = this.#random.pick(Object.entries(this.#actions()))
    this.#interrupted = { name, before }
    begin()
    try {
      const expected = await call(client)
      this.answered.set(name, (this.answered.get(name) ?? 0) + 1)
      const problems = expected ? compare(`after ${name}`, expected.content, await readContent(client)) : []
      if (expected && this.#random.chance(0.5)) this.#continueFrom(expected)
      else problems.push(...(await this.#rewindTo(client, before)))
      this.#interrupted = undefined
      return problems
    } catch (error) {
      if (error instanceof ConnectionLost) return []
      throw error
    }
  }

  /** After a kill: the world is the one before, or the new one, from which a rewind brings back the one before. */
  async recover(client: Client): Promise<string[]> {
    const interrupted = this.#interrupted
    if (!interrupted) return []
    this.#interrupted = undefined
    const { name, before } = interrupted
    if (name === 'bundles.import') this.#tools.requests.forget()
    const { seq } = await expectSuccess(client.control('world.describe'))
    if (seq === before.seq)
      return compare(`after a kill during ${name}, without a commit of it`, before.content, await readContent(client))
    return this.#rewindTo(client, before)
  }

  /** Each returns the world that has to be there, or undefined if only a rewind is checked. */
  #actions(): Record<string, (client: Client) => Promise<Checkpoint | undefined>> {
    const call = async (client: Client, method: string, input: object): Promise<undefined> =>
      void (await expectSuccess(client.control(method, input)))
    const { requests } = this.#tools
    const checkpoint = this.#checkpoints.length > 0 ? this.#random.pick(this.#checkpoints) : undefined
    const snapshot = this.#snapshot
    return {
      'world.reset': (client) =>
        this.#repeatable(client, 'world.reset', () => call(client, 'world.reset', { world: 'empty' })),
      'bundles.import': (client) =>
        this.#repeatable(client, 'bundles.import', async () => {
          requests.forget()
          await call(client, 'bundles.import', { text: this.#bundle })
          requests.forget()
        }),
      'exchanges.replay': async (client) => {
        const { data } = await expectSuccess(client.control('exchanges.list', { limit: 10 }))
        const uids = data.map(({ uid }: Body) => uid)
        return call(client, 'exchanges.replay', { uids, into: 'present' })
      },
      'scenarios.run': (client) => call(client, 'scenarios.run', { name: 'a-funded-customer', into: 'present' }),
      'scenarios.step': async (client) => {
        await call(client, 'scenarios.step', { name: 'a-funded-customer', into: 'present' })
        return call(client, 'scenarios.step', {})
      },
      ...(checkpoint && {
        'world.rewind': async (client) => {
          await call(client, 'world.rewind', { seq: checkpoint.seq })
          return checkpoint
        },
      }),
      ...(snapshot && {
        'snapshots.restore': async (client) => {
          await call(client, 'snapshots.restore', { name: 'checkpoint' })
          return snapshot
        },
      }),
    }
  }

  /** Keeps this world, to come back to it later. */
  async keepCheckpoint(client: Client): Promise<void> {
    const checkpoint = await this.#describe(client)
    this.#checkpoints.push(checkpoint)
    if (this.#checkpoints.length > CHECKPOINTS) this.#checkpoints.shift()
    if (this.#random.chance(0.5)) return
    this.#snapshot = undefined
    await expectSuccess(client.control('snapshots.keep', { name: 'checkpoint' }))
    this.#snapshot = checkpoint
  }

  async #repeatable(client: Client, name: string, act: () => Promise<undefined>): Promise<undefined> {
    await act()
    const content = await readContent(client)
    const known = this.#results.get(name) ?? content
    this.#results.set(name, known)
    // An import keeps the keys of the present world.
    const [problem] = compare(`after another ${name}`, { ...known, [KEYS]: '' }, { ...content, [KEYS]: '' })
    if (problem) throw new Error(problem)
  }

  async #describe(client: Client): Promise<Checkpoint> {
    const { seq } = await expectSuccess(client.control('world.describe'))
    const { now } = await expectSuccess(client.control('clock.read'))
    return {
      seq,
      clock: now,
      content: await readContent(client),
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
