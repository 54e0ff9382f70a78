import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { type ClientRequest, createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { serve } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { lockOf, refuse, setUpLocks, setUpWebhook, waitForDeliveries } from '../support/webhooks.ts'

describe('a delivery that is not accepted', () => {
  it('has ten attempts over their whole span in one advance, and has then failed', async () => {
    const { receiver, call, lock, newest, webhook } = await setUpLocks()
    receiver.answer = refuse
    const { now } = await call('clock.read', {})
    await lock()
    await call('clock.advance', { until: 'idle' })
    expect(receiver.received).toHaveLength(10)
    expect(receiver.received.every((event) => isSigned(event, webhook.hmac_key))).toBe(true)
    expect(new Set(receiver.received.map(({ body }) => body.event_id)).size).toBe(1)
    const [delivery] = (await newest()).deliveries
    expect(delivery).toMatchObject({ status: 'failed', next_attempt_at: null })
    const seconds = delivery!.attempts.map(({ at }) => (Date.parse(at) - Date.parse(now)) / 1_000)
    expect(seconds).toEqual([0, 30, 90, 210, 450, 930, 1890, 3810, 7650, 15330])
    expect(delivery!.attempts.every(({ status, answer }) => status === 503 && answer === 'not now')).toBe(true)
  })

  it('has the attempts of its webhook, and is delivered by the first that is accepted', async () => {
    const { receiver, call, lock, newest } = await setUpLocks(1, { retry_seconds: [60, 3600] })
    receiver.answer = refuse
    await lock()
    await call('clock.advance', { by: 'PT59S' })
    expect((await newest()).deliveries[0]).toMatchObject({ status: 'waiting' })
    expect(receiver.received).toHaveLength(1)
    receiver.answer = receiver.accept
    await call('clock.advance', { by: 'PT1S' })
    expect((await newest()).deliveries[0]).toMatchObject({
      status: 'delivered',
      attempts: [{ status: 503 }, { status: 204 }],
    })
    await call('clock.advance', { until: 'idle' })
    expect(receiver.received).toHaveLength(2)
  })

  it('says why there was no answer', async () => {
    const { call, lock, newest, webhook } = await setUpLocks(1, { retry_seconds: [] })
    await call('webhooks.update', { uid: webhook.uid, url: 'http://127.0.0.1:9/hooks' })
    await lock()
    await waitForDeliveries(call)
    const [delivery] = (await newest()).deliveries
    expect(delivery).toMatchObject({ status: 'failed', attempts: [{ status: null, answer: null }] })
    expect(delivery!.attempts[0]!.error).toMatch(/ECONNREFUSED/)
  })

  it('is an answer that redirects: it is not followed', async () => {
    const other = await startReceiver()
    const { receiver, call, lock, newest } = await setUpLocks(1, { retry_seconds: [] })
    receiver.answer = (_event, response) => void response.writeHead(302, { location: other.url }).end()
    await lock()
    await waitForDeliveries(call)
    expect((await newest()).deliveries[0]).toMatchObject({ status: 'failed', attempts: [{ status: 302 }] })
    expect(other.received).toEqual([])
  })

  it('is one without an answer within 5 seconds, while requests go on', { timeout: 30_000 }, async () => {
    const { receiver, call, lock, newest, api } = await setUpLocks(1, { retry_seconds: [] })
    receiver.answer = () => {}
    await lock()
    expect((await api.get('/customers')).status).toBe(200)
    expect((await newest()).deliveries[0]).toMatchObject({ status: 'due' })
    await waitForDeliveries(call)
    const [delivery] = (await newest()).deliveries
    expect(delivery).toMatchObject({ status: 'failed', attempts: [{ error: 'there was no answer within 5 seconds' }] })
  })
})

it('many attempts at the same time give no warning of Node', async () => {
  const served = await serve(['--ephemeral', '--world', 'empty', '--clock', 'frozen'])
  const { line, child, ended } = served
  const control = (name: string, input: object) =>
    fetch(`${line.control}/${name}`, {
      method: 'POST',
      headers: { 'x-control-key': line.control_key, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    })
  const client = apiClient(served)
  let waiting = 0
  const receiver = await startReceiver(() => waiting++)
  for (let i = 0; i < 4; i++)
    await control('webhooks.create', { url: receiver.url, topics: ['customers.lock'], confirm: false })
  for (let i = 0; i < 10; i++) {
    const { uid } = (await client.post('/customers', { email: 'ada@example.test' })).body
    await control('moves.make', lockOf(String(uid)))
  }
  await expect.poll(() => waiting).toBeGreaterThan(11)
  child.kill('SIGTERM')
  expect((await ended).stderr).toBe('')
})

describe('of many deliveries that are due, in each turn of the event loop, so that requests are not kept waiting,', () => {
  async function setUpLocked(count: number) {
    const setup = await setUpLocks(count)
    await setup.lockAll()
    const resendAll = async () => {
      const { uid } = setup.webhook
      await setup.call('webhooks.update', { uid, status: 'paused' })
      for (const event of (await setup.call('events.list', { wanted: true })).data)
        await setup.call('events.resend', { uid: event.uid })
      await setup.call('webhooks.update', { uid, status: 'active' })
    }
    return { ...setup, resendAll }
  }

  it('one begins', async () => {
    const { call, receiver, resendAll } = await setUpLocked(30)
    const { turns, note } = countTurns()
    const noteRequest = (message: unknown) => {
      const { request } = message as { request: ClientRequest }
      if (request.getHeader('host') === new URL(receiver.url).host) note()
    }
    subscribe('http.client.request.start', noteRequest)
    await resendAll()
    await waitForDeliveries(call)
    unsubscribe('http.client.request.start', noteRequest)
    expect(turns).toHaveLength(30)
    expect(new Set(turns).size).toBe(30)
  })

  it('32 outcomes at most are recorded, together: each is one commit and one action', async () => {
    const { sandbox, call, receiver, resendAll } = await setUpLocked(80)
    const waiting: (() => void)[] = []
    receiver.answer = (event, response) => void waiting.push(() => receiver.accept(event, response))
    await resendAll()
    await expect.poll(() => waiting.length).toBe(8)
    const { turns, note } = countTurns()
    const counts: number[] = []
    sandbox.store.subscribe(({ cause, changes }) => {
      if (cause.name !== 'webhooks.record_attempts') return
      note()
      counts.push(changes.filter(({ collection }) => collection === 'webhook_deliveries').length)
    })
    receiver.answer = receiver.accept
    for (const answer of waiting) answer()
    await waitForDeliveries(call)
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(80)
    expect(Math.max(...counts)).toBeLessThanOrEqual(32)
    expect(counts.length).toBeLessThan(40)
    expect(new Set(turns).size).toBe(counts.length)
  })
})

/** `note` adds the present turn of the event loop to `turns`. */
function countTurns() {
  const turns: number[] = []
  let turn = 0
  const count = () => {
    turn++
    counting = setImmediate(count)
  }
  let counting = setImmediate(count)
  onTestFinished(() => clearImmediate(counting))
  return { turns, note: () => void turns.push(turn) }
}

it('the body of an answer is read in part: an endless one ends the attempt', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(200)
    const write = () => {
      while (response.write('x'.repeat(65_536)) && !response.destroyed);
    }
    response.on('drain', write)
    write()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { call, lock, newest } = await setUpLocks(1, { url })
  const sockets: Socket[] = []
  const noteSocket = (message: unknown) => {
    const { request } = message as { request: ClientRequest }
    sockets.push(request.socket!)
  }
  subscribe('http.client.request.start', noteSocket)
  await lock()
  await waitForDeliveries(call)
  unsubscribe('http.client.request.start', noteSocket)
  const [delivery] = (await newest()).deliveries
  expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ status: 200 }] })
  expect(delivery!.attempts[0]!.answer).toHaveLength(1_000)
  expect(sockets).toHaveLength(1)
  expect(sockets[0]!.bytesRead).toBeLessThan(32_768)
})

it('a test event makes a webhook active when its receiver accepts it; until then its other events wait', async () => {
  const { receiver, call, lock, webhook } = await setUpLocks()
  await call('webhooks.delete', { uid: webhook.uid })
  receiver.answer = refuse
  const { uid, status } = await call('webhooks.create', { url: receiver.url })
  expect(status).toBe('unconfirmed')
  await lock()
  await waitForDeliveries(call)
  expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/test'])
  expect((await call('webhooks.list', {})).webhooks[0]).toMatchObject({ status: 'unconfirmed' })
  receiver.answer = receiver.accept
  await call('webhooks.test', { uid })
  await waitForDeliveries(call)
  expect((await call('webhooks.list', {})).webhooks[0]).toMatchObject({ status: 'active' })
  expect(receiver.received.slice(-2)).toMatchObject([
    { path: '/hooks/test', body: { event_type: 'test', details: {} } },
    { path: '/hooks/customers', body: { event_type: 'lock' } },
  ])
})

describe('the form of a delivery', () => {
  it.each([
    ['body', true, undefined],
    ['header', false, 'X'],
    ['both', true, 'X'],
  ] as const)('event_id_in %s', async (event_id_in, isInBody, header) => {
    const { receiver, call, lock, newest } = await setUpLocks(1, { event_id_in })
    await lock()
    await waitForDeliveries(call)
    const { uid } = await newest()
    const [event] = receiver.received
    expect(event!.body.event_id).toBe(isInBody ? uid : undefined)
    expect(event!.headers['x-event-id']).toBe(header && uid)
  })

  it('the old envelope has all of it in data', async () => {
    const { receiver, call, lock, webhook } = await setUpLocks(1, { envelope: 'data' })
    await lock()
    await waitForDeliveries(call)
    expect(receiver.received[0]!.body).toEqual({
      data: {
        event_type: 'lock',
        event_id: expect.any(String),
        details: expect.objectContaining({ lock_reason: 'Lost phone' }),
      },
    })
    expect(isSigned(receiver.received[0]!, webhook.hmac_key)).toBe(true)
  })
})

describe('hold, release and resend', () => {
  it('a held event is not sent until it is released', async () => {
    const { receiver, call, lock, newest } = await setUpLocks()
    receiver.answer = refuse
    await lock()
    await waitForDeliveries(call)
    const { uid } = await newest()
    expect((await call('events.hold', { uid })).deliveries).toMatchObject([{ status: 'held' }])
    await call('clock.advance', { until: 'idle' })
    expect(receiver.received).toHaveLength(1)
    receiver.answer = receiver.accept
    expect((await call('events.release', { uid })).deliveries).toMatchObject([{ status: 'due' }])
    await waitForDeliveries(call)
    expect((await newest()).deliveries).toMatchObject([{ status: 'delivered' }])
    expect(receiver.received).toHaveLength(2)
  })

  it('an attempt that was scheduled before a hold is not made after the release', async () => {
    const { receiver, call, lock, newest } = await setUpLocks(1, { retry_seconds: [60, 3600] })
    receiver.answer = refuse
    await lock()
    await waitForDeliveries(call)
    const { uid } = await newest()
    await call('events.hold', { uid })
    await call('events.release', { uid })
    await waitForDeliveries(call)
    expect(receiver.received).toHaveLength(2)
    await call('clock.advance', { by: 'PT59M' })
    expect(receiver.received).toHaveLength(2)
    await call('clock.advance', { by: 'PT1M' })
    expect((await newest()).deliveries).toMatchObject([{ status: 'failed', attempts: [{}, {}, {}] }])
  })

  it('a resent event has the same event_id and is a delivery of its own', async () => {
    const { receiver, call, lock, newest } = await setUpLocks()
    await lock()
    await waitForDeliveries(call)
    await call('events.resend', { uid: (await newest()).uid })
    await waitForDeliveries(call)
    expect((await newest()).deliveries).toMatchObject([{ status: 'delivered' }, { status: 'delivered' }])
    const [first, second] = receiver.received
    expect(second!.raw).toBe(first!.raw)
  })

  it('an event and all newer ones are sent again, oldest first, without test events', async () => {
    const { receiver, call, lockAll, webhook } = await setUpLocks(3)
    await lockAll()
    await call('webhooks.test', { uid: webhook.uid })
    await waitForDeliveries(call)
    const first = receiver.received.length
    const since = (await call('events.list', { wanted: true, limit: 10 })).data.at(-2)!.uid
    const { data, total_count } = await call('events.list', { since, wanted: true })
    expect(total_count).toBe(2)
    await call('events.resend', { uid: since, and_newer: true })
    await waitForDeliveries(call)
    const resent = receiver.received.slice(first).map(({ body }) => body.event_id)
    expect(resent).toEqual(data.map(({ uid }) => uid).reverse())
    const test = (await call('events.list', {})).data.find(({ topic }) => topic === 'test')!.uid
    await call('events.resend', { uid: test, and_newer: true })
    await waitForDeliveries(call)
    expect(receiver.received.at(-1)!.body.event_id, 'a test event to begin with is sent, too').toBe(test)
  })

  it('a paused webhook gets nothing, and what happened meanwhile when it is active again', async () => {
    const { receiver, call, lock, newest, webhook } = await setUpLocks()
    await call('webhooks.update', { uid: webhook.uid, status: 'paused' })
    await lock()
    await waitForDeliveries(call)
    expect(receiver.received).toEqual([])
    expect((await newest()).deliveries).toMatchObject([{ status: 'due', attempts: [] }])
    await call('webhooks.update', { uid: webhook.uid, status: 'active' })
    await waitForDeliveries(call)
    expect(receiver.received.map(({ body }) => body.event_type)).toEqual(['lock'])
  })
})

describe('bad input', () => {
  it.each([
    ['ftp://127.0.0.1/hooks', 'http:// or https://'],
    ['hooks', 'an address is expected'],
    ['http://user:secret@127.0.0.1/hooks', 'no name and no password'],
    ['http://127.0.0.1/hooks?key=1', 'no ? and no #'],
    ['https://hooks.example.test', 'webhook_hosts'],
    ['http://127.0.0.1.example.test', 'webhook_hosts'],
    ['http://10.0.0.5:8080', 'webhook_hosts'],
  ])('%s is refused, and the reason says what to do', async (url, reason) => {
    const { sandbox, webhook } = await setUpWebhook()
    for (const [name, input] of [
      ['webhooks.create', { url }],
      ['webhooks.update', { uid: webhook.uid, url }],
    ] as const) {
      const reply = await sandbox.call(name, input)
      expect(reply).toMatchObject({
        ok: false,
        error: { status: 400, errors: [{ extra: expect.stringContaining(reason) }] },
      })
    }
  })

  it('other hosts are allowed by the Program', async () => {
    const { call, configure } = await setUpWebhook()
    await configure({ webhook_hosts: ['hooks.example.test', '10.0.0.5:8080'] })
    for (const url of ['https://hooks.example.test/in', 'http://10.0.0.5:8080'])
      expect(await call('webhooks.create', { url, topics: ['customers.unlock'], confirm: false })).toMatchObject({
        url,
      })
  })

  it('a topic that does not exist is refused with those that do', async () => {
    const { sandbox } = await setUpWebhook()
    const reply = await sandbox.call('webhooks.create', { url: null, topics: ['payments'] })
    expect(reply).toMatchObject({
      ok: false,
      error: { errors: [{ extra: expect.stringContaining('transfers.created') }] },
    })
  })
})
