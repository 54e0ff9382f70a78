import { describe, expect, it } from 'vitest'
import { ageOn, findPiiErrors, type Pii, type PiiField } from '../../src/api/domain/rules/pii.ts'

const TODAY = '2026-08-14'

/** Section 2.2 as tables: what a field may hold when the Customer is judged. */

const REQUIRED: readonly PiiField[] = [
  ...(['first_name', 'last_name', 'city', 'dob', 'email', 'phone', 'postal_code', 'ssn', 'state', 'street1'] as const),
]
const olive: Pii = {
  first_name: 'Olive',
  middle_name: null,
  last_name: 'Oyl',
  suffix: null,
  business_name: null,
  city: 'Ames',
  dob: '1990-04-17',
  email: 'olive@example.com',
  phone: '5155550123',
  postal_code: '50010',
  ssn: '512-04-8823',
  state: 'IA',
  street1: '1 Quay',
  street2: null,
}
const judged = (changed: Partial<Pii>, required: readonly string[] = REQUIRED) =>
  findPiiErrors({ ...olive, ...changed }, required, TODAY).all

const x = (times: number) => 'x'.repeat(times)
const INVALID = 'is invalid'
const invalid = (...texts: string[]) => Object.fromEntries(texts.map((text) => [text, INVALID]))
const tooLong = (most: number) => `is too long (maximum is ${most} characters)`

/** Field, its label, what is accepted, and what is refused with which words. */
const TABLE: readonly [PiiField, string, readonly string[], Readonly<Record<string, string>>][] = [
  ...(
    [
      ['first_name', 'First name', 40],
      ['middle_name', 'Middle name', 40],
      ['last_name', 'Last name', 40],
      ['suffix', 'Suffix', 30],
      ['city', 'City', 35],
      ['street1', 'Street1', 35],
      ['street2', 'Street2', 35],
    ] as const
  ).map(([field, label, most]): (typeof TABLE)[number] => [
    field,
    label,
    ['x', "O'Nőnéil-Smith III.", x(most), '𝒪'.repeat(most), '王'.repeat(most)],
    { [x(most + 1)]: tooLong(most), ['𝒪'.repeat(most + 1)]: tooLong(most) },
  ]),
  [
    'phone',
    'Phone',
    ['5155550123', '0000000000'],
    invalid('515555012', '51555501234', '515-555-0123', '+15155550123', '515555012x', '５１５５５５０１２３'),
  ],
  [
    'postal_code',
    'Postal code',
    ['50010', '00000', '50010-1234'],
    invalid('5001', '500100', '50010-', '50010-123', '50010-12345', '500101234', '50010 1234', 'ABCDE'),
  ],
  [
    'ssn',
    'Ssn',
    // An SSN at each of its bounds; then taxpayer numbers (ITIN, 9xx) and employer numbers (EIN) as tax identifiers.
    [
      ...['001-01-0001', '512-04-8823', '665-99-9999', '667-01-0001', '899-99-9999'],
      ...['900-70-1234', '912-50-0001', '999-99-9999', '12-3456789', '00-0000000'],
    ],
    invalid(
      ...['000-12-3456', '666-12-3456', '512-00-3456', '512-04-0000', '912-00-1234', '900-70-0000'],
      ...['512048823', '512 04 8823', '512-048823', '51-204-8823', '512-04-882', '512-04-88234', '5120-4-8823'],
      ...['abc-de-fghi', '123456789', '1-23456789', '12-345678', '12-34567890', '٥١٢-٠٤-٨٨٢٣'],
    ),
  ],
  [
    'state',
    'State',
    [
      ...'AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM'.split(' '),
      ...'NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC AS GU MP PR VI AA AE AP'.split(' '),
    ],
    invalid('ia', 'Ia', 'Iowa', 'I', 'ZZ', '12', '__', 'UM', 'FM', 'MH', 'PW', 'ON'),
  ],
  [
    'dob',
    'Dob',
    ['1990-04-17', '2024-02-29', '2000-02-29', '1900-01-01', '2026-08-14'],
    invalid(
      ...['2025-02-30', '2025-02-29', '1900-02-29', '2100-02-29', '2025-04-31', '2025-00-10', '2025-13-01'],
      ...['2025-01-00', '2025-01-32', '17.04.1990', '04/17/1990', '1990-4-17', '90-04-17', '19900417'],
      ...['1990-04-17T00:00:00Z', '+001990-04-17', 'yesterday', '1899-12-31', '2026-08-15'],
    ),
  ],
  [
    'email',
    'Email',
    ['a@b', 'olive.oyl+bank@mail.example.com', 'ölive@exämple.de'],
    invalid('olive', 'olive@', '@example.com', 'o@l@example.com', 'o live@example.com'),
  ],
  [
    'business_name',
    'Business name',
    ['Oyl & Sons (Ames), Inc.', '3 Quays', x(256), 'É'.repeat(256), "O'Neil / Partner-Co."],
    { [x(257)]: tooLong(256), 'Oyl@Sons': INVALID, 'Oyl <b>': INVALID, 'Oyl;Sons': INVALID, 'Oyl\nSons': INVALID },
  ],
]

describe('2.2 each field holds what its rule says', () => {
  for (const [field, label, accepted, refused] of TABLE) {
    it.each(
      accepted.map((text) => [text.length > 45 ? `${[...text].length} characters of ${[...text][0]}` : text, text]),
    )(`2.2: ${field} may be %s`, (_, text) => {
      expect(judged({ [field]: text })).toEqual([])
    })
    it.each(
      Object.entries(refused).map(([text, words]): [string, string, string] => [
        text.length > 45 ? `${[...text].length} characters of ${[...text][0]}` : JSON.stringify(text),
        text,
        words,
      ]),
    )(`2.2: ${field} may not be %s`, (_, text, words) => {
      expect(judged({ [field]: text })).toEqual([`${label} ${words}`])
      expect(findPiiErrors({ ...olive, [field]: text }, REQUIRED, TODAY)).toMatchObject({
        missing: [],
        malformed: [`${label} ${words}`],
      })
    })
  }

  it.each<[PiiField, string, string]>([
    ['phone', ' 5155550123', 'Phone'],
    ['phone', '5155550123\n', 'Phone'],
    ['postal_code', '50010 ', 'Postal code'],
    ['ssn', ' 512-04-8823', 'Ssn'],
    ['ssn', '12-3456789 ', 'Ssn'],
    ['state', 'IA ', 'State'],
    ['dob', ' 2015-04-17', 'Dob'],
    ['dob', '1990-04-17 ', 'Dob'],
  ])('2.2: a pattern is for the whole text: blanks around %s (%j) do not fit', (field, text, label) => {
    expect(judged({ [field]: text })).toEqual([`${label} is invalid`])
  })

  it('2.2: blanks count as characters', () => {
    expect(judged({ first_name: `${x(40)} ` })).toEqual([`First name ${tooLong(40)}`])
  })

  it('2.2: what is not required is still judged when it is there', () => {
    expect(judged({ ssn: '000-00-0000', phone: '1' }, [])).toEqual(['Phone is invalid', 'Ssn is invalid'])
    expect(judged({ ssn: null, phone: null }, [])).toEqual([])
  })
})

describe('2.3 required fields', () => {
  const nobody = Object.fromEntries(Object.keys(olive).map((field) => [field, null])) as unknown as Pii
  const LABELS = [
    ...['First name', 'Last name', 'City', 'Dob', 'Email', 'Phone', 'Postal code', 'Ssn', 'State', 'Street1'],
  ]

  it('2.3: everything that lacks is named, in the documented order', () => {
    expect(findPiiErrors(nobody, REQUIRED, TODAY)).toEqual({
      missing: LABELS.map((label) => `${label} can't be blank`),
      malformed: [],
      all: LABELS.map((label) => `${label} can't be blank`),
    })
  })

  it('2.3: the business name comes after the last name', () => {
    expect(findPiiErrors(nobody, [...REQUIRED, 'business_name'], TODAY).missing.slice(0, 4)).toEqual([
      "First name can't be blank",
      "Last name can't be blank",
      "Business name can't be blank",
      "City can't be blank",
    ])
  })

  it.each(REQUIRED.map((field, i) => [field, LABELS[i]!] as const))(
    '2.3: %s alone, null, empty or of blanks',
    (field, label) => {
      for (const text of [null, '', ' ', '\t\n']) expect(judged({ [field]: text })).toEqual([`${label} can't be blank`])
    },
  )

  it('2.3: missing and malformed fields are listed separately, and together in one order', () => {
    expect(
      findPiiErrors({ ...olive, first_name: null, phone: '1', state: 'zz', street1: ' ' }, REQUIRED, TODAY),
    ).toEqual({
      missing: ["First name can't be blank", "Street1 can't be blank"],
      malformed: ['Phone is invalid', 'State is invalid'],
      all: ["First name can't be blank", 'Phone is invalid', 'State is invalid', "Street1 can't be blank"],
    })
  })

  it('2.3: middle_name, suffix and street2 may be left out', () => {
    expect(judged({ middle_name: null, suffix: '', street2: ' ' })).toEqual([])
  })

  it('no complaint repeats what was given', () => {
    const secret = '666-12-3456'
    expect(
      JSON.stringify(findPiiErrors({ ...olive, ssn: secret, first_name: secret.repeat(9) }, REQUIRED, TODAY)),
    ).not.toContain(secret)
  })
})

describe('the age in full years', () => {
  it.each([
    ['1990-04-17', '2026-04-16', 35],
    ['1990-04-17', '2026-04-17', 36],
    ['1990-04-17', '2026-04-18', 36],
    ['2008-08-14', '2026-08-13', 17],
    ['2008-08-14', '2026-08-14', 18],
    ['2008-08-15', '2026-08-14', 17],
    ['2008-12-31', '2026-12-31', 18],
    ['2009-01-01', '2026-12-31', 17],
    // Born on 29 February: in other years the day comes on 1 March.
    ['2008-02-29', '2026-02-28', 17],
    ['2008-02-29', '2026-03-01', 18],
    ['2008-02-29', '2028-02-28', 19],
    ['2008-02-29', '2028-02-29', 20],
    ['2026-08-14', '2026-08-14', 0],
    ['2027-08-14', '2026-08-14', -1],
  ])('born %s, on %s: %i', (dob, today, years) => {
    expect(ageOn(dob, today)).toBe(years)
  })
})
