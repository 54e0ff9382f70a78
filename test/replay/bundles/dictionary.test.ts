import { expect, it } from 'vitest'
import { achReturnFor, nocFor, rejectionFor } from '../../../src/api/contract/triggers.ts'
import { Dictionary } from '../../../src/api/replay/bundles/dictionary.ts'
import { seededRandom } from '../../../src/api/replay/bundles/random.ts'

const dictionaryOf = (seed: string) => new Dictionary({ random: seededRandom(seed) })
const numbers = (length: number) => Array.from({ length: 10 ** length }, (_, n) => String(n).padStart(length, '0'))

it('the last four digits of account numbers are never those that force an outcome, also when all are in use', () => {
  const dictionary = dictionaryOf('ends')
  for (const end of numbers(4)) {
    const masked = dictionary.accountLastFour(end)
    expect(masked).toMatch(/^\d{4}$/)
    expect([achReturnFor(masked), nocFor(masked), rejectionFor(masked)]).toEqual([undefined, undefined, undefined])
    expect(masked === '0000').toBe(end === '0000')
    // A whole number ends in the pseudonym of its last four digits, as responses show them alone.
    if (Number(end) % 100 === 99) expect(dictionary.account(`441020${end}`).slice(-4)).toBe(masked)
  }
})

it('gives all words of a length pseudonyms of their own, when there are no others', () => {
  const letters = [...'abcdefghijklmnopqrstuvwxyz']
  const dictionary = dictionaryOf('words')
  const words = [...letters, ...letters.flatMap((a) => letters.map((b) => a + b)), ...numbers(1), ...numbers(3)]
  const masked = words.map((word) => dictionary.words(word))
  expect(new Set(masked).size).toBe(words.length)
  expect(masked.map(({ length }) => length)).toEqual(words.map(({ length }) => length))
  // The last ones get what is left.
  expect(masked.filter((word, i) => word === words[i] && word !== '0').length).toBeLessThan(10)
})

it('a pseudonym is no other value of the bundle', () => {
  const taken = new Set<string>()
  const dictionary = new Dictionary({ isTaken: (text) => taken.has(text), random: seededRandom('taken') })
  const probe = dictionaryOf('taken')
  const first = probe.words('theodora')
  taken.add(first)
  expect(dictionary.words('theodora')).not.toBe(first)
  expect(dictionary.words('theodora')).toMatch(/^[a-z]{8}$/)
})

it('ACH cuts a name: the cut name has the cut pseudonym, but neither a whole name nor a short rest has', () => {
  const dictionary = dictionaryOf('cut')
  for (const name of ['Wilhelmina Featherstone', 'Theodora Vandermeer', 'Theodora Vanderm', 'O\u5c71\u7530'])
    dictionary.addName(name)
  expect(dictionary.words('Wilhelmina Feath')).toBe(dictionary.words('Wilhelmina Featherstone').slice(0, 16))
  expect(dictionary.words('Theodora Vanderm')).toBe(`${dictionary.words('Theodora')} ${dictionary.words('Vanderm')}`)
  expect(dictionary.words('O Brien')).toBe(`${dictionary.words('O')} ${dictionary.words('Brien')}`)
})

// Each letter once took time in proportion to the whole word, so exporting such a word took minutes.
it('a word of 270,000 letters gets a pseudonym of its own length', () => {
  const long = 'customers'.repeat(30_000)
  const masked = dictionaryOf('long').words(`/${long}`)
  expect(masked).toMatch(/^\/[a-z]+$/)
  expect(masked).toHaveLength(long.length + 1)
  expect(masked).not.toContain('customers')
})

it('each state becomes another one, and no two the same', () => {
  for (let n = 0; n < 20; n++) {
    const dictionary = dictionaryOf(`states ${n}`)
    const states = ['TX', 'IA', 'CA', 'NY', 'WA', 'PR', 'DC', 'MN', 'OH', 'VT']
    const masked = states.map((state) => dictionary.state(state))
    expect(masked.filter((state, at) => state === states[at])).toEqual([])
    expect(new Set(masked).size).toBe(states.length)
  }
})
