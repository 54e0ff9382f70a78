import { describe, expect, it } from 'vitest'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import { findNearestPath } from '../../src/api/contract/paths.ts'
import { shapeOf } from '../../src/api/contract/shape.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import {
  correctBody,
  correctQuery,
  describeCorrection,
  findBodyCorrections,
  findTargetCorrections,
} from '../../src/renderer/forms/corrections.ts'

const inBody = (name: EndpointName, value: unknown) =>
  findBodyCorrections(value, shapeOf((endpoints[name] as Endpoint).body!))
const inQuery = (path: string, query: string) => findTargetCorrections({ method: 'GET', path, query })

describe('the path that was probably meant', () => {
  it.each([
    ['GET', '/custmers', '/customers'],
    ['GET', '/customer/abcdefgh12345678', '/customers/abcdefgh12345678'],
    ['POST', '/syntheticAccounts', '/synthetic_accounts'],
    ['POST', '/sandbox/mock_transaction', '/sandbox/mock_transactions'],
    ['GET', '/customers', undefined],
    ['PATCH', '/customers', undefined],
    ['GET', '/weather', undefined],
    ['GET', '', undefined],
  ])('%s %s', (method, path, meant) => {
    expect(findNearestPath(method, path)).toBe(meant)
  })

  it('is not looked for if the path is long', () => {
    expect(findNearestPath('GET', `/${'custmers/'.repeat(10_000)}`)).toBeUndefined()
  })

  it('every path of the contract with a letter left out leads back to it', () => {
    for (const { method, path } of Object.values<Endpoint>(endpoints)) {
      const sent = path.replace(/\{\w+\}/g, 'abcdefgh12345678')
      expect(findNearestPath(method, sent.replace(/^\/(..)./, '/$1'))).toBe(sent)
    }
  })
})

describe('an unknown parameter, field or value', () => {
  it('of a query is named with the one that was meant, in each way of writing a list', () => {
    const found = inQuery('/customers', 'statuses[]=active&statuses[]=queued&limt=1&status[]=activ&shoe=43')
    expect(found.map(describeCorrection)).toEqual([
      'statuses is ignored',
      'limt is ignored; did you mean limit?',
      'status has an unknown value; did you mean active?',
      'shoe is ignored',
    ])
    expect(inQuery('/customers', 'status=ACTIVE&limit=1')).toEqual([])
  })

  it('of a body is found at any depth, and a field that is sent already is not offered', () => {
    const body = { customer_type: 'primry', emial: 'a', email: 'b', details: { adress: { city: 'Ames' } } }
    const found = inBody('createCustomer', body)
    expect(found.map(describeCorrection)).toEqual([
      'customer_type has an unknown value; did you mean primary?',
      'emial is ignored',
      'details.adress is ignored; did you mean details.address?',
    ])
    expect(JSON.stringify(found.reduce(correctBody, body))).toBe(
      '{"customer_type":"primary","email":"b","details":{"address":{"city":"Ames"}}}',
    )
  })

  it('of a body that is a part of one name is meant as that name, if no other name has this part', () => {
    const body = { amount: '1.00', source_account: 'a', customer: 'b', currency: 'USD' }
    expect(inBody('createTransfer', body).map(describeCorrection)).toEqual([
      'amount is ignored; did you mean usd_transfer_amount?',
      'source_account is ignored; did you mean source_synthetic_account_uid?',
      'customer is ignored',
      'currency is ignored',
    ])
  })

  it('of a query is renamed in its place', () => {
    const [first, second] = inQuery('/customers', 'stats[]=activ&limit=1')
    expect(correctQuery('stats[]=activ&limit=1', first!)).toBe('status%5B%5D=activ&limit=1')
    expect(second).toBeUndefined()
    const [value] = inQuery('/customers', 'status[]=activ&status[]=archived')
    expect(correctQuery('status[]=activ&status[]=archived', value!)).toBe('status%5B%5D=active&status%5B%5D=archived')
  })
})
