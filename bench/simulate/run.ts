import { createHash } from 'node:crypto'
import { type MethodName, methods } from '../../src/api/contract/control/methods.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import type { Commit } from '../../src/api/store/commit.ts'
import { Random } from '../support/random.ts'
import { type ApiCall, type Body, type Call, callOf, personOf, settingsOf, type World } from './calls.ts'
import { compareBooks, compareWorld } from './compare-world.ts'
import { Disk } from './disk.ts'
import { Model } from './model/model.ts'
import { emptyState } from './model/state.ts'
import type { Meanwhile, Operation, Plan } from './operations.ts'
import { FOLDER, type Response, SandboxProcess, START } from './sandbox-process.ts'
import { installVirtualTime, VirtualTime } from './virtual-time.ts'

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

/** How much of what was answered must still be there. */
type Promised = 'everything' | 'a prefix'

/** No transfer of the simulation has this many dollars. */
const LEAST_UNREACHED = 100_000

const REPLACING = ['world.reset', 'world.rewind', 'snapshots.restore', 'bundles.import']
const WEEK_MS = 7 * 86_400_000
const COMPARE_EVERY = 10
/** Each has six records or more. */
const MANY_WIRES = 170
/** An export takes as long as ten requests, and a replay as long as the run so far. */
const ACTIONS_CHECKED = 0.1
const REPLAYS_CHECKED = 0.1

export class Run {
  readonly #plan: Plan
  readonly #disk: Disk
  readonly #time = new VirtualTime(START)
  readonly #random: Random
  #process!: SandboxProcess
  #world!: World
  #model = new Model(emptyState(START))
  /** The model after each operation, by the commit that was the newest then. */
  readonly #models = new Map<number, Model>()
  /** The records after each commit, as the process that made it had them. */
  readonly #images = new Map<number, string>()
  /** The commits that replaced more than 1,000 records. */
  readonly #large = new Set<number>()
  readonly #snapshots = new Map<string, Model>()
  /** The records of each snapshot, as text. */
  readonly #snapshotRecords = new Map<string, string>()
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
  /** The commits of each import. Only the last of them is a world that may be there after a start. */
  #imports: { readonly first: number; readonly last: number }[] = []
  #wasRepaired = false
  /** A power loss may have taken the beginning of the logs. */
  #hasWholeLog = true
  /** The disk has failed since the record began: a request was refused that succeeds when it is replayed. */
  #hasDiskFaults = false
  /** The changes since the last one that succeeded, refused because the disk failed: a crash may leave one of them on the disk. */
  #doubtful: Call[] = []
  /** The latest simulated time so far: a rewind goes back, but what was forgotten stays so. */
  #latest = 0
  #traces = 0
  #operation: Operation | undefined
  /** What was done, for the report of a problem. */
  readonly log: string[] = []
  readonly counts = {
    operations: 0,
    requests: 0,
    kills: 0,
    'power losses': 0,
    'requests during a replacement': 0,
    starts: 0,
    'refused starts': 0,
    repairs: 0,
    replays: 0,
    faults: 0,
    flips: 0,
  }

  constructor(plan: Plan) {
    this.#plan = plan
    this.#random = new Random(`${plan.seed} faults`)
    this.#disk = new Disk(this.#random)
  }

  /** Returns the problem, if there is one. */
  async execute(): Promise<string | undefined> {
    const restoreTime = installVirtualTime(this.#time)
    try {
      await this.#start(true)
      await this.#learnWorld()
      this.#remember()
      for (const [i, operation] of this.#plan.operations.entries()) {
        this.#operation = operation
        await this.#perform(operation)
        if (i % COMPARE_EVERY === COMPARE_EVERY - 1) await this.#compare(this.#model)
      }
      return undefined
    } catch (error) {
      if (error instanceof EndOfRun) return undefined
      const { name, message, stack } = error as Error
      return name === 'Failure' ? message : `${stack}`
    } finally {
      this.#disk.killNow()
      restoreTime()
    }
  }

  // ── Operations ─────────────────────────────────────────────────────────────────────────────────────────────────

  async #perform(operation: Operation) {
    const { event } = operation
    this.counts.operations++
    this.#latest = Math.max(this.#latest, this.#model.state.now)
    this.#disk.injected = 0
    if (event?.kind === 'error') this.#disk.failAfter(event.after, event.code, event.times)
    else if (event?.kind === 'full disk') this.#disk.limitSpace(event.bytes)
    else if (event) this.#disk.killAfter(event.after)
    const lost = await this.#execute(operation)
    this.#disk.endFaults()
    this.counts.faults += this.#disk.injected
    if (this.#disk.injected > 0) this.#hasDiskFaults = true
    this.#remember()
    if (event?.kind === 'kill' || event?.kind === 'power loss') await this.#crash(event.kind, lost)
    else if (this.#disk.injected > 0) await this.#compare(this.#model)
    if (this.#hasUnknownUids()) await this.#compare(this.#model)
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
          this.#snapshotRecords.set(
            operation.name,
            JSON.stringify(recordsOf(this.#process.sandbox.store.world.collections)),
          )
        })
      case 'restore snapshot': {
        const { name } = operation
        const kept = this.#snapshots.get(name)
        return kept && this.#replace(operation, 'snapshots.restore', { name }, (model) => replaceState(model, kept))
      }
      case 'rewind': {
        const seqs = [...this.#models.keys()]
        const seq = seqs[operation.to % seqs.length]!
        const model = this.#models.get(seq)!
        return this.#replace(operation, 'world.rewind', { seq }, (current) => replaceState(current, model))
      }
      case 'reset':
        return this.#replace(operation, 'world.reset', { world: 'empty', mode: 'frozen', pace: 'fast' }, (model) => {
          replaceState(model, new Model(emptyState(START)))
          this.#forgetTraces()
        })
      case 'export':
        return this.#export()
      case 'import':
        return this.#import(operation)
      case 'receive many':
        return this.#receiveMany(operation.customer)
      case 'create program':
        return this.#control('programs.create', { name: `Program ${operation.id}` }, () => {})
      case 'create webhook':
        return this.#control('webhooks.create', { program_uid: this.#world.program, url: null }, () => {})
      case 'rotate key':
        return this.#control('programs.rotate_key', { uid: this.#world.program }, () => {})
      case 'flip':
        return this.#flip(operation)
      default: {
        const call = callOf(operation, this.#model, this.#world)
        if (!call) return undefined
        this.#say(`${JSON.stringify(operation)}`)
        if (call.door === 'control') return this.#control(call.name, call.input, call.apply)
        // With an event on the disk, the tasks that are due before a try could be lost.
        return this.#request(call, operation.event === undefined)
      }
    }
  }

  async #request(call: ApiCall, isTried = false): Promise<Call | undefined> {
    const tried = isTried ? await this.#try(call) : undefined
    const trace = this.#newTrace()
    const before = this.#process.seq
    const at = this.#model.state.now
    const response = await this.#process.request(call.method, call.path, trace, call.body)
    this.#say(
      `  ${call.method} ${call.path} -> ${response?.status ?? 'no response'} ${JSON.stringify(response?.body)?.slice(0, 300)}`,
    )
    for (let seq = before + 1; seq <= this.#process.seq; seq++) this.#traceOfCommit.set(seq, trace)
    if (!response) return call
    this.counts.requests++
    const hadFaults = this.#disk.injected > 0
    this.#answered.push({ trace, status: response.status, at, hadFaults })
    if (response.status >= 500 && hadFaults) {
      this.#doubtful.push(call)
      return undefined
    }
    this.#checkResponse(call, response)
    if (tried && JSON.stringify(tried) !== JSON.stringify(answerOf(response)))
      throw new Failure(`${call.method} ${call.path}: requests.try said ${JSON.stringify(tried)}`)
    if (call.refusal) return undefined
    // The next change takes its place on the disk.
    if (this.#process.seq > before) this.#doubtful = []
    call.apply(this.#model, response.body)
    if (call.creates && call.creates !== '/transactions')
      this.#created.push({ collection: call.creates.slice(1), uid: response.body.uid, trace })
    return undefined
  }

  /** What the sandbox says that it would answer. It changes nothing, but runs the tasks that are due before. */
  async #try({ method, path, body }: ApiCall): Promise<unknown> {
    const reply = await this.#process.call('requests.try', { ...findEndpoint(method, path), body })
    if (!reply?.ok) throw new Failure(`requests.try of ${method} ${path} was refused: ${JSON.stringify(reply?.value)}`)
    const { status, refused } = reply.value
    return refused ? [status, refused.code, refused.extra] : [status, reply.value.body]
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

  async #control(name: string, input: object, apply: (model: Model, value: Body) => void): Promise<Call | undefined> {
    this.#say(`${name} ${JSON.stringify(input)}`)
    const before = this.#process.seq
    const reply = await this.#process.call(name, input)
    if (!reply) return { door: 'control', name, input, apply }
    const call: Call = { door: 'control', name, input, apply }
    if (reply.ok) {
      apply(this.#model, reply.value)
      // Requests may have made commits before the one that replaces the world.
      const replaced = REPLACING.includes(name) ? (reply.value.since ?? reply.value.seq) : undefined
      this.#rememberAction(name, input, replaced === undefined ? before : replaced - 1)
    } else if (this.#disk.injected === 0)
      throw new Failure(`${name} ${JSON.stringify(input)} was refused: ${JSON.stringify(reply.value)}`)
    else if (name === 'clock.advance') {
      // An advance that failed has come as far as the clock says, and is in the log if it made a commit.
      this.#model.advanceTo(this.#process.now)
      this.#rememberAction(name, input, before, false)
    }
    if (!reply.ok) this.#doubtful.push(call)
    // The next change takes its place on the disk.
    else if (this.#process.seq !== before) this.#doubtful = []
    return undefined
  }

  async #export(): Promise<undefined> {
    const reply = await this.#process.call('bundles.export', {})
    if (!reply?.ok) {
      if (reply && this.#disk.injected === 0)
        throw new Failure(`bundles.export was refused: ${JSON.stringify(reply.value)}`)
      return
    }
    const { text } = reply.value
    const commits = text.split('\n').filter((line: string) => line.startsWith('{"commit":')).length
    this.#bundle = {
      ...{ text, commits, model: this.#model.clone(), actions: [...this.#actions] },
      ...{ hasWholeLog: this.#hasWholeLog, hasDiskFaults: this.#hasDiskFaults },
    }
  }

  async #import(operation: Meanwhile & Pick<Operation, 'id' | 'event'>): Promise<Call | undefined> {
    if (!this.#bundle) return undefined
    const { text, commits, model } = this.#bundle
    let first = this.#process.seq + 1
    const call = await this.#replace(operation, 'bundles.import', { text }, (current, { since }) => {
      first = since ?? first
      replaceState(current, model)
    })
    if (call || this.#process.seq >= first) this.#imports.push({ first, last: first + commits })
    return call
  }

  /** The requests that come before the last step are replaced, too. A kill or a failing disk would leave too many possible worlds. */
  async #replace(
    { id, event, meanwhile = 0 }: Meanwhile & Pick<Operation, 'id' | 'event'>,
    name: string,
    input: object,
    apply: (model: Model, value: Body) => void,
  ): Promise<Call | undefined> {
    if (event || meanwhile === 0) return this.#control(name, input, apply)
    this.#time.tick = 30
    let last = 0
    const writing = this.#createCustomers(meanwhile, id)
    // Of two problems the first is reported: that of the replacement.
    writing.catch(() => {})
    const call = await this.#control(name, input, (model, value) => {
      last = value.seq
      apply(model, value)
    })
    const created = await writing
    this.#time.tick = 0
    for (const { seq, uid, trace } of created) {
      if (seq < last) continue
      this.#model.createCustomer(uid, 'approved')
      this.#created.push({ collection: 'customers', uid, trace })
    }
    this.#say(
      `  meanwhile ${created.length} Customers, ${created.filter(({ seq }) => seq > last).length} of them after it`,
    )
    this.counts['requests during a replacement'] += created.length
    if (this.#random.chance(0.5)) await this.#restart()
    return call
  }

  async #createCustomers(count: number, id: number) {
    const created: { readonly seq: number; readonly uid: string; readonly trace: string }[] = []
    for (let n = 0; n < count; n++) {
      for (let turns = (id * 7 + n * 3) % 8; turns > 0; turns--) await turn()
      const trace = this.#newTrace()
      const at = this.#process.now
      const response = await this.#process.request('POST', '/customers', trace, personOf('approved'))
      if (response?.status !== 201)
        throw new Failure(`A Customer during a replacement was answered with ${response?.status}`)
      const { seq } = this.#process
      this.#traceOfCommit.set(seq, trace)
      this.#answered.push({ trace, status: 201, at, hadFaults: false })
      created.push({ seq, uid: response.body.uid, trace })
    }
    return created
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
  #rememberAction(name: string, input: object, before: number, isCertain = this.#disk.injected === 0) {
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
    } else if ('isAction' in methods[name as MethodName]) this.#actions.push({ name, isCertain })
  }

  /** A trace id of the last seven days is refused. */
  async #repeatTrace(n: number): Promise<undefined> {
    const known = this.#answered.filter(({ at, hadFaults }) => !Number.isNaN(at) && !hadFaults)
    const one = known[n % (known.length || 1)]
    if (!one || this.#latest - one.at >= WEEK_MS) return
    const response = await this.#process.request('GET', '/products', one.trace)
    if (response && response.status !== 409 && !(response.status >= 500 && this.#disk.injected > 0))
      throw new Failure(
        `The trace id ${one.trace} was used at ${new Date(one.at).toISOString()}, and a second time answered with ${response.status}`,
      )
    return undefined
  }

  // ── Crashes and starts ─────────────────────────────────────────────────────────────────────────────────────────

  async #restart(): Promise<undefined> {
    const wasKilled = () => this.#disk.isProcessEnded
    await this.#process.sandbox.close().catch(() => {})
    if (wasKilled()) return
    await this.#open('everything')
    if (wasKilled()) return
    this.#disk.endFaults()
    await this.#check([], 'everything')
  }

  async #crash(kind: 'kill' | 'power loss', lost: Call | undefined) {
    this.counts[kind === 'kill' ? 'kills' : 'power losses']++
    this.#say(`-- ${kind}${lost ? ', without a response' : ''}`)
    this.#disk.killNow()
    await drain()
    if (kind === 'power loss') this.#disk.losePower()
    const promised = kind === 'kill' || this.#plan.durability === 'fsync' ? 'everything' : 'a prefix'
    await this.#open(promised)
    await this.#check([lost, ...this.#doubtful], promised)
  }

  /** Starts the sandbox. A refusal is accepted only after a power loss without fsync, and if it names the file. */
  async #open(promised: Promised) {
    try {
      await this.#start(false)
    } catch (error) {
      if (this.#disk.isProcessEnded || this.#disk.injected > 0) return this.#openAgain()
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
      const { seq, left_out } = await SandboxProcess.repair(this.#disk)
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
    const { seq, sandbox } = this.#process
    const image = this.#images.get(seq)
    const isKnown = image === undefined || image === imageOf(sandbox.store.world)
    return isKnown ? undefined : `The repaired world at commit ${seq} differs from the one that was saved`
  }

  /** Kills a repair at one of its calls, or not at all. */
  async #interruptRepair() {
    const calls = this.#random.below(200)
    if (calls >= 100) return
    await SandboxProcess.repair(this.#disk, calls).catch(() => {})
    this.#disk.killNow()
    await drain()
  }

  /** After a start that the plan has interrupted. */
  async #openAgain() {
    this.#disk.endFaults()
    this.#disk.injected = 0
    this.#disk.killNow()
    await drain()
    await this.#start(false).catch((error: Error) => {
      throw new Failure(`The start after an interrupted one was refused: ${error.message}`)
    })
  }

  async #start(isNew: boolean) {
    this.#process = await SandboxProcess.start(this.#disk, this.#time, { durability: this.#plan.durability, isNew })
    this.counts.starts++
    const { store } = this.#process.sandbox
    store.subscribe(({ seq, replacement }: Commit) => {
      this.#images.set(seq, imageOf(store.world))
      if (replacement) this.#large.add(seq)
    })
  }

  /** After a start: everything that was promised is there. */
  async #check(lost: readonly (Call | undefined)[], promised: Promised) {
    const { seq, sandbox } = this.#process
    const image = this.#images.get(seq)
    const newest = Math.max(...this.#models.keys())
    if (promised === 'everything' && seq < newest)
      throw new Failure(`The world has commit ${seq} as its newest, but ${newest} was answered`)
    if (image !== undefined && image !== imageOf(sandbox.store.world))
      throw new Failure(`The world at commit ${seq} differs from the one that was saved`)
    // A change that the disk refused may be there instead of the import that was killed.
    const isImported = (first: number) => [...sandbox.store.history()].some((it) => it.seq === first && it.imports)
    if (this.#imports.some(({ first, last }) => first <= seq && seq < last && isImported(first)))
      throw new Failure(`The world at commit ${seq} has only a part of an import`)
    this.#imports = this.#imports.filter(({ last }) => last <= seq)
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
      await this.#compareEither(lost.filter((call) => call !== undefined))
      await this.#checkLedger()
    }
    if (promised === 'a prefix') {
      this.#answered = this.#answered.map((one) => ({ ...one, hadFaults: true }))
      this.#forgetRecord()
      this.#snapshots.clear()
    }
    this.#doubtful = []
    this.#forgetCommitsAfter(seq)
    // The history may begin here now, so there is nothing to rewind to.
    if (this.#wasRepaired) this.#models.clear()
    this.#wasRepaired = false
    this.#images.set(this.#process.seq, imageOf(sandbox.store.world))
    await this.#checkLog()
    if (this.#hasWholeLog && this.#random.chance(ACTIONS_CHECKED)) await this.#checkActions()
    if (this.#hasWholeLog && !this.#hasDiskFaults && this.#random.chance(REPLAYS_CHECKED)) await this.#checkReplay()
    this.#remember()
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
        else this.#rememberAction(call.name, call.input, this.#process.seq, false)
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
      if (call.door === 'control' && call.name === 'clock.advance') other.advanceTo(this.#process.now)
      else call.apply(other, body)
      const otherProblem = await this.#findProblem(other)
      if (otherProblem === undefined) {
        replaceState(this.#model, other)
        if (call.door !== 'control') return
        // Only an import makes several commits.
        if (call.name === 'bundles.import') this.#forgetRecord()
        else this.#rememberAction(call.name, call.input, this.#process.seq - 1, false)
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
    return found && path === '/returns' ? (await this.#read(`/returns/${found.uid}`)).body : found
  }

  // ── Flipped bits ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Never a wrong world without an error: the start names the file and the line, or nothing differs. */
  async #flip({ file, at, bit }: Operation & { kind: 'flip' }): Promise<undefined> {
    await this.#process.sandbox.close().catch(() => {})
    if (this.#disk.isProcessEnded) return
    const before = this.#disk.copyFiles()
    // The next start removes what an interrupted save or import left.
    const counts = ([path, bytes]: [string, Uint8Array]) => bytes.length > 0 && !/\.new(-\d+)?$/.test(path)
    const paths = [...before].filter(counts).map(([path]) => path)
    const path = paths[file % paths.length]!
    const position = Math.floor(at * before.get(path)!.length)
    this.#say(`-- flip bit ${bit} of byte ${position} of ${path}`)
    this.#disk.flip(path, position, bit)
    this.counts.flips++
    const problem = (await this.#findUnnoticedFlip(path)) ?? (await this.#findFlipProblem(path))
    if (problem !== undefined) throw new Failure(`Bit ${bit} of byte ${position} of ${path} was flipped: ${problem}`)
    this.#disk.killNow()
    await drain()
    this.#disk.restoreFiles(before)
    this.#wasRepaired = false
    await this.#open('everything')
    await this.#check([], 'everything')
  }

  /** `sandbank check` names every file that has changed. */
  async #findUnnoticedFlip(path: string): Promise<string | undefined> {
    if (path.includes('.torn-') || /\/(damaged|repairing)-/.test(path)) return undefined
    const problems = await SandboxProcess.checkFiles(this.#disk)
    return problems.some((line) => line.includes(path))
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
    const { sandbox, reports, seq } = this.#process
    if (imageOf(sandbox.store.world) !== this.#images.get(seq))
      return 'the world differs, and the start was not refused'
    if (seq < Math.max(...this.#models.keys())) return `the world ends at commit ${seq}, and the start was not refused`
    if (reports.some((line) => line.includes(path))) return undefined
    return this.#findLaterProblem(path).catch(({ message }: Error) => (message.includes(path) ? undefined : message))
  }

  /** What the start has not read is checked where it is read. */
  async #findLaterProblem(path: string): Promise<string | undefined> {
    await this.#checkLog()
    if (!path.includes('/snapshots/')) return undefined
    for (const name of this.#snapshots.keys()) {
      const reply = await this.#process.call('snapshots.restore', { name })
      if (!reply?.ok)
        return JSON.stringify(reply?.value).includes(path)
          ? undefined
          : `restoring ${name} was refused without naming the file: ${JSON.stringify(reply?.value)}`
      const { collections } = this.#process.sandbox.store.world
      const expected = this.#snapshotRecords.get(name)
      if (expected !== undefined && expected !== JSON.stringify(recordsOf(collections)))
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
    const read = (path: string) => this.#readList(path)
    if (this.#process.now !== model.state.now)
      return `The clock shows ${new Date(this.#process.now).toISOString()}, expected was ${new Date(model.state.now).toISOString()}`
    model.runDue()
    return this.#findSettingsProblem(model) ?? (await compareWorld(model, read)) ?? (await compareBooks(model, read))
  }

  #findSettingsProblem({ state }: Model): string | undefined {
    const { sandbox } = this.#process
    if (sandbox.store.clock.pace !== state.pace)
      return `The pace is ${sandbox.store.clock.pace}, expected was ${state.pace}`
    const program = sandbox.programs()[0] as unknown as Record<string, unknown>
    // Without limits those of the Program are higher than any transfer.
    const settings = { ...state.settings, limits: state.settings.limits ?? undefined }
    for (const [name, value] of Object.entries(settingsOf(settings)))
      if (!isPart(value, program[name]))
        return `The setting ${name} is ${JSON.stringify(program[name])}, expected was ${JSON.stringify(value)}`
    const { maximum_amount } = (program.limits as { ach: { maximum_amount: string } }).ach
    return state.settings.limits === null && Number(maximum_amount) < LEAST_UNREACHED
      ? `The maximum of a transfer is ${maximum_amount}, expected was no limit that the simulation reaches`
      : undefined
  }

  async #checkLedger() {
    const reply = await this.#process.call('ledger.check', {})
    if (!reply?.ok || reply.value.balanced !== true)
      throw new Failure(`ledger.check found: ${JSON.stringify(reply?.value)}`)
  }

  /** The request log has every answered request once, under its own uid, and each commit names the request that made it. */
  async #checkLog() {
    const entries: Body[] = []
    for (;;) {
      const reply = await this.#process.call('exchanges.list', { limit: 1000, offset: entries.length })
      if (!reply?.ok) throw new Failure(`exchanges.list was refused: ${JSON.stringify(reply?.value)}`)
      entries.push(...reply.value.data)
      if (entries.length >= reply.value.total_count) break
    }
    const byUid = new Map<string, Body>()
    const byTrace = new Map<string, Body>()
    for (const entry of entries) {
      if (byUid.has(entry.uid)) throw new Failure(`The request log has two entries ${entry.uid}`)
      byUid.set(entry.uid, entry)
      // An imported request has the trace id that it had.
      if (!this.#bundle && entry.status !== 409 && byTrace.has(entry.trace_id))
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

  /** The explanation of a record goes back to the request that created it. */
  async #checkWhy(entries: ReadonlyMap<string, Body>) {
    for (const { collection, uid, trace } of this.#created.slice(-3)) {
      const reply = await this.#process.call('why', { collection, uid, field: 'uid' })
      if (!reply?.ok) throw new Failure(`why of ${collection} ${uid} was refused: ${JSON.stringify(reply?.value)}`)
      const first = reply.value.chain.findLast(({ cause }: Body) => cause?.door === 'request')
      const entry = first && entries.get(first.cause.exchange)
      if (!first)
        throw new Failure(
          `why of ${collection} ${uid} does not go back to a request: ${JSON.stringify(reply.value.chain)}`,
        )
      if (entry && entry.trace_id !== trace)
        throw new Failure(`why of ${collection} ${uid} names the request ${entry.trace_id}; it was created by ${trace}`)
    }
  }

  /** The operator log has every action since the record of the world began, in order. A bundle shows it. */
  async #checkActions() {
    const reply = await this.#process.call('bundles.export', {})
    if (!reply?.ok) throw new Failure(`bundles.export was refused: ${JSON.stringify(reply?.value)}`)
    const lines: Body[] = reply.value.text
      .split('\n')
      .filter(Boolean)
      .map((line: string) => JSON.parse(line))
    // An import pauses the webhooks.
    const names: string[] = lines.flatMap((line) => (line.act ? [line.act.name] : []))
    const found = names.filter((name) => name !== 'webhooks.update')
    // An action that was not answered may be in the log.
    const expected = this.#actions.map(({ name, isCertain }) => (isCertain ? `(${name};)` : `(${name};)?`)).join('')
    if (!new RegExp(`^${expected}$`).test(found.map((name) => `${name};`).join('')))
      throw new Failure(
        `The operator log has ${found.join(', ')}; the actions were ${this.#actions.map(({ name }) => name).join(', ')}`,
      )
  }

  /** The requests and actions of a bundle give the same responses in a copy of the world with which it begins. */
  async #checkReplay() {
    const exported = await this.#process.call('bundles.export', {})
    if (!exported?.ok) throw new Failure(`bundles.export was refused: ${JSON.stringify(exported?.value)}`)
    const reply = await this.#process.call('exchanges.replay', { text: exported.value.text })
    if (!reply?.ok) throw new Failure(`exchanges.replay was refused: ${JSON.stringify(reply?.value)}`)
    this.counts.replays++
    const { exchanges, acts } = reply.value
    const different = exchanges.find(({ verdict }: Body) => verdict !== 'same' && verdict !== 'unrecorded')
    if (different) throw new Failure(`A replay of the world differs from its record: ${JSON.stringify(different)}`)
    const refused = acts.find((act: Body) => act.refused !== null)
    if (refused) throw new Failure(`A replay of the world refused an action of its record: ${JSON.stringify(refused)}`)
  }

  async #checkCauses(entries: ReadonlyMap<string, Body>) {
    const reply = await this.#process.call('world.commits', { limit: 1000 })
    if (!reply?.ok) throw new Failure(`world.commits was refused: ${JSON.stringify(reply?.value)}`)
    for (const { seq, cause } of reply.value.commits) {
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
    const reply = await this.#process.call('programs.list', {})
    const [program] = reply!.value.programs
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

  async #readList(path: string): Promise<Body[]> {
    const { body } = await this.#read(`${path}${path.includes('?') ? '&' : '?'}limit=1000`)
    return body.data
  }

  async #read(path: string): Promise<Response> {
    const trace = this.#newTrace()
    const response = await this.#process.request('GET', path, trace)
    if (response?.status !== 200)
      throw new Failure(`GET ${path} was answered with ${response?.status}: ${JSON.stringify(response?.body)}`)
    this.#answered.push({ trace, status: 200, at: this.#model.state.now, hadFaults: false })
    return response
  }

  /** Remembers the model at the newest commit. */
  #remember() {
    if (!this.#disk.isProcessEnded) this.#models.set(this.#process.seq, this.#model.clone())
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
    this.log.push(text)
  }
}

const isPart = (part: unknown, whole: unknown): boolean =>
  typeof part === 'object' && part !== null
    ? Object.entries(part).every(([name, value]) => isPart(value, (whole as Record<string, unknown>)[name]))
    : part === whole

/** The run ends early, without a problem. */
class EndOfRun extends Error {}

function replaceState(model: Model, other: Model) {
  Object.assign(model.state, other.clone().state)
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

/** Lets the code of a killed process run to its end. */
async function drain() {
  for (let i = 0; i < 3; i++) await turn()
}

type WorldOf = SandboxProcess['sandbox']['store']['world']

const recordsOf = (collections: WorldOf['collections']) =>
  Object.entries(collections).map(([name, collection]) => [
    name,
    [...collection.inOrder()].sort((a, b) => a.made - b.made),
  ])

/** All records, the clock and the counters, as a short text. */
const imageOf = ({ clock, counters, collections }: WorldOf): string =>
  createHash('sha256')
    .update(JSON.stringify({ clock, counters, records: recordsOf(collections) }))
    .digest('base64url')

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
