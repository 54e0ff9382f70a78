import { type CollectionName, collectionNames, rowOf } from './collections.ts'
import type { EndpointName } from './endpoints.ts'
import { type ErrorKey, errors } from './errors.ts'
import { machines } from './machines.ts'
import type { ProgramChanges } from './resources/programs.ts'
import { examples } from './terms/examples.ts'
import { triggersById } from './triggers.ts'
import { webhookEventNames } from './webhooks.ts'

/**
 * What `reach` needs to know besides the tables of machines, events and errors: what cannot be reached and why, and how a valid request is
 * broken where no table says it. The search proves each row by sending it.
 */

/** States that are no status, but that people call so. */
const FURTHER: Readonly<Record<string, readonly string[]>> = {
  customers: ['locked'],
  virtual_reference_numbers: ['locked'],
  transactions: ['returned'],
}
export const FURTHER_FIELD = ''

/** The fields of a collection that a machine governs, with their states. */
export const statesOf = (
  collection: CollectionName,
): readonly (readonly [field: string, states: readonly string[]])[] => [
  ...Object.entries(rowOf(collection).machines ?? {}).map(
    ([field, machine]) => [field, machines[machine].states] as const,
  ),
  ...(FURTHER[collection] ? [[FURTHER_FIELD, FURTHER[collection]] as const] : []),
]

/** The collections that have states. */
export const withStates = collectionNames.filter((name) => statesOf(name).length > 0)

interface AnyGoal {
  readonly state?: { readonly collection: CollectionName; readonly field: string; readonly state: string } | undefined
  readonly error?: ErrorKey | undefined
}

const AT_ONCE = 'it is passed within one commit, so no record ever shows it'
const NEVER_SET = 'it is a published status, and nothing in the specification leads to it'

/** By `collection.field=state`. */
const unreachedStates: Readonly<Record<string, string>> = {
  'transactions.authorization.authorization_status=created': AT_ONCE,
  'transactions.authorization.authorization_status=auto_approved': NEVER_SET,
  'returns.status=canceled': NEVER_SET,
  'virtual_reference_numbers.instant_payment_rail_registration_status=unregistered': NEVER_SET,
}

/** The types of records that can be in a state at all, where the machine does not say it. */
const typesInStates: Readonly<Record<string, readonly string[]>> = {
  'transactions.status=authorization_pending': ['ach', 'wire'],
  'transactions.status=authorization_denied': ['ach', 'wire', 'instant_payment'],
  'transactions.status=denied': ['denied_authorization'],
  'transactions.status=canceled': ['ach', 'wire'],
  'transactions.=returned': ['ach', 'wire'],
  'transfers.status=pending': ['ach', 'wire', 'instant_payment'],
  'transfers.status=canceled': ['ach', 'wire'],
}
export const typesIn = ({ collection, field, state }: NonNullable<AnyGoal['state']>): readonly string[] | undefined =>
  typesInStates[`${collection}.${field}=${state}`]

const unreachedErrors: { readonly [K in ErrorKey]?: string } = {
  bodyTooLarge: 'a request of more than 1 MB is no step that is worth saving: send one with any client',
}

/** Why a goal cannot be reached; undefined if it can. */
export function whyNotReached({ state, error }: AnyGoal): string | undefined {
  if (state) return unreachedStates[`${state.collection}.${state.field}=${state.state}`]
  if (!error) return undefined
  const { raised } = errors[error]
  return typeof raised === 'object' ? raised.never : unreachedErrors[error]
}

/** What the operator must set before, by `collection.field=state`. */
const settingsForStates: Readonly<Record<string, ProgramChanges>> = {
  'customers.kyc_status=pre_verified': { accepts_client_verified: true },
  'transactions.authorization.authorization_status=client_unanswered_auto_denied': { unanswered_authorization: 'deny' },
}

export const settingFor = ({ state }: AnyGoal): ProgramChanges | undefined =>
  state && settingsForStates[`${state.collection}.${state.field}=${state.state}`]

/** How a valid request becomes one that is refused so. */
export interface Breaking {
  /** A request of its own. */
  readonly send?: {
    readonly method: 'GET' | 'POST' | 'PATCH'
    readonly path: string
    readonly body?: string
    readonly content_type?: string
    readonly anonymous?: true
    readonly trace_id?: string
  }
  /** How often it is sent; the last time it is refused. */
  readonly times?: number
  readonly query?: string
  /** Fields of the body by their paths. */
  readonly body?: Readonly<Record<string, unknown>>
  readonly setting?: ProgramChanges
  readonly fault?: object
  /** A request that may come before, with the same fields. */
  readonly before?:
    | 'createCustomer'
    | 'createSyntheticAccount'
    | 'createVirtualReferenceNumber'
    | 'createCombinedTransfer'
  /** The endpoint, if it is not of the first collection that can answer so. */
  readonly endpoint?: EndpointName
  /** How far the clock may be advanced before. */
  readonly advance?: readonly string[]
  /** Further steps of the opening, by the ids that `reach/moves.ts` gives them. */
  readonly opening?: readonly string[]
  /** Whose steps may come before, besides those of the collection that the request is about. */
  readonly also?: readonly CollectionName[]
}

const ANOTHER_ACCOUNT = { account_number: examples.another_new_account_number.replace(/\d{5}0000$/, '999990000') }
const TO_VRN = ['customers vrn', 'createMockTransaction to a VRN']
const CUSTOMERS = { method: 'GET', path: '/customers' } as const
const limits = (limit: object): Breaking => ({ setting: { limits: { ach: limit } } })
const accounts = (limit: ProgramChanges['account_limits']): Breaking => ({ setting: { account_limits: limit } })

const breakings: { readonly [K in ErrorKey]?: Breaking } = {
  internal: { send: CUSTOMERS, fault: { kind: 'status', code: 1000, times: 1 } },
  routeNotFound: { send: { method: 'GET', path: '/nothing_here' } },
  unauthorized: { send: { ...CUSTOMERS, anonymous: true } },
  duplicateTraceId: { send: { ...CUSTOMERS, trace_id: 'the-same-trace-id' }, times: 2 },
  notAllowed: { send: CUSTOMERS, setting: { allowlist: ['192.0.2.0/24'] } },
  methodNotAllowed: { send: { method: 'PATCH', path: '/customers' } },
  unsupportedMediaType: {
    send: { method: 'POST', path: '/customers', body: '<customer/>', content_type: 'application/xml' },
  },
  tooManyRequests: { send: CUSTOMERS, fault: { kind: 'rate_limit', per_minute: 1 }, times: 2 },
  invalidLimit: { query: 'limit=-1' },
  invalidSort: { query: 'sort=nothing_asc' },
  creationByOperator: { setting: { client_is_customer: true } },
  generalAccountsExhausted: accounts({ general_accounts: 1 }),
  externalAccountAlreadyOpen: accounts({ one_external_account: true }),
  externalAccountsExhausted: accounts({ external_accounts: 1 }),
  externalAccountTooRecent: accounts({ minutes_between_external_accounts: 60 }),
  externalAccountTooOften: {
    ...accounts({ same_external_account: 1 }),
    before: 'createSyntheticAccount',
    body: ANOTHER_ACCOUNT,
  },
  outboundAchAccountsExhausted: accounts({ ach_external_accounts: 1 }),
  dailyTransfersExhausted: limits({ daily_count: 0 }),
  dailyAmountExhausted: limits({ daily_amount: '1.00' }),
  transferBelowMinimum: limits({ minimum_amount: '1000.00' }),
  transferAboveMaximum: limits({ maximum_amount: '1.00' }),
  missingParameter: { endpoint: 'createTransfer' },
  inactiveCustomer: { endpoint: 'createMockTransaction' },
  syntheticAccountHasBalance: { also: ['transfers'] },
  syntheticAccountHasTransfer: { also: ['transfers'] },
  customerInUse: { before: 'createCustomer', body: { external_uid: 'customer-7' } },
  syntheticAccountExists: { before: 'createSyntheticAccount', body: ANOTHER_ACCOUNT },
  accountLocked: { also: ['customers'] },
  malformedUpdate: { body: { 'details.phone': 'x' } },
  piiFrozen: { body: { 'details.dob': '1990-04-18' } },
  customerDetailsIncomplete: { endpoint: 'onboardCustomer' },
  authorizationDisabled: { setting: { client_authorization: false } },
  authorizationExpired: { setting: { authorization_hours: 1 }, opening: TO_VRN },
  returnsDisabled: { setting: { returns: false } },
  combinedTransfersDisabled: { setting: { combined_transfers: false } },
  combinedTransferStopped: { endpoint: 'createCombinedTransfer' },
  vrnLockCooldown: {
    setting: { vrn_cooldown_minutes: 60 },
    opening: ['customers vrn', 'virtual_reference_numbers lock'],
    advance: ['60 minutes'],
  },
  vrnUnlockCooldown: { setting: { vrn_cooldown_minutes: 60 } },
  vrnNotUpdated: { before: 'createVirtualReferenceNumber', body: { external_uid: 'vrn-7' } },
  returnIneligible: { body: { 'ach.ach_return_code': 'R01' } },
  returnExtraInformation: { body: { ach: { ach_return_code: 'R10' } } },
  returnTooLateToday: {
    opening: ['createMockTransaction ach debit', 'advance idle'],
    advance: ['1 business day', '17:00'],
    body: { 'ach.ach_return_code': 'R01' },
  },
  returnExpired: { advance: ['90 days'] },
  vrnNotCreated: { body: triggersById['vrn-fail']!.data!.fields },
  combinedTransferExists: { before: 'createCombinedTransfer', body: { external_uid: 'combined-7' } },
  syntheticAccountNotUpdatable: { body: { account_number: examples.another_new_account_number } },
}

/** Empty if the example and the records of the world are enough. */
export const breakingOf = ({ error }: AnyGoal): Breaking => (error && breakings[error]) ?? {}

export const goalOfState = (collection: CollectionName, field: string, state: string) =>
  `${[collection, ...(field === 'status' || field === FURTHER_FIELD ? [] : [field])].join('.')}=${state}`

/** All that a search can look for, with the reason where it cannot be reached. */
export function allGoals(): { readonly goal: string; readonly unreached: string | undefined }[] {
  const states = withStates.flatMap((collection) =>
    statesOf(collection).flatMap(([field, names]) =>
      names.map((state) => ({
        goal: goalOfState(collection, field, state),
        unreached: whyNotReached({ state: { collection, field, state } }),
      })),
    ),
  )
  return [
    ...states,
    ...webhookEventNames.map((name) => ({ goal: `event=${name}`, unreached: undefined })),
    ...Object.entries(errors).map(([error, { code }]) => ({
      goal: `error=${code}`,
      unreached: whyNotReached({ error: error as ErrorKey }),
    })),
  ]
}
