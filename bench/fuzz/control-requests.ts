import { collectionNames } from '../../src/api/contract/collections.ts'
import { type MethodName, methodNames } from '../../src/api/contract/control/methods.ts'
import { decisionsFor } from '../../src/api/domain/resources/decisions.ts'
import type { Body } from '../support/client.ts'
import { exampleInput, inputSchemas } from '../support/examples.ts'
import type { Random } from '../support/random.ts'
import { recordingText, scenarioText } from './files.ts'
import type { RequestContext } from './requests.ts'
import { vary } from './valid-requests.ts'
import { oddName, oddValue, oddWord, valueFor } from './values.ts'

/** Calls of control methods: time passes often, worlds are replaced seldom. */

const USUAL_WEIGHT = 0.5
const WEIGHTS: Readonly<Partial<Record<MethodName, number>>> = {
  'clock.advance': 50,
  'moves.list': 6,
  'moves.make': 10,
  'tasks.run': 3,
  'exchanges.get': 2,
  why: 3,
  'records.get': 3,
  'records.list': 4,
  'records.history': 3,
  'programs.update': 2,
  'events.list': 1.5,
  'records.actions': 2,
  'webhooks.create': 1.5,
  'snapshots.keep': 0.8,
  'faults.set': 1,
  'clock.set': 1,
  'world.reset': 0.15,
  'worlds.keep': 0.1,
  'bundles.export': 0.1,
  'bundles.import': 0,
  'faults.clear': 0.1,
}
const ROWS = methodNames.map((name) => [WEIGHTS[name] ?? USUAL_WEIGHT, name] as const)

export function controlCall(context: RequestContext): readonly [MethodName, unknown] {
  const { random, records } = context
  const name = random.pickWeighted(ROWS)
  const own = OWN_INPUTS[name]
  // Another method may be called by its schema alone: it does not end the run.
  if (own && (NEVER_MUTATED.has(name) || random.chance(0.7))) return [name, own(context)]
  const schema = inputSchemas.get(name)!
  const isByExample = random.chance(0.7)
  const findUid = records.uidFinder(random)
  return [
    name,
    isByExample ? vary(exampleInput(name, records.examples), schema, context) : valueFor(schema, random, findUid),
  ]
}

type CreateInput = (context: RequestContext) => unknown

/** Inputs that depend on what the run has done, and those with which the run goes on in this place. */
const OWN_INPUTS: Readonly<Partial<Record<MethodName, CreateInput>>> = {
  'clock.advance': ({ random }) =>
    random.pickWeighted<object>([
      [32, { by: `PT${random.between(1, 6)}S` }],
      [14, { by: random.pick(['PT6M', 'PT24H', 'P5D']) }],
      [8, { until: random.pick(['next', 'next', 'next', 'idle']) }],
      [4, { business_days: random.between(1, 6) }],
      [1, { to: random.pick(['soon', '2001-01-01', '2026-02-30', '', '12:00']) }],
    ]),
  'clock.set': ({ random }) => ({ pace: random.pick(['fast', 'real']) }),
  'moves.make': decision,
  'exchanges.get': ({ random, exchanges }) => ({ uid: `x${random.between(1, exchanges() + 2)}` }),
  'programs.update': ({ random, records }) => ({
    uid: records.uid('programs', random) ?? 'unknown',
    ...settings(random),
  }),
  'programs.create': ({ nextNumber }) => ({ name: `Program ${nextNumber()}` }),
  // A new key of the main Program would end the run.
  'programs.rotate_key': ({ records }) => ({
    uid: records.all('programs').find(({ uid }) => uid !== records.mainProgram)?.uid ?? 'unknown',
  }),
  'world.reset': ({ random }) => ({ world: random.pick(['demo', 'demo', 'empty']) }),
  'world.rewind': ({ random }) => ({ seq: random.below(400) }),
  'operations.undo': ({ random }) => (random.chance(0.5) ? {} : { operation: random.below(400) }),
  'scenarios.run': ({ random }) => ({
    text: scenarioText(random),
    into: random.pick(['scratch', 'scratch', 'present']),
  }),
  'scenarios.step': ({ random }) => (random.chance(0.5) ? {} : { text: scenarioText(random) }),
  'scenarios.save': ({ random }) => ({ name: 'mine', text: scenarioText(random) }),
  'bundles.export': ({ random }) => ({ note: oddWord(random) }),
  'exchanges.replay': replay,
  'faults.set': ({ random }) => ({ faults: [fault(random)] }),
  'worlds.create': ({ random }) => ({
    ...(random.chance(0.5) ? { name: 'branch' } : {}),
    from: random.pick<unknown>(['demo', 'empty', 'current', { commit: random.below(100) }, { world: 'world-1' }]),
  }),
  // It would write folders: the path of a file is refused.
  'worlds.keep': () => ({ name: 'branch', folder: process.execPath }),
  'webhooks.create': ({ random, receivers }) => ({
    ...webhookSettings(random),
    url: random.chance(0.3) ? null : random.pick(receivers),
    confirm: random.chance(0.2),
  }),
  'webhooks.update': ({ random, records }) => ({
    uid: records.uid('webhooks', random) ?? 'unknown',
    ...webhookSettings(random),
    ...(random.chance(0.4) ? { status: random.pick(['active', 'paused']) } : {}),
  }),
  'webhooks.record_attempts': ({ random, records }) => ({ outcomes: outcomes(records, random) }),
  'events.resend': ({ random, records }) => ({
    uid: records.uid('events', random) ?? 'unknown',
    ...(random.chance(0.3) ? { failure: deliveryFailure(random) } : {}),
  }),
}

/** Their mutations may be valid and never end, such as an advance over ten thousand years, or end the run. */
export const NEVER_MUTATED: ReadonlySet<string> = new Set<MethodName>([
  ...(['clock.advance', 'clock.set', 'faults.set', 'worlds.keep', 'webhooks.create'] as const),
  ...(['programs.rotate_key', 'programs.update', 'programs.create'] as const),
])

/** Mostly a decision that moves.list offered. */
function decision({ records, random }: RequestContext): Body {
  if (records.offers.length === 0 || random.chance(0.2))
    return { ...records.anyRecord(random), move: random.pick(DECISIONS), inputs: decisionInputs(random) }
  const { collection, uid, move, inputs } = random.pick(records.offers)
  const filled = inputs
    .filter(({ required }) => required || random.chance(0.3))
    .map(({ name, values }) => [name, values ? random.pick(values) : 'asked for'])
  return { collection, uid, move, inputs: Object.fromEntries(filled) }
}

const decisionInputs = (random: Random): Body =>
  random.pick<Body>([
    {},
    {},
    { reason: random.pick(['asked for', 'fraud', '']) },
    { code: random.pick(['R01', 'R10', 'C01', 'AM04']) },
    { [oddName(random)]: oddValue(random) },
  ])

const DECISIONS = collectionNames.flatMap((collection) => decisionsFor(collection).names)

const settings = (random: Random): Body =>
  random.pick<Body>([
    { pre_funding: random.chance(0.5) },
    { unanswered_authorization: random.pick(['approve', 'deny']) },
    { authorization_hours: random.pick([1, 24]) },
    { strict: random.chance(0.2) },
    { returns: random.chance(0.8), combined_transfers: random.chance(0.8) },
    { client_authorization: random.chance(0.8) },
    { queue_minutes: { ach: random.pick([0, 10]), book: random.pick([0, 1]) } },
    { vrn_cooldown_minutes: random.pick([0, 5]) },
    { limits: { ach: { maximum_amount: random.pick(['5000000.00', '10.00']) } } },
    { account_limits: { external_accounts: random.pick([null, 5]), general_accounts: random.pick([null, 3]) } },
  ])

function fault(random: Random): Body {
  const kind = random.pick(['latency', 'status', 'drop_before_commit', 'drop_after_commit', 'rate_limit', 'slow_body'])
  return { kind, ms: random.below(20), times: random.between(1, 5), rate: random.pick([0.5, 1]), per_minute: 1 }
}

const webhookSettings = (random: Random): Body =>
  random.pick<Body>([
    {},
    { topics: random.pick([null, ['transfers'], ['transactions.created', 'customers']]) },
    { envelope: random.pick(['details', 'data']), event_id_in: random.pick(['body', 'header', 'both']) },
    { retry_seconds: random.pick([[], [1], [30, 60]]) },
    { failures: [{ ...deliveryFailure(random), ...random.pick([{}, { times: 2 }, { rate: 0.5 }]) }] },
  ])

/** Of several deliveries, also of the same one twice. Those of a paused webhook are due until it is active. */
const outcomes = (records: RequestContext['records'], random: Random): Body[] =>
  Array.from({ length: random.between(1, 3) }, () => {
    const delivery = records.pick('deliveries', random, ({ status }) => status === 'due' || status === 'waiting')
    return {
      delivery_uid: delivery?.uid ?? 'unknown',
      attempt: (delivery?.attempts.length ?? 0) + 1,
      error: null,
      ms: 1,
      ...(random.chance(0.5) ? { status: 204, answer: '' } : { status: 503, answer: oddWord(random) }),
    }
  })

function deliveryFailure(random: Random): Body {
  const kind = random.pick(['hold', 'drop', 'duplicate', 'delay', 'reorder', 'corrupt_signature'])
  return { kind, ...(random.chance(0.3) ? { seconds: random.between(1, 100) } : {}) }
}

function replay({ random, records, exchanges, recent }: RequestContext): Body {
  const what = random.pickWeighted<() => Body>([
    [4, () => ({ text: recordingText(recent(), random) })],
    [2, () => ({ uids: [`x${random.between(1, exchanges() + 2)}`] })],
    [1, () => ({ since: Math.max(0, records.seq - random.below(10)) })],
  ])()
  const how = random.pickWeighted<Body>([
    [3, {}],
    [2, { into: 'then' }],
    [1, { into: 'present' }],
    [1, { into: { fresh: 'demo' } }],
    [0.5, { into: { snapshot: 'before' } }],
    [0.5, { into: 'then', keep: 'before', gaps: random.chance(0.5) }],
  ])
  return { ...what, ...how }
}
