import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OLIVE } from '../support/customers.ts'
import { call } from '../support/operator.ts'
import { openBank } from '../support/operator-sandbox.ts'
import { startSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

describe('requests.try', () => {
  it('answers as the API does, with the same uids, and changes nothing: no commit, no log entry, no uid is used', async () => {
    const sandbox = await startSandbox({ world: 'demo' })
    const api = sandbox.client()
    const before = canonical(sandbox.store.world)
    const { seq } = sandbox.store.world
    const exchanges = (await call(sandbox, 'exchanges.list', {})).total_count
    const tried = await call(sandbox, 'requests.try', { endpoint: 'createCustomer', body: OLIVE })
    expect(await call(sandbox, 'requests.try', { endpoint: 'createCustomer', body: OLIVE })).toEqual(tried)
    expect(tried).toMatchObject({ status: 201, refused: null })
    expect(canonical(sandbox.store.world) === before).toBe(true)
    expect(sandbox.store.world.seq).toBe(seq)
    expect((await call(sandbox, 'exchanges.list', {})).total_count).toBe(exchanges)
    const { status, body } = await api.post('/customers', OLIVE)
    expect({ status, body }).toEqual({ status: tried.status, body: tried.body })
  })

  it('is refused as the API refuses, by the schema and by the rules', async () => {
    const { sandbox, control, customer, counterparty, api } = await openBank()
    const bodies = [
      { usd_transfer_amount: '\0' },
      { usd_transfer_amount: 'x'.repeat(1_100_000) },
      {},
      { amount: 3 },
      { source_synthetic_account_uid: 'nobody' },
      {
        source_synthetic_account_uid: customer.master,
        destination_synthetic_account_uid: counterparty,
        initiating_customer_uid: customer.uid,
        usd_transfer_amount: '12.345',
      },
    ]
    for (const body of bodies) {
      const { status, body: answer } = await api.post('/transfers', body)
      const [error] = (answer as { errors: { occurred_at: string; extra?: string }[] }).errors
      const { occurred_at: _, ...facts } = error!
      const before = canonical(sandbox.store.world)
      expect(await control['requests.try']({ endpoint: 'createTransfer', body })).toEqual({
        status,
        body: null,
        refused: { status, extra: null, cause: null, ...facts },
      })
      expect(canonical(sandbox.store.world) === before).toBe(true)
    }
  })

  it('reads, too, with the parameters of the path and the query', async () => {
    const { control, customer, api } = await openBank()
    const one = await control['requests.try']({ endpoint: 'getCustomer', params: { uid: customer.uid } })
    expect(one.body).toEqual((await api.get(`/customers/${customer.uid}`)).body)
    const page = await control['requests.try']({ endpoint: 'listSyntheticAccounts', query: 'limit=1' })
    expect(page.body).toEqual((await api.get('/synthetic_accounts?limit=1')).body)
  })

  it('needs the parameters of the path; a body that is no object is refused as by the API', async () => {
    const { control, customer } = await openBank()
    await expect(control['requests.try']({ endpoint: 'archiveSyntheticAccount', body: [] })).rejects.toThrow(
      'params.uid is missing',
    )
    for (const body of [[], 'text', 3, null]) {
      const { refused } = await control['requests.try']({ endpoint: 'createTransfer', body })
      expect(refused).toMatchObject({ code: 1007, extra: 'the body must be a JSON object' })
      const { status } = await control['requests.try']({
        endpoint: 'archiveCustomer',
        params: { uid: customer.uid },
        body,
      })
      expect([200, 400, 422]).toContain(status)
    }
  })

  it('refuses a value that JSON cannot hold', async () => {
    const { sandbox } = await openBank()
    for (const body of [1n, () => {}, Symbol('x'), { toJSON: () => 1n }])
      expect(await sandbox.call('requests.try', { endpoint: 'createTransfer', body })).toMatchObject({
        ok: true,
        value: { refused: { code: 1007 } },
      })
  })

  it('runs the tasks that a break has left due, as the request does', async () => {
    const { control, customer, fund, send, api } = await openBank()
    await fund(customer, '100.00')
    const first = await send('30.00')
    const second = await send('20.00')
    await control['clock.set']({ break_on: { collection: 'transactions', status: 'pending' } })
    expect(await control['clock.advance']({ text: '1 day' })).toMatchObject({ stopped_by: 'break_on', ran: 1 })
    for (const { transfer_uid } of [first, second]) {
      const cancel = { endpoint: 'cancelTransfer', params: { uid: transfer_uid }, body: {} } as const
      const { refused } = await control['requests.try'](cancel)
      const offered = (await control['records.actions']({ collection: 'transfers', uid: transfer_uid })).actions
      expect(offered.find(({ id }) => id === 'cancel')?.refused).toEqual(refused)
      const { body } = await api.call('PUT', `/transfers/${transfer_uid}/cancel`, { json: {} })
      expect((body as { errors?: { code: number }[] }).errors?.[0]?.code, transfer_uid).toBe(refused?.code)
      expect((await control['tasks.list']({})).tasks.length).toBeGreaterThan(0)
    }
  })

  it('refuses unknown fields in a strict Program, and an unknown Program', async () => {
    const { control, api } = await openBank()
    await control['programs.update']({ uid: api.program.uid, strict: true })
    const { refused } = await control['requests.try']({ endpoint: 'createCustomer', body: { ...OLIVE, frist: 1 } })
    expect(refused).toMatchObject({ status: 400, code: 1007 })
    await expect(control['requests.try']({ program_uid: 'nobody', endpoint: 'listPools' })).rejects.toThrow(
      'there is no Program nobody',
    )
  })

  it('leaves every world as it was, whatever is tried while a payment waits, in any order', async () => {
    const { sandbox, control, customer, counterparty, fund, send, expectBalancedLedger } = await openBank()
    await fund(customer, '100.00')
    const { transfer_uid, uid } = await send('30.00')
    await control['webhooks.create']({ url: 'http://127.0.0.1:9/hooks', confirm: false })
    const pay = {
      source_synthetic_account_uid: customer.master,
      destination_synthetic_account_uid: counterparty,
      initiating_customer_uid: customer.uid,
    }
    const request = fc.constantFrom(
      { endpoint: 'createCustomer', body: OLIVE } as const,
      { endpoint: 'archiveCustomer', params: { uid: customer.uid }, body: {} } as const,
      { endpoint: 'cancelTransfer', params: { uid: transfer_uid }, body: {} } as const,
      { endpoint: 'createReturn', body: { original_transaction_uid: uid } } as const,
      ...['1.00', '70.00', '70.01'].map(
        (usd_transfer_amount) => ({ endpoint: 'createTransfer', body: { ...pay, usd_transfer_amount } }) as const,
      ),
    )
    const before = canonical(sandbox.store.world)
    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 4 }), async (requests) => {
        await Promise.all(requests.map((one) => control['requests.try'](one)))
        expect(canonical(sandbox.store.world) === before).toBe(true)
      }),
      { numRuns: 25 },
    )
    await expectBalancedLedger()
    await control['clock.advance']({ until: 'idle' })
    await expectBalancedLedger()
  })
})
