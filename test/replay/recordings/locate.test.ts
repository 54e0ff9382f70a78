import { describe, expect, it } from 'vitest'
import { type FoundRequest, locateRequests } from '../../../src/api/replay/recordings/locate.ts'
import { table } from '../../support/table.ts'

const found = (url: string, type?: string): FoundRequest => ({
  in: url,
  url,
  method: 'GET',
  headers: [],
  body: '',
  response: type ? { status: 200, headers: [['Content-Type', type]], body: '' } : null,
})
const paths = (...urls: string[]) =>
  locateRequests(
    urls.map((url) => found(url)),
    'The text',
  ).requests.map(({ path }) => path)

describe('requests are found for any host and base URL', () => {
  it.each(
    table(`
      none | https://a.example/pools | /pools
      ours | http://127.0.0.1:4010/api/v1/pools/7?x=1 | /pools/7?x=1
      a longer one | https://a.example/v2/api/v1/customers/abc?limit=1 | /customers/abc?limit=1
      two hosts | https://a.example/x/pools https://b.example/y/z/pools | /pools /pools
      an endpoint of two words | https://a.example/api/v1/sandbox/mock_transactions | /sandbox/mock_transactions
      a slash at the end | https://a.example/api/v1/pools/ | /pools/
      capitals in the host | https://A.example/api/pools https://a.EXAMPLE/api/x | /pools /x
      the same base with unknown paths | https://a.example/v1/pools https://a.example/v1/cards/7 | /pools /cards/7
      a uid that reads like a resource | https://a.example/v1/customers/pools https://a.example/v1/transfers | /customers/pools /transfers
      a path below a resource, which is no base | https://a.example/v1/customers/7 https://a.example/v1/customers/7/transfers | /customers/7 /customers/7/transfers
      a base that reads like a resource | https://a.example/pools/transfers https://a.example/pools/customers/7 | /transfers /customers/7
      a base inside another | https://a.example/products https://a.example/api/v1/pools https://a.example/api/v1/pools/7 | /products /pools /pools/7
      what stands beside the endpoints | https://a.example/health https://a.example/openapi.json https://a.example/api/v1/pools | /health /openapi.json /pools
    `),
  )('%s', (_, urls = '', expected = '') => {
    expect(paths(...urls.split(' '))).toEqual(expected.split(' '))
  })

  it('pages, scripts and images are not requests of the API', () => {
    const { requests, unusable } = locateRequests(
      [
        found('https://a.example/customers', 'text/html'),
        found('https://a.example/assets/app.js', 'application/javascript'),
        found('https://a.example/api/v1/pools', 'application/json; charset=utf-8'),
        found('https://b.example/health'),
      ],
      'The text',
    )
    expect(requests.map(({ path }) => path)).toEqual(['/pools'])
    expect(unusable.map(({ why }) => why)).toEqual([
      'no endpoint of this API: GET https://a.example/customers',
      'no endpoint of this API: GET https://a.example/assets/app.js',
      'no endpoint of this API: GET https://b.example/health',
    ])
  })
})

it.each([
  ['of more than 16,384 characters, which Node refuses', `https://a.test/${'a'.repeat(16_400)}/customers`],
  ['of more than 100 parts', `https://a.test/${'a/'.repeat(101)}customers`],
])('a URL %s is no request of the API', (_, url) => {
  const entry = { in: 'entry', method: 'GET', headers: [], body: '', response: null }
  const { requests, unusable } = locateRequests(
    [
      { ...entry, url: 'https://a.test/v1/customers' },
      { ...entry, url },
    ],
    'The file',
  )
  expect(requests.map(({ path }) => path)).toEqual(['/customers'])
  expect(unusable[0]!.why).toMatch(/^no endpoint of this API/)
})
