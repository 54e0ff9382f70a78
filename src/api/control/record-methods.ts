import { amountOf, rowOf } from '../contract/collections.ts'
import type { Cause } from '../contract/control/history.ts'
import type { MethodOutput, MethodParsed } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { findMatches, type List, paginate, type Source } from '../contract/terms/list.ts'
import type { Money } from '../contract/terms/primitives.ts'
import { decisionsFor } from '../domain/resources/decisions.ts'
import { toRefusal } from '../http/error-response.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadRecords, ReadTx } from '../store/tx.ts'
import { type CollectionName, readCollection, type StoredRecord } from '../store/world.ts'
import { foresee } from '../time/foresee.ts'
import { orderedPage } from '../views/ordered-page.ts'
import { fieldPicker, showRecord, showWithMessage } from '../views/records.ts'
import { searchAllRecords, statusOf } from '../views/search.ts'
import { explainRecord } from '../views/why.ts'
import type { OperatorDoor } from './door.ts'
import { notFound, readProgram, requireCollection, requireRecord, transactFor } from './program-scope.ts'

/** records.*, why and moves.* */

export function listRecords(door: OperatorDoor, input: MethodParsed<'records.list'>) {
  const { collection, program_uid, uids, fields, order, ranges, ...query } = input
  const name = requireCollection(collection)
  const outcomes = outcomesOf(door, name)
  const show =
    fields === undefined
      ? (record: StoredRecord, tx: ReadTx) => showWithMessage(tx, name, record, outcomes)
      : fieldPicker(name, fields, outcomes)
  const list = rowOf(name).list as unknown as List<StoredRecord>
  const parsed = list.query.safeParse(withLists(list, query))
  if (!parsed.success) throw toRefusal(parsed.error.issues, query)
  const sourceIn = (tx: ReadTx) => {
    const records = tx[name] as unknown as ReadRecords<StoredRecord>
    return uids === undefined ? records : onlyUids(records, uids)
  }
  if (order === undefined && ranges === undefined)
    return readProgram(door, program_uid, (tx) => {
      const page = paginate(list, sourceIn(tx), parsed.data)
      return { ...page, data: page.data.map((record) => show(record, tx)) }
    })
  if (parsed.data.sort !== undefined)
    throw new ApiError('invalidArgument', 'sort: it is not used with order or ranges; order has all fields')
  return orderedPage({
    name,
    order,
    ranges: ranges ?? [],
    query: parsed.data,
    show,
    outcomes,
    read: (work) => readProgram(door, program_uid, work),
    find: (tx) => findMatches(list, sourceIn(tx), parsed.data),
  })
}

function onlyUids(records: ReadRecords<StoredRecord>, uids: readonly string[]): Source<StoredRecord> {
  const found = [...new Set(uids)].flatMap((uid) => records.get(uid) ?? []).sort((a, b) => b.made - a.made)
  return { size: found.length, newestFirst: () => found, findByIndex: () => undefined }
}

/** As in a query, a filter that takes a list also takes one value. */
const withLists = ({ filters }: List<StoredRecord>, query: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const schema = Object.hasOwn(filters, name) ? filters[name]?.schema : undefined
      const isOneOfMany = typeof value === 'string' && schema?.safeParse([value]).success
      return [name, isOneOfMany ? [value] : value]
    }),
  )

export function getRecord(door: OperatorDoor, { collection, uid }: MethodParsed<'records.get'>) {
  const name = requireCollection(collection)
  const record = requireRecord(door, name, uid)
  const outcomes = outcomesOf(door, name)
  return door.store.read(record.program_uid, (tx) => showWithMessage(tx, name, record, outcomes), { canWait: true })
}

/** A task as a record says what it will do, as in `tasks.list`. */
const outcomesOf = (door: OperatorDoor, name: CollectionName) => (name === 'tasks' ? foresee(door).outcomes : undefined)

export function* searchRecords(
  { store }: OperatorDoor,
  { text, complete: isWhole, ...options }: MethodParsed<'records.search'>,
): Steps<MethodOutput<'records.search'>> {
  const { found, complete } = yield* searchAllRecords(store.world, text, { ...options, isWhole })
  const records = found.flatMap(({ collection, uid, ...match }) => {
    const record = readCollection(store.world, collection).get(uid)
    // It was removed during the search.
    if (!record) return []
    const shown = store.read(record.program_uid, (tx) => showRecord(tx, collection, record), { canWait: true })
    return { collection, uid, ...match, status: statusOf(shown), amount: amountOf(collection, shown) as Money | null }
  })
  return { records, complete }
}

export function explain(door: OperatorDoor, { collection, uid, field }: MethodParsed<'why'>) {
  const name = requireCollection(collection)
  const [first = ''] = field?.split('.') ?? []
  if (field !== undefined && !Object.hasOwn(rowOf(name).schema.shape, first))
    throw new ApiError('invalidArgument', `field: ${name} have no ${field}`)
  return explainRecord(door.store, name, requireRecord(door, name, uid).uid, field, outcomesOf(door, name))
}

export function listDecisions(door: OperatorDoor, { collection, uid }: MethodParsed<'moves.list'>) {
  const name = requireCollection(collection)
  return transactFor(door, 'moves.list', name, uid, (tx) => ({ moves: decisionsFor(name).list(tx, uid) }))
}

export function decide(door: OperatorDoor, { collection, uid, move, inputs = {} }: MethodParsed<'moves.make'>) {
  const name = requireCollection(collection)
  const cause: Cause = { door: 'operator', name: `moves.make ${move}`, decision: move }
  return transactFor(door, cause, name, uid, (tx) => {
    decisionsFor(name).make(tx, uid, move, inputs)
    const changed = tx[name].get(uid) ?? notFound(`${name} holds no record ${uid} any more`)
    return showRecord(tx, name, changed)
  })
}
