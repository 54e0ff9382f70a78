import { describe, expect, it } from 'vitest'
import type { MethodInput, MethodOutput } from '../../src/api/contract/control/methods.ts'
import { add, sum, ZERO } from '../../src/api/domain/rules/money.ts'
import { setUpPayments } from '../support/payments.ts'

/** Requests, refusals and settled money of a world over simulated time. */

async function bank() {
  const setup = await setUpPayments()
  const pulse = async (input: MethodInput<'world.pulse'> = {}) => {
    const reply = await setup.sandbox.call('world.pulse', input)
    expect(reply.ok, JSON.stringify(reply)).toBe(true)
    return (reply as { value: MethodOutput<'world.pulse'> }).value
  }
  return { ...setup, pulse }
}

describe('the pulse of a world', () => {
  it('counts each request and each refusal of the log, in the step of its time', async () => {
    const { api, sandbox, pulse, advance } = await bank()
    await api.get('/customers?limit=-1')
    await advance({ by: 'PT2H' })
    await api.get('/customers?limit=-1')
    await api.get('/customers')
    const { requests, from, until, step_ms } = await pulse({ period: 'day' })
    const reply = await sandbox.call('exchanges.list', { limit: 1000 })
    const { data } = (reply as { value: MethodOutput<'exchanges.list'> }).value
    const total = requests.reduce((all, step) => all + step.total, 0)
    expect([total, requests.reduce((all, step) => all + step.refused, 0)]).toEqual([
      data.length,
      data.filter(({ status }) => status >= 400).length,
    ])
    expect(requests).toHaveLength(48)
    expect(requests.at(-1)).toMatchObject({ total: 2, refused: 1 })
    expect(Date.parse(until) - Date.parse(from)).toBe(86_400_000)
    expect(step_ms).toBe(1_800_000)
    // Two hours later than the first refusal, so only the last two requests are within the last hour.
    expect((await pulse({ period: 'hour' })).requests.reduce((all, step) => all + step.total, 0)).toBe(2)
  })

  it('adds up the settled money of each rail to the cent, and leaves out what has not settled', async () => {
    const { customer, account, fund, pay, mock, pulse, advance } = await bank()
    const olive = await customer()
    const mill = await account(olive, 'ach_external')
    const second = await account(olive, 'general')
    await fund(olive, '500.00')
    await pay(olive, olive.master, mill, '20.10')
    await pay(olive, olive.master, mill, '0.05')
    await pay(olive, olive.master, second, '3.00')
    await advance({ until: 'idle' })
    await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 7 })
    const { rails } = await pulse({ period: 'all' })
    expect(rails.map(({ rail, payments, us_dollar_amount }) => [rail, payments, us_dollar_amount])).toEqual([
      ['ach', 2, '20.15'],
      ['book', 1, '3.00'],
      ['wire', 1, '500.00'],
    ])
    for (const { steps, us_dollar_amount } of rails) expect(steps.reduce(add, ZERO)).toBe(us_dollar_amount)
    expect(sum(rails.map(({ us_dollar_amount }) => us_dollar_amount))).toBe('523.15')
  })

  it('groups the errors by code and endpoint, the most frequent first', async () => {
    const { api, pulse } = await bank()
    await api.get('/customers?limit=-1')
    await api.get('/customers?limit=-1')
    await api.get('/transfers?limit=-1')
    await api.get('/nowhere')
    const { errors } = await pulse({ period: 'all' })
    expect(errors.map(({ code, endpoint, requests }) => [code, endpoint, requests])).toEqual([
      [1005, 'listCustomers', 2],
      [1005, 'listTransfers', 1],
      [1001, null, 1],
    ])
  })

  it('does not contain the requests and the money of another Program', async () => {
    const { api, sandbox, pulse } = await bank()
    await api.get('/customers')
    const reply = await sandbox.call('programs.create', { name: 'Another Program' })
    const { uid } = (reply as { value: MethodOutput<'programs.create'> }).value
    const { requests, rails } = await pulse({ program_uid: uid, period: 'all' })
    expect(requests.reduce((all, step) => all + step.total, 0)).toBe(0)
    expect(rails).toEqual([])
  })
})
