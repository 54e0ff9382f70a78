import { createHash } from 'node:crypto'
import { decodePercents } from '../../http/percent.ts'
import type { RecordedRequest } from './recording.ts'

/**
 * Recordings often have masked numbers. Each gets a valid pseudonym, so that the request can be sent again, with the last four digits that are
 * still shown. Equal masked texts get equal pseudonyms.
 */

type Kind = 'ssn' | 'account_number'

const SSN =
  /^(?:ssn|s_s_n|social[_-]?security(?:[_-]?(?:number|no))?|tax[_-]?id(?:entifier|entification)?(?:[_-]?(?:number|no))?|[te]in|itin)$/i
const ACCOUNT_NUMBER = /^account[_-]?(?:number|no)$/i

const kindOf = (field: string): Kind | undefined =>
  SSN.test(field) ? 'ssn' : ACCOUNT_NUMBER.test(field) ? 'account_number' : undefined

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

/** An SSN begins with 9, as no real one does; one that ends in 0000 becomes an EIN. */
export function pseudonymFor(kind: Kind, masked: string): string {
  const hash = hashOf(kind, masked)
  const end = endOf(masked)
  if (kind === 'account_number') return `${1_000_000 + (hash % 9_000_000)}${end}`
  const area = 900 + (Math.floor(hash / 99) % 100)
  return end === '0000'
    ? `${padded(10 + (hash % 90), 2)}-${area}${end}`
    : `${area}-${padded(1 + (hash % 99), 2)}-${end}`
}

/** A JSON field with a text value. Bounded, because bodies may be large. */
const JSON_FIELD = /"([\w-]{2,40})"(\s{0,100}:\s{0,100})"((?:[^"\\\p{Cc}]|\\u[\da-fA-F]{4}){1,64})"/gu
const FORM_FIELD = /(^|&)([^=&]{2,200})=([^&]{1,200})/g

const decode = (text: string) => decodePercents(text, { isForm: true })

/** `details[ssn]` → `ssn` */
const lastPart = (name: string) => /\[([^[\]]+)\]$/.exec(name)?.[1] ?? name

/** The API refuses a body with more fields. */
const MAX_FIELDS = 1_000

/** Changes nothing but the masked values. */
export function replaceMasked({ body, ...request }: RecordedRequest): RecordedRequest {
  const isJson = /^\s*[[{"]/.test(body)
  let fields = 0
  const replaced = body.replace(
    isJson ? JSON_FIELD : FORM_FIELD,
    (whole, before: string, name: string, value: string) => {
      if (++fields > MAX_FIELDS) return whole
      return (isJson ? replaceInJson(before, name, value) : replaceInForm(before, name, value)) ?? whole
    },
  )
  return { ...request, body: replaced }
}

function replaceInJson(field: string, between: string, value: string): string | undefined {
  const kind = kindOf(field)
  if (!kind) return undefined
  const text = value.includes('\\') ? (JSON.parse(`"${value}"`) as string) : value
  return isMasked(text) ? `"${field}"${between}"${pseudonymFor(kind, text)}"` : undefined
}

function replaceInForm(before: string, name: string, value: string): string | undefined {
  const kind = kindOf(lastPart(decode(name)))
  if (!kind) return undefined
  const text = decode(value)
  return isMasked(text) ? `${before}${name}=${pseudonymFor(kind, text)}` : undefined
}
