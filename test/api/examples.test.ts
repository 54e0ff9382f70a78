import { describe, expect } from 'vitest'
import { examples } from '../../src/api/contract/terms/examples.ts'
import { formOf } from '../support/form.ts'
import { call } from '../support/operator.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'

/** The examples of the OpenAPI documents that a sandbox serves: each names records of its world. */

interface Example {
  readonly path: string
  readonly body: Record<string, unknown> | undefined
}
interface Operation {
  readonly parameters: readonly { readonly in: string; readonly example?: string }[]
  readonly requestBody?: { readonly content: Record<string, { readonly example: Record<string, unknown> }> }
}

/** The examples of all operations, in the order of the document: `POST /transfers`. */
async function readExamples(sandbox: TestSandbox, document = 'openapi.json'): Promise<Map<string, Example>> {
  const { paths } = (await (await fetch(new URL(`/${document}`, sandbox.api))).json()) as {
    paths: Record<string, Record<string, Operation>>
  }
  return new Map(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { parameters, requestBody }]) => {
        const uid = parameters.find((parameter) => parameter.in === 'path')?.example ?? ''
        const body = requestBody?.content['application/json']?.example
        return [`${method.toUpperCase()} ${path}`, { path: path.replace('{uid}', uid), body }] as const
      }),
    ),
  )
}

const ADA = {
  email: 'ada@example.test',
  details: {
    first_name: 'Ada',
    last_name: 'Byron',
    phone: '5155550123',
    ssn: '512-04-8823',
    dob: '1990-04-17',
    address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
  },
}

/** Records in states that no record of a new world is in: a Customer to onboard, a queued Transfer, a wire to authorize. */
async function createPassingStates(sandbox: TestSandbox) {
  const api = sandbox.client()
  const found = await readExamples(sandbox)
  const customer = await api.post('/customers', ADA)
  const transfer = await api.post('/transfers', found.get('POST /transfers')!.body)
  const { synthetic_account_uid: _, ...mock } = found.get('POST /sandbox/mock_transactions')!.body!
  const [, vrn] = found.get('GET /virtual_reference_numbers/{uid}')!.path.slice(1).split('/')
  const wire = await api.post('/sandbox/mock_transactions', { ...mock, virtual_reference_number_uid: vrn })
  expect([customer.status, transfer.status, wire.status]).toEqual([201, 201, 201])
  return { customer: customer.body.uid, transfer: transfer.body.uid, wire: wire.body.uid }
}

describe('the examples of the served document', () => {
  it.each([
    ['openapi.json', 'JSON'],
    ['openapi.json', 'a form'],
    ['openapi-3.0.json', 'JSON'],
  ])(
    '1 "Requests are JSON-encoded or form-encoded": can be sent as they are, one after the other: %s, as %s',
    async (document, as) => {
      const sandbox = await startSandbox({ world: 'demo' })
      await createPassingStates(sandbox)
      const api = sandbox.client()
      const refused: unknown[] = []
      const found = await readExamples(sandbox, document)
      expect(found.size).toBe(53)
      for (const [name, { path, body }] of found) {
        if (name === 'POST /auth') continue
        const answer = await api.call(
          name.split(' ')[0]!,
          path,
          body === undefined ? {} : as === 'JSON' ? { json: body } : { form: formOf(body) },
        )
        if (answer.status >= 300) refused.push([name, answer.text])
      }
      expect(refused).toEqual([])
    },
  )

  it('name records that are in the state the operation needs, if there are any', async ({ demo: sandbox }) => {
    const before = await readExamples(sandbox)
    const { customer, transfer, wire } = await createPassingStates(sandbox)
    const after = await readExamples(sandbox)
    expect(before.get('PUT /transfers/{uid}/cancel')!.path).not.toBe(`/transfers/${transfer}/cancel`)
    expect(after.get('PUT /transfers/{uid}/cancel')!.path).toBe(`/transfers/${transfer}/cancel`)
    expect(after.get('PUT /transactions/{uid}/authorize')!.path).toBe(`/transactions/${wire}/authorize`)
    expect(after.get('POST /customer_products')!.body).toMatchObject({ customer_uid: customer })
  })

  it('have a date on which an ACH transfer can be sent, also years later', async () => {
    const sandbox = await startSandbox({ world: 'demo', start: Date.parse('2031-07-03T15:00:00Z') })
    // 2031-07-04 is a holiday, and a Friday.
    const { body } = (await readExamples(sandbox)).get('POST /transfers')!
    expect(body).toMatchObject({ ach: { effective_entry_date: '2031-07-07' } })
    expect((await sandbox.client().post('/transfers', body)).status).toBe(201)
  })

  it('are those of the contract for a caller whom the first Program does not accept', async ({ sandbox }) => {
    const { uid } = sandbox.programs()[0]!
    const pathOf = async () => (await readExamples(sandbox)).get('GET /products/{uid}')!.path
    expect(await pathOf()).not.toBe(`/products/${examples.products}`)
    await call(sandbox, 'programs.update', { uid, allowlist: ['10.1.0.0/16'] })
    expect(await pathOf()).toBe(`/products/${examples.products}`)
  })

  it('are those of the contract in an empty world', async () => {
    const found = await readExamples(await startSandbox())
    expect(found.get('GET /customers/{uid}')!.path).toBe(`/customers/${examples.customers}`)
    expect(found.get('POST /returns')!.body).toMatchObject({ requesting_customer_uid: examples.returning_customer })
  })
})
