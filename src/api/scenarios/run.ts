import { performance } from 'node:perf_hooks'
import type { MethodOutput } from '../contract/control/methods.ts'
import type { RequestResult, ScenarioResult, StepResult } from '../contract/scenario-results.ts'
import type { ExpectedEvent, Path, ScenarioSetup, Step } from '../contract/scenarios.ts'
import { dateAt } from '../domain/rules/calendar.ts'
import { createReportRedaction } from '../http/redact.ts'
import type { OpenScratchSandbox, SandboxClient, ScratchSandbox } from '../replay/client.ts'
import { toMs } from '../store/clock.ts'
import type { StepResponse } from './check-response.ts'
import { StepError, StepExecutor, type StepOutcome } from './execute-step.ts'
import { ExpressionError } from './expressions.ts'
import { type ComparedValue, compareValues } from './match.ts'
import { type Plan, type Stage, timesOf } from './plan.ts'
import { type StepOf, untilStates } from './steps.ts'
import { fillVariables, UnknownVariable, type Variables } from './variables.ts'

/** Opens a scratch sandbox with the world that the plan needs. */
export const openForPlan = (plan: Plan, open: OpenScratchSandbox, stays?: 'scenario'): Promise<ScratchSandbox> =>
  open(plan.setup, { stays, delivers: true, canRestart: plan.stages.some(({ kind }) => kind === 'restart') })

/** Runs a plan against a sandbox, one step at a time. */
export class PlanRun {
  readonly plan: Plan
  readonly #client: SandboxClient
  readonly #executor: StepExecutor
  readonly #results: StepResult[] = []
  #variables: Variables
  #keys: readonly string[] = []
  /** Also of webhooks that were deleted, and earlier ones. */
  readonly #webhookKeys = new Set<string>()
  readonly #redaction = createReportRedaction(() => this.#keys)

  constructor(plan: Plan, client: SandboxClient, variables: Variables = {}) {
    this.plan = plan
    this.#client = client
    this.#executor = new StepExecutor(client)
    this.#variables = { ...variables, ...plan.variables }
  }

  /** The index of the next step. */
  get nextIndex(): number {
    return this.#results.length
  }

  get results(): readonly StepResult[] {
    return this.#results
  }

  /** The captured variables, and the row of examples. */
  get variables(): Variables {
    return this.#variables
  }

  /** Runs the next step, even if the one before failed. undefined if there is none. */
  async runNext(): Promise<StepResult | undefined> {
    const stage = this.plan.stages[this.nextIndex]
    if (!stage) return undefined
    const result = await this.#runStage(stage)
    this.#results.push(result)
    return result
  }

  /** Runs steps until one fails, or until the step `until` is next. */
  async runUntil(until = this.plan.stages.length): Promise<ScenarioResult> {
    while (this.nextIndex < until) {
      const result = await this.runNext()
      if (!result?.ok) break
    }
    return this.result()
  }

  result(): ScenarioResult {
    const { name, example, file, line, stages } = this.plan
    return {
      name,
      example,
      file,
      line,
      ok: this.nextIndex === stages.length && this.#results.every(({ ok }) => ok),
      trouble: null,
      steps: [...this.#results],
      left: stages.length - this.nextIndex,
      ms: roundMs(this.#results.reduce((sum, { ms }) => sum + ms, 0)),
    }
  }

  async #runStage(stage: Stage): Promise<StepResult> {
    const started = performance.now()
    const from = await this.#executor.now()
    const { together, ...executed } = await this.#execute(stage, from)
    this.#variables = { ...this.#variables, ...executed.outcome.captured }
    const to = await this.#executor.now()
    if (stage.kind === 'operator') await this.#learnWebhookKeys()
    this.#keys = [...(await this.#client.programs()).map(({ hmac_key }) => hmac_key), ...this.#webhookKeys]
    const own = this.#show(stage, executed)
    const requests = together?.map((one) => this.#show(stage, one))
    return {
      index: this.nextIndex,
      kind: stage.kind,
      ...own,
      scenario: stage.from.scenario.name,
      place: stage.from.placeOf(stage.path),
      ok: own.ok && (requests ?? []).every(({ ok }) => ok),
      ...(requests === undefined ? {} : { requests }),
      from,
      to,
      ms: roundMs(performance.now() - started),
    }
  }

  async #learnWebhookKeys() {
    const reply = await this.#client.call('webhooks.list', {})
    if (!reply.ok) return
    for (const { hmac_key } of (reply.value as MethodOutput<'webhooks.list'>).webhooks) this.#webhookKeys.add(hmac_key)
  }

  async #execute(stage: Stage, now: string): Promise<Executed & { together?: readonly Executed[] }> {
    const programs = await this.#client.programs()
    const builtIn = { program: programs[0]?.uid, now, today: dateAt(toMs(now)) }
    const variables = { ...this.#variables, ...stage.round?.variables, ...builtIn }
    if (stage.kind === 'together') return this.#executeTogether(stage, stage.step as StepOf<'together'>, variables)
    const executed = await this.#executeStep(stage, stage.step, variables)
    return { ...executed, title: withRound(stage, executed.title) }
  }

  /** Sends all requests at once. */
  async #executeTogether(stage: Stage, step: StepOf<'together'>, variables: Variables) {
    const { expect } = step
    const times = timesOf(step.times, variables)
    const sending = step.together.flatMap((request, i) =>
      Array.from({ length: times }, async (_, n) => {
        const kind = 'inject' in request ? ('inject' as const) : ('request' as const)
        const index = step.index === undefined ? {} : { [step.index]: n + 1 }
        // With `statuses`, a request without an expectation of its own may be refused.
        const original = expect && !request.expect ? { ...request, expect: ANY_STATUS } : request
        const executed = await this.#executeStep({ kind }, original, { ...variables, ...index })
        const title = times === 1 ? executed.title : `${executed.title} (${n + 1} of ${times})`
        const checks = executed.outcome.checks
          .filter(({ expected }) => expected !== ANY_STATUS.status)
          .map((check) => ({ ...check, at: ['together', i, ...check.at] }))
        return { ...executed, title, outcome: { ...executed.outcome, checks } }
      }),
    )
    const together = await Promise.all(sending)
    const responses = together.flatMap(({ outcome }) => outcome.response ?? [])
    const captured = Object.assign({}, ...together.map(({ outcome }) => outcome.captured ?? {})) as Variables
    const outcome: StepOutcome = { checks: checkStatuses(expect?.statuses, responses, variables), captured }
    return { outcome, title: stageTitle(stage), error: null, together }
  }

  #show({ from, path }: Stage, { outcome, title, error }: Executed): RequestResult {
    const { sent, response, captured = {} } = outcome
    const redaction = this.#redaction
    const checks = outcome.checks.map(({ at, ...check }) => ({
      ...this.#redactValue(check),
      place: from.placeOf([...path, ...at], true),
    }))
    return {
      title: redaction.redactText(title),
      ok: error === null && checks.every(({ ok }) => ok),
      sent: sent
        ? { ...sent, path: redaction.redactPath(sent.path), body: redaction.redactBody(sent.body, undefined) }
        : null,
      answer: response ? { status: response.status, body: redaction.redactBody(response.text, undefined) } : null,
      checks,
      captured: this.#redactValue(captured),
      trouble: error === null ? null : redaction.redactText(error),
    }
  }

  async #executeStep({ kind }: Pick<Stage, 'kind'>, original: Stage['step'], variables: Variables): Promise<Executed> {
    let title = titleOf(kind, original, original)
    try {
      const step = fillVariables(withoutPath(original), variables)
      title = titleOf(kind, original, step)
      const outcome = await this.#executor.execute({ kind, original }, step, variables)
      const checks = outcome.checks.map((check) => ({ ...check, at: toFilePath(original, check.at, variables) }))
      return { outcome: { ...outcome, checks }, title, error: outcome.trouble ?? null }
    } catch (error) {
      if (!(error instanceof StepError || error instanceof UnknownVariable || error instanceof ExpressionError))
        throw error
      return { outcome: { checks: [] }, title, error: error.message }
    }
  }

  #redactValue<T>(value: T): T {
    return JSON.parse(this.#redaction.redactBody(JSON.stringify(value), undefined)) as T
  }
}

interface Executed {
  readonly outcome: StepOutcome
  readonly title: string
  readonly error: string | null
}

const ANY_STATUS = { status: { is: 'present' as const } }

/** How many responses have each status; statuses that are not named are not expected. */
function checkStatuses(
  statuses: Readonly<Record<string, unknown>> | undefined,
  responses: readonly StepResponse[],
  variables: Variables,
): ComparedValue[] {
  if (!statuses) return []
  const found = responses.map(({ status }) => (status === 0 ? 'dropped' : String(status)))
  const count = (status: string) => found.filter((one) => one === status).length
  const at = ['expect', 'statuses']
  const unexpected = [...new Set(found)].filter((status) => !Object.hasOwn(statuses, status)).sort()
  return [
    ...Object.entries(fillVariables(statuses, variables)).flatMap(([status, expected]) =>
      compareValues(`responses with ${status}`, expected, count(status), [...at, status]),
    ),
    ...unexpected.flatMap((status) => compareValues(`responses with ${status}`, 0, count(status), at)),
  ]
}

const roundMs = (ms: number) => Math.round(ms * 10) / 10

/** The executor fills in the path, because its values are percent-encoded. */
const withoutPath = (step: Step | ScenarioSetup): Step | ScenarioSetup =>
  'request' in step && typeof step.request === 'string' ? { ...step, request: '' } : step

/** A title with the names of variables instead of their values. */
export const stageTitle = (stage: Stage): string => withRound(stage, titleOf(stage.kind, stage.step, stage.step))

const withRound = ({ round }: Stage, title: string) =>
  round === undefined ? title : `${title} (${round.number} of ${round.of})`

function titleOf(kind: Stage['kind'], original: Stage['step'], step: Step | ScenarioSetup): string {
  if ('name' in step && step.name !== undefined) return step.name
  switch (kind) {
    case 'given':
      return 'given'
    case 'request':
      return (original as StepOf<'request'>).request
    case 'inject':
      return `inject ${String((step as StepOf<'inject'>).inject.transaction_type ?? '')}`.trim()
    case 'advance': {
      const { advance } = step as StepOf<'advance'>
      const states = untilStates(advance)
      if (states) return `advance until ${Object.entries(states).map(formatState).join(', ')}`
      return `advance ${typeof advance === 'string' ? advance : Object.entries(advance).flat().join(' ')}`
    }
    case 'decide': {
      const { record, move } = (step as StepOf<'decide'>).decide
      return `${move} ${record}`
    }
    case 'operator':
      return (step as StepOf<'operator'>).operator.call
    case 'together': {
      const { together, times = 1 } = step as StepOf<'together'>
      return `together ${together.length} ${together.length === 1 ? 'request' : 'requests'}${times === 1 ? '' : `, ${times} times each`}`
    }
    case 'restart':
      return 'restart the sandbox'
    case 'expect':
      return `expect ${Object.entries((step as StepOf<'expect'>).expect)
        .flatMap(([key, part]) => (key === 'events' ? (part as ExpectedEvent[]).map(formatExpectedEvent) : key))
        .join(', ')}`
  }
}

/** `event transfers.created`, `no event transfers`, `2 events transfers.created`; `events` if a matcher counts them. */
function formatExpectedEvent({ event, times = 1 }: ExpectedEvent): string {
  const count = typeof times === 'object' || times === 1 ? '' : `${times === 0 ? 'no' : times} `
  return `${count}${times === 0 || times === 1 ? 'event' : 'events'} ${event}`
}

const formatState = ([record, status]: [string, unknown]) =>
  `${record} is ${typeof status === 'string' ? status : JSON.stringify(status)}`

/** Converts a path of filled-in keys to the keys of the file. */
function toFilePath(step: unknown, at: Path, variables: Variables): Path {
  const [first, ...rest] = at
  if (first === undefined || typeof step !== 'object' || step === null) return at
  const isMatch = (key: string) =>
    key === String(first) || Object.hasOwn(fillVariables({ [key]: null }, variables), first)
  const key = Array.isArray(step) ? first : (Object.keys(step).find(isMatch) ?? first)
  return [key, ...toFilePath((step as Readonly<Record<string | number, unknown>>)[key], rest, variables)]
}
