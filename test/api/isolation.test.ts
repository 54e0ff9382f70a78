import { describe, expect, it } from 'vitest'
import type { Customer } from '../../src/api/contract/resources/customers.ts'
import { expectRefusal } from '../support/client.ts'
import { startSandbox } from '../support/sandbox.ts'
import { addProgram, ask, type CustomerPage, configure, lastExchange } from './support.ts'

/** Two Programs of one Client, each with a Customer. Neither Program must affect the other. */
async function two() {
  const sandbox = await startSandbox()
  const ours = sandbox.client()
  const theirs = addProgram(sandbox)
  const { body: our } = await ours.post<Customer>('/customers', { external_uid: 'our', email: 'same@example.com' })
  const { body: their } = await theirs.post<Customer>('/customers', {
    external_uid: 'their',
    email: 'same@example.com',
  })
  return { sandbox, ours, theirs, our, their }
}

describe('1 "Customers are unique to a Program […] and records are not visible outside their Program"', () => {
  it('1: a filter by name finds no records of another Program', async () => {
    const { ours, theirs, their } = await two()
    for (const query of [`uid=${their.uid}`, 'external_uid=their', `program_uid=${theirs.program.uid}`]) {
      const { status, body } = await ours.get<CustomerPage>(`/customers?include_initiated=true&${query}`)
      expect({ status, total: body.total_count, data: body.data }).toEqual({ status: 200, total: 0, data: [] })
    }
  })

  it('2.1: an external_uid is unique across the Programs of a Client; the error reveals only that it exists', async () => {
    const { ours, their } = await two()
    const answer = await ours.post('/customers', { external_uid: 'their' })
    expectRefusal(answer, 'customerInUse', 'external_uid')
    expect(answer.text).not.toContain(their.uid)
    expect(answer.text).not.toContain(their.program_uid)
  })

  it('1: "A Program […] defines the origination terms": each Program has its own settings', async () => {
    const { sandbox, ours, theirs } = await two()
    configure(sandbox, { client_is_customer: true })
    expectRefusal(await ours.post('/customers', {}), 'creationByOperator')
    expect((await theirs.post('/customers', {})).status).toBe(201)
  })

  it('5: a token is valid only for the Program that it was issued for', async () => {
    const { ours, theirs, our, their } = await two()
    const [ourToken, theirToken] = [await ours.signIn(), await theirs.signIn()]
    const read = (uid: string, authorization: string) =>
      ours.send('GET', `/customers/${uid}`, { headers: { authorization } })
    expect((await read(our.uid, ourToken)).status).toBe(200)
    expect((await read(their.uid, theirToken)).status).toBe(200)
    expectRefusal(await read(our.uid, theirToken), 'customerNotFound')
    expectRefusal(await read(their.uid, ourToken), 'customerNotFound')
  })

  it('1: the log has the Program of each request', async () => {
    const { sandbox, ours, theirs, their } = await two()
    await theirs.get(`/customers/${their.uid}`)
    expect(await lastExchange(sandbox)).toMatchObject({ program_uid: theirs.program.uid })
    await ours.send('GET', '/customers')
    expect(await lastExchange(sandbox)).toMatchObject({ program_uid: null, status: 401 })
    const { data } = await ask<{ data: { program_uid: string | null }[] }>(sandbox, 'exchanges.list', {
      program_uid: ours.program.uid,
    })
    expect(new Set(data.map(({ program_uid }) => program_uid))).toEqual(new Set([null, ours.program.uid]))
  })
})
