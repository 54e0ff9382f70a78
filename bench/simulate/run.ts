import { collectionNames } from '../../src/api/contract/collections.ts'
import type { Advance } from '../../src/api/contract/control/clock.ts'
import type { MethodName } from '../../src/api/contract/control/methods.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { ALL_RECORDS, exampleInput, isAction, valuesOf } from '../support/examples.ts'
import { Random } from '../support/random.ts'
import { type ApiCall, type Body, type Call, callOf, personOf, settingsOf, type World } from './calls.ts'
import { compareBooks } from './compare-books.ts'
import { compareWorld } from './compare-world.ts'
import { findWebhookProblem, matchEvents, readEvents } from './events.ts'
import { type Ask, findUnforeseen, findUntrue, readFuture } from './future.ts'
import { type Host, type Response, START } from './host.ts'
import { findListProblem, readPages, readWhole } from './lists.ts'
import { Model } from './model/model.ts'
import { emptyState } from './model/state.ts'
import type { Event, From, Meanwhile, Operation, Plan } from './operations.ts'
import { FOLDER, SimulatedHost } from './simulated-host.ts'

/** Executes one plan, and compares the sandbox with the model. */

export class Failure extends Error {
  override name = 'Failure'
}

/** What the simulation knows of a request that was answered. */
interface Answered {
  readonly trace: string
  readonly status: number
  /** Simulated time. */
  readonly at: number
  /** The disk failed meanwhile, so the log may lack it. */
  readonly hadFaults: boolean
}

interface OperatorAction {
  readonly name: string
  readonly isCertain: boolean
}

interface Bundle {
  readonly text: string
  readonly commits: number
  readonly model: Model
  readonly actions: readonly OperatorAction[]
  readonly hasWholeLog: boolean
  readonly hasDiskFaults: boolean
}

/** What a world shows, and the names of what is outside of it, as texts. */
interface Content {
  readonly world: string
  readonly others: string
}

/** A text of one world, in which what another does not have of these is numbered: called again, a method issues others. */
function withNumbers(text: string, before: string): string {
  const known = new Set(before.match(ISSUED))
  const numbers = new Map<string, string>()
  return text.replaceAll(ISSUED, (word) => {
    if (known.has(word)) return word
    if (!numbers.has(word)) numbers.set(word, `new ${numbers.size}`)
    return numbers.get(word)!
  })
}
const isAlike = (a: Content, b: Content, before: Content) =>
  withNumbers(a.world, before.world) === withNumbers(b.world, before.world)
/** Uids, keys, numbers of accounts and their last four digits, ids of companies. */
const ISSUED = /[\w+/=-]{16,}|\bC?\d{9,}\b|"\d{4}"/g

/** An example that a kill has cut off. */
interface Interrupted {
  readonly name: string
  readonly input: object
  /** The commit before it. */
  readonly seq: number
  readonly before: Content
  readonly after: Content
  /** How many commits it makes: between two of them a kill leaves a part of it, as of an advance. */
  readonly commits: number
  readonly isAnswered: boolean
}

/** Requests that create Customers while the world is replaced, by their trace ids, with the uids that were answered. */
interface Written {
  /** The newest commit before. */
  readonly after: number
  readonly sent: Map<string, string | undefined>
  readonly action: { readonly name: string; readonly input: object }
  readonly apply: (model: Model, value: Body) => void
  /** The last commit of the replacement, once it is known. */
  last: number | undefined
  /** The snapshot of the world that was asked for. */
  readonly like: string | undefined
}

/** How much of what was answered must still be there. */
type Promised = 'everything' | 'a prefix'

/** No transfer of the simulation has this many dollars. */
const LEAST_UNREACHED = 100_000

/** A Program has at most 50. */
const MAX_WEBHOOKS = 6
/** A delivery that failed is tried again for a day. */
const LONGEST_RETRY_MS = 2 * 86_400_000
const REPLACING = ['world.reset', 'world.rewind', 'snapshots.restore', 'bundles.import']
/** A scenario in the present world begins with a reset. */
const RESETTING = ['world.reset', 'scenarios.run', 'scenarios.step']
const MOVES = ['operations.undo', 'operations.redo']
/** These examples would otherwise act on another world. */
const IN_PRESENT: Partial<Record<MethodName, object>> = {
  'exchanges.replay': { into: 'present' },
  'scenarios.run': { into: 'present' },
  'scenarios.step': { into: 'present' },
}
const WEEK_MS = 7 * 86_400_000
const COMPARE_EVERY = 10
/** Each has six records or more. */
const MANY_WIRES = 170
/** What changes more records has a file of its own. */
const MANY = 1_000
/** An export takes as long as ten requests, and a replay as long as the run so far. */
const ACTIONS_CHECKED = 0.1
const REPLAYS_CHECKED = 0.1
const REPLAYS_CHECKED_IN_PROCESS = 0.3

export class Run {
  readonly #plan: Plan
  readonly #host: Host
  #world!: World
  #model: Model
  /** The model after each operation, by the commit that was the newest then. */
  readonly #models = new Map<number, Model>()
  /** The records after each commit, as the process that made it had them. */
  readonly #images = new Map<number, string | undefined>()
  /** The commits that replaced more than 1,000 records. */
  readonly #large = new Set<number>()
  readonly #snapshots = new Map<string, Model>()
  /** The records of each snapshot, as text. */
  readonly #snapshotRecords = new Map<string, string>()
  /** The names of the snapshots with which worlds are compared. */
  readonly #kept = new Set<string>()
  #answered: Answered[] = []
  /** The trace id of the request that made a commit. */
  readonly #traceOfCommit = new Map<number, string>()
  /** Records with the trace id of the request that created them, since the world was last replaced. */
  #created: { readonly collection: string; readonly uid: string; readonly trace: string }[] = []
  /** The operator actions since the record of the world began. */
  #actions: OperatorAction[] = []
  /** The commit with which it began: a replacement, but a rewind only if it went back before that. undefined after a loss of commits. */
  #recordBegins: number | undefined = 0
  #bundle: Bundle | undefined
  /** The texts of the bundles that were imported. */
  readonly #imported: string[] = []
  /** The commits of each import. Only the last of them is a world that may be there after a start. */
  #imports: { readonly first: number; readonly last: number }[] = []
  #wasRepaired = false
  /** A crash, a failing disk or another world may have changed the order of what is sent. */
  #wasInterrupted = false
  /** A power loss may have taken the beginning of the logs. */
  #hasWholeLog = true
  /** The disk has failed since the record began: a request was refused that succeeds when it is replayed. */
  #hasDiskFaults = false
  /** The changes since the last one that succeeded, refused because the disk failed: a crash may leave one of them on the disk. */
  #doubtful: Call[] = []
  #interrupted: Interrupted | undefined
  #written: Written | undefined
  /** Of those while clients wrote, by method and size. */
  readonly replacements = new Set<string>()
  /** Whose examples were called. */
  readonly examples = new Set<MethodName>()
  /** The latest simulated time so far: a rewind goes back, but what was forgotten stays so. */
  #latest = 0
  #traces = 0
  #operation: Operation | undefined
  /** The operations that were not refused, of those that a model judges. */
  readonly accepted = new Set<Operation['kind']>()
  /** What was done, for the report of a problem. */
  readonly log: string[] = []
  readonly counts = {
    operations: 0,
    requests: 0,
    kills: 0,
    'power losses': 0,
    'requests during a replacement': 0,
    'replacements without an answer': 0,
    'worlds compared record by record': 0,
    starts: 0,
    'refused starts': 0,
    repairs: 0,
    tries: 0,
    replays: 0,
    actions: 0,
    undos: 0,
    redos: 0,
    faults: 0,
    flips: 0,
    'lists with filters': 0,
    events: 0,
    'events received': 0,
  }

  constructor(plan: Plan, host: Host = new SimulatedHost(plan)) {
    this.#plan = plan
    this.#model = new Model(emptyState(plan.start ?? START))
    this.#host = host
    host.onCommit = (seq, isLarge) => {
      this.#images.set(seq, host.image())
      if (isLarge) this.#large.add(seq)
    }
  }

  get #random() {
    return this.#host.random
  }

  /** Its disk loses what was not synced, and can be changed. */
  get #simulated() {
    return this.#host as SimulatedHost
  }

  /** What has become of the world, as the model has it. */
  get state() {
    return this.#model.state
  }

  /** Returns the problem, if there is one. `atEnd` may throw one that it finds in the world at the end. */
  async execute(atEnd?: () => Promise<void> | undefined): Promise<string | undefined> {
    const { compareEvery = COMPARE_EVERY } = this.#plan
    const leave = this.#host.enter()
    try {
      await this.#start(true)
      await this.#learnWorld()
      this.#remember()
      await this.#keepWorld('beginning')
      for (const [i, operation] of this.#plan.operations.entries()) {
        this.#operation = operation
        await this.#perform(operation)
        if (i % compareEvery === compareEvery - 1) await this.#compare(this.#model)
      }
      await this.#checkReceived()
      await atEnd?.()
      return undefined
    } catch (error) {
      if (error instanceof EndOfRun) return undefined
      const { name, message, stack } = error as Error
      return name === 'Failure' ? message : `${stack}`
    } finally {
      await this.#host.kill('kill')
      leave()
    }
  }

  // ── Operations ─────────────────────────────────────────────────────────────────────────────────────────────────

  async #perform(operation: Operation) {
    const { event } = operation
    this.counts.operations++
    this.#latest = Math.max(this.#latest, this.#model.state.now)
    this.#host.injected = 0
    if (event && operation.kind !== 'example') this.#host.schedule(event)
    const lost = await this.#execute(operation)
    if (this.#sends) await this.#host.settle()
    this.#host.endFaults()
    this.counts.faults += this.#host.injected
    if (this.#host.injected > 0) {
      this.#hasDiskFaults = true
      this.#receiver?.allowRepetition()
      this.#wasInterrupted = true
    } else if (!this.#host.hasEnded) this.#receiver?.noteRecorded()
    this.#remember()
    if (event?.kind === 'kill' || event?.kind === 'power loss') await this.#crash(event.kind, lost)
    else if (this.#host.injected > 0) await this.#compare(this.#model)
    if (this.#hasUnknownUids()) await this.#compare(this.#model)
    await this.#keepWorld(`commit ${this.#host.seq}`)
  }

  /** Returns the call that was not answered. */
  async #execute(operation: Operation): Promise<Call | undefined> {
    this.#model.runDue()
    switch (operation.kind) {
      case 'restart':
        return this.#restart()
      case 'repeat trace id':
        return this.#repeatTrace(operation.of)
      case 'keep snapshot':
        return this.#control('snapshots.keep', { name: operation.name }, (model) => {
          this.#snapshots.set(operation.name, model.clone())
          this.#kept.add(operation.name)
          if (this.#host instanceof SimulatedHost)
            this.#snapshotRecords.set(operation.name, JSON.stringify(this.#simulated.records()))
        })
      case 'restore snapshot': {
        const { name } = operation
        const kept = this.#snapshots.get(name)
        return kept && this.#replace(operation, 'snapshots.restore', { name }, (model) => model.replace(kept), name)
      }
      case 'rewind': {
        const seqs = [...this.#models.keys()]
        const seq = seqs[operation.to % seqs.length]!
        const model = this.#models.get(seq)!
        return this.#replace(operation, 'world.rewind', { seq }, (it) => it.replace(model), `commit ${seq}`)
      }
      case 'undo':
      case 'redo':
        return this.#move(operation)
      case 'reset':
        return this.#reset(operation)
      case 'write':
        return this.#replace(operation, 'ledger.check', {}, () => {}, undefined)
      case 'export':
        return this.#export()
      case 'import':
        return this.#import(operation)
      case 'receive many':
        return this.#receiveMany(operation.customer)
      case 'create program':
        return this.#control('programs.create', { name: `Program ${operation.id}` }, () => {})
      case 'create webhook':
        return this.#createWebhook(operation)
      case 'change webhook':
        return this.#changeWebhook(operation)
      case 'delete webhook': {
        const [webhook, of] = this.#findWebhook(operation.webhook)
        return webhook && this.#control('webhooks.delete', { uid: webhook.uid }, (model) => model.deleteWebhook(of))
      }
      case 'set receiver':
        if (this.#receiver) this.#receiver.accepts = operation.accepts
        return undefined
      case 'list':
        return this.#checkList(operation.query)
      case 'rotate key':
        return this.#control('programs.rotate_key', { uid: this.#world.program }, () => {})
      case 'example':
        return this.#callExample(operation)
      case 'flip':
        return this.#flip(operation)
      default: {
        const call = callOf(operation, this.#model, this.#world)
        if (!call) return undefined
        this.#say(`${JSON.stringify(operation)}`)
        if (call.door === 'control') {
          this.accepted.add(operation.kind)
          return this.#control(call.name, call.input, call.apply)
        }
        if (!call.refusal) this.accepted.add(operation.kind)
        // With an event on the disk, the tasks that are due before a try could be lost.
        const isTried = operation.event === undefined
        if (isTried && operation.id % 4 === 0) await this.#tryFirst(call)
        return this.#request(call, isTried)
      }
    }
  }

  async #request(call: ApiCall, isTried = false): Promise<Call | undefined> {
    const tried = isTried ? await this.#try(call) : undefined
    const foreseen = isTried
      ? await this.#ask('requests.foresee', { ...findEndpoint(call.method, call.path), body: call.body })
      : undefined
    const scheduled = isTried ? await this.#ask('tasks.list', {}) : undefined
    const trace = this.#newTrace()
    const before = this.#host.seq
    const at = this.#model.state.now
    const response = await this.#host.request(call.method, call.path, trace, call.body)
    this.#say(
      `  ${call.method} ${call.path} -> ${response?.status ?? 'no response'} ${JSON.stringify(response?.body)?.slice(0, 300)}`,
    )
    for (let seq = before + 1; seq <= this.#host.seq; seq++) this.#traceOfCommit.set(seq, trace)
    if (!response) return call
    this.counts.requests++
    const hadFaults = this.#host.injected > 0
    this.#answered.push({ trace, status: response.status, at, hadFaults })
    if (response.status >= 500 && hadFaults) {
      this.#doubtful.push(call)
      return undefined
    }
    this.#checkResponse(call, response)
    if (tried && JSON.stringify(tried) !== JSON.stringify(answerOf(response)))
      throw new Failure(`${call.method} ${call.path}: requests.try said ${JSON.stringify(tried)}`)
    if (call.refusal) return undefined
    if (foreseen?.next === null) {
      const untrue = findUnforeseen(foreseen, scheduled!, await this.#ask('tasks.list', {}))
      if (untrue) throw new Failure(`${call.method} ${call.path}: ${untrue}`)
    }
    // The next change takes its place on the disk.
    if (this.#host.seq > before) this.#doubtful = []
    this.#model.change(() => call.apply(this.#model, response.body))
    if (call.creates && call.creates !== '/transactions')
      this.#created.push({ collection: call.creates.slice(1), uid: response.body.uid, trace })
    return undefined
  }

  /** What the sandbox says that it would answer. It changes nothing, but runs the tasks that are due before. */
  async #try({ method, path, body }: ApiCall): Promise<unknown> {
    const reply = await this.#host.call('requests.try', { ...findEndpoint(method, path), body })
    if (!reply?.ok) throw new Failure(`requests.try of ${method} ${path} was refused: ${JSON.stringify(reply?.value)}`)
    const { status, refused } = reply.value
    return refused ? [status, refused.code, refused.extra] : [status, reply.value.body]
  }

  /** The request and what follows from it in a copy: the world stays as it is, and nothing is sent. */
  async #tryFirst({ method, path, body }: ApiCall) {
    // The tasks that are due before.
    await this.#ask('clock.read', {})
    if (this.#sends) await this.#host.settle()
    const read = () => [this.#host.image(), this.#host.seq, this.#receiver?.attempts]
    const before = read()
    const { answers } = await this.#ask('worlds.try', {
      calls: [
        { method: 'exchanges.send', input: { method, path, ...(body && { body: JSON.stringify(body) }) } },
        { method: 'clock.advance', input: { by: 'P2D' } },
      ],
    })
    if (this.#sends) await this.#host.settle()
    const [refused] = answers.flatMap((answer) => answer.refused ?? [])
    if (refused) throw new Failure(`worlds.try of ${method} ${path} was refused: ${JSON.stringify(refused)}`)
    if (JSON.stringify(read()) !== JSON.stringify(before))
      throw new Failure(`worlds.try of ${method} ${path} changed the world, or sent something`)
    if ((await this.#read('worlds.list')).worlds.length > 0) throw new Failure('worlds.try left a world')
    this.counts.tries++
  }

  #checkResponse({ refusal, status, method, path, body }: ApiCall, response: Response) {
    const expected = refusal ? `${refusal.status}/${refusal.code}` : `${status}`
    const found =
      response.status < 400 ? `${response.status}` : `${response.status}/${response.body?.errors?.[0]?.code}`
    if (found !== expected)
      throw new Failure(
        `${method} ${path} ${JSON.stringify(body)} should be answered with ${expected} and was with ${found}: ${JSON.stringify(response.body)}`,
      )
  }

  /** `action`: as which the operator log has it. */
  async #control(
    name: string,
    input: object,
    apply: (model: Model, value: Body) => void,
    action = { name, input },
  ): Promise<Call | undefined> {
    this.#say(`${name} ${JSON.stringify(input)}`)
    const future = name === 'clock.advance' && !this.#operation?.event ? await readFuture(this.#ask, input) : undefined
    const before = this.#host.seq
    const reply = await this.#host.call(name, input)
    const call: Call = { door: 'control', ...action, apply }
    if (!reply) return call
    if (future && reply.ok) {
      const [untrue] = await findUntrue(this.#ask, future, reply.value as Advance)
      if (untrue) throw new Failure(untrue)
    }
    if (reply.ok) {
      this.counts.actions++
      this.#model.change(() => apply(this.#model, reply.value))
      // Requests may have made commits before the one that replaces the world.
      const replaced = REPLACING.includes(action.name) ? (reply.value.since ?? reply.value.seq) : undefined
      if (replaced !== undefined) this.#forgetReceived()
      this.#rememberAction(action.name, action.input, replaced === undefined ? before : replaced - 1)
    } else if (this.#host.injected === 0)
      throw new Failure(`${name} ${JSON.stringify(input)} was refused: ${JSON.stringify(reply.value)}`)
    else if (name === 'clock.advance') {
      // An advance that failed has come as far as the clock says, and is in the log if it made a commit.
      this.#model.advanceTo(this.#host.now)
      this.#rememberAction(name, input, before, false)
    }
    if (!reply.ok) this.#doubtful.push(call)
    // The next change takes its place on the disk.
    else if (this.#host.seq !== before) this.#doubtful = []
    return undefined
  }

  /** What a control method returns, which must not refuse. */
  #read = async (name: string, input: object = {}): Promise<Body> => {
    const reply = await this.#host.call(name, input)
    if (!reply?.ok) throw new Failure(`${name} ${JSON.stringify(input)} was refused: ${JSON.stringify(reply?.value)}`)
    return reply.value
  }
  #ask = this.#read as Ask

  // ── Webhooks and lists ─────────────────────────────────────────────────────────────────────────────────────────

  #forgetReceived() {
    this.#wasInterrupted = true
    this.#receiver?.forget()
  }

  get #receiver() {
    return this.#host instanceof SimulatedHost ? this.#host.receiver : undefined
  }

  /** Something is sent in the background. */
  get #sends() {
    return this.#model.state.webhooks.some(({ hasAddress }) => hasAddress)
  }

  #findWebhook(n: number) {
    const { webhooks } = this.#model.state
    const of = n % (webhooks.length || 1)
    return [webhooks[of], of] as const
  }

  async #createWebhook({
    id,
    hasAddress: wanted,
    confirm,
    topics,
    from,
    event,
  }: Operation & { kind: 'create webhook' }) {
    if (this.#model.state.webhooks.length >= MAX_WEBHOOKS) return undefined
    const url = (wanted && this.#host.addressOf(id)) || null
    const hasAddress = url !== null
    const since = await this.#findEvents(from, event)
    const input = { program_uid: this.#world.program, url, topics, confirm, from: since.from }
    return this.#control('webhooks.create', input, (model, { uid }) => {
      model.createWebhook(uid ?? null, hasAddress, topics)
      if (since.from !== 'now') model.moveWebhook(model.state.webhooks.length - 1, since.events)
    })
  }

  async #changeWebhook({ webhook: n, status, from, event }: Operation & { kind: 'change webhook' }) {
    const [webhook, of] = this.#findWebhook(n)
    if (!webhook) return undefined
    const since = from === undefined ? undefined : await this.#findEvents(from, event)
    const input = { uid: webhook.uid, ...(status && { status }), ...(since && { from: since.from }) }
    // Without an address it cannot be made active.
    if (!webhook.hasAddress && status === 'active') return undefined
    return this.#control('webhooks.update', input, (model) => {
      if (since) model.moveWebhook(of, since.events)
    })
  }

  /** Which events these are, as the sandbox and the model name them. */
  async #findEvents(
    from: From,
    event: Event | undefined,
  ): Promise<{ readonly from: string; readonly events: readonly number[] }> {
    if (from === 'now') return { from, events: [] }
    // They are read from the disk, and what the operation is to meet comes after that.
    this.#host.endFaults()
    const listed = await readEvents(this.#read)
    if (event) this.#host.schedule(event)
    const matched = matchEvents(this.#model, listed)
    if (typeof matched === 'string') throw new Failure(matched)
    if (from === 'beginning' || listed.length === 0) return { from: 'beginning', events: matched }
    const first = from % listed.length
    return { from: listed[first].uid, events: matched.slice(first) }
  }

  /** At the end all webhooks are active and their receiver accepts everything. */
  async #checkReceived() {
    const receiver = this.#receiver
    this.counts.events += this.#model.state.events.length
    this.counts['events received'] += receiver?.attempts ?? 0
    if (!receiver || this.#host.hasEnded || !this.#sends) return
    receiver.accepts = true
    for (const { uid, hasAddress } of this.#model.state.webhooks)
      if (hasAddress) await this.#control('webhooks.update', { uid, status: 'active' }, () => {})
    await this.#simulated.settle()
    const to = new Date(this.#model.state.now + LONGEST_RETRY_MS).toISOString()
    await this.#control('clock.advance', { to }, (model) => model.advanceTo(Date.parse(to)))
    await this.#simulated.settle()
    const problem = await receiver.findProblem(this.#model, !this.#wasInterrupted, this.#read)
    if (problem !== undefined) throw new Failure(problem)
  }

  async #checkList(query: number): Promise<undefined> {
    const read = async (path: string) => (await this.#get(path)).body
    const problem = await findListProblem(new Random(`${query}`), read, await readWhole(read))
    this.counts['lists with filters']++
    if (problem !== undefined) throw new Failure(problem)
  }

  #reset(operation: Operation) {
    const input = { world: 'empty', mode: 'frozen', pace: 'fast' }
    const apply = (model: Model) => {
      model.replace(new Model(emptyState(this.#plan.start ?? START)))
      this.#forgetTraces()
    }
    return this.#replace(operation, 'world.reset', input, apply, 'beginning')
  }

  // ── Bundles and replacements ───────────────────────────────────────────────────────────────────────────────────

  async #export(): Promise<undefined> {
    const reply = await this.#host.call('bundles.export', {})
    if (!reply?.ok) {
      if (reply && this.#host.injected === 0)
        throw new Failure(`bundles.export was refused: ${JSON.stringify(reply.value)}`)
      return
    }
    const { text } = reply.value
    const commits = text.split('\n').filter((line: string) => line.startsWith('{"commit":')).length
    this.#bundle = {
      text,
      commits,
      model: this.#model.clone(),
      actions: [...this.#actions],
      hasWholeLog: this.#hasWholeLog,
      hasDiskFaults: this.#hasDiskFaults,
    }
  }

  async #import(operation: Meanwhile & Pick<Operation, 'id' | 'event'>): Promise<Call | undefined> {
    if (!this.#bundle) return undefined
    const { text, commits, model } = this.#bundle
    this.#imported.push(text)
    let first = this.#host.seq + 1
    const apply = (current: Model, { since }: Body) => {
      first = since ?? first
      current.replace(model)
      current.state.mayForget = true
    }
    // Its records are masked, so only the model has them.
    const call = await this.#replace(operation, 'bundles.import', { text }, apply, undefined)
    if (call || this.#host.seq >= first) this.#imports.push({ first, last: first + commits })
    return call
  }

  /** Clients create Customers while the world is replaced, or while nothing else happens. A failing disk would leave too many possible worlds. */
  async #replace(
    { id, event, meanwhile = 0 }: Meanwhile & Pick<Operation, 'id' | 'event'>,
    name: string,
    input: object,
    apply: (model: Model, value: Body) => void,
    like: string | undefined,
    action = { name, input },
  ): Promise<Call | undefined> {
    if (meanwhile === 0 || (event && event.kind !== 'kill')) return this.#control(name, input, apply, action)
    const written: Written = { after: this.#host.seq, sent: new Map(), action, apply, last: undefined, like }
    this.#written = written
    this.#host.tick(30)
    const writing = Promise.all(Array.from({ length: this.#host.writers }, () => this.#write(written, meanwhile, id)))
    // Of two problems the first is reported: that of the replacement.
    writing.catch(() => {})
    const applyLast: typeof apply = (model, value) => {
      written.last = value.seq
      apply(model, value)
    }
    const call = await this.#control(name, input, applyLast, action)
    await writing
    this.#host.tick(0)
    // A kill that has not come by now would come while the order is read.
    this.#host.endFaults()
    if (this.#host.hasEnded) return call
    await this.#orderWritten()
    if (!event && this.#host.restarts && this.#random.chance(0.5)) await this.#restart()
    return call
  }

  async #write({ sent }: Written, count: number, id: number) {
    for (let n = 0; n < count && !this.#host.hasEnded; n++) {
      for (let turns = (id * 7 + n * 3) % 8; turns > 0; turns--) await turn()
      const trace = this.#newTrace()
      const at = this.#host.now
      sent.set(trace, undefined)
      const response = await this.#host.request('POST', '/customers', trace, personOf('approved'))
      if (!response) return
      if (response.status !== 201)
        throw new Failure(`A Customer during a replacement was answered with ${response.status}`)
      sent.set(trace, response.body.uid)
      this.#answered.push({ trace, status: 201, at, hadFaults: false })
    }
  }

  /** The order of the commits says which of these requests came after the replacement, and whether it was executed if it was not answered. */
  async #orderWritten() {
    const written = this.#written
    this.#written = undefined
    if (!written) return
    const { after, sent, action, apply } = written
    const { commits } = await this.#read('world.commits', { before: after + 1001, limit: 1000 })
    const isReplacement = ({ seq, cause, goes_on_from }: Body) =>
      seq > after && cause.name === action.name && goes_on_from !== null
    const replaced = commits.find(isReplacement)
    if (replaced) {
      const changes = (Object.values(replaced.records) as number[]).reduce((sum, one) => sum + one, 0)
      this.replacements.add(`${action.name} ${changes > MANY ? 'above' : 'below'} ${MANY} changes`)
    }
    if (replaced && written.last === undefined) {
      const more = action.name === 'bundles.import' ? this.#bundle!.commits : 0
      const last = (written.last = replaced.seq + more)
      this.#model.change(() => apply(this.#model, { seq: last, since: replaced.seq }))
      this.#rememberAction(action.name, action.input, replaced.seq - 1, false)
      this.counts['replacements without an answer']++
    }
    const entries = await readPages((_, page) => this.#read('exchanges.list', page))
    const exchanges = new Map(entries.map(({ trace_id, uid }) => [trace_id as string, uid as string]))
    const seqs = new Map<string, number>(commits.map(({ seq, cause }: Body) => [cause.exchange, seq]))
    const seqOf = (trace: string) => seqs.get(exchanges.get(trace) ?? '')
    const { last = after } = written
    const later = new Set<string>()
    for (const [trace, uid] of [...sent].sort(([a], [b]) => (seqOf(a) ?? 0) - (seqOf(b) ?? 0))) {
      const seq = seqOf(trace)
      if (seq === undefined && uid !== undefined)
        throw new Failure(`No commit is that of the answered request ${trace}`)
      if (seq === undefined || seq < last) continue
      const created =
        uid ?? JSON.parse((await this.#read('exchanges.get', { uid: exchanges.get(trace) })).response.body).uid
      this.#model.change(() => this.#model.createCustomer(created, 'approved'))
      this.#created.push({ collection: 'customers', uid: created, trace })
      later.add(created)
    }
    if (replaced) await this.#compareRecords(written.like, later)
    this.#say(`  meanwhile ${sent.size} Customers`)
    this.counts['requests during a replacement'] += sent.size
  }

  /** For a comparison of all records with those of a world that replaces this one, where worlds are replaced. */
  async #keepWorld(name: string) {
    if (!this.#plan.hasOtherCommits || this.#host.hasEnded) return
    await this.#read('snapshots.keep', { name })
    this.#kept.add(name)
  }

  /** All are those of the snapshot, but for what was created since. The order of what is sent is not known. */
  async #compareRecords(name: string | undefined, later: ReadonlySet<string>) {
    if (name === undefined || !this.#kept.has(name)) return
    const { balances, records, others: more } = await this.#read('snapshots.compare', { a: name })
    const isSent = ({ collection = '' }: Body) => collection.startsWith('webhook')
    const isLater = ({ uid, what }: Body) => what === 'created' && later.has(uid)
    const others = [...balances, ...records, ...more].filter((one: Body) => !isSent(one) && !isLater(one))
    this.counts['worlds compared record by record']++
    if (others.length > 0)
      throw new Failure(
        `The world is not that of ${name}; ${others.length} records differ: ${JSON.stringify(others[0])}`,
      )
  }

  /** The newest operation, or what was undone last, if the model knows the world before it. */
  async #move(operation: Operation & { kind: 'undo' | 'redo' }): Promise<Call | undefined> {
    const { kind } = operation
    const reply = await this.#host.call('operations.preview', {})
    if (reply?.ok === false && this.#host.injected === 0)
      throw new Failure(`operations.preview was refused: ${JSON.stringify(reply.value)}`)
    const step = reply?.ok ? reply.value[kind] : undefined
    const model = step && this.#models.get(step.to)
    if (!model) return undefined
    this.counts[`${kind}s`]++
    const rewind = { name: 'world.rewind', input: { seq: step.to } }
    const input = { operation: step.operation }
    const like = `commit ${step.to}`
    return this.#replace(operation, `operations.${kind}`, input, (it) => it.replace(model), like, rewind)
  }

  async #receiveMany(customer: number): Promise<undefined> {
    for (let n = 0; n < MANY_WIRES; n++) {
      const wire = { kind: 'receive', type: 'wire', customer, cents: 100 + n, account: null, vrn: null, id: n } as const
      const call = callOf(wire, this.#model, this.#world)
      if (call?.door !== 'api' || call.refusal) return
      await this.#request(call)
    }
  }

  /** `before`: the newest commit before the call. */
  #rememberAction(name: string, input: object, before: number, isCertain = this.#host.injected === 0) {
    if (REPLACING.includes(name)) this.#created = []
    // A rewind that changes more than 1,000 records begins the record anew.
    const isSmallRewind = name === 'world.rewind' && !this.#large.has(before + 1)
    const goesBackTo = isSmallRewind ? (input as { seq: number }).seq : undefined
    if (goesBackTo !== undefined && this.#recordBegins === undefined) this.#hasWholeLog = false
    else if (REPLACING.includes(name) && !(goesBackTo !== undefined && goesBackTo >= this.#recordBegins!)) {
      const isImport = name === 'bundles.import'
      this.#actions = isImport ? [...this.#bundle!.actions] : []
      this.#hasWholeLog = isImport ? this.#bundle!.hasWholeLog : true
      this.#hasDiskFaults = isImport ? this.#bundle!.hasDiskFaults : false
      this.#recordBegins = before + 1
    } else if (isAction(name)) this.#actions.push({ name, isCertain })
  }

  // ── Examples of the contract ───────────────────────────────────────────────────────────────────────────────────

  /** Calls a method twice, and undoes it. A kill during the second call leaves the world of before, or that of one of its commits. */
  async #callExample({ name, event }: Operation & { kind: 'example' }): Promise<undefined> {
    // What is sent in the background would change the world that is compared.
    if (this.#sends) return
    const values = valuesOf(await this.#read('requests.examples'))
    const input = { ...exampleInput(name, values), ...IN_PRESENT[name] }
    this.#say(`${name} ${JSON.stringify(input)}, as in its example`)
    const { seq } = this.#host
    const before = await this.#readContent()
    await this.#callOnce(name, input, seq)
    const after = await this.#readContent({ seq, before })
    const commits = this.#host.seq - seq
    await this.#undo(name, seq, before)
    const again = this.#host.seq
    this.examples.add(name)
    if (event) this.#host.schedule(event)
    const isAnswered = await this.#callOnce(name, input, again)
    this.#host.endFaults()
    if (this.#host.hasEnded) {
      this.#interrupted = { name, input, seq: again, before, after, commits, isAnswered }
      return
    }
    if (!isAlike(await this.#readContent({ seq: again, before }), after, before))
      throw new Failure(`${name} led to another world when it was called again`)
    await this.#undo(name, again, before)
  }

  /** It may be refused. Returns whether it was answered. */
  async #callOnce(name: string, input: object, before: number): Promise<boolean> {
    const reply = await this.#host.call(name, input)
    if (!reply) return false
    this.#say(`  ${JSON.stringify(reply).slice(0, 200)}`)
    if (reply.ok) this.#rememberExample(name, input, before, true)
    return true
  }

  #rememberExample(name: string, input: object, before: number, isCertain: boolean) {
    if (name in IN_PRESENT || MOVES.includes(name)) this.#forgetRecord()
    else this.#rememberAction(name, input, before, isCertain)
    if (RESETTING.includes(name)) this.#forgetTraces()
  }

  async #undo(name: string, seq: number, { world }: Content) {
    if (name === 'faults.set') await this.#control('faults.clear', {}, () => {})
    if (this.#host.seq === seq) return
    // A rewind would clear what can be redone.
    const { undo } = name === 'operations.redo' ? await this.#read('operations.preview') : { undo: null }
    const rewind = { name: 'world.rewind', input: { seq: undo?.to ?? seq } }
    if (undo) await this.#control('operations.undo', {}, () => {}, rewind)
    else await this.#control(rewind.name, rewind.input, () => {})
    if ((await this.#readContent()).world !== world) throw new Failure(`A rewind does not undo ${name}`)
  }

  /** After a kill. What is outside of a world, such as a snapshot, no rewind has undone. */
  async #recover({ name, input, seq, before, after, commits, isAnswered }: Interrupted) {
    const found = await this.#readContent()
    const { world, others } = found
    const isAfter = isAlike(found, after, before)
    const wasExecuted = this.#host.seq > seq
    if (isAnswered && !isAfter) throw new Failure(`After a kill that followed ${name} its world is not there`)
    const isPart = commits > 1 && wasExecuted
    if (!isAfter && !isPart && world !== before.world)
      throw new Failure(`After a kill during ${name} the world is neither the one before nor the one after it`)
    if (others !== after.others && others !== before.others)
      throw new Failure(`After a kill during ${name} there are ${others}; before it ${before.others}`)
    if (!isAnswered && (wasExecuted || !REPLACING.includes(name)))
      this.#rememberExample(name, input, seq, wasExecuted && REPLACING.includes(name))
    await this.#undo(name, seq, before)
  }

  /** `known`: the world at a commit, which is read again only if there are later ones. */
  async #readContent(known?: { readonly seq: number; readonly before: Content }): Promise<Content> {
    const { snapshots } = await this.#read('snapshots.list')
    const { scenarios } = await this.#read('scenarios.list')
    const others = [...snapshots, ...scenarios].map(({ name }) => name).join()
    return { world: known?.seq === this.#host.seq ? known.before.world : await this.#readWorld(), others }
  }

  async #readWorld(): Promise<string> {
    const parts = await Promise.all([
      ...collectionNames.map((collection) =>
        this.#read('records.list', { collection, ...ALL_RECORDS[collection], limit: 1000 }),
      ),
      ...['clock.read', 'programs.list', 'ledger.trial_balance'].map((method) => this.#read(method)),
    ])
    return JSON.stringify(parts)
  }

  /** A trace id of the last seven days is refused. */
  async #repeatTrace(n: number): Promise<undefined> {
    const known = this.#answered.filter(({ at, hadFaults }) => !Number.isNaN(at) && !hadFaults)
    const one = known[n % (known.length || 1)]
    if (!one || this.#latest - one.at >= WEEK_MS) return
    const response = await this.#host.request('GET', '/products', one.trace)
    if (response && response.status !== 409 && !(response.status >= 500 && this.#host.injected > 0))
      throw new Failure(
        `The trace id ${one.trace} was used at ${new Date(one.at).toISOString()}, and a second time answered with ${response.status}`,
      )
    return undefined
  }

  // ── Crashes and starts ─────────────────────────────────────────────────────────────────────────────────────────

  async #restart(): Promise<undefined> {
    const wasKilled = () => this.#host.hasEnded
    await this.#host.stop()
    if (wasKilled()) return
    await this.#open('everything')
    if (wasKilled()) return
    this.#host.endFaults()
    await this.#check([], 'everything')
  }

  async #crash(kind: 'kill' | 'power loss', lost: Call | undefined) {
    this.counts[kind === 'kill' ? 'kills' : 'power losses']++
    this.#say(`-- ${kind}${lost ? ', without a response' : ''}`)
    await this.#host.kill(kind)
    const promised = kind === 'kill' || this.#plan.durability === 'fsync' ? 'everything' : 'a prefix'
    if (promised === 'a prefix') this.#forgetReceived()
    await this.#open(promised)
    await this.#check([lost, ...this.#doubtful], promised)
  }

  /** Starts the sandbox. A refusal is accepted only after a power loss without fsync, and if it names the file. */
  async #open(promised: Promised) {
    try {
      await this.#start(false)
    } catch (error) {
      if (this.#host.hasEnded || this.#host.injected > 0) return this.#openAgain()
      const { message } = error as Error
      if (promised === 'everything') throw new Failure(`The start was refused: ${message}`)
      if (!message.includes(`${FOLDER}/`)) throw new Failure(`The start was refused without naming a file: ${message}`)
      this.counts['refused starts']++
      const problem = await this.#findRepairProblem()
      if (problem !== undefined) throw new Failure(problem)
    }
  }

  /** After a refused start: `sandbank repair` leads to a world that has existed. A repair that was killed can be repeated. */
  async #findRepairProblem(): Promise<string | undefined> {
    this.counts.repairs++
    this.#wasRepaired = true
    await this.#interruptRepair()
    try {
      const { seq, left_out } = await this.#simulated.repair()
      this.#say(`-- repaired to commit ${seq}; left out: ${left_out.join('; ')}`)
    } catch (error) {
      const { message } = error as Error
      if (message.includes('cannot be repaired')) throw new EndOfRun()
      return `The repair failed: ${message}`
    }
    try {
      await this.#start(false)
    } catch (error) {
      return `The start after a repair was refused: ${(error as Error).message}`
    }
    const { seq } = this.#host
    const isKnown = [undefined, this.#host.image()].includes(this.#images.get(seq))
    return isKnown ? undefined : `The repaired world at commit ${seq} differs from the one that was saved`
  }

  /** Kills a repair at one of its calls, or not at all. */
  async #interruptRepair() {
    const calls = this.#random.below(200)
    if (calls >= 100) return
    await this.#simulated.repair(calls).catch(() => {})
    await this.#host.kill('kill')
  }

  /** After a start that the plan has interrupted. */
  async #openAgain() {
    this.#host.endFaults()
    this.#host.injected = 0
    await this.#host.kill('kill')
    await this.#start(false).catch((error: Error) => {
      throw new Failure(`The start after an interrupted one was refused: ${error.message}`)
    })
  }

  async #start(isNew: boolean) {
    if (!isNew) this.#wasInterrupted = true
    this.#receiver?.allowRepetition()
    await this.#host.start(isNew)
    this.counts.starts++
  }

  /** After a start: everything that was promised is there. */
  async #check(lost: readonly (Call | undefined)[], promised: Promised) {
    const { seq } = this.#host
    const newest = Math.max(...this.#models.keys())
    if (promised === 'everything' && seq < newest)
      throw new Failure(`The world has commit ${seq} as its newest, but ${newest} was answered`)
    if (![undefined, this.#host.image()].includes(this.#images.get(seq)))
      throw new Failure(`The world at commit ${seq} differs from the one that was saved`)
    // A change that the disk refused may be there instead of the import that was killed.
    for (const { first, last } of this.#imports)
      if (first <= seq && seq < last && (await this.#isImport(first)))
        throw new Failure(`The world at commit ${seq} has only a part of an import`)
    this.#imports = this.#imports.filter(({ last }) => last <= seq)
    const interrupted = this.#interrupted
    this.#interrupted = undefined
    if (interrupted) await this.#recover(interrupted)
    if (promised === 'a prefix' && seq < newest) {
      const model = this.#models.get(seq)
      if (!model) {
        await this.#checkLedger()
        throw new EndOfRun()
      }
      this.#model = model.clone()
      for (const known of [...this.#models.keys()]) if (known > seq) this.#models.delete(known)
      for (const known of [...this.#traceOfCommit.keys()]) if (known > seq) this.#traceOfCommit.delete(known)
      await this.#compare(this.#model)
    } else {
      const isOrdered = this.#written !== undefined
      await this.#orderWritten()
      await this.#compareEither(isOrdered ? [] : lost.filter((call) => call !== undefined))
      await this.#checkLedger()
    }
    if (promised === 'a prefix') {
      this.#answered = this.#answered.map((one) => ({ ...one, hadFaults: true }))
      this.#forgetRecord()
      this.#snapshots.clear()
      this.#kept.clear()
    }
    this.#doubtful = []
    this.#forgetCommitsAfter(seq)
    // The history may begin here now, so there is nothing to rewind to.
    if (this.#wasRepaired) this.#models.clear()
    this.#wasRepaired = false
    this.#images.set(this.#host.seq, this.#host.image())
    await this.#checkLog()
    const isSimulated = this.#host instanceof SimulatedHost
    const hasWholeLog = this.#hasWholeLog && !this.#plan.hasOtherCommits
    const replays = isSimulated ? REPLAYS_CHECKED : REPLAYS_CHECKED_IN_PROCESS
    if (hasWholeLog && this.#random.chance(isSimulated ? ACTIONS_CHECKED : 1)) await this.#checkActions()
    if (hasWholeLog && !this.#hasDiskFaults && this.#random.chance(replays)) await this.#checkReplay()
    this.#remember()
  }

  async #isImport(seq: number): Promise<boolean> {
    const { commits } = await this.#read('world.commits', { before: seq + 1, limit: 1 })
    return commits.some((one: Body) => one.seq === seq && one.cause.name === 'bundles.import')
  }

  /** It is not known with which commit it begins. */
  #forgetRecord() {
    this.#hasWholeLog = false
    this.#recordBegins = undefined
    this.#created = []
  }

  #forgetTraces() {
    this.#answered = this.#answered.map((one) => ({ ...one, at: Number.NaN }))
  }

  /** Each of these calls was executed as a whole or not at all, and at most one of them was. */
  async #compareEither(calls: readonly Call[]) {
    const problem = await this.#findProblem(this.#model)
    if (problem === undefined) {
      // It may have been executed and have changed nothing.
      for (const call of calls) {
        if (call.door === 'api') continue
        if (REPLACING.includes(call.name)) this.#forgetRecord()
        else this.#rememberAction(call.name, call.input, this.#host.seq, false)
        // A world that was rewound to its beginning looks like one after a reset, which forgets trace ids.
        if (call.name === 'world.reset') this.#forgetTraces()
      }
      return
    }
    const others: string[] = []
    for (const call of calls) {
      if (call.door === 'api' && call.refusal) continue
      // It changes no record, so it explains no difference.
      if (call.door === 'control' && call.name === 'snapshots.keep') continue
      const other = this.#model.clone()
      const body = call.door === 'api' && call.creates ? await this.#findCreated(call.creates, other) : {}
      if (!body) continue
      // An advance has come as far as the clock says.
      if (call.door === 'control' && call.name === 'clock.advance') other.advanceTo(this.#host.now)
      else other.change(() => call.apply(other, body))
      const otherProblem = await this.#findProblem(other)
      if (otherProblem === undefined) {
        this.#model.replace(other)
        if (call.door !== 'control') return
        // Only an import makes several commits.
        if (call.name === 'bundles.import') this.#forgetRecord()
        else this.#rememberAction(call.name, call.input, this.#host.seq - 1, false)
        return
      }
      others.push(otherProblem)
    }
    if (others.length === 0) throw new Failure(problem)
    throw new Failure(
      `A call without a response was executed in part: without it ${problem}; with it ${others.join('; or ')}`,
    )
  }

  /** The record of a list that the model does not know. */
  async #findCreated(path: string, { state }: Model): Promise<Body> {
    const known = new Set(
      [
        state.customers,
        state.accounts,
        state.transfers,
        state.payments,
        state.returns,
        state.vrns,
        state.combined,
      ].flatMap((all) => (all as { uid: string | null }[]).map(({ uid }) => uid)),
    )
    const list = path === '/customers' ? '/customers?include_initiated=true' : path
    const found = (await this.#readList(list)).find(({ uid }) => !known.has(uid))
    return found && path === '/returns' ? (await this.#get(`/returns/${found.uid}`)).body : found
  }

  // ── Flipped bits ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Never a wrong world without an error: the start names the file and the line, or nothing differs. */
  async #flip({ file, at, bit }: Operation & { kind: 'flip' }): Promise<undefined> {
    const { disk } = this.#simulated
    await this.#host.stop()
    if (this.#host.hasEnded) return
    const before = disk.copyFiles()
    // The next start removes what an interrupted save or import left. Files of scenarios are the user's to edit.
    const counts = ([path, bytes]: [string, Uint8Array]) =>
      bytes.length > 0 && !/\.new(-\d+)?$/.test(path) && !path.includes('/scenarios/')
    const paths = [...before].filter(counts).map(([path]) => path)
    const path = paths[file % paths.length]!
    const position = Math.floor(Math.min(Math.max(1.5 * at - 0.25, 0), 1) * (before.get(path)!.length - 1))
    this.#say(`-- flip bit ${bit} of byte ${position} of ${path}`)
    disk.flip(path, position, bit)
    this.#forgetReceived()
    this.counts.flips++
    const problem = (await this.#findUnnoticedFlip(path)) ?? (await this.#findFlipProblem(path))
    if (problem !== undefined) throw new Failure(`Bit ${bit} of byte ${position} of ${path} was flipped: ${problem}`)
    await this.#host.kill('kill')
    disk.restoreFiles(before)
    this.#wasRepaired = false
    await this.#open('everything')
    await this.#check([], 'everything')
  }

  /** `sandbank check` names every file that has changed, and where. */
  async #findUnnoticedFlip(path: string): Promise<string | undefined> {
    if (/\/(damaged|repairing)-/.test(path)) return undefined
    const problems = await this.#simulated.checkFiles()
    const named = problems.filter((line) => line.includes(path))
    return named.some((line) => /line \d+|ends too early|cannot be read: it was changed/.test(line))
      ? undefined
      : `sandbank check did not notice: ${problems.join('; ')}`
  }

  async #findFlipProblem(path: string): Promise<string | undefined> {
    try {
      await this.#start(false)
    } catch (error) {
      const { message } = error as Error
      if (!message.includes(path)) return `the start was refused without naming it: ${message}`
      this.counts['refused starts']++
      return this.#findRepairProblem().catch(() => undefined)
    }
    const { reports, seq } = this.#simulated
    if (this.#host.image() !== this.#images.get(seq)) return 'the world differs, and the start was not refused'
    if (seq < Math.max(...this.#models.keys())) return `the world ends at commit ${seq}, and the start was not refused`
    if (reports.some((line) => line.includes(path))) return undefined
    return this.#findLaterProblem(path).catch(({ message }: Error) => (message.includes(path) ? undefined : message))
  }

  /** What the start has not read is checked where it is read. */
  async #findLaterProblem(path: string): Promise<string | undefined> {
    await this.#checkLog()
    if (!path.includes('/snapshots/')) return undefined
    for (const name of this.#snapshots.keys()) {
      const reply = await this.#host.call('snapshots.restore', { name })
      if (!reply?.ok)
        return JSON.stringify(reply?.value).includes(path)
          ? undefined
          : `restoring ${name} was refused without naming the file: ${JSON.stringify(reply?.value)}`
      const expected = this.#snapshotRecords.get(name)
      if (expected !== undefined && expected !== JSON.stringify(this.#simulated.records()))
        return `the snapshot ${name} was restored with other records`
    }
    return undefined
  }

  // ── Comparisons ────────────────────────────────────────────────────────────────────────────────────────────────

  async #compare(model: Model) {
    const problem = await this.#findProblem(model)
    if (problem !== undefined) throw new Failure(problem)
    await this.#checkLedger()
  }

  async #findProblem(model: Model): Promise<string | undefined> {
    const read = this.#readList
    if (this.#host.now !== model.state.now)
      return `The clock shows ${new Date(this.#host.now).toISOString()}, expected was ${new Date(model.state.now).toISOString()}`
    model.runDue()
    return (
      (await this.#findSettingsProblem(model)) ??
      (await compareWorld(model, read)) ??
      (await compareBooks(model, read)) ??
      (await findWebhookProblem(model, this.#read))
    )
  }

  async #findSettingsProblem({ state }: Model): Promise<string | undefined> {
    const { pace } = await this.#read('clock.read')
    if (pace !== state.pace) return `The pace is ${pace}, expected was ${state.pace}`
    const { programs } = await this.#read('programs.list')
    const [program] = programs
    // Without limits those of the Program are higher than any transfer.
    const settings = { ...state.settings, limits: state.settings.limits ?? undefined }
    for (const [name, value] of Object.entries(settingsOf(settings)))
      if (!isPart(value, program[name]))
        return `The setting ${name} is ${JSON.stringify(program[name])}, expected was ${JSON.stringify(value)}`
    const { maximum_amount } = program.limits.ach
    return state.settings.limits === null && Number(maximum_amount) < LEAST_UNREACHED
      ? `The maximum of a transfer is ${maximum_amount}, expected was no limit that the simulation reaches`
      : undefined
  }

  async #checkLedger() {
    const found = await this.#read('ledger.check')
    if (found.balanced !== true) throw new Failure(`ledger.check found: ${JSON.stringify(found)}`)
  }

  /** The request log has every answered request once, under its own uid, and each commit names the request that made it. */
  async #checkLog() {
    const entries = await readPages((_, page) => this.#read('exchanges.list', page))
    const byUid = new Map<string, Body>()
    const byTrace = new Map<string, Body>()
    for (const entry of entries) {
      if (byUid.has(entry.uid)) throw new Failure(`The request log has two entries ${entry.uid}`)
      byUid.set(entry.uid, entry)
      // An imported request has the trace id that it had.
      const isImported = this.#imported.some((text) => text.includes(`"${entry.trace_id}"`))
      if (!isImported && entry.status !== 409 && byTrace.has(entry.trace_id))
        throw new Failure(`The request log has the trace id ${entry.trace_id} twice`)
      if (entry.status !== 409) byTrace.set(entry.trace_id, entry)
    }
    for (const { trace, status, hadFaults } of this.#answered) {
      const entry = byTrace.get(trace)
      if (!entry && !hadFaults) throw new Failure(`The request log lacks the answered request ${trace}`)
      if (entry && entry.status !== status && !hadFaults)
        throw new Failure(`The request log has ${trace} with status ${entry.status}; it was answered with ${status}`)
    }
    await this.#checkCauses(byUid)
    await this.#checkWhy(byUid)
  }

  /** The explanation of a record goes back to the request that created it, and that of each of its fields has a cause. */
  async #checkWhy(entries: ReadonlyMap<string, Body>) {
    for (const { collection, uid, trace } of this.#created.slice(-3)) {
      const { chain } = await this.#read('why', { collection, uid, field: 'uid' })
      const first = chain.findLast(({ cause }: Body) => cause?.door === 'request')
      const entry = first && entries.get(first.cause.exchange)
      if (!first)
        throw new Failure(`why of ${collection} ${uid} does not go back to a request: ${JSON.stringify(chain)}`)
      if (entry && entry.trace_id !== trace)
        throw new Failure(`why of ${collection} ${uid} names the request ${entry.trace_id}; it was created by ${trace}`)
      for (const field of Object.keys(await this.#read('records.get', { collection, uid }))) {
        if (field === 'message') continue
        const { chain: steps } = await this.#read('why', { collection, uid, field })
        if (!steps[0]?.cause || !steps.some(({ cause }: Body) => cause?.door === 'request'))
          throw new Failure(`why of ${field} of ${collection} ${uid} has no first cause: ${JSON.stringify(steps)}`)
      }
    }
  }

  /** The operator log has every action since the record of the world began, in order. A bundle shows it. */
  async #checkActions() {
    const { text } = await this.#read('bundles.export')
    const lines: Body[] = text
      .split('\n')
      .filter(Boolean)
      .map((line: string) => JSON.parse(line))
    // An import pauses the webhooks.
    const isCompared = (name: string) => name !== 'webhooks.update' && name !== 'webhooks.record_attempts'
    const found: string[] = lines.flatMap((line) => (line.act && isCompared(line.act.name) ? [line.act.name] : []))
    const actions = this.#actions.filter(({ name }) => isCompared(name))
    // An action that was not answered may be in the log.
    const expected = actions.map(({ name, isCertain }) => (isCertain ? `(${name};)` : `(${name};)?`)).join('')
    if (!new RegExp(`^${expected}$`).test(found.map((name) => `${name};`).join('')))
      throw new Failure(
        `The operator log has ${found.join(', ')}; the actions were ${actions.map(({ name }) => name).join(', ')}`,
      )
  }

  /** The requests and actions of a bundle give the same responses in a copy of the world with which it begins. */
  async #checkReplay() {
    const { text } = await this.#read('bundles.export')
    const { exchanges, acts } = await this.#read('exchanges.replay', { text })
    this.counts.replays++
    const different = exchanges.find(({ verdict }: Body) => verdict !== 'same' && verdict !== 'unrecorded')
    if (different) throw new Failure(`A replay of the world differs from its record: ${JSON.stringify(different)}`)
    const refused = acts.find((act: Body) => act.refused !== null)
    if (refused) throw new Failure(`A replay of the world refused an action of its record: ${JSON.stringify(refused)}`)
  }

  async #checkCauses(entries: ReadonlyMap<string, Body>) {
    const { commits } = await this.#read('world.commits', { limit: 1000 })
    for (const { seq, cause } of commits) {
      if (cause.door !== 'request') continue
      const entry = entries.get(cause.exchange)
      const trace = this.#traceOfCommit.get(seq)
      if (entry && trace !== undefined && entry.trace_id !== trace)
        throw new Failure(
          `Commit ${seq} was made by the request ${trace}, but names ${cause.exchange}, which is ${entry.trace_id}`,
        )
    }
  }

  // ── Helpers ────────────────────────────────────────────────────────────────────────────────────────────────────

  async #learnWorld() {
    const [program] = (await this.#read('programs.list')).programs
    const typeOf = (category: string) =>
      program.synthetic_account_types.find((one: Body) => one.synthetic_account_category === category).uid
    const first = program.products.find((one: Body) => one.prerequisite_product_uids.length === 0)
    this.#world = {
      program: program.uid,
      product: first.uid,
      types: {
        general: typeOf('general'),
        ach_external: typeOf('ach_external'),
        wire_external: typeOf('wire_external'),
        instant_payment_external: typeOf('instant_payment_external'),
      },
    }
  }

  #readList = (path: string): Promise<Body[]> =>
    readPages(async (page) => (await this.#get(`${path}${path.includes('?') ? '&' : '?'}${page}`)).body)

  async #get(path: string): Promise<Response> {
    const trace = this.#newTrace()
    const response = await this.#host.request('GET', path, trace)
    if (response?.status !== 200)
      throw new Failure(`GET ${path} was answered with ${response?.status}: ${JSON.stringify(response?.body)}`)
    this.#answered.push({ trace, status: 200, at: this.#model.state.now, hadFaults: false })
    return response
  }

  /** Remembers the model at the newest commit. */
  #remember() {
    if (!this.#host.hasEnded) this.#models.set(this.#host.seq, this.#model.clone())
  }

  #forgetCommitsAfter(seq: number) {
    for (const known of [...this.#images.keys()]) if (known > seq) this.#images.delete(known)
  }

  #hasUnknownUids(): boolean {
    const { customers, accounts, payments, transfers } = this.#model.state
    return (
      customers.some(({ pool, status }) => pool === null && status === 'active') ||
      [accounts, payments, transfers].some((all) => all.some(({ uid }) => uid === null))
    )
  }

  #newTrace = () => `trace-${this.#operation?.id ?? 'start'}-${++this.#traces}`

  #say(text: string) {
    this.log.push(text.slice(0, 400))
  }
}

const isPart = (part: unknown, whole: unknown): boolean =>
  typeof part === 'object' && part !== null
    ? Object.entries(part).every(([name, value]) => isPart(value, (whole as Record<string, unknown>)[name]))
    : part === whole

/** The run ends early, without a problem. */
class EndOfRun extends Error {}

const turn = () => new Promise((resolve) => setImmediate(resolve))

const answerOf = ({ status, body }: Response) => {
  const [error] = body?.errors ?? []
  return error ? [status, error.code, error.extra ?? null] : [status, body ?? null]
}

/** The endpoint of a request, with the parameters of its path. */
function findEndpoint(method: string, path: string): { endpoint: string; params: Readonly<Record<string, string>> } {
  for (const [endpoint, declared] of Object.entries(endpoints as Readonly<Record<string, Endpoint>>)) {
    const pattern = new RegExp(`^${declared.path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/?]+)')}$`)
    const match = declared.method === method ? pattern.exec(path) : null
    if (match) return { endpoint, params: { ...match.groups } }
  }
  throw new Error(`There is no endpoint ${method} ${path}`)
}
