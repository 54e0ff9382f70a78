import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createMask } from '../../../src/api/replay/bundles/mask.ts'
import { createSeal } from '../../../src/api/store/seal.ts'
import { collectionOf } from '../../../src/api/store/world.ts'
import { startSandbox } from '../../support/sandbox.ts'

/**
 * "An adversary with a list of names and the demo world recovers nothing": each attack gets the masked values, the known pairs
 * of the demo world and lists of names, and must do no better than guessing.
 */

const FIRST =
  'james mary robert patricia john jennifer michael linda david elizabeth william barbara richard susan joseph jessica ' +
  'thomas karen charles sarah christopher lisa daniel nancy matthew sandra anthony betty mark ashley donald emily steven ' +
  'kimberly andrew margaret paul donna joshua michelle kenneth carol kevin amanda brian melissa timothy deborah ronald ' +
  'stephanie george rebecca jason sharon edward laura jeffrey cynthia ryan dorothy jacob amy nicholas kathleen gary angela'
const LAST =
  'smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson ' +
  'thomas taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson walker young ' +
  'allen king wright scott torres nguyen hill flores green adams nelson baker hall rivera campbell mitchell carter roberts'
const names = [...new Set(`${FIRST} ${LAST}`.split(' '))]
const pad = (n: number, length: number) => String(n).padStart(length, '0')

const people = Array.from({ length: 240 }, (_, i) => ({
  first_name: names[(i * 7) % names.length]!,
  last_name: LAST.split(' ')[i % 50]!,
  email: `${names[i % names.length]}.${LAST.split(' ')[(i * 3) % 50]}@mail${i % 9}.example`,
  phone: `515555${pad((i * 37) % 10_000, 4)}`,
  ssn: `${pad(101 + ((i * 3) % 500), 3)}-${pad(1 + (i % 99), 2)}-${pad(1 + ((i * 41) % 9_999), 4)}`,
  dob: `${1950 + (i % 50)}-${pad(1 + (i % 12), 2)}-${pad(1 + ((i * 5) % 28), 2)}`,
  account_number: `4001${pad(i * 17, 5)}${pad((i * 41) % 9_000, 4)}`,
}))
type Person = (typeof people)[number]

async function demoPeople(): Promise<Partial<Record<string, string>>[]> {
  const sandbox = await startSandbox({ world: 'demo' })
  return collectionOf(sandbox.store.world, 'customers')
    .inOrder()
    .map((record) => {
      const { details, email } = record as unknown as { details: Record<string, string>; email: string }
      return {
        first_name: details.first_name,
        last_name: details.last_name,
        email,
        dob: details.dob,
        phone: details.phone,
      }
    })
}

function maskAll(known: readonly object[]) {
  const mask = createMask({
    key: randomBytes(32),
    seal: createSeal('test'),
    span: ['2026-08-14T14:00:00.000Z', '2026-09-14T14:00:00.000Z'],
  })
  for (const person of [...known, ...people]) mask.learn.value(person)
  return {
    pairs: known.map((person) => [person, mask.value(person)] as const),
    masked: people.map((person) => mask.value(person)),
  }
}

const commonLength = (a: string, b: string) => {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  return at
}

describe('an adversary with the demo world and a list of names', () => {
  it('recovers no name from prefixes: pseudonyms that begin alike have originals that do not', async () => {
    const known = await demoPeople()
    expect(known.length).toBeGreaterThan(2)
    const { pairs, masked } = maskAll(known)
    const dictionary = pairs.flatMap(([plain, hidden]) =>
      (['first_name', 'last_name'] as const).flatMap((name) =>
        plain[name as never] ? [[String(plain[name as never]), String(hidden[name as never])] as const] : [],
      ),
    )
    // All names of the list are known pairs as well, but the one that is attacked.
    let recovered = 0
    for (const [i, { last_name }] of masked.entries()) {
      const others = [...dictionary, ...people.map((other, at) => [other.last_name, masked[at]!.last_name] as const)]
      const pairsOfOthers = others.filter(([plain]) => plain !== people[i]!.last_name)
      const best = pairsOfOthers.reduce((a, b) =>
        commonLength(b[1], last_name) > commonLength(a[1], last_name) ? b : a,
      )
      const start = best[0].slice(0, Math.max(2, commonLength(best[1], last_name)))
      const guesses = LAST.split(' ').filter((name) => name.startsWith(start) && name.length === last_name.length)
      if (guesses.length === 1 && guesses[0] === people[i]!.last_name) recovered++
    }
    expect(recovered).toBeLessThan(people.length * 0.15)
  })

  it('recovers no letter by comparing positions: each letter has no preferred pseudonym', () => {
    const distinct = new Map<string, Set<string>>()
    const { masked } = maskAll([])
    for (const [i, { first_name }] of masked.entries())
      for (const [at, letter] of [...people[i]!.first_name].entries()) {
        const key = `${at} ${letter}`
        distinct.set(key, (distinct.get(key) ?? new Set()).add(`${people[i]!.first_name} ${first_name[at]!}`))
      }
    // Of names with the same letter at the same position, as many pseudonyms share theirs as chance lets them.
    let equal = 0
    let compared = 0
    for (const seen of distinct.values()) {
      const letters = [...seen].map((text) => text.at(-1)!)
      for (let a = 0; a < letters.length; a++)
        for (let b = a + 1; b < letters.length; b++) {
          compared++
          if (letters[a] === letters[b]) equal++
        }
    }
    expect(compared).toBeGreaterThan(300)
    expect(equal / compared).toBeLessThan(0.12)
  })

  it('finds no name, forcing or not, as it is', () => {
    const { masked } = maskAll([])
    for (const [i, person] of masked.entries())
      for (const name of ['first_name', 'last_name'] as const)
        expect(person[name] === people[i]![name] && person[name].length > 3).toBe(false)
    expect(JSON.stringify(masked)).not.toMatch(/smith|johnson/)
  })

  it.each([
    ['the last four digits of an SSN', ({ ssn }: Person) => ssn.slice(-4), 4],
    ['the first digits of an SSN', ({ ssn }: Person) => ssn.slice(0, 6), 3],
    ['the last four digits of an account number', ({ account_number }: Person) => account_number.slice(-4), 4],
    ['a phone number', ({ phone }: Person) => phone, 4],
  ] as const)('recovers no number from a known one: %s', (_, read, least) => {
    const { masked } = maskAll([])
    const shifts = new Map<number, number>()
    let same = 0
    for (const [i, person] of masked.entries()) {
      const [plain, hidden] = [Number(read(people[i]!).replaceAll('-', '')), Number(read(person).replaceAll('-', ''))]
      if (plain === hidden) same++
      const shift = (hidden - plain + 10 ** least) % 10 ** least
      shifts.set(shift, (shifts.get(shift) ?? 0) + 1)
    }
    expect(same).toBeLessThan(6)
    // A shift that is known from one number reveals no other.
    expect(Math.max(...shifts.values())).toBeLessThan(people.length * 0.1)
  })

  it('recovers no year, month or day of birth', () => {
    const { masked } = maskAll([])
    const share = (read: (dob: string) => string) =>
      masked.filter(({ dob }, i) => read(dob) === read(people[i]!.dob)).length / people.length
    expect(share((dob) => dob.slice(0, 4))).toBeLessThan(0.08)
    expect(share((dob) => dob.slice(5, 7))).toBeLessThan(0.2)
    expect(share((dob) => dob.slice(8))).toBeLessThan(0.15)
  })

  it('recovers no email address with a dictionary of names and domains', () => {
    const { masked } = maskAll([])
    const domains = new Set(masked.map(({ email }) => email.split('@')[1]))
    // Nine domains: equal ones are not equal under the mask, so none can be counted.
    expect(domains.size).toBeGreaterThan(200)
    expect(masked.filter(({ email }) => names.some((name) => name.length > 4 && email.includes(name)))).toEqual([])
  })

  it('learns nothing from another bundle of the same world', () => {
    const [a, b] = [maskAll([]).masked, maskAll([]).masked]
    expect(a.filter((person, i) => person.last_name === b[i]!.last_name && person.last_name.length > 3)).toEqual([])
  })
})
