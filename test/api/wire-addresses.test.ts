import { describe, expect, it } from 'vitest'
import type { SyntheticAccount } from '../../src/api/contract/resources/synthetic-accounts.ts'
import { expectRefusal } from '../support/client.ts'
import { setUpPayments } from '../support/payments.ts'

/** The two forms of an address of a wire: in lines, and structured as newer clients send it. */

const LINES = { line1: '1 Main St', line2: 'Apt 4', line3: 'Ames IA 50010', country: 'US' }
const PARTS = {
  building_number: '12',
  street_name: 'Harbor Street',
  line2: 'Suite 400',
  city: 'Ames',
  state: 'IA',
  postal_code: '50010',
  country: 'US',
}
const LEAST = { city: 'Ames', country: 'US' }

async function setUp() {
  const setup = await setUpPayments()
  const { api, typeOf } = setup
  const olive = await setup.customer()
  await setup.fund(olive, 100)
  let n = 0
  const open = (counterparty_address: unknown) =>
    api.post<SyntheticAccount>('/synthetic_accounts', {
      name: `Counterparty ${++n}`,
      pool_uid: olive.pool,
      synthetic_account_type_uid: typeOf('wire_external'),
      routing_number: '021000021',
      account_number: `70000${n}`,
      wire: { counterparty_name: 'Harbor Leasing', counterparty_address },
    })
  return { ...setup, olive, open }
}

describe('the address of a counterparty', () => {
  it.each([
    ['in lines', LINES],
    ['structured', PARTS],
    ['structured, with a line instead of number and street', { line1: '12 Harbor Street', ...LEAST }],
    ['structured, with what is required only', LEAST],
  ])('%s: the account and its payments show it as it was sent', async (_form, address) => {
    const { open, api, olive, pay, transaction } = await setUp()
    const { status, body } = await open(address)
    expect([status, body.wire?.counterparty_address]).toEqual([201, address])
    const { body: again } = await api.get<SyntheticAccount>(`/synthetic_accounts/${body.uid}`)
    expect(again.wire?.counterparty_address).toEqual(address)
    const paid = await pay(olive, olive.master, body.uid, '1.00')
    expect((await transaction(paid.transaction_uids[0]!)).wire?.counterparty_address).toEqual(address)
  })

  it.each([
    ['no city', { ...PARTS, city: undefined }, 'missingParameter', 'city is missing'],
    ['no country', { ...PARTS, country: undefined }, 'missingParameter', 'country is missing'],
    ['a city that is null', { ...PARTS, city: null }, 'invalidArgument', 'city: a text is expected'],
    ['a city of 34', { ...PARTS, city: 'x'.repeat(34) }, 'invalidArgument', 'city: at most 33 plain characters'],
    ['a line1 of 34', { ...LEAST, line1: 'x'.repeat(34) }, 'invalidArgument', 'line1: at most 33 plain characters'],
    ['a line3', { ...PARTS, line3: 'x' }, 'invalidArgument', 'line3: a structured address has no third line'],
    [
      'a # in the street',
      { ...PARTS, street_name: '#' },
      'invalidArgument',
      'street_name: at most 33 plain characters',
    ],
    ['a ZIP of 4', { ...PARTS, postal_code: '5001' }, 'invalidArgument', 'postal_code: a ZIP or ZIP+4 is expected'],
  ] as const)('structured, with %s: refused', async (_what, address, key, extra) => {
    const { open } = await setUp()
    expectRefusal(await open(address), key, new RegExp(`^wire\\.counterparty_address\\.${extra.replace('+', '\\+')}`))
  })

  it('in lines may still have 35 characters', async () => {
    const { open } = await setUp()
    expect((await open({ line1: 'x'.repeat(35) })).status).toBe(201)
  })

  it('may change from lines to the structured form', async () => {
    const { open, api } = await setUp()
    const { body } = await open(LINES)
    const changed = await api.call<SyntheticAccount>('PUT', `/synthetic_accounts/${body.uid}`, {
      json: { note: 'moved', wire: { counterparty_address: PARTS } },
    })
    expect([changed.status, changed.body.wire?.counterparty_address]).toEqual([200, PARTS])
  })
})

describe('the setting wire_addresses', () => {
  it.each([
    ['structured', PARTS, LINES],
    ['unstructured', LINES, PARTS],
  ] as const)(
    '%s: the other form is refused, for a new account, a change and a transmitter',
    async (form, good, bad) => {
      const { open, api, configure, olive, pay, tryToPay } = await setUp()
      await configure({ wire_addresses: form })
      const { status, body } = await open(good)
      expect(status).toBe(201)
      const extra = new RegExp(`counterparty_address: this Program accepts ${form} addresses only`)
      expectRefusal(await open(bad), 'invalidArgument', extra)
      const json = { note: 'moved', wire: { counterparty_address: bad } }
      expectRefusal(await api.call('PUT', `/synthetic_accounts/${body.uid}`, { json }), 'invalidArgument', extra)
      expect((await open(null)).status).toBe(201)

      const by = (address: object) => ({
        initiator_type: 'transmitter',
        wire: { wire_transmitter: { name: 'Dockside Pay', transmitter_identifier: 'DOCK1', ...address } },
      })
      expect((await pay(olive, olive.master, body.uid, '1.00', by(good))).wire?.wire_transmitter).toMatchObject(good)
      expectRefusal(
        await tryToPay(olive, olive.master, body.uid, '1.00', by(bad)),
        'invalidArgument',
        new RegExp(`^wire\\.wire_transmitter: this Program accepts ${form} addresses only`),
      )
    },
  )
})

describe('the address of a transmitter', () => {
  const send = async (address: object) => {
    const { open, olive, tryToPay } = await setUp()
    const { body } = await open(null)
    return tryToPay(olive, olive.master, body.uid, '1.00', {
      initiator_type: 'transmitter',
      wire: { wire_transmitter: { name: 'Dockside Pay', transmitter_identifier: 'DOCK1', ...address } },
    })
  }

  it('may be structured, and then needs no line', async () => {
    const { status, body } = await send(PARTS)
    expect(status).toBe(201)
    expect(body).toMatchObject({ wire: { wire_transmitter: PARTS } })
  })

  it('needs its first line in lines, and its city if it is structured', async () => {
    expectRefusal(await send({ country: 'US' }), 'missingParameter', 'wire.wire_transmitter.line1 is missing')
    expectRefusal(
      await send({ street_name: 'Harbor Street', country: 'US' }),
      'missingParameter',
      'wire.wire_transmitter.city is missing',
    )
  })
})
