import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { collectionOfField } from '../../src/api/contract/collection-names.ts'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { WITHOUT_HOSTED } from '../../src/api/contract/hosted.ts'
import { flattenShape, shapeOf } from '../../src/api/contract/shape.ts'
import type { Endpoint, Schema } from '../../src/api/contract/terms/endpoint.ts'
import { type ExampleValues, fillExample } from '../../src/api/contract/terms/examples.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { useBody } from '../../src/renderer/forms/BodyText.tsx'
import { createExample, createExampleResponse } from '../../src/renderer/forms/example.ts'
import { type FieldErrors, findFieldErrors, findRefusedFields } from '../../src/renderer/forms/field-errors.ts'
import { SchemaForm } from '../../src/renderer/forms/SchemaForm.tsx'
import { buildPath } from '../../src/renderer/forms/send.ts'
import { formatJson, type JsonObject, parseNumber, replaceAt } from '../../src/renderer/forms/values.ts'
import { WhatFollows } from '../../src/renderer/forms/WhatFollows.tsx'
import { fakeBridge } from './support.tsx'

beforeAll(() => {
  connect(fakeBridge().bridge)()
})
afterEach(cleanup)

const all = Object.entries<Endpoint>(endpoints)
const withBody = all.flatMap(([name, { body }]) => (body ? [[name, body] as const] : []))
const body = (name: EndpointName) => (endpoints[name] as Endpoint).body!

describe('the form of a schema', () => {
  it.each(withBody)('%s starts with an example that is valid, and survives JSON', (_, schema) => {
    const example = createExample(shapeOf(schema))
    expect([...findFieldErrors(schema, example)]).toEqual([])
    expect(JSON.parse(formatJson(example))).toEqual(example)
  })

  it.each(withBody)('%s has a row for every field of its schema at any depth', (_, schema) => {
    const paths = flattenShape(shapeOf(schema)).map(({ path }) => path)
    expect(new Set(paths).size).toBe(paths.length)
    const declared = (value: unknown, at: string): string[] =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? []
        : Object.entries(value).flatMap(([name, part]) => [`${at}${name}`, ...declared(part, `${at}${name}.`)])
    expect(paths).toEqual(expect.arrayContaining(declared(createExample(shapeOf(schema)), '')))
  })

  it.each(all.filter(([, { status }]) => status !== 204))('%s shows a valid example response', (_, endpoint) => {
    const request = endpoint.body ? createExample(shapeOf(endpoint.body)) : {}
    expect(
      endpoint.response.safeParse(createExampleResponse(shapeOf(endpoint.response, 'output'), request)).error,
    ).toBeUndefined()
  })

  it('fills in uids of this world and dates of today', () => {
    const values: ExampleValues = new Map([
      ['synthetic_accounts', 'sour567890123456'],
      ['customers', 'init567890123456'],
      ['banking_day', '2026-12-24'],
    ])
    expect(fillExample(createExample(shapeOf(body('createTransfer'))), values)).toMatchObject({
      source_synthetic_account_uid: 'sour567890123456',
      initiating_customer_uid: 'init567890123456',
      ach: { effective_entry_date: '2026-12-24' },
    })
    // A date of birth is not today.
    expect(fillExample(createExample(shapeOf(body('createCustomer'))), values)).toMatchObject({
      details: { dob: '1990-04-17' },
    })
  })

  it.each([
    ['customer_uid', '', 'customers'],
    ['source_synthetic_account_uid', '', 'synthetic_accounts'],
    ['synthetic_account_type_uid', '', 'synthetic_account_types'],
    ['uid', 'synthetic_account', 'synthetic_accounts'],
    ['virtual_reference_number_uid', '', 'virtual_reference_numbers'],
    ['original_transaction_uid', '', 'transactions'],
    ['external_uid', '', undefined],
    ['name', '', undefined],
  ])('the field %s (in %s) refers to %s', (field, parent, collection) => {
    expect(collectionOfField(field, parent)).toBe(collection)
  })

  it.each([
    ['21.89', 'number', 21.89],
    ['-48.20', 'number', -48.2],
    ['0.00', 'number', 0],
    ['12.34', 'text', '12.34'],
    ['12.', 'number', '12.'],
    ['many', 'number', 'many'],
    ['12345678901234567.89', 'number', '12345678901234567.89'],
  ] as const)('an amount typed as %s where a %s is preferred becomes %j', (typed, prefers, value) => {
    expect(parseNumber(typed, prefers)).toBe(value)
  })

  it('removes a field, at any depth and in any list', () => {
    const value = { a: { b: 1, c: 2 }, list: [1, 2, 3] }
    expect(replaceAt(value, ['a', 'b'], undefined)).toEqual({ a: { c: 2 }, list: [1, 2, 3] })
    expect(replaceAt(value, ['list', 1], undefined)).toEqual({ a: { b: 1, c: 2 }, list: [1, 3] })
    expect(replaceAt({}, ['a', 'b', 'c'], 1)).toEqual({ a: { b: { c: 1 } } })
    expect(value).toEqual({ a: { b: 1, c: 2 }, list: [1, 2, 3] })
  })
})

describe('an invalid body', () => {
  const toObject = (errors: FieldErrors) => Object.fromEntries(errors)

  it('gets an error at the field, with the code of the API error', () => {
    expect(toObject(findFieldErrors(body('createTransfer'), { usd_transfer_amount: '-1' }))).toEqual({
      source_synthetic_account_uid: '1003: is missing',
      destination_synthetic_account_uid: '1003: is missing',
      initiating_customer_uid: '1003: is missing',
      usd_transfer_amount: '3003: Requested transfer amount in US dollars must be greater than 0.',
    })
  })

  it('gets the values that a field may have between commas, so that a long list wraps', () => {
    const example = createExample(shapeOf(body('createTransfer'))) as JsonObject
    const wrong = replaceAt(example, ['ach', 'service_processing'], 'SOON')
    expect(toObject(findFieldErrors(body('createTransfer'), wrong))['ach.service_processing']).toMatch(
      /^1007: expected one of "[A-Z_]+"(, "[A-Z_]+")+$/,
    )
  })

  it('gets an error at the field that a rule for the whole body names', () => {
    const example = createExample(shapeOf(body('createTransfer'))) as JsonObject
    const wrong = replaceAt(example, ['ach', 'sec_code'], 'CIE')
    expect(toObject(findFieldErrors(body('createTransfer'), wrong))).toEqual({
      'ach.id_number': '1003: ach.id_number is missing',
    })
  })

  it('gets the errors of the shape that is meant', () => {
    const address = {
      street_number: '12',
      street1: 'Harbor Street',
      city: 'Ames',
      state: 'Iowa',
      postal_code: '50010',
      country: 'US',
    }
    expect(
      toObject(
        findFieldErrors(body('createMockTransaction'), { transaction_type: 'wire', counterparty_address: address }),
      ),
    ).toEqual({ 'counterparty_address.state': '1007: two letters are expected' })
  })

  it('gets an error at the fields that an API error names', () => {
    const paths = flattenShape(shapeOf(body('createCombinedTransfer'))).map(({ path }) => path)
    const refusal = (extra: string | null, fields?: string[]) => ({
      stage: 'rules' as const,
      key: 'invalidArgument',
      code: 1007,
      title: 'Invalid',
      detail: 'It is invalid.',
      extra,
      cause: null,
      pass: null,
      section: null,
      ...(fields ? { fields } : {}),
    })
    // Entries of an older log name the fields only in the text.
    expect(
      toObject(findRefusedFields(refusal('synthetic_account.name is missing; transfer.ach: wrong'), paths)),
    ).toEqual({
      'synthetic_account.name': '1007: synthetic_account.name is missing',
      'transfer.ach': '1007: transfer.ach: wrong',
    })
    expect(toObject(findRefusedFields(refusal('customer_uid is missing'), ['customer_uid']))).toEqual({
      customer_uid: '1007: customer_uid is missing',
    })
    expect(findRefusedFields(refusal(null), paths).size).toBe(0)
    const amount = 'transfer.usd_transfer_amount'
    expect(toObject(findRefusedFields(refusal('at most 5.00 for ach', [amount, '{uid}']), paths))).toEqual({
      [amount]: '1007: at most 5.00 for ach',
    })
    expect(toObject(findRefusedFields(refusal(amount, [amount]), paths))).toEqual({ [amount]: '1007: It is invalid.' })
  })
})

it('paths and queries are written as the API parses them', () => {
  expect(buildPath('/transfers/{uid}/cancel', { uid: 'a/b' })).toBe('/transfers/a%2Fb/cancel')
  expect(buildPath('/transfers/{uid}', {})).toBe('/transfers/{uid}')
  expect(buildPath('/customers', {}, { limit: 5, status: ['active', 'queued'], email: ['a@x.test'] })).toBe(
    '/customers?limit=5&status%5B%5D=active&status%5B%5D=queued&email=a%40x.test',
  )
})

function Both({ schema, begin }: { schema: Schema; begin: JsonObject }) {
  const held = useBody(begin)
  const [problems] = useState<FieldErrors>(new Map([['description', '1007: too short']]))
  return (
    <>
      <SchemaForm id="f" shape={shapeOf(schema)} value={held.value} onChange={held.setValue} problems={problems} />
      <textarea aria-label="JSON" value={held.text} onChange={({ target }) => held.setText(target.value)} />
      <output>{held.error}</output>
    </>
  )
}

describe('form and JSON', () => {
  const show = () =>
    render(<Both schema={body('createMockTransaction')} begin={{ transaction_type: 'wire', us_dollar_amount: 10 }} />)
  const json = () => screen.getByLabelText<HTMLTextAreaElement>('JSON')
  const held = () => JSON.parse(json().value) as JsonObject
  const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
  const type = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } })

  it('invalid JSON stays in the editor, and the form does not change', () => {
    show()
    type(json(), '{ "transaction_type": ')
    expect(json().value).toBe('{ "transaction_type": ')
    expect(screen.getByRole('status').textContent).toMatch(/^This is not JSON/)
    expect(field('us_dollar_amount').value).toBe('10')
    type(json(), '[]')
    expect(screen.getByRole('status').textContent).toMatch(/in braces/)
  })

  it('null, objects and their shapes can be chosen, and removed again', () => {
    show()
    fireEvent.click(screen.getByLabelText('null as memo'))
    expect(held().memo).toBe(null)
    fireEvent.click(screen.getByText('counterparty_address', { selector: 'button .unseen' }))
    expect(held().counterparty_address).toMatchObject({ street1: 'Harbor Street', city: 'Ames' })
    type(screen.getByLabelText('Shape of counterparty_address'), '1')
    expect(findFieldErrors(body('createMockTransaction'), held()).size).toBe(0)
    fireEvent.click(screen.getByText('counterparty_address', { selector: 'button .unseen' }))
    expect(held()).not.toHaveProperty('counterparty_address')
  })

  it('the focus goes to the first field of what was added, and stays in the form after a removal', async () => {
    show()
    const click = () =>
      fireEvent.click(screen.getByText('counterparty_address', { selector: 'button .unseen' }).closest('button')!)
    click()
    await waitFor(() => expect(document.activeElement?.closest('fieldset')).not.toBe(null))
    expect(document.activeElement).toBe(
      document.querySelector('fieldset div:last-child input, fieldset div:last-child select'),
    )
    click()
    await waitFor(() => expect(document.activeElement?.textContent).toBe(' Add counterparty_address'))
  })
})

it('a form says why its request would be refused, also what the response does not disclose', async () => {
  const refused = { status: 403, code: 1018, title: 'Customer Creation Not Allowed', detail: '', extra: null }
  const answer = { refused: { ...refused, cause: WITHOUT_HOSTED }, next: null, follows: [], is_whole: true }
  connect(fakeBridge({ 'requests.foresee': answer }).bridge)()
  render(<WhatFollows program_uid="p1" endpoint="createCustomer" body={{}} />)
  const notice = await screen.findByText(/1018 Customer Creation Not Allowed/)
  expect(notice.textContent).toContain(`1018 Customer Creation Not Allowed: ${WITHOUT_HOSTED}`)
})
