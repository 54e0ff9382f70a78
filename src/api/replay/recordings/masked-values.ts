import { createHash } from 'node:crypto'
import { runToEnd, type Steps } from '../../store/steps.ts'
import type { RecordedRequest } from './recording.ts'

/**
 * Recordings often have masked numbers. Each gets a pseudonym, so that the request can be sent again: with the last four
 * digits that are still shown, and valid or invalid as the recorded response says. Equal masked texts get equal pseudonyms.
 */

type Kind = 'ssn' | 'account_number'

/** `inError` recognizes the field in an error text. */
const KINDS: readonly (readonly [Kind, field: RegExp, inError: RegExp])[] = [
  [
    'ssn',
    /^(?:ssn|s_s_n|social[_-]?security(?:[_-]?(?:number|no))?|tax[_-]?id(?:entifier|entification)?(?:[_-]?(?:number|no))?|[te]in|itin)$/i,
    /\bssn\b|social.?security|\btax.?id|\b[te]in\b/i,
  ],
  ['account_number', /^account[_-]?(?:number|no)$/i, /\baccount[_ -]?number\b/i],
]

const kindOf = (field: string): Kind | undefined => KINDS.find(([, name]) => name.test(field))?.[0]

const MASK_CHARACTER = /[*xX•●·#█]/g
const MASKED_NUMBER = /^[\d\s().*xX•●·#█-]+$/
const MASK_WORD =
  /^[\s[(<{*_#"'-]*(?:redacted|masked|removed|hidden|filtered|scrubbed|sanitized|obfuscated|anonymi[sz]ed|omitted|too deep)[\s\])>}*_#"':-]*\d{0,4}$/i

/** `***-**-6789`, `xxxx1234`, `[masked]`, `REDACTED` and the like. */
export const isMasked = (text: string): boolean =>
  MASK_WORD.test(text) || (MASKED_NUMBER.test(text) && (text.match(MASK_CHARACTER)?.length ?? 0) >= 2)

/** The end of an account number triggers no outcome with these digits. */
const DEFAULT_END = '4321'

/** The last four digits; where fewer are shown, default ones come before them. */
const endOf = (masked: string): string => {
  const shown = /(?<!\d)\d*$/.exec(masked.trim())![0].slice(-4)
  return DEFAULT_END.slice(0, 4 - shown.length) + shown
}

const hashOf = (kind: Kind, masked: string) =>
  createHash('sha256').update(`${kind} ${masked}`).digest().readUIntBE(0, 6)

const padded = (n: number, length: number) => String(n).padStart(length, '0')

/**
 * A valid SSN pseudonym begins with 9, as no real SSN does; one that ends in 0000 becomes an EIN. An invalid one begins with
 * 000; an invalid account number contains a letter.
 */
export function pseudonymFor(kind: Kind, masked: string, isValid: boolean): string {
  const hash = hashOf(kind, masked)
  const end = endOf(masked)
  if (kind === 'account_number') return `${isValid ? '' : 'X'}${1_000_000 + (hash % 9_000_000)}${end}`
  const group = padded(1 + (hash % 99), 2)
  if (!isValid) return `000-${group}-${end}`
  const area = 900 + (Math.floor(hash / 99) % 100)
  return end === '0000' ? `${padded(10 + (hash % 90), 2)}-${area}${end}` : `${area}-${group}-${end}`
}

/** A JSON field with a text value. Bounded, because bodies may be large. */
const JSON_FIELD = /"([\w-]{2,40})"(\s{0,100}:\s{0,100})"((?:[^"\\\p{Cc}]|\\u[\da-fA-F]{4}){1,64})"/gu
const FORM_FIELD = /(^|&)([^=&]{2,200})=([^&]{1,200})/g

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** `details[ssn]` → `ssn` */
const lastPart = (name: string) => /\[([^[\]]+)\]$/.exec(name)?.[1] ?? name

/** The API refuses a body with more fields. */
const MAX_FIELDS = 1_000

/** Changes nothing but the masked values. */
function mapMasked(body: string, change: Change): string {
  const isJson = /^\s*[[{"]/.test(body)
  const mapField = isJson ? mapJsonField : mapFormField
  let fields = 0
  return body.replace(
    isJson ? JSON_FIELD : FORM_FIELD,
    (whole: string, before: string, between: string, value: string) =>
      ++fields > MAX_FIELDS ? whole : (mapField(before, between, value, change) ?? whole),
  )
}

type Change = (kind: Kind, masked: string) => string

function mapJsonField(field: string, between: string, value: string, change: Change): string | undefined {
  const kind = kindOf(field)
  if (!kind) return undefined
  const text = value.includes('\\') ? (JSON.parse(`"${value}"`) as string) : value
  return isMasked(text) ? `"${field}"${between}"${change(kind, text)}"` : undefined
}

function mapFormField(before: string, name: string, value: string, change: Change): string | undefined {
  const kind = kindOf(lastPart(decode(name)))
  if (!kind) return undefined
  const text = decode(value)
  return isMasked(text) ? `${before}${name}=${change(kind, text)}` : undefined
}

/** True if the response refuses the request and names the field. */
const isRefused = ({ response: answer }: RecordedRequest, kind: Kind): boolean =>
  answer !== null &&
  answer.status >= 400 &&
  answer.status < 500 &&
  KINDS.some(([name, , inError]) => name === kind && inError.test(answer.body))

/**
 * A Customer's SSN is checked at onboarding, not when it is sent. So a later refusal that names it refers to the request
 * that sent it. One request per step.
 */
export function* replaceMaskedInSteps(requests: readonly RecordedRequest[]): Steps<RecordedRequest[]> {
  const invalid: Set<Kind>[] = []
  /** By Customer, the latest request with its SSN. */
  const latest = new Map<string, number>()
  for (const [i, request] of requests.entries()) {
    invalid.push(new Set(KINDS.map(([kind]) => kind).filter((kind) => isRefused(request, kind))))
    const hasSsn = hasMaskedSsn(request)
    const customer = customerOf(request)
    yield
    if (customer === undefined) continue
    const sender = latest.get(customer)
    if (invalid[i]!.has('ssn') && sender !== undefined && !hasSsn) invalid[sender]!.add('ssn')
    if (!invalid[i]!.has('ssn') && hasSsn) latest.set(customer, i)
  }
  const replaced: RecordedRequest[] = []
  for (const [i, request] of requests.entries()) {
    const body = mapMasked(request.body, (kind, masked) => pseudonymFor(kind, masked, !invalid[i]!.has(kind)))
    replaced.push(body === request.body ? request : { ...request, body })
    yield
  }
  return replaced
}

export const replaceMasked = (requests: readonly RecordedRequest[]): RecordedRequest[] =>
  runToEnd(replaceMaskedInSteps(requests))

function hasMaskedSsn({ body }: RecordedRequest): boolean {
  let found = false
  mapMasked(body, (kind, masked) => {
    found ||= kind === 'ssn'
    return masked
  })
  return found
}

/** The Customer that a request creates, changes or names. */
const customerOf = ({ method, path, body, response: answer }: RecordedRequest): string | undefined =>
  /^\/customers\/([^/?]+)/.exec(path)?.[1] ??
  (method === 'POST' && /^\/customers(?:\?|$)/.test(path)
    ? /"uid"\s*:\s*"([\w-]{1,100})"/.exec(answer?.body ?? '')?.[1]
    : /(?:"customer_uid"\s*:\s*"|(?:^|&)customer_uid=)([\w-]{1,100})/.exec(body)?.[1])
