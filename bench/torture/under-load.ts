import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { collectionNames } from '../../src/api/contract/collections.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { ExampleValues } from '../../src/api/contract/terms/examples.ts'
import { type Body, Client, ConnectionLost, expectSuccess, newTrace } from '../support/client.ts'
import { ALL_RECORDS, exampleBody, valuesOf } from '../support/examples.ts'
import { type HostileReceiver, quickHostileNames, startHostileReceiver } from '../support/hostile-receivers.ts'
import { runCommand, type SandboxProcess, serve } from '../support/process.ts'
import { Random } from '../support/random.ts'
import { fillJournal } from './journal.ts'

/**
 * Replaces a world while six clients write to it, in memory and in a data folder, some with a kill, and while it sends events to receivers that do
 * everything wrong. The world after each replacement must be the one that was asked for, record by record, and the same after a restart. Most uids
 * are issued again after a reset, in other collections. Kills that come while the clients write, without a replacement, lose nothing.
 */

export interface UnderLoadOptions {
  readonly replacements: number
  readonly seed: string
  readonly print?: (line: string) => void
}

export interface UnderLoadResult {
  /** By method and size: those of more than 1,000 records have a file of their own. */
  readonly replaced: Readonly<Record<string, number>>
  readonly counts: Readonly<typeof NONE>
  readonly problems: readonly string[]
}

const NONE = {
  kills: 0,
  'world files': 0,
  'requests meanwhile': 0,
  'records compared': 0,
  'replacements executed without an answer': 0,
}
const WRITERS = 6
/** Each sandbox replaces so many worlds. */
const REPLACEMENTS_EACH = 10
const LARGE = 1_000
/** The worlds that are kept, by their number of wires. The last one differs from the others by more than 1,000 records. */
const WORLDS = { small: 0, medium: 40, large: 220 }
const CHECKPOINTS = 3
const MAX_WEBHOOKS = 3
const PAGE = 1_000

const METHODS = ['snapshots.restore', 'world.reset', 'bundles.import', 'world.rewind'] as const
type Method = (typeof METHODS)[number]

/** A digest of each record. */
type Content = ReadonlyMap<string, string>

interface Replacement {
  readonly method: Method
  readonly input: object
  readonly expected: Content
  /** Commits between the one that replaces the world and the last one: those of a bundle. */
  readonly more: number
}

export async function replaceUnderLoad({ replacements, seed, print }: UnderLoadOptions): Promise<UnderLoadResult> {
  const random = new Random(`${seed} under load`)
  const sum = { replaced: {}, counts: { ...NONE } }
  const problems: string[] = []
  const receivers = await Promise.all(quickHostileNames.map(startHostileReceiver))
  for (let done = 0, run = 0; done < replacements && problems.length === 0; run++) {
    const count = Math.min(REPLACEMENTS_EACH, replacements - done)
    const one = new UnderLoad(random, run % 2 === 0, receivers, sum)
    problems.push(...(await one.run(count).catch((error: Error) => [`${error.stack}`])))
    done += count
    const { kills, 'requests meanwhile': requests } = sum.counts
    print?.(`${done} replacements, ${kills} kills, ${requests} requests meanwhile, ${problems.length} problems`)
  }
  await Promise.all(receivers.map(({ stop }) => stop()))
  return { ...sum, problems }
}

interface Sum {
  readonly replaced: Record<string, number>
  readonly counts: typeof NONE
}

/** One sandbox. */
class UnderLoad {
  readonly #random: Random
  /** null for a world in memory. */
  readonly #data: string | null
  readonly #receivers: readonly HostileReceiver[]
  readonly #sum: Sum
  readonly #folder = mkdtempSync(join(tmpdir(), 'sandbank-replaced-'))
  readonly #problems: string[] = []
  readonly #snapshots = new Map<string, Content>()
  #host!: SandboxProcess
  #client!: Client
  #values!: ExampleValues
  #latest: Method | undefined
  #restarts = 0
  #worldFile = 0
  /** How long the latest replacement took. */
  #duration = 100
  #bundles: Replacement[] = []
  #resets: Replacement[] = []
  #checkpoints: { readonly seq: number; readonly content: Content }[] = []

  constructor(random: Random, inMemory: boolean, receivers: readonly HostileReceiver[], sum: Sum) {
    this.#random = random
    this.#receivers = receivers
    this.#data = inMemory ? null : join(this.#folder, 'data')
    this.#sum = sum
  }

  async run(count: number): Promise<string[]> {
    try {
      await this.#start()
      await this.#prepare()
      for (let n = 0; n < count && this.#problems.length === 0; n++) await this.#round()
      this.#client.close()
      await this.#host.stop()
      if (this.#data && this.#problems.length === 0) await this.#checkFolder(this.#data)
      return this.#problems
    } finally {
      await this.#host.kill()
      rmSync(this.#folder, { recursive: true, force: true })
    }
  }

  async #start() {
    const place = this.#data === null ? ['--ephemeral'] : ['--data', this.#data]
    this.#host = serve([...place, '--clock', 'frozen'])
    this.#client = new Client(await this.#host.output, { sockets: WRITERS + 2, withinMs: 120_000 })
    if (this.#data !== null) this.#worldFile = this.#readWorldFile()
  }

  /** Worlds as snapshots and as bundles, and those that a reset leads to: with the seed of before uids are issued again. */
  async #prepare() {
    await this.#subscribe()
    this.#values = valuesOf(await expectSuccess(this.#client.control('requests.examples')))
    for (const [name, wires] of Object.entries(WORLDS)) {
      for (let n = 0; n < wires; n++) await expectSuccess(this.#wire())
      if (wires > 0) await expectSuccess(this.#client.control('clock.advance', { by: 'PT1H' }))
      await this.#keep(name)
    }
    for (const seed of ['other', 'sandbank', 'sandbank'])
      this.#resets.push(await this.#learn('world.reset', { world: 'demo', seed, start: '2026-08-14T14:00:00.000Z' }))
  }

  /** A receiver that does something wrong, which gets what the writers cause. */
  async #subscribe() {
    const { webhooks } = await expectSuccess(this.#client.control('webhooks.list'))
    if (webhooks.length >= MAX_WEBHOOKS)
      await expectSuccess(this.#client.control('webhooks.delete', { uid: webhooks[0].uid }))
    const { url } = this.#random.pick(this.#receivers)
    await expectSuccess(this.#client.control('webhooks.create', { url, confirm: false, retry_seconds: [] }))
  }

  /** Until then, outcomes change the world that is read. */
  async #untilSent() {
    await expectSuccess(this.#client.control('clock.advance', { by: 'PT0S' }))
  }

  async #keep(name: string) {
    await this.#untilSent()
    await expectSuccess(this.#client.control('snapshots.keep', { name }))
    this.#snapshots.set(name, await this.#read())
    const { text } = await expectSuccess(this.#client.control('bundles.export'))
    const { seq } = await expectSuccess(this.#client.control('world.describe'))
    this.#bundles.push(await this.#learn('bundles.import', { text }))
    await expectSuccess(this.#client.control('world.rewind', { seq }))
  }

  /** What a method leads to, which is always the same. */
  async #learn(method: Method, input: object): Promise<Replacement> {
    const before = await this.#newestSeq()
    await expectSuccess(this.#client.control(method, input))
    const more = (await this.#newestSeq()) - before - 1
    return { method, input, more, expected: await this.#read() }
  }

  async #round() {
    await this.#subscribe()
    await this.#untilSent()
    const before = await this.#newestSeq()
    this.#checkpoints.push({ seq: before, content: await this.#read() })
    if (this.#checkpoints.length > CHECKPOINTS) this.#checkpoints.shift()
    const replacement = this.#pick()
    const writers = await this.#startWriters()
    const isKilled = this.#data !== null && this.#random.chance(0.5)
    const killing = isKilled ? this.#killAfter(this.#random.next() * 1.2 * this.#duration) : undefined
    const seq = await this.#call(replacement)
    await killing
    writers.stop()
    await writers.ended
    this.#problems.push(...writers.problems)
    if (isKilled) await this.#restart()
    const replaced = seq ?? (await this.#findReplacement(replacement, before))
    if (seq === undefined && replaced !== undefined) this.#sum.counts['replacements executed without an answer']++
    if (replaced !== undefined) await this.#verify(replacement, replaced)
    this.#problems.push(...(await checkBooks(this.#client)).slice(0, 2))
    if (this.#data === null || isKilled) return
    if (this.#random.chance(0.3)) await this.#expectSameAfterKill(replacement.method)
    else if (this.#random.chance(0.6)) await this.#killWhileWriting()
  }

  /** After a reset mostly a world that has used the uids which the reset issues again. */
  #pick(): Replacement {
    const afterReset = this.#random.pick(['snapshots.restore', 'bundles.import'] as const)
    const isReset = this.#latest === 'world.reset' && this.#random.chance(0.8)
    const method = isReset ? afterReset : this.#random.pick(METHODS)
    this.#latest = method
    if (method === 'world.reset') return this.#random.pick(this.#resets)
    if (method === 'bundles.import') return this.#random.pick(this.#bundles)
    if (method === 'snapshots.restore') {
      const [name, expected] = this.#random.pick([...this.#snapshots])
      return { method, input: { name }, expected, more: 0 }
    }
    const { seq, content } = this.#random.pick(this.#checkpoints)
    return { method, input: { seq }, expected: content, more: 0 }
  }

  /** Returns the last commit of the replacement; undefined without an answer. */
  async #call({ method, input }: Replacement): Promise<number | undefined> {
    const began = performance.now()
    try {
      const { status, body, text } = await this.#client.control(method, input)
      this.#duration = performance.now() - began
      if (status === 200) return body.seq
      this.#problems.push(`${method} was answered with ${status}: ${text}`)
    } catch (error) {
      if (!(error instanceof ConnectionLost)) throw error
    }
    return undefined
  }

  async #killAfter(ms: number) {
    await new Promise((resolve) => setTimeout(resolve, ms))
    await this.#host.kill()
    this.#sum.counts.kills++
  }

  /** In every third start the world file is rewritten soon, under the load of the writers. */
  async #restart() {
    this.#client.close()
    if (this.#worldFile !== this.#readWorldFile()) this.#sum.counts['world files']++
    if (this.#restarts++ % 3 === 0) await fillJournal(this.#data!)
    await this.#start()
  }

  /** Changes when the world file is rewritten. */
  #readWorldFile = () => statSync(join(this.#data!, 'world.jsonl')).ino

  /** After a kill: the last commit of the replacement that was not answered, if it was executed. */
  async #findReplacement({ method, more }: Replacement, before: number): Promise<number | undefined> {
    const { commits } = await expectSuccess(this.#client.control('world.commits', { limit: PAGE }))
    const found = commits.find(
      ({ seq, cause, goes_on_from }: Body) => seq > before && cause.name === method && goes_on_from !== null,
    )
    return found && found.seq + more
  }

  /** In a world of its own, as the writers may have changed this one since. */
  async #verify({ method, expected }: Replacement, seq: number) {
    const { commits } = await expectSuccess(this.#client.control('world.commits', { before: seq + 1, limit: PAGE }))
    const { records } = commits.find(({ cause, goes_on_from }: Body) => cause.name === method && goes_on_from !== null)
    const count = (Object.values(records) as number[]).reduce((sum, one) => sum + one, 0)
    const name = `${method} ${count > LARGE ? 'above' : 'below'} ${LARGE} changes ${this.#data ? 'on disk' : 'in memory'}`
    this.#sum.replaced[name] = (this.#sum.replaced[name] ?? 0) + 1
    await expectSuccess(this.#client.control('worlds.create', { name: 'after', from: { commit: seq } }))
    this.#compare(`after ${name}`, expected, await this.#read('/worlds/after'))
    const { balanced, problems } = await expectSuccess(this.#client.control('ledger.check', {}, '/worlds/after'))
    if (!balanced) this.#problems.push(`the books after ${name} do not balance: ${problems[0]}`)
    await expectSuccess(this.#client.control('worlds.drop', { name: 'after' }))
  }

  async #expectSameAfterKill(method: Method) {
    await this.#untilSent()
    const content = await this.#read()
    await this.#killAfter(0)
    await this.#restart()
    this.#compare(`after a restart that follows ${method}`, content, await this.#read())
  }

  async #startWriters(): Promise<Writers> {
    const writers = new Writers(this.#client, this.#random, this.#values)
    void writers.ended.then(() => (this.#sum.counts['requests meanwhile'] += writers.answered.length))
    await writers.untilWriting()
    return writers
  }

  /** Each Customer that was answered is there, each answered request is in the log once, and at most one more for each writer. */
  async #killWhileWriting() {
    const before = await this.#countCustomers()
    const writers = await this.#startWriters()
    await this.#killAfter(this.#random.below(100))
    await writers.ended
    this.#problems.push(...writers.problems)
    await this.#restart()
    const created = writers.answered.filter(({ uid }) => uid !== undefined)
    for (const { uid, trace } of created) {
      const { status } = await this.#client.control('records.get', { collection: 'customers', uid })
      if (status !== 200)
        this.#problems.push(`the Customer ${uid} of the answered request ${trace} is not there after a kill`)
    }
    const more = (await this.#countCustomers()) - before - created.length
    if (more < 0 || more > WRITERS)
      this.#problems.push(`after a kill there are ${more} more Customers than the ${created.length} that were answered`)
    const { data } = await expectSuccess(this.#client.control('exchanges.list', { limit: PAGE }))
    for (const { trace, status } of writers.answered.slice(-PAGE / 2)) {
      const logged = data.filter((one: Body) => one.trace_id === trace)
      if (logged.length !== 1 || logged[0].status !== status)
        this.#problems.push(`${trace} was answered with ${status}, and is in the log ${logged.length} times`)
    }
  }

  async #countCustomers(): Promise<number> {
    const input = { collection: 'customers', ...ALL_RECORDS.customers, limit: 1 }
    return (await expectSuccess(this.#client.control('records.list', input))).total_count
  }

  #compare(when: string, expected: Content, found: Content) {
    const missing = [...expected.keys()].filter((key) => !found.has(key))
    const foreign = [...found.keys()].filter((key) => !expected.has(key))
    const changed = [...expected].filter(([key, digest]) => (found.get(key) ?? digest) !== digest)
    this.#sum.counts['records compared'] += expected.size
    if (missing.length + foreign.length + changed.length === 0) return
    const first = missing[0] ?? foreign[0] ?? changed[0]![0]
    this.#problems.push(
      `${when}: ${missing.length} records are missing, ${foreign.length} are of another world, ${changed.length} differ, such as ${first}`,
    )
  }

  async #read(world = ''): Promise<Content> {
    const content = new Map<string, string>()
    for (const collection of collectionNames)
      for (let offset = 0; ; offset += PAGE) {
        const input = { collection, ...ALL_RECORDS[collection], limit: PAGE, offset }
        const { data, total_count } = await expectSuccess(this.#client.control('records.list', input, world))
        for (const record of data) content.set(`${collection} ${record.uid}`, digestOf(collection, record))
        if (offset + PAGE >= total_count) break
      }
    return content
  }

  async #newestSeq(): Promise<number> {
    return (await expectSuccess(this.#client.control('world.describe'))).seq
  }

  async #checkFolder(data: string) {
    const { code, stdout, stderr } = await runCommand(['check', data])
    if (code !== 0) this.#problems.push(`sandbank check ended with ${code}: ${stdout}${stderr}`)
  }

  #wire() {
    return this.#client.api('POST', '/sandbox/mock_transactions', exampleBody('createMockTransaction', this.#values))
  }
}

async function checkBooks(client: Client): Promise<string[]> {
  const { balanced, problems } = await expectSuccess(client.control('ledger.check'))
  return balanced ? [] : ['the books do not balance', ...problems]
}

/** In the world of its own in which a replacement is looked at, webhooks are paused; and bundles have no keys. */
function digestOf(collection: string, record: Body): string {
  const { status: _, hmac_key: __, ...compared } = record
  const text = JSON.stringify(collection === 'webhooks' ? compared : record)
  return createHash('sha256').update(text).digest('base64')
}

/** Clients that write until they are stopped, or lose the connection. */
class Writers {
  readonly #client: Client
  readonly #random: Random
  readonly #values: ExampleValues
  readonly problems: string[] = []
  readonly ended: Promise<unknown>
  /** `uid`: of the Customer that the request has created. */
  readonly answered: { readonly trace: string; readonly status: number; readonly uid: string | undefined }[] = []
  #writing = 0
  #isStopped = false
  #onWrite: (() => void) | undefined

  constructor(client: Client, random: Random, values: ExampleValues) {
    this.#client = client
    this.#random = random
    this.#values = values
    this.ended = Promise.all(Array.from({ length: WRITERS }, () => this.#write()))
  }

  /** Resolves when each of them has written. */
  async untilWriting() {
    while (this.#writing < WRITERS) await new Promise<void>((resolve) => (this.#onWrite = resolve))
  }

  stop() {
    this.#isStopped = true
  }

  async #write() {
    while (!this.#isStopped) {
      const isCustomer = this.#random.chance(0.5)
      const endpoint = isCustomer ? 'createCustomer' : 'createMockTransaction'
      const { path } = endpoints[endpoint]
      const body = exampleBody(endpoint, this.#values)
      const trace = newTrace()
      try {
        // What is tried is undone, also in the middle of a replacement.
        const isTried = this.#random.chance(0.25)
        const response = isTried
          ? await this.#client.control('requests.try', { endpoint, body })
          : await this.#client.api('POST', path, body, trace)
        const { status, text } = response
        if (status >= 500) this.problems.push(`POST ${path} was answered with ${status}: ${text}`)
        const uid = isCustomer && status === 201 ? String(response.body.uid) : undefined
        if (!isTried) this.answered.push({ trace, status, uid })
      } catch (error) {
        if (error instanceof ConnectionLost) break
        throw error
      }
      this.#writing++
      this.#onWrite?.()
    }
    // So that nothing waits for a writer whose sandbox was killed.
    this.#writing += WRITERS
    this.#onWrite?.()
  }
}
