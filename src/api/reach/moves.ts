import type { CollectionName } from '../contract/collections.ts'
import { type EndpointName, endpoints } from '../contract/endpoints.ts'
import { errors } from '../contract/errors.ts'
import { breakingOf, settingFor, withStates } from '../contract/reach.ts'
import type { OutsideMovement } from '../contract/resources/outside-transactions.ts'
import { ProductRail } from '../contract/resources/products.ts'
import { examples } from '../contract/terms/examples.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { endingsWith, triggersById } from '../contract/triggers.ts'
import { type Body, exampleOf, offered } from '../control/record-actions.ts'
import { decisionsFor } from '../domain/resources/decisions.ts'
import { fieldsOf, valueAt, withFields } from './fields.ts'
import type { Goal } from './goal.ts'
import type { Place } from './place.ts'

/** The steps that a search can take. Each looks for its records in the world in which it is taken, so a way can be tried without one of them. */

export interface Call {
  readonly method: string
  readonly input: Body
  readonly text: string
}

export interface Move {
  readonly id: string
  /** What it creates or changes; a goal leaves out what has nothing to do with it. */
  readonly about: CollectionName
  /** Undefined where it is not possible. */
  readonly make: (place: Place) => Promise<Call | undefined>
}

export type RequestName = Exclude<EndpointName, 'createAccessToken'>
type Fields = Readonly<Record<string, unknown>>

/** What a request is sent with. `decides`: the fields that matter for what follows, by their paths. */
export interface Sent {
  readonly uid?: string | undefined
  readonly query?: string | undefined
  readonly body?: Body | undefined
  readonly decides?: Fields | undefined
}

/** A request of the Program. `wanted`: the code of the error that it is to be answered with. */
export async function request(
  place: Place,
  endpoint: RequestName,
  { uid, query, body, decides = {} }: Sent,
  wanted: number | null = null,
): Promise<Call | undefined> {
  const { method, path, summary } = endpoints[endpoint]
  const { program: program_uid } = place
  const params = uid === undefined ? {} : { uid }
  const given = method === 'GET' ? {} : { body }
  const answer = await place.ask('requests.try', { program_uid, endpoint, params, query: query ?? '', ...given })
  if (!answer || (answer.refused?.code ?? null) !== wanted) return undefined
  const address = `${uid === undefined ? path : path.replace('{uid}', uid)}${query === undefined ? '' : `?${query}`}`
  const isEmpty = method === 'GET' || Object.keys(body ?? {}).length === 0
  return {
    method: 'exchanges.send',
    input: { program_uid, method, path: address, ...(isEmpty ? {} : { body: JSON.stringify(body) }) },
    text: [
      `${method} ${address}: ${lower(summary)}`,
      ...wordsOf(decides, body),
      ...(wanted === null ? [] : [`refused with ${wanted}`]),
    ].join(', '),
  }
}

/** The fields as they are in the body: `last_name Smith`. */
export const wordsOf = (decides: Fields, body: unknown): string[] =>
  Object.keys(decides).map((path) => {
    const name = path.slice(path.lastIndexOf('.') + 1)
    const value = valueAt(body, path)
    return value === undefined ? `without ${name}` : `${name} ${typeof value === 'object' ? 'given' : String(value)}`
  })

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1)

/** The collection that the path of an endpoint begins with. */
export const collectionOf = (endpoint: EndpointName): CollectionName => {
  const [, first = ''] = endpoints[endpoint].path.split('/')
  return (first === 'sandbox' ? 'transactions' : first) as CollectionName
}

/** An account number with this end. */
const withEnding = (body: Body, ending: string): Body => {
  const number = String(body.account_number)
  return { ...body, account_number: `${number.slice(0, -Math.max(4, ending.length))}${ending.padStart(4, '0')}` }
}

// ── Creating requests ────────────────────────────────────────────────────────────────────────────────────────────

const create = (id: string, endpoint: RequestName, fields: Fields = {}, ending = ''): Move => ({
  id: `${endpoint} ${id}`,
  about: collectionOf(endpoint),
  make: (place) => {
    const all = endpoint === 'createCustomer' ? { ...PERSON, ...fields } : fields
    const body = place.fill(withFields(exampleOf(endpoint), all))
    return ending === ''
      ? request(place, endpoint, { body, decides: fields })
      : request(place, endpoint, { body: withEnding(body, ending), decides: { ...fields, account_number: ending } })
  },
})

/** Without it no Customer is verified. */
const PERSON = { 'details.ssn': '512-04-8823' }
const INSTANT = {
  synthetic_account_type_uid: examples.instant_payment_account_type,
  ach: undefined,
  instant_payment: {
    counterparty_name: 'Bayline Hotels',
    counterparty_address: {
      street_number: '12',
      street1: 'Elm',
      city: 'Ames',
      state: 'IA',
      postal_code: '50010',
      country: 'US',
    },
  },
}

const WIRE = {
  synthetic_account_type_uid: examples.wire_account_type,
  ach: undefined,
  wire: { counterparty_name: 'Bayline Hotels' },
}

/** Counterparties that are reached by other rails than that of the example. */
const counterparties: Readonly<Record<string, Move>> = {
  instant_payment: create('instant', 'createSyntheticAccount', INSTANT),
  wire: create('wire', 'createSyntheticAccount', WIRE),
}

const forced: readonly Move[] = Object.entries(triggersById).flatMap(([id, { data }]) =>
  data ? create(id, data.endpoint, data.fields) : [],
)

const money = (id: string, fields: Fields): Move => create(id, 'createMockTransaction', fields)

/** A general account, whose type no example names. */
export function generalAccount(place: Place): Body {
  const type = place.read((tx) =>
    [...tx.synthetic_account_types.newestFirst()].find((one) => one.synthetic_account_category === 'general'),
  )
  const { pool_uid } = place.bodyOf('createSyntheticAccount')
  return { name: `Savings ${place.values.get('new_account_number')}`, pool_uid, synthetic_account_type_uid: type?.uid }
}
const general: Move = {
  id: 'general account',
  about: 'synthetic_accounts',
  make: (place) => request(place, 'createSyntheticAccount', { body: generalAccount(place) }),
}

/** What a Customer needs for payments, in this order. */
const opening = {
  customer: create('', 'createCustomer'),
  onboard: create('', 'onboardCustomer'),
  wire: money('wire', { us_dollar_amount: 18_450 }),
  counterparty: create('', 'createSyntheticAccount'),
} as const

/** To the first Product with this rail, where a rail needs one. */
const onboardFor = (rail: ProductRail): Move => ({
  id: `onboard for ${rail}`,
  about: 'customer_products',
  make: async (place) => {
    const { customer_uid, products } = place.read((tx) => ({
      customer_uid: place.customer ?? place.values.get('customers'),
      products: tx.program.rails_need_products ? [...tx.products.newestFirst()].reverse() : [],
    }))
    for (const { uid: product_uid, rails } of products) {
      const body = { customer_uid, product_uid }
      const call = rails.includes(rail) ? await request(place, 'onboardCustomer', { body }) : undefined
      if (call) return { ...call, text: `${call.text} for ${rail}` }
    }
    return undefined
  },
})

/** What the search begins from besides the world itself: a setting that the goal needs, then more and more of what payments need. */
export function openingsFor(goal: Goal, moves: readonly Move[]): readonly (readonly Move[])[] {
  const { send, opening: further = [] } = breakingOf(goal)
  const rail = goal.event === 'transfers.rtp_settlement' ? 'instant_payment' : goal.type
  const counterparty = counterparties[rail ?? '']
  return [
    send ? [] : settingsFor(goal),
    [opening.customer, opening.onboard, advance('idle'), ...ProductRail.options.map(onboardFor)],
    [opening.wire, advance('idle')],
    [opening.counterparty],
    ...(counterparty ? [[counterparty]] : []),
    ...(further.length > 0 ? [further.flatMap((wanted) => moves.find(({ id }) => id === wanted) ?? [])] : []),
  ]
}

const TO_VRN = {
  synthetic_account_uid: undefined,
  customer_uid: examples.vrn_customer,
  virtual_reference_number_uid: examples.virtual_reference_numbers,
}

const requests: readonly Move[] = [
  ...Object.values(opening),
  create('verified', 'createCustomer', { client_verified: true }),
  create('without details', 'createCustomer', { details: undefined }),
  general,
  counterparties.instant_payment!,
  ...forced,
  create('', 'createCombinedTransfer'),
  create('fail', 'createCombinedTransfer', { 'synthetic_account.name': 'Fail Traders' }),
  create('prenote', 'createTransfer', { usd_transfer_amount: '0.00', 'ach.prenote': true }),
  money('ach credit', { transaction_type: 'ach', us_dollar_amount: 1250 }),
  money('ach debit', { transaction_type: 'ach', us_dollar_amount: -48.2 }),
  money('wire with a UETR', { us_dollar_amount: 50, uetr: 'eb6305c9-1f7f-49de-aed0-16487c27b42d' }),
  money('to a VRN', TO_VRN),
]

/** To a VRN by another rail than that of the example. */
const toVrn = ({ type }: Goal): readonly Move[] =>
  type === 'ach' || type === 'instant_payment' ? [money(`${type} to a VRN`, { ...TO_VRN, transaction_type: type })] : []

/** Account numbers that force the code that the goal names, or one of a return. */
const numbered = ({ code, state }: Goal): readonly Move[] => {
  const isReturn = state?.collection === 'transactions' || state?.collection === 'returns'
  const codes = isReturn ? ['R02', 'R17'] : []
  return (code === undefined ? codes : [code]).flatMap((one) =>
    endingsWith(one).map((ending) =>
      create(`number ${ending}`, 'createSyntheticAccount', one.startsWith('ERR') ? INSTANT : {}, ending),
    ),
  )
}

// ── What concerns a record ───────────────────────────────────────────────────────────────────────────────────────

const actions: readonly Move[] = offered.map(([collection, wanted, endpoint]) => ({
  id: `${collection} ${wanted}`,
  about: collectionOf(endpoint),
  make: async (place) => {
    for (const { id, params, body } of place.actions(collection)) {
      const call = id === wanted ? await request(place, endpoint, { uid: params.uid, body }) : undefined
      if (call) return call
    }
    return undefined
  },
}))

const decisions: readonly Move[] = withStates.flatMap((collection) =>
  decisionsFor(collection).names.map((move) => ({
    id: `${collection} decide ${move}`,
    about: collection,
    make: async (place) => {
      for (const uid of place.records(collection)) {
        const answer = await place.ask('moves.list', { collection, uid })
        const found = answer?.moves.find((one) => one.move === move && one.legal)
        if (!found) continue
        const inputs = Object.fromEntries(
          found.inputs.flatMap(({ name, required, values }) => {
            const own =
              values?.find((value) => value === place.goal.code) ??
              (required ? (values?.[0] ?? 'Asked for by phone') : undefined)
            return own === undefined ? [] : [[name, own]]
          }),
        )
        const input = { collection, uid, move, ...(Object.keys(inputs).length > 0 ? { inputs } : {}) }
        const text = [`decide about ${collection} ${uid}: ${move}`, ...wordsOf(inputs, inputs)].join(', ')
        return { method: 'moves.make', input, text }
      }
      return undefined
    },
  })),
)

const movement = (name: OutsideMovement, fields: Fields = {}): Move => ({
  id: `inject ${name} ${Object.values(fields).join(' ')}`,
  about: 'transactions',
  make: async (place) => {
    const customer_uid = place.customer ?? place.values.get('customers')
    if (!customer_uid) return undefined
    const input = { movement: name, customer_uid, us_dollar_amount: '21.89', ...fields }
    const text = [`inject a ${name.replaceAll('_', ' ')} of 21.89`, ...wordsOf(fields, fields)].join(', ')
    return { method: 'transactions.inject', input, text }
  },
})

const movements: readonly Move[] = [
  movement('direct_deposit'),
  movement('card_purchase'),
  movement('card_purchase', { outcome: 'expired' }),
  movement('card_purchase', { outcome: 'declined' }),
  movement('fee'),
]

// ── Time and settings ────────────────────────────────────────────────────────────────────────────────────────────

const advance = (text: string): Move => ({
  id: `advance ${text}`,
  about: 'tasks',
  make: async () => ({ method: 'clock.advance', input: { text }, text: `advance the clock: ${text}` }),
})

/** What the operator sets before. */
export const settingsFor = (goal: Goal): readonly Move[] => {
  const { setting = settingFor(goal), fault } = breakingOf(goal)
  const set = (what: string, given: object, method: string, input: (program: Uid) => Body): Move => {
    const leaves = fieldsOf(given).filter(([, value]) => typeof value !== 'object')
    const id = `set ${what}${leaves.map(([path, value]) => `${path} ${String(value)}`).join(', ')}`
    return { id, about: 'programs', make: async ({ program }) => ({ method, input: input(program), text: id }) }
  }
  return [
    ...(setting ? [set('', setting, 'programs.update', (uid) => ({ uid, ...setting }))] : []),
    ...(fault ? [set('a fault: ', fault, 'faults.set', () => ({ faults: [fault] }))] : []),
  ]
}

/** What leads to records of a collection: those that they are made of. */
const NEEDS: Partial<Record<CollectionName, readonly CollectionName[]>> = {
  customer_products: ['customers'],
  virtual_reference_numbers: ['synthetic_accounts'],
  transactions: ['transfers', 'virtual_reference_numbers'],
  transfers: ['synthetic_accounts'],
  returns: ['transactions'],
  combined_transfers: ['synthetic_accounts'],
}

function relevantTo(wanted: readonly CollectionName[]): ReadonlySet<CollectionName> {
  const found = new Set<CollectionName>(['tasks', 'programs', ...wanted])
  for (const one of found) for (const needed of NEEDS[one] ?? []) found.add(needed)
  return found
}

/** The endpoints that can answer with the error, of the collection that the first of them is about. */
export function endpointsWith(goal: Goal): readonly RequestName[] {
  const all = (Object.keys(endpoints) as EndpointName[]).filter(
    (name): name is RequestName =>
      name !== 'createAccessToken' && (endpoints[name].errors as readonly (string | undefined)[]).includes(goal.error),
  )
  const { endpoint = all[0]! } = breakingOf(goal)
  return all.filter((name) => collectionOf(name) === collectionOf(endpoint))
}

/** The steps for a goal: what is about its collection comes first. */
export function movesFor(goal: Goal): readonly Move[] {
  const [topic] = goal.event?.split('.') ?? []
  const wanted = goal.state?.collection ?? (topic === 'virtual_reference_number' ? 'virtual_reference_numbers' : topic)
  const named = breakingOf(goal).endpoint
  const answering = named ? [named] : endpointsWith(goal)
  const collections = wanted === undefined ? answering.map(collectionOf) : [wanted as CollectionName]
  const { advance: further = [], also = [], before, body } = breakingOf(goal)
  const relevant = relevantTo([
    ...collections,
    ...also,
    ...(goal.state?.state === 'returned' ? (['returns'] as const) : []),
  ])
  const all = [
    ...['next', 'idle', ...further].map(advance),
    ...(before ? [create('with fields', before, body)] : []),
    ...requests,
    ...numbered(goal),
    ...toVrn(goal),
    ...actions,
    ...decisions,
    ...movements,
  ].filter((move) => relevant.has(move.about) || Object.values(opening).includes(move))
  const rank = ({ about }: Move) => (about === 'tasks' ? 2 : Number(collections.includes(about)))
  return all.toSorted((a, b) => rank(b) - rank(a))
}

export const codeOfGoal = ({ error }: Goal): number | null => (error === undefined ? null : errors[error].code)
