import type { MethodInput, MethodOutput } from '../contract/control/methods.ts'
import type { ProgramExamples, RecordAction, TriedResponse } from '../contract/control/requests.ts'
import { endpoints } from '../contract/endpoints.ts'
import { ApiError } from '../contract/errors.ts'
import type { Task } from '../contract/resources/tasks.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import { fillExample } from '../contract/terms/examples.ts'
import type { Uid } from '../contract/terms/primitives.ts'
import { showTask } from '../domain/resources/show.ts'
import { directionOf } from '../domain/resources/transactions.ts'
import { addDerived } from '../domain/rules/derived.ts'
import { accountsOf, findExamples } from '../http/examples.ts'
import { runRules } from '../http/handlers.ts'
import { createRoute, validate } from '../http/route.ts'
import { tryRequest } from '../http/try-request.ts'
import type { ReadRecords, ReadTx, Tx } from '../store/tx.ts'
import type {
  CollectionName,
  RecordOf,
  StoredRecord,
  SyntheticAccountRecord,
  TaskRecord,
  TransactionRecord,
} from '../store/world.ts'
import { isWhole, runWithin } from '../time/foresee.ts'
import type { OperatorDoor } from './door.ts'
import { notFound, readProgram, requireCollection, requireRecord } from './program-scope.ts'

/**
 * The requests of a client that concern a record, filled in with what belongs to it. Whether the API accepts one is not decided here:
 * each is tried.
 */

export type Body = Readonly<Record<string, unknown>>

interface Offer<N extends CollectionName> {
  readonly id: string
  /** On a button beside the record. */
  readonly label: string
  /** In a list of commands. */
  readonly title: string
  readonly endpoint: RecordAction['endpoint']
  /** What differs from the example of the contract, with values near the record. */
  readonly change?: (tx: ReadTx, record: RecordOf[N], example: Body) => Body
  /** Which kind of record has it at all. Whether it is possible is for the rules. */
  readonly isOf?: (record: RecordOf[N]) => boolean
}

const isGeneral = ({ synthetic_account_category: category }: SyntheticAccountRecord) => category === 'general'
const isOwn = ({ originated }: TransactionRecord) => originated
const hasAuthorization = ({ authorization }: TransactionRecord) => authorization !== undefined

/** A row of the table. */
const offer = <N extends CollectionName>(
  id: string,
  label: string,
  title: string,
  endpoint: RecordAction['endpoint'],
  more: Pick<Offer<N>, 'change' | 'isOf'> = {},
): Offer<N> => ({ id, label, title, endpoint, ...more })

const offers: { readonly [N in CollectionName]?: readonly Offer<N>[] } = {
  customers: [
    offer('transfer', 'Transfer', 'Transfer from this Customer', 'createTransfer', {
      change: (tx, _, example) => transferBody(tx, example),
    }),
    offer('vrn', 'Create VRN', 'Create VRN for this Customer', 'createVirtualReferenceNumber'),
    offer('onboard', 'Onboard', 'Onboard this Customer', 'onboardCustomer', {
      isOf: ({ status }) => status === 'initiated',
    }),
    offer('archive', 'Archive', 'Archive this Customer', 'archiveCustomer', {
      change: (tx, { uid }, { archive_note }) => {
        const { external } = accountsOf(tx, uid)
        // Required if the Customer has several external accounts.
        return { archive_note, ...(external.length > 1 ? { destination_synthetic_account_uid: external[0]!.uid } : {}) }
      },
    }),
  ],
  synthetic_accounts: [
    offer('transfer_from', 'Transfer from this account', 'Transfer from this account', 'createTransfer', {
      change: (tx, account, example) => transferBody(tx, isGeneral(account) ? example : withSwappedSides(example)),
    }),
    offer('transfer_to', 'Transfer to this account', 'Transfer to this account', 'createTransfer', {
      change: (tx, _, example) => transferBody(tx, example),
      isOf: (account) => !isGeneral(account),
    }),
    offer('vrn', 'Create VRN', 'Create VRN for this account', 'createVirtualReferenceNumber', { isOf: isGeneral }),
    offer('rename', 'Rename', 'Rename this account', 'updateSyntheticAccount'),
    offer('archive', 'Archive', 'Archive this account', 'archiveSyntheticAccount'),
  ],
  virtual_reference_numbers: [
    offer('rename', 'Rename', 'Rename this VRN', 'updateVirtualReferenceNumber'),
    offer('lock', 'Lock', 'Lock this VRN', 'lockVirtualReferenceNumber'),
    offer('unlock', 'Unlock', 'Unlock this VRN', 'unlockVirtualReferenceNumber'),
    offer('archive', 'Archive', 'Archive this VRN', 'archiveVirtualReferenceNumber'),
  ],
  transfers: [
    offer('cancel', 'Cancel', 'Cancel this Transfer', 'cancelTransfer'),
    offer('return', 'Reverse', 'Reverse this payment', 'createReturn', {
      change: (tx, { uid }, example) => returnBody(tx.transactions.findBy('transfer_uid', uid)[0], example),
    }),
  ],
  transactions: [
    // Beside these two are the decisions of the operator.
    offer('approve', 'Approve for the Client', 'Approve this Transaction for the Client', 'authorizeTransaction', {
      change: () => ({ authorization_status: 'client_approved' }),
      isOf: hasAuthorization,
    }),
    offer('deny', 'Deny for the Client', 'Deny this Transaction for the Client', 'authorizeTransaction', {
      change: () => ({ authorization_status: 'client_denied', denied_reason: 'unauthorized_credit' }),
      isOf: hasAuthorization,
    }),
    offer('reverse', 'Reverse', 'Reverse this payment', 'createReturn', {
      change: (_, transaction, example) => returnBody(transaction, example),
      isOf: isOwn,
    }),
    offer('return', 'Return', 'Return this Transaction', 'createReturn', {
      change: (_, transaction, example) => returnBody(transaction, example),
      isOf: (transaction) => !isOwn(transaction),
    }),
  ],
}

/** All of them, without a record. */
export const offered = (Object.entries(offers) as [CollectionName, readonly Offer<CollectionName>[]][]).flatMap(
  ([collection, all]) => all.map(({ id, endpoint }) => [collection, id, endpoint] as const),
)

export function listActions(door: OperatorDoor, collection: CollectionName, uid: Uid): RecordAction[] {
  const { store } = door
  const record = requireRecord(door, collection, uid)
  const { program_uid } = record
  const filledIn = store.read(program_uid, (tx) => [...fillIn(tx, collection, record)], { canWait: true })
  return filledIn.map((action) => ({ ...action, refused: tryIn(door, program_uid, action).refused }))
}

/** The offers of the record, with what belongs to it. */
export function* fillIn(tx: ReadTx, collection: CollectionName, { uid }: StoredRecord) {
  const { values } = findExamples(tx, { collection, uid })
  const record = (tx[collection] as ReadRecords<StoredRecord>).get(uid) as never
  for (const { id, label, title, endpoint, change, isOf } of (offers[collection] ??
    []) as readonly Offer<CollectionName>[]) {
    if (isOf && !isOf(record)) continue
    const example = fillExample(exampleOf(endpoint), values)
    const params: Readonly<Record<string, string>> = endpoints[endpoint].path.includes('{uid}') ? { uid } : {}
    yield { id, label, title, endpoint, params, body: change?.(tx, record, example) ?? example }
  }
}

export function readExamples(
  door: OperatorDoor,
  { program_uid, near }: MethodInput<'requests.examples'>,
): ProgramExamples {
  const at = near && { ...near, collection: requireCollection(near.collection) }
  const record = at && requireRecord(door, at.collection, at.uid)
  if (record && program_uid !== undefined && record.program_uid !== program_uid)
    return notFound(`${at.collection} ${at.uid} is not of Program ${program_uid}`)
  return readProgram(door, program_uid ?? record?.program_uid, (tx) => {
    const { customer, values, missing } = findExamples(tx, at)
    return { customer_uid: customer?.uid ?? null, values: Object.fromEntries(values), missing: [...missing] }
  })
}

export const tryIn = (
  { store, scheduler }: OperatorDoor,
  program_uid: Uid,
  request: Parameters<typeof tryRequest>[2],
  follow?: Parameters<typeof tryRequest>[0]['follow'],
): TriedResponse =>
  tryRequest({ store, runDue: (inProgram) => scheduler.runDueWithin(inProgram), follow }, program_uid, request)

/** The data of a new Customer or counterparty has an outcome with the next request. */
const nextOf: Readonly<Record<string, readonly [CollectionName, RecordAction['endpoint']]>> = {
  createCustomer: ['customers', 'onboardCustomer'],
  createSyntheticAccount: ['synthetic_accounts', 'createTransfer'],
}

/** The kinds of tasks by which the data of a counterparty forces an answer of its bank. */
const FORCED = new Set(['receive return', 'receive notification of change'])

/** The tasks that a request would schedule, and those that they would, with what each would do beside all others. */
export function foreseeRequest(door: OperatorDoor, program_uid: Uid, request: Parameters<typeof tryRequest>[2]) {
  const [collection, wanted] = nextOf[request.endpoint] ?? []
  const all = collection ? (offers[collection] as readonly Offer<CollectionName>[]) : []
  const ids = all.filter(({ endpoint }) => endpoint === wanted).map(({ id }) => id)
  const [first, ...others] = ids.map((id) => foreseeWith(door, program_uid, request, id))
  if (!first) return foreseeWith(door, program_uid, request)
  // A code may be for one direction only. If it is for both, a credit is foreseen, which Inject offers next.
  const tried = [...others.toReversed(), first]
  const accepted = tried.filter(({ next }) => next !== null)
  return accepted.find(({ follows }) => follows.some(({ kind }) => FORCED.has(kind))) ?? accepted[0] ?? first
}

/** `next`: the offer of the created record that is sent, too. */
function foreseeWith(
  door: OperatorDoor,
  program_uid: Uid,
  request: Parameters<typeof tryRequest>[2],
  nextId?: string,
): MethodOutput<'requests.foresee'> {
  const follows: Task[] = []
  let next: string | null = null
  let is_whole = true
  const { refused } = tryIn(door, program_uid, request, (tx, inProgram, since, response) => {
    if (nextId !== undefined) next = sendNext(tx, request.endpoint, nextId, response)
    // The positions of the tasks that follow: from the request, then from each task that follows.
    const { counters, collections } = door.store.world
    const own = [{ from: since, to: counters.made }]
    const isOwn = (task: TaskRecord) => own.some(({ from, to }) => task.made >= from && task.made < to)
    const ran = runWithin(door, inProgram)
    for (const { task, at, outcome, made } of ran) {
      if (!isOwn(task)) continue
      own.push(made)
      follows.push({ ...showTask(task, outcome), due_at: at })
    }
    is_whole = isWhole(ran) || !collections.tasks.inOrder().some(isOwn)
  })
  return { refused, next, follows, is_whole }
}

/** Sends a next request; returns its title, or null if it is refused. */
function sendNext(tx: Tx, name: RecordAction['endpoint'], nextId: string, response: unknown): string | null {
  const [collection] = nextOf[name]!
  for (const { id, endpoint, title, params, body } of fillIn(tx, collection, response as StoredRecord)) {
    if (id !== nextId) continue
    try {
      const declared: Endpoint = endpoints[endpoint]
      runRules(tx, endpoint, { params, query: {}, body: declared.body && validate(declared.body, body) }, addDerived)
      return title
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  }
  return null
}

/** The example of the contract; what it says about the world is replaced. */
export function exampleOf(endpoint: RecordAction['endpoint']): Body {
  const { body } = createRoute(endpoint).schemas()
  const [example] = (body?.examples ?? []) as Body[]
  return example ?? {}
}

const withSwappedSides = ({
  source_synthetic_account_uid: from,
  destination_synthetic_account_uid: to,
  ...rest
}: Body) => ({
  ...rest,
  source_synthetic_account_uid: to,
  destination_synthetic_account_uid: from,
})

/** Without the details of an ACH where neither side is reached by ACH. */
function transferBody(tx: ReadTx, { ach, ...example }: Body): Body {
  const sides = [example.source_synthetic_account_uid, example.destination_synthetic_account_uid]
  const isAch = sides.some(
    (uid) => tx.synthetic_accounts.get(String(uid))?.synthetic_account_category === 'ach_external',
  )
  return { ...example, ...(isAch ? { ach } : {}) }
}

/** Only the return of a received ACH has a code: R23 refuses a credit, R10 a debit. */
function returnBody(transaction: TransactionRecord | undefined, example: Body): Body {
  const isReceivedAch = transaction?.type === 'ach' && !transaction.originated
  return {
    ...example,
    original_transaction_uid: transaction?.uid ?? '',
    requesting_customer_uid: transaction?.customer_uid ?? '',
    ...(isReceivedAch ? { ach: { ach_return_code: directionOf(transaction) === 'credit' ? 'R23' : 'R10' } } : {}),
  }
}
