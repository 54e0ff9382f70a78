import { randomUUID } from 'node:crypto'
import type { ControlReply } from '../contract/control/client.ts'
import type { Advance, Clock } from '../contract/control/clock.ts'
import type { MethodName } from '../contract/control/methods.ts'
import type { Program } from '../contract/resources/programs.ts'
import type { StepResult } from '../contract/scenario-results.ts'
import type { Path, ScenarioSetup, Step } from '../contract/scenarios.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { type SandboxClient, sendRequest } from '../replay/client.ts'
import type { HeaderList } from '../replay/recordings/recording.ts'
import { EventChecker, UnknownEvent } from './check-events.ts'
import { checkBalances, checkResponse, type StepResponse } from './check-response.ts'
import { type ComparedValue, compareFields, compareValues } from './match.ts'
import { valueAt } from './paths.ts'
import type { Stage } from './plan.ts'
import { advanceInput, type StepOf, untilStates } from './steps.ts'
import { fillVariables, type Variables } from './variables.ts'

export interface StepOutcome {
  readonly sent?: NonNullable<StepResult['sent']>
  readonly response?: StepResponse
  readonly checks: readonly ComparedValue[]
  readonly captured?: Variables
  /** Why the step failed, besides its checks. */
  readonly trouble?: string
}

/** The step could not be executed. */
export class StepError extends Error {
  override name = 'StepError'
}

type RequestOptions = Pick<StepOf<'request'>, 'as' | 'token' | 'trace' | 'headers'>
type Expectations = Pick<StepOf<'request'>, 'expect' | 'capture'>

/** Assumed (invented): an advance until a status moves the clock at most 1,000 times; each time all tasks of one instant run. */
const MAX_ADVANCES = 1_000

const JSON_TYPE = 'application/json'

/** After these, the uids of the world may be issued again. */
const FORGETTING: ReadonlySet<string> = new Set(['world.reset', 'bundles.import'])

/** Executes steps against a sandbox. */
export class StepExecutor {
  readonly #client: SandboxClient
  readonly #events = new EventChecker((name, input) => this.#requireMethod(name, input))

  constructor(client: SandboxClient) {
    this.#client = client
  }

  /** `step` is the original step with its variables filled in. */
  async execute(
    { kind, original }: { readonly kind: Stage['kind']; readonly original: Stage['step'] },
    step: Step | ScenarioSetup,
    variables: Variables,
  ): Promise<StepOutcome> {
    switch (kind) {
      case 'given':
        return this.#applySetup(step as ScenarioSetup)
      case 'request':
        return this.#request(step as StepOf<'request'>, (original as StepOf<'request'>).request, variables)
      case 'inject':
        return this.#inject(step as StepOf<'inject'>)
      case 'advance': {
        const { advance, ...expectations } = step as StepOf<'advance'>
        const states = untilStates(advance)
        if (states) return this.#advanceUntil(states, expectations)
        return this.#callMethod('clock.advance', advanceInput(advance), expectations)
      }
      case 'decide': {
        const { decide, ...expectations } = step as StepOf<'decide'>
        const { record, ...decision } = decide
        return this.#callMethod('moves.make', { ...splitRecord(record), ...decision }, expectations)
      }
      case 'operator': {
        const { operator, ...expectations } = step as StepOf<'operator'>
        return this.#callMethod(operator.call as MethodName, operator.input ?? {}, expectations)
      }
      case 'restart':
        if (!this.#client.restart) throw new StepError('this sandbox cannot be restarted')
        await this.#client.restart()
        return { checks: [] }
      case 'together':
        throw new Error('Its requests are executed one by one')
      case 'expect':
        return this.#checkState(step as StepOf<'expect'>)
    }
  }

  async now(): Promise<Timestamp> {
    return ((await this.#requireMethod('clock.read', {})) as Clock).now
  }

  // ── Steps that change something ────────────────────────────────────────────────────────────────────────────────

  async #applySetup({ clock, pace, program, programs = [], faults }: ScenarioSetup): Promise<StepOutcome> {
    if (clock !== undefined || pace !== undefined) await this.#requireMethod('clock.set', { mode: clock, pace })
    if (program !== undefined)
      await this.#requireMethod('programs.update', { uid: (await this.#findProgram()).uid, ...program })
    for (const other of programs) await this.#requireMethod('programs.create', other)
    if (faults !== undefined) await this.#requireMethod('faults.set', { faults })
    return { checks: [] }
  }

  /** Values of variables in the path are percent-encoded. */
  async #request(step: StepOf<'request'>, request: string, variables: Variables): Promise<StepOutcome> {
    const [method = '', path = ''] = fillVariables(request, variables, (value) =>
      encodeURIComponent(String(value)),
    ).split(' ')
    const query = step.query === undefined ? '' : encodeForm(step.query)
    const pathWithQuery = query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`
    const { body, form, raw } = step
    const [text, type] =
      body !== undefined
        ? [JSON.stringify(body), JSON_TYPE]
        : form !== undefined
          ? [encodeForm(form), 'application/x-www-form-urlencoded']
          : [raw ?? '', raw === undefined ? undefined : JSON_TYPE]
    return this.#send(step, method, pathWithQuery, text, type)
  }

  #inject(step: StepOf<'inject'>): Promise<StepOutcome> {
    return this.#send(step, 'POST', '/sandbox/mock_transactions', JSON.stringify(step.inject), JSON_TYPE)
  }

  async #send(
    step: RequestOptions & Expectations,
    method: string,
    path: string,
    body: string,
    type: string | undefined,
  ): Promise<StepOutcome> {
    const authorization = await this.#authorizationFor(step, path)
    const trace = step.trace === undefined ? randomUUID() : step.trace
    const defaults = { authorization, 'x-trace-id': trace, 'content-type': type }
    const headers = mergeHeaders(defaults, step.headers ?? {})
    const { status, headers: received, body: text } = await this.#sendRequest({ method, path, headers, body })
    const response = { status, headers: Object.fromEntries(received), body: parseBody(text), text }
    return checkAndCapture({ method, path, body }, response, step)
  }

  async #sendRequest(request: Parameters<typeof sendRequest>[1]) {
    try {
      return await sendRequest(this.#client.api, request, this.#client.run)
    } catch (error) {
      // Node refuses some headers and paths before anything is sent.
      throw new StepError(`this cannot be sent: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async #authorizationFor({ as, token }: RequestOptions, path: string): Promise<string | null> {
    if (token === 'none') return null
    if (token === 'bad') return 'auth-invalid'
    if (token !== undefined) return token
    const program = await this.#findProgram(as)
    return /^\/auth(\?|$)/.test(path) ? this.#client.refreshToken(program) : this.#client.token(program)
  }

  async #callMethod(name: MethodName, input: unknown, expectations: Expectations): Promise<StepOutcome> {
    const response = toResponse(await this.#client.call(name, input))
    if (FORGETTING.has(name)) this.#events.forget()
    return checkAndCapture({ method: 'CONTROL', path: name, body: JSON.stringify(input) }, response, expectations)
  }

  /** Runs one task after another until the records have these statuses. */
  async #advanceUntil(states: Readonly<Record<string, unknown>>, expectations: Expectations): Promise<StepOutcome> {
    const from = await this.now()
    const fired: Advance['fired'] = []
    let stoppedBy: Advance['stopped_by'] = 'goal'
    for (let ran = 0; ; ran++) {
      const checks = await this.#checkStates(states, ['advance', 'until'])
      const clock = (await this.#requireMethod('clock.read', {})) as Clock
      const sent = { method: 'CONTROL', path: 'clock.advance', body: JSON.stringify({ until: states }) }
      if (checks.every(({ ok }) => ok)) {
        const response = toResponse({
          ok: true,
          value: { from, to: clock.now, ran: fired.length, fired, stopped_by: stoppedBy },
        })
        const outcome = checkAndCapture(sent, response, expectations)
        return { ...outcome, checks: [...checks, ...outcome.checks] }
      }
      const missing = checks.find(({ actual }) => actual === undefined)
      if (missing) return { sent, checks, trouble: `there is no record ${missing.at.at(-1)}` }
      if (stoppedBy !== 'goal')
        return { sent, checks, trouble: `${stoppedBy} stopped the clock before the status was reached` }
      if (clock.next === null || ran === MAX_ADVANCES) {
        const rest =
          clock.next === null
            ? 'nothing is scheduled any more'
            : `${clock.due} tasks are still scheduled, the next at ${clock.next.at}: ${clock.next.what}`
        return { sent, checks, trouble: `the status was not reached after ${fired.length} tasks; ${rest}` }
      }
      const advance = (await this.#requireMethod('clock.advance', { until: 'next' })) as Advance
      fired.push(...advance.fired)
      stoppedBy = advance.stopped_by
    }
  }

  // ── Steps that only check ──────────────────────────────────────────────────────────────────────────────────────

  async #checkState({ as, expect }: StepOf<'expect'>): Promise<StepOutcome> {
    const { balances = {}, records = {}, states = {}, counts = {}, events, ledger, clock } = expect
    const checks = [
      ...(await checkEach(balances, async (uid, expected) =>
        checkBalances(uid, expected, await this.#readRecord(`synthetic_accounts/${uid}`)),
      )),
      ...(await checkEach(records, async (key, expected) =>
        compareValues(key, expected, await this.#readRecord(key), ['expect', 'records', key]),
      )),
      ...(await this.#checkStates(states, ['expect', 'states'])),
      ...(await checkEach(counts, async (path, expected) =>
        compareValues(`count of ${path}`, expected, await this.#count(path, as), ['expect', 'counts', path]),
      )),
    ]
    if (clock !== undefined) {
      const actual = await this.#requireMethod('clock.read', {})
      checks.push(...compareFields('clock', clock, actual, ['expect', 'clock']))
    }
    if (ledger !== undefined) checks.push(await this.#checkLedger())
    if (events === undefined) return { checks }
    const checked = await this.#checkEvents(events, as)
    return { ...checked, checks: [...checks, ...checked.checks] }
  }

  async #checkEvents(events: NonNullable<StepOf<'expect'>['expect']['events']>, as: string | undefined) {
    try {
      return await this.#events.check(events, (await this.#findProgram(as)).uid, ['expect', 'events'])
    } catch (error) {
      if (error instanceof UnknownEvent) throw new StepError(error.message)
      throw error
    }
  }

  #checkStates(states: Readonly<Record<string, unknown>>, at: Path): Promise<ComparedValue[]> {
    return checkEach(states, async (key, expected) =>
      compareValues(`state of ${key}`, expected, valueAt(await this.#readRecord(key), 'status'), [...at, key]),
    )
  }

  /** undefined if it does not exist. */
  async #readRecord(key: string): Promise<unknown> {
    const reply = await this.#client.call('records.get', splitRecord(key))
    return reply.ok ? reply.value : undefined
  }

  async #count(path: string, as: string | undefined): Promise<unknown> {
    const authorization = await this.#authorizationFor({ as }, path)
    const headers = mergeHeaders({ authorization, 'x-trace-id': randomUUID() }, {})
    const { status, body } = await this.#sendRequest({ method: 'GET', path, headers, body: '' })
    if (status !== 200) throw new StepError(`GET ${path} answers ${status}: ${body}`)
    return valueAt(parseBody(body), 'total_count')
  }

  async #checkLedger(): Promise<ComparedValue> {
    const result = await this.#requireMethod('ledger.check', {})
    const { balanced, problems } = result as { balanced: boolean; problems: string[] }
    const actual = balanced ? 'balanced' : problems.join('; ')
    return { what: 'ledger', expected: 'balanced', actual, ok: balanced, at: ['expect', 'ledger'] }
  }

  // ── The sandbox ────────────────────────────────────────────────────────────────────────────────────────────────

  async #requireMethod(name: MethodName, input: unknown): Promise<unknown> {
    const reply = await this.#client.call(name, input)
    if (reply.ok) return reply.value
    const [error] = reply.error.errors
    throw new StepError(`${name} is refused: ${error?.extra ?? error?.detail ?? reply.error.status}`)
  }

  async #findProgram(name?: string): Promise<Program> {
    const programs = await this.#client.programs()
    const program = name === undefined ? programs[0] : programs.find((one) => one.name === name)
    if (program) return program
    throw new StepError(`there is no Program ${name ?? ''}; there are ${programs.map((one) => one.name).join(', ')}`)
  }
}

async function checkEach(
  expected: Readonly<Record<string, unknown>>,
  check: (key: string, expected: unknown) => Promise<ComparedValue[]>,
): Promise<ComparedValue[]> {
  const checks: ComparedValue[] = []
  for (const [key, value] of Object.entries(expected)) checks.push(...(await check(key, value)))
  return checks
}

/** Captures values only if all checks pass. */
function checkAndCapture(
  sent: NonNullable<StepResult['sent']>,
  response: StepResponse,
  { expect = {}, capture = {} }: Expectations,
): StepOutcome {
  const checks = checkResponse(expect, response)
  if (checks.some(({ ok }) => !ok)) return { sent, response, checks }
  const captured: Record<string, unknown> = {}
  for (const [name, path] of Object.entries(capture)) {
    const value = valueAt(response.body, path)
    if (value !== undefined) captured[name] = value
    else checks.push({ what: `capture ${name}`, expected: `something at ${path}`, ok: false, at: ['capture', name] })
  }
  return { sent, response, checks, captured }
}

/** `customers/abc` */
function splitRecord(record: string): { collection: string; uid: string } {
  const at = record.indexOf('/')
  return { collection: record.slice(0, at), uid: record.slice(at + 1) }
}

/** null removes a default header. */
function mergeHeaders(
  defaults: Readonly<Record<string, string | null | undefined>>,
  own: Readonly<Record<string, string | null>>,
): HeaderList {
  const lower = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.entries({ ...defaults, ...lower }).flatMap(([name, value]) =>
    value == null ? [] : [[name, value] as const],
  )
}

/** `{ a: [1, 2], b: { c: 3 } }` → `a[]=1&a[]=2&b[c]=3` */
function encodeForm(value: object): string {
  const pairs = (name: string, part: unknown): [string, string][] => {
    if (Array.isArray(part)) return part.flatMap((item) => pairs(`${name}[]`, item))
    if (typeof part === 'object' && part !== null)
      return Object.entries(part).flatMap(([key, inner]) => pairs(`${name}[${key}]`, inner))
    return [[name, part === null ? '' : String(part)]]
  }
  return new URLSearchParams(Object.entries(value).flatMap(([name, part]) => pairs(name, part))).toString()
}

function parseBody(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

/** A control method's reply as the control API would send it. */
function toResponse(reply: ControlReply): StepResponse {
  const [status, body] = reply.ok ? [200, reply.value] : [reply.error.status, reply.error]
  return { status, headers: {}, body, text: JSON.stringify(body) ?? '' }
}
