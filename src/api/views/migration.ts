import type { Exchange, ExchangeDetail } from '../contract/control/exchanges.ts'
import type { MigrationFinding, MigrationReport } from '../contract/control/migration.ts'
import { ApiError, errors } from '../contract/errors.ts'
import { type HostedRule, hostedRules, type JudgedRequest, ruleConcerns } from '../contract/hosted.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { parseForm } from '../http/body.ts'
import type { OperatorAction } from '../store/call-log.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadWorld } from '../store/world.ts'

/** Finds in the logs of requests and actions what the platform's hosted sandbox would refuse, or do in another way. */

interface Logs {
  readonly exchanges: {
    authenticated(): Exchange[]
    entries(isWanted: (exchange: Exchange) => boolean): Iterable<ExchangeDetail>
    readonly isComplete: boolean
  }
  readonly actions: { entries(): readonly OperatorAction[] }
}

type Counted = Pick<MigrationFinding, 'count' | 'first' | 'last'>

export function* judgeInSteps(world: ReadWorld, logs: Logs, program_uid?: Uid): Steps<MigrationReport> {
  if (program_uid !== undefined && !world.collections.programs.get(program_uid))
    throw new ApiError('routeNotFound', `there is no Program ${program_uid}`)
  const isAsked = (exchange: Exchange) =>
    exchange.program_uid !== null && (program_uid === undefined || exchange.program_uid === program_uid)
  const found = new Map<HostedRule, Counted>()
  const count = (rule: HostedRule, uid: Uid) => {
    const { count, first } = found.get(rule) ?? { count: 0, first: uid }
    found.set(rule, { count: count + 1, first, last: uid })
  }
  // Only the bodies of these requests are read from the disk.
  const isCandidate = (exchange: Exchange) =>
    isAsked(exchange) && hostedRules.some((rule) => concernsEndpoint(rule, exchange))
  for (const exchange of logs.exchanges.entries(isCandidate)) {
    const request = readRequest(world, exchange)
    for (const rule of hostedRules)
      if (concernsEndpoint(rule, exchange) && ruleConcerns(rule, exchange.endpoint, request)) count(rule, exchange.uid)
    yield
  }
  let actions = 0
  for (const { name, input: text, uid } of logs.actions.entries()) {
    const input = parse(text)
    const named = name.startsWith('programs.') ? input.uid : input.program_uid
    if (program_uid === undefined || named === undefined || named === program_uid) {
      actions++
      for (const rule of hostedRules)
        if (rule.methods?.includes(name) && (rule.concernsCall?.(input, name) ?? true)) count(rule, uid)
    }
    yield
  }
  return {
    findings: hostedRules.flatMap((rule) => {
      const counted = found.get(rule)
      return counted ? [{ ...describe(rule), ...counted }] : []
    }),
    requests: logs.exchanges.authenticated().filter(isAsked).length,
    actions,
    log_complete: logs.exchanges.isComplete,
  }
}

/** A request that was refused for another reason is not counted: it is refused there, too. */
const concernsEndpoint = ({ endpoints, refusal }: HostedRule, { endpoint, status, code }: Exchange): boolean =>
  (endpoints as readonly (string | null)[] | undefined)?.includes(endpoint) === true &&
  (status < 400 || (refusal !== undefined && errors[refusal].code === code))

function readRequest(world: ReadWorld, { program_uid, request }: ExchangeDetail): JudgedRequest {
  const { programs, synthetic_account_types } = world.collections
  return {
    body: parse(request.body),
    program: programs.get(program_uid ?? '') ?? {},
    categoryOf: (uid) => synthetic_account_types.get(String(uid))?.synthetic_account_category,
  }
}

/** JSON or a form; the log may have the body without its secrets. */
function parse(text: string): Readonly<Record<string, unknown>> {
  try {
    return text.trimStart().startsWith('{') ? JSON.parse(text) : parseForm(text)
  } catch {
    return {}
  }
}

function describe({ id, published, methods, refusal, here, todo = '' }: HostedRule) {
  const { status, code, title } = refusal ? errors[refusal] : {}
  return {
    rule: id,
    published,
    of: methods ? ('actions' as const) : ('requests' as const),
    there: refusal ? `${status}, code ${code}: ${title}` : here,
    todo,
  }
}
