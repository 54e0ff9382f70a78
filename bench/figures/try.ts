import { performance } from 'node:perf_hooks'
import { type Body, Client, expectSuccess } from '../support/client.ts'
import { percentile } from './rounds.ts'
import { type Row, rowOf } from './row.ts'
import { type Server, unpinned } from './servers.ts'

/** What is tried first: a request and what follows from it, in a copy of the world. */

const TRIES = 500
const LARGE_TRIES = 100

type Print = (line: string) => void

/** `large`: a data folder with 100,000 payments. */
export async function tries(large: string, print: Print): Promise<Row[]> {
  const demo = await unpinned.ephemeral('demo')
  try {
    return [await tryPayment(demo, 'of the demo', TRIES, { p50: 10, p99: 40 }, print), await inLargeWorld(large, print)]
  } finally {
    await demo.stop()
  }
}

async function inLargeWorld(data: string, print: Print): Promise<Row> {
  const server = await unpinned.sandbank(data)
  try {
    return await tryPayment(server, 'with 100,000 payments', LARGE_TRIES, { p50: 30, p99: 30 }, print)
  } finally {
    await server.stop()
  }
}

/** Over HTTP, one after the other: copy the world, send a payment, compare, drop the copy. The first ones warm up. */
async function tryPayment(
  { output }: Server,
  where: string,
  count: number,
  target: { readonly p50: number; readonly p99: number },
  print: Print,
): Promise<Row> {
  const client = new Client(output!)
  const call = { method: 'exchanges.send', input: { method: 'POST', path: '/transfers', body: await payment(client) } }
  const times: number[] = []
  for (let i = -count / 10; i < count; i++) {
    const began = performance.now()
    const { answers, changes } = await expectSuccess(client.control('worlds.try', { calls: [call] }))
    if (i >= 0) times.push(performance.now() - began)
    if (answers[0].output?.exchange.status !== 201 || changes.balances.length === 0)
      throw new Error(`The payment did nothing: ${JSON.stringify(answers)}`)
  }
  client.close()
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)]
  const found = `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`
  print(`Try a payment in a world ${where}: ${found}`)
  return rowOf(`Try a payment in a world ${where}`, found, {
    target: target.p50 === target.p99 ? `≤ ${target.p50} ms` : `p50 ≤ ${target.p50} ms, p99 ≤ ${target.p99} ms`,
    isMet: p50 <= target.p50 && p99 <= target.p99,
  })
}

/** Between two accounts of one Customer that has money. */
async function payment(client: Client): Promise<string> {
  const { data }: Body = await expectSuccess(client.api('GET', '/synthetic_accounts?status=active&limit=100'))
  const from = data.find(({ available_balance: amount }: Body) => Number(amount) >= 1)
  const to = data.find(
    ({ uid, customer_uid, synthetic_account_category: category }: Body) =>
      customer_uid === from?.customer_uid && uid !== from.uid && category !== 'external',
  )
  return JSON.stringify({
    source_synthetic_account_uid: from.uid,
    destination_synthetic_account_uid: to.uid,
    initiating_customer_uid: from.customer_uid,
    usd_transfer_amount: '0.01',
  })
}
