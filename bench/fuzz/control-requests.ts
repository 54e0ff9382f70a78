import { type MethodName, methodNames, methods } from '../../src/api/contract/control/methods.ts'
import { type JsonSchema, jsonSchema } from '../../src/api/contract/openapi.ts'
import type { Body } from '../support/client.ts'
import type { Random } from '../support/random.ts'
import { recordingText, scenarioText } from './files.ts'
import { type RequestContext, withoutReferences } from './requests.ts'
import { oddName, oddValue, oddWord, valueFor } from './values.ts'

type Operation = readonly [weight: number, call: () => readonly [MethodName, unknown]]

export const controlInputs = new Map<MethodName, JsonSchema>(
  methodNames.map((name) => [name, withoutReferences(jsonSchema(methods[name].input, 'input'))]),
)

/** Weights and inputs: time passes often, worlds are replaced seldom. A method that is not listed is called by its schema. */
export function controlOperations(context: RequestContext): readonly Operation[] {
  const { records, random, nextNumber, recent, exchanges, receivers } = context
  const anyRecord = () => {
    const collection = random.pick(CHANGING_COLLECTIONS)
    return { collection, uid: records.uid(collection, random) ?? 'unknown' }
  }
  const snapshotName = () => ({ name: `snapshot ${random.below(4)}` })
  const scenarioName = () => `fuzz-${random.below(3)}`
  const worldName = () => ({ name: random.pick(['world-1', 'world-2', 'fuzz-1', 'fuzz-2']) })
  const programs = records.all('programs').filter(({ uid }) => uid !== records.mainProgram)
  const webhook = () => ({ uid: records.uid('webhooks', random) ?? 'unknown' })
  const event = () => ({ uid: records.uid('events', random) ?? 'unknown' })
  // A new key of the main Program would end the run.
  const secondProgram = () => (programs.length === 0 ? 'unknown' : random.pick(programs).uid)
  const by = () =>
    random.pickWeighted([
      [8, `PT${random.between(1, 6)}S`],
      [2, 'PT6M'],
      [2, 'PT24H'],
      [1, 'P5D'],
    ])
  const rest = methodNames.filter((name) => !LISTED.has(name))
  return [
    [40, () => ['clock.advance', { by: by() }]],
    [6, () => ['clock.advance', { until: 'next' }]],
    [2, () => ['clock.advance', { until: 'idle' }]],
    [4, () => ['clock.advance', { business_days: random.between(1, 6) }]],
    [1, () => ['clock.set', { pace: random.pick(['fast', 'real']) }]],
    [1, () => ['clock.advance', { to: random.pick(['soon', '2001-01-01', '2026-02-30', '', '12:00']) }]],
    [6, () => ['moves.list', anyRecord()]],
    [2, () => ['records.actions', anyRecord()]],
    [10, () => ['moves.make', decisionAbout(anyRecord(), context)]],
    [3, () => ['records.get', anyRecord()]],
    [4, () => ['records.list', { collection: random.pick(CHANGING_COLLECTIONS), limit: random.between(0, 20) }]],
    [3, () => ['records.history', { ...anyRecord(), limit: 20 }]],
    [2, () => ['records.story', { uid: records.uid('customers', random) ?? 'unknown', limit: 50 }]],
    [
      2,
      () => [
        'customers.map',
        {
          customer_uid: records.uid('customers', random) ?? 'unknown',
          period: random.pick(['hour', 'week', 'all']),
          limit: random.pick([1, 2, 30]),
        },
      ],
    ],
    [
      3,
      () => [
        'why',
        { ...anyRecord(), ...(random.chance(0.3) ? { field: random.pick(['status', 'uid', 'details.phone']) } : {}) },
      ],
    ],
    [3, () => ['tasks.run', { uid: records.uid('tasks', random) ?? 'unknown' }]],
    [1, () => ['tasks.hold', { uid: records.uid('tasks', random) ?? 'unknown' }]],
    [1, () => ['tasks.release', { uid: records.uid('tasks', random) ?? 'unknown' }]],
    [2, () => ['exchanges.get', { uid: `x${random.between(1, exchanges() + 2)}` }]],
    [2, () => ['programs.update', { uid: records.uid('programs', random) ?? 'unknown', ...settings(random) }]],
    [0.5, () => ['programs.create', { name: `Program ${nextNumber()}` }]],
    [0.5, () => ['snapshots.keep', snapshotName()]],
    [0.4, () => ['snapshots.restore', snapshotName()]],
    [0.4, () => ['snapshots.delete', snapshotName()]],
    [0.4, () => ['snapshots.compare', { a: snapshotName().name }]],
    [0.15, () => ['world.reset', { world: random.pick(['demo', 'demo', 'empty']) }]],
    [0.4, () => ['world.rewind', { seq: random.below(400) }]],
    [0.5, () => ['records.related', anyRecord()]],
    [0.3, () => ['programs.rotate_key', { uid: secondProgram() }]],
    [
      0.3,
      () => ['scenarios.run', { text: scenarioText(random), into: random.pick(['scratch', 'scratch', 'present']) }],
    ],
    [0.1, () => ['scenarios.run', { name: scenarioName() }]],
    [0.2, () => ['scenarios.step', random.chance(0.5) ? {} : { text: scenarioText(random) }]],
    [0.2, () => ['scenarios.save', { name: scenarioName(), text: scenarioText(random) }]],
    [0.1, () => ['scenarios.read', { name: scenarioName() }]],
    [0.1, () => ['scenarios.delete', { name: scenarioName() }]],
    [0.05, () => ['scenarios.list', {}]],
    [0.1, () => ['scenarios.pause', {}]],
    [0.1, () => ['scenarios.record', {}]],
    [0.1, () => ['bundles.export', { note: oddWord(random) }]],
    [0.4, () => ['exchanges.replay', { text: recordingText(recent(), random), ...replayOptions(random) }]],
    [0.2, () => ['exchanges.replay', { uids: [`x${random.between(1, exchanges() + 2)}`], ...replayOptions(random) }]],
    [0.1, () => ['exchanges.replay', { since: Math.max(0, records.seq - random.below(10)), ...replayOptions(random) }]],
    [0.5, () => ['world.describe', {}]],
    [1, () => ['faults.set', { faults: [fault(random)] }]],
    [0.4, () => ['worlds.create', { ...(random.chance(0.5) ? worldName() : {}), from: worldOrigin(random) }]],
    [0.4, () => ['worlds.drop', worldName()]],
    [0.2, () => ['worlds.compare', { b: worldName().name }]],
    [
      1.5,
      () => [
        'webhooks.create',
        {
          ...webhookSettings(random),
          url: random.chance(0.3) ? null : random.pick(receivers),
          confirm: random.chance(0.2),
        },
      ],
    ],
    [0.3, () => ['webhooks.list', {}]],
    [0.5, () => ['webhooks.update', { ...webhook(), ...webhookSettings(random) }]],
    [0.2, () => ['webhooks.update', { ...webhook(), status: random.pick(['active', 'paused']) }]],
    [0.4, () => ['webhooks.delete', webhook()]],
    [0.4, () => ['webhooks.test', webhook()]],
    [0.4, () => ['webhooks.record_attempts', { outcomes: outcomes(records, random) }]],
    [1.5, () => ['events.list', { limit: random.between(1, 20) }]],
    [0.4, () => ['events.get', event()]],
    [0.5, () => ['events.resend', { ...event(), ...(random.chance(0.3) ? { failure: deliveryFailure(random) } : {}) }]],
    [0.5, () => ['events.hold', event()]],
    [
      0.5,
      () => ['events.release', { ...event(), ...(random.chance(0.3) ? { failure: deliveryFailure(random) } : {}) }],
    ],
    // It would write folders: the path of a file is refused.
    [0.1, () => ['worlds.keep', { ...worldName(), folder: process.execPath }]],
    ...rest.map(
      (name) =>
        [0.6, () => [name, valueFor(controlInputs.get(name)!, random, records.uidFinder(random))] as const] as const,
    ),
  ]
}

/** Mostly a decision that moves.list offered. */
function decisionAbout(record: Body, { records: { offers }, random }: RequestContext): Body {
  if (offers.length === 0 || random.chance(0.2))
    return { ...record, move: random.pick(DECISIONS), inputs: decisionInputs(random) }
  const { collection, uid, move, inputs } = random.pick(offers)
  const filled = inputs
    .filter(({ required }) => required || random.chance(0.3))
    .map(({ name, values }) => [name, values ? random.pick(values) : 'asked for'])
  return { collection, uid, move, inputs: Object.fromEntries(filled) }
}

function decisionInputs(random: Random): Body {
  return random.pick<Body>([
    {},
    {},
    { reason: random.pick(['asked for', 'fraud', '']) },
    { code: random.pick(['R01', 'R10', 'C01', 'AM04']) },
    { [oddName(random)]: oddValue(random) },
  ])
}

function settings(random: Random): Body {
  return random.pick<Body>([
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
}

function fault(random: Random): Body {
  const kind = random.pick(['latency', 'status', 'drop_before_commit', 'drop_after_commit', 'rate_limit', 'slow_body'])
  return { kind, ms: random.below(20), times: random.between(1, 5), rate: random.pick([0.5, 1]), per_minute: 1 }
}

function webhookSettings(random: Random): Body {
  return random.pick<Body>([
    {},
    { topics: random.pick([null, ['transfers'], ['transactions.created', 'customers']]) },
    { envelope: random.pick(['details', 'data']), event_id_in: random.pick(['body', 'header', 'both']) },
    { retry_seconds: random.pick([[], [1], [30, 60]]) },
    { failures: [{ ...deliveryFailure(random), ...random.pick([{}, { times: 2 }, { rate: 0.5 }]) }] },
  ])
}

/** The deliveries of a paused webhook are due until it is active. */
const isUnfinished = ({ status }: Body) => status === 'due' || status === 'waiting'

/** Of several deliveries, also of the same one twice. */
const outcomes = (records: RequestContext['records'], random: Random): Body[] =>
  Array.from({ length: random.between(1, 3) }, () => {
    const delivery = records.pick('deliveries', random, isUnfinished)
    return {
      delivery_uid: delivery?.uid ?? 'unknown',
      attempt: (delivery?.attempts.length ?? 0) + 1,
      ...(random.chance(0.5)
        ? { status: 204, error: null, answer: '', ms: 1 }
        : { status: 503, error: null, answer: oddWord(random), ms: 1 }),
    }
  })

function deliveryFailure(random: Random): Body {
  const kind = random.pick(['hold', 'drop', 'duplicate', 'delay', 'reorder', 'corrupt_signature'])
  return { kind, ...(random.chance(0.3) ? { seconds: random.between(1, 100) } : {}) }
}

const replayOptions = (random: Random): Body =>
  random.pickWeighted<Body>([
    [3, {}],
    [2, { into: 'then' }],
    [1, { into: 'present' }],
    [1, { into: { fresh: 'demo' } }],
    [0.5, { into: { snapshot: 'snapshot 1' } }],
    [0.5, { into: 'then', keep: 'snapshot 2', gaps: random.chance(0.5) }],
  ])

const worldOrigin = (random: Random): unknown =>
  random.pick<unknown>([
    'demo',
    'empty',
    'current',
    { commit: random.below(100) },
    { world: 'world-1' },
    { world: 'x' },
  ])

const CHANGING_COLLECTIONS = [
  'customers',
  'synthetic_accounts',
  'transfers',
  'transactions',
  'virtual_reference_numbers',
  'returns',
  'combined_transfers',
]
const DECISIONS = [
  'settle',
  'fail',
  'return',
  'notify of change',
  'approve',
  'deny',
  'reject',
  'lock',
  'unlock',
  'verify',
  'review again',
  'send to manual review',
  'put under review',
  'end review',
  'mark the check as cashed',
]
/** The methods that controlOperations lists; the fuzzer itself sends bundles.import. */
const LISTED = new Set<string>([
  'clock.advance',
  'clock.set',
  'moves.list',
  'records.actions',
  'moves.make',
  'records.get',
  'records.list',
  'records.history',
  'records.story',
  'customers.map',
  'why',
  'tasks.run',
  'tasks.hold',
  'tasks.release',
  'exchanges.get',
  'programs.update',
  'programs.create',
  'snapshots.keep',
  'snapshots.restore',
  'snapshots.delete',
  'snapshots.compare',
  'world.reset',
  'world.rewind',
  'faults.set',
  'records.related',
  'programs.rotate_key',
  'scenarios.run',
  'scenarios.step',
  'scenarios.save',
  'scenarios.read',
  'scenarios.delete',
  'scenarios.list',
  'scenarios.pause',
  'scenarios.record',
  'bundles.export',
  'bundles.import',
  'exchanges.replay',
  'world.describe',
  'worlds.create',
  'worlds.drop',
  'worlds.compare',
  'worlds.keep',
  'webhooks.create',
  'webhooks.list',
  'webhooks.update',
  'webhooks.delete',
  'webhooks.test',
  'webhooks.record_attempts',
  'events.list',
  'events.get',
  'events.resend',
  'events.hold',
  'events.release',
])

/** Their mutations may be valid and never end, such as an advance over ten thousand years, or end the run. */
export const NEVER_MUTATED = new Set<string>([
  'clock.advance',
  'clock.set',
  'faults.set',
  'programs.rotate_key',
  'worlds.keep',
])
