import { decrypt, generateKey, readMessage, readPrivateKey } from 'openpgp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startSandbox, type VerifiedWebhook, verifyWebhook, WebhookError } from '../../src/main/library/index.ts'
import { occupyPort } from '../support/ports.ts'

async function start() {
  const sandbox = await startSandbox()
  onTestFinished(() => sandbox.close())
  const { data } = await sandbox.client.call('GET /customers', { external_uid: 'demo-business-1' })
  const receiveWire = () =>
    sandbox.client.call('POST /sandbox/mock_transactions', {
      transaction_type: 'wire',
      customer_uid: data[0]!.uid,
      us_dollar_amount: 100,
    })
  return { ...sandbox, receiveWire }
}

describe('verifyWebhook', () => {
  const KEY = 'a-key-that-both-sides-know'
  const SIGNATURE = 'x-request-signature-sha-256'

  /** The receiver of an app that uses the function. */
  async function startApp() {
    const verified: VerifiedWebhook[] = []
    const requests: { body: string; headers: Record<string, string> }[] = []
    const app = await occupyPort(async (request, response) => {
      let body = ''
      for await (const part of request) body += part
      requests.push({ body, headers: request.headers as Record<string, string> })
      verified.push(verifyWebhook({ body, headers: request.headers, key: KEY }))
      response.writeHead(204).end()
    })
    return { url: app.origin, verified, requests }
  }

  it.each([
    { envelope: 'details', event_id_in: 'body' },
    { envelope: 'data', event_id_in: 'header' },
  ] as const)('returns the event of a delivery, %o', async (form) => {
    const { control, clock, receiveWire } = await start()
    const app = await startApp()
    await control.webhooks.create({ url: app.url, hmac_key: KEY, confirm: false, topics: ['transactions'], ...form })
    const { uid } = await receiveWire()
    await clock.advance('0 seconds')
    const { data } = await control.events.list({ record_uid: uid })
    expect(app.verified).toEqual([
      {
        event_type: 'created',
        event_id: data[0]!.uid,
        details: expect.objectContaining({ transaction_uid: uid }),
        encrypted_details: null,
      },
    ])
  })

  it('returns encrypted details as they are', async () => {
    const { control, clock, receiveWire } = await start()
    const app = await startApp()
    const keys = await generateKey({ type: 'ecc', curve: 'curve25519Legacy', userIDs: [{ name: 'Olive Oyl' }] })
    const settings = {
      hmac_key: KEY,
      confirm: false,
      topics: ['transactions' as const],
      pgp_public_key: keys.publicKey,
    }
    await control.webhooks.create({ url: app.url, ...settings })
    const { uid } = await receiveWire()
    await clock.advance('0 seconds')
    const [{ details, encrypted_details } = { details: null, encrypted_details: null }] = app.verified
    expect(details).toEqual({})
    const message = await readMessage({ armoredMessage: encrypted_details! })
    const decrypted = await decrypt({
      message,
      decryptionKeys: await readPrivateKey({ armoredKey: keys.privateKey }),
    })
    expect(JSON.parse(decrypted.data)).toMatchObject({ transaction_uid: uid })
  })

  it('refuses another key, another body, an old timestamp and a request without a signature, with the reason', async () => {
    const { control, clock, receiveWire } = await start()
    const app = await startApp()
    await control.webhooks.create({ url: app.url, hmac_key: KEY, confirm: false, topics: ['transactions'] })
    await receiveWire()
    await clock.advance('0 seconds')
    const [{ body, headers } = { body: '', headers: {} }] = app.requests
    const good = { body, headers, key: KEY }
    expect(verifyWebhook({ ...good, headers: new Headers(headers) }).event_type).toBe('created')
    expect(verifyWebhook({ ...good, body: Buffer.from(body) }).event_type).toBe('created')
    // As the Headers of the package undici, which are of another class.
    const similar = { get: (name: string) => headers[name] ?? null }
    expect(verifyWebhook({ ...good, headers: similar }).event_type).toBe('created')
    const refusals = [
      [{ ...good, key: `${KEY}x` }, /not that of the key/],
      [{ ...good, body: `${body} ` }, /before it is parsed/],
      [{ ...good, headers: {} }, /headers x-request-signature-sha-256/],
      [{ ...good, headers: { ...headers, 'x-request-signature-sha-256': 'ab' } }, /not that of the key/],
      [{ ...good, headers: { ...headers, [SIGNATURE]: `${headers[SIGNATURE]}zz` } }, /not that of the key/],
      [{ ...good, tolerance: -1 }, /seconds from now/],
    ] as const
    for (const [input, reason] of refusals) {
      expect(() => verifyWebhook(input)).toThrow(WebhookError)
      expect(() => verifyWebhook(input)).toThrow(reason)
    }
  })
})

describe('the events of a world', () => {
  it('come in their order, each once, by topic or by kind', async () => {
    const { events, clock, receiveWire } = await start()
    await events.listen()
    const { uid } = await receiveWire()
    await clock.advance('idle')
    expect(await events.next('transactions.created')).toMatchObject({ record_uid: uid, details: { status: 'pending' } })
    expect(await events.next('transactions')).toMatchObject({
      details: { old_status: 'pending', new_status: 'settled' },
    })
    const other = await receiveWire()
    const where = ({ record_uid }: { record_uid: string | null }) => record_uid === other.uid
    expect(await events.next('transactions', { where })).toMatchObject({ event_type: 'created' })
  })

  it('come again after a reset and another listen(), and until then the error says why not', async () => {
    const { control, events, clock } = await start()
    // The same seed and the same requests issue the same uids.
    const receiveInterest = async () => {
      const { data } = await control.records.list({ collection: 'customers', external_uid: ['demo-business-1'] })
      const customer_uid = String(data[0]!.uid)
      await control.transactions.inject({ movement: 'interest', customer_uid, us_dollar_amount: '1.00' })
      await clock.advance('0 seconds')
    }
    const uids: string[] = []
    for (let round = 0; round < 2; round++) {
      await control.world.reset({ world: 'demo' })
      await events.listen()
      await receiveInterest()
      uids.push((await events.next('transactions.created', { timeout_ms: 500 })).uid)
    }
    expect(uids[1]).toBe(uids[0])
    await control.world.reset({ world: 'demo' })
    await expect(events.next('transactions', { timeout_ms: 30 })).rejects.toThrow('after a reset, call events.listen()')
  })

  it('waits for an event, and says so if none comes', async () => {
    const { events, receiveWire } = await start()
    await expect(events.next('transactions')).rejects.toThrow('call events.listen() before')
    await events.listen(['transactions'])
    const waiting = events.next('transactions.created')
    const { uid } = await receiveWire()
    expect((await waiting).record_uid).toBe(uid)
    await expect(events.next('transfers', { timeout_ms: 30 })).rejects.toThrow(/no event transfers within 30 ms/)
  })
})
