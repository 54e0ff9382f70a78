import type { CollectionName } from '../contract/collection-names.ts'
import { collectionOfField } from '../contract/collection-names.ts'
import type { ExchangeDetail, Stage } from '../contract/control/exchanges.ts'
import type { MethodParsed } from '../contract/control/methods.ts'
import type { OutgoingRequest, Repair, Repairs } from '../contract/control/repairs.ts'
import type { TriedRequest, TriedResponse } from '../contract/control/requests.ts'
import { ApiError, type ErrorKey } from '../contract/errors.ts'
import { type FoundRoute, findNearestPath, findRoute, methodsOf } from '../contract/paths.ts'
import { valueAt as partAt } from '../contract/terms/at-path.ts'
import { type ExampleValues, fillExample } from '../contract/terms/examples.ts'
import { formatAmount } from '../contract/terms/format-amount.ts'
import type { Money, Uid } from '../contract/terms/primitives.ts'
import { dateAt } from '../domain/rules/calendar.ts'
import { add, halfway, isLess, isPositive, money, ZERO } from '../domain/rules/money.ts'
import { convertText, parseForm, parseJsonText, type Tree } from '../http/body.ts'
import { toApiError } from '../http/error-response.ts'
import { findExamples, take } from '../http/examples.ts'
import { findRefusedFields } from '../http/refused-fields.ts'
import { createRoute } from '../http/route.ts'
import { attemptRequest } from '../http/try-request.ts'
import { unsealText } from '../replay/record.ts'
import { IndexMissing } from '../store/collection.ts'
import type { Steps } from '../store/steps.ts'
import type { ReadRecords, ReadTx } from '../store/tx.ts'
import type { StoredRecord } from '../store/world.ts'
import { titleOf } from '../views/names.ts'
import { toGoal } from './clock-methods.ts'
import type { OperatorDoor } from './door.ts'
import { notFound, requireProgram } from './program-scope.ts'
import {
  choicesOf,
  type Draft,
  type Edit,
  findMeantField,
  isUidField,
  lastOf,
  meantValues,
  mendJson,
  valueAt,
  withValue,
} from './repair-edits.ts'

/**
 * exchanges.repair: the smallest change of a refused request that is accepted. It knows no rule: it edits the fields that a refusal
 * names, tries each edit in the world, which is undone, and goes on from an edit that is refused for another reason.
 *
 * Assumed (invented): at most 600 edits are tried, at most six one after the other; of a uid the 40 newest records, those near the request first; of
 * time, 15 amounts from a minute to 10 business days.
 */
const MOST_TRIES = 600
const MOST_EDITS = 6
const MOST_BRANCHES = 8
const MOST_RECORDS = 40
const MOST_REPAIRS = 5
/** How many records of a field are shown to be accepted. */
const MOST_CANDIDATES = 3

interface Sent {
  readonly program_uid: Uid
  /** False for one that is only described. */
  readonly wasSent: boolean
  readonly draft: Draft
  /** Its body as it was sent. */
  readonly text: string
  readonly stage: Stage | null
  readonly key: string | undefined
}

interface Refused {
  readonly error: ApiError
  readonly fields: readonly string[]
}
interface Node {
  readonly draft: Draft
  readonly edits: readonly Edit[]
}
type RefusedNode = Node & { readonly refused: Refused }

export async function repairRequest(door: OperatorDoor, input: MethodParsed<'exchanges.repair'>): Promise<Repairs> {
  const sent = input.request ? fromRequest(door, input.request) : fromLog(door, input.uid!)
  const search = new Search(door, sent.program_uid)
  const first = [...firstDrafts(sent)]
  if (first.length === 0) return { repairs: [], none: whyNone(sent), tried: 0 }
  if (first[0] && isSignIn(first[0].draft)) return await repairSignIn(door, sent, first[0])
  const { found, last } = await door.jobs.runSilent(search.run(first))
  const repairs = found.map((node) => toRepair(sent, node))
  const waits = last !== undefined && WAITS.has(last.refused.error.key)
  if (last && (waits || (repairs.length === 0 && !isBySetting(last)))) {
    const later = await findTime(door, search, last)
    const edits = [...last.edits, ...(later?.edits ?? [])]
    const repair = later && toRepair(sent, { ...later, edits }, later.advance)
    const isFirst = !repairs[0]?.change.some(({ field }) => /amount/.test(field))
    if (repair) repairs.splice(isFirst ? 0 : 1, 0, repair)
  }
  const { tried } = search
  if (repairs.length > 0) return { repairs: repairs.slice(0, MOST_REPAIRS), none: null, tried }
  const setting = last && isBySetting(last) ? last.refused.error.setting : undefined
  const { method } = sent.draft
  const target = search.hasTarget(sent.draft)
    ? `; another record in the path is not tried: ${method} would change that one instead`
    : ''
  return {
    repairs: [],
    none: setting ? `The Program setting ${setting} decides it` : `None of ${tried} changes was accepted${target}`,
    tried,
  }
}

// ── The request ──────────────────────────────────────────────────────────────────────────────────────────────────────

const splitPath = (path: string) => {
  const at = path.indexOf('?')
  return at < 0 ? { path, query: '' } : { path: path.slice(0, at), query: path.slice(at + 1) }
}

function fromRequest(door: OperatorDoor, { program_uid, method, path, body = '' }: OutgoingRequest): Sent {
  const parsed = parse(body)
  return {
    program_uid: requireProgram(door, program_uid),
    wasSent: false,
    draft: { method, ...splitPath(path), body: parsed },
    text: body,
    stage: body !== '' && !parsed ? 'body' : null,
    key: undefined,
  }
}

function fromLog(door: OperatorDoor, uid: Uid): Sent {
  const { program_uid, method, path, request, refusal, status, fault } =
    door.exchanges.get(uid) ?? notFound(`there is no exchange ${uid}`)
  if (status > 0 && status < 400 && !fault)
    throw new ApiError('invalidArgument', `uid: ${uid} was accepted, so there is nothing to repair`)
  const { stage = null, key } = refusal ?? {}
  const draft = { method, ...splitPath(path), body: parse(request.body) ?? readForm(method, path, request) }
  return {
    program_uid: requireProgram(door, program_uid ?? undefined),
    wasSent: true,
    draft,
    text: request.body,
    stage,
    key,
  }
}

function parse(text: string): Tree | undefined {
  try {
    return text === '' ? undefined : parseJsonText(text)
  } catch {
    return undefined
  }
}

function readForm(method: string, path: string, { headers, body }: ExchangeDetail['request']): Tree | undefined {
  const type = headers.find(([name]) => name === 'content-type')?.[1] ?? ''
  const route = findRoute(method, path)
  const schema = route && createRoute(route.name).schemas().body
  if (!type.includes('form-urlencoded') || !schema) return undefined
  try {
    return convertText(parseForm(body), schema) as Tree
  } catch {
    return undefined
  }
}

const isSignIn = ({ method, path }: Draft) => findRoute(method, path)?.name === 'createAccessToken'

/** The request with what the checks before its schema refuse put right. */
function* firstDrafts({ draft, text, stage, key }: Sent): Generator<Node> {
  const corrected = (
    field: string,
    before: unknown,
    after: unknown,
    say: string,
    changed: Partial<Draft> = {},
  ): Node => ({
    draft: { ...draft, ...changed },
    edits: [{ field, before, after, say }],
  })
  const { method, path } = draft
  if (stage === 'allowlist' || key === 'internal' || text.length > MOST_TEXT) return
  if (stage === 'token') yield corrected('authorization', 'refused', 'a new token', 'Send a new access token')
  else if (stage === 'trace id')
    yield corrected('x-trace-id', 'refused', 'a new UUID', 'Take another trace id, such as a UUID, for each request')
  else if (!findRoute(method, path)) {
    const nearest = findNearestPath(method, path)
    for (const one of nearest === undefined ? methodsOf(path).filter(mayBeMeant) : [])
      yield corrected('method', method, one, `Send it with ${one}`, { method: one })
    if (nearest !== undefined) yield corrected('path', path, nearest, `Send it to ${nearest}`, { path: nearest })
  } else if (key === 'unsupportedMediaType')
    yield corrected('content-type', 'refused', 'application/json', 'Send the body as application/json')
  else if (stage === 'body' && key !== 'bodyTooLarge' && !draft.body) {
    const mended = mendJson(text)
    if (mended) yield corrected('body', text, JSON.stringify(mended), 'Close the JSON of the body', { body: mended })
    yield corrected('body', text, '{}', 'Send a JSON object as the body', { body: {} })
  } else if (stage !== 'body') yield { draft, edits: [] }
}

/**
 * Assumed (invented): a method that the path does not have is exchanged for POST or PUT. A read does something else than what was asked for,
 * and DELETE destroys what nobody asked to destroy.
 */
const mayBeMeant = (method: string) => method === 'POST' || method === 'PUT'

/** Each try parses the body again. */
const MOST_TEXT = 100_000

const whyNone = ({ stage, key, text, draft: { path } }: Sent): string =>
  key === 'internal'
    ? 'The sandbox has failed, whatever is sent'
    : stage === 'allowlist'
      ? 'The address, the Host or the Origin of the caller is refused: no change of the request is accepted'
      : stage === 'body' || text.length > MOST_TEXT
        ? 'The body cannot be read, or is too large to try changes of it'
        : methodsOf(path).length > 0
          ? `The path has only ${methodsOf(path).join(', ')}, which does something else`
          : 'No path of the API is similar'

// ── The search ───────────────────────────────────────────────────────────────────────────────────────────────────────

const keys = (...all: readonly ErrorKey[]): ReadonlySet<ErrorKey> => new Set(all)
const TOO_LARGE = keys('insufficientFunds', 'transferAboveMaximum', 'dailyAmountExhausted')
const TOO_SMALL = keys('transferBelowMinimum', 'transferAmountNotPositive')
const TAKEN = keys(
  ...(['syntheticAccountExists', 'customerInUse', 'vrnNotUpdated', 'vrnNotCreated'] as const),
  ...(['combinedTransferExists', 'externalAccountTooOften'] as const),
)
/** Time alone may make the request accepted. */
const WAITS = keys(
  ...(['inactiveCustomer', 'customerNotUpdatable', 'syntheticAccountHasTransfer', 'externalAccountTooRecent'] as const),
  ...(['dailyTransfersExhausted', 'dailyAmountExhausted', 'vrnLockCooldown', 'vrnUnlockCooldown'] as const),
  ...(['returnNotSettled', 'returnNotCreated'] as const),
)
/** All fields that are named are wrong. */
const OF_SCHEMA = keys('missingParameter', 'invalidArgument', 'malformedUpdate', 'piiFrozen', 'returnExtraInformation')

const isBySetting = ({ refused: { error, fields } }: RefusedNode) => error.setting !== undefined && fields.length === 0
const signOf = ({ error, fields }: Refused) => `${error.key} ${fields.join()}`

class Search {
  readonly #door: OperatorDoor
  readonly program_uid: Uid
  readonly #examples = new Map<string, ExampleValues>()
  tried = 0

  constructor(door: OperatorDoor, program_uid: Uid) {
    this.#door = door
    this.program_uid = program_uid
  }

  /** `last`: the refusal from which it begins. */
  *run(first: readonly Node[]): Steps<{ found: readonly Node[]; last: RefusedNode | undefined }> {
    const found: Node[] = []
    let level: RefusedNode[] = []
    for (const node of first) {
      const refused = this.attempt(node.draft)
      if (refused) level.push({ ...node, refused })
      else found.push(node)
      yield
    }
    const [last] = level
    for (let depth = 0; found.length === 0 && level.length > 0 && depth < MOST_EDITS; depth++) {
      const next: RefusedNode[] = []
      for (const node of level) if (depth === 0 || found.length === 0) yield* this.#expand(node, found, next)
      level = next.slice(0, MOST_BRANCHES)
    }
    return { found, last }
  }

  /**
   * Whether the request would change another record if the one in its path were exchanged.
   *
   * Assumed (invented): the record in the path of a PUT or POST is never exchanged for another one, which the request would then change. The uid
   * in the path of a DELETE is not exchanged even if it names no record.
   */
  hasTarget({ method, path }: Draft): boolean {
    const route = method === 'GET' || method === 'HEAD' ? undefined : findRoute(method, path)
    const collection = route && collectionOf(route, '{uid}')
    const uid = route?.params.uid
    if (!collection || uid === undefined) return false
    if (method === 'DELETE') return true
    const { store } = this.#door
    const read = (tx: ReadTx) => (tx[collection] as ReadRecords<StoredRecord>).get(decode(uid))
    return store.read(this.program_uid, read, { canWait: true }) !== undefined
  }

  /** undefined if it is accepted. */
  attempt(draft: Draft): Refused | undefined {
    const { store, scheduler } = this.#door
    const route = findRoute(draft.method, draft.path)
    if (!route) return { error: new ApiError('routeNotFound'), fields: [] }
    const request = this.toTried(route, draft)
    this.tried++
    try {
      attemptRequest({ store, runDue: (inProgram) => scheduler.runDueWithin(inProgram) }, this.program_uid, request)
      return undefined
    } catch (error) {
      if (error instanceof IndexMissing) throw error
      const refusal = toApiError(error)
      return { error: refusal, fields: this.#fieldsOf(refusal, route, draft) }
    }
  }

  toTried({ name, params }: FoundRoute, { query, body }: Draft): TriedRequest {
    const opened = body && (JSON.parse(unsealText(JSON.stringify(body), this.#door.store.seal)) as Tree)
    const decoded = Object.fromEntries(Object.entries(params).map(([key, text]) => [key, decode(text)]))
    return {
      program_uid: this.program_uid,
      endpoint: name as TriedRequest['endpoint'],
      params: decoded,
      query,
      body: opened,
    }
  }

  #fieldsOf(error: ApiError, { name, params }: FoundRoute, { query, body }: Draft): readonly string[] {
    try {
      const { tree } = createRoute(name).schemas().queries.parse(query)
      return findRefusedFields(error, 'rules', { params, query: tree, body })
    } catch {
      return []
    }
  }

  *#expand(node: RefusedNode, found: Node[], next: RefusedNode[]): Steps<void> {
    const route = findRoute(node.draft.method, node.draft.path)
    if (!route) return
    const isFixed = (field: string) => field.startsWith('{') && this.hasTarget(node.draft)
    const fields = node.refused.fields.filter((field) => !isFixed(field))
    const others = allFields(route, node.draft).filter(
      (field) => isUidField(field) && !fields.includes(field) && !isFixed(field),
    )
    // The others only if those that are named lead nowhere.
    for (const named of [fields, others]) {
      const before = found.length + next.length
      if (named === fields && OF_SCHEMA.has(node.refused.error.key)) yield* this.#tryTogether(node, route, found, next)
      for (const field of named) yield* this.#tryField(node, route, field, found, next)
      if (found.length + next.length > before) return
    }
  }

  /** All wrong fields at once: filled in, or left out. */
  *#tryTogether(node: RefusedNode, route: FoundRoute, found: Node[], next: RefusedNode[]): Steps<void> {
    const { fields } = node.refused
    if (fields.length < 2) return
    const filled = fields.map((field) => this.#editsOf(node, route, field)[0]?.[0])
    const left = fields.map((field) => leaveOut(route, node.draft, field))
    for (const edits of [filled, left])
      if (edits.every((edit) => edit !== undefined)) yield* this.#tryGroup(node, route, [edits], found, next)
  }

  *#tryField(node: RefusedNode, route: FoundRoute, field: string, found: Node[], next: RefusedNode[]): Steps<void> {
    const { key } = node.refused.error
    if (/amount/.test(field) && (TOO_LARGE.has(key) || TOO_SMALL.has(key))) {
      const edit = yield* this.#findAmount(node, route, field)
      if (edit) yield* this.#tryGroup(node, route, [[edit]], found, next)
      return
    }
    yield* this.#tryGroup(node, route, this.#editsOf(node, route, field), found, next)
    const meant = findMeantField(route, node.draft, field)
    const out = leaveOut(route, node.draft, field)
    if (meant !== undefined && out) {
      const full = [...field.split('.').slice(0, -1), meant].join('.')
      const renamed = { field: full, before: undefined, after: out.before, say: `Rename ${field} to ${full}` }
      yield* this.#tryGroup(node, route, [[{ ...out, say: '' }, renamed]], found, next)
    }
    if (out) yield* this.#tryGroup(node, route, [[out]], found, next)
    // A part of an object or a list that nothing repairs: without all of it.
    const whole = field.replace(/\.[^.]*$/, '')
    const parent = whole === field ? undefined : leaveOut(route, node.draft, whole)
    if (parent && found.length === 0) yield* this.#tryGroup(node, route, [[parent]], found, next)
  }

  /** Of several edits that are accepted, the first is kept, with the number of them. */
  *#tryGroup(
    node: RefusedNode,
    route: FoundRoute,
    group: readonly (readonly Edit[])[],
    found: Node[],
    next: RefusedNode[],
  ): Steps<void> {
    const accepted: Node[] = []
    let ahead = 0
    for (const edits of group) {
      if (this.tried >= MOST_TRIES || accepted.length === MOST_CANDIDATES) break
      const draft = applyAll(route, node.draft, edits)
      const refused = this.attempt(draft)
      yield
      const changed = { draft, edits: [...node.edits, ...edits] }
      if (!refused) accepted.push(changed)
      else if (ahead < 2 && signOf(refused) !== signOf(node.refused)) {
        next.push({ ...changed, refused })
        ahead++
      }
      // Of values that are not records, one is enough.
      if (accepted.length > 0 && !isUidField(edits[0]!.field)) break
    }
    const [first] = accepted
    if (!first) return
    const last = first.edits.at(-1)!
    const say = accepted.length > 1 ? `${last.say} (one of ${accepted.length} candidates)` : last.say
    found.push({ ...first, edits: [...first.edits.slice(0, -1), { ...last, say }] })
  }

  #editsOf(node: RefusedNode, route: FoundRoute, field: string): readonly (readonly [Edit])[] {
    const { draft, refused } = node
    const before = valueAt(route, draft, field)
    const example = this.#exampleOf(route, draft, field)
    if (isUidField(field)) return this.#recordsFor(route, draft, field, example).map((edit) => [edit])
    const values = [...meantValues(route, draft, field, { example, isTaken: TAKEN.has(refused.error.key) })]
    const { choices, nearest } = choicesOf(route, draft, field)
    const isFar = typeof before === 'string' && nearest === undefined
    const texts = new Set([undefined, JSON.stringify(before)])
    return values.flatMap((after) => {
      const text = JSON.stringify(after)
      if (texts.has(text)) return []
      texts.add(text)
      const isGuess = isFar && choices.includes(String(after))
      const shown = isGuess ? `one of ${listNames(choices)}` : text.length > MOST_SHOWN ? '' : text
      const say =
        before === undefined
          ? `Add the missing field ${field}${shown && ': '}${shown}`
          : `Send ${shown || 'another value'} as ${field}`
      return [[{ field, before, after, say }] as const]
    })
  }

  #exampleOf({ name, endpoint }: FoundRoute, draft: Draft, field: string): unknown {
    const values = this.#examplesNear(draft)
    if (field.startsWith('{')) return endpoint.example && values.get(endpoint.example)
    const [example] = (createRoute(name).schemas().body?.examples ?? []) as unknown[]
    return partAt(fillExample(example ?? {}, values), field.split('.'))
  }

  /** Near the Customer that the request names. */
  #examplesNear(draft: Draft): ExampleValues {
    const { store } = this.#door
    const { customers } = store.world.collections
    const uid = [...uidsIn(draft)].find((one) => customers.get(one)?.program_uid === this.program_uid)
    const near = uid === undefined ? undefined : ({ collection: 'customers', uid } as const)
    const read = () => store.read(this.program_uid, (tx) => findExamples(tx, near).values, { canWait: true })
    const values = this.#examples.get(uid ?? '') ?? read()
    this.#examples.set(uid ?? '', values)
    return values
  }

  /** The record of the example, then those near the records that the request names, then the newest. */
  #recordsFor(route: FoundRoute, draft: Draft, field: string, example: unknown): readonly Edit[] {
    const collection = collectionOf(route, field)
    const before = valueAt(route, draft, field)
    if (!collection) return []
    const { store } = this.#door
    return store.read(
      this.program_uid,
      (tx) => {
        const named = uidsIn(draft)
        const records = [...take((tx[collection] as ReadRecords<StoredRecord>).newestFirst(), MOST_READ)]
        const rank = (record: StoredRecord) =>
          record.uid === example ? 2 : Object.values(record).some((value) => named.has(value as string)) ? 1 : 0
        return records
          .filter(({ uid }) => uid !== before)
          .sort((a, b) => rank(b) - rank(a))
          .slice(0, MOST_RECORDS)
          .map((record) => {
            const isList = Array.isArray(before)
            const title = titleOf(store.world, collection, record)
            const who = title === record.uid ? title : `${title} (${record.uid})`
            const where = field.startsWith('{') ? 'in the path' : `as ${field}`
            const verb = before === undefined ? 'Add' : 'Name'
            return { field, before, after: isList ? [record.uid] : record.uid, say: `${verb} ${who} ${where}` }
          })
      },
      { canWait: true },
    )
  }

  /** The largest amount, or the smallest, that is not refused for the same reason. */
  *#findAmount({ draft, refused }: RefusedNode, route: FoundRoute, field: string): Steps<Edit | undefined> {
    const before = valueAt(route, draft, field)
    if (!/^-?\d+(\.\d+)?$/.test(String(before))) return undefined
    const { key } = refused.error
    const isRefused = (amount: Money) => this.attempt(withValue(route, draft, field, amount))?.error.key === key
    const isLarge = TOO_LARGE.has(key)
    const given = money(String(before))
    let good = isLarge || isPositive(given) ? (isLarge ? ZERO : given) : CENT
    let bad = isLarge ? given : ZERO
    for (let left = MOST_DOUBLINGS; !isLarge && isRefused(good); left--) {
      if (left === 0) return undefined
      bad = good
      good = add(good, good)
      yield
    }
    while (isLess(isLarge ? add(good, CENT) : add(bad, CENT), isLarge ? bad : good)) {
      const middle = halfway(good, bad)
      if (isRefused(middle)) bad = middle
      else good = middle
      yield
    }
    if (!isPositive(good)) return undefined
    return { field, before, after: good, say: `Send at ${isLarge ? 'most' : 'least'} ${formatAmount(good)}` }
  }
}

/** A longer value is only in the change. */
const MOST_SHOWN = 80
/** So many of the known values are named. */
const MOST_NAMED = 8
const listNames = (all: readonly string[]) =>
  all.length > MOST_NAMED ? `${all.slice(0, MOST_NAMED).join(', ')}, …` : all.join(', ')

const CENT = money('0.01')
const MOST_DOUBLINGS = 40
/** How many of the newest records are looked through. */
const MOST_READ = 400

/** Of the records that a field names. */
function collectionOf({ endpoint }: FoundRoute, field: string): CollectionName | undefined {
  const [, first = ''] = endpoint.path.split('/')
  return collectionOfField(field.startsWith('{') ? 'uid' : lastOf(field).replace(/_uids$/, '_uid'), first.slice(0, -1))
}

const applyAll = (route: FoundRoute, draft: Draft, edits: readonly Edit[]): Draft =>
  edits.reduce((changed, { field, after }) => withValue(route, changed, field, after), draft)

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const uidsIn = ({ path, body }: Draft): ReadonlySet<string> =>
  new Set(`${path} ${JSON.stringify(body ?? {})}`.match(/\b[A-Za-z0-9]{16}\b/g))

function leaveOut(route: FoundRoute, draft: Draft, field: string): Edit | undefined {
  const before = field.startsWith('{') ? undefined : valueAt(route, draft, field)
  return before === undefined ? undefined : { field, before, after: undefined, say: `Leave out ${field}` }
}

function allFields({ params }: FoundRoute, { body }: Draft): string[] {
  const inside = (value: unknown, at: string): string[] =>
    typeof value !== 'object' || value === null || Array.isArray(value)
      ? [at]
      : Object.entries(value).flatMap(([name, part]) => inside(part, at === '' ? name : `${at}.${name}`))
  return [...Object.keys(params).map((name) => `{${name}}`), ...(body ? inside(body, '') : [])]
}

// ── Time ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const SOON = [
  '1 minute',
  '5 minutes',
  '15 minutes',
  '30 minutes',
  '1 hour',
  '2 hours',
  '4 hours',
  '8 hours',
  '12 hours',
]
const LATER = ['1 day', '1 business day', '2 business days', '3 business days', '5 business days', '10 business days']
const MOST_TASKS = 2_000

/** The first of these times at which the request is accepted, in a copy of the world; with its dates moved, if they are over. */
async function findTime({ store, worlds }: OperatorDoor, search: Search, { draft }: Node) {
  const route = findRoute(draft.method, draft.path)
  if (!route) return undefined
  const now = store.clock.now()
  for (const amounts of [SOON, LATER]) {
    const times = amounts
      .map((text) => ({ text, to: (toGoal({ text }, now) as { readonly to: number }).to }))
      .sort((a, b) => a.to - b.to)
      .map((time) => ({ ...time, edits: moveDates(route, draft, dateAt(time.to)) }))
    const calls = times.flatMap(({ to, edits }) => [
      { method: 'clock.advance', input: { to: new Date(to).toISOString(), wait_for_webhooks: false } },
      { method: 'requests.try', input: search.toTried(route, applyAll(route, draft, edits)) },
    ])
    const tried = await Promise.resolve(worlds.try({ calls, most_tasks: MOST_TASKS })).catch((error: unknown) => {
      if (error instanceof ApiError) return undefined
      throw error
    })
    if (!tried) return undefined
    search.tried += times.length
    const answers = tried.answers.filter(({ method }) => method === 'requests.try')
    const found = times[answers.findIndex(({ output }) => (output as TriedResponse | null)?.refused === null)]
    if (found) return { advance: found.text, edits: found.edits, draft: applyAll(route, draft, found.edits) }
  }
  return undefined
}

function moveDates(route: FoundRoute, draft: Draft, date: string): readonly Edit[] {
  return allFields(route, draft).flatMap((field) => {
    const before = valueAt(route, draft, field)
    if (!/_date$/.test(field) || typeof before !== 'string' || before >= date) return []
    return [{ field, before, after: date, say: `Send "${date}" as ${field}` }]
  })
}

/** A token is signed outside of the world's rules, so it is sent in a copy. */
async function repairSignIn({ worlds }: OperatorDoor, sent: Sent, node: Node): Promise<Repairs> {
  const repair = toRepair(sent, node)
  const { answers } = await worlds.try({ calls: [{ method: 'exchanges.send', input: repair.request }] })
  const isAccepted = (answers[0]?.output as ExchangeDetail | null)?.status === 201
  return isAccepted
    ? { repairs: [repair], none: null, tried: 1 }
    : { repairs: [], none: 'A new refresh token is refused, too', tried: 1 }
}

// ── What is answered ─────────────────────────────────────────────────────────────────────────────────────────────────

function toRepair({ program_uid, wasSent }: Sent, { draft, edits }: Node, advance?: string): Repair {
  const merged = new Map<string, Edit>()
  for (const edit of edits) merged.set(edit.field, { ...edit, before: (merged.get(edit.field) ?? edit).before })
  const changes = [...merged.values()]
  const says = [...(advance === undefined ? [] : [`Advance ${advance} first`]), ...changes.map(({ say }) => say)]
  const { method, path, query, body } = draft
  return {
    say: says.filter(Boolean).join('; ') || (wasSent ? 'Send it again: it is accepted now' : 'It is accepted as it is'),
    change: changes.map(({ field, before = null, after = null }) => ({ field, before, after })),
    ...(advance === undefined ? {} : { advance }),
    request: {
      program_uid,
      method: method as OutgoingRequest['method'],
      path: query === '' ? path : `${path}?${query}`,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    },
  }
}
