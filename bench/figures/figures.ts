import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { type Body, Caller, must, refreshToken } from '../support/caller.ts'
import { type Contestant, type Figure, figure, rounds, throughput } from './rounds.ts'
import { alone, bareExpress, jsonServer, memoryOf, ours, type Server } from './servers.ts'
import { type Cast, makeWorld, transferBody, type Wanted } from './worlds.ts'

/** The figures themselves: what is measured, against what, and what it should come to. */

export interface Row {
  readonly work: string
  readonly ours: string
  readonly against: string
  readonly result: string
  readonly target: string
  readonly met: boolean | undefined
}

export interface Options {
  readonly rounds: number
  readonly seconds: number
  /** Where made worlds are kept for another run; an empty text keeps none. */
  readonly worlds: string
  readonly say: (line: string) => void
}

const PAGE = 20
const SMALL = 1_000
const LARGE = 100_000
const DUE = { few: 1_000, many: 10_000 }

export async function figures(options: Options): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'sandbank-bench-'))
  try {
    const bench = new Bench(folder, options)
    return [
      ...(await bench.getOne()),
      ...(await bench.getPage()),
      ...(await bench.post()),
      ...(await bench.advance()),
      ...(await bench.coldStart()),
      ...(await bench.memory()),
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export class Bench {
  readonly #folder: string
  readonly #made: string
  readonly #rounds: number
  readonly #seconds: number
  readonly #say: (line: string) => void
  readonly #worlds = new Map<string, Promise<Cast>>()
  #copies = 0

  constructor(folder: string, { rounds: count, seconds, worlds, say }: Options) {
    this.#folder = folder
    this.#made = worlds === '' ? join(folder, 'worlds') : worlds
    this.#rounds = count
    this.#seconds = seconds
    this.#say = say
  }

  // ── Requests

  async getOne(): Promise<Row[]> {
    const { server, cast } = await this.#serve(0)
    const path = `/api/v1/customers/${cast.customer}`
    const text = await this.#read(server, path)
    const express = await bareExpress(this.#file('one', { [path]: text }))
    const other = await jsonServer(this.#file('customers', { customers: [{ ...JSON.parse(text), id: cast.customer }] }))
    const found = await this.#race(
      'GET one Customer',
      [server, express, other],
      [
        await this.#get('ours', server, path),
        await this.#get('express', express, path),
        await this.#get('json-server', other, `/customers/${cast.customer}`),
      ],
    )
    const row = rowOf('GET one Customer', found)
    return [row('bare Express', 'express', 0.6), row('json-server 0.17', 'json-server', 1.3)]
  }

  async getPage(): Promise<Row[]> {
    const small = await this.#serve(SMALL)
    const large = await this.#serve(LARGE)
    const pathOf = ({ from }: Cast) => `/api/v1/transactions?synthetic_account_uid=${from}&limit=${PAGE}`
    const text = await this.#read(large.server, pathOf(large.cast))
    const express = await bareExpress(this.#file('page', { '/api/v1/transactions': text }))
    const found = await this.#race(
      'GET a page',
      [small.server, large.server, express],
      [
        await this.#get('small', small.server, pathOf(small.cast)),
        await this.#get('large', large.server, pathOf(large.cast)),
        await this.#get('express', express, pathOf(large.cast)),
      ],
    )
    const work = (size: number) => `GET ${PAGE} of the ${size.toLocaleString('en')} Transactions of one account`
    return [
      rowOf(work(SMALL), found, 'small')('bare Express, same bytes', 'express', 0.5),
      rowOf(work(LARGE), found, 'large')('bare Express, same bytes', 'express', 0.5),
      growth(work(LARGE), found.small!, found.large!, 'the same of 1,000'),
    ]
  }

  async post(): Promise<Row[]> {
    const empty = await this.#serve(0)
    const large = await this.#serve(LARGE)
    const path = '/api/v1/transfers'
    const bodyOf = (cast: Cast) => JSON.stringify(transferBody(cast, 'book', ''))
    const caller = new Caller(empty.server.line!)
    const made = await caller.api('POST', '/transfers', transferBody(empty.cast, 'book', ''))
    caller.close()
    const express = await bareExpress(this.#file('post', { [path]: made.text }), join(this.#folder, 'journal.jsonl'))
    const transfers = Array.from({ length: 10_000 }, (_, id) => ({ ...made.body, id }))
    const other = await jsonServer(this.#file('transfers', { transfers }))
    const found = {
      ...(await this.#race(
        'POST a book Transfer',
        [empty.server, large.server, express],
        [
          await this.#post('empty', empty.server, path, bodyOf(empty.cast)),
          await this.#post('large', large.server, path, bodyOf(large.cast)),
          await this.#post('express', express, path, bodyOf(empty.cast)),
        ],
      )),
      // It writes its whole file for each request, and the disk is busy for whoever comes next: so it comes last.
      ...(await this.#race(
        'json-server',
        [other],
        [await this.#post('json-server', other, '/transfers', bodyOf(empty.cast))],
      )),
    }
    const row = rowOf('POST a book Transfer, durable', found, 'empty')
    return [
      row('Express with a journal', 'express', 0.3),
      row('json-server at 10,000 records', 'json-server', 100),
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
    this.#say(`${work}: ${seconds(many)}`)
    return [
      { work, ours: seconds(many), against: '', result: '', target: '≤ 1.5 s', met: many.median <= 1_500 },
      {
        work,
        ours: `${(many.median / 10).toFixed(0)} µs for a task`,
        against: `over 1,000: ${few.median.toFixed(0)} µs`,
        result: `${perTask.toFixed(2)} ×`,
        target: 'the same (≤ 1.25 ×)',
        met: perTask <= 1.25,
      },
    ]
  }

  async #advanceOver(due: number): Promise<number> {
    const { data } = await this.#copy(due, false, 'ach')
    const server = await alone.ours(data)
    const caller = new Caller(server.line!, { withinMs: 120_000 })
    await must(caller.control('clock.read'))
    const began = performance.now()
    const { ran } = await must(caller.control('clock.advance', { by: 'PT1M' }))
    const took = performance.now() - began
    caller.close()
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
    const contestants = [
      { name: 'ours', measure: started(alone.ephemeral) },
      { name: 'express', measure: started(() => alone.bareExpress(answers)) },
      { name: 'large', measure: started(() => alone.ours(large.data)) },
    ]
    const found = await rounds(contestants, Math.max(3, this.#rounds))
    const ratio = found.ours!.median / found.express!.median
    this.#say(`Cold start: ${seconds(found.ours!)}, bare Express ${seconds(found.express!)}`)
    return [
      {
        work: 'Cold start to the first answer, empty world',
        ours: seconds(found.ours!),
        against: `bare Express: ${seconds(found.express!)}`,
        result: `${ratio.toFixed(2)} ×`,
        target: '≤ 2.5 ×',
        met: ratio <= 2.5,
      },
      {
        work: 'Cold start with 100,000 Transactions',
        ours: seconds(found.large!),
        against: '',
        result: '',
        target: '≤ 2.5 s',
        met: found.large!.median <= 2_500,
      },
    ]
  }

  async memory(): Promise<Row[]> {
    const rows: Row[] = []
    for (const by of ['book', 'ach'] as const) {
      const { data, cast } = await this.#copy(LARGE, true, by)
      const server = await alone.ours(data)
      const path = `/api/v1/transactions?synthetic_account_uid=${cast.from}&limit=${PAGE}`
      const { measure } = await this.#get('ours', server, path)
      await measure()
      const used = memoryOf(server.pid)
      await server.stop()
      rows.push({
        work: `Memory with 100,000 Transactions (${by === 'book' ? 'book transfers' : 'ACH'})`,
        ours: `${used.toFixed(0)} MB RSS`,
        against: '',
        result: '',
        target: by === 'book' ? '≤ 350 MB' : '',
        met: by === 'book' ? used <= 350 : undefined,
      })
      this.#say(`Memory (${by}): ${used.toFixed(0)} MB`)
    }
    return rows
  }

  // ── Worlds and servers

  /** A running sandbox over a copy of such a world, which is made once. */
  async #serve(payments: number, settled = true, by: Wanted['by'] = 'book') {
    const { data, cast } = await this.#copy(payments, settled, by)
    return { server: await ours(data), cast }
  }

  async #copy(payments: number, settled = true, by: Wanted['by'] = 'book') {
    const name = `${by}-${payments}-${settled ? 'settled' : 'due'}`
    const made = join(this.#made, name)
    if (!this.#worlds.has(name)) this.#worlds.set(name, this.#make(made, { data: made, payments, by, settled }))
    const cast = await this.#worlds.get(name)!
    const data = join(this.#folder, `${name}-${++this.#copies}`)
    cpSync(made, data, { recursive: true })
    return { data, cast }
  }

  /** A world that was made by another run tells who is in it by a file beside it. */
  async #make(made: string, wanted: Wanted): Promise<Cast> {
    const beside = `${made}.json`
    if (existsSync(beside)) return JSON.parse(readFileSync(beside, 'utf8')) as Cast
    const { payments, by, settled } = wanted
    this.#say(
      `Making a world: ${payments.toLocaleString('en')} ${by} payments, ${settled ? 'settled' : 'about to settle'}`,
    )
    rmSync(made, { recursive: true, force: true })
    const cast = await makeWorld(wanted)
    writeFileSync(beside, JSON.stringify(cast))
    return cast
  }

  #file(name: string, content: Body): string {
    mkdirSync(join(this.#folder, 'peers'), { recursive: true })
    const path = join(this.#folder, 'peers', `${name}.json`)
    writeFileSync(path, JSON.stringify(content))
    return path
  }

  async #read(server: Server, path: string): Promise<string> {
    const caller = new Caller(server.line!)
    const { status, text } = await caller.api('GET', path.replace('/api/v1', ''))
    caller.close()
    if (status !== 200) throw new Error(`GET ${path} is answered with ${status}: ${text}`)
    return text
  }

  async #headers(server: Server): Promise<Record<string, string>> {
    if (!server.line) return {}
    const caller = new Caller(server.line)
    const { body } = await caller.wire.send({
      method: 'POST',
      path: '/api/v1/auth',
      headers: { authorization: refreshToken(server.line.programs[0]!), 'x-trace-id': `bench-${performance.now()}` },
    })
    caller.close()
    return { authorization: body.token }
  }

  async #get(name: string, server: Server, path: string): Promise<Contestant> {
    const headers = await this.#headers(server)
    const request = { method: 'GET', path, headers }
    return { name, measure: () => throughput(server.origin, request, this.#seconds) }
  }

  async #post(name: string, server: Server, path: string, body: string): Promise<Contestant> {
    const headers = { ...(await this.#headers(server)), 'content-type': 'application/json' }
    return { name, measure: () => throughput(server.origin, { method: 'POST', path, headers, body }, this.#seconds) }
  }

  /** The first round only warms up. */
  async #race(what: string, servers: readonly Server[], contestants: readonly Contestant[]) {
    for (const { measure } of contestants) await measure()
    const found = await rounds(contestants, this.#rounds)
    for (const server of servers) await server.stop()
    this.#say(
      `${what}: ${Object.entries(found)
        .map(([name, one]) => `${name} ${perSecond(one)}`)
        .join(', ')}`,
    )
    return found
  }
}

// ── Words

const whole = (n: number) => Math.round(n).toLocaleString('en')
const perSecond = ({ median, least, most }: Figure) => `${whole(median)}/s (${whole(least)} to ${whole(most)})`
const seconds = ({ median, least, most }: Figure) =>
  `${(median / 1000).toFixed(2)} s (${(least / 1000).toFixed(2)} to ${(most / 1000).toFixed(2)})`

const rowOf =
  (work: string, found: Record<string, Figure>, own = 'ours') =>
  (against: string, name: string, least: number): Row => {
    const ratio = found[own]!.median / found[name]!.median
    return {
      work,
      ours: perSecond(found[own]!),
      against: `${against}: ${perSecond(found[name]!)}`,
      result: `${ratio.toFixed(2)} ×`,
      target: `≥ ${least} ×`,
      met: ratio >= least,
    }
  }

/** How much longer one takes in a large world. */
function growth(work: string, small: Figure, large: Figure, against: string): Row {
  const ratio = small.median / large.median
  return {
    work,
    ours: perSecond(large),
    against: `${against}: ${perSecond(small)}`,
    result: `${ratio.toFixed(2)} × the time`,
    target: '≤ 1.25 × the time',
    met: ratio <= 1.25,
  }
}
