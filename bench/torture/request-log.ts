import { type Body, type Client, expectSuccess, type HttpRequest, type Response } from '../support/client.ts'
import type { Creation } from './load.ts'

/**
 * Compares the request log with the requests that were answered: each of them is there once with its own method, path and status,
 * no uid ever means two requests, and `why` of a record names the request that created it.
 */

const PAGE = 1_000
/** Records of a round whose `why` is read. */
const EXPLAINED = 5
const API = '/api/v1'

export class RequestLog {
  /** How often each request was answered since the last check. */
  readonly #answered = new Map<string, number>()
  /** Every uid that was ever in the log, and its request. */
  readonly #requests = new Map<string, string>()
  /** Entries that were compared. */
  checked = 0

  /** To be called for each response. */
  add = ({ method, path, headers }: HttpRequest, { status }: Response) => {
    const trace = headers?.['x-trace-id']
    // Without a trace id it is a call of the control API. Refusals before authentication are not saved.
    if (trace === undefined || !path.startsWith(API) || status === 401) return
    const line = describe({ method, path: path.slice(API.length), trace_id: trace, status })
    this.#answered.set(line, (this.#answered.get(line) ?? 0) + 1)
  }

  /** `creations`: those since the last check, all of which are in the current world. */
  async verify(client: Client, creations: readonly Creation[]): Promise<string[]> {
    const sent = [...this.#answered.values()].reduce((sum, count) => sum + count, 0)
    // Requests without an answer, replays and scenarios add entries of their own.
    const entries = await readNewest(client, sent + PAGE)
    const problems = [...this.#findReusedUids(entries), ...this.#findMissing(entries)]
    this.checked += sent
    this.#answered.clear()
    const answered = creations.filter(({ trace, response }) => trace !== undefined && response?.status === 201)
    for (const creation of answered.slice(-EXPLAINED)) problems.push(...(await explain(client, creation, entries)))
    return problems
  }

  #findReusedUids(entries: readonly Body[]): string[] {
    const problems: string[] = []
    for (const entry of entries) {
      const request = `${entry.method} ${entry.path} with the trace id ${entry.trace_id}`
      const before = this.#requests.get(entry.uid) ?? request
      this.#requests.set(entry.uid, request)
      if (before !== request) problems.push(`${entry.uid} was ${before}, and is ${request}`)
    }
    const uids = entries.map(({ uid }) => uid)
    if (new Set(uids).size < uids.length) problems.push('the request log has a uid twice')
    return problems
  }

  #findMissing(entries: readonly Body[]): string[] {
    const logged = new Map<string, number>()
    for (const entry of entries) logged.set(describe(entry), (logged.get(describe(entry)) ?? 0) + 1)
    return [...this.#answered]
      .filter(([line, count]) => logged.get(line) !== count)
      .map(([line, count]) => `${line}: answered ${count} times, logged ${logged.get(line) ?? 0} times`)
  }
}

const describe = ({ method, path, trace_id, status }: Body) => `${method} ${path}, trace id ${trace_id}, ${status}`

async function readNewest(client: Client, count: number): Promise<Body[]> {
  const entries: Body[] = []
  for (;;) {
    const page = await expectSuccess(client.control('exchanges.list', { limit: PAGE, offset: entries.length }))
    entries.push(...page.data)
    if (page.data.length < PAGE || entries.length >= count) return entries
  }
}

/** Where a record is, and a field of it that never changes. */
const PLACES = {
  customer: { collection: 'customers', field: 'external_uid' },
  account: { collection: 'synthetic_accounts', field: 'external_uid' },
  transfer: { collection: 'transfers', field: 'external_uid' },
  receipt: { collection: 'transactions', field: 'us_dollar_amount' },
} as const

/** The history of a record begins with the request that created it, and `why` goes back to that request. */
async function explain(client: Client, { kind, mark, trace, response }: Creation, entries: readonly Body[]) {
  const { collection, field } = PLACES[kind]
  const about = { collection, uid: response!.body.uid }
  const entry = entries.find(({ trace_id, status }) => trace_id === trace && status === 201)
  const { commits } = await expectSuccess(client.control('records.history', { ...about, limit: PAGE }))
  const created = commits.find(({ what }: Body) => what === 'made')
  const { chain } = await expectSuccess(client.control('why', { ...about, field }))
  const causes = chain.map(({ cause }: Body) => cause?.exchange)
  const problems: string[] = []
  if (created?.cause.exchange !== entry?.uid)
    problems.push(`${kind} ${mark} was created by ${entry?.uid}, its history says ${created?.cause.exchange}`)
  if (!causes.includes(entry?.uid)) problems.push(`${kind} ${mark} was created by ${entry?.uid}, why says ${causes}`)
  return problems
}
