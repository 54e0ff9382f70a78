import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'

/** `--cors ORIGIN`: a page of that origin calls the API. Everything here is what a browser sends and checks. */

const PAGE = 'http://localhost:5173'
const OTHER = 'http://localhost:5174'

const preflight = (address: string, origin: string) =>
  fetch(address, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,x-trace-id',
    },
  })

const read = (sandbox: TestSandbox, path: string, headers: Record<string, string>) =>
  fetch(sandbox.api + path, { headers: { 'x-trace-id': randomUUID(), ...headers } })

const corsHeaders = (response: Response) =>
  [...response.headers].filter(([name]) => name.startsWith('access-control-') || name === 'vary')

it('without --cors no response has a CORS header, and a preflight is refused', async ({ sandbox }) => {
  const authorization = await sandbox.client().signIn()
  expect(corsHeaders(await read(sandbox, '/products', { origin: PAGE, authorization }))).toEqual([])
  const answer = await preflight(`${sandbox.api}/transfers`, PAGE)
  expect([answer.status, corsHeaders(answer)]).toEqual([405, []])
})

describe('with --cors', () => {
  const start = () => startSandbox({ cors: [PAGE] })

  it('a page of the origin may call, and may read the trace id, the hints and when to retry', async () => {
    const sandbox = await start()
    const authorization = await sandbox.client().signIn()
    const response = await read(sandbox, '/products?nothing=1', { origin: PAGE, authorization })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-sandbank-hints')).toContain('nothing')
    expect(corsHeaders(response)).toEqual([
      ['access-control-allow-origin', PAGE],
      ['access-control-expose-headers', 'x-trace-id, x-sandbank-hints, retry-after'],
      ['vary', 'Origin'],
    ])
  })

  it('a page can read refusals, too: no token, no such path, the documents and the state', async () => {
    const sandbox = await start()
    const { origin } = new URL(sandbox.api)
    for (const [path, status] of [
      ['/api/v1/products', 401],
      ['/api/v1/nothing', 404],
      ['/openapi.json', 200],
      ['/health', 200],
    ] as const) {
      const response = await fetch(origin + path, { headers: { origin: PAGE } })
      expect([path, response.status]).toEqual([path, status])
      expect(response.headers.get('access-control-allow-origin')).toBe(PAGE)
    }
  })

  it('a preflight of the origin is answered with the methods and headers that it may send', async () => {
    const sandbox = await start()
    const answer = await preflight(`${sandbox.api}/transfers`, PAGE)
    expect(answer.status).toBe(204)
    expect(Object.fromEntries(corsHeaders(answer))).toEqual({
      'access-control-allow-origin': PAGE,
      'access-control-allow-methods': 'GET, POST, PUT, DELETE',
      'access-control-allow-headers': 'authorization,content-type,x-trace-id',
      'access-control-expose-headers': 'x-trace-id, x-sandbank-hints, retry-after',
      'access-control-max-age': '600',
      vary: 'Origin',
    })
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  it.each([OTHER, 'null', `${PAGE}.evil.example`, 'https://localhost:5173', '*'])(
    'another origin gets nothing: %s',
    async (origin) => {
      const sandbox = await start()
      const authorization = await sandbox.client().signIn()
      const response = await read(sandbox, '/products', { origin, authorization })
      expect(corsHeaders(response)).toEqual([['vary', 'Origin']])
      const answer = await preflight(`${sandbox.api}/transfers`, origin)
      expect([answer.status, corsHeaders(answer)]).toEqual([405, [['vary', 'Origin']]])
    },
  )

  it('the control API and the window stay closed to the page, also with the control key', async () => {
    const sandbox = await start()
    const address = `${sandbox.control}/clock.read`
    const answer = await preflight(address, PAGE)
    expect([answer.status, corsHeaders(answer)]).toEqual([403, []])
    const headers = { origin: PAGE, 'x-control-key': sandbox.control_key }
    const called = await fetch(address, { method: 'POST', headers, body: '{}' })
    expect([called.status, corsHeaders(called)]).toEqual([403, []])
  })

  it('a request without an origin is handled as before', async () => {
    const sandbox = await start()
    const { status } = await sandbox.client().get('/products')
    expect(status).toBe(200)
  })
})
