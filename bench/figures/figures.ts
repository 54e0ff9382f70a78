import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Body, Client, expectSuccess } from '../support/client.ts'
import { type Candidate, type Figure, figure, measureRounds, throughput } from './rounds.ts'
import { type Row, rowOf } from './row.ts'
import { bareExpress, bareNode, memoryOf, processorTimeOf, type Server, sandbank, unpinned } from './servers.ts'
import { tries } from './try.ts'
import { copyWorld, createWorld, transferBody, type WorldOptions, type WorldUids } from './worlds.ts'

/** What is measured, what it is compared with, and the targets. */

export interface Options {
  readonly rounds: number
  readonly seconds: number
  /** A folder in which created worlds are stored for another run; without it they are deleted. */
  readonly worlds: string
  /** One group of figures; empty for all. */
  readonly only: string
  readonly print: (line: string) => void
}

const PAGE = 20
const SMALL = 1_000
const LARGE = 100_000
const DUE = { few: 1_000, many: 10_000 }

export async function figures(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-bench-'))
  // The measured command finds the measured sandbox, and no other one.
  process.env.XDG_RUNTIME_DIR = folder
  try {
    const bench = new Bench(folder, options)
    const groups: Record<string, () => Promise<Row[]>> = {
      get: () => bench.getOne(),
      page: () => bench.getPage(),
      cpu: () => bench.processorTime(),
      post: () => bench.post(),
      advance: () => bench.advance(),
      start: () => bench.coldStart(),
      memory: () => bench.memory(),
      try: () => bench.tries(),
    }
    const rows: Row[] = []
    for (const [name, measure] of Object.entries(groups))
      if (options.only === '' || options.only === name) rows.push(...(await measure()))
    return rows
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

class Bench {
  readonly #folder: string
  readonly #worldsFolder: string
  readonly #rounds: number
  readonly #seconds: number
  readonly #print: (line: string) => void
  #copies = 0

  constructor(folder: string, { rounds: count, seconds, worlds, print }: Options) {
    this.#folder = folder
    this.#worldsFolder = worlds === '' ? join(folder, 'worlds') : worlds
    this.#rounds = count
    this.#seconds = seconds
    this.#print = print
  }

  // ── Requests

  async getOne(): Promise<Row[]> {
    const { server, uids } = await this.#serve(0)
    const path = `/api/v1/customers/${uids.customer}`
    const text = await this.#read(server, path)
    const express = await bareExpress(this.#file('one', { [path]: text }))
    const found = await this.#measureRounds(
      'GET one Customer',
      [server, express],
      [await this.#get('sandbank', server, path), await this.#get('express', express, path)],
    )
    return [ratioOf('GET one Customer', found)('bare Express', 'express', 0.6)]
  }

  async getPage(): Promise<Row[]> {
    const small = await this.#serve(SMALL)
    const large = await this.#serve(LARGE)
    const pathOf = ({ from }: WorldUids) => `/api/v1/transactions?synthetic_account_uid=${from}&limit=${PAGE}`
    const text = await this.#read(large.server, pathOf(large.uids))
    const express = await bareExpress(this.#file('page', { '/api/v1/transactions': text }))
    const found = await this.#measureRounds(
      'GET a page',
      [small.server, large.server, express],
      [
        await this.#get('small', small.server, pathOf(small.uids)),
        await this.#get('large', large.server, pathOf(large.uids)),
        await this.#get('express', express, pathOf(large.uids)),
      ],
    )
    const work = (size: number) => `GET ${PAGE} of the ${size.toLocaleString('en')} Transactions of one account`
    return [
      ratioOf(work(SMALL), found, 'small')('bare Express, same bytes', 'express', 0.5),
      ratioOf(work(LARGE), found, 'large')('bare Express, same bytes', 'express', 0.5),
      growth(work(LARGE), found.small!, found.large!, 'the same of 1,000'),
    ]
  }

  /** Of the servers, for each request: unlike the requests per second, other work on the machine hardly changes its ratio. */
  async processorTime(): Promise<Row[]> {
    if (process.platform !== 'linux') return []
    const { server, uids } = await this.#serve(SMALL)
    const work = [
      { name: 'GET one Customer', path: `/api/v1/customers/${uids.customer}`, most: 2 },
      { name: 'GET a page of 20', path: `/api/v1/transactions?synthetic_account_uid=${uids.from}&limit=20`, most: 3 },
    ]
    const texts = await Promise.all(work.map(async ({ path }) => [path, await this.#read(server, path)] as const))
    const node = await bareNode(this.#file('node', Object.fromEntries(texts)))
    const candidates = await Promise.all(
      work.flatMap(({ name, path }) => [
        this.#processorTime(name, server, path),
        this.#processorTime(`${name}, bare node:http`, node, path),
      ]),
    )
    for (const { measure } of candidates) await measure()
    const found = await measureRounds(candidates, this.#rounds)
    for (const one of [server, node]) await one.stop()
    return work.map(({ name, most }) => {
      const [ours, bare] = [found[name]!.median, found[`${name}, bare node:http`]!.median]
      this.#print(`Processor time, ${name}: ${ours.toFixed(0)} µs, bare node:http ${bare.toFixed(0)} µs`)
      return rowOf(`Processor time of ${name}`, `${ours.toFixed(0)} µs`, {
        peer: `bare node:http, same bytes: ${bare.toFixed(0)} µs`,
        result: `${(ours / bare).toFixed(2)} ×`,
        target: `≤ ${most.toFixed(1)} ×`,
        isMet: ours <= most * bare,
      })
    })
  }

  async #processorTime(name: string, server: Server, path: string): Promise<Candidate> {
    const { measure } = await this.#get(name, server, path)
    return {
      name,
      measure: async () => {
        const before = processorTimeOf(server.pid)
        const requests = (await measure()) * this.#seconds
        return ((processorTimeOf(server.pid) - before) * 1_000) / requests
      },
    }
  }

  async post(): Promise<Row[]> {
    const empty = await this.#serve(0)
    const large = await this.#serve(LARGE)
    const path = '/api/v1/transfers'
    const bodyOf = (uids: WorldUids) => JSON.stringify(transferBody(uids, 'book', ''))
    const client = new Client(empty.server.output!)
    const created = await client.api('POST', '/transfers', transferBody(empty.uids, 'book', ''))
    client.close()
    const express = await bareExpress(this.#file('post', { [path]: created.text }), join(this.#folder, 'journal.jsonl'))
    const found = await this.#measureRounds(
      'POST a book Transfer',
      [empty.server, large.server, express],
      [
        await this.#post('empty', empty.server, path, bodyOf(empty.uids)),
        await this.#post('large', large.server, path, bodyOf(large.uids)),
        await this.#post('express', express, path, bodyOf(empty.uids)),
      ],
    )
    return [
      ratioOf('POST a book Transfer, durable', found, 'empty')('Express with a journal', 'express', 0.3),
      growth('POST a book Transfer among 100,000', found.empty!, found.large!, 'the same in an empty world'),
    ]
  }

  // ── Time, starting, memory

  async advance(): Promise<Row[]> {
    const times: Record<'few' | 'many', number[]> = { few: [], many: [] }
    for (let round = 0; round < Math.max(3, this.#rounds); round++)
      for (const size of ['few', 'many'] as const) times[size].push(await this.#advanceOver(DUE[size]))
    const [few, many] = [figure(times.few), figure(times.many)]
    const perTask = many.median / DUE.many / (few.median / DUE.few)
    const work = 'Advance over 10,000 due settlements'
    this.#print(`${work}: ${seconds(many)}`)
    return [
      rowOf(work, seconds(many), { target: '≤ 1.5 s', isMet: many.median <= 1_500 }),
      rowOf(work, `${(many.median / 10).toFixed(0)} µs for a task`, {
        peer: `over 1,000: ${few.median.toFixed(0)} µs`,
        result: `${perTask.toFixed(2)} ×`,
        target: 'the same (≤ 1.25 ×)',
        isMet: perTask <= 1.25,
      }),
    ]
  }

  async #advanceOver(due: number): Promise<number> {
    const { data } = await this.#copy(due, false, 'ach')
    const server = await unpinned.sandbank(data)
    const client = new Client(server.output!, { withinMs: 120_000 })
    await expectSuccess(client.control('clock.read'))
    const began = performance.now()
    const { ran } = await expectSuccess(client.control('clock.advance', { by: 'PT1M' }))
    const took = performance.now() - began
    client.close()
    await server.stop()
    if (ran !== due) throw new Error(`${ran} tasks ran, and ${due} were due`)
    return took
  }

  async coldStart(): Promise<Row[]> {
    const answers = this.#file('nothing', {})
    const large = await this.#copy(LARGE)
    const started = (start: () => Promise<Server>) => async () => {
      const server = await start()
      await server.stop()
      return server.started_ms
    }
    const candidates = [
      { name: 'sandbank', measure: started(() => unpinned.ephemeral()) },
      { name: 'express', measure: started(() => unpinned.bareExpress(answers)) },
      { name: 'large', measure: started(() => unpinned.sandbank(large.data)) },
    ]
    const found = await measureRounds(candidates, Math.max(3, this.#rounds))
    const ratio = found.sandbank!.median / found.express!.median
    this.#print(`Cold start: ${seconds(found.sandbank!)}, bare Express ${seconds(found.express!)}`)
    return [
      rowOf('Cold start to the first answer, empty world', seconds(found.sandbank!), {
        peer: `bare Express: ${seconds(found.express!)}`,
        result: `${ratio.toFixed(2)} ×`,
        target: '≤ 2.5 ×',
        isMet: ratio <= 2.5,
      }),
      rowOf('Cold start with 100,000 Transactions', seconds(found.large!), {
        target: '≤ 2.5 s',
        isMet: found.large!.median <= 2_500,
      }),
    ]
  }

  async memory(): Promise<Row[]> {
    const rows: Row[] = []
    for (const by of ['book', 'ach'] as const) {
      const { data, uids } = await this.#copy(LARGE, true, by)
      const server = await unpinned.sandbank(data)
      const path = `/api/v1/transactions?synthetic_account_uid=${uids.from}&limit=${PAGE}`
      const { measure } = await this.#get('sandbank', server, path)
      await measure()
      const used = memoryOf(server.pid)
      await server.stop()
      const work = `Memory with 100,000 Transactions (${by === 'book' ? 'book transfers' : 'ACH'})`
      const target = by === 'book' ? { target: '≤ 350 MB', isMet: used <= 350 } : {}
      rows.push(rowOf(work, `${used.toFixed(0)} MB RSS`, target))
      this.#print(`Memory (${by}): ${used.toFixed(0)} MB`)
    }
    return rows
  }

  async tries(): Promise<Row[]> {
    const { data } = await this.#copy(LARGE)
    return tries(data, this.#rounds, this.#print)
  }

  // ── Worlds and servers

  /** A sandbox on a copy of a world; each world is created once. */
  async #serve(payments: number, settled = true, by: WorldOptions['by'] = 'book') {
    const { data, uids } = await this.#copy(payments, settled, by)
    return { server: await sandbank(data), uids }
  }

  async #copy(payments: number, settled = true, by: WorldOptions['by'] = 'book') {
    const name = `${by}-${payments}-${settled ? 'settled' : 'due'}`
    const data = join(this.#folder, `${name}-${++this.#copies}`)
    const uids = await copyWorld(this.#worldsFolder, name, data, (folder) => {
      const state = settled ? 'settled' : 'about to settle'
      this.#print(`Creating a world: ${payments.toLocaleString('en')} ${by} payments, ${state}`)
      return createWorld({ data: folder, payments, by, settled })
    })
    return { data, uids }
  }

  #file(name: string, content: Body): string {
    mkdirSync(join(this.#folder, 'peers'), { recursive: true })
    const path = join(this.#folder, 'peers', `${name}.json`)
    writeFileSync(path, JSON.stringify(content))
    return path
  }

  async #read(server: Server, path: string): Promise<string> {
    const client = new Client(server.output!)
    const { status, text } = await client.api('GET', path.replace('/api/v1', ''))
    client.close()
    if (status !== 200) throw new Error(`GET ${path} is answered with ${status}: ${text}`)
    return text
  }

  async #headers(server: Server): Promise<Record<string, string>> {
    if (!server.output) return {}
    const client = new Client(server.output)
    const authorization = await client.token()
    client.close()
    return { authorization }
  }

  async #get(name: string, server: Server, path: string): Promise<Candidate> {
    const headers = await this.#headers(server)
    const request = { method: 'GET', path, headers }
    return { name, measure: () => throughput(server.origin, request, this.#seconds) }
  }

  async #post(name: string, server: Server, path: string, body: string): Promise<Candidate> {
    const headers = { ...(await this.#headers(server)), 'content-type': 'application/json' }
    return { name, measure: () => throughput(server.origin, { method: 'POST', path, headers, body }, this.#seconds) }
  }

  /** A first round, which is not counted, warms up. */
  async #measureRounds(what: string, servers: readonly Server[], candidates: readonly Candidate[]) {
    for (const { measure } of candidates) await measure()
    const found = await measureRounds(candidates, this.#rounds)
    for (const server of servers) await server.stop()
    this.#print(
      `${what}: ${Object.entries(found)
        .map(([name, one]) => `${name} ${perSecond(one)}`)
        .join(', ')}`,
    )
    return found
  }
}

// ── Text

const whole = (n: number) => Math.round(n).toLocaleString('en')
const perSecond = ({ median, least, most }: Figure) => `${whole(median)}/s (${whole(least)} to ${whole(most)})`
const seconds = ({ median, least, most }: Figure) =>
  `${(median / 1000).toFixed(2)} s (${(least / 1000).toFixed(2)} to ${(most / 1000).toFixed(2)})`

const ratioOf =
  (work: string, found: Record<string, Figure>, own = 'sandbank') =>
  (peer: string, name: string, least: number): Row => {
    const ratio = found[own]!.median / found[name]!.median
    return {
      work,
      sandbank: perSecond(found[own]!),
      peer: `${peer}: ${perSecond(found[name]!)}`,
      result: `${ratio.toFixed(2)} ×`,
      target: `≥ ${least} ×`,
      isMet: ratio >= least,
    }
  }

/** How much longer a request takes in a large world. */
function growth(work: string, small: Figure, large: Figure, peer: string): Row {
  const ratio = small.median / large.median
  return {
    work,
    sandbank: perSecond(large),
    peer: `${peer}: ${perSecond(small)}`,
    result: `${ratio.toFixed(2)} × the time`,
    target: '≤ 1.25 × the time',
    isMet: ratio <= 1.25,
  }
}
