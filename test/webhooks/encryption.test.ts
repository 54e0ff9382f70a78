import { decrypt, generateKey, readKey, readMessage, readPrivateKey } from 'openpgp'
import { describe, expect, it } from 'vitest'
import type { WebhookRecord } from '../../src/api/store/world.ts'
import { isSigned, type ReceivedEvent } from '../support/receiver.ts'
import { setUpLocks, setUpWebhook } from '../support/webhooks.ts'

/** The details of events, encrypted for a receiver that has a key. */

const createKeys = () => generateKey({ type: 'ecc', curve: 'curve25519Legacy', userIDs: [{ name: 'Olive Oyl' }] })

async function decryptDetails({ body }: ReceivedEvent, armoredKey: string): Promise<Record<string, unknown>> {
  const message = await readMessage({ armoredMessage: body.details as unknown as string })
  const decryptionKeys = await readPrivateKey({ armoredKey })
  const { data } = await decrypt({ message, decryptionKeys })
  return JSON.parse(data)
}

async function setUpEncrypted() {
  const { publicKey, privateKey } = await createKeys()
  const setup = await setUpLocks(1, { pgp_public_key: publicKey })
  return { ...setup, publicKey, privateKey }
}

it('the details are a PGP message for the owner of the key, and nothing else is encrypted', async () => {
  const { lockAll, receiver, webhook, privateKey, uids } = await setUpEncrypted()
  await lockAll()
  const [event] = receiver.received
  expect(event!.raw).not.toContain('Lost phone')
  expect(event!.body).toEqual({
    event_type: 'lock',
    event_id: expect.stringMatching(/^\w{16}$/),
    details: expect.stringMatching(/^-----BEGIN PGP MESSAGE-----\n[\s\S]*-----END PGP MESSAGE-----\n$/),
  })
  expect(isSigned(event!, webhook.hmac_key)).toBe(true)
  expect(await decryptDetails(event!, privateKey)).toMatchObject({ customer_uid: uids[0], lock_reason: 'Lost phone' })
})

it('a retry is encrypted anew, and has the same details', async () => {
  const { call, lockAll, receiver, privateKey } = await setUpEncrypted()
  receiver.answer = (_event, response) => void response.writeHead(503).end()
  await lockAll()
  receiver.answer = receiver.accept
  await call('clock.advance', { by: 'PT30S' })
  const [first, second] = receiver.received
  expect(second!.raw).not.toBe(first!.raw)
  expect(await decryptDetails(second!, privateKey)).toEqual(await decryptDetails(first!, privateKey))
})

it('null makes the details readable again', async () => {
  const { call, webhook, lockAll, receiver } = await setUpEncrypted()
  await call('webhooks.update', { uid: webhook.uid, pgp_public_key: null })
  await lockAll()
  expect(receiver.received[0]!.body.details).toMatchObject({ lock_reason: 'Lost phone' })
})

it('webhooks with keys that are created at once are described in their commits each with its own input', async () => {
  const { sandbox, call } = await setUpWebhook()
  const described: unknown[] = []
  sandbox.store.subscribe(({ action, changes }) => {
    const [created] = changes.map(({ record }) => record as WebhookRecord)
    described.push([created?.topics, (JSON.parse(action!.input!) as { topics: unknown }).topics])
  })
  const create = async (topic: 'customers' | 'transfers') =>
    call('webhooks.create', { url: null, topics: [topic], pgp_public_key: (await createKeys()).publicKey })
  await Promise.all([create('customers'), create('transfers'), create('customers')])
  expect(described).toHaveLength(3)
  for (const [made, input] of described as [unknown, unknown][]) expect(input).toEqual(made)
})

describe('bad input', () => {
  const refusal = (extra: string) => ({
    ok: false,
    error: { status: 400, errors: [{ extra: expect.stringContaining(extra) }] },
  })

  it.each([
    ['a text that is no key', 'ssh-ed25519 AAAA', 'pgp_public_key: a public key is expected that begins with'],
    [
      'an unreadable key',
      '-----BEGIN PGP PUBLIC KEY BLOCK-----\n\nnothing\n-----END PGP PUBLIC KEY BLOCK-----',
      'pgp_public_key: the key cannot be used to encrypt: ',
    ],
  ])('%s is refused with the reason', async (_name, key, reason) => {
    const { sandbox, webhook } = await setUpWebhook()
    for (const [name, input] of [
      ['webhooks.create', { url: null, pgp_public_key: key }],
      ['webhooks.update', { uid: webhook.uid, pgp_public_key: key }],
    ] as const)
      expect(await sandbox.call(name, input)).toMatchObject(refusal(reason))
  })

  it('a private key is refused, also when it claims to be public', async () => {
    const { sandbox } = await setUpWebhook()
    const { privateKey } = await createKeys()
    const claimed = privateKey.replaceAll('PRIVATE KEY', 'PUBLIC KEY')
    expect(await sandbox.call('webhooks.create', { url: null, pgp_public_key: privateKey })).toMatchObject(
      refusal('begins with'),
    )
    expect(await sandbox.call('webhooks.create', { url: null, pgp_public_key: claimed })).toMatchObject(
      refusal('it is a private key, which must stay with its owner'),
    )
  })

  it('a key that can only sign is refused', async () => {
    const { sandbox } = await setUpWebhook()
    const { publicKey } = await generateKey({
      type: 'ecc',
      curve: 'ed25519Legacy',
      userIDs: [{ name: 'Olive Oyl' }],
      subkeys: [{ sign: true }],
    } as Parameters<typeof generateKey>[0] & { format?: 'armored' })
    const reply = await sandbox.call('webhooks.create', { url: null, pgp_public_key: String(publicKey) })
    expect(reply).toMatchObject(refusal('the key cannot be used to encrypt'))
    expect((await readKey({ armoredKey: String(publicKey) })).isPrivate()).toBe(false)
  })
})
