import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { sendRequest } from '../../src/api/replay/client.ts'
import { connectRemote } from '../../src/api/replay/remote-client.ts'

it.each([
  ['', undefined],
  ['{"a":"é"}', '10'],
])('a replayed request has a length only if it has a body: %j', async (body, expected) => {
  const lengths: unknown[] = []
  const server = createServer((req, res) => {
    lengths.push(req.headers['content-length'])
    req.resume()
    res.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  const { status } = await sendRequest(api, { method: 'PUT', path: '/pools', headers: [['x-trace-id', 'a']], body })
  expect([status, lengths]).toEqual([200, [expected]])
})

it('a replayed request names the operation of its replay, whatever its recording named', async () => {
  const runs: unknown[] = []
  const server = createServer((req, res) => {
    runs.push(req.headers['x-sandbank-run'])
    res.end()
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`
  const recorded = { method: 'GET', path: '/pools', headers: [['X-Sandbank-Run', 'recorded']] as const, body: '' }
  await sendRequest(api, recorded)
  await sendRequest(api, recorded, 'replayed')
  expect(runs).toEqual([undefined, 'replayed'])
})

it('a sandbox in another process refuses control methods without its control key', async () => {
  const reply = await connectRemote('http://127.0.0.1:9', undefined).call('clock.read', {})
  expect(reply).toMatchObject({ ok: false, error: { status: 401, errors: [{ code: 1004 }] } })
})
