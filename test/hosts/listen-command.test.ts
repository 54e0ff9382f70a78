import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { generateKey } from 'openpgp'
import { describe, expect, it, onTestFinished } from 'vitest'
import { hostileKind, hostileNames, startHostileReceiver } from '../../bench/support/hostile-receivers.ts'
import type { EventWithDeliveries, Webhook } from '../../src/api/contract/resources/webhooks.ts'
import { forward } from '../../src/main/commands/forward.ts'
import { serveInProcess, start, startInProcess } from '../support/cli.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { occupyPort } from '../support/ports.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'
import { waitFor } from '../support/wait.ts'

/** `sandbank listen`. */

const KEY = 'a-key-that-both-sides-know'
const BUSINESS = 'LLFoFC1PiYy8EK7P'
const UID = '[A-Za-z0-9]{16}'
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

/** `sandbank listen`, once it listens. */
async function listenInProcess(env: NodeJS.ProcessEnv, ...args: string[]) {
  const { code: ended, ...started } = startInProcess(['listen', ...args], env)
  const said = () => started.errors.join('\n')
  await waitFor(() => expect(said()).toContain('Listening at '))
  const [, url = ''] = /^Listening at (\S+?)[;,]/m.exec(said()) ?? []
  return { ...started, ended, url }
}

async function setUp(...options: string[]) {
  const sandbox = await serveInProcess(['--clock', 'frozen', ...options])
  const json = async (...args: string[]) => JSON.parse((await sandbox.run(...args, '--json')).stdout) as unknown
  const listWebhooks = async () => ((await json('webhooks', 'list')) as { webhooks: Webhook[] }).webhooks
  /** An event, `transactions.created`. */
  const receiveInterest = async () => {
    await sandbox.run(
      ...['control', 'transactions.inject', 'movement=interest'],
      ...[`customer_uid=${BUSINESS}`, 'us_dollar_amount=12.00'],
    )
    await sandbox.run('clock', 'advance', '0s')
  }
  const newestEvent = async () => {
    const { data } = (await json('events', 'list')) as { data: EventWithDeliveries[] }
    return data.find(({ deliveries }) => deliveries.length > 0)!
  }
  const listen = (...args: string[]) => listenInProcess(sandbox.env, ...args)
  return { ...sandbox, listWebhooks, receiveInterest, newestEvent, listen }
}

/** Posts to a receiver. */
const post = (url: string, body: string, headers: Record<string, string> = {}) =>
  fetch(url, { method: 'POST', body, headers })

function sign(body: string, key: string) {
  const timestamp = String(Math.floor(Date.now() / 1_000))
  return {
    'x-request-signature-sha-256': createHmac('sha256', key).update(`${body}${timestamp}`).digest('hex'),
    'x-request-signature-timestamp': timestamp,
  }
}

describe('sandbank listen', () => {
  it('subscribes itself, prints a line for each event, and deletes its webhook when it is ended', async () => {
    const { listen, listWebhooks, receiveInterest, newestEvent } = await setUp()
    const { printed, errors, url, end, ended } = await listen('--topic', 'transactions.created')
    expect(errors).toEqual([expect.stringMatching(/^Listening at \S+; key [0-9a-f]{32}; Ctrl-C ends$/)])
    expect(await listWebhooks()).toEqual([
      expect.objectContaining({ url, status: 'active', topics: ['transactions.created'] }),
    ])
    await receiveInterest()
    const { uid, record_uid, deliveries } = await newestEvent()
    expect(printed).toEqual([
      expect.stringMatching(new RegExp(`^${TIME}  transactions.created  ${record_uid}  ${uid}$`)),
    ])
    expect(deliveries).toMatchObject([{ status: 'delivered', attempts: [{ status: 204, answer: '' }] }])
    expect(await end()).toBe(0)
    expect(await ended).toBe(0)
    expect(await listWebhooks()).toEqual([])
    expect(errors).toHaveLength(1)
  })

  it('--json prints the body; the form of the deliveries can be chosen', async () => {
    const { listen, receiveInterest, newestEvent } = await setUp()
    const form = ['--envelope', 'data', '--event-id', 'header', '--key', KEY]
    const { printed, errors } = await listen('--json', '--topic', 'transactions', ...form)
    expect(errors).toEqual([expect.stringMatching(/^Listening at \S+; Ctrl-C ends$/)])
    await receiveInterest()
    const { details } = await newestEvent()
    expect(printed).toEqual([JSON.stringify({ data: { event_type: 'created', details } })])
  })

  it('refuses what is not signed with its key, other paths and large bodies', async () => {
    const { listen } = await setUp()
    const { printed, errors, url } = await listen('--key', KEY)
    const body = '{"event_type":"created","event_id":"x","details":{}}'
    expect((await post(`${url}/transfers`, body, sign(body, 'another-key-of-16-characters'))).status).toBe(401)
    expect((await post(`${url}/transfers`, body)).status).toBe(401)
    expect(errors.slice(1)).toEqual([
      expect.stringMatching(/^Refused a request to \/transfers: The signature is not that of the key/),
      expect.stringMatching(/^Refused a request to \/transfers: The headers/),
    ])
    expect((await post(`${new URL(url).origin}/transfers`, body, sign(body, KEY))).status).toBe(404)
    expect((await post(`${url}/transfers/more`, body, sign(body, KEY))).status).toBe(404)
    expect((await post(`${url}/transfers`, 'x'.repeat(1_000_001)).catch(() => ({ status: 413 }))).status).toBe(413)
    expect(printed).toEqual([])
    expect((await post(`${url}/transfers`, body, sign(body, KEY))).status).toBe(204)
    expect(printed).toEqual([expect.stringMatching(/ {2}transfers\.created {2}no record {2}x$/)])
  })

  it('--forward-to passes on body and headers as they are, and the answer back', async () => {
    const { listen, receiveInterest, newestEvent } = await setUp()
    const app = await startReceiver((_event, response) => void response.writeHead(202).end('thank you'))
    const { printed, errors } = await listen(
      ...['--forward-to', `${app.url}/`, '--topic', 'transactions', '--key', KEY, '--event-id', 'both'],
    )
    expect(errors[0]).toMatch(new RegExp(`, forwarding to ${app.url}; Ctrl-C ends$`))
    await receiveInterest()
    const { uid, deliveries } = await newestEvent()
    expect(app.received).toMatchObject([
      {
        path: '/hooks/transactions',
        headers: {
          'content-type': 'application/json',
          'x-event-id': uid,
          'user-agent': expect.stringMatching(/^Sand/),
        },
      },
    ])
    expect(isSigned(app.received[0]!, KEY)).toBe(true)
    expect(deliveries).toMatchObject([{ status: 'delivered', attempts: [{ status: 202, answer: 'thank you' }] }])
    expect(printed).toEqual([expect.stringMatching(new RegExp(` ${uid}  202  \\d+ ms$`))])
  })

  it('what the receiver of --forward-to refuses is sent again in simulated time', async () => {
    const { listen, receiveInterest, newestEvent, run } = await setUp()
    const app = await startReceiver((_event, response) => void response.writeHead(503).end())
    const { printed } = await listen('--forward-to', app.url, '--topic', 'transactions.created', '--retry', '60')
    await receiveInterest()
    expect(await newestEvent()).toMatchObject({ deliveries: [{ status: 'waiting', attempts: [{ status: 503 }] }] })
    app.answer = app.accept
    await run('clock', 'advance', '1m')
    expect(await newestEvent()).toMatchObject({ deliveries: [{ status: 'delivered', attempts: { length: 2 } }] })
    expect(printed).toEqual([expect.stringMatching(/ {2}503 {2}\d+ ms$/), expect.stringMatching(/ {2}204 {2}\d+ ms$/)])
  })

  it('a receiver of --forward-to that is not there or is silent counts as 502, with the reason', async () => {
    const { listen, receiveInterest, newestEvent } = await setUp()
    const silent = await startHostileReceiver('never answers')
    onTestFinished(silent.stop)
    const gone = await listen('--forward-to', 'http://127.0.0.1:9', '--topic', 'transactions.created', '--json')
    const slow = await listen('--forward-to', silent.url, '--topic', 'transactions.created')
    await receiveInterest()
    const reasons = (await newestEvent()).deliveries.map(
      ({ attempts }) => `${attempts[0]!.status} ${attempts[0]!.answer}`,
    )
    expect(reasons).toEqual([
      '502 http://127.0.0.1:9/transactions did not answer: connect ECONNREFUSED 127.0.0.1:9',
      `502 ${silent.url}/transactions did not answer: there was no answer within 4.5 seconds`,
    ])
    expect(gone.errors.at(-1)).toMatch(/^http:\/\/127.0.0.1:9\/transactions {2}502 {2}\d+ ms {2}\S+ did not answer/)
    expect(slow.printed).toEqual([expect.stringMatching(/502 {2}\d+ ms {2}\S+ did not answer: there was no answer/)])
  })

  it('a hostile receiver of --forward-to has the same outcome as without listen', async () => {
    const names = hostileNames.filter((name) => hostileKind(name).outcome !== 'silent')
    const outcomeOf = async (name: (typeof names)[number]) => {
      const receiver = await startHostileReceiver(name)
      onTestFinished(receiver.stop)
      const { status } = await forward(receiver.url, { body: Buffer.from('{}'), headers: {} })
      return [name, status === null ? 'no answer' : status >= 200 && status < 300 ? 'accepted' : 'refused']
    }
    const expected = names.map((name) => [name, hostileKind(name).outcome])
    expect(await Promise.all(names.map(outcomeOf))).toEqual(expected)
  })

  it('forwards bytes that are no text', async () => {
    const bodies: Buffer[] = []
    const app = await occupyPort(async (incoming, response) => {
      for await (const part of incoming) bodies.push(part as Buffer)
      response.writeHead(204).end()
    })
    const { listen } = await setUp()
    const { url } = await listen('--forward-to', app.origin, '--key', KEY)
    const body = Buffer.concat([
      Buffer.from('{"event_type":"x" ,\r\n "details":{"a":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}}'),
    ])
    const timestamp = String(Math.floor(Date.now() / 1_000))
    const signature = createHmac('sha256', KEY).update(body).update(timestamp).digest('hex')
    const status = await new Promise((resolve) => {
      const headers = { 'x-request-signature-sha-256': signature, 'x-request-signature-timestamp': timestamp }
      request(`${url}/transfers`, { method: 'POST', headers }, (response) => resolve(response.statusCode)).end(body)
    })
    expect(status).toBe(204)
    expect(Buffer.concat(bodies)).toEqual(body)
  })

  it('deletes the webhook that a killed one has left, and no other', async () => {
    const { listen, listWebhooks, run } = await setUp()
    const abandoned = 'http://127.0.0.1:9/sandbank-listen/0123456789abcdef01234567'
    await run('webhooks', 'create', abandoned, '--no-confirm')
    await run('webhooks', 'create', 'http://127.0.0.1:9/hooks', '--no-confirm')
    const first = await listen()
    const second = await listen()
    expect((await listWebhooks()).map(({ url }) => url).sort()).toEqual(
      [first.url, second.url, 'http://127.0.0.1:9/hooks'].sort(),
    )
  })

  it.each(['switches protocols', 'has a body without an end, slowly', 'never answers'] as const)(
    'begins in time if what has the port of a killed one now %s',
    { timeout: 20_000 },
    async (name) => {
      const { listen, run, listWebhooks } = await setUp()
      const hostile = await startHostileReceiver(name)
      onTestFinished(hostile.stop)
      await run('webhooks', 'create', `${new URL(hostile.url).origin}/sandbank-listen/0123`, '--no-confirm')
      const { url } = await listen()
      expect((await listWebhooks()).map((webhook) => webhook.url)).toContain(url)
    },
  )

  it('subscribes again when a rewind removes its webhook', async () => {
    const { listen, listWebhooks, run, receiveInterest } = await setUp()
    await run('snapshot', 'keep', 'before')
    const { errors, url, printed, end } = await listen('--topic', 'transactions.created')
    await run('snapshot', 'restore', 'before')
    await waitFor(() => expect(errors.at(-1)).toMatch(/^The world was replaced by one without this webhook/))
    expect((await listWebhooks()).map((one) => one.url)).toEqual([url])
    await receiveInterest()
    expect(printed).toHaveLength(1)
    await end()
    expect(await listWebhooks()).toEqual([])
  })

  it('ends with 1 when its webhook is deleted by another command, or the sandbox ends', async () => {
    const { listen, listWebhooks, run, end } = await setUp()
    const first = await listen()
    await run('webhooks', 'delete', (await listWebhooks())[0]!.uid)
    expect(await first.ended).toBe(1)
    expect(first.errors.at(-1)).toBe('The webhook was deleted by another command')
    const second = await listen()
    await end()
    expect(await second.ended).toBe(1)
    expect(second.errors.at(-1)).toBe('The sandbox has ended')
  })

  it('works in a named world', async () => {
    const { listen, run, listWebhooks } = await setUp()
    await run('world', 'create', 'a')
    const { printed, ended } = await listen('--world', 'a')
    expect(await listWebhooks()).toEqual([])
    const { stdout } = await run('webhooks', 'list', '--world', 'a')
    await run('webhooks', 'test', new RegExp(UID).exec(stdout)![0], '--world', 'a')
    expect(printed).toEqual([expect.stringMatching(/ {2}test {2}no record {2}/)])
    await run('world', 'drop', 'a')
    expect(await ended).toBe(1)
  })

  it('in a world that behaves as hosted it needs --pgp-key, and says so; then it prints events, whose details stay encrypted', async () => {
    const { listen, run, listWebhooks, newestEvent } = await setUp('--as', 'hosted')
    expect(await run('listen')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/pgp_public_key is missing: .*Give one \(--pgp-key FILE of sandbank listen/),
    })
    expect(await run('listen', '--pgp-key', '/no/such/file')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^--pgp-key: a file that can be read is \(ENOENT\) expected; found \/no\/such\/file/,
      ),
    })
    const { publicKey } = await generateKey({ type: 'curve25519', userIDs: [{ name: 'app' }], format: 'armored' })
    const file = join(createTemporaryFolder(), 'app.asc')
    writeFileSync(file, publicKey)
    const { printed } = await listen('--json', '--pgp-key', file)
    const [{ uid } = { uid: '' }] = await listWebhooks()
    await run('events', 'example', uid, 'transfers.created')
    await run('clock', 'advance', '0s')
    expect(printed.map((line) => JSON.parse(line))).toEqual([
      {
        ...{ event_type: 'created', event_id: (await newestEvent()).uid },
        details: expect.stringMatching(/^-----BEGIN PGP MESSAGE-----/),
      },
    ])
  })

  it('what the sandbox refuses ends it, and nothing stays open', async () => {
    const { run, listWebhooks } = await setUp()
    expect(await run('listen', '--topic', 'nothing')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^webhooks\.create is refused: .*a topic or an event is expected/),
    })
    expect(await listWebhooks()).toEqual([])
  })
})

it.skipIf(process.platform === 'win32')(
  'the process of sandbank listen ends with 0 on SIGINT and SIGTERM, without its webhook; a killed one is cleaned up',
  async () => {
    const { env, listWebhooks, listen } = await setUp()
    const listenUntil = async (signal: NodeJS.Signals) => {
      const { child, ended } = start(['listen'], env)
      await new Promise((resolve) => child.stderr.once('data', resolve))
      child.kill(signal)
      return ended
    }
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      expect(await listenUntil(signal)).toMatchObject({
        code: 0,
        stdout: '',
        stderr: expect.stringMatching(/^Listening/),
      })
      expect(await listWebhooks()).toEqual([])
    }
    await listenUntil('SIGKILL')
    const [left] = await listWebhooks()
    await listen()
    expect((await listWebhooks()).map(({ uid }) => uid)).not.toContain(left!.uid)
    expect(await listWebhooks()).toHaveLength(1)
  },
)
