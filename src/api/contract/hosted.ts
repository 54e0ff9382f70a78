import type { Hint } from './control/exchanges.ts'
import type { MethodName } from './control/methods.ts'
import type { EndpointName } from './endpoints.ts'
import type { ErrorKey } from './errors.ts'
import type { ProgramChanges } from './resources/programs.ts'
import type { SyntheticAccountCategory } from './resources/synthetic-accounts.ts'
import { type Forcing, outcomeOf } from './triggers.ts'

/**
 * How the platform's hosted sandbox differs from Sandbank, by its public documents: a row for each of their sentences. A Program with
 * `behaves_as: hosted` follows them, and `migration.report` judges the request log by them.
 *
 * Assumed (invented): there POST /customers is 403/1018, and a general account of the Client 422/2009; payments to a VRN still wait for an
 * authorization, and settle at once when it is given; the staged businesses have the personal data that their Products need.
 */

export interface HostedRule {
  readonly id: string
  /** The sentence. */
  readonly published: string
  /** What a world that behaves as hosted does. */
  readonly here: string
  /** What to change in an app or its tests. */
  readonly todo?: string
  readonly endpoints?: readonly EndpointName[]
  /** Selects requests to the endpoints. Default: all. */
  readonly concerns?: (request: JudgedRequest) => boolean
  /** The error with which the requests are refused. Without it they are accepted, and have another result. */
  readonly refusal?: ErrorKey
  /** The control methods that do what only the platform's staff can do there. */
  readonly methods?: readonly MethodName[]
  /** Selects calls of the methods. Default: all. */
  readonly concernsCall?: (input: Readonly<Record<string, unknown>>, method: MethodName) => boolean
  /** Settings that a Program must have. */
  readonly settings?: Pick<ProgramChanges, 'queue_minutes'>
}

export interface JudgedRequest {
  readonly body: unknown
  readonly program: Forcing
  /** Of a Synthetic Account Type. */
  readonly categoryOf: (uid: unknown) => SyntheticAccountCategory | undefined
}

export const hostedRules: readonly HostedRule[] = [
  {
    id: 'no-customers',
    published: 'No POST /customers.',
    here: 'It is refused. The control method operator.create_customer does what the staff does there.',
    todo: 'Use a staged business from GET /customers, and let each test create its own external accounts and payments.',
    endpoints: ['createCustomer'],
    refusal: 'creationByOperator',
  },
  {
    id: 'no-general-accounts',
    published: 'No general accounts by the Client.',
    here: 'POST /synthetic_accounts with a type of category general is refused; external accounts are created as ever.',
    todo: 'Use the six staged accounts (GET /synthetic_accounts), and VRNs to tell payments apart.',
    endpoints: ['createSyntheticAccount'],
    concerns: ({ body, categoryOf }) => categoryOf(fieldOf(body, 'synthetic_account_type_uid')) === 'general',
    refusal: 'generalAccountsExhausted',
  },
  {
    id: 'staged-businesses',
    published: 'Two staged businesses, with balances of 100,000 / 200,000 / 0 and 300,000 / 400,000 / 500,000.',
    here: 'A new world begins with these two Customers and their accounts, and nothing else.',
    todo: 'Ask support for a further business; find the staged ones with GET /customers instead of by a uid in the code.',
    methods: ['operator.create_customer'],
  },
  {
    id: 'products-onboarded',
    published: 'Products already onboarded.',
    here: 'Both businesses have each Product, active.',
    todo: 'Let the app continue if the Customer has the Product already: there is nothing to onboard there.',
    endpoints: ['onboardCustomer'],
  },
  {
    id: 'account-numbers',
    published: 'Random account numbers, a preset routing number.',
    here: 'The numbers follow from the seed of the world; the routing number is that of the Program.',
  },
  {
    id: 'allowlist-and-keys',
    published: 'IP allowlist and keys by support.',
    here: 'The allowlist of the Program is enforced. No request changes it or a key; the control methods programs.update and programs.rotate_key do.',
    todo: 'Ask support for the addresses and keys, and read the key from a setting of the app.',
    methods: ['programs.create', 'programs.update', 'programs.rotate_key'],
    concernsCall: ({ allowlist }, method) => method !== 'programs.update' || allowlist !== undefined,
  },
  {
    id: 'webhooks-encrypted',
    published: 'Webhook details always PGP-encrypted.',
    here: 'A webhook with an address needs a pgp_public_key.',
    todo: 'Create the webhook with a pgp_public_key, and decrypt details in the receiver.',
    methods: ['webhooks.create', 'webhooks.update'],
    // An update of the address alone is not counted: the log does not say whether the webhook had a key.
    concernsCall: ({ url, pgp_public_key }, method) =>
      method === 'webhooks.create'
        ? typeof url === 'string' && typeof pgp_public_key !== 'string'
        : url !== null && pgp_public_key === null,
  },
  {
    id: 'webhooks-by-support',
    published: 'Webhook topics and keys by support.',
    here: 'No request changes them; the control methods webhooks.create and webhooks.update do.',
    todo: 'Ask support for the topics, the address and the key; a test cannot create its own webhook.',
    methods: ['webhooks.create', 'webhooks.update', 'webhooks.delete'],
  },
  {
    id: 'mocks-settled',
    published: 'A mock transaction is settled at once.',
    here: 'It is due to settle in the instant in which it is created, so the next request finds it settled. resolve_at and after are ignored.',
    todo: 'Do not wait for a pending mock transaction, and do not expect its status to change later.',
    endpoints: ['createMockTransaction'],
  },
  {
    id: 'failures-by-staff',
    published: 'Failures of the counterparty’s side only by staff.',
    here: 'A decision in the window, or moves.make, does what the staff does there.',
    todo: 'Run these tests in Sandbank only: in the hosted sandbox the platform’s staff has to make the payment fail.',
    methods: ['moves.make'],
    concernsCall: ({ collection, move }) => PAYMENTS.has(collection) && FAILURES.has(move),
  },
  {
    id: 'published-triggers',
    published: 'Published triggers: VRN "fail", "instant payment fail".',
    here: 'Other names and numbers force nothing (docs/triggers.md).',
    todo: 'Run these tests in Sandbank only, or create a mock transaction of type ach_return: in the hosted sandbox the payment settles.',
    endpoints: ['createSyntheticAccount', 'updateSyntheticAccount', 'createCombinedTransfer', 'updateCustomer'],
    concerns: ({ body, program }) => forcesOnlyHere(body, program),
  },
  {
    id: 'wire-failures',
    published: 'Wire failures after about 2 s.',
    here: 'Payments of the Program have the pace fast, also when that of the clock is real: a wire ends after 2 s. Its queue_minutes are 0.',
    todo: 'Do not wait for a banking day there: payments take seconds.',
    methods: ['clock.set'],
    concernsCall: ({ pace }) => pace === 'real',
    settings: { queue_minutes: { ach: 0, wire: 0, instant_payment: 0, book: 0 } },
  },
  {
    id: 'event-at-each-change',
    published: 'An MQ message at each status change.',
    here: 'A webhook gets an event at each; the message queue is not simulated.',
  },
  {
    id: 'files',
    published: 'Files are set up separately for sandbox and production.',
    here: 'Files are not simulated.',
  },
  {
    id: 'no-clearing',
    published: 'No published way to clear it.',
    here: 'No request clears it. A reset begins again with the staged businesses only.',
    todo: 'Let tests accept what earlier ones left: an external_uid of their own for each run, no counts of all records.',
    methods: ['world.reset', 'world.rewind', 'snapshots.restore', 'bundles.import'],
  },
]

const PAYMENTS = new Set<unknown>(['transactions', 'transfers', 'returns'])
/** What the bank or the network of the counterparty does. */
const FAILURES = new Set<unknown>(['fail', 'return', 'notify of change'])

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? (body as Readonly<Record<string, unknown>>)[name] : undefined

/** Whether a field at any depth forces another outcome than in a Program that behaves as hosted. */
function forcesOnlyHere(value: unknown, program: Forcing, name = ''): boolean {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).some(([field, part]) => forcesOnlyHere(part, program, field))
  if (typeof value !== 'string') return false
  const { forced_outcomes } = program
  const forced = outcomeOf(name, value, { forced_outcomes })
  return forced !== undefined && outcomeOf(name, value, { forced_outcomes, behaves_as: 'hosted' }) === undefined
}

/** Which requests of an endpoint a rule concerns. */
export const ruleConcerns = (rule: HostedRule, endpoint: string | null, request: JudgedRequest): boolean =>
  (rule.endpoints as readonly (string | null)[] | undefined)?.includes(endpoint) === true &&
  (rule.concerns?.(request) ?? true)

/** Ends each refusal and hint of these rules: it says how to do without them. */
export const WITHOUT_HOSTED =
  'this Program behaves as the hosted sandbox of the platform; without that: sandbank serve without --as, in a new data folder, or another Program'

/** A hint about what these rules ignore. A strict Program refuses requests with other hints, but not with this one. */
export const isOfProfile = ({ text }: Hint) => text.endsWith(WITHOUT_HOSTED)
