import { describe, expect, it } from 'vitest'
import type { EventWithDeliveries, Webhook } from '../../src/api/contract/resources/webhooks.ts'
import { serveInProcess } from '../support/cli.ts'
import { isSigned, startReceiver } from '../support/receiver.ts'

/** `sandbank webhooks` and `sandbank events`. */

const KEY = 'a-key-that-both-sides-know'
const BUSINESS = 'LLFoFC1PiYy8EK7P'
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`
const UID = '[A-Za-z0-9]{16}'

async function setUp() {
  const sandbox = await serveInProcess(['--clock', 'frozen'])
  const receiver = await startReceiver()
  const json = async (...args: string[]) => JSON.parse((await sandbox.run(...args, '--json')).stdout) as unknown
  const createWebhook = (...args: string[]) =>
    json('webhooks', 'create', receiver.url, '--key', KEY, ...args) as Promise<Webhook>
  /** An event, `transactions.created`. */
  const receiveInterest = () =>
    sandbox.run(
      ...['control', 'transactions.inject', 'movement=interest'],
      ...[`customer_uid=${BUSINESS}`, 'us_dollar_amount=12.00'],
    )
  return { ...sandbox, receiver, json, createWebhook, receiveInterest }
}

describe('sandbank webhooks', () => {
  it('create waits for the test event, and prints the webhook with its key', async () => {
    const { run, receiver } = await setUp()
    const { code, stdout } = await run('webhooks', 'create', receiver.url, '--topic', 'transfers', '--key', KEY)
    expect(code).toBe(0)
    expect(stdout).toMatch(
      new RegExp(`^Webhook  ${UID}\nStatus   active\nAddress  ${receiver.url}\nTopics   transfers\nKey      ${KEY}\n$`),
    )
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hooks/test'])
    expect(isSigned(receiver.received[0]!, KEY)).toBe(true)
  })

  it('create says what to do when the receiver refuses the test event, and test repeats it', async () => {
    const { run, receiver, json } = await setUp()
    receiver.answer = (_event, response) => void response.writeHead(500).end('not yet \u001b[31m')
    const created = await run('webhooks', 'create', receiver.url)
    expect(created.stdout).toMatch(/^Status {3}unconfirmed$/m)
    expect(created.stdout).toMatch(new RegExp(`\nIts receiver .*: sandbank webhooks test ${UID}\n$`))
    const { webhooks } = (await json('webhooks', 'list')) as { webhooks: Webhook[] }
    const [{ uid } = { uid: '' }] = webhooks
    const refused = await run('webhooks', 'test', uid)
    expect(refused.code).toBe(1)
    expect(refused.stdout).toContain(`waiting    ${receiver.url}  1 attempt: 500  "not yet \\u001b[31m"`)
    receiver.answer = receiver.accept
    const accepted = await run('webhooks', 'test', uid)
    expect(accepted.code).toBe(0)
    expect(accepted.stdout).toMatch(/\n {2}delivered {2}\S+ {2}1 attempt: 204 {2}\d+ ms\n$/)
    expect((await run('webhooks', 'list')).stdout).toBe(`${uid}  active  ${receiver.url}  all events\n`)
  })

  it('create takes every setting; without a URL events are only kept', async () => {
    const { json, run } = await setUp()
    const form = ['--envelope', 'data', '--event-id', 'both', '--retry', '5,60']
    expect(await json('webhooks', 'create', 'http://127.0.0.1:9', '--no-confirm', ...form)).toMatchObject({
      url: 'http://127.0.0.1:9',
      status: 'active',
      topics: null,
      envelope: 'data',
      event_id_in: 'both',
      retry_seconds: [5, 60],
    })
    const topics = ['--topic', 'transfers', '--topic', 'customers.lock']
    expect(await json('webhooks', 'create', ...topics)).toMatchObject({
      url: null,
      status: 'active',
      topics: ['transfers', 'customers.lock'],
    })
    expect((await run('webhooks', 'list')).stdout).toMatch(/ {2}active {2}sent nowhere +transfers, customers.lock$/m)
  })

  it('update, pause, activate and delete change it', async () => {
    const { run, json, createWebhook, receiver } = await setUp()
    const { uid } = await createWebhook('--topic', 'transfers')
    expect(await json('webhooks', 'update', uid, `${receiver.url}/new`, '--retry', 'none')).toMatchObject({
      url: `${receiver.url}/new`,
      topics: ['transfers'],
      retry_seconds: [],
    })
    expect(await json('webhooks', 'update', uid, '--topic', 'all')).toMatchObject({ topics: null })
    expect((await run('webhooks', 'pause', uid)).stdout).toBe(`Paused ${uid}\n`)
    const test = await run('webhooks', 'test', uid)
    expect(test, 'nothing is sent to a paused webhook').toMatchObject({ code: 1 })
    expect(test.stdout).toMatch(/\n {2}due {8}\S+ {2}not sent yet\n$/)
    expect((await run('webhooks', 'activate', uid)).stdout).toBe(`${uid} is active\n`)
    expect((await run('webhooks', 'delete', uid)).stdout).toBe(`Deleted ${uid}\n`)
    expect((await run('webhooks', 'list')).stdout).toBe('No webhooks\n')
    expect(await run('webhooks', 'delete', uid)).toMatchObject({
      code: 1,
      stderr: `webhooks.delete is refused: webhooks holds no record ${uid}\n`,
    })
  })

  it('an advance does not wait for a silent receiver with --no-wait, and says without it what it has not sent', async () => {
    const { run, createWebhook, receiver, receiveInterest, json } = await setUp()
    receiver.answer = () => {}
    const { uid } = await createWebhook('--no-confirm', '--topic', 'transactions.created', '--retry', '60')
    for (let times = 0; times < 3; times++) await receiveInterest()
    await expect.poll(() => receiver.received.length).toBe(3)
    const began = performance.now()
    const undo = /^undo: sandbank undo \d+ \(with what came later\)\n$/
    expect(await run('clock', 'advance', '1h', '--no-wait')).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(undo),
    })
    expect(performance.now() - began).toBeLessThan(4_000)
    const { code, stderr } = await run('clock', 'advance', '1h')
    expect(code).toBe(0)
    expect(stderr.replace(/undo: .*\n$/, '')).toBe(
      `${receiver.url} did not answer 3 attempts in time, so 3 further attempts were not sent and have failed. Start the receiver, then send the events again with events.resend\n`,
    )
    const { data } = (await json('events', 'list')) as { data: EventWithDeliveries[] }
    expect(data.flatMap(({ deliveries }) => deliveries.map((one) => [one.webhook_uid, one.status]))).toEqual(
      Array(3).fill([uid, 'failed']),
    )
  })

  it('works for a Program, by its name', async () => {
    const { run, json } = await setUp()
    await run('control', 'programs.create', 'name=Other')
    const webhook = (await json('webhooks', 'create', '--program', 'Other')) as Webhook
    const of = async (name: string) =>
      ((await json('webhooks', 'list', '--program', name)) as { webhooks: Webhook[] }).webhooks.map(({ uid }) => uid)
    expect(await of('Other')).toEqual([webhook.uid])
    const { stderr } = await run('webhooks', 'list', '--program', 'None')
    expect(stderr).toMatch(/^There is no Program None: one of /)
  })
})

describe('sandbank events', () => {
  it('list prints each event with its deliveries, show also details and attempts', async () => {
    const { run, createWebhook, receiver, receiveInterest, json } = await setUp()
    expect((await run('events', 'list')).stdout).toBe('No events\n')
    await createWebhook('--topic', 'transactions', '--no-confirm')
    receiver.answer = (_event, response) => void response.writeHead(503).end('busy')
    await receiveInterest()
    await run('clock', 'advance', '31s')
    const { stdout } = await run('events', 'list', '--type', 'created')
    expect(stdout).toMatch(
      new RegExp(
        `^${TIME}  transactions.created  ${UID}  ${UID}\n  waiting    ${receiver.url}  2 attempts: 503  "busy"  \\d+ ms  next ${TIME}\n$`,
      ),
    )
    const { data } = (await json('events', 'list', '--type', 'created')) as { data: EventWithDeliveries[] }
    const [{ uid, record_uid } = { uid: '', record_uid: '' }] = data
    const shown = await run('events', 'show', uid)
    expect(shown.stdout.match(new RegExp(`^    ${TIME}  503  "busy"  \\d+ ms$`, 'gm'))).toHaveLength(2)
    expect(shown.stdout).toContain(`"transaction_uid": "${record_uid}"`)
    const some = await run('events', 'list', '-n', '1', '--topic', 'transactions', '--record', record_uid!)
    expect(some.stdout).toMatch(/transactions\.status_change[^\n]*\n[^\n]*\n1 of 2 events\n$/)
  })

  it('hold keeps an event back, release sends it, resend sends it again', async () => {
    const { run, createWebhook, receiver, receiveInterest, json } = await setUp()
    const { uid: webhook } = await createWebhook('--topic', 'transactions.created', '--no-confirm')
    receiver.answer = (_event, response) => void response.writeHead(500).end()
    await receiveInterest()
    await run('clock', 'advance', '0s')
    const { data } = (await json('events', 'list')) as { data: EventWithDeliveries[] }
    const { uid } = data[0]!
    expect((await run('events', 'hold', uid)).stdout).toMatch(/\n {2}held {7}\S+ {2}1 attempt: 500/)
    await run('clock', 'advance', '2h')
    expect(receiver.received).toHaveLength(1)
    receiver.answer = receiver.accept
    expect((await run('events', 'release', uid)).stdout).toMatch(/\n {2}delivered {2}\S+ {2}2 attempts: 204/)
    expect((await run('events', 'resend', uid)).stdout.match(/^ {2}delivered /gm)).toHaveLength(2)
    expect(await json('events', 'resend', uid, webhook)).toMatchObject({ uid, deliveries: { length: 3 } })
    expect(new Set(receiver.received.map(({ body }) => body.event_id))).toEqual(new Set([uid]))
    await run('webhooks', 'delete', webhook)
    expect((await run('events', 'show', uid)).stdout).toContain(`webhook ${webhook}, deleted  2 attempts: 204`)
  })
})
