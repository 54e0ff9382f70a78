import { beforeAll, describe, expect, it } from 'vitest'
import { demoSteps } from '../../../src/api/domain/demo.ts'
import { seedWorld } from '../../../src/api/domain/seed.ts'
import { demoValuesInSteps } from '../../../src/api/replay/bundles/public-values.ts'
import { seededRandom } from '../../../src/api/replay/bundles/random.ts'
import { createSeal } from '../../../src/api/store/seal.ts'
import { runToEnd } from '../../../src/api/store/steps.ts'
import { collectionNames, collectionOf, emptyWorld, type StoredRecord } from '../../../src/api/store/world.ts'
import { simulatePast } from '../../../src/api/time/past.ts'
import { taskRunners } from '../../../src/api/time/tasks.ts'
import { createMask } from '../../support/mask.ts'

/**
 * "An adversary with a list of names and the demo world recovers nothing": the adversary gets a masked bundle of the demo world
 * with real persons in it, the demo world as it was, and lists of names. The random numbers are fixed, so every number here is exact.
 */

/** Some are a part of names of the demo world: nora, tomas, marlow, reyes, quint, ada, ruth. */
const FIRST =
  'james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan joseph jessica ' +
  'thomas karen charles sarah christopher lisa daniel nancy matthew sandra anthony betty mark ashley donald emily steven ' +
  'kimberly andrew margaret paul donna joshua michelle kenneth carol kevin amanda brian melissa timothy deborah ronald ' +
  'stephanie george rebecca jason sharon edward laura jeffrey cynthia ryan dorothy jacob amy quint ada ruth angela'
const LAST =
  'smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson ' +
  'thomas taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson walker young ' +
  'allen king wright scott torres nguyen hill flores green adams nelson baker nora rivera tomas mitchell marlow reyes'
const names = [...new Set(`${FIRST} ${LAST}`.split(' '))]
const pad = (n: number, length: number) => String(n).padStart(length, '0')

const people = Array.from({ length: 240 }, (_, i) => ({
  first_name: names[(i * 7) % names.length]!,
  last_name: LAST.split(' ')[i % 50]!,
  business_name: `${names[(i * 11) % names.length]!} ${['Bakery', 'Marine Supply', 'Mill Co'][i % 3]}`,
  email: `${names[i % names.length]}.${LAST.split(' ')[(i * 3) % 50]}@mail${i % 9}.example`,
  phone: `515555${pad((i * 37) % 10_000, 4)}`,
  ssn: `${pad(101 + ((i * 3) % 500), 3)}-${pad(1 + (i % 99), 2)}-${pad(1 + ((i * 41) % 9_999), 4)}`,
  dob: `${1950 + (i % 50)}-${pad(1 + (i % 12), 2)}-${pad(1 + ((i * 5) % 28), 2)}`,
  account_number: `4001${pad(i * 17, 5)}${pad(17 + ((i * 41) % 9_000), 4)}`,
  counterparty_name: `${names[(i * 13) % names.length]!} ${names[(i * 5) % names.length]!} ${LAST.split(' ')[(i * 7) % 50]!}`,
}))
type Person = (typeof people)[number]
type Field = keyof Person
const FIELDS = Object.keys(people[0]!) as Field[]
const WORDS = ['first_name', 'last_name', 'business_name', 'counterparty_name'] as const

let demo: readonly StoredRecord[] = []
/** The masked persons, and each text of the demo world with what the bundle has in its place. */
let bundle: { readonly masked: readonly Person[]; readonly known: readonly (readonly [string, string])[] }

const maskAll = (n: number) => {
  const mask = createMask({
    random: seededRandom(`bundle ${n}`),
    seal: createSeal('test'),
    publicValues: runToEnd(demoValuesInSteps()),
    span: ['2026-08-14T14:00:00.000Z', '2026-09-14T14:00:00.000Z'],
  })
  for (const record of [...demo, ...people]) mask.learn.value(record)
  const known = demo.flatMap((record) => {
    const [plain, hidden] = [textsIn(record), textsIn(mask.value(record))]
    expect(hidden.length).toBe(plain.length)
    return plain.map((text, i) => [text, hidden[i]!] as const)
  })
  return { masked: people.map((person) => mask.value(person)), known }
}

const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap((part) => textsIn(part))
      : []
const wordsIn = (text: string): readonly string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? []

beforeAll(() => {
  const world = emptyWorld('test', '2026-08-14T14:00:00.000Z')
  const clock = { mode: 'frozen', pace: 'fast' } as const
  simulatePast({ world, clock, seed: seedWorld, tasks: taskRunners, steps: demoSteps })
  demo = collectionNames.flatMap((name): readonly StoredRecord[] => [...collectionOf(world, name).inOrder()])
  bundle = maskAll(5)
})

describe('an adversary with the demo world and a list of names', () => {
  it('gets no pair of a word and its pseudonym from the demo world', () => {
    expect(bundle.known.length).toBeGreaterThan(1000)
    const pairs = new Map(bundle.known.filter(([plain, hidden]) => plain !== hidden))
    // This number forces a return; the bundle says so of its pseudonym anyway.
    expect([...pairs.keys()]).toEqual(['4001739901'])
  })

  it('finds no value and no word as it is, also none that the demo world has, too', () => {
    const demoWords = new Set(demo.flatMap((record) => textsIn(record).flatMap(wordsIn)))
    const shared = people.flatMap((person) => WORDS.flatMap((field) => wordsIn(person[field])))
    expect(shared.filter((word) => demoWords.has(word)).length).toBeGreaterThan(200)
    for (const [i, person] of bundle.masked.entries()) {
      for (const field of FIELDS) expect(person[field]).not.toBe(people[i]![field])
      for (const field of WORDS) {
        const plain = wordsIn(people[i]![field])
        expect(wordsIn(person[field]).filter((word) => plain.includes(word))).toEqual([])
      }
    }
    expect(JSON.stringify(bundle.masked)).not.toMatch(/smith|johnson/i)
  })

  it('learns no word from others, even from all of them: pseudonyms that begin alike have originals that do not', () => {
    const pseudonyms = new Map<string, string>()
    for (const [i, person] of bundle.masked.entries())
      for (const field of WORDS)
        for (const [at, word] of wordsIn(people[i]![field]).entries()) pseudonyms.set(word, wordsIn(person[field])[at]!)
    const all = [...pseudonyms]
    expect(all.length).toBeGreaterThan(100)
    const alike = all.flatMap(([plain, hidden], i) =>
      all.slice(i + 1).flatMap(([otherPlain, other]) => {
        const isAlike = hidden.slice(0, 3) === other.slice(0, 3) && plain.slice(0, 2) === otherPlain.slice(0, 2)
        return isAlike ? [[plain, otherPlain]] : []
      }),
    )
    expect(alike).toEqual([])
    // A cut name shows that a word begins with its last letters, and nothing of other words with that beginning.
    const cut = all.flatMap(([plain, hidden]) =>
      all.flatMap(([longer, other]) =>
        longer !== plain && other.startsWith(hidden) ? [{ plain, longer, isRelated: longer.startsWith(plain) }] : [],
      ),
    )
    // Pseudonyms of two or three letters begin others by chance, of words that do not.
    expect(cut.filter(({ plain, isRelated }) => isRelated || plain.length > 3)).toEqual([])
  })

  it('recovers no letter by comparing positions: each letter has no preferred pseudonym', () => {
    const names = new Map(people.map(({ first_name }, i) => [first_name, bundle.masked[i]!.first_name]))
    // Names with the same letter at a position share the letter of their pseudonyms as often as other names do: by chance.
    const [alike, others] = [
      { equal: 0, compared: 0 },
      { equal: 0, compared: 0 },
    ]
    for (const [a, [plain, hidden]] of [...names].entries())
      for (const [otherPlain, other] of [...names].slice(a + 1))
        for (let at = 0; at < Math.min(plain.length, otherPlain.length); at++) {
          const pairs = plain[at] === otherPlain[at] ? alike : others
          pairs.compared++
          if (hidden[at] === other[at]) pairs.equal++
        }
    expect(alike.compared).toBeGreaterThan(300)
    expect(alike.equal / alike.compared).toBeLessThan((1.25 * others.equal) / others.compared)
    expect(others.equal / others.compared).toBeLessThan(1 / 8)
  })

  it.each([
    ['the last four digits of an SSN', ({ ssn }: Person) => ssn.slice(-4), 4],
    ['the first digits of an SSN', ({ ssn }: Person) => ssn.slice(0, 6), 5],
    ['the last four digits of an account number', ({ account_number }: Person) => account_number.slice(-4), 4],
    ['a phone number', ({ phone }: Person) => phone, 10],
  ] as const)('recovers no number from a known one: %s', (_, read, length) => {
    const shifts = new Map<number, Set<number>>()
    for (const [i, person] of bundle.masked.entries()) {
      const [plain, hidden] = [Number(read(people[i]!).replaceAll('-', '')), Number(read(person).replaceAll('-', ''))]
      expect(hidden).not.toBe(plain)
      const shift = (hidden - plain + 10 ** length) % 10 ** length
      shifts.set(shift, (shifts.get(shift) ?? new Set()).add(plain))
    }
    // A shift that is known from one number reveals no other: as in 240 draws from 10,000, two or three meet by chance.
    expect(Math.max(...[...shifts.values()].map((numbers) => numbers.size))).toBeLessThanOrEqual(3)
    expect([...shifts.values()].filter((numbers) => numbers.size > 1).length).toBeLessThanOrEqual(8)
  })

  it('recovers no year, month or day of birth', () => {
    const count = (read: (dob: string) => string) =>
      bundle.masked.filter(({ dob }, i) => read(dob) === read(people[i]!.dob)).length
    // By chance: 240 / 108, 240 / 12 and 240 / 30.
    expect(count((dob) => dob.slice(0, 4))).toBeLessThanOrEqual(5)
    expect(count((dob) => dob.slice(5, 7))).toBeLessThanOrEqual(28)
    expect(count((dob) => dob.slice(8))).toBeLessThanOrEqual(14)
  })

  it('recovers no email address with a dictionary of names and domains', () => {
    const domains = new Set(bundle.masked.map(({ email }) => email.split('@')[1]))
    // Nine domains: equal ones are not equal under the mask, so none can be counted.
    expect(domains.size).toBe(people.length)
    expect(bundle.masked.filter(({ email }) => names.some((name) => name.length > 3 && email.includes(name)))).toEqual(
      [],
    )
  })

  it('learns nothing from another bundle of the same world', () => {
    const other = maskAll(6).masked
    for (const field of FIELDS)
      expect(bundle.masked.filter((person, i) => person[field] === other[i]![field])).toEqual([])
  })
})
