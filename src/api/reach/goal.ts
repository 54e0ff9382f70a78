import { type CollectionName, collectionNames, rowOf } from '../contract/collections.ts'
import { ApiError, type ErrorKey, errorKeyOf, errors, isErrorKey } from '../contract/errors.ts'
import { isPossible, type Machine, machines } from '../contract/machines.ts'
import { achReturnCodes, instantPaymentRejections, nocCodes } from '../contract/network-codes.ts'
import { FURTHER_FIELD, statesOf, whyNotReached, withStates } from '../contract/reach.ts'
import { findNearest } from '../contract/terms/nearest.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type WebhookEventName, webhookEventNames } from '../contract/webhooks.ts'
import type { ReadTx } from '../store/tx.ts'
import type { CustomerRecord, CollectionName as Stored, StoredRecord } from '../store/world.ts'

/** What a search looks for, read from words such as `transactions=returned code=R10 customer=ada@example.test`. */

export interface Goal {
  readonly text: string
  readonly state?: { readonly collection: CollectionName; readonly field: string; readonly state: string }
  readonly event?: WebhookEventName
  readonly error?: ErrorKey
  readonly code?: string | undefined
  readonly type?: string | undefined
  readonly uid?: Uid | undefined
  /** The search names its records where it can. */
  readonly customer?: Uid | undefined
  readonly account?: Uid | undefined
}

const refuse = (text: string): never => {
  throw new ApiError('invalidArgument', `goal: ${text}`)
}

const REFINEMENTS = ['code', 'type', 'uid', 'customer', 'account'] as const

export function readGoal(text: string, find: <T>(work: (tx: ReadTx) => T) => T): Goal {
  const parts = text
    .trim()
    .split(/\s+(?=[\w.]{1,100}=)/)
    .map(
      (part) => /^([\w.]{1,100})=(.*)$/s.exec(part) ?? refuse(`"${part.slice(0, 100)}" is not expected: ${EXPECTED}`),
    )
    .map(([, name = '', value = '']) => [name, value.trim()] as const)
  const twice = parts.find(([name], at) => parts.findIndex(([other]) => other === name) !== at)
  if (twice) refuse(`${twice[0]} is given twice: one goal has one ${twice[0]}`)
  const isRefinement = (name: string) => (REFINEMENTS as readonly string[]).includes(name)
  const [first, another] = parts.filter(([name]) => !isRefinement(name))
  if (!first) return refuse(`what is to be reached is missing: ${EXPECTED}`)
  if (another) refuse(`${first[0]} and ${another[0]} contradict each other: ask for one of them`)
  const given = Object.fromEntries(parts.filter(([name]) => isRefinement(name))) as Partial<Record<string, string>>
  const goal = { text, ...readFirst(...first), ...readRefinements(given, find) }
  checkGoal(goal, find)
  return goal
}

const EXPECTED = `expected is COLLECTION=STATE, error=CODE or event=NAME, and ${REFINEMENTS.map((name) => `${name}=…`).join(', ')}, such as transactions=returned code=R10`

/** ". Did you mean …?", and what there is. */
const meant = (given: string, known: readonly string[]) => {
  const nearest = findNearest(given, known)
  return nearest === undefined ? `there are ${known.join(', ')}` : `did you mean ${nearest}?`
}

function readFirst(name: string, value: string): Pick<Goal, 'state' | 'event' | 'error'> {
  if (name === 'error') return { error: readError(value) }
  if (name === 'event') {
    const event = webhookEventNames.find((one) => one === value)
    return event ? { event } : refuse(`there is no event ${value}; ${meant(value, webhookEventNames)}`)
  }
  const [word = '', ...path] = name.split('.')
  const collection = withStates.find((one) => one === word)
  if (!collection) {
    const isKnown = collectionNames.includes(word as never)
    return refuse(
      isKnown
        ? `the records of ${word} have no states; ${withStates.join(', ')} have`
        : `there is no ${word}; ${meant(word, [...withStates, 'error', 'event'])}`,
    )
  }
  const fields = statesOf(collection).filter(([field]) => path.length === 0 || field === path.join('.'))
  if (fields.length === 0)
    return refuse(
      `${word} has no states in ${path.join('.')}; it has them in ${statesOf(collection)
        .map(([field]) => field)
        .filter(Boolean)
        .join(', ')}`,
    )
  const [found] = fields.find(([, states]) => states.includes(value)) ?? []
  return found === undefined
    ? refuse(
        `there is no state ${value} of ${name}; ${meant(
          value,
          fields.flatMap(([, states]) => states),
        )}`,
      )
    : { state: { collection, field: found, state: value } }
}

function readError(value: string): ErrorKey {
  const key = errorKeyOf(Number(value)) ?? (isErrorKey(value) ? value : undefined)
  if (key) return key
  const codes = Object.values(errors).map(({ code }) => code)
  if (/^\d{1,9}$/.test(value)) {
    const near = codes.toSorted((a, b) => Math.abs(a - Number(value)) - Math.abs(b - Number(value))).slice(0, 3)
    return refuse(`there is no error ${value}; the nearest are ${near.join(', ')}`)
  }
  return refuse(`there is no error ${value}; ${meant(value, Object.keys(errors))}`)
}

function readRefinements(
  { code, type, uid, customer, account }: Partial<Record<string, string>>,
  find: <T>(work: (tx: ReadTx) => T) => T,
): Partial<Goal> {
  const codes = Object.keys({ ...achReturnCodes, ...nocCodes, ...instantPaymentRejections })
  if (code !== undefined && !codes.includes(code)) refuse(`there is no code ${code}; ${meant(code, codes)}`)
  const of = customer === undefined ? undefined : find((tx) => findCustomer(tx, customer))
  const owned = account === undefined ? undefined : find((tx) => tx.synthetic_accounts.get(account))
  if (account !== undefined && !owned) refuse(`there is no Synthetic Account ${account}: give the uid of one`)
  if (owned && of && owned.customer_uid !== of.uid)
    refuse(`account ${account} belongs to another Customer: leave one of the two out`)
  return { code, type, uid, account, customer: of?.uid ?? owned?.customer_uid }
}

/** By its uid, its email or external_uid, or its name. */
function findCustomer(tx: ReadTx, given: string): CustomerRecord {
  const exact = tx.customers.get(given)
  if (exact) return exact
  const wanted = given.toLowerCase()
  const nameOf = ({ details }: CustomerRecord) => `${details?.first_name ?? ''} ${details?.last_name ?? ''}`.trim()
  const names: string[] = []
  for (const one of tx.customers.newestFirst()) {
    const known = [one.email, one.external_uid, nameOf(one), one.details?.business_name].flatMap((name) => name ?? [])
    if (known.some((name) => name.toLowerCase() === wanted)) return one
    if (names.length < MOST_NAMES) names.push(...known)
  }
  return refuse(
    `there is no Customer ${given}; ${names.length === 0 ? 'this world has none yet' : meant(given, names)}`,
  )
}
const MOST_NAMES = 200

/** What can never be, whatever is done. */
function checkGoal(goal: Goal, find: <T>(work: (tx: ReadTx) => T) => T) {
  const why = whyNotReached(goal)
  if (why) refuse(`it cannot be reached: ${why}`)
  const { state, uid, code, type, customer } = goal
  if (code !== undefined && (!state || !CODED.includes(state.collection)))
    refuse(`code is for ${CODED.join(', ')}: leave it out`)
  if (!state) {
    if (uid !== undefined || type !== undefined) refuse('uid and type are for a state: leave them out')
    return
  }
  const machine: Machine | undefined = machineOf(state)
  const moves = Object.values(machine?.moves ?? {}).filter(({ to }) => to === state.state)
  const types = moves.flatMap((move) => move.types ?? [])
  if (type !== undefined && types.length > 0 && moves.every((move) => move.types) && !types.includes(type))
    refuse(`a ${state.collection} of type ${type} is never ${state.state}; ${types.join(', ')} can be`)
  const about = uid ?? (state.collection === 'customers' ? customer : undefined)
  if (about !== undefined) {
    const record = find((tx) =>
      (tx[state.collection as Stored] as { get(uid: Uid): StoredRecord | undefined }).get(about),
    )
    if (!record) return refuse(`${state.collection} holds no record ${uid}: give the uid of one`)
    requireOpen(record, state, machine)
  }
  const owner = customer === undefined ? undefined : find((tx) => tx.customers.get(customer))
  if (owner && state.collection !== 'customers' && isFinal(machines.customer, owner.status))
    refuse(`the Customer ${owner.uid} is ${owner.status}, which is final: name another one`)
}
const CODED: readonly string[] = ['transactions', 'transfers', 'returns']

const machineOf = ({ collection, field }: NonNullable<Goal['state']>): Machine | undefined => {
  const name = rowOf(collection).machines?.[field]
  return name && machines[name]
}

const isFinal = (machine: Machine, status: string) =>
  Object.values(machine.moves).every((move) => !isPossible(move, status))

function requireOpen(
  record: StoredRecord,
  { collection, field, state }: NonNullable<Goal['state']>,
  machine?: Machine,
) {
  const now = valueAt(record, field)
  if (typeof now !== 'string' || !machine || now === state) return
  if (isFinal(machine, now))
    refuse(`${collection} ${record.uid} is ${now}, which is final: name another record, or leave it out`)
  const reachable = new Set([now])
  for (const from of reachable)
    for (const move of Object.values(machine.moves)) if (move.from.includes(from)) reachable.add(move.to)
  if (!reachable.has(state))
    refuse(
      `${collection} ${record.uid} is ${now}, and no way leads from there to ${state}: name another record, or leave it out`,
    )
}

const valueAt = (record: object, path: string) =>
  path.split('.').reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], record)

/** Whether a record is in the state that the goal names, and is one of those that it means. */
export function isReached(
  { state, code, type, uid, customer, account }: Goal,
  collection: CollectionName,
  record: StoredRecord,
): boolean {
  if (!state || collection !== state.collection) return false
  if (!(state.field === FURTHER_FIELD ? isFurther(state.state, record) : valueAt(record, state.field) === state.state))
    return false
  if (uid !== undefined && record.uid !== uid) return false
  const text = JSON.stringify(record)
  const has = (value: string | undefined) => value === undefined || text.includes(`"${value}"`)
  return has(customer) && has(account) && has(code) && has(type)
}

interface Further extends StoredRecord {
  readonly locked_at?: string | null
  readonly return_uid?: Uid | null
  readonly original_transaction_uid?: Uid | null
  readonly ach?: { readonly ach_return_code?: string | null } | null
}

function isFurther(state: string, { locked_at, return_uid, original_transaction_uid, ach }: Further): boolean {
  if (state === 'locked') return locked_at != null
  return original_transaction_uid == null && (return_uid != null || ach?.ach_return_code != null)
}
