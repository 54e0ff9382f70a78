import { setImmediate as breathe } from 'node:timers/promises'
import { type Advance, type Clock, methods, type ReplayedExchange, type ReplayResult } from '../contract/control.ts'
import type { Program } from '../contract/resources/programs.ts'
import { MAX_BODY_BYTES } from '../http/body.ts'
import { Redaction } from '../http/redact.ts'
import { toMs, toTimestamp } from '../store/clock.ts'
import { canBeSent, type SandboxClient, sendRequest } from './client.ts'
import { Correlation } from './correlation.ts'
import { differences, type Understood } from './difference.ts'
import { parsed } from './json-pairs.ts'
import type { OperatorAction } from './operator-log.ts'
import type { HeaderList, RecordedAnswer, RecordedRequest } from './recordings/recording.ts'

/**
 * A record, sent again in its order through the same pipeline as everybody's requests: with tokens of its own, one
 * trace id for one, and what was introduced by recorded answers replaced by what stands for it now.
 */

export type Step =
  | {
      readonly request: RecordedRequest
      /** The connection was dropped after the work was done: the answer was made, and the caller got none. */
      readonly isDropped?: boolean
    }
  | { readonly act: OperatorAction }

export const DROPPED: RecordedAnswer = { status: 0, headers: [], body: '' }

export interface ReplayPlan {
  readonly steps: readonly Step[]
  /** Simulated time moves on as it did in the record. */
  readonly gaps: boolean
  /** The uids of what was there before the record begins, where they are known. */
  readonly known?: ReadonlySet<string>
  /** It goes into the world that it was recorded in. */
  readonly isSameWorld?: boolean
  /** The record names its records by masked words. */
  readonly isMasked?: boolean
}

export interface ReplayedAct {
  readonly name: string
  /** null when it was done again. */
  readonly refused: string | null
}

export interface ReplayOutcome extends ReplayResult {
  readonly acts: ReplayedAct[]
}

/** `goOn` is told how many steps are done, and answers false to end it there. */
export async function replay(
  target: SandboxClient,
  plan: ReplayPlan,
  goOn: (done: number) => Promise<boolean> = async () => true,
): Promise<ReplayOutcome> {
  const run = new Replay(target, plan)
  let done = 0
  while (done < plan.steps.length && (await goOn(done))) {
    await run.take(plan.steps[done++]!)
    await breathe()
  }
  const { exchanges, acts } = run
  const count = (verdict: ReplayedExchange['verdict']) => exchanges.filter((it) => it.verdict === verdict).length
  return {
    same: count('same'),
    differs: count('differs'),
    refused: count('refused'),
    unrecorded: count('unrecorded'),
    left: plan.steps.length - done,
    exchanges,
    acts,
  }
}

class Replay {
  readonly exchanges: ReplayedExchange[] = []
  readonly acts: ReplayedAct[] = []
  readonly #target: SandboxClient
  readonly #plan: ReplayPlan
  readonly #correlation: Correlation
  readonly #tokens = new Map<string, string>()
  #programs: readonly Program[] | undefined
  #now: number | undefined
  #shift: number | undefined

  constructor(target: SandboxClient, plan: ReplayPlan) {
    this.#target = target
    this.#plan = plan
    this.#correlation = new Correlation(plan.known, plan.isSameWorld)
  }

  async take(step: Step) {
    if ('act' in step) await this.#act(step.act)
    else await this.#request(step.request, step.isDropped ?? false)
  }

  // ── The operator and time ────────────────────────────────────────────────────────────────────────────────────────

  async #act(act: OperatorAction) {
    const { name, at } = act
    const refused = PUTS_A_WORLD_IN_PLACE.has(name)
      ? 'another world was put in the place of that one: replay what came after it'
      : ((await this.#moveTo(at)) ?? (await this.#do(act)))
    // What an operator does may change Programs, their keys, and the time.
    this.#programs = undefined
    this.#tokens.clear()
    this.acts.push({ name, refused })
  }

  /** Answers with why it was refused. */
  async #do({ name, input }: OperatorAction): Promise<string | null> {
    // Whoever writes a file must not reach more of the operator's door than a record does.
    const method = Object.hasOwn(methods, name) ? methods[name] : undefined
    if (!method || !('acts' in method)) return 'that is nothing an operator does to a world'
    const given = withStandIn(parsed(this.#correlation.translated(input)) as Record<string, unknown>)
    if (this.#plan.gaps && name === 'clock.advance') return null
    // The record's own times move the clock.
    const timeless = this.#plan.gaps && name === 'clock.set' ? without(given, 'mode') : given
    // Nobody's record opens a world of ours to a network.
    const asked = this.#plan.isSameWorld ? timeless : without(timeless, 'allowlist')
    const reply = await this.#target.call(name, asked)
    if (!reply.ok) return why(reply.error)
    this.#now = undefined
    return null
  }

  /** Answers with why time could not be moved. */
  async #moveTo(recorded: string | undefined): Promise<string | null> {
    if (!this.#plan.gaps || recorded === undefined || Number.isNaN(Date.parse(recorded))) return null
    if (this.#now === undefined) {
      const reply = await this.#target.call('clock.read', {})
      if (!reply.ok) return why(reply.error)
      this.#now = toMs((reply.value as Clock).now)
    }
    this.#shift ??= Math.max(0, this.#now - Date.parse(recorded))
    const wanted = Date.parse(recorded) + this.#shift
    if (wanted <= this.#now) return null
    const reply = await this.#target.call('clock.advance', { to: toTimestamp(wanted) })
    if (!reply.ok) return why(reply.error)
    this.#now = toMs((reply.value as Advance).to)
    this.#tokens.clear()
    return null
  }

  // ── Requests ─────────────────────────────────────────────────────────────────────────────────────────────────────

  async #request(request: RecordedRequest, isDropped: boolean) {
    const { method, answer: recorded } = request
    const stuck = await this.#moveTo(request.at)
    if (stuck !== null) this.acts.push({ name: 'clock.advance', refused: stuck })
    const correlation = this.#correlation
    const path = correlation.translated(request.path)
    const body = recorded?.status === 413 ? 'x'.repeat(MAX_BODY_BYTES + 1) : correlation.translated(request.body)
    const headers = await this.#headers(request)
    correlation.sends(request.path, request.headers, request.body)
    const replayed = await sendRequest(this.#target.api, { method, path, headers, body })
    // An answer that never came says nothing of what was done.
    if (recorded && replayed.status !== 0) {
      const made = method === 'POST' && isDone(recorded)
      correlation.learns(parsed(recorded.body), parsed(replayed.body), made)
    }
    // Dropped again, it is what the caller saw then; else the answer that was made can be compared.
    const answer = isDropped && replayed.status === 0 ? DROPPED : recorded
    const understood = this.#understoodOf(request.path)
    this.exchanges.push(compared(this.exchanges.length, { ...request, answer }, replayed, understood))
  }

  #understoodOf(path: string): Understood {
    const { gaps, isMasked = false } = this.#plan
    const shift_ms = gaps ? (this.#shift ?? 0) : null
    return { correlation: this.#correlation, shift_ms, sortsOtherwise: isMasked && /[?&]sort(\[\])?=/.test(path) }
  }

  /** Those of the record, with a token and a trace id of our own in the place of theirs. */
  async #headers({ method, path, headers, answer, program_uid }: RecordedRequest): Promise<HeaderList> {
    const program = await this.#program(program_uid)
    const isSigningIn = method === 'POST' && /^\/auth\/?(\?|$)/.test(path)
    const sent: (readonly [string, string])[] = []
    for (const [name, value] of headers) {
      const lower = name.toLowerCase()
      if (lower === 'authorization') {
        // A token that was refused is refused again: there is one answer for every cause.
        if (answer?.status === 401) sent.push([name, 'auth-refused-in-the-record'])
        else if (program)
          sent.push([name, isSigningIn ? await this.#target.refreshToken(program) : await this.#token(program)])
      } else if (lower === 'x-trace-id') {
        if (program && isRepeat(answer) && !this.#correlation.hasTrace(value)) await this.#use(program, value)
        sent.push([name, this.#correlation.trace(value)])
      } else if (canBeSent(name, value)) sent.push([name, value])
    }
    return sent
  }

  /** A trace id that was sent before the record begins. */
  async #use(program: Program, trace: string) {
    const headers = [
      ['authorization', await this.#token(program)],
      ['x-trace-id', this.#correlation.trace(trace)],
    ] as const
    await sendRequest(this.#target.api, { method: 'GET', path: '/pools?limit=1', headers, body: '' })
  }

  /** The one that sent it, or what has become of it; else the first. */
  async #program(uid: string | undefined): Promise<Program | undefined> {
    this.#programs ??= await this.#target.programs()
    const today = uid === undefined ? undefined : this.#correlation.twinOf(uid)
    return this.#programs.find((program) => program.uid === today) ?? this.#programs[0]
  }

  async #token(program: Program): Promise<string> {
    const known = this.#tokens.get(program.uid)
    if (known !== undefined) return known
    const token = await this.#target.token(program)
    this.#tokens.set(program.uid, token)
    return token
  }
}

/** What came before them is not of the world any more. */
export const PUTS_A_WORLD_IN_PLACE: ReadonlySet<string> = new Set([
  'snapshots.restore',
  'world.reset',
  'world.rewind',
  'bundles.import',
])

function compared(
  index: number,
  { method, path, answer }: RecordedRequest,
  replayed: RecordedAnswer,
  understood: Understood,
): ReplayedExchange {
  // An answer to HEAD has no body, whatever was made for it.
  const then = answer && method === 'HEAD' ? { ...answer, body: replayed.body } : answer
  const found = then ? differences(then, replayed, understood) : []
  const verdict = !answer
    ? 'unrecorded'
    : found.length === 0
      ? 'same'
      : isDone(answer) && !isDone(replayed)
        ? 'refused'
        : 'differs'
  return cleaned({
    index,
    method,
    path: REDACTION.redactPath(path),
    verdict,
    recorded: then && shown(then),
    replayed: shown(replayed),
    differences: found,
  })
}

/** Reports leave the machine: what the request log does not keep, they do not tell. */
const REDACTION = new Redaction(
  () => ({ seal: () => '[masked]', open: (text) => text }),
  () => [],
)
const cleaned = (exchange: ReplayedExchange) =>
  JSON.parse(REDACTION.redactText(JSON.stringify(exchange))) as ReplayedExchange

const isDone = ({ status }: RecordedAnswer) => status >= 200 && status < 400

const isRepeat = (answer: RecordedAnswer | null) => answer?.status === 409 && /"code":\s*1012\b/.test(answer.body)

const shown = ({ status, body }: RecordedAnswer) => ({ status, body: parsed(body) ?? body })

const why = (error: { errors: readonly { detail: string; extra?: string | undefined }[] }) => {
  const [first] = error.errors
  return first ? (first.extra ?? first.detail) : 'refused'
}

/** The log takes keys out; any other does as well, as tokens are our own. */
const withStandIn = (input: Record<string, unknown>) =>
  typeof input?.hmac_key === 'string' ? { ...input, hmac_key: 'a-key-that-stands-in-for-another' } : input

const without = (value: Record<string, unknown>, name: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== name))
