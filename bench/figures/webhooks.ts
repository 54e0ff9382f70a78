import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { type Body, Client, expectSuccess } from '../support/client.ts'
import { Random } from '../support/random.ts'
import { type Figure, figure, percentile } from './rounds.ts'
import { type Row, rowOf } from './row.ts'
import { receiver, type Server, unpinned } from './servers.ts'
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
/** A percentile needs more time than a median. */
const FACTOR = 4
const BAD = ['hang', 'slow', 'flood'] as const
const NAMES = { hang: 'never answers', slow: 'answers a byte at a time', flood: 'answers without an end' }

/**
 * So many requests are sent to one sandbox, then to the next one, in random order, so that other work of the machine meets all kinds of
 * receivers alike. Each is opened for its turn, because nobody has six of them at work on two cores.
 */
const TURN = 1_000
/** Requests at the beginning of a turn that do not count. */
const NOT_COUNTED = 300

export async function webhooks(copy: Copy, rounds: number, seconds: number, print: (line: string) => void) {
  const turns = Math.ceil((rounds * seconds * FACTOR * PER_SECOND) / TURN)
  return [...(await besideReceivers(copy, turns, print)), ...(await allAttempts(copy, rounds, print))]
}

async function besideReceivers(copy: Copy, turns: number, print: (line: string) => void): Promise<Row[]> {
  const random = new Random('turns')
  // Two kinds whose receiver accepts show by how much the p99 of equal ones differs.
  const names = ['none', 'accept', 'again', ...BAD]
  const all = names.map((name) => ({ name, times: [] as number[] }))
  for (let turn = 0; turn < turns; turn++)
    for (const { name, times } of random.shuffle(all)) {
      const measured = await open(copy, name === 'again' ? 'accept' : name)
      times.push(...(await measureTurn(measured)))
      await close(measured)
    }
  const timesOf = (...wanted: string[]) => all.flatMap(({ name, times }) => (wanted.includes(name) ? times : []))
  const p99 = Object.fromEntries(names.map((name) => [name, percentile(timesOf(name), 0.99)]))
  const good = percentile(timesOf('accept', 'again'), 0.99)
  const show = (time: number) => `${time.toFixed(2)} ms`
  print(
    `p99 of ${turns * TURN} requests beside a receiver: ${names.map((name) => `${name} ${show(p99[name]!)}`).join(', ')}`,
  )
  const none = p99.none!
  return [
    rowOf('p99 of requests while a receiver accepts events', show(good), {
      peer: `without webhooks: ${show(none)}`,
      result: `${(good / none).toFixed(2)} ×`,
    }),
    ...BAD.map((name) => ({
      work: `p99 of requests while a receiver ${NAMES[name]}`,
      sandbank: show(p99[name]!),
      peer: `a receiver that accepts: ${show(good)}`,
      result: `${(p99[name]! / good).toFixed(2)} ×; ${(p99[name]! / none).toFixed(2)} × without webhooks`,
      target: `≤ ${MOST} ×`,
      isMet: p99[name]! / good <= MOST,
    })),
  ]
}

/** In milliseconds. A request is sent at its time, whether or not the ones before it have been answered. */
async function measureTurn({ client, uids }: Measured): Promise<readonly number[]> {
  const began = performance.now()
  const times: Promise<number>[] = []
  while (times.length < NOT_COUNTED + TURN) {
    const wait = began + (times.length * 1_000) / PER_SECOND - performance.now()
    if (wait > 0) await delay(wait)
    times.push(timeRequest(client, uids, times.length))
  }
  return (await Promise.all(times)).slice(NOT_COUNTED)
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
  return [rowOf(work, ms(found), { target: '≤ 1,000 ms', isMet: found.median <= 1_000 })]
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

/**
 * `none`: a sandbox without webhooks. It is not pinned: one core would be shared by the requests and the garbage collector's own
 * threads, and the p99 beside all receivers is longer then.
 */
async function open(copy: Copy, behavior: string): Promise<Measured> {
  const { data, uids } = await copy()
  const server = await unpinned.sandbank(data)
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
