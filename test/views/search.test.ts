import { describe, expect, it } from 'vitest'
import type { MethodInput, MethodOutput } from '../../src/api/contract/control/methods.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { searchAllRecords } from '../../src/api/views/search.ts'
import { controlOf } from '../support/bridges.ts'
import { PERSON } from '../support/customers.ts'
import { expectControlError } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { createStore, customer, expectUnchanged } from '../support/world.ts'

type Search = MethodOutput<'records.search'>

describe('records.search', () => {
  async function world() {
    const setup = await setUpPayments()
    const control = controlOf(setup.sandbox)
    const search = (text: string, more: Partial<MethodInput<'records.search'>> = {}): Promise<Search> =>
      expectUnchanged(setup.sandbox, () => control['records.search']({ text, ...more }))
    const names = async (text: string, more = {}) => {
      const { records } = await search(text, more)
      return records.map(({ collection, says, field }) => [collection, says, field])
    }
    return { ...setup, control, search, names }
  }

  it('a uid comes first, of any collection and any Program', async () => {
    const setup = await world()
    const olive = await setup.customer()
    const mill = await setup.account(olive, 'ach_external')
    await setup.fund(olive, '500.00')
    const { uid, transaction_uids } = await setup.pay(olive, olive.master, mill, '20.00')
    const other = await setup.control['programs.create']({ name: 'Another' })
    const [task] = (await setup.control['tasks.list']({})).tasks
    for (const [collection, sought] of [
      ['customers', olive.uid],
      ['synthetic_accounts', mill],
      ['transfers', uid],
      ['transactions', transaction_uids[0]!],
      ['programs', other.uid],
      ['tasks', task!.uid],
    ] as const) {
      const { records } = await setup.search(` ${sought} `, { program_uid: other.uid })
      expect(records[0]).toMatchObject({ collection, uid: sought, field: 'uid', value: sought })
    }
    // The beginning of one is enough within the Program, and no other Program's is found by it.
    expect((await setup.search(olive.uid.slice(0, 6))).records[0]).toMatchObject({ uid: olive.uid })
    expect((await setup.search(olive.uid.slice(0, 6), { program_uid: other.uid })).records).toEqual([])
  })

  it('names, emails and external_uids are found: complete matches first, then beginnings, then parts', async () => {
    const { api, names } = await world()
    const make = (external_uid: string, details: object, more: object = {}) =>
      api.post('/customers', { external_uid, details, ...more })
    await make('e-1', { first_name: 'Nadya', last_name: 'Ostrov' })
    await make('nady', { first_name: 'Ben', last_name: 'Vale' })
    await make('e-3', { first_name: 'Ben', last_name: 'Nadyrov' })
    await make(
      'e-4',
      { business_name: 'Canady Press' },
      { customer_type: 'sole_proprietor', email: 'press@example.test' },
    )
    expect(await names('NADY')).toEqual([
      ['customers', 'Ben Vale', 'external_uid'],
      ['customers', 'Nadya Ostrov', 'name'],
      ['customers', 'Ben Nadyrov', 'name'],
      ['customers', 'Canady Press', 'business_name'],
    ])
    expect(await names('nady', { limit: 2 })).toHaveLength(2)
    expect(await names('press@')).toEqual([['customers', 'Canady Press', 'email']])
    expect(await names('nobody has this')).toEqual([])
  })

  it('amounts are found as people write them, and the last four digits of numbers', async () => {
    const setup = await world()
    const olive = await setup.customer()
    const mill = await setup.account(olive, 'ach_external', { account_number: '5550012340', name: 'Mill' })
    await setup.fund(olive, '5000.00')
    const { uid } = await setup.pay(olive, olive.master, mill, '1234.50')
    for (const text of ['1234.50', '1,234.5', '$1234.50']) {
      const { records } = await setup.search(text)
      expect(records.map(({ collection, amount }) => [collection, amount])).toEqual([
        ['transactions', '1234.50'],
        ['transfers', '1234.50'],
      ])
      // On a busy machine it may be on its way already.
      expect(records[1]).toMatchObject({ uid, status: expect.stringMatching(/^(queued|pending)$/) })
    }
    expect((await setup.search('2340')).records.map((record) => record.uid)).toEqual([mill])
    // Half a number is no number: three digits would fit too many.
    expect((await setup.search('340')).records).toEqual([])
  })

  it('tax numbers are not searched', async () => {
    const setup = await world()
    await setup.customer()
    const { ssn } = PERSON as { ssn: string }
    for (const text of [ssn, ssn.replaceAll('-', '')]) expect((await setup.search(text)).records).toEqual([])
  })

  it.each([
    ['nothing', ''],
    ['blanks', '   '],
    ['more than 200 characters', 'x'.repeat(201)],
  ])('%s is refused', async (_, text) => {
    const { control } = await world()
    const error = await control['records.search']({ text }).catch((thrown: unknown) => thrown)
    expectControlError(error, 'invalidArgument')
  })
})

it('a search reads the newest records, and every one if asked; indexed values are found among all', () => {
  const { store } = createStore()
  store.transact('A', { door: 'operator', name: 'test' }, (tx) => {
    for (let i = 0; i < 10_500; i++)
      tx.customers.put(customer(tx, { external_uid: `e-${i}`, email: `person ${i} of many` }))
  })
  const sought = (text: string, isWhole = false) =>
    runToEnd(searchAllRecords(store.world, text, { program_uid: 'A', isWhole }))
  expect(sought('person 10499 of').found).toHaveLength(1)
  expect(sought('person 42 of').found).toEqual([])
  expect(sought('person 42 of').complete).toBe(false)
  const whole = sought('person 42 of', true)
  expect(whole.found).toMatchObject([{ value: 'person 42 of many' }])
  expect(whole.complete).toBe(true)
  expect(sought('e-42').found[0]).toMatchObject({ field: 'external_uid', value: 'e-42' })
})
