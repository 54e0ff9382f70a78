import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import { exportFolder } from '../../src/api/files.ts'
import { createKeyRemover } from '../../src/api/http/live-keys.ts'
import { decodeAll, encodings } from '../support/encodings.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { setUpPayments } from '../support/payments.ts'
import { startReceiver } from '../support/receiver.ts'
import { START } from '../support/sandbox.ts'
import { ask } from './support.ts'

/** "HMAC keys, tokens and the control key are never logged": the keys of a world are found in every sink, as they are, in base64 and in hex. */

describe('the keys of a world in a text', () => {
  const LETTERS = 'abAB01+/=_- "{}é'
  const key = fc.string({ unit: fc.constantFrom(...LETTERS), minLength: 6, maxLength: 40 })
  const around = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 60 })

  it('are all removed, wherever they begin and whatever is around them', () =>
    fc.assert(
      fc.property(fc.array(key, { minLength: 1, maxLength: 4 }), fc.array(around, { minLength: 2 }), (keys, texts) => {
        const remove = createKeyRemover(keys)
        for (const one of keys)
          for (const form of [one, ...hexOf(one), encodeURIComponent(one), JSON.stringify(one).slice(1, -1)]) {
            const clean = remove(texts.join(form))
            expect(clean.replaceAll('[key removed]', '\n')).not.toContain(form)
          }
      }),
      { numRuns: 2_000 },
    ))

  const hexOf = (text: string) => {
    const hex = Buffer.from(text).toString('hex')
    return [hex, hex.toUpperCase()]
  }

  it('leave the rest of the text as it is', () => {
    const remove = createKeyRemover(['the key of one Program', 'the key of one Program and another'])
    expect(remove('a the key of one Program, b')).toBe('a [key removed], b')
    expect(remove('the key of one Program and another!')).toBe('[key removed]!')
    expect(remove('the key of one Programthe key of one Program')).toBe('[key removed][key removed]')
    expect(remove('the key of one Progra')).toBe('the key of one Progra')
    expect(createKeyRemover([])('a text')).toBe('a text')
  })

  it('compare a text with few of 300 keys', () => {
    const keys = Array.from({ length: 300 }, (_, i) => `${(i * 7_919).toString(36)}-the key of Program ${i}`)
    const remove = createKeyRemover(keys)
    expect(remove(keys.join())).toBe(keys.map(() => '[key removed]').join())
    const text = '{"name":"Olive","note":"a long text without a key"}'.repeat(2_000)
    const compare = vi.spyOn(String.prototype, 'startsWith')
    expect(remove(text)).toBe(text)
    const count = compare.mock.calls.length
    compare.mockRestore()
    expect(count).toBeLessThan(text.length / 10)
  })
})

const CONTROL_KEY = 'the control key of this test 4711'
const isIn = (secrets: Readonly<Record<string, string>>, text: string) => {
  const all = decodeAll(`${text} ${text.replaceAll(/%[\da-f]{2}/gi, (code) => decodeURIComponent(code))}`)
  return Object.entries(secrets).flatMap(([name, secret]) => (all.includes(secret) ? [name] : []))
}

/** Of each line of the commits only the copies of the request and of the action: the records are what clients have sent. */
function readLogs(data: string): Record<string, string> {
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.flatMap(({ parentPath, name }) => {
      const path = join(parentPath, name).slice(data.length + 1)
      const text = readFileSync(join(parentPath, name), 'utf8')
      if (path.startsWith('log')) return [[path, text]]
      if (!path.startsWith('changes')) return []
      const commits = text.split('\n').filter((line) => line.startsWith('{'))
      const copies = commits.map((line) => {
        const { action } = JSON.parse(line.split('\t')[0]!) as Record<string, unknown>
        return JSON.stringify({ action })
      })
      return [[path, copies.join('\n')]]
    }),
  )
}

it('no live key is in any sink, as it is, in base64 or in hex, and no token as it is, also in fields of a declared name', async () => {
  const data = createTemporaryFolder()
  const payments = await setUpPayments({ data, seed: 'test', start: START, world: 'empty', control_key: CONTROL_KEY })
  const { sandbox, api } = payments
  const customer = await payments.customer()
  const program = () => sandbox.programs()[0]!
  const former = program().hmac_key
  await ask(sandbox, 'programs.rotate_key', { uid: program().uid })
  const receiver = await startReceiver()
  const create = () =>
    ask<MethodOutput<'webhooks.create'>>(sandbox, 'webhooks.create', { url: receiver.url, topics: ['customers'] })
  const deleted = await create()
  await ask(sandbox, 'webhooks.delete', { uid: deleted.uid })
  const webhook = await create()
  // It signs with the new key.
  const client = sandbox.client()
  const [access, refresh] = [await client.signIn(), client.refreshToken()]
  const whole = {
    'the HMAC key of a Program': program().hmac_key,
    'its former key': former,
    'the key of a webhook': webhook.hmac_key,
    'the key of a deleted webhook': deleted.hmac_key,
    'the control key': CONTROL_KEY,
    'an access token': access,
    'a refresh token': refresh,
  }
  const signature = (token: string) => token.split('.').at(-1)!
  const secrets = { ...whole, 'an access token': signature(access), 'a refresh token': signature(refresh) }
  const forms = Object.entries(whole).flatMap(([name, secret]) => (/token$/.test(name) ? [secret] : encodings(secret)))
  expect(isIn(secrets, forms.join('\n'))).toEqual(Object.keys(secrets))
  receiver.answer = (_event, response) =>
    void response.writeHead(200).end(forms[receiver.received.length % forms.length])

  let turn = 0
  for (const form of forms) {
    turn++
    const short = form.slice(0, 255)
    // Accepted, refused, and not parsed; in declared fields and parameters of this endpoint and of others.
    await api.call('POST', '/customers', { json: { external_uid: `${turn} ${short}`.slice(0, 255), name: form } })
    await payments.account(customer, 'general', { name: `${turn} ${form}`, note: form })
    await api.call('POST', '/customers', { json: { email: 5, details: { first_name: form, memo: [form] } } })
    await api.call('POST', '/transfers', { form: `name=${encodeURIComponent(form)}&usd_transfer_amount=${short}` })
    await api.call('POST', '/customers', { raw: `{"name":"${form}`, headers: { 'content-type': 'application/json' } })
    await api.call('GET', `/customers?first_name=${encodeURIComponent(form)}&uid=${encodeURIComponent(short)}`)
    await ask(sandbox, 'faults.set', { faults: [{ kind: 'status', body: { name: form }, rate: 1e-9 }] })
    await ask(sandbox, 'programs.create', { name: `${turn} ${form}` })
    const decision = { collection: 'customers' as const, uid: customer.uid }
    await ask(sandbox, 'moves.make', { ...decision, move: 'lock', inputs: { lock_reason: 'Lost phone' } })
    await ask(sandbox, 'moves.make', { ...decision, move: 'unlock', inputs: {} })
  }
  await ask(sandbox, 'clock.advance', { by: 'PT1H' })
  expect(receiver.received.length).toBeGreaterThan(forms.length)
  vi.spyOn(sandbox.store, 'transact').mockImplementationOnce(() => {
    throw new Error(`this failed for ${forms.join(' ')}`)
  })
  expect((await api.call('GET', '/pools')).status).toBe(500)

  const events = await ask<MethodOutput<'events.list'>>(sandbox, 'events.list', { limit: 1000 })
  const answers = await Promise.all(
    events.data.map(({ uid }) => ask<MethodOutput<'events.get'>>(sandbox, 'events.get', { uid })),
  )
  const sinks: Record<string, string> = {
    stderr: sandbox.told.join('\n'),
    'answers of receivers': JSON.stringify(answers.map(({ deliveries }) => deliveries)).replaceAll(
      /"body":"(?:[^"\\]|\\.)*"/g,
      '',
    ),
    'a bundle': (await ask<MethodOutput<'bundles.export'>>(sandbox, 'bundles.export')).text,
    'a scenario': (await ask<MethodOutput<'scenarios.record'>>(sandbox, 'scenarios.record')).text,
  }
  await sandbox.close()
  const { 'the control key': _, ...ofWorld } = secrets
  const out = join(createTemporaryFolder(), 'exported.sandbank')
  await exportFolder(data, out, { version: '0.0.0-test', report: () => {} })
  Object.assign(sinks, readLogs(data))
  expect(sinks.stderr).toContain('Internal error')
  expect(sinks['answers of receivers']).toContain('removed]')
  const filled = Object.entries(sinks).flatMap(([name, text]) => (text.length > 500 ? name.split(/[/\\]/)[0]! : []))
  expect([...new Set(filled)].sort()).toEqual([
    'a bundle',
    'a scenario',
    'answers of receivers',
    'changes',
    'log',
    'stderr',
  ])
  for (const [name, text] of Object.entries(sinks)) {
    expect({ name, found: isIn(secrets, text) }).toEqual({ name, found: [] })
  }
  // The folder does not hold the control key, and a webhook that was deleted has left no key.
  const { 'the key of a deleted webhook': __, ...known } = ofWorld
  expect(isIn(known, readFileSync(out, 'utf8'))).toEqual([])
}, 120_000)
