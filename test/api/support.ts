import { request } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'vitest'
import type { Exchange, ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import type { Customer } from '../../src/api/contract/resources/customers.ts'
import type { Page } from '../../src/api/contract/terms/list.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import type { CustomerRecord, ProgramRecord } from '../../src/api/store/world.ts'
import { type ApiResponse, apiClient } from '../support/client.ts'
import { ask } from '../support/operator.ts'
import { customer, putRecord } from '../support/world.ts'

/** Helpers that several files of this folder use. */

export type CustomerPage = Page<Customer>

const OPERATOR = { door: 'operator', name: 'test' } as const

// ── Set up records directly ─────────────────────────────────────────────────────────────────────────────────────────

/** Writes a Customer directly, for states that no request reaches or that need many requests. */
export function putCustomer(sandbox: Sandbox, given: Partial<Omit<CustomerRecord, 'made'>> = {}): CustomerRecord {
  const { details, ...rest } = given
  return sandbox.store.operate(OPERATOR, (tx) => {
    const plain = customer(tx.inProgram(sandbox.programs()[0]!.uid), { kyc_status: 'approved', status: 'active' })
    return tx.customers.put({ ...plain, ...rest, details: { ...plain.details, ...details } })
  })
}

/** Changes the settings of the demonstration Program. */
export function configure(sandbox: Sandbox, settings: Partial<Omit<ProgramRecord, 'uid' | 'program_uid' | 'made'>>) {
  const { uid } = sandbox.programs()[0]!
  putRecord(sandbox, 'programs', uid, settings)
}

/** Adds a Program and a client that signs in to it. Without `client_uid` it belongs to the same Client. */
export function addProgram(sandbox: Sandbox, settings: Partial<Omit<ProgramRecord, 'made'>> = {}) {
  const { made: _, ...first } = sandbox.store.world.collections.programs.inOrder()[0]!
  const uid = settings.uid ?? 'SecondProgram123'
  sandbox.store.operate(OPERATOR, (tx) =>
    tx.programs.put({ ...first, name: 'Second', hmac_key: `key of ${uid}`, ...settings, uid, program_uid: uid }),
  )
  return apiClient(
    sandbox,
    sandbox.programs().findIndex((program) => program.uid === uid),
  )
}

// ── What the window shows ───────────────────────────────────────────────────────────────────────────────────────────

export { ask }

export const advance = (sandbox: Sandbox, by: string) => ask(sandbox, 'clock.advance', { by })

/** Every exchange of the log in full, newest first. */
export async function exchangesOf(sandbox: Sandbox): Promise<ExchangeDetail[]> {
  const { data } = await ask<Page<Exchange>>(sandbox, 'exchanges.list', { limit: 1000 })
  return Promise.all(data.map(({ uid }) => ask<ExchangeDetail>(sandbox, 'exchanges.get', { uid })))
}

export async function lastExchange(sandbox: Sandbox): Promise<ExchangeDetail> {
  const [last] = await exchangesOf(sandbox)
  expect(last).toBeDefined()
  return last!
}

/** What a refused request must not change: commits, generated uids and records. */
export const worldOf = ({ store: { world } }: Sandbox) => ({
  seq: world.seq,
  counters: world.counters,
  customers: world.collections.customers.inOrder(),
})

// ── Bytes that no polite client would send ──────────────────────────────────────────────────────────────────────────

/** A response whose body may be something other than JSON. */
export interface RawAnswer extends ApiResponse<unknown> {
  /** All received bytes, also if they are not HTTP. */
  readonly bytes: string
}

/** Writes these bytes and reads until the server closes the connection. */
export function sendBytes(sandbox: Sandbox, bytes: string | Uint8Array): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect(Number(new URL(sandbox.api).port), '127.0.0.1', () => void socket.write(bytes))
    socket.on('data', (chunk) => void chunks.push(chunk))
    // Ignore a reset: the bytes that arrived before it count.
    socket.on('error', () => {})
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks).toString('utf8'))))
  })
}

function readAnswer(bytes: string): RawAnswer {
  const end = bytes.indexOf('\r\n\r\n')
  const [first = '', ...lines] = (end < 0 ? bytes : bytes.slice(0, end)).split('\r\n')
  const text = end < 0 ? '' : bytes.slice(end + 4)
  const headers = new Headers()
  for (const line of lines) headers.append(line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim())
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1] ?? 0), headers, text, body: parsed(text), bytes }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Expects the error body of section 7 only: no HTML page, no stack trace, no path of a source file. */
export function expectErrorShape({ status, headers, text, body }: ApiResponse<unknown>) {
  expect(text, 'an error response of section 7 is a JSON object').toMatch(/^\{.*\}$/s)
  expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(text).not.toMatch(/<html|<!doctype|\\n\s+at |node_modules|\/src\/|\.[jt]s:\d/i)
  expect(body).toEqual({
    status,
    errors: [
      {
        code: expect.any(Number),
        title: expect.stringMatching(/./),
        detail: expect.stringMatching(/./),
        occurred_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        ...(text.includes('"extra":') ? { extra: expect.any(String) } : {}),
      },
    ],
  })
}

/** Sends a body in chunks without a content length. Stops writing when the response arrives. */
export function sendInChunks(
  sandbox: Sandbox,
  path: string,
  headers: Record<string, string>,
  chunk: Buffer,
  times: number,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    let answered = false
    const sent = request(sandbox.api + path, { method: 'POST', headers, agent: false }, (response) => {
      answered = true
      const chunks: Buffer[] = []
      response.on('data', (part: Buffer) => void chunks.push(part))
      const done = () => {
        const text = Buffer.concat(chunks).toString('utf8')
        const given = new Headers(
          Object.entries(response.headers).map(([name, value]): [string, string] => [name, String(value)]),
        )
        resolve({ status: response.statusCode ?? 0, headers: given, text, body: parsed(text), bytes: text })
        sent.destroy()
      }
      response.on('end', done)
      response.on('error', done)
    })
    sent.on('error', (error) => {
      if (!answered) reject(error)
    })
    let left = times
    const write = () => {
      while (left > 0 && !answered) {
        left--
        if (!sent.write(chunk)) return void sent.once('drain', write)
      }
      if (!answered) sent.end()
    }
    write()
  })
}

/** The hints in the header of a response. */
export const hintsOf = ({ headers }: { headers: Headers }) =>
  (headers.get('x-sandbank-hints') ?? '').split(', ').filter(Boolean).map(decodeURIComponent)
