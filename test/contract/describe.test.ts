import { describe, expect, it } from 'vitest'
import { methodNames } from '../../src/api/contract/control/methods.ts'
import { createReference } from '../../src/api/contract/describe/describe.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { examples } from '../../src/api/contract/terms/examples.ts'
import { describeCommands } from '../../src/main/commands/help.ts'
import { commands } from '../../src/main/commands/table.ts'

const reference = createReference(describeCommands(commands))
const map = reference.describeMap().map!
const all = map.flatMap(({ kind, names }) => names.map((one) => ({ kind, ...one })))
const refusalOf = (name: string) => {
  try {
    return reference.describe(name).text
  } catch (error) {
    return String(error)
  }
}

describe('every name of the map', () => {
  it('is described in at most 600 tokens of 4 characters, under its own name and kind', () => {
    const wrong = all.filter(({ kind, name }) => {
      const found = reference.describe(name)
      return found.kind !== kind || found.name !== name || found.text.length > 2400 || found.text.length < 20
    })
    expect(wrong).toEqual([])
  })

  it('has a summary, and leads only to names that are described', () => {
    expect(all.filter(({ summary }) => summary === '')).toEqual([])
    const seen = new Set(all.flatMap(({ name }) => reference.describe(name).see))
    expect([...seen].map((name) => reference.describe(name).name)).toEqual([...seen])
  })

  it('is there once', () => expect(new Set(all.map(({ name }) => name)).size).toBe(all.length))

  it('is an operation for each endpoint and a method for each control method', () => {
    const namesOf = (kind: string) => map.find((one) => one.kind === kind)!.names.map(({ name }) => name)
    expect(namesOf('operation')).toEqual(Object.values(endpoints).map(({ method, path }) => `${method} ${path}`))
    expect(namesOf('method')).toEqual(methodNames)
    expect(namesOf('command')).toHaveLength(Object.keys(commands).length)
  })
})

it('the map and each kind have at most 600 tokens, too', () => {
  const { text, see } = reference.describeMap()
  expect(text.length).toBeLessThanOrEqual(2400)
  expect(see).toHaveLength(map.length)
  for (const name of see) expect(reference.describe(name).text.length).toBeLessThanOrEqual(2400)
})

it.each([
  ['createTransfer', 'POST /transfers'],
  ['post transfers', 'POST /transfers'],
  ['PUT /api/v1/transfers/EhrQZJNjCd79LLYq/cancel', 'PUT /transfers/{uid}/cancel'],
  ['transferProhibited', '3006'],
  ['Transactions', 'transactions'],
  ['transactions status authorization_pending', 'transactions.status.authorization_pending'],
  ['transactions.settled', 'transactions.status.settled'],
  ['transactions=settled', 'transactions.status.settled'],
  ['setting returns', 'setting returns'],
  ['returns', 'returns'],
  ['programs.vrn_cooldown_minutes', 'vrn_cooldown_minutes'],
  ['sandbank serve --port', 'serve --port'],
  ['errors', 'all errors'],
  ['r10', 'R10'],
  ['9910', 'R10'],
  ['9901', 'R01'],
  ['outcomes', 'all outcomes'],
])('%s is found as %s', (given, name) => {
  expect(reference.describe(given).name).toBe(name)
})

it('says of an operation its fields with type, rule and default, an example, its errors and what follows', () => {
  const { text } = reference.describe('POST /customers')
  expect(text).toContain('customer_type  primary|secondary|sole_proprietor')
  expect(text).toContain('external_uid  text, 1 to 255 characters, or null')
  expect(text).toContain(`Example: sandbank call POST /customers -d '{"customer_type":"primary"`)
  expect(text).toContain('4002 Unknown customer')
  expect(text).toContain('Tasks that can follow: activate customer')
  expect(text).toContain('Events that can follow: customers.status_change')
  expect(reference.describe('GET /transfers').text).toContain('limit  whole number, at least 0, default 100')
  expect(reference.describe('POST /transfers').text).toContain(
    'usd_transfer_amount  amount, as text or number, required',
  )
})

it('says of a code which account number forces it, and what that forces besides', () => {
  const { text, see } = reference.describe('9901')
  expect(text).toContain(
    'R01: Insufficient funds\nIt returns an ACH debit, within 2 banking days after it has settled\n',
  )
  expect(text).toContain('An account number that ends in 9901 forces it (ach-99)')
  expect(text).toContain('9901 also forces ERR901: it rejects an instant payment')
  expect(see).toEqual(['ach-99', 'ach-97', 'moves.make'])
  expect(reference.describe('ERR1501').text).toContain('No data forces it')
  expect(reference.describe('kyc-smith').text).toContain('For example in POST /customers: details.last_name "Smith"')
})

it('describes a field of what the words before it name', () => {
  const { text, see } = reference.describe('POST /transfers ach')
  expect(text).toContain('ach.sec_code  CCD|CIE|PPD|TEL|WEB, required')
  expect(see).toEqual(['POST /transfers'])
})

it('says where the rest is of a text that is too long', () => {
  expect(reference.describe('programs.update').text).toMatch(
    /… and .*synthetic_account_types: GET \/control\/openapi.json/,
  )
})

it('fills in the values of a world, and says which record the world lacks', () => {
  const values = new Map([['cancelable_transfer', 'hTTnNf3JyJyGipa8']] as const)
  const { text } = reference.describe('cancelTransfer', { values, missing: ['cancelable_transfer'] })
  expect(text).toContain('PUT /transfers/hTTnNf3JyJyGipa8/cancel')
  expect(text).not.toContain(examples.cancelable_transfer)
  expect(text).toContain('This world has no cancelable transfer')
})

it.each([
  ['clock.advence', 'clock.advance'],
  ['POST /transferz', 'POST /transfers'],
  ['transfers.rtp', 'transfers.rtp_settlement'],
  ['cooldown', 'vrn_cooldown_minutes'],
  ['3096', '3006'],
  ['31999', '31014'],
])('an unknown name such as %s is refused with the nearest ones, such as %s', (given, near) => {
  expect(refusalOf(given)).toMatch(new RegExp(`there is no "${given}" to describe: did you mean .*${near}`))
})

it('an unknown name like no other is refused with where all names are', () => {
  expect(refusalOf('qqqqqqqqqqqq')).toContain('; describe without a name lists them all')
})
