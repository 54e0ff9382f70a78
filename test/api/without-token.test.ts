import { describe, expect } from 'vitest'
import type { Exchange } from '../../src/api/contract/control/exchanges.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import { sign } from '../support/client.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { it, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { ask, sendBytes } from './support.ts'

/** What a caller without a token cannot do. */

const listExchanges = (sandbox: TestSandbox, limit = 1_000) => ask<Page<Exchange>>(sandbox, 'exchanges.list', { limit })

describe('the request log', () => {
  it('does not lose requests with a token when 1,500 without one arrive', async () => {
    const sandbox = await startSandbox({ log_length: 100 })
    const api = sandbox.client()
    await api.get('/products')
    for (let i = 0; i < 150; i++) await Promise.all(Array.from({ length: 10 }, () => api.send('GET', '/customers')))
    await api.get('/pools')

    const { data, total_count } = await listExchanges(sandbox)
    expect(data.length).toBe(1_000)
    expect(data[0]).toMatchObject({ path: '/pools', status: 200 })
    expect(data[1]).toMatchObject({ path: '/customers', status: 401 })
    const { data: oldest } = await ask<Page<Exchange>>(sandbox, 'exchanges.list', { limit: 5, offset: total_count - 2 })
    expect(oldest.map(({ uid, path, status }) => [uid, path, status])).toEqual([
      ['x2', '/products', 200],
      ['x1', '/auth', 201],
    ])
    expect(await ask(sandbox, 'exchanges.get', { uid: data[1]!.uid })).toMatchObject({ status: 401 })
    expect(total_count).toBeLessThan(1_300)
  })

  it('does not count a request with a token as one without, although its path or method does not exist', async () => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    await api.get('/products')
    await api.get('/nowhere')
    await api.call('PUT', '/products')
    await api.get('/nowhere', { headers: { authorization: 'auth-x.y.z' } })
    await api.send('GET', '/nowhere')
    const { data } = await listExchanges(sandbox)
    const program = api.program.uid
    expect(data.map(({ uid, status, program_uid }) => [uid, status, program_uid])).toEqual([
      ['x6', 404, null],
      ['x5', 404, null],
      ['x4', 405, program],
      ['x3', 404, program],
      ['x2', 200, program],
      ['x1', 201, program],
    ])
  })

  it('numbers all requests in one sequence, also after a restart', async ({ folder: data }) => {
    const sandbox = await startSandbox({ data })
    const api = sandbox.client()
    await api.send('GET', '/customers')
    await api.get('/products')
    await api.send('GET', '/nowhere')
    const uids = (await listExchanges(sandbox)).data.map(({ uid }) => uid)
    expect(uids).toEqual(['x4', 'x3', 'x2', 'x1'])
    await sandbox.close()

    const again = await startSandbox({ data })
    await again.client().get('/products')
    const { data: entries } = await listExchanges(again)
    expect(entries.map(({ path, status }) => [path, status])).toEqual([
      ['/products', 200],
      ['/auth', 201],
      ['/products', 200],
      ['/auth', 201],
    ])
    expect(new Set(entries.map(({ uid }) => uid)).size).toBe(4)
  })

  it('is complete for a replay, although its first entries were requests without a token', async ({ folder: data }) => {
    const sandbox = await startSandbox({ data })
    await sandbox.client().send('GET', '/customers')
    const { seq } = sandbox.store.world
    await sandbox.client().post('/customers', {})
    await sandbox.close()

    const again = await startSandbox({ data })
    expect(await ask(again, 'exchanges.replay', { since: seq, into: 'then' })).toMatchObject({
      same: 2,
      differs: 0,
      refused: 0,
    })
  })
})

describe('a token', () => {
  it.each([
    ['exp is a text', { exp: 'x' }],
    ['exp is long ago', { exp: -1e300 }],
    ['exp is a list', { exp: [] }],
    ['iat is a text', { iat: 'x' }],
    ['iat is beyond all dates', { iat: 1e300 }],
    ['nbf is a text', { nbf: 'x' }],
    ['nbf is beyond all dates', { nbf: 1e300 }],
    ['sub is a number', { sub: 7 }],
    ['sub is an object', { sub: {} }],
    ['sub is the name of a method', { sub: '__proto__' }],
  ])('whose %s gets 401', async (_name, claims) => {
    const sandbox = await startSandbox()
    const api = sandbox.client()
    const { uid, hmac_key } = api.program
    const token = sign({ iat: Math.floor(Date.now() / 1000), sub: uid, ...claims }, hmac_key)
    expect((await api.send('POST', '/auth', { headers: { authorization: token } })).status).toBe(401)
    expect((await api.send('GET', '/customers', { headers: { authorization: `auth-${token}` } })).status).toBe(401)
    expect(sandbox.told).toEqual([])
  })
})

it.each(['/health', '/api/v1/health'])('%s answers 200 without key, token and trace id', async (path) => {
  const sandbox = await startSandbox()
  const response = await fetch(new URL(path, sandbox.api))
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
})

describe('the Host header', () => {
  const paths = [
    '/health',
    '/api/v1/health',
    '/openapi.json',
    '/scenario.schema.json',
    '/api/v1/openapi.json',
    '/api/v1/customers',
    '/control/clock.read',
    '/',
  ]

  it.each(paths)('is checked by %s', async (path) => {
    const sandbox = await startSandbox()
    const answer = await sendBytes(sandbox, `GET ${path} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`)
    expect(answer.status).toBe(403)
  })

  it.each(paths)('may be there once only: %s', async (path) => {
    const sandbox = await startSandbox()
    const answer = await sendBytes(
      sandbox,
      `GET ${path} HTTP/1.1\r\nHost: localhost\r\nhOST: evil.example\r\nConnection: close\r\n\r\n`,
    )
    expect(answer.status).toBe(400)
    expect(answer.text).toContain('two Host headers')
  })
})

it('a deeply nested input of a control method gets 400', async ({ sandbox }) => {
  let body: unknown = {}
  for (let i = 0; i < 100_000; i++) body = [body]
  const reply = await sandbox.call('faults.set', { faults: [{ kind: 'status', body }] })
  expect(reply).toMatchObject({ ok: false, error: { status: 400 } })
  expect(sandbox.told).toEqual([])
})

it('restoring a snapshot that is deleted meanwhile succeeds or says that there is none', async () => {
  const sandbox = await startSandbox({ data: createTemporaryFolder() })
  for (let i = 0; i < 20; i++) {
    await ask(sandbox, 'snapshots.keep', { name: 'before' })
    const restoring = sandbox.call('snapshots.restore', { name: 'before' })
    await ask(sandbox, 'snapshots.delete', { name: 'before' })
    const reply = await restoring
    expect(reply.ok ? 200 : reply.error.status).toSatisfy((status: number) => status === 200 || status === 404)
  }
  expect(sandbox.told).toEqual([])
})
