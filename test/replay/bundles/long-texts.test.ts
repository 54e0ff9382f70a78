import { describe, expect, it } from 'vitest'
import { MAX_MASKED } from '../../../src/api/contract/control/bundles.ts'
import { forcesFailure } from '../../../src/api/contract/triggers.ts'
import { Dictionary } from '../../../src/api/replay/bundles/dictionary.ts'
import { Mask } from '../../../src/api/replay/bundles/mask.ts'
import { seededRandom } from '../../../src/api/replay/bundles/random.ts'
import { createSeal } from '../../../src/api/store/seal.ts'
import { createMask } from '../../support/mask.ts'
import { createCaller } from '../../support/operator.ts'
import { setUpPayments } from '../../support/payments.ts'
import { startSandbox } from '../../support/sandbox.ts'

/**
 * A text has a budget: the mask reads so many characters of it, cuts the rest, and says so. What is masked of one body or record between
 * two pauses is limited, too. Nothing here measures time, but for the last tests, whose limits are wide.
 */

const options = {
  random: seededRandom('long texts'),
  seal: createSeal('test'),
  span: ['2026-08-14T14:00:00.000Z', '2026-09-30T14:00:00.000Z'],
} as const
const JSON_TYPE = 'application/json'
const MARK = /^(?:|.{0,4096})… \[cut: [\d,]+ characters\]$/su

const fill = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
const PLACES = {
  'a name': 'first_name',
  'an address line': 'line1',
  'a phone number': 'phone',
  'an address of mail': 'email',
  'an account number': 'account_number',
  'a Social Security number': 'ssn',
  'a date of birth': 'dob',
  'a state': 'state',
  'free text': 'external_uid',
  'a field of nobody': 'remark',
} as const

describe.each(Object.entries(PLACES))('a text of 100,000 characters as %s', (_, field) => {
  it.each(['word ', 'sealed:', `sealed:${'a'.repeat(30)} `, 'a@b.c ', '515-555-0123 ', 'Zoë ', '9'])(
    'of %j is masked up to the budget, the same in a record, a body and a form, and still JSON',
    (unit) => {
      const text = fill(unit, 100_000)
      const own = createMask(options)
      own.learn.value({ [field]: text })
      own.learn.body(JSON.stringify({ [field]: text }), JSON_TYPE)
      const masked = own.value({ [field]: text })[field]!
      expect(masked).toMatch(MARK)
      expect(JSON.parse(own.body(JSON.stringify({ [field]: text }), JSON_TYPE))).toEqual({ [field]: masked })
      const form = own.body(new URLSearchParams([[field, text]]).toString(), 'application/x-www-form-urlencoded')
      expect(new URLSearchParams(form).get(field)).toBe(masked)
    },
  )
})

describe('a cut', () => {
  const SECRETS = {
    'a known name': 'Theodora Lovelace',
    'a known long name': `Schwartz${'kopff'.repeat(40)}`,
    'an address of mail': 'theodora.lovelace@wexford.example',
    'a phone number': '515-555-0123',
    'a Social Security number': '512-04-8823',
    'one with blanks': '512 04 8823',
    'one with en dashes': '512 – 04 – 8823',
    'a sealed one': options.seal.seal('512-04-8823'),
    'an account number': '400123451230',
  }
  const person = { first_name: 'Theodora', last_name: 'Lovelace', business_name: SECRETS['a known long name'] }
  const known = { ...person, account_number: SECRETS['an account number'], phone: '5155550123' }

  it.each(Object.entries(SECRETS))('leaves no part of %s, wherever it is', (_, secret) => {
    const own = createMask(options)
    own.learn.value(known)
    for (const before of [1, secret.length >> 1, secret.length - 1])
      for (const around of ['x ', '. ', '1 ']) {
        const text = `${fill(around, MAX_MASKED - before)}${secret} ${fill('more ', 10_000)}`
        const masked = own.value({ remark: text }).remark
        expect(masked).toMatch(MARK)
        const end = masked.slice(MAX_MASKED - before, masked.lastIndexOf('…'))
        expect(secret.startsWith(end.trim()) && end.trim() !== '', JSON.stringify(end)).toBe(false)
      }
  })

  it('keeps its mark when the bundle is imported and exported again', () => {
    const once = createMask(options)
    const { first_name } = once.value({ first_name: fill('Theodora ', 9_000) })
    expect(first_name).toMatch(/… \[cut: 4,\d{3} characters\]$/)
    const twice = createMask(options)
    twice.learn.value({ first_name })
    const again = twice.value({ first_name, remark: 'other characters are cut' })
    expect(again.first_name).toHaveLength(first_name.length)
    expect(again.first_name.slice(again.first_name.indexOf('…'))).toBe(first_name.slice(first_name.indexOf('…')))
    // Its words are no names.
    expect(again.remark).toBe('other characters are cut')
  })

  it('of a text that is no JSON is one cut, and its field names stay', () => {
    const own = createMask(options)
    own.learn.value(person)
    const text = `{"first_name":"Theodora","n":1,${fill('"last_name":"Lovelace",', 50_000)}`
    const masked = own.body(text, JSON_TYPE)
    expect(masked).toMatch(/^\{"first_name":"[A-Z][a-z]{7}","n":1,"last_name":"[A-Z][a-z]{7}"/)
    expect(masked).toMatch(MARK)
    expect(masked).not.toMatch(/Theo|Love/)
  })

  it('of names of fields, of headers and of the path is the same', () => {
    const own = createMask(options)
    const long = fill('a@b.c-', 50_000)
    expect(Object.keys(own.value({ [long]: 1 }) as object)[0]).toMatch(MARK)
    expect(own.headers([['x-note', fill('a@b.c ', 16_000)]])[0]![1]).toMatch(MARK)
    expect(decodeURIComponent(own.path(`/customers/${encodeURIComponent(fill('a b ', 9_000))}`))).toMatch(
      /^\/customers\/(a b )+(a|a b)… \[cut: [\d,]+ characters\]$/,
    )
    expect(own.path(`/customers?${fill('a[b]', 9_000)}[first_name]=Theodora`)).toMatch(/=%5Btoo\+deep%5D$/)
  })

  it.each(['fail ', 'fail'])('leaves what a name of %j forces', (unit) => {
    const own = createMask(options)
    const counterparty_name = fill(unit, 10_000)
    own.learn.value({ counterparty_name })
    const masked = own.value({ counterparty_name }).counterparty_name
    expect(masked).toMatch(MARK)
    expect([forcesFailure(masked), forcesFailure(masked, { forced_outcomes: own.outcomes })]).toEqual([false, true])
    expect(own.cuts).toBe(1)
  })

  it('is counted', () => {
    const own = createMask(options)
    own.value({ first_name: fill('word ', 4_096), uid: fill('x', 9_000) })
    expect(own.cuts).toBe(0)
    own.value({ first_name: fill('word ', 4_097), last_name: fill('word ', 9_000) })
    expect(own.cuts).toBe(2)
  })
})

describe('one body or record of many texts', () => {
  const TEXTS = Array.from({ length: 400 }, (_, n) => fill(`word${n} `, 250))
  const pauses = (steps: Iterable<unknown>) => [...steps].length

  it.each([
    ['a list', { business_name: TEXTS }],
    ['an object', { details: Object.fromEntries(TEXTS.map((text, n) => [`name_${n}`, text])) }],
    ['names of fields', Object.fromEntries(TEXTS.map((text) => [text, 1]))],
  ])('is learned and masked with pauses: %s', (_, body) => {
    const own = new Mask(options)
    const text = JSON.stringify(body)
    // 100,000 characters, with a pause after each 2,000.
    expect(pauses(own.learn.value(body))).toBeGreaterThan(40)
    expect(pauses(own.learn.body(text, JSON_TYPE))).toBeGreaterThan(40)
    expect(pauses(own.value(body))).toBeGreaterThan(40)
    expect(pauses(own.body(text, JSON_TYPE))).toBeGreaterThan(40)
    expect(pauses(own.body(`a=${TEXTS.join('&a=')}`, 'application/x-www-form-urlencoded'))).toBeGreaterThan(40)
  })
})

it('a sealed text that cannot be opened is replaced in one pass, by one of its own length', () => {
  const begin = process.cpuUsage().user
  const hidden = new Dictionary().opaque('sealed:'.repeat(130_000))
  expect(hidden).toMatch(/^[\w-]{910000}$/)
  // It took 13 s when each round hashed all that came before.
  expect((process.cpuUsage().user - begin) / 1_000).toBeLessThan(2_000)
})

describe('a world with texts of 900,000 characters', () => {
  const TEXTS = ['sealed:', `sealed:${'a'.repeat(22)} `, 'a@b.c ', 'Theodora ']

  it('is exported, says how many places were cut, and replays the same from its bundle', {
    timeout: 60_000,
  }, async () => {
    const { sandbox, api, customer } = await setUpPayments()
    const call = createCaller(sandbox)
    const olive = await customer()
    for (const unit of TEXTS) {
      const first_name = fill(unit, 900_000)
      expect(await api.post('/customers', { details: { first_name, last_name: 'Lovelace' } })).toMatchObject({
        status: 201,
      })
      expect((await api.post('/customers', { external_uid: first_name })).status).toBe(400)
    }
    await api.get(`/customers/${olive.uid}`)
    const begin = process.cpuUsage().user
    const { text, cut } = await call('bundles.export', {})
    // Each accepted text is in a commit, a request and a response, each refused one in a request.
    expect(cut).toBe(TEXTS.length * 4)
    expect((process.cpuUsage().user - begin) / 1_000).toBeLessThan(6_000)
    expect(text.length).toBeLessThan(1_000_000)
    expect(text).not.toMatch(/Theodora|a@b\.c/)
    for (const line of text.trimEnd().split('\n')) expect(() => JSON.parse(line)).not.toThrow()

    const replayed = await call('exchanges.replay', { text })
    // Of one long word only the mark is left, which is short enough to be accepted as an external uid.
    expect(replayed.exchanges.filter(({ verdict }) => verdict !== 'same')).toMatchObject([
      { path: '/customers', recorded: { status: 400 }, replayed: { status: 201 } },
    ])
    expect(replayed.same).toBeGreaterThan(2 * TEXTS.length)

    const other = await startSandbox()
    await createCaller(other)('bundles.import', { text })
    const again = await createCaller(other)('bundles.export', {})
    expect(again.text).toContain('… [cut: ')
    expect(await createCaller(other)('exchanges.replay', { text: again.text })).toMatchObject({
      differs: 1,
      refused: 0,
    })
  })

  it('is recorded as a scenario in linear time, in which words like sealed numbers stay as they are', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    for (const unit of TEXTS) await api.post('/customers', { details: { first_name: fill(unit, 900_000) } })
    const begin = process.cpuUsage().user
    const { text, steps } = await createCaller(sandbox)('scenarios.record', {})
    expect((process.cpuUsage().user - begin) / 1_000).toBeLessThan(3_000)
    expect(steps).toBe(TEXTS.length)
    expect(text).toContain(fill('sealed:', 7_000))
  })
})
