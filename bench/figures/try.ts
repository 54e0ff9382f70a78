import { performance } from 'node:perf_hooks'
import { type Body, Client, expectSuccess } from '../support/client.ts'
import { CLI } from '../support/process.ts'
import { figure, measureRounds, percentile } from './rounds.ts'
import { type Row, rowOf } from './row.ts'
import { type Server, timeProcess, unpinned } from './servers.ts'

/** What is tried first, in copies of the world: a request, the way to a goal, the repair of a refused request. And what explains itself. */

const TRIES = 500
const LARGE_TRIES = 100

type Print = (line: string) => void

/** `large`: a data folder with 100,000 payments. */
export async function tries(large: string, rounds: number, print: Print): Promise<Row[]> {
  const demo = await unpinned.ephemeral('demo')
  try {
    return [
      await tryPayment(demo, 'of the demo', TRIES, { p50: 10, p99: 40 }, print),
      await inLargeWorld(large, print),
      await reachGoals(print),
      await repairRequests(demo, print),
      ...(await explain(rounds, print)),
    ]
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
    if (answers[0].output?.status !== 201 || changes.balances.length === 0)
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

/** Between two accounts of the newest Customer with two, one of which has money. */
async function payment(client: Client): Promise<string> {
  const { data: customers }: Body = await expectSuccess(client.api('GET', '/customers?status=active&limit=100'))
  for (const { uid } of customers) {
    const path = `/synthetic_accounts?status=active&customer_uid=${uid}&limit=100`
    const { data }: Body = await expectSuccess(client.api('GET', path))
    const own: Body[] = data.filter((account: Body) => account.synthetic_account_category === 'general')
    const from = own.find((account) => Number(account.net_usd_available_balance) >= 1)
    const to = own.find((account) => account !== from)
    if (from && to)
      return JSON.stringify({
        source_synthetic_account_uid: from.uid,
        destination_synthetic_account_uid: to.uid,
        initiating_customer_uid: uid,
        usd_transfer_amount: '0.01',
      })
  }
  throw new Error('No Customer has two accounts and money')
}

const GOALS = [
  ...['customers=active', 'customers=archived', 'transactions=returned code=R10', 'transfers=failed'],
  ...['event=transfers.rtp_settlement', 'event=customers.lock', 'error=1004', 'error=3006', 'error=6010'],
]

/** Each from the empty world. */
async function reachGoals(print: Print): Promise<Row> {
  const server = await unpinned.ephemeral()
  const client = new Client(server.output!, { withinMs: 120_000 })
  const times: number[] = []
  try {
    for (const goal of GOALS) {
      times.push(await timeOf(() => expectSuccess(client.control('reach', { goal }))))
      print(`Reach ${goal}: ${seconds(times.at(-1)!)}`)
    }
  } finally {
    client.close()
    await server.stop()
  }
  const most = Math.max(...times)
  return rowOf(`Reach each of ${GOALS.length} goals from the empty world`, `at most ${seconds(most)}`, {
    target: '≤ 5 s each',
    isMet: most <= 5_000,
  })
}

/** Each is refused for another reason. */
const REFUSED = [
  { method: 'GET', path: '/customers?limit=-1' },
  { method: 'GET', path: '/customers/aaaaaaaaaaaaaaaa' },
  { method: 'GET', path: '/custmers' },
  { method: 'POST', path: '/customers', body: '{"external_uid":""}' },
  { method: 'POST', path: '/customers', body: '{"email":' },
  { method: 'POST', path: '/transfers', body: '{}' },
]

async function repairRequests({ output }: Server, print: Print): Promise<Row> {
  const client = new Client(output!)
  const times: number[] = []
  for (const request of REFUSED)
    times.push(
      await timeOf(async () => {
        const { repairs, none } = await expectSuccess(client.control('exchanges.repair', { request }))
        if (repairs.length === 0) throw new Error(`${request.method} ${request.path} has no repair: ${none}`)
      }),
    )
  client.close()
  const { median, most } = figure(times)
  const found = `median ${seconds(median)}, at most ${seconds(most)}`
  print(`Repair a refused request: ${found}`)
  return rowOf(`Repair each of ${REFUSED.length} refused requests`, found, {
    target: 'median ≤ 2 s',
    isMet: median <= 2_000,
  })
}

/** As whole processes. `call` finds the sandbox of the demo, and gets a token of it. */
async function explain(rounds: number, print: Print): Promise<Row[]> {
  const call = ['call', 'GET', 'customers', 'limit=1']
  const commands = { describe: ['describe', 'POST /transfers'], map: ['map'], help: ['help'], call }
  const candidates = Object.entries(commands).map(([name, args]) => ({
    name,
    measure: () => timeProcess([CLI, ...args]),
  }))
  const node = { name: 'node', measure: () => timeProcess(['--eval', '0']) }
  const found = await measureRounds([...candidates, node], Math.max(15, rounds))
  return Object.keys(commands).map((name) => {
    const [ours, bare] = [found[name]!.median, found.node!.median]
    print(`sandbank ${name}: ${ours.toFixed(0)} ms, node ${bare.toFixed(0)} ms`)
    return rowOf(`\`sandbank ${name}\` as a process`, `${ours.toFixed(0)} ms`, {
      peer: `Node alone: ${bare.toFixed(0)} ms`,
      result: `${(ours / bare).toFixed(2)} ×`,
      ...(name === 'call'
        ? { target: '≤ 150 ms', isMet: ours <= 150 }
        : { target: '≤ 1.5 ×', isMet: ours <= 1.5 * bare }),
    })
  })
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`
