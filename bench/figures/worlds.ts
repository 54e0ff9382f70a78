import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { handlers } from '../../src/api/http/handlers.ts'
import { openSandbox, type Sandbox } from '../../src/api/sandbox.ts'
import { SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import type { Tx } from '../../src/api/store/tx.ts'
import type { Body } from '../support/client.ts'

/** Worlds to measure in, created by the operations of the requests, without a network: the same records, commits and checks. */

export interface WorldOptions {
  readonly data: string
  readonly payments: number
  readonly by: 'book' | 'ach'
  /** Whether all payments have settled; otherwise an ACH payment is pending and settles three seconds later. */
  readonly settled: boolean
  /** The payments are spread over so many Programs; 1 by default. */
  readonly programs?: number
}

/** The uids that requests to the world need. */
export interface WorldUids {
  readonly customer: string
  readonly from: string
  readonly to: string
  readonly external: string
}

const START = Date.parse('2026-08-14T14:00:00.000Z')
const BATCH = 2_000
const UNLIMITED = { daily_amount: null, daily_count: null }
const PERSON = {
  first_name: 'Olive',
  last_name: 'Oyl',
  phone: '5155550123',
  ssn: '512-04-8823',
  dob: '1990-04-17',
  address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
}

/** Copies a world to a data folder. It is created if `worlds` does not have it from before. Returns its uids. */
export async function copyWorld(
  worlds: string,
  name: string,
  data: string,
  create: (folder: string) => Promise<WorldUids>,
): Promise<WorldUids> {
  const original = join(worlds, name)
  const uidsFile = `${original}.json`
  if (!existsSync(uidsFile)) {
    rmSync(original, { recursive: true, force: true })
    mkdirSync(worlds, { recursive: true })
    writeFileSync(uidsFile, JSON.stringify(await create(original)))
  }
  cpSync(original, data, { recursive: true, filter: (path) => !path.endsWith('.sock') })
  return JSON.parse(readFileSync(uidsFile, 'utf8')) as WorldUids
}

/** Returns the uids of the first Program. */
export async function createWorld({ data, payments, by, settled, programs = 1 }: WorldOptions): Promise<WorldUids> {
  const sandbox = await openEmpty(data)
  try {
    for (let n = 1; n < programs; n++) await control(sandbox, 'programs.create', { name: `Program ${n + 1}` })
    const owners: (readonly [string, WorldUids])[] = []
    for (const { uid } of sandbox.programs()) owners.push([uid, await createCustomer(sandbox, uid)])
    for (let created = 0; created < payments; created++) {
      const [program, uids] = owners[created % owners.length]!
      run(sandbox, 'createTransfer', transferBody(uids, by, sandbox.store.world.clock.at), {}, program)
      if (settled && (created + 1) % BATCH === 0) await settle(sandbox, by)
    }
    if (settled) await settle(sandbox, by)
    else await control(sandbox, 'clock.advance', { by: 'PT2S' })
    if (settled) await waitForWorldFile(sandbox, data)
    return owners[0]![1]
  } finally {
    await sandbox.close()
  }
}

/** Until it has nearly all commits: how many a start reads beside it would be a matter of chance. */
async function waitForWorldFile(sandbox: Sandbox, data: string): Promise<void> {
  while (sandbox.store.world.seq - savedSeq(join(data, 'world.jsonl')) >= SAVE_AFTER.commits) {
    await control(sandbox, 'clock.advance', { by: 'PT1S' })
    await sleep(100)
  }
}

function savedSeq(worldFile: string): number {
  const start = Buffer.alloc(1_000)
  const file = openSync(worldFile, 'r')
  readSync(file, start)
  closeSync(file)
  return Number(/"seq":(\d+)/.exec(start.toString())![1])
}

/** Payments from outside that wait for an authorization; all of these end at the same instant, 24 hours later. */
export async function createAuthorizations(data: string, payments: number): Promise<WorldUids> {
  const sandbox = await openEmpty(data)
  try {
    const [program] = sandbox.programs()
    await control(sandbox, 'programs.update', { uid: program!.uid, client_authorization: true })
    const uids = await createCustomer(sandbox)
    const { uid } = run(sandbox, 'createVirtualReferenceNumber', {
      name: 'Incoming',
      synthetic_account_uid: uids.from,
      routing_number: '110000000',
    })
    await control(sandbox, 'clock.advance', { by: 'PT1M' })
    for (let created = 0; created < payments; created++)
      run(sandbox, 'createMockTransaction', {
        transaction_type: 'ach',
        customer_uid: uids.customer,
        us_dollar_amount: '0.01',
        synthetic_account_uid: uids.from,
        virtual_reference_number_uid: uid,
      })
    return uids
  } finally {
    await sandbox.close()
  }
}

const openEmpty = (data: string) =>
  openSandbox({ version: '0', data, port: 0, world: 'empty', seed: 'bench', start: START, clock: 'frozen' })

/** At pace fast an ACH payment settles within a minute. */
const settle = (sandbox: Sandbox, by: 'book' | 'ach') =>
  control(sandbox, 'clock.advance', { by: by === 'ach' ? 'PT1M' : 'PT10S' })

async function createCustomer(sandbox: Sandbox, program = sandbox.programs()[0]!.uid): Promise<WorldUids> {
  const limits = { ach: UNLIMITED, wire: UNLIMITED, instant_payment: UNLIMITED }
  await control(sandbox, 'programs.update', { uid: program, limits })
  const run = (...[name, body, params]: [name: EndpointName, body?: Body, params?: Record<string, string>]) =>
    runIn(sandbox, program, name, body, params)
  const products = run('listProducts')
  const product_uid = products.data.find((one: Body) => one.prerequisite_product_uids.length === 0).uid
  const { uid: customer } = run('createCustomer', { email: 'olive@example.com', details: PERSON })
  run('onboardCustomer', { customer_uid: customer, product_uid })
  await control(sandbox, 'clock.advance', { by: 'PT2S' })
  const { pool_uids } = run('getCustomer', {}, { uid: customer })
  const types = new Map<string, string>(
    run('listSyntheticAccountTypes').data.map((type: Body) => [type.synthetic_account_category, type.uid]),
  )
  const open = (name: string, category: string, more: object = {}): string =>
    run('createSyntheticAccount', {
      name,
      pool_uid: pool_uids[0],
      synthetic_account_type_uid: types.get(category),
      ...more,
    }).uid
  const from = open('Operating', 'general')
  const external = open('Northern Mill', 'ach_external', {
    routing_number: '021000021',
    account_number: '7000010',
    ach: { account_type: 'checking', counterparty_name: 'Northern Mill Co' },
  })
  run('createMockTransaction', {
    transaction_type: 'wire',
    customer_uid: customer,
    us_dollar_amount: '9000000.00',
    synthetic_account_uid: from,
  })
  await control(sandbox, 'clock.advance', { by: 'PT10S' })
  return { customer, from, to: open('Reserve', 'general'), external }
}

export const transferBody = ({ customer, from, to, external }: WorldUids, by: 'book' | 'ach', now: string): Body => ({
  source_synthetic_account_uid: from,
  destination_synthetic_account_uid: by === 'ach' ? external : to,
  initiating_customer_uid: customer,
  usd_transfer_amount: '0.01',
  ...(by === 'ach'
    ? {
        ach: {
          originator_name: 'Harbor Payments',
          sec_code: 'CCD',
          entry_description: 'INVOICE',
          service_processing: 'STANDARD',
          effective_entry_date: now.slice(0, 10),
        },
      }
    : {}),
})

const run = (
  sandbox: Sandbox,
  name: EndpointName,
  body: Body,
  params = {},
  program = sandbox.programs()[0]!.uid,
): Body => runIn(sandbox, program, name, body, params)

function runIn(
  sandbox: Sandbox,
  program: string,
  name: EndpointName,
  body: Body = {},
  params: Record<string, string> = {},
): Body {
  const endpoint: Endpoint = endpoints[name]
  const input = { params, query: endpoint.query?.parse({}), body: endpoint.body?.parse(body) }
  const handler = (handlers as unknown as Record<string, (tx: Tx, input: unknown) => unknown>)[name]!
  const cause = { door: 'request', name: `${endpoint.method} ${endpoint.path}` } as const
  return sandbox.store.transact(program, cause, (tx) => endpoint.response.parse(handler(tx, input)))
}

async function control(sandbox: Sandbox, method: string, input: object): Promise<void> {
  const reply = await sandbox.call(method, input)
  if (!reply.ok) throw new Error(`${method} was refused: ${JSON.stringify(reply.error)}`)
}
