import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  achReturnFor,
  forcesFailure,
  forcesRegistrationFailure,
  kycTriggerFor,
  nocFor,
  rejectionFor,
} from '../../../src/api/contract/triggers.ts'
import { ageOn, findPiiErrors, type Pii } from '../../../src/api/domain/rules/pii.ts'
import { seededRandom } from '../../../src/api/replay/bundles/random.ts'
import { createSeal } from '../../../src/api/store/seal.ts'
import type { StoredRecord } from '../../../src/api/store/world.ts'
import { createMask } from '../../support/mask.ts'

const seal = createSeal('test')
const SPAN = ['2026-08-14T14:00:00.000Z', '2026-09-14T14:00:00.000Z'] as const
const seeded = (seed: string) =>
  createMask({
    random: seededRandom(seed),
    seal,
    span: SPAN,
  })
const unseeded = () => createMask({ seal, span: SPAN })
const mask = seeded('a')
const under = (name: string, value: string) => mask.value({ [name]: value })[name]!

const LETTERS = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const word = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 4, maxLength: 12 })
const TRIGGERS = ['smith', 'johnson', 'instant', 'payment']
/** A word that decides nothing, and may not stay. */
const plainWord = word.filter(
  (text) => !text.toLowerCase().startsWith('fail') && !TRIGGERS.includes(text.toLowerCase()),
)
const anyText = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
  fc.constantFrom(
    '',
    ' ',
    'Smith',
    ' JOHNSON ',
    'fail',
    'Failing Co',
    'Zoë Müller',
    "O'Neill & Sons (US), Inc.",
    'Анна',
    '山田 太郎',
  ),
)
const digits = (least: number, most = least) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: least, maxLength: most })
const ssn = fc.oneof(
  fc.tuple(digits(3), digits(2), digits(4)).map((parts) => parts.join('-')),
  fc
    .tuple(fc.constantFrom('000', '666', '900', '001'), fc.constantFrom('00', '12'), fc.constantFrom('0000', '1234'))
    .map((p) => p.join('-')),
  fc.tuple(digits(2), digits(7)).map((parts) => parts.join('-')),
  digits(9),
  anyText,
)
const date = fc
  .date({ min: new Date('1900-01-01'), max: new Date('2030-01-01'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10))
const email = fc.tuple(word, word, fc.constantFrom('com', 'test', 'co.uk')).map(([a, b, c]) => `${a}.${b}@${b}.${c}`)

const pii: fc.Arbitrary<Pii> = fc.record({
  first_name: fc.option(anyText),
  middle_name: fc.option(anyText),
  last_name: fc.option(anyText),
  suffix: fc.option(fc.constantFrom('Jr', 'III')),
  business_name: fc.option(anyText),
  city: fc.option(anyText),
  dob: fc.option(fc.oneof(date, anyText, fc.constant('1990-02-31'))),
  email: fc.option(fc.oneof(email, anyText)),
  phone: fc.option(fc.oneof(digits(10), digits(0, 12), anyText)),
  postal_code: fc.option(
    fc.oneof(
      digits(5),
      fc.tuple(digits(5), digits(4)).map((p) => p.join('-')),
      anyText,
    ),
  ),
  ssn: fc.option(ssn),
  state: fc.option(fc.constantFrom('IA', 'XX')),
  street1: fc.option(anyText),
  street2: fc.option(anyText),
})
const TODAY = SPAN[0].slice(0, 10)
const REQUIRED = ['first_name', 'last_name', 'email', 'phone', 'ssn', 'dob', 'street1', 'city', 'state', 'postal_code']
const PERSONAL = [
  'first_name',
  'last_name',
  'business_name',
  'street1',
  'city',
  'postal_code',
  'email',
  'phone',
  'ssn',
  'account_number',
  'counterparty_name',
]

describe('a pseudonym has the form and validity of its original', () => {
  it('gives the same validation errors as the original', () =>
    fc.assert(
      fc.property(pii, (person) => {
        expect(findPiiErrors(mask.value(person), REQUIRED, TODAY)).toEqual(findPiiErrors(person, REQUIRED, TODAY))
      }),
      { numRuns: 500 },
    ))

  it('has the same length in characters and bytes, and is blank if the original is', () =>
    fc.assert(
      fc.property(fc.constantFrom(...PERSONAL), anyText, (name, text) => {
        const masked = under(name, text)
        expect([...masked].length).toBe([...text].length)
        expect(Buffer.byteLength(masked)).toBe(Buffer.byteLength(text))
        expect(masked.trim() === '').toBe(text.trim() === '')
      }),
      { numRuns: 500 },
    ))

  it('forces no outcome, and the bundle says what the original forces', () =>
    fc.assert(
      fc.property(
        fc.oneof(
          anyText,
          word.map((end) => `fail${end}`),
          word.map((end) => ` Instant Payment FAIL${end}`),
        ),
        (name) => {
          const own = seeded('e')
          own.learn.value({ counterparty_name: name })
          const masked = own.value({ counterparty_name: name }).counterparty_name
          expect([forcesFailure(masked), forcesRegistrationFailure(masked)]).toEqual([false, false])
          expect([
            forcesFailure(masked, { forced_outcomes: own.outcomes }),
            forcesRegistrationFailure(masked, { forced_outcomes: own.outcomes }),
          ]).toEqual([forcesFailure(name), forcesRegistrationFailure(name)])
        },
      ),
    ))

  it('forces no outcome by an account number or a last name, and the bundle says what the original forces', () =>
    fc.assert(
      fc.property(
        digits(4, 13),
        fc.constantFrom('', '9901', '9910', '9801', '9301', '9500', '9102'),
        fc.constantFrom('Smith', ' JOHNSON', 'Smithson', 'Lee'),
        (start, end, last_name) => {
          const own = seeded('f')
          const account_number = start + end
          own.learn.value({ account_number, last_name })
          const masked = own.value({ account_number, last_name })
          for (const codeOf of [achReturnFor, nocFor, rejectionFor]) {
            expect(codeOf(masked.account_number)).toBe(undefined)
            expect(codeOf(masked.account_number, { forced_outcomes: own.outcomes })).toBe(codeOf(account_number))
          }
          expect(kycTriggerFor(masked.last_name)).toBe(undefined)
          expect(kycTriggerFor(masked.last_name, { forced_outcomes: own.outcomes })).toEqual(kycTriggerFor(last_name))
        },
      ),
    ))

  it('has the last four digits that are shown alone', () =>
    fc.assert(
      fc.property(digits(4, 17), (number) => {
        const end = number.slice(-4)
        expect(under('account_number', number).slice(-4)).toBe(under('account_number_last_four', end))
        expect(under('ssn', number).slice(-4)).toBe(under('ssn_last_four', end))
      }),
    ))

  /** A day of the span. */
  const dayOfSpan = fc
    .integer({ min: 0, max: 31 })
    .map((days) => Date.parse('2026-08-14T18:00:00.000Z') + days * 86_400_000)
  const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

  it('keeps whether a person is under 18, unless the person turns 18 within the span', () =>
    fc.assert(
      fc.property(
        date.filter((dob) => dob < '2008-08-12' || dob > '2008-09-16'),
        dayOfSpan,
        (dob, day) => {
          expect(ageOn(under('dob', dob), dateOf(day)) < 18).toBe(ageOn(dob, dateOf(day)) < 18)
        },
      ),
    ))

  it('keeps whether a person who turns 18 within the span was under 18 at each decision, and no more', () =>
    fc.assert(
      fc.property(
        dayOfSpan.map((day) => `2008${dateOf(day).slice(4)}`),
        fc.array(dayOfSpan, { maxLength: 4 }),
        (dob, days) => {
          const own = seeded('h')
          const uid = 'customer'
          own.learn.record('customers', { uid, details: { dob } } as unknown as StoredRecord)
          for (const day of days) {
            const decided_at = new Date(day).toISOString()
            own.learn.record('kyc_evaluations', { customer_uid: uid, decided_at } as unknown as StoredRecord)
          }
          const masked = own.value({ dob }).dob
          const ages = days.map((day) => ageOn(dob, dateOf(day)) < 18)
          expect(days.map((day) => ageOn(masked, dateOf(day)) < 18)).toEqual(ages)
          // Only two decisions that differ show when the birthday is.
          if (new Set(ages).size < 2) expect(masked < '2008-08-12' || masked > '2008-09-16').toBe(true)
        },
      ),
    ))

  it('is a number with the same number of digits if the original is a number', () =>
    fc.assert(
      fc.property(
        fc.constantFrom('ssn', 'account_number', 'phone', 'postal_code'),
        fc.integer({ min: 0, max: 9_999_999_999 }),
        (name, n) => {
          const masked = mask.value({ [name]: n })[name]!
          expect(typeof masked).toBe('number')
          expect(String(masked).length).toBe(String(n).length)
        },
      ),
    ))
})

describe('a pseudonym is the same wherever its original occurs', () => {
  it('depends on nothing but random numbers', () =>
    fc.assert(
      fc.property(plainWord, plainWord, (first, last) => {
        const person = { first_name: first, last_name: last, phone: '5155550123' }
        expect(seeded('b').value(person)).toEqual(seeded('b').value(person))
        expect(unseeded().value(person)).not.toEqual(unseeded().value(person))
      }),
    ))

  it('is unique', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...PERSONAL, 'dob'),
        fc.oneof(anyText, digits(9), ssn, date, email),
        fc.oneof(anyText, digits(9), ssn, date, email),
        (name, a, b) => {
          expect(under(name, a) === under(name, b)).toBe(a === b)
        },
      ),
      { numRuns: 1000 },
    ))

  it('is unique, for every short word and number', () => {
    const words = [...'abcdefghijklmnopqrstuvwxyz'].flatMap((a) =>
      [...'abcdefghijklmnopqrstuvwxyz'].map((b) => `${a}${b}il`),
    )
    expect(new Set(words.map((text) => under('last_name', text))).size).toBe(words.length)
    const numbers = Array.from({ length: 10_000 }, (_, i) => String(i))
    expect(new Set(numbers.map((text) => under('street_number', text))).size).toBe(numbers.length)
    const groups = Array.from({ length: 1000 }, (_, i) => `${String(i).padStart(3, '0')}-12-3456`)
    expect(new Set(groups.map((text) => under('ssn', text))).size).toBe(groups.length)
  })

  it('has the case of its original', () =>
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const name = words.join(' ')
        expect(under('first_name', name.toUpperCase())).toBe(under('first_name', name).toUpperCase())
        expect(under('email', `${words[0]}@example.com`.toUpperCase())).toBe(
          under('email', `${words[0]}@example.com`).toUpperCase(),
        )
      }),
    ))

  it('shares its beginning with no other one, also where a search has the beginning by itself', () =>
    fc.assert(
      fc.property(plainWord, plainWord, (a, b) => {
        const [beginning, business_name] = [`${a.slice(0, 3)}${b.slice(0, 2)}`, `${a.slice(0, 3)}${b}`]
        const own = seeded('g')
        own.learn.path(`/customers?business_name=${beginning}`)
        const masked = own.value({ business_name }).business_name
        // Equal by chance once in 26⁵.
        expect(own.path(`/customers?business_name=${beginning}`)).not.toBe(
          `/customers?business_name=${masked.slice(0, 5)}`,
        )
      }),
    ))

  it('is sealed if its original was, and opens to the pseudonym', () =>
    fc.assert(
      fc.property(
        ssn.filter((text) => text.trim() !== '' && !text.startsWith('sealed:')),
        (number) => {
          expect(seal.open(under('ssn', seal.seal(number)))).toBe(under('ssn', number))
        },
      ),
    ))

  it('never equals its original, except for words that force outcomes', () =>
    fc.assert(
      fc.property(
        plainWord,
        digits(10).filter((text) => /[1-9]/.test(text)),
        (text, phone) => {
          expect(under('first_name', text).toLowerCase()).not.toContain(text.toLowerCase())
          expect(under('phone', phone)).not.toBe(phone)
        },
      ),
    ))
})

describe('no original remains', () => {
  // Nobody is called as a field is.
  const surname = plainWord.map((text) => `Zq${text}`)
  const person = fc.record({
    first_name: surname,
    last_name: surname,
    business_name: surname.map((text) => `${text} Works`),
    email,
    phone: fc.tuple(fc.constantFrom(...'23456789'), digits(9)).map((parts) => parts.join('')),
    ssn: fc
      .tuple(fc.integer({ min: 100, max: 665 }), fc.integer({ min: 10, max: 99 }), digits(4))
      .map((p) => p.join('-')),
  })

  it('in fields, free text, forms, queries and unparsable text', () =>
    fc.assert(
      fc.property(person, (details) => {
        const own = seeded('c')
        const record = {
          details,
          note: `call ${details.first_name} at ${details.phone}, or write to ${details.email}; ${details.ssn}`,
          external_uid: `client-${details.last_name}-1`,
        }
        const { first_name, phone } = details
        const form = new URLSearchParams({
          'details[first_name]': first_name,
          'details[phone]': phone,
          memo: record.note,
        }).toString()
        own.learn.value(record)
        const masked = [
          JSON.stringify(own.value(record)),
          own.body(form, 'application/x-www-form-urlencoded'),
          own.body(`${JSON.stringify(record).slice(0, -1)},`, 'application/json'),
          own.path(
            `/customers?first_name=${first_name}&email=${details.email}&note=${encodeURIComponent(record.note)}`,
          ),
          own.text(record.note),
        ]
        for (const text of masked)
          for (const original of Object.values(details))
            expect(decodeURIComponent(text.replaceAll('+', ' ')).toLowerCase()).not.toContain(original.toLowerCase())
      }),
    ))
})

it('refuses to learn after it has begun to mask', () => {
  const own = seeded('d')
  own.learn.value({ first_name: 'Theodora' })
  expect(own.text('by theodora, on the phone')).not.toContain('theodora')
  expect(() => own.learn.value({ first_name: 'Penelope' })).toThrow('Masking has begun')
})
