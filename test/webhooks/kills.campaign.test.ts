import { expect, it } from 'vitest'
import { campaignSize } from '../support/campaign.ts'
import { serve } from '../support/cli.ts'
import { apiClient } from '../support/client.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startReceiver } from '../support/receiver.ts'

/** `WEBHOOK_KILLS=1000 npx vitest run test/webhooks/kills` kills a thousand times. */
const KILLS = Number(process.env.WEBHOOK_KILLS ?? campaignSize(3, 20))
const WORKERS = 4

type Served = Awaited<ReturnType<typeof serve>>

/** The fields that this test reads. */
interface Answer {
  readonly uid: string
  readonly data: readonly ListedEvent[]
}

async function control({ line }: Served, name: string, input: object) {
  const response = await fetch(`${line.control}/${name}`, {
    method: 'POST',
    headers: { 'x-control-key': line.control_key, 'content-type': 'application/json' },
    body: JSON.stringify(input),
  })
  expect(response.status, name).toBe(200)
  return (await response.json()) as Answer
}

it(`no event of an answered change is missing over ${KILLS} kills, and duplicates carry the same event_id`, {
  timeout: 60_000 + KILLS * 20_000,
}, async () => {
  const receiver = await startReceiver()
  // A part of the deliveries is accepted late, or not at once.
  let count = 0
  receiver.answer = (event, response) => {
    if (++count % 7 === 0) response.writeHead(503).end()
    else setTimeout(() => receiver.accept(event, response), count % 20)
  }
  const data = createTemporaryFolder()
  const open = (more: readonly string[] = []) => serve(['--data', data, ...more])
  const first = await open(['--world', 'empty', '--clock', 'frozen'])
  const webhook = await control(first, 'webhooks.create', { url: receiver.url, confirm: false, topics: ['customers'] })
  first.child.kill('SIGKILL')
  await first.ended

  const answered: string[] = []
  for (let kill = 0; kill < KILLS; kill++) {
    const served = await open()
    const client = apiClient(served)
    let isAlive = true
    const work = async () => {
      while (isAlive) {
        const created = await client.post('/customers', { email: 'ada@example.test' }).catch(() => undefined)
        if (created?.status !== 201) return
        const uid = String(created.body.uid)
        const move = { collection: 'customers', uid, move: 'lock', inputs: { lock_reason: 'Lost phone' } }
        const moved = await control(served, 'moves.make', move).catch(() => undefined)
        if (moved) answered.push(uid)
        if (answered.length % 5 === 0) await callOthers(served, webhook.uid).catch(() => undefined)
      }
    }
    const load = Promise.all(Array.from({ length: WORKERS }, work))
    const enough = answered.length + 5 + ((kill * 13) % 40)
    await Promise.race([load, expect.poll(() => answered.length).toBeGreaterThanOrEqual(enough)])
    served.child.kill('SIGKILL')
    isAlive = false
    await Promise.all([load, served.ended])
  }
  const last = await open()
  const held = async () => (await listEvents(last)).filter(({ deliveries }) => deliveries.some(isHeld))
  for (const { uid } of await held()) await control(last, 'events.release', { uid })
  await control(last, 'clock.advance', { until: 'idle' })

  const sent = new Map<string, Set<string>>()
  for (const { body } of receiver.received) {
    if (body.event_type === 'test') continue
    const uid = String(body.details.customer_uid)
    sent.set(uid, (sent.get(uid) ?? new Set()).add(body.event_id))
  }
  expect(answered.length).toBeGreaterThan(KILLS * 4)
  expect(answered.filter((uid) => !sent.has(uid))).toEqual([])
  expect([...sent].filter(([, ids]) => ids.size !== 1)).toEqual([])
  const unfinished = (await listEvents(last)).flatMap(({ deliveries }) =>
    deliveries.filter(({ status }) => status !== 'delivered'),
  )
  expect(unfinished).toEqual([])
})

interface ListedEvent {
  readonly uid: string
  readonly deliveries: readonly { readonly status: string }[]
}

const isHeld = ({ status }: { readonly status: string }) => status === 'held'

async function listEvents(served: Served): Promise<readonly ListedEvent[]> {
  const events: ListedEvent[] = []
  for (;;) {
    const page = await control(served, 'events.list', { limit: 1000, offset: events.length })
    events.push(...page.data)
    if (page.data.length === 0) return events
  }
}

/** Every other method that sends, or that keeps from sending. */
async function callOthers(served: Served, webhook_uid: string) {
  const event = (await control(served, 'events.list', { limit: 1 })).data[0]!
  await control(served, 'events.hold', { uid: event.uid })
  await control(served, 'events.release', { uid: event.uid, failure: { kind: 'duplicate' } })
  await control(served, 'events.resend', { uid: event.uid, failure: { kind: 'corrupt_signature' } })
  await control(served, 'webhooks.test', { uid: webhook_uid })
}
