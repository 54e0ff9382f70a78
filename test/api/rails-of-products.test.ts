import { describe, expect, it } from 'vitest'
import { controlOf } from '../support/bridges.ts'
import { expectRefusal } from '../support/client.ts'
import { ACH, STRUCTURED, setUpPayments } from '../support/payments.ts'
import { startSandbox } from '../support/sandbox.ts'

const PROGRAM = 'Hb7QmXk2Tz9LrVw4'
const CHECKING = 'cQ2vNf7ZxLm9TbKe'
const WIRES = 'wX8yTg3JkRb5QhSn'

/** 1: "A Product is a financial product available to Customers, for example a payment rail such as ACH, wire or instant payments." */
describe('a rail belongs to Products', () => {
  async function paying(settings: object = { rails_need_products: true }) {
    const setup = await setUpPayments()
    const control = controlOf(setup.sandbox)
    const update = (changes: object) => control['programs.update']({ uid: PROGRAM, ...changes })
    const olive = await setup.customer()
    await setup.fund(olive, 1000)
    await update(settings)
    const transfer = async (category: Parameters<typeof setup.account>[1]) =>
      setup.api.post('/transfers', {
        source_synthetic_account_uid: olive.master,
        destination_synthetic_account_uid: await setup.account(olive, category),
        initiating_customer_uid: olive.uid,
        usd_transfer_amount: '10.00',
        ...(category === 'ach_external' ? { ach: ACH } : {}),
      })
    const onboard = (product_uid: string) =>
      setup.api.post('/customer_products', { customer_uid: olive.uid, product_uid })
    return { ...setup, control, update, olive, transfer, onboard }
  }

  it('a transfer over a rail that no active Product of the Customer allows is refused, and names the Product that does', async () => {
    const { transfer, onboard } = await paying()
    expect((await transfer('ach_external')).status).toBe(201)
    expect((await transfer('general')).status, 'a payment within the Pool needs no Product').toBe(201)
    expectRefusal(
      await transfer('wire_external'),
      'transferProhibited',
      `no active Product of the Customer allows wire: onboard it to Wire Payments (${WIRES}) with POST /customer_products`,
    )
    expect((await onboard(WIRES)).body).toMatchObject({ status: 'active' })
    expect((await transfer('wire_external')).status).toBe(201)
    expectRefusal(await transfer('instant_payment_external'), 'transferProhibited', /Instant Payments \(/)
  })

  it('a Product can support several rails', async () => {
    const { transfer, control, update } = await paying()
    const { products } = (await control['programs.list']({})).programs[0]!
    const others = products.filter(({ uid }) => uid !== CHECKING).map(({ uid }) => ({ uid }))
    await update({ products: [{ uid: CHECKING, rails: ['ach', 'wire'] }, ...others] })
    expect((await transfer('wire_external')).status).toBe(201)
    await update({ products: [{ uid: CHECKING, rails: [] }, ...others.map(({ uid }) => ({ uid, rails: [] }))] })
    expectRefusal(await transfer('ach_external'), 'transferProhibited', 'no Product of this Program allows ach')
  })

  it('rails that are not known, or twice in the list, are refused', async () => {
    const { control, update } = await paying()
    const { products } = (await control['programs.list']({})).programs[0]!
    const others = products.filter(({ uid }) => uid !== CHECKING).map(({ uid }) => ({ uid }))
    for (const rails of [['swift'], ['ach', 'ach']])
      await expect(update({ products: [{ uid: CHECKING, rails }, ...others] })).rejects.toThrow(/products\.0\.rails/)
  })

  it('without the setting a Customer with any Product may use every rail', async () => {
    const { transfer } = await paying({ rails_need_products: false })
    expect((await transfer('wire_external')).status).toBe(201)
    expect((await transfer('instant_payment_external')).status).toBe(201)
  })

  it('a combined transfer over such a rail fails with the same reason', async () => {
    const { api, olive, typeOf, advance } = await paying()
    const { body } = await api.post('/combined_transfers', {
      synthetic_account: {
        name: 'Ada',
        pool_uid: olive.pool,
        synthetic_account_type_uid: typeOf('instant_payment_external'),
        routing_number: '021000021',
        account_number: '7001230',
        instant_payment: { counterparty_name: 'Ada Okafor', counterparty_address: STRUCTURED },
      },
      transfer: {
        source_synthetic_account_uid: olive.master,
        initiating_customer_uid: olive.uid,
        usd_transfer_amount: '10.00',
      },
    })
    await advance({ by: 'PT5S' })
    const combined = await api.get<{ status: string; errors: { extra: string }[] }>(`/combined_transfers/${body.uid}`)
    expect(combined.body.status).toBe('failed')
    expect(combined.body.errors[0]?.extra).toMatch(/no active Product of the Customer allows instant_payment/)
  })

  it('is on in the demo world, whose businesses have the Products, and off in an empty world', async () => {
    const settings = async (world: 'demo' | 'empty') => {
      const sandbox = await startSandbox({ world })
      return (await controlOf(sandbox)['programs.list']({})).programs.map((program) => program.rails_need_products)
    }
    expect([await settings('demo'), await settings('empty')]).toEqual([[true], [false]])
    const sandbox = await startSandbox({ world: 'demo' })
    const api = sandbox.client()
    const { data } = (
      await api.get<{ data: { customer_uid: string; product_name: string }[] }>('/customer_products?limit=100')
    ).body
    const of = new Map<string, string[]>()
    for (const { customer_uid, product_name } of data)
      of.set(customer_uid, [...(of.get(customer_uid) ?? []), product_name])
    const full = ['Business Checking', 'Instant Payments', 'Wire Payments']
    expect([...of.values()].filter((names) => names.sort().join() === full.join()).length).toBeGreaterThanOrEqual(2)
  })
})
