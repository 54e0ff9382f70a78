import { randomUUID } from 'node:crypto'
import { performance } from 'node:perf_hooks'
import type { Clock, ControlReply, MethodName } from '../contract/control.ts'
import type { ErrorBody } from '../contract/openapi.ts'
import type { Program } from '../contract/resources/programs.ts'
import type { Check, ScenarioResult, StepResult } from '../contract/scenario-results.ts'
import type { ExpectedAnswer, Path, ScenarioSetup, Step, StepName } from '../contract/scenarios.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import { dateAt } from '../domain/rules/calendar.ts'
import { Redaction } from '../http/redact.ts'
import { type OpenScratchSandbox, type SandboxClient, type ScratchSandbox, sendRequest } from '../replay/client.ts'
import type { HeaderList } from '../replay/recordings/recording.ts'
import { toMs } from '../store/clock.ts'
import { type Compared, compareValues, fields, isMatcher } from './match.ts'
import { valueAt } from './paths.ts'
import { advanceInput, type Plan, type Stage } from './plan.ts'
import { fillVariables, UnknownVariable, type Variables } from './variables.ts'

/** Runs a plan against a sandbox, one step at a time: whoever holds it goes on when they like. */

interface Answer {
  /** 0 when the connection was dropped. */
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** null when there is none. */
  readonly body: unknown
  readonly text: string
}

interface Done {
  readonly sent?: NonNullable<StepResult['sent']>
  readonly answer?: Answer
  readonly checks: readonly Compared[]
  readonly captured?: Variables
}

/** Why a step could not be done at all. */
class Impossible extends Error {
  override name = 'Impossible'
}

type StepOf<N extends StepName> = Extract<Step, Readonly<Record<N, unknown>>>
type Sending = Pick<StepOf<'request'>, 'as' | 'token' | 'trace' | 'headers'>
type Outcome = Pick<StepOf<'request'>, 'expect' | 'capture'>

/** The world that a plan expects, for it alone. */
export const begin = (plan: Plan, open: OpenScratchSandbox): Promise<ScratchSandbox> => open(plan.beginning)

export class Run {
  readonly plan: Plan
  readonly #target: SandboxClient
  readonly #results: StepResult[] = []
  #variables: Variables
  #keys: readonly string[] = []
  /** Reports leave the machine: what the request log does not keep, they do not tell. */
  readonly #redaction = new Redaction(
    () => ({ seal: () => '[masked]', open: (text) => text }),
    () => this.#keys,
  )

  constructor(plan: Plan, target: SandboxClient, variables: Variables = {}) {
    this.plan = plan
    this.#target = target
    this.#variables = { ...variables, ...plan.variables }
  }

  /** The step that comes next, from 0. */
  get at(): number {
    return this.#results.length
  }

  get results(): readonly StepResult[] {
    return this.#results
  }

  /** What has been captured so far, with the row of examples. */
  get variables(): Variables {
    return this.#variables
  }

  /** Does the next step; undefined when there is none. One that failed does not keep the next from being tried. */
  async next(): Promise<StepResult | undefined> {
    const stage = this.plan.stages[this.at]
    if (!stage) return undefined
    const result = await this.#do(stage)
    this.#results.push(result)
    return result
  }

  /** Goes on until a step fails, or until the one at `until` comes next. */
  async rest(until = this.plan.stages.length): Promise<ScenarioResult> {
    while (this.at < until) {
      const result = await this.next()
      if (!result?.ok) break
    }
    return this.result()
  }

  result(): ScenarioResult {
    const { name, example, file, stages } = this.plan
    return {
      name,
      example,
      file,
      ok: this.at === stages.length && this.#results.every(({ ok }) => ok),
      trouble: null,
      steps: [...this.#results],
      left: stages.length - this.at,
      ms: rounded(this.#results.reduce((sum, { ms }) => sum + ms, 0)),
    }
  }

  async #do(stage: Stage): Promise<StepResult> {
    const began = performance.now()
    const from = await this.#now()
    let done: Done = { checks: [] }
    let trouble: string | null = null
    let title = titleOf(stage, stage.step)
    try {
      const programs = await this.#target.programs()
      const builtIn = { program: programs[0]?.uid, now: from, today: dateAt(toMs(from)) }
      const variables = { ...this.#variables, ...builtIn }
      const step = fillVariables(withoutPath(stage.step), variables)
      title = titleOf(stage, step)
      done = await this.#doStep(stage, step, variables)
      done = {
        ...done,
        checks: done.checks.map((check) => ({ ...check, at: asWritten(stage.step, check.at, variables) })),
      }
    } catch (error) {
      if (!(error instanceof Impossible || error instanceof UnknownVariable)) throw error
      trouble = error.message
    }
    this.#variables = { ...this.#variables, ...done.captured }
    const to = await this.#now()
    this.#keys = (await this.#target.programs()).map(({ hmac_key }) => hmac_key)
    const checks = done.checks.map((check) => this.#placed(stage, check))
    const { sent, answer } = done
    return {
      index: this.at,
      kind: stage.kind,
      title: this.#redaction.redactText(title),
      scenario: stage.from.scenario.name,
      place: stage.from.placeOf(stage.path),
      ok: trouble === null && checks.every(({ ok }) => ok),
      sent: sent
        ? {
            ...sent,
            path: this.#redaction.redactPath(sent.path),
            body: this.#redaction.redactBody(sent.body, undefined),
          }
        : null,
      answer: answer ? { status: answer.status, body: this.#redaction.redactBody(answer.text, undefined) } : null,
      checks,
      captured: this.#clean(done.captured ?? {}),
      trouble,
      from,
      to,
      ms: rounded(performance.now() - began),
    }
  }

  #placed({ from, path }: Stage, { at, ...check }: Compared): Check {
    return { ...this.#clean(check), place: from.placeOf([...path, ...at], true) }
  }

  #clean<T>(value: T): T {
    return JSON.parse(this.#redaction.redactBody(JSON.stringify(value), undefined)) as T
  }

  async #doStep(stage: Stage, step: Step | ScenarioSetup, variables: Variables): Promise<Done> {
    switch (stage.kind) {
      case 'given':
        return this.#set(step as ScenarioSetup)
      case 'request':
        return this.#request(step as StepOf<'request'>, (stage.step as StepOf<'request'>).request, variables)
      case 'inject':
        return this.#inject(step as StepOf<'inject'>)
      case 'advance': {
        const { advance, ...outcome } = step as StepOf<'advance'>
        return this.#operate('clock.advance', advanceInput(advance), outcome)
      }
      case 'decide': {
        const { decide, ...outcome } = step as StepOf<'decide'>
        const { record, ...move } = decide
        return this.#operate('moves.make', { ...named(record), ...move }, outcome)
      }
      case 'operator': {
        const { operator, ...outcome } = step as StepOf<'operator'>
        return this.#operate(operator.call as MethodName, operator.input ?? {}, outcome)
      }
      case 'expect':
        return { checks: await this.#look(step as StepOf<'expect'>) }
    }
  }

  // ── Steps that do something ────────────────────────────────────────────────────────────────────────────────────

  async #set({ clock, pace, program, programs = [], faults }: ScenarioSetup): Promise<Done> {
    if (clock !== undefined || pace !== undefined) await this.#call('clock.set', { mode: clock, pace })
    if (program !== undefined) await this.#call('programs.update', { uid: (await this.#program()).uid, ...program })
    for (const further of programs) await this.#call('programs.create', further)
    if (faults !== undefined) await this.#call('faults.set', { faults })
    return { checks: [] }
  }

  /** A value within the path is written as paths are. */
  async #request(step: StepOf<'request'>, request: string, variables: Variables): Promise<Done> {
    const [method = '', path = ''] = fillVariables(request, variables, (value) =>
      encodeURIComponent(String(value)),
    ).split(' ')
    const { query, body, form, raw } = step
    const asked = query === undefined ? '' : encoded(query)
    const whole = asked === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${asked}`
    const [text, type] =
      body !== undefined
        ? [JSON.stringify(body), JSON_TYPE]
        : form !== undefined
          ? [encoded(form), 'application/x-www-form-urlencoded']
          : [raw ?? '', raw === undefined ? undefined : JSON_TYPE]
    return this.#send(step, method, whole, text, type)
  }

  #inject(step: StepOf<'inject'>): Promise<Done> {
    return this.#send(step, 'POST', '/sandbox/mock_transactions', JSON.stringify(step.inject), JSON_TYPE)
  }

  async #send(
    step: Sending & Outcome,
    method: string,
    path: string,
    body: string,
    type: string | undefined,
  ): Promise<Done> {
    const authorization = await this.#authorization(step, path)
    const trace = step.trace === undefined ? randomUUID() : step.trace
    const usual = { authorization, 'x-trace-id': trace, 'content-type': type }
    const headers = headerList(usual, step.headers ?? {})
    const { status, headers: came, body: text } = await this.#sent({ method, path, headers, body })
    const answer = { status, headers: Object.fromEntries(came), body: parsed(text), text }
    return this.#outcome({ method, path, body }, answer, step)
  }

  async #sent(outgoing: Parameters<typeof sendRequest>[1]) {
    try {
      return await sendRequest(this.#target.api, outgoing)
    } catch (error) {
      // Node refuses some headers and paths before anything is sent.
      throw new Impossible(`this cannot be sent: ${error instanceof Error ? error.message : String(error)}`)
    }
  }

  async #authorization({ as, token }: Sending, path: string): Promise<string | null> {
    if (token === 'none') return null
    if (token === 'bad') return 'auth-of-nobody'
    if (token !== undefined) return token
    const program = await this.#program(as)
    return /^\/auth(\?|$)/.test(path) ? this.#target.refreshToken(program) : this.#target.token(program)
  }

  /** The operator's door answers like the API: 200, or the status and error body of a refusal. */
  async #operate(name: MethodName, input: unknown, outcome: Outcome): Promise<Done> {
    const answer = answerOf(await this.#target.call(name, input))
    return this.#outcome({ method: 'CONTROL', path: name, body: JSON.stringify(input) }, answer, outcome)
  }

  #outcome(sent: NonNullable<StepResult['sent']>, answer: Answer, { expect = {}, capture = {} }: Outcome): Done {
    const checks = checksOf(expect, answer)
    if (checks.some(({ ok }) => !ok)) return { sent, answer, checks }
    const taken = Object.entries(capture).map(([name, path]) => ({ name, path, value: valueAt(answer.body, path) }))
    const missing = taken
      .filter(({ value }) => value === undefined)
      .map(({ name, path }) => ({
        what: `capture ${name}`,
        expected: `something at ${path}`,
        ok: false,
        at: ['capture', name],
      }))
    const captured = Object.fromEntries(
      taken.filter(({ value }) => value !== undefined).map(({ name, value }) => [name, value]),
    )
    return { sent, answer, checks: [...checks, ...missing], captured }
  }

  // ── Steps that look ────────────────────────────────────────────────────────────────────────────────────────────

  async #look({ as, expect }: StepOf<'expect'>): Promise<Compared[]> {
    const { balances = {}, records = {}, states = {}, counts = {}, ledger, clock } = expect
    const found: Compared[] = []
    for (const [uid, expected] of Object.entries(balances)) {
      const account = await this.#record(`synthetic_accounts/${uid}`)
      found.push(...balancesOf(uid, expected, account))
    }
    for (const [key, expected] of Object.entries(records))
      found.push(...compareValues(key, expected, await this.#record(key), ['expect', 'records', key]))
    for (const [key, expected] of Object.entries(states)) {
      const status = valueAt(await this.#record(key), 'status')
      found.push(...compareValues(`state of ${key}`, expected, status, ['expect', 'states', key]))
    }
    for (const [path, expected] of Object.entries(counts)) {
      const total = await this.#total(path, as)
      found.push(...compareValues(`count of ${path}`, expected, total, ['expect', 'counts', path]))
    }
    if (clock !== undefined)
      found.push(...fields('clock', clock, await this.#call('clock.read', {}), ['expect', 'clock']))
    if (ledger !== undefined) found.push(await this.#proof())
    return found
  }

  /** undefined when there is none. */
  async #record(key: string): Promise<unknown> {
    const reply = await this.#target.call('records.get', named(key))
    return reply.ok ? reply.value : undefined
  }

  async #total(path: string, as: string | undefined): Promise<unknown> {
    const authorization = await this.#authorization({ as }, path)
    const headers = headerList({ authorization, 'x-trace-id': randomUUID() }, {})
    const { status, body } = await this.#sent({ method: 'GET', path, headers, body: '' })
    if (status !== 200) throw new Impossible(`GET ${path} answers ${status}: ${body}`)
    return valueAt(parsed(body), 'total_count')
  }

  async #proof(): Promise<Compared> {
    const { balanced, problems } = (await this.#call('ledger.check', {})) as { balanced: boolean; problems: string[] }
    const actual = balanced ? 'balanced' : problems.join('; ')
    return { what: 'ledger', expected: 'balanced', actual, ok: balanced, at: ['expect', 'ledger'] }
  }

  // ── What it stands on ──────────────────────────────────────────────────────────────────────────────────────────

  async #call(name: MethodName, input: unknown): Promise<unknown> {
    const reply = await this.#target.call(name, input)
    if (reply.ok) return reply.value
    const [error] = reply.error.errors
    throw new Impossible(`${name} is refused: ${error?.extra ?? error?.detail ?? reply.error.status}`)
  }

  async #now(): Promise<Timestamp> {
    return ((await this.#call('clock.read', {})) as Clock).now
  }

  async #program(name?: string): Promise<Program> {
    const programs = await this.#target.programs()
    const program = name === undefined ? programs[0] : programs.find((one) => one.name === name)
    if (program) return program
    throw new Impossible(`there is no Program ${name ?? ''}; there are ${programs.map((one) => one.name).join(', ')}`)
  }
}

const JSON_TYPE = 'application/json'
const rounded = (ms: number) => Math.round(ms * 10) / 10

/** Its path is filled in by itself, as values are written another way there. */
const withoutPath = (step: Step | ScenarioSetup): Step | ScenarioSetup =>
  'request' in step && typeof step.request === 'string' ? { ...step, request: '' } : step

/** For a list of steps, with its variables still in it. */
export const titleOfStage = (stage: Stage): string => titleOf(stage, stage.step)

function titleOf({ kind, step: written }: Stage, step: Step | ScenarioSetup): string {
  if ('name' in step && step.name !== undefined) return step.name
  switch (kind) {
    case 'given':
      return 'given'
    case 'request':
      return (written as StepOf<'request'>).request
    case 'inject':
      return `inject ${String((step as StepOf<'inject'>).inject.transaction_type ?? '')}`.trim()
    case 'advance': {
      const { advance } = step as StepOf<'advance'>
      return `advance ${typeof advance === 'string' ? advance : Object.entries(advance).flat().join(' ')}`
    }
    case 'decide': {
      const { record, move } = (step as StepOf<'decide'>).decide
      return `${move} ${record}`
    }
    case 'operator':
      return (step as StepOf<'operator'>).operator.call
    case 'expect':
      return `expect ${Object.keys((step as StepOf<'expect'>).expect).join(', ')}`
  }
}

/** The keys of the file, where those that are compared have been filled in. */
function asWritten(step: unknown, at: Path, variables: Variables): Path {
  const [first, ...rest] = at
  if (first === undefined || typeof step !== 'object' || step === null) return at
  const keys = Object.keys(step)
  const isMeant = (key: string) =>
    key === String(first) || Object.hasOwn(fillVariables({ [key]: null }, variables), first)
  const key = Array.isArray(step) ? first : (keys.find(isMeant) ?? first)
  return [key, ...asWritten((step as Readonly<Record<string | number, unknown>>)[key], rest, variables)]
}

function named(record: string): { collection: string; uid: string } {
  const at = record.indexOf('/')
  return { collection: record.slice(0, at), uid: record.slice(at + 1) }
}

function headerList(
  usual: Readonly<Record<string, string | null | undefined>>,
  own: Readonly<Record<string, string | null>>,
): HeaderList {
  const lower = Object.fromEntries(Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]))
  return Object.entries({ ...usual, ...lower }).flatMap(([name, value]) =>
    value == null ? [] : [[name, value] as const],
  )
}

/** `{ a: [1, 2], b: { c: 3 } }` → `a[]=1&a[]=2&b[c]=3`. */
function encoded(value: object): string {
  const pairs = (name: string, part: unknown): [string, string][] => {
    if (Array.isArray(part)) return part.flatMap((item) => pairs(`${name}[]`, item))
    if (typeof part === 'object' && part !== null)
      return Object.entries(part).flatMap(([key, inside]) => pairs(`${name}[${key}]`, inside))
    return [[name, part === null ? '' : String(part)]]
  }
  return new URLSearchParams(Object.entries(value).flatMap(([name, part]) => pairs(name, part))).toString()
}

function parsed(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

function answerOf(reply: ControlReply): Answer {
  const [status, body] = reply.ok ? [200, reply.value] : [reply.error.status, reply.error]
  return { status, headers: {}, body, text: JSON.stringify(body) ?? '' }
}

/** A refusal that nobody expects is a failure: a scenario does not go on in silence. */
function checksOf(expect: ExpectedAnswer, { status, headers, body }: Answer): Compared[] {
  const { headers: ofHeaders = {}, body: ofBody, status: ofStatus, ...ofError } = expect
  const at = (name: string): Path => ['expect', name]
  const actual = status === 0 ? 'dropped' : status
  const [error] = (body as ErrorBody | null)?.errors ?? []
  const refusal = Object.entries(ofError).filter(([, expected]) => expected !== undefined)
  const success = { what: 'status', expected: '2xx', actual, ok: status >= 200 && status < 300, at: [] }
  return [
    ...(ofStatus !== undefined
      ? compareValues('status', ofStatus, actual, at('status'))
      : refusal.length === 0
        ? [success]
        : []),
    ...refusal.flatMap(([name, expected]) =>
      compareValues(name, expected, (error as Readonly<Record<string, unknown>> | undefined)?.[name], at(name)),
    ),
    ...Object.entries(ofHeaders).flatMap(([name, expected]) =>
      compareValues(`header ${name}`, expected, headers[name.toLowerCase()], [...at('headers'), name]),
    ),
    ...(ofBody === undefined
      ? []
      : ofBody === null
        ? compareValues('body', null, body, at('body'))
        : fields('body', ofBody, body, at('body'))),
  ]
}

const BALANCES = {
  balance: 'net_usd_balance',
  pending: 'net_usd_pending_balance',
  available: 'net_usd_available_balance',
  closing: 'net_usd_closing_balance',
} as const

/** An amount alone is the settled balance. */
function balancesOf(uid: string, expected: unknown, account: unknown): Compared[] {
  const at = ['expect', 'balances', uid]
  if (typeof expected !== 'object' || expected === null || isMatcher(expected))
    return compareValues(`balance of ${uid}`, expected, valueAt(account, BALANCES.balance), at)
  return Object.entries(expected).flatMap(([name, part]) =>
    compareValues(`${name} of ${uid}`, part, valueAt(account, BALANCES[name as keyof typeof BALANCES]), [...at, name]),
  )
}
