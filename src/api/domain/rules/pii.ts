import type { RequiredField } from '../../contract/resources/products.ts'
import { isBlank } from '../../contract/terms/texts.ts'
import type { CalendarDate } from './calendar.ts'

/** Specification 2.2 and 2.3: which personal data a Customer must have at onboarding, and in which form. */

export type Pii = Readonly<Record<RequiredField, string | null>>
export type PiiField = keyof Pii

/** Assumed (invented): valid states are the 50 states, DC, AS GU MP PR VI and the military AA AE AP, in capitals. */
const STATES = new Set(
  (
    'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA ' +
    'RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI AA AE AP'
  ).split(' '),
)

const maxLength = (most: number) => (text: string) =>
  [...text].length > most ? `is too long (maximum is ${most} characters)` : undefined
const matches = (pattern: RegExp) => (text: string) => (pattern.test(text) ? undefined : 'is invalid')

/**
 * The first part of an SSN is not 000 or 666, the second is 01 to 99, the third 0001 to 9999. An ITIN, which begins
 * with 9, passes the same rules.
 *
 * Assumed (invented): an EIN, dd-ddddddd, is accepted as a tax identifier; its prefix is not checked.
 */
const SSN = /^(?!000|666)\d{3}-(?!00)\d{2}-(?!0000)\d{4}$/
const EIN = /^\d{2}-\d{7}$/

const isDate = (text: string) => {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text)
}

/** In the platform's order. */
const checks: readonly [PiiField, label: string, (text: string, today: CalendarDate) => string | undefined][] = [
  ['first_name', 'First name', maxLength(40)],
  ['middle_name', 'Middle name', maxLength(40)],
  ['last_name', 'Last name', maxLength(40)],
  ['suffix', 'Suffix', maxLength(30)],
  // Assumed (invented): alphanumeric includes letters and digits of all scripts, and the blanks and signs in names of firms.
  ['business_name', 'Business name', (text) => maxLength(256)(text) ?? matches(/^[\p{L}\p{M}\p{N} .,'&()/-]+$/u)(text)],
  ['city', 'City', maxLength(35)],
  // Assumed (invented): a dob before 1900 or in the future is invalid.
  ['dob', 'Dob', (text, today) => (isDate(text) && text >= '1900-01-01' && text <= today ? undefined : 'is invalid')],
  ['email', 'Email', matches(/^[^\s@]+@[^\s@]+$/)],
  ['phone', 'Phone', matches(/^\d{10}$/)],
  ['postal_code', 'Postal code', matches(/^\d{5}(-\d{4})?$/)],
  ['ssn', 'Ssn', (text) => (SSN.test(text) || EIN.test(text) ? undefined : 'is invalid')],
  ['state', 'State', (text) => (STATES.has(text) ? undefined : 'is invalid')],
  ['street1', 'Street1', maxLength(35)],
  ['street2', 'Street2', maxLength(35)],
]

const BLANK = "can't be blank"
/** They have at least one character, so an optional name is absent or shows something. */
const NAMES: ReadonlySet<PiiField> = new Set(['first_name', 'middle_name', 'last_name', 'suffix', 'business_name'])

interface PiiErrors {
  /** "City can't be blank" */
  readonly missing: string[]
  /** "Phone is invalid" */
  readonly malformed: string[]
  /** Both, in the platform's order. */
  readonly all: string[]
}

export function findPiiErrors(pii: Pii, required: readonly string[], today: CalendarDate): PiiErrors {
  const missing: string[] = []
  const malformed: string[] = []
  const all: string[] = []
  for (const [field, label, check] of checks) {
    const text = pii[field]
    const isMissing = (!text || isBlank(text)) && required.includes(field)
    const wrong =
      !text || isMissing ? undefined : isBlank(text) ? (NAMES.has(field) ? BLANK : undefined) : check(text, today)
    if (isMissing) missing.push(`${label} ${BLANK}`)
    if (wrong) malformed.push(`${label} ${wrong}`)
    if (isMissing || wrong) all.push(`${label} ${wrong ?? BLANK}`)
  }
  return { missing, malformed, all }
}

/** A person's age goes up on the birthday itself. */
export function ageOn(dob: CalendarDate, today: CalendarDate): number {
  const years = Number(today.slice(0, 4)) - Number(dob.slice(0, 4))
  return today.slice(5) >= dob.slice(5) ? years : years - 1
}
