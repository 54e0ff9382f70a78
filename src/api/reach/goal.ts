import { type CollectionName, collectionNames, rowOf } from '../contract/collections.ts'
import { ApiError, type ErrorKey, errorKeyOf, errors, isErrorKey } from '../contract/errors.ts'
import { isPossible, type Machine, machines } from '../contract/machines.ts'
import { achReturnCodes, instantPaymentRejections, nocCodes } from '../contract/network-codes.ts'
import { FURTHER_FIELD, statesOf, typesIn, whyNotReached, withStates } from '../contract/reach.ts'
import { shapeOf } from '../contract/shape.ts'
import { suggestNames } from '../contract/terms/nearest.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { type WebhookEventName, webhookEventNames } from '../contract/webhooks.ts'
import type { ReadTx } from '../store/tx.ts'
import type { CustomerRecord, CollectionName as Stored, StoredRecord } from '../store/world.ts'
import { valueAt } from './fields.ts'

/** What a search looks for, read from words such as `transactions=returned code=R10 customer=ada@example.test`. */

export interface Goal {
  readonly text: string
  /** Its records are of this Program. */
  readonly program: Uid
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

/** A word without `=` goes on with the part before it: a name may have several. */
function splitParts(text: string): string[] {
  const parts: string[] = []
  for (const word of text.trim().split(/\s/))
    if (parts.length === 0 || /^[\w.]{1,100}=/.test(word)) parts.push(word)
    else if (word !== '') parts.push(`${parts.pop()} ${word}`)
  return parts
}

const refuse = (text: string): never => {
  throw new ApiError('invalidArgument', `goal: ${text}`)
}

const REFINEMENTS = ['code', 'type', 'uid', 'customer', 'account', 'program'] as const
type Given = Partial<Record<(typeof REFINEMENTS)[number], string>>
type Find = <T>(work: (tx: ReadTx) => T) => T

/** The Programs of a world, the first one first. */
export interface Programs {
  readonly all: readonly { readonly uid: Uid; readonly name: string }[]
  readonly read: <T>(program: Uid, work: (tx: ReadTx) => T) => T
}

export function readGoal(text: string, programs: Programs): Goal {
  const parts = splitParts(text)
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
  const given = Object.fromEntries(parts.filter(([name]) => isRefinement(name))) as Given
  const wanted = readFirst(...first)
  const program = chooseProgram(given, wanted, programs)
  const find: Find = (work) => programs.read(program, work)
  const goal = { text, program, ...wanted, ...readRefinements(given, find) }
  checkGoal(goal, find)
  return goal
}

const EXPECTED = `expected is COLLECTION=STATE, error=CODE or event=NAME, and ${REFINEMENTS.map((name) => `${name}=…`).join(', ')}, such as transactions=returned code=R10`

const MOST_KNOWN = 20

/** What it may stand for, or what there is. */
const meant = (given: string, known: readonly string[]) => {
  const [nearest] = suggestNames(given, known)
  if (nearest !== undefined) return `did you mean ${nearest}?`
  const more = known.length > MOST_KNOWN ? `, and ${known.length - MOST_KNOWN} more` : ''
  return `there are ${known.slice(0, MOST_KNOWN).join(', ')}${more}`
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
  const isCode = /^\d{1,9}$/.test(value)
  const key = isCode ? errorKeyOf(Number(value)) : isErrorKey(value) ? value : undefined
  if (key) return key
  const codes = Object.values(errors).map(({ code }) => `${code}`)
  if (isCode) return refuse(`there is no error ${value}; the nearest are ${suggestNames(value, codes).join(', ')}`)
  return refuse(`there is no error ${value}; ${meant(value, Object.keys(errors))}`)
}

/** The Program that is named, or the first one with all records that are named. */
function chooseProgram(
  { program, uid, customer, account }: Given,
  { state }: Pick<Goal, 'state'>,
  { all, read }: Programs,
): Uid {
  const names = all.map(({ name }) => name)
  const folded = program?.toLowerCase()
  const isNamed = (one: { uid: Uid; name: string }) => one.uid === program || one.name.toLowerCase() === folded
  const hasAll = (tx: ReadTx) =>
    (customer === undefined || findCustomer(tx, customer) !== undefined) &&
    (account === undefined || tx.synthetic_accounts.get(account) !== undefined) &&
    (uid === undefined || !state || recordAt(tx, state.collection, uid) !== undefined)
  const found = all.find((one) => (program === undefined ? read(one.uid, hasAll) : isNamed(one)))
  if (program !== undefined && !found) refuse(`there is no Program ${program}; ${meant(program, names)}`)
  return (found ?? all[0])?.uid ?? ''
}

const recordAt = (tx: ReadTx, collection: CollectionName, uid: Uid) =>
  (tx[collection as Stored] as { get(uid: Uid): StoredRecord | undefined }).get(uid)

function readRefinements({ code, type, uid, customer, account }: Given, find: Find): Partial<Goal> {
  const codes = Object.keys({ ...achReturnCodes, ...nocCodes, ...instantPaymentRejections })
  if (code !== undefined && !codes.includes(code)) refuse(`there is no code ${code}; ${meant(code, codes)}`)
  const of =
    customer === undefined ? undefined : find((tx) => findCustomer(tx, customer) ?? refuseCustomer(tx, customer))
  const owned = account === undefined ? undefined : find((tx) => tx.synthetic_accounts.get(account))
  if (account !== undefined && !owned) refuse(`there is no Synthetic Account ${account}: give the uid of one`)
  if (owned && of && owned.customer_uid !== of.uid)
    refuse(`account ${account} belongs to another Customer: leave one of the two out`)
  return { code, type, uid, account, customer: of?.uid ?? owned?.customer_uid }
}

/** By its uid, its email or external_uid, or its name. */
function findCustomer(tx: ReadTx, given: string): CustomerRecord | undefined {
  const exact = tx.customers.get(given)
  if (exact) return exact
  const wanted = given.toLowerCase()
  for (const one of tx.customers.newestFirst())
    if (namesOf(one).some((name) => name.toLowerCase() === wanted)) return one
  return undefined
}

const namesOf = ({ email, external_uid, details }: CustomerRecord) =>
  [
    email,
    external_uid,
    `${details?.first_name ?? ''} ${details?.last_name ?? ''}`.trim(),
    details?.business_name,
  ].flatMap((name) => name ?? [])

function refuseCustomer(tx: ReadTx, given: string): never {
  const names: string[] = []
  for (const one of tx.customers.newestFirst()) if (names.push(...namesOf(one)) > MOST_NAMES) break
  return refuse(
    `there is no Customer ${given}; ${names.length === 0 ? 'this world has none yet' : meant(given, names)}`,
  )
}
const MOST_NAMES = 200

/** What can never be, whatever is done. */
function checkGoal(goal: Goal, find: Find) {
  const why = whyNotReached(goal)
  if (why) refuse(`it cannot be reached: ${why}`)
  const { state, uid, code, type, customer } = goal
  if (code !== undefined && (!state || !CODED.includes(state.collection)))
    refuse(`code is for ${CODED.join(', ')}: leave it out`)
  if (code !== undefined && state?.state === 'returned' && Object.hasOwn(nocCodes, code))
    refuse(`${code} is of a notice of change, and a return has one such as R01`)
  if (!state) {
    if (uid !== undefined || type !== undefined) refuse('uid and type are for a state: leave them out')
    return
  }
  const machine: Machine | undefined = machineOf(state)
  const moves = Object.values(machine?.moves ?? {}).filter(({ to }) => to === state.state)
  const ofMoves = moves.every((move) => move.types) ? moves.flatMap((move) => move.types ?? []) : []
  const types = typesIn(state) ?? ofMoves
  const known = typesOf(state.collection)
  if (type !== undefined && known.length > 0 && !known.includes(type))
    refuse(`there is no type ${type} of ${state.collection}; ${meant(type, known)}`)
  if (type !== undefined && types.length > 0 && !types.includes(type))
    refuse(`${state.collection} of type ${type} are never ${state.state}; those of type ${types.join(', ')} can be`)
  const about = uid ?? (state.collection === 'customers' ? customer : undefined)
  if (about !== undefined) {
    const record = find((tx) => recordAt(tx, state.collection, about))
    if (!record) return refuse(`${state.collection} holds no record ${uid}: give the uid of one`)
    requireOpen(record, state, machine)
  }
  const owner = customer === undefined ? undefined : find((tx) => tx.customers.get(customer))
  if (owner && state.collection !== 'customers' && isFinal(machines.customer, owner.status))
    refuse(`the Customer ${owner.uid} is ${owner.status}, which is final: name another one`)
}
const TYPES: readonly string[] = ['type', 'rail', 'customer_type', 'synthetic_account_category']
const typesOf = (collection: CollectionName) =>
  shapeOf(rowOf(collection).schema, 'output').fields.flatMap(({ name, shape }) =>
    TYPES.includes(name) ? shape.options : [],
  )
const CODED: readonly string[] = ['transactions', 'transfers', 'returns']

const machineOf = ({ collection, field }: NonNullable<Goal['state']>): Machine | undefined => {
  const name = rowOf(collection).machines?.[field]
  return name && machines[name]
}

/** How many moves of its machine lead from each state to the goal. */
export function distancesTo({ state }: Pick<Goal, 'state'>): ReadonlyMap<string, number> {
  const found = new Map<string, number>(state ? [[state.state, 0]] : [])
  const moves = Object.values((state && machineOf(state))?.moves ?? {})
  // The map grows while it is read.
  for (const [to, steps] of found)
    for (const move of moves)
      if (move.to === to) for (const from of move.from) if (!found.has(from)) found.set(from, steps + 1)
  return found
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
  if (!distancesTo({ state: { collection, field, state } }).has(now))
    refuse(
      `${collection} ${record.uid} is ${now}, and no way leads from there to ${state}: name another record, or leave it out`,
    )
}

/** Whether a record is in the state that the goal names, and is one of those that it means. */
export function isReached(
  { program, state, code, type, uid, customer, account }: Goal,
  collection: CollectionName,
  record: StoredRecord,
): boolean {
  if (!state || collection !== state.collection || record.program_uid !== program) return false
  if (!(state.field === FURTHER_FIELD ? isFurther(state.state, record) : valueAt(record, state.field) === state.state))
    return false
  if (uid !== undefined && record.uid !== uid) return false
  const has = (value: string | undefined) => value === undefined || JSON.stringify(record).includes(`"${value}"`)
  const isOfType = type === undefined || TYPES.some((field) => valueAt(record, field) === type)
  return has(customer) && has(account) && has(code) && isOfType
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
