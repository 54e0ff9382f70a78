import type { ExchangeDetail } from '../contract/control/exchanges.ts'
import type { MethodOutput } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import type { Scenario } from '../contract/scenarios.ts'
import { isHostedWorld } from '../domain/rules/hosted.ts'
import { Dictionary } from '../replay/bundles/dictionary.ts'
import { seededRandom } from '../replay/bundles/random.ts'
import { isList, isObject, type Json, parseJsonBody } from '../replay/json-pairs.ts'
import { currentRecord, type RecordEntry, type RecordedSandbox, seqBefore, unsealText } from '../replay/record.ts'
import type { OperatorAction } from '../store/call-log.ts'
import { toMs } from '../store/clock.ts'
import { worldAt } from '../store/history.ts'
import type { Seal } from '../store/seal.ts'
import type { Steps } from '../store/steps.ts'
import type { Store } from '../store/store.ts'
import { writeScenario } from './file.ts'
import { BUILT_IN, escapeDollars, mapTexts } from './variables.ts'

/**
 * Turns the record of the world into a scenario. Generated values that later steps use become variables, and recorded
 * responses become expectations.
 */

interface RecordOptions {
  /** Steps before this commit get no expectations. */
  readonly since: number | undefined
  readonly name: string
  readonly teaches: string | undefined
  /** A file is passed on, and Programs have names that the operator chose. */
  readonly removeSecrets: (text: string) => string
}

/** `then`: a copy of the world, whose record follows. */
export function* recordScenario(
  door: RecordedSandbox,
  { since = 0, name, teaches, removeSecrets }: RecordOptions,
  then?: RecordedSandbox,
): Steps<MethodOutput<'scenarios.record'>> {
  const { store } = door
  const { from, entriesSince, replacedBy, isComplete, undoneBy } = yield* currentRecord(door)
  if (replacedBy !== null && replacedBy !== 'world.reset')
    throw refuse(`${replacedBy} has replaced the world, and a scenario begins in a fresh one`)
  if (replacedBy === null && door.begins)
    throw refuse('the world was made from another one, and a scenario begins in a fresh one')
  if (!isComplete) throw refuse('the request log no longer holds the beginning of this world')
  const before = yield* worldAt(store, Math.min(from, store.world.seq))
  const writer = new StepWriter(store.world.collections.programs.inOrder(), store.seal, toMs(before.clock.at))
  for (const entry of entriesSince(from)) {
    const undone = undoneBy(entry)
    if (undone) writer.leaveOutUndone(entry, undone.goes_on_from)
    else if ('act' in entry && isAboutWebhooks(entry.act))
      writer.addWebhookAction(entry.act, findWebhook(store, entry.act))
    else if ('act' in entry) writer.addAction(entry.act)
    else writer.addExchange(entry.exchange, seqBefore(entry) >= since)
    yield
  }
  const further = then && (yield* currentRecord(then)).entriesSince(then.begins ?? 0)
  for (const entry of further ?? []) {
    if ('act' in entry) writer.addAction(entry.act)
    else writer.addExchange(entry.exchange, true)
    yield
  }
  if (writer.steps.length === 0)
    throw new ApiError(
      'invalidArgument',
      'this world has no requests or operator actions yet: send a request, or decide something',
    )
  const { seed, start } = store.world
  const world = isHostedWorld(before) ? 'hosted' : before.collections.customers.size > 0 ? 'demo' : 'empty'
  const given = { world, seed, start, pace: before.clock.pace }
  const scenario = { name, ...(teaches === undefined ? {} : { teaches }), given, steps: writer.steps }
  const text = removeSecrets(yield* writeScenario(scenario as Scenario))
  return { text, steps: writer.steps.length, left_out: writer.leftOut }
}

const isAboutWebhooks = ({ name }: OperatorAction) => name.startsWith('webhooks.') || name.startsWith('events.')

/** The uid of the webhook that an action has created. */
function findWebhook(store: Store, { name, seq_after }: OperatorAction): string | undefined {
  if (name !== 'webhooks.create') return undefined
  const [commit] = store.commitsBetween(seq_after, seq_after)
  return commit?.changes.find(({ collection }) => collection === 'webhooks')?.record?.uid
}

const refuse = (why: string) =>
  new ApiError('invalidArgument', `${why}: start over (world.reset, in the window Snapshots), and repeat the steps`)

interface Step {
  [key: string]: unknown
  capture?: Record<string, string>
}

/** The first response with a generated value. */
interface Origin {
  readonly step: Step
  readonly path: string
  readonly variableName: string
  /** Set once a later step uses the value. */
  variable?: string
}

const SECOND_MS = 1_000
const DUPLICATE_TRACE_ID = 1012
const WORD = /[A-Za-z0-9_-]{8,}/g
/** Fields that become expectations, besides amounts. */
const EXPECTED_FIELDS = /^(status|kyc_status|total_count)$/
/** What the log says in the place of what it does not hold. */
const INCOMPLETE = /\[masked\]|\[cut: [\d,]{1,12} characters\]| are not logged\]/
const AMOUNT = /^-?\d+\.\d{2}$/

class StepWriter {
  readonly steps: Step[] = []
  readonly leftOut: { at: string; why: string }[] = []
  readonly #programs: readonly { readonly uid: string; readonly name: string }[]
  readonly #seal: Seal
  readonly #pseudonyms: Dictionary
  readonly #origins = new Map<string, Origin>()
  readonly #traces = new Map<string, number>()
  /** Trace ids of undone requests are used up, too. */
  readonly #undoneTraces = new Set<string>()
  readonly #variableNames = new Set<string>(Object.keys(BUILT_IN))
  /** The simulated time in the scenario. */
  #now: number

  constructor(programs: readonly { readonly uid: string; readonly name: string }[], seal: Seal, now: number) {
    this.#programs = programs
    this.#seal = seal
    // Scenario files must not contain real SSNs. Recorded again, a scenario has the same pseudonyms.
    this.#pseudonyms = new Dictionary({ random: seededRandom(seal.seal('scenarios')) })
    this.#now = now
  }

  /**
   * Assumed (invented): a recorded scenario does what led to the current world. What a rewind undid is no step: the result lists it.
   */
  leaveOutUndone(entry: RecordEntry, to: number) {
    const why = `undone by a rewind to commit ${to}`
    // The sandbox has called it, not the operator.
    if ('act' in entry && entry.act.name === 'webhooks.record_attempts') return
    if ('act' in entry) this.leftOut.push({ at: entry.act.uid, why: `${entry.act.name}: ${why}` })
    else {
      const { uid, method, path, trace_id } = entry.exchange
      this.leftOut.push({ at: uid, why: `${method} ${path}: ${why}` })
      if (trace_id !== null) this.#undoneTraces.add(trace_id)
    }
  }

  addAction({ uid, name, input, at }: OperatorAction) {
    // Its effect is that the steps before it are not there.
    if (name === 'world.rewind') return
    const text = this.#unseal(input)
    if (INCOMPLETE.test(text))
      this.leftOut.push({ at: uid, why: `${name}: a part of its input is masked, cut or not logged: write it again` })
    const parsed = parseJsonBody(text)
    if (!isObject(parsed)) return
    const values = this.#withVariables(parsed) as Record<string, unknown>
    if (name === 'clock.advance') {
      // A recorded scenario sends no webhooks.
      const { wait_for_webhooks: _, ...goal } = values
      this.steps.push({ advance: goal.text ?? goal.by ?? goal.until ?? goal })
      this.#now = toMs(at)
      return
    }
    this.#advanceTo(at)
    if (name === 'moves.make') {
      const { collection, uid: record, ...decision } = values
      this.steps.push({ decide: { record: `${String(collection)}/${String(record)}`, ...decision } })
    } else if (name === 'clock.set' && 'mode' in values) {
      const { mode, ...rest } = values
      this.leftOut.push({ at: uid, why: `clock.set: the clock of a scenario is frozen, not ${String(mode)}` })
      if (Object.keys(rest).length > 0) this.steps.push({ operator: { call: name, input: rest } })
    } else this.steps.push({ operator: { call: name, input: values } })
  }

  /**
   * Assumed (invented): a recorded scenario sends no webhooks, because it may run on another computer: it creates them without their address and key. What
   * is about sending only is no step: the result lists it.
   */
  addWebhookAction({ uid, name, input, at }: OperatorAction, created: string | undefined) {
    if (name === 'webhooks.record_attempts') return
    const leaveOut = (why: string): void => void this.leftOut.push({ at: uid, why: `${name}: ${why}` })
    const parsed = parseJsonBody(this.#unseal(input)) as Record<string, Json>
    if (name !== 'webhooks.create' && name !== 'webhooks.update' && name !== 'webhooks.delete')
      return leaveOut('a recorded scenario sends no webhooks')
    if (name !== 'webhooks.create' && !this.#origins.has(String(parsed.uid)))
      return leaveOut('its webhook was created by no step')
    const { url, hmac_key, confirm: _, ...rest } = parsed
    if (typeof url === 'string' || hmac_key !== undefined)
      leaveOut('the address and the key are not recorded: events are kept, and sent nowhere')
    const values = this.#withVariables(rest) as object
    const changes = name === 'webhooks.create' ? { ...values, url: null } : values
    if (name === 'webhooks.update' && Object.keys(changes).length === 1) return
    this.#advanceTo(at)
    const step: Step = { operator: { call: name, input: changes } }
    this.steps.push(step)
    if (created !== undefined) this.#origins.set(created, { step, path: 'uid', variableName: 'webhook' })
  }

  addExchange(exchange: ExchangeDetail, hasExpectations: boolean) {
    const { method, path, at, status, trace_id, request, response } = exchange
    const isSuccess = status >= 200 && status < 300
    // A scenario gets its tokens by itself.
    if (exchange.endpoint === 'createAccessToken' && isSuccess) return
    if (!/^(GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/.test(method) || !/^\/[\x21-\x7e]*$/.test(path)) {
      this.leftOut.push({ at: exchange.uid, why: `${method} ${path} cannot be written as a step` })
      return
    }
    if (
      exchange.code === DUPLICATE_TRACE_ID &&
      this.#undoneTraces.has(trace_id ?? '') &&
      !this.#traces.has(trace_id ?? '')
    ) {
      this.leftOut.push({ at: exchange.uid, why: `${method} ${path}: it repeats the trace id of an undone request` })
      return
    }
    this.#advanceTo(at)
    const text = this.#unseal(request.body)
    const body = this.#bodyOf(request, text)
    const isInjected = method === 'POST' && path === '/sandbox/mock_transactions' && isObject(body.body as Json)
    const step: Step = {
      ...(isInjected ? { inject: body.body } : { request: `${method} ${this.#insertVariables(this.#unseal(path))}` }),
      ...this.#senderOf(exchange),
      ...(isInjected ? {} : body),
      ...this.#traceOf(trace_id),
    }
    const responseBody = parseJsonBody(response.body)
    const expected = expectationsFor(status, exchange.code, responseBody, hasExpectations)
    if (expected) step.expect = expected
    this.steps.push(step)
    if (isSuccess) this.#learnOrigins(responseBody, step, path)
    if (INCOMPLETE.test(text))
      this.leftOut.push({ at: exchange.uid, why: 'a part of its body is masked, cut or not logged: write it again' })
  }

  /** The recorded clock may have been running. */
  #advanceTo(at: string) {
    const seconds = Math.floor((toMs(at) - this.#now) / SECOND_MS)
    if (seconds < 1) return
    this.steps.push({ advance: `PT${seconds}S` })
    this.#now += seconds * SECOND_MS
  }

  #senderOf({ program_uid, request, status }: ExchangeDetail): Step {
    const [first] = this.#programs
    const program = this.#programs.find(({ uid }) => uid === program_uid)
    const as = program && program.uid !== first?.uid ? { as: program.name } : {}
    const hasToken = request.headers.some(([name]) => name === 'authorization')
    if (!hasToken) return { ...as, token: 'none' }
    return status === 401 ? { ...as, token: 'bad' } : as
  }

  /** Only repeated and missing trace ids are written. */
  #traceOf(trace: string | null): Step {
    if (trace === null) return { trace: null }
    const index = this.#traces.get(trace)
    if (index === undefined) {
      this.#traces.set(trace, this.steps.length)
      return {}
    }
    const first = this.steps[index]
    if (first) first.trace = trace
    return { trace }
  }

  #bodyOf({ headers }: ExchangeDetail['request'], text: string): Step {
    if (text === '') return {}
    const type = headers.find(([name]) => name === 'content-type')?.[1]
    const value = type?.includes('x-www-form-urlencoded') ? undefined : parseJsonBody(text)
    if (value !== undefined) return { body: this.#withVariables(value) }
    return { raw: this.#insertVariables(text), ...(type === undefined ? {} : { headers: { 'content-type': type } }) }
  }

  // ── Variables ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Notes where generated values first appear. */
  #learnOrigins(body: Json | undefined, step: Step, path: string) {
    const [collection = 'record'] = path
      .split('?')[0]!
      .split('/')
      .filter((part) => /^[a-z_]+$/.test(part) && part !== 'sandbox')
      .slice(-1)
    // First the uids of records, then references to them, so that variables are named after records.
    let isUidPass = true
    const walk = (value: Json | undefined, at: string, field: string) => {
      if (isList(value)) for (const [i, part] of value.entries()) walk(part, `${at}[${i}]`, field)
      else if (isObject(value))
        for (const [name, part] of Object.entries(value)) walk(part, at === '' ? name : `${at}.${name}`, name)
      else if (typeof value !== 'string' || value.length < 8 || !isGenerated(field)) return
      else if (isUidPass === (field === 'uid') && !this.#origins.has(value))
        this.#origins.set(value, { step, path: at, variableName: nameVariable(field, collection) })
    }
    walk(body, '', '')
    isUidPass = false
    walk(body, '', '')
  }

  /** Replaces generated values of earlier responses by variables. */
  #withVariables = (value: unknown) => mapTexts(value, (text) => this.#insertVariables(text))

  #insertVariables(text: string): string {
    let done = 0
    let result = ''
    for (const { 0: word, index } of text.matchAll(WORD)) {
      const variable = this.#variableFor(word)
      if (variable === undefined) continue
      const isFollowed = /^\w/.test(text.slice(index + word.length))
      result += escapeDollars(text.slice(done, index)) + (isFollowed ? `\${${variable}}` : `$${variable}`)
      done = index + word.length
    }
    return result + escapeDollars(text.slice(done))
  }

  #variableFor(word: string): string | undefined {
    if (word === this.#programs[0]?.uid) return 'program'
    const origin = this.#origins.get(word)
    if (!origin) return undefined
    if (origin.variable === undefined) {
      origin.variable = this.#uniqueName(origin.variableName)
      origin.step.capture = { ...origin.step.capture, [origin.variable]: origin.path }
    }
    return origin.variable
  }

  #uniqueName(base: string): string {
    let name = base
    for (let n = 2; this.#variableNames.has(name); n++) name = `${base}_${n}`
    this.#variableNames.add(name)
    return name
  }

  /** Replaces sealed SSNs by pseudonyms. */
  #unseal(text: string): string {
    return unsealText(text, {
      ...this.#seal,
      open: (sealed) => {
        const opened = this.#seal.open(sealed)
        return opened === sealed ? sealed : this.#pseudonyms.ssn(opened)
      },
    })
  }
}

const isGenerated = (field: string) => /(^|_)uids?$|^account_number$|^virtual_reference_number$/.test(field)

/** `customers` → customer, `pool_uids` → pool */
const nameVariable = (field: string, collection: string) =>
  field === 'uid'
    ? collection
        .replace(/^mock_/, '')
        .replace(/ies$/, 'y')
        .replace(/s$/, '')
    : field.replace(/_uids?$/, '')

/** Refusals are always expected; successes get the status, amounts and EXPECTED_FIELDS. */
function expectationsFor(
  status: number,
  code: number | null,
  body: Json | undefined,
  hasExpectations: boolean,
): object | undefined {
  if (status === 0) return { status: 'dropped' }
  if (status < 200 || status >= 300) return { status, ...(code === null ? {} : { code }) }
  if (!hasExpectations) return undefined
  const fields = isObject(body)
    ? Object.entries(body).filter(
        ([name, value]) => EXPECTED_FIELDS.test(name) || (typeof value === 'string' && AMOUNT.test(value)),
      )
    : []
  return { status, ...(fields.length > 0 ? { body: Object.fromEntries(fields) } : {}) }
}
