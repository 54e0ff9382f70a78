import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { type Body, Client, expectSuccess } from '../support/client.ts'
import { type Figure, figure, measureRounds } from './rounds.ts'
import type { Row } from './row.ts'
import { receiver, type Server, sandbank } from './servers.ts'
import { transferBody, type WorldUids } from './worlds.ts'

/** Webhooks: what a receiver that does not work costs the requests of the API, and how long all attempts of a delivery take. */

/** A sandbox on a copy of a world without payments. */
export type Copy = () => Promise<{ readonly data: string; readonly uids: WorldUids }>

interface Measured {
  readonly server: Server
  readonly client: Client
  readonly uids: WorldUids
  readonly receiver: Server | undefined
}

/** Of requests, every tenth of which creates a Transfer and so two events. Well below what the sandbox can do, so that nothing queues. */
const PER_SECOND = 100
const EVERY = 10
const MOST = 1.1
/** A percentile needs more rounds than a median. */
const FACTOR = 4
const BAD = ['hang', 'slow', 'flood'] as const
const NAMES = { hang: 'never answers', slow: 'answers a byte at a time', flood: 'answers without an end' }

/** Many short rounds: other work of the machine then meets all of them alike. */
const ROUND_S = 2
const WARM_UP = 4

export async function webhooks(copy: Copy, rounds: number, seconds: number, print: (line: string) => void) {
  const shortRounds = Math.ceil((rounds * seconds * FACTOR) / ROUND_S)
  return [...(await besideReceivers(copy, shortRounds, print)), ...(await allAttempts(copy, rounds, print))]
}

async function besideReceivers(copy: Copy, rounds: number, print: (line: string) => void): Promise<Row[]> {
  const all = new Map<string, Measured>()
  for (const behavior of ['none', 'accept', ...BAD]) all.set(behavior, await open(copy, behavior))
  const candidates = [...all].map(([name, measured]) => ({ name, measure: () => percentile99(measured) }))
  for (let i = 0; i < WARM_UP; i++) for (const { measure } of candidates) await measure()
  const found = await measureRounds(candidates, rounds)
  for (const measured of all.values()) await close(measured)
  print(
    `p99 beside a receiver: ${Object.entries(found)
      .map(([name, one]) => `${name} ${ms(one)}`)
      .join(', ')}`,
  )
  const none = found.none!
  return [
    { work: 'p99 of requests while a receiver accepts events', name: 'accept', target: '' },
    ...BAD.map((name) => ({ work: `p99 of requests while a receiver ${NAMES[name]}`, name, target: `≤ ${MOST} ×` })),
  ].map(({ work, name, target }) => {
    const ratio = found[name]!.median / none.median
    return {
      ...{ work, sandbank: ms(found[name]!), peer: `without webhooks: ${ms(none)}`, result: `${ratio.toFixed(2)} ×` },
      ...{ target, isMet: target === '' ? undefined : ratio <= MOST },
    }
  })
}

/** In milliseconds. A request is sent at its time, whether or not the ones before it have been answered. */
async function percentile99({ client, uids }: Measured): Promise<number> {
  const count = PER_SECOND * ROUND_S
  const began = performance.now()
  const times: Promise<number>[] = []
  while (times.length < count) {
    const wait = began + (times.length * 1_000) / PER_SECOND - performance.now()
    if (wait > 0) await delay(wait)
    times.push(timeRequest(client, uids, times.length))
  }
  const sorted = (await Promise.all(times)).sort((a, b) => a - b)
  return sorted[Math.floor(count * 0.99)]!
}

async function timeRequest(client: Client, uids: WorldUids, n: number): Promise<number> {
  const began = performance.now()
  const isTransfer = n % EVERY === 0
  await expectSuccess(
    isTransfer
      ? client.api('POST', '/transfers', transferBody(uids, 'book', ''))
      : client.api('GET', `/customers/${uids.customer}`),
  )
  return performance.now() - began
}

/** One delivery that its receiver refuses ten times, in one advance over the time of all attempts. */
async function allAttempts(copy: Copy, rounds: number, print: (line: string) => void): Promise<Row[]> {
  const measured = await open(copy, 'refuse')
  const times: number[] = []
  for (let round = 0; round < Math.max(3, rounds); round++) times.push(await refuseAll(measured))
  await close(measured)
  const found = figure(times)
  const work = 'Ten refused attempts of two events, in one advance over 4 h 20 min'
  print(`${work}: ${ms(found)}`)
  return [{ work, sandbank: ms(found), peer: '', result: '', target: '≤ 1,000 ms', isMet: found.median <= 1_000 }]
}

async function refuseAll({ client, uids }: Measured): Promise<number> {
  await expectSuccess(client.api('POST', '/transfers', transferBody(uids, 'book', '')))
  const began = performance.now()
  await expectSuccess(client.control('clock.advance', { by: 'PT4H20M' }))
  const took = performance.now() - began
  const { data } = await expectSuccess(client.control('events.list', { limit: 10 }))
  const ends = data.flatMap(({ deliveries }: Body) =>
    deliveries.map(({ status, attempts }: Body) => `${status} after ${attempts.length}`),
  )
  if (ends.some((end: string) => end !== 'failed after 10')) throw new Error(`Deliveries ended so: ${ends.join(', ')}`)
  return took
}

/** `none`: a sandbox without webhooks. */
async function open(copy: Copy, behavior: string): Promise<Measured> {
  const { data, uids } = await copy()
  const server = await sandbank(data)
  const client = new Client(server.output!, { sockets: 16, withinMs: 60_000 })
  const told = behavior === 'none' ? undefined : await receiver(behavior)
  if (told) {
    const input = { url: told.origin, topics: ['transfers', 'transactions'], confirm: false }
    await expectSuccess(client.control('webhooks.create', input))
  }
  return { server, client, uids, receiver: told }
}

async function close({ server, client, receiver: told }: Measured) {
  client.close()
  await server.stop()
  await told?.stop()
}

const ms = ({ median, least, most }: Figure) => `${median.toFixed(2)} ms (${least.toFixed(2)} to ${most.toFixed(2)})`
