import { setImmediate as giveWay } from 'node:timers/promises'
import type { Advance, Clock } from '../contract/control/clock.ts'
import type { ExchangeDetail } from '../contract/control/exchanges.ts'
import { type MethodOutput, methods } from '../contract/control/methods.ts'
import type { ReplayedExchange, ReplayResult } from '../contract/control/replay.ts'
import type { Program } from '../contract/resources/programs.ts'
import { isPackedEncoding, MAX_BODY_BYTES } from '../http/body.ts'
import { createReportRedaction } from '../http/redact.ts'
import type { OperatorAction } from '../store/call-log.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import { isSendableHeader, type SandboxClient, sendRequest } from './client.ts'
import { type ComparisonContext, compareResponses, findsOthers } from './compare-responses.ts'
import { Correlation } from './correlation.ts'
import { parseJsonBody } from './json-pairs.ts'
import { headerOf } from './recordings/headers.ts'
import type { HeaderList, RecordedRequest, RecordedResponse } from './recordings/recording.ts'

/**
 * Sends recorded requests again, in order and as ordinary requests: with its own tokens, a new trace id for each recorded
 * one, and with the values that new responses have in the place of recorded ones (`Correlation`).
 */

export type ReplayStep =
  | {
      readonly request: RecordedRequest
      /** The request was handled, but the connection was dropped before its response was sent. */
      readonly isDropped?: boolean
    }
  | {
      readonly action: OperatorAction
      /** For a rewind to a commit of the record. */
      readonly rewind_to?: RewindGoal
    }

/** Of the recording. */
export const timeOf = (step: ReplayStep): string | undefined => ('action' in step ? step.action.at : step.request.at)

/**
 * A replay gives commits other numbers, and it makes none when a sandbox closes or has imported a world. So the commit of a rewind
 * is found by the step before it and the commits that were made since.
 */
export interface RewindGoal {
  /** The index of the last step before the commit; -1 if the record begins with it. */
  readonly after_step: number
  /** How many commits of the next step, or of time, came until then. */
  readonly commits: number
}

export const NO_RESPONSE: RecordedResponse = { status: 0, headers: [], body: '' }

export interface ReplayPlan {
  readonly steps: readonly ReplayStep[]
  /** Advance the clock by the recorded time between steps. */
  readonly gaps: boolean
  /** The uids of the records that existed before the record began, if known. */
  readonly known?: ReadonlySet<string>
  /** The replay runs in the world of the record. */
  readonly isSameWorld?: boolean
  /** The record comes from a bundle, so names are masked. */
  readonly isMasked?: boolean
}

export interface ReplayedAction {
  readonly name: string
  /** null if it was repeated. */
  readonly refused: string | null
}

export interface ReplayOutcome extends ReplayResult {
  readonly acts: ReplayedAction[]
}

/** `onStep` gets the number of finished steps, and returns false to stop. */
export async function replayRequests(
  client: SandboxClient,
  plan: ReplayPlan,
  onStep: (done: number) => Promise<boolean> = async () => true,
): Promise<ReplayOutcome> {
  const run = new Replay(client, plan)
  let done = 0
  while (done < plan.steps.length && (await onStep(done))) {
    await run.runStep(done++)
    await giveWay()
  }
  const { exchanges, actions } = run
  const count = (verdict: ReplayedExchange['verdict']) => exchanges.filter((it) => it.verdict === verdict).length
  return {
    same: count('same'),
    differs: count('differs'),
    refused: count('refused'),
    unrecorded: count('unrecorded'),
    left: plan.steps.length - done,
    exchanges,
    acts: actions,
  }
}

class Replay {
  readonly exchanges: ReplayedExchange[] = []
  readonly actions: ReplayedAction[] = []
  readonly #client: SandboxClient
  readonly #plan: ReplayPlan
  readonly #correlation: Correlation
  readonly #tokens = new Map<string, string>()
  #programs: readonly Program[] | undefined
  /** Simulated time; undefined if it has to be read. */
  #now: number | undefined
  /** How far simulated time is ahead of the record. */
  #shift: number | undefined
  /** The commits of the replay after the steps that rewinds count from. undefined if not known yet. */
  readonly #seqs: Map<number, number | undefined>

  constructor(client: SandboxClient, plan: ReplayPlan) {
    this.#client = client
    this.#plan = plan
    this.#correlation = new Correlation(plan.known, plan.isSameWorld)
    this.#seqs = new Map(
      plan.steps.flatMap((step) =>
        'action' in step && step.rewind_to ? [[step.rewind_to.after_step, undefined]] : [],
      ),
    )
  }

  async runStep(index: number) {
    const step = this.#plan.steps[index]!
    if (index === 0) await this.#noteSeq(-1)
    if ('request' in step) await this.#sendAgain(step.request, step.isDropped ?? false)
    else if (step.rewind_to === undefined) await this.#repeatAction(step.action)
    else await this.#rewind(step.action, step.rewind_to)
    await this.#noteSeq(index)
  }

  // ── Rewinds ────────────────────────────────────────────────────────────────────────────────────────────────────

  async #rewind({ at }: OperatorAction, { after_step, commits }: RewindGoal) {
    const after = this.#seqs.get(after_step)
    const refused = after === undefined ? DESCRIPTION_REFUSED : await this.#rewindTo(after + commits, at)
    this.#forgetWorld()
    this.actions.push({ name: 'world.rewind', refused })
  }

  /** Returns the reason if it was refused. */
  async #rewindTo(seq: number, at: string): Promise<string | null> {
    // In the record, time has made it since the last step. Otherwise time must not pass: the commits that it made would be undone.
    const newest = await this.#newestSeq()
    const refused = newest !== undefined && newest < seq ? await this.#advanceTo(at) : null
    if (refused !== null) return refused
    const reply = await this.#client.call('world.rewind', { seq })
    return reply.ok ? null : reasonOf(reply.error)
  }

  async #noteSeq(index: number) {
    if (this.#seqs.has(index)) this.#seqs.set(index, await this.#newestSeq())
  }

  async #newestSeq(): Promise<number | undefined> {
    const reply = await this.#client.call('world.describe', {})
    return reply.ok ? (reply.value as MethodOutput<'world.describe'>).seq : undefined
  }

  #forgetWorld() {
    this.#programs = undefined
    this.#tokens.clear()
    this.#now = undefined
  }

  // ── Operator actions and time ──────────────────────────────────────────────────────────────────────────────────

  async #repeatAction(action: OperatorAction) {
    const { name, at } = action
    const refused = REPLACES_WORLD.has(name)
      ? 'it replaces the world: replay the record that begins after it'
      : ((await this.#advanceTo(at)) ?? (await this.#callMethod(action)))
    // It may have changed Programs, their keys, and the time.
    this.#programs = undefined
    this.#tokens.clear()
    this.actions.push({ name, refused })
  }

  /** Returns the reason if it was refused. */
  async #callMethod({ name, input }: OperatorAction): Promise<string | null> {
    // A recording is a file from anyone, so it may call only the methods that a record can hold.
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (!method || !('isAction' in method)) return 'this is no method that changes the world'
    const recorded = withKey(parseJsonBody(this.#correlation.translate(input)) as Record<string, unknown>)
    const { gaps, isSameWorld } = this.#plan
    if (gaps && name === 'clock.advance') return null
    // Elsewhere the deliveries have other uids, and the current world sends its own.
    if (name === 'webhooks.record_attempts' && !isSameWorld) return null
    const withoutMode = gaps && name === 'clock.set' ? without(recorded, 'mode') : recorded
    const reply = await this.#client.call(name, isSameWorld ? withoutMode : forOtherWorld(name, withoutMode))
    if (!reply.ok) return reasonOf(reply.error)
    this.#now = undefined
    return null
  }

  /** Advances to the time of a step. Returns the reason if that was refused. */
  async #advanceTo(recorded: string | undefined): Promise<string | null> {
    if (!this.#plan.gaps || recorded === undefined || Number.isNaN(Date.parse(recorded))) return null
    if (this.#now === undefined) {
      const reply = await this.#client.call('clock.read', {})
      if (!reply.ok) return reasonOf(reply.error)
      this.#now = toMs((reply.value as Clock).now)
    }
    this.#shift ??= Math.max(0, this.#now - Date.parse(recorded))
    const time = Date.parse(recorded) + this.#shift
    if (time <= this.#now) return null
    const reply = await this.#client.call('clock.advance', { to: toTimestamp(time) })
    if (!reply.ok) return reasonOf(reply.error)
    this.#now = toMs((reply.value as Advance).to)
    this.#tokens.clear()
    return null
  }

  // ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────

  async #sendAgain(request: RecordedRequest, isDropped: boolean) {
    const { method, response: recorded } = request
    const { gaps, isMasked = false } = this.#plan
    const refused = await this.#advanceTo(request.at)
    if (refused !== null) this.actions.push({ name: 'clock.advance', refused })
    const correlation = this.#correlation
    const path = correlation.translate(request.path)
    const body = recorded?.status === 413 ? 'x'.repeat(MAX_BODY_BYTES + 1) : correlation.translate(request.body)
    const headers = await this.#headersFor(request)
    correlation.learnRequest(request.path, request.headers, request.body)
    const replayed = await sendRequest(this.#client.api, { method, path, headers, body }, this.#client.run)
    const ignoresBody =
      isMasked && recorded !== null && PARTIAL_SEARCH.test(request.path) && findsOthers(recorded, replayed, correlation)
    if (recorded && replayed.status !== 0 && !ignoresBody) {
      const isCreation = method === 'POST' && isSuccess(recorded)
      correlation.learnResponse(parseJsonBody(recorded.body), parseJsonBody(replayed.body), isCreation)
    }
    // If the connection was dropped again, compare with the dropped connection, else with the response that was not sent.
    const response = isDropped && replayed.status === 0 ? NO_RESPONSE : recorded
    const context = {
      correlation,
      shift_ms: gaps ? (this.#shift ?? 0) : null,
      ignoresOrder: isMasked && /[?&]sort(\[\])?=/.test(request.path),
      ignoresBody,
    }
    const compared = compareExchange(this.exchanges.length, { ...request, response }, replayed, context)
    const refusal = compared.verdict === 'refused' ? await this.#readRefusal(headers) : undefined
    this.exchanges.push(refusal ? { ...compared, refusal } : compared)
  }

  /** The recorded headers, with a token and a trace id of this replay. */
  async #headersFor({ method, path, headers, response, program_uid }: RecordedRequest): Promise<HeaderList> {
    const program = await this.#findProgram(program_uid)
    const isSigningIn = method === 'POST' && /^\/auth\/?(\?|$)/.test(path)
    const result: (readonly [string, string])[] = []
    for (const [name, value] of headers) {
      const lower = name.toLowerCase()
      if (lower === 'authorization') {
        if (response?.status === 401) result.push([name, INVALID_TOKEN])
        else if (program)
          result.push([name, isSigningIn ? await this.#client.refreshToken(program) : await this.#tokenOf(program)])
      } else if (lower === 'x-trace-id') {
        if (program && isRepeatedTraceId(response) && !this.#correlation.hasTraceId(value))
          await this.#spendTraceId(program, value)
        result.push([name, this.#correlation.mapTraceId(value)])
      } else if (!(lower === 'content-encoding' && isPackedEncoding(value)) && isSendableHeader(name, value))
        result.push([name, value])
    }
    return result
  }

  /** For a repeated trace id whose first use came before the record. */
  async #spendTraceId(program: Program, trace: string) {
    const headers = [
      ['authorization', await this.#tokenOf(program)],
      ['x-trace-id', this.#correlation.mapTraceId(trace)],
    ] as const
    await sendRequest(this.#client.api, { method: 'GET', path: '/pools?limit=1', headers, body: '' })
  }

  /** The Program of the request, or the one that corresponds to it; else the first. */
  async #findProgram(uid: string | undefined): Promise<Program | undefined> {
    this.#programs ??= await this.#client.programs()
    const current = uid === undefined ? undefined : this.#correlation.currentUid(uid)
    return this.#programs.find((program) => program.uid === current) ?? this.#programs[0]
  }

  /** What the log says of the request with this trace id. Undefined if it cannot be read, or has more than one. */
  async #readRefusal(headers: HeaderList): Promise<ExchangeDetail['refusal'] | undefined> {
    const listed = await this.#client.call('exchanges.list', {
      trace_id: headerOf(headers, 'x-trace-id') ?? '',
      limit: 2,
    })
    const [found, other] = listed.ok ? (listed.value as MethodOutput<'exchanges.list'>).data : []
    if (!found || other) return undefined
    const read = await this.#client.call('exchanges.get', { uid: found.uid })
    return read.ok ? (read.value as ExchangeDetail).refusal : undefined
  }

  async #tokenOf(program: Program): Promise<string> {
    const known = this.#tokens.get(program.uid)
    if (known !== undefined) return known
    const token = await this.#client.token(program)
    this.#tokens.set(program.uid, token)
    return token
  }
}

/** The filters that find a part of a text. */
const PARTIAL_SEARCH = /[?&](?:business_name|search_description)(?:\[\])?=/

const DESCRIPTION_REFUSED = 'the commit is not known, because world.describe was refused'

/** Refused like every token that was refused in the record. */
const INVALID_TOKEN = 'auth-refused-in-the-record'

/** The control methods that replace the world. */
export const REPLACES_WORLD: ReadonlySet<string> = new Set([
  'snapshots.restore',
  'world.reset',
  'world.rewind',
  'bundles.import',
])

function compareExchange(
  index: number,
  { method, path, response }: RecordedRequest,
  replayed: RecordedResponse,
  context: ComparisonContext,
): ReplayedExchange {
  const differences = response ? compareResponses(response, replayed, context) : []
  return redact({
    index,
    method,
    path: REDACTION.redactPath(path),
    verdict: verdictOf(response, replayed, differences.length),
    recorded: response && withParsedBody(response),
    replayed: withParsedBody(replayed),
    differences,
  })
}

function verdictOf(recorded: RecordedResponse | null, replayed: RecordedResponse, differences: number) {
  if (!isSuccess(replayed) && (!recorded || isSuccess(recorded))) return 'refused'
  if (!recorded) return 'unrecorded'
  return differences === 0 ? 'same' : 'differs'
}

const REDACTION = createReportRedaction()
const redact = (exchange: ReplayedExchange) =>
  JSON.parse(REDACTION.redactText(JSON.stringify(exchange))) as ReplayedExchange

const isSuccess = ({ status }: RecordedResponse) => status >= 200 && status < 400

const isRepeatedTraceId = (response: RecordedResponse | null) =>
  response?.status === 409 && /"code":\s*1012\b/.test(response.body)

const withParsedBody = ({ status, body }: RecordedResponse) => ({ status, body: parseJsonBody(body) ?? body })

const reasonOf = (error: { errors: readonly { detail: string; extra?: string | undefined }[] }) => {
  const [first] = error.errors
  return first ? (first.extra ?? first.detail) : 'refused'
}

/** The log has no keys; any other one works, because the replay signs its own tokens. */
export const withKey = <T>(input: T): T =>
  typeof (input as { hmac_key?: unknown } | null)?.hmac_key === 'string'
    ? { ...input, hmac_key: 'a-key-for-the-replay' }
    : input

/** A recording from elsewhere must not open this sandbox to a network, and its older events are not of this world. */
function forOtherWorld(name: string, input: Record<string, unknown>): Record<string, unknown> {
  const closed = ['allowlist', 'webhook_hosts', 'older'].reduce(without, input)
  return name.startsWith('webhooks.') && 'url' in closed ? { ...closed, url: null } : closed
}

const without = (value: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
