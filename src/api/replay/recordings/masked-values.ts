import { createHash } from 'node:crypto'
import type { RecordedRequest } from './recording.ts'

/**
 * Recordings are often cleaned before they are passed on. A number that was masked is given a stand-in, so that the
 * request can be sent again: with the last four digits that are still shown, and valid or not as the recorded answer
 * says. It comes from the masked text alone, so what was equal stays equal.
 */

type Kind = 'ssn' | 'account_number'

const KINDS: readonly (readonly [Kind, field: RegExp, named: RegExp])[] = [
  [
    'ssn',
    /^(?:ssn|s_s_n|social[_-]?security(?:[_-]?(?:number|no))?|tax[_-]?id(?:entifier|entification)?(?:[_-]?(?:number|no))?|[te]in|itin)$/i,
    /\bssn\b|social.?security|\btax.?id|\b[te]in\b/i,
  ],
  ['account_number', /^account[_-]?(?:number|no)$/i, /\baccount[_ -]?number\b/i],
]

const kindOf = (field: string): Kind | undefined => KINDS.find(([, name]) => name.test(field))?.[0]

const MASK = /[*xX•●·#█]/g
const AROUND = /^[\d\s().*xX•●·#█-]+$/
const WORD =
  /^[\s[(<{*_#"'-]*(?:redacted|masked|removed|hidden|filtered|scrubbed|sanitized|obfuscated|anonymi[sz]ed|omitted|too deep)[\s\])>}*_#"':-]*\d{0,4}$/i

/** `***-**-6789`, `xxxx1234`, `[masked]`, `REDACTED`: whatever hides a number, and nothing that is one. */
export const isMasked = (text: string): boolean =>
  WORD.test(text) || (AROUND.test(text) && (text.match(MASK)?.length ?? 0) >= 2)

/** Without a meaning of their own as the end of an account number. */
const USUAL_END = '4321'

/** The four digits at the end; where fewer are shown, others stand before them. */
const endOf = (masked: string): string => {
  const shown = /\d*$/.exec(masked.trim())![0].slice(-4)
  return USUAL_END.slice(0, 4 - shown.length) + shown
}

const hashOf = (kind: Kind, masked: string) =>
  createHash('sha256').update(`${kind} ${masked}`).digest().readUIntBE(0, 6)

const digits = (n: number, length: number) => String(n).padStart(length, '0')

/**
 * An SSN begins with 9, as nobody's does. One that ends in 0000 is none, so an EIN stands in for it. Where the answer
 * refused the number the first part is 000, and an account number keeps a letter.
 */
export function standIn(kind: Kind, masked: string, isValid: boolean): string {
  const hash = hashOf(kind, masked)
  const end = endOf(masked)
  if (kind === 'account_number') return `${isValid ? '' : 'X'}${1_000_000 + (hash % 9_000_000)}${end}`
  const group = digits(1 + (hash % 99), 2)
  if (!isValid) return `000-${group}-${end}`
  const area = 900 + (Math.floor(hash / 99) % 100)
  return end === '0000' ? `${digits(10 + (hash % 90), 2)}-${area}${end}` : `${area}-${group}-${end}`
}

/** What stands in JSON between quotes, with the name before it. Bounded, for bodies of any size. */
const IN_JSON = /"([\w-]{2,40})"(\s{0,100}:\s{0,100})"((?:[^"\\\p{Cc}]|\\u[\da-fA-F]{4}){1,64})"/gu
const IN_FORM = /(^|&)([^=&]{2,200})=([^&]{1,200})/g

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

/** `details[ssn]` → `ssn` */
const lastPart = (name: string) => /\[([^\]]+)\]$/.exec(name)?.[1] ?? name

/** Only the masked values change; all else stays to the letter. */
function eachMasked(body: string, change: (kind: Kind, masked: string) => string): string {
  const inside = (field: string, value: string) => {
    const kind = kindOf(field)
    return kind && isMasked(value) ? change(kind, value) : undefined
  }
  if (/^\s*[[{"]/.test(body))
    return body.replaceAll(IN_JSON, (whole, field: string, between: string, value: string) => {
      const given = inside(field, value.includes('\\') ? (JSON.parse(`"${value}"`) as string) : value)
      return given === undefined ? whole : `"${field}"${between}"${given}"`
    })
  return body.replaceAll(IN_FORM, (whole, before: string, name: string, value: string) => {
    const given = inside(lastPart(decoded(name)), decoded(value))
    return given === undefined ? whole : `${before}${name}=${given}`
  })
}

/** Whether an answer refuses what was sent and names that very field. */
const refuses = ({ answer }: RecordedRequest, kind: Kind): boolean =>
  answer !== null &&
  answer.status >= 400 &&
  answer.status < 500 &&
  KINDS.some(([name, , named]) => name === kind && named.test(answer.body))

/**
 * A Customer's number is judged when it is onboarded and not when it is given, so a later refusal that names it speaks
 * of the request that gave it.
 */
export function unmasked(requests: readonly RecordedRequest[]): RecordedRequest[] {
  const isBad = requests.map((request) => new Set(KINDS.map(([kind]) => kind).filter((kind) => refuses(request, kind))))
  /** By Customer, the request that last gave its SSN. */
  const given = new Map<string, number>()
  requests.forEach((request, i) => {
    const gives = hasMasked(request)
    const customer = customerOf(request)
    if (customer === undefined) return
    const giver = given.get(customer)
    if (isBad[i]!.has('ssn') && giver !== undefined && !gives) isBad[giver]!.add('ssn')
    if (!isBad[i]!.has('ssn') && gives) given.set(customer, i)
  })
  return requests.map((request, i) => {
    const body = eachMasked(request.body, (kind, masked) => standIn(kind, masked, !isBad[i]!.has(kind)))
    return body === request.body ? request : { ...request, body }
  })
}

function hasMasked({ body }: RecordedRequest): boolean {
  let found = false
  eachMasked(body, (kind, masked) => {
    found ||= kind === 'ssn'
    return masked
  })
  return found
}

/** The Customer that a request makes, changes or speaks of. */
const customerOf = ({ method, path, body, answer }: RecordedRequest): string | undefined =>
  /^\/customers\/([^/?]+)/.exec(path)?.[1] ??
  (method === 'POST' && /^\/customers(?:\?|$)/.test(path)
    ? /"uid"\s*:\s*"([\w-]{1,100})"/.exec(answer?.body ?? '')?.[1]
    : /(?:"customer_uid"\s*:\s*"|(?:^|&)customer_uid=)([\w-]{1,100})/.exec(body)?.[1])
