import { performance } from 'node:perf_hooks'
import { setTimeout as delay } from 'node:timers/promises'
import { Client, expectSuccess } from '../support/client.ts'
import { percentile } from './rounds.ts'
import { type Row, rowOf } from './row.ts'
import { memoryOf, processorTimeOf, type Server, unpinned } from './servers.ts'

/** Many worlds in one sandbox: how long creating and dropping one takes, and what a thousand of them need. */

const PAIRS = 2_000
const LARGE_PAIRS = 200
const LIVE = 1_000
const IDLE_S = 10

/** `large`: a data folder with 100,000 payments. */
export async function manyWorlds(large: string, print: (line: string) => void): Promise<Row[]> {
  const small = await unpinned.ephemeral()
  try {
    return [
      ...(await createAndDrop(small, 'of the demo', { from: 'demo' }, PAIRS, { p50: 2, p99: 10 }, print)),
      ...(await fromLarge(large, print)),
      ...(await live(small, print)),
    ]
  } finally {
    await small.stop()
  }
}

async function fromLarge(data: string, print: (line: string) => void): Promise<Row[]> {
  const server = await unpinned.sandbank(data)
  try {
    const target = { p50: 30, p99: 30 }
    return await createAndDrop(server, 'from 100,000 payments', { from: 'current' }, LARGE_PAIRS, target, print)
  } finally {
    await server.stop()
  }
}

/** One pair after the other, over HTTP. The first ones warm up. */
async function createAndDrop(
  { output }: Server,
  what: string,
  input: object,
  count: number,
  target: { readonly p50: number; readonly p99: number },
  print: (line: string) => void,
): Promise<Row[]> {
  const client = new Client(output!)
  const times: number[] = []
  for (let i = -count / 10; i < count; i++) {
    const began = performance.now()
    const { name } = await expectSuccess(client.control('worlds.create', input))
    await expectSuccess(client.control('worlds.drop', { name }))
    if (i >= 0) times.push(performance.now() - began)
  }
  client.close()
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  print(`Create and drop a world ${what}: p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`)
  return [
    rowOf(`Create and drop a world ${what}`, `p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`, {
      target: target.p50 === target.p99 ? `≤ ${target.p50} ms` : `p50 ≤ ${target.p50} ms, p99 ≤ ${target.p99} ms`,
      isMet: p50 <= target.p50 && p99 <= target.p99,
    }),
  ]
}

async function live({ output, pid }: Server, print: (line: string) => void): Promise<Row[]> {
  const client = new Client(output!)
  const before = memoryOf(pid)
  for (let i = 0; i < LIVE; i++) {
    // Half of them have a running clock. Each is used once.
    const input = { clock: i % 2 ? 'running' : 'frozen' }
    const { name } = await expectSuccess(client.control('worlds.create', input))
    await expectSuccess(client.control('clock.read', {}, `/worlds/${name}`))
  }
  client.close()
  const used = memoryOf(pid)
  await delay(1_000)
  const began = processorTimeOf(pid)
  await delay(IDLE_S * 1_000)
  const busy = processorTimeOf(pid) - began
  const idle = `${busy} ms in ${IDLE_S} s`
  print(`${LIVE} live worlds: ${used.toFixed(0)} MB (${before.toFixed(0)} without); idle ${busy} ms of ${IDLE_S} s`)
  return [
    rowOf(`Memory with ${LIVE.toLocaleString('en')} live worlds of the demo`, `${used.toFixed(0)} MB RSS`, {
      peer: `without them: ${before.toFixed(0)} MB`,
      target: '≤ 1,000 MB',
      isMet: used <= 1_000,
    }),
    rowOf(`Processor time of ${LIVE.toLocaleString('en')} idle worlds, half of them with a running clock`, idle, {
      result: `${((busy / IDLE_S / 1_000) * 100).toFixed(1)} %`,
      target: 'none (≤ 0.5 %)',
      isMet: busy <= IDLE_S * 1_000 * 0.005,
    }),
  ]
}
