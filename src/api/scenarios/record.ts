import { createHmac } from 'node:crypto'
import type { ExchangeDetail, MethodOutput } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { Scenario } from '../contract/scenarios.ts'
import { Pseudonyms } from '../replay/bundles/pseudonyms.ts'
import { isList, isObject, type Json, parseJsonBody } from '../replay/json-pairs.ts'
import type { OperatorAction } from '../replay/operator-log.ts'
import { currentRecord, type RecordedSandbox, seqBefore, unsealText } from '../replay/record.ts'
import { toMs } from '../store/clock.ts'
import { worldAt } from '../store/history.ts'
import type { Seal } from '../store/seal.ts'
import { runToEnd } from '../store/steps.ts'
import { writeScenario } from './file.ts'
import { BUILT_IN, literal } from './variables.ts'

/**
 * What was done by hand, as a scenario: the same requests and moves, from the beginning of the world on. What an answer
 * introduced and a later step names becomes a variable, and what the answers said is expected from now on.
 */

interface Asked {
  /** What came before this commit is done, and not judged. */
  readonly since: number | undefined
  readonly name: string
  readonly teaches: string | undefined
}

export function recordScenario(
  door: RecordedSandbox,
  { since = 0, name, teaches }: Asked,
): MethodOutput<'scenarios.record'> {
  const { store } = door
  const { from, entries, replacedBy, isComplete } = currentRecord(door)
  if (replacedBy !== null && replacedBy !== 'world.reset')
    throw refuse(`${replacedBy} has replaced the world, and a scenario begins in a fresh one`)
  if (!isComplete) throw refuse('the request log no longer holds the beginning of this world')
  const before = runToEnd(worldAt(store, Math.min(from, store.world.seq)))
  const writer = new Writer(store.world.collections.programs.inOrder(), store.seal, toMs(before.clock.at))
  for (const entry of entries) {
    const isJudged = seqBefore(entry) >= since
    if ('act' in entry) writer.act(entry.act)
    else writer.exchange(entry.exchange, isJudged)
  }
  if (writer.steps.length === 0)
    throw new ApiError('invalidArgument', 'nothing has been done in this world yet: send a request, or make a move')
  const { seed, start } = store.world
  const world = before.collections.customers.size > 0 ? 'demo' : 'empty'
  const given = { world, seed, start, pace: before.clock.pace }
  const scenario = { name, ...(teaches === undefined ? {} : { teaches }), given, steps: writer.steps }
  return { text: writeScenario(scenario as Scenario), steps: writer.steps.length, left_out: writer.leftOut }
}

const refuse = (why: string) =>
  new ApiError('invalidArgument', `${why}: begin again (world.reset, in the window Snapshots), and do it once more`)

interface Step {
  [word: string]: unknown
  capture?: Record<string, string>
}

/** Where a value was first seen. */
interface Origin {
  readonly step: Step
  readonly path: string
  readonly called: string
  variable?: string
}

const SECOND_MS = 1_000
const WORD = /[A-Za-z0-9_-]{8,}/g
/** Fields that say what came of it. */
const TELLING = /^(status|kyc_status|total_count)$/
const AMOUNT = /^-?\d+\.\d{2}$/

class Writer {
  readonly steps: Step[] = []
  readonly leftOut: { at: string; why: string }[] = []
  readonly #programs: readonly { readonly uid: string; readonly name: string }[]
  readonly #seal: Seal
  readonly #standIns: Pseudonyms
  readonly #origins = new Map<string, Origin>()
  readonly #traces = new Map<string, number>()
  readonly #names = new Set<string>(BUILT_IN)
  /** Where the clock of the scenario stands. */
  #now: number

  constructor(programs: readonly { readonly uid: string; readonly name: string }[], seal: Seal, now: number) {
    this.#programs = programs
    this.#seal = seal
    // Nobody's number goes into a file; the same one has the same stand-in.
    this.#standIns = new Pseudonyms(createHmac('sha256', seal.seal('scenarios')).digest(), undefined)
    this.#now = now
  }

  act({ uid, name, input, at }: OperatorAction) {
    const given = this.#named(parseJsonBody(this.#plain(input))) as Record<string, unknown>
    if (name === 'clock.advance') {
      const { by, until } = given
      this.steps.push({ advance: by ?? until ?? given })
      this.#now = toMs(at)
      return
    }
    this.#waits(at)
    if (name === 'moves.make') {
      const { collection, uid: record, ...decision } = given
      this.steps.push({ decide: { record: `${String(collection)}/${String(record)}`, ...decision } })
    } else if (name === 'clock.set' && 'mode' in given) {
      const { mode, ...rest } = given
      this.leftOut.push({ at: uid, why: `clock.set: the clock of a scenario stands still, it is not ${String(mode)}` })
      if (Object.keys(rest).length > 0) this.steps.push({ operator: { call: name, input: rest } })
    } else this.steps.push({ operator: { call: name, input: given } })
  }

  exchange(exchange: ExchangeDetail, isJudged: boolean) {
    const { method, path, at, status, trace_id, request, response } = exchange
    const isDone = status >= 200 && status < 300
    // Tokens are the runner's own.
    if (exchange.endpoint === 'createAccessToken' && isDone) return
    if (!/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method) || !/^\/[\x21-\x7e]*$/.test(path)) {
      this.leftOut.push({ at: exchange.uid, why: `${method} ${path} cannot be written as a step` })
      return
    }
    this.#waits(at)
    const named = this.#text(this.#plain(path))
    const body = this.#body(exchange)
    const isInjected = method === 'POST' && path === '/sandbox/mock_transactions' && isObject(body.body as Json)
    const step: Step = {
      ...(isInjected ? { inject: body.body } : { request: `${method} ${named}` }),
      ...this.#sender(exchange),
      ...(isInjected ? {} : body),
      ...this.#trace(trace_id),
    }
    const answer = parseJsonBody(response.body)
    const expected = this.#expected(status, exchange.code, answer, isJudged)
    if (expected) step.expect = expected
    this.steps.push(step)
    if (isDone) this.#learn(answer, step, path)
    if (request.body.includes('[masked]'))
      this.leftOut.push({ at: exchange.uid, why: 'its body could not be read, and is masked: write it anew' })
  }

  /** Of a clock that ran while somebody worked. */
  #waits(at: string) {
    const seconds = Math.floor((toMs(at) - this.#now) / SECOND_MS)
    if (seconds < 1) return
    this.steps.push({ advance: `PT${seconds}S` })
    this.#now += seconds * SECOND_MS
  }

  #sender({ program_uid, request, status }: ExchangeDetail): Step {
    const [first] = this.#programs
    const program = this.#programs.find(({ uid }) => uid === program_uid)
    const as = program && program.uid !== first?.uid ? { as: program.name } : {}
    const has = request.headers.some(([name]) => name === 'authorization')
    if (!has) return { ...as, token: 'none' }
    return status === 401 ? { ...as, token: 'bad' } : as
  }

  /** Only what is sent twice, or not at all, has to be said. */
  #trace(trace: string | null): Step {
    if (trace === null) return { trace: null }
    const sent = this.#traces.get(trace)
    if (sent === undefined) {
      this.#traces.set(trace, this.steps.length)
      return {}
    }
    const first = this.steps[sent]
    if (first) first.trace = trace
    return { trace }
  }

  #body({ request: { headers, body } }: ExchangeDetail): Step {
    if (body === '') return {}
    const plain = this.#plain(body)
    const type = headers.find(([name]) => name === 'content-type')?.[1]
    const value = type?.includes('x-www-form-urlencoded') ? undefined : parseJsonBody(plain)
    if (value !== undefined) return { body: this.#named(value) }
    return { raw: this.#text(plain), ...(type === undefined ? {} : { headers: { 'content-type': type } }) }
  }

  #expected(status: number, code: number | null, answer: Json | undefined, isJudged: boolean): object | undefined {
    if (status === 0) return { status: 'dropped' }
    const isDone = status >= 200 && status < 300
    if (!isDone) return { status, ...(code === null ? {} : { code }) }
    if (!isJudged) return undefined
    const telling = isObject(answer)
      ? Object.entries(answer).filter(
          ([name, value]) => TELLING.test(name) || (typeof value === 'string' && AMOUNT.test(value)),
        )
      : []
    return { status, ...(telling.length > 0 ? { body: Object.fromEntries(telling) } : {}) }
  }

  // ── Variables ────────────────────────────────────────────────────────────────────────────────────────────────────

  #learn(answer: Json | undefined, step: Step, path: string) {
    const [collection = 'record'] = path
      .split('?')[0]!
      .split('/')
      .filter((part) => /^[a-z_]+$/.test(part) && part !== 'sandbox')
      .slice(-1)
    // A record's own uid tells more of it than what refers to it.
    let isOwn = true
    const walk = (value: Json | undefined, at: string, field: string) => {
      if (isList(value)) for (const [i, part] of value.entries()) walk(part, `${at}[${i}]`, field)
      else if (isObject(value))
        for (const [name, part] of Object.entries(value)) walk(part, at === '' ? name : `${at}.${name}`, name)
      else if (typeof value !== 'string' || value.length < 8 || !isGenerated(field)) return
      else if (isOwn === (field === 'uid') && !this.#origins.has(value))
        this.#origins.set(value, { step, path: at, called: calledAfter(field, collection) })
    }
    walk(answer, '', '')
    isOwn = false
    walk(answer, '', '')
  }

  /** A value from before: with the variables that stand for what answers have introduced. */
  #named(value: Json | undefined): unknown {
    if (typeof value === 'string') return this.#text(value)
    if (isList(value)) return value.map((part) => this.#named(part))
    if (!isObject(value)) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [this.#text(name), this.#named(part)]))
  }

  #text(text: string): string {
    let done = 0
    let named = ''
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const variable = this.#variable(word)
      if (variable === undefined) continue
      const isFollowed = /^\w/.test(text.slice(index + word.length))
      named += literal(text.slice(done, index)) + (isFollowed ? `\${${variable}}` : `$${variable}`)
      done = index + word.length
    }
    return named + literal(text.slice(done))
  }

  #variable(word: string): string | undefined {
    if (word === this.#programs[0]?.uid) return 'program'
    const origin = this.#origins.get(word)
    if (!origin) return undefined
    if (origin.variable === undefined) {
      origin.variable = this.#nameFor(origin.called)
      origin.step.capture = { ...origin.step.capture, [origin.variable]: origin.path }
    }
    return origin.variable
  }

  #nameFor(called: string): string {
    let name = called
    for (let n = 2; this.#names.has(name); n++) name = `${called}_${n}`
    this.#names.add(name)
    return name
  }

  #plain(text: string): string {
    const seal: Seal = { ...this.#seal, open: (sealed) => this.#standIns.ssn(this.#seal.open(sealed)) }
    return unsealText(text, seal)
  }
}

const isGenerated = (field: string) => /(^|_)uids?$|^account_number$|^virtual_reference_number$/.test(field)

/** `customers` → customer, `pool_uids` → pool. */
const calledAfter = (field: string, collection: string) =>
  field === 'uid'
    ? collection
        .replace(/^mock_/, '')
        .replace(/ies$/, 'y')
        .replace(/s$/, '')
    : field.replace(/_uids?$/, '')
