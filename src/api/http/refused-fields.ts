import type { Stage } from '../contract/control/exchanges.ts'
import type { ApiError, ErrorKey } from '../contract/errors.ts'

/**
 * Which parts of a request caused its refusal. The window marks them, in the request as it was sent and in the form that sends it again.
 * The response names some of them in `extra`; the others follow from the error.
 */

interface SentInput {
  readonly params: Readonly<Record<string, unknown>>
  readonly query: unknown
  readonly body: unknown
}

/** The part that a check before the schema refuses. */
const HEADER_OF: Partial<Record<Stage, string>> = { token: 'authorization', 'trace id': 'x-trace-id' }

const CUSTOMER = [
  ...['customer_uid', 'initiating_customer_uid', 'requesting_customer_uid'],
  ...['pool_uid', 'synthetic_account_uid', '{uid}'],
]
const AMOUNT = ['usd_transfer_amount', 'us_dollar_amount']
const ACCOUNT_TYPE = ['synthetic_account_type_uid']
const VRN = ['virtual_reference_number_uid', '{uid}']
const ORIGINAL = ['original_transaction_uid']
const PATH = ['{uid}']

const about = (fields: readonly string[], ...keys: readonly ErrorKey[]) => keys.map((key) => [key, fields] as const)

/** The first of these fields that a request has, where `extra` names none. */
const FIRST_FIELD = new Map<ErrorKey, readonly string[]>([
  ...about(CUSTOMER, 'archivedCustomer', 'inactiveCustomer', 'customerNotUpdatable', 'customerNotFound'),
  ...about(CUSTOMER, 'customerLocked', 'customerInUse', 'customerDetailsIncomplete', 'piiFrozen', 'accountLocked'),
  ...about(CUSTOMER, 'dailyTransfersExhausted'),
  ...about(['product_uid'], 'onboardingIncomplete'),
  ...about(['synthetic_account_uid', '{uid}'], 'syntheticAccountNotFound'),
  ...about(['account_number'], 'syntheticAccountExists', 'externalAccountTooOften'),
  ...about(PATH, 'masterAccountNotArchivable', 'syntheticAccountHasBalance', 'syntheticAccountHasTransfer'),
  ...about(PATH, 'syntheticAccountNotUpdatable', 'syntheticAccountNotActive', 'transferNotFound'),
  ...about(PATH, 'transferNotCancelable', 'transferNotCanceled', 'authorizationFinal', 'authorizationExpired'),
  ...about(PATH, 'authorizationIneligible', 'vrnAlreadyLocked', 'vrnAlreadyUnlocked', 'vrnLockCooldown'),
  ...about(PATH, 'vrnUnlockCooldown', 'returnNotFound', 'combinedTransferNotFound'),
  ...about(ACCOUNT_TYPE, 'generalAccountsExhausted', 'externalAccountAlreadyOpen', 'externalAccountsExhausted'),
  ...about(ACCOUNT_TYPE, 'externalAccountTooRecent', 'outboundAchAccountsExhausted'),
  ...about(AMOUNT, 'transferAmountNotNumeric', 'transferAmountNotPositive', 'insufficientFunds'),
  ...about(AMOUNT, 'dailyAmountExhausted', 'transferAboveMaximum', 'transferBelowMinimum'),
  ...about(VRN, 'vrnNotFound', 'vrnArchived'),
  ...about(['name'], 'vrnNotCreated'),
  ...about(['synthetic_account_uid'], 'vrnAccountIneligible'),
  ...about(ORIGINAL, 'returnNotCreated', 'returnExists', 'returnNotSettled', 'returnUnsupported', 'returnExpired'),
  ...about(ORIGINAL, 'returnNetworkUnsupported', 'returnCodeUnsupported', 'returnOfReturn', 'returnIneligible'),
  ...about(['ach_return_code', ...ORIGINAL], 'returnTooLateToday'),
  ...about(['external_uid'], 'combinedTransferExists'),
])

/** All of these fields. */
const ALL_FIELDS: Partial<Record<ErrorKey, readonly string[]>> = {
  sameAccounts: ['source_synthetic_account_uid', 'destination_synthetic_account_uid'],
  transferProhibited: ['source_synthetic_account_uid', 'destination_synthetic_account_uid'],
}

/** Paths such as `ach.sec_code`, a header, or `{uid}` for the uid in the path; empty if no part of the request is wrong. */
export function findRefusedFields({ key, extra = '', fields }: ApiError, stage: Stage, input: SentInput): string[] {
  const header = key === 'unsupportedMediaType' ? 'content-type' : HEADER_OF[stage]
  if (header) return [header]
  if (stage !== 'schema' && stage !== 'rules') return []
  const values = flatten(input)
  const named = findNamed(extra, [...values.keys()])
  if (fields) return fields.flatMap((field) => refine(field, named, input))
  if (named.length > 0) return named
  const byValue = [...values].filter(([, value]) => isUid(value) && extra.includes(value)).map(([path]) => path)
  if (byValue.length > 0) return byValue
  const all = (ALL_FIELDS[key] ?? []).flatMap((name) => findPath(values, name) ?? [])
  if (all.length > 0) return all
  const unknownRecord = key === 'unknownRecord' ? fieldsOfRecord(extra) : []
  const first = [...(FIRST_FIELD.get(key) ?? []), ...unknownRecord].flatMap((name) => findPath(values, name) ?? [])
  return first.slice(0, 1)
}

/** The parts of a field that the text names, if the field is an object; of a list in the query only its name. */
function refine(field: string, named: readonly string[], { query, body }: SentInput): string[] {
  const parts = named.filter((name) => name.startsWith(`${field}.`))
  if (parts.length > 0) return parts
  const [first = ''] = field.split('.')
  return [isIn(query, first) && !isIn(body, first) ? first : field]
}

const isIn = (part: unknown, name: string) => typeof part === 'object' && part !== null && Object.hasOwn(part, name)

/** Each field of the body, each parameter of the query, and each uid in the path, with its value. */
function flatten({ params, query, body }: SentInput): Map<string, unknown> {
  const values = new Map<string, unknown>()
  const add = (part: unknown, at: string) => {
    if (at !== '') values.set(at, part)
    if (typeof part !== 'object' || part === null) return
    for (const [name, inner] of Object.entries(part)) add(inner, at === '' ? name : `${at}.${name}`)
  }
  add(body, '')
  for (const [name, value] of Object.entries(query ?? {})) values.set(name, value)
  for (const [name, value] of Object.entries(params)) values.set(`{${name}}`, value)
  return values
}

/** The path of the field with this name, which is inside another one in a combined transfer. */
function findPath(values: ReadonlyMap<string, unknown>, name: string): string | undefined {
  return values.has(name) ? name : [...values.keys()].find((path) => path.endsWith(`.${name}`))
}

const isUid = (value: unknown): value is string => typeof value === 'string' && value.length === 16

/** The first word of each part of `extra`, and words with `_` or `.`: "ach" in "at most 5000000.00 for ach" is not the field `ach`. */
const NAMES = /(?<=^|; |\bits )[A-Za-z]\w*(?:\.\w+)*|\b[A-Za-z]\w*(?:_\w+|\.\w+)(?:\.\w+)*/g
/** A part that says that a field is missing: the request does not have it. */
const MISSING = /(?<=^|; )([\w.]+) is (?:missing|required)/g

function findNamed(extra: string, paths: readonly string[]): string[] {
  const missing = [...extra.matchAll(MISSING)].map(([, path]) => path!)
  const words = extra.match(/\bone of .* is expected/) ? (extra.match(/\w+/g) ?? []) : (extra.match(NAMES) ?? [])
  const found = words.flatMap((word) => paths.find((path) => path === word || path.endsWith(`.${word}`)) ?? [])
  const spoken = extra.split('; ').flatMap((part) => paths.find((path) => part.startsWith(`${speak(path)} `)) ?? [])
  return [...new Set([...missing, ...found, ...spoken])]
}

/** The name of a field in a sentence: `details.middle_name` is "Middle name". */
function speak(path: string): string {
  const name = path.slice(path.lastIndexOf('.') + 1).replaceAll('_', ' ')
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Where the uid of a record stands that does not exist, such as of "there is no Synthetic Account Type with this uid". */
function fieldsOfRecord(extra: string): string[] {
  const [, record] = /^there is no ([A-Za-z ]+) with this uid$/.exec(extra) ?? []
  if (record === undefined) return []
  const name = `${record.toLowerCase().replaceAll(' ', '_')}_uid`
  return [name, `original_${name}`, '{uid}']
}
