import { type EndpointName, endpoints } from '../../src/api/contract/endpoints.ts'
import type { Endpoint } from '../../src/api/contract/terms/endpoint.ts'
import { handlers } from '../../src/api/http/handlers.ts'
import { openSandbox, type Sandbox } from '../../src/api/sandbox.ts'
import type { Tx } from '../../src/api/store/tx.ts'
import type { Body } from '../support/caller.ts'

/**
 * Worlds to measure in, made by the operations behind the requests: the same records, commits and checks, without a
 * network in between.
 */

export interface Wanted {
  readonly data: string
  readonly payments: number
  readonly by: 'book' | 'ach'
  /** Whether time goes on until they have settled; else an ACH has begun by then, and settles three seconds later. */
  readonly settled: boolean
}

/** What requests to the world speak of. */
export interface Cast {
  readonly customer: string
  readonly from: string
  readonly to: string
  readonly external: string
}

const START = Date.parse('2026-08-14T14:00:00.000Z')
const AT_ONCE = 2_000
const MANY = { daily_amount: null, daily_count: null }
const PERSON = {
  first_name: 'Olive',
  last_name: 'Oyl',
  phone: '5155550123',
  ssn: '512-04-8823',
  dob: '1990-04-17',
  address: { street1: '1 Quay', city: 'Ames', state: 'IA', postal_code: '50010' },
}

export async function makeWorld({ data, payments, by, settled }: Wanted): Promise<Cast> {
  const sandbox = await openSandbox({
    version: '0',
    data,
    port: 0,
    world: 'empty',
    seed: 'bench',
    start: START,
    clock: 'frozen',
  })
  try {
    const cast = await begin(sandbox)
    for (let made = 0; made < payments; made++) {
      ask(sandbox, 'createTransfer', transferBody(cast, by, sandbox.store.world.clock.at))
      if (settled && (made + 1) % AT_ONCE === 0) await pass(sandbox, by)
    }
    if (settled) await pass(sandbox, by)
    else await must(sandbox, 'clock.advance', { by: 'PT2S' })
    return cast
  } finally {
    await sandbox.close()
  }
}

/** As an ACH takes days at most, and the fast pace makes seconds of them. */
const pass = (sandbox: Sandbox, by: 'book' | 'ach') =>
  must(sandbox, 'clock.advance', { by: by === 'ach' ? 'PT1M' : 'PT10S' })

async function begin(sandbox: Sandbox): Promise<Cast> {
  const [program] = sandbox.programs()
  const limits = { ach: MANY, wire: MANY, instant_payment: MANY }
  await must(sandbox, 'programs.update', { uid: program!.uid, limits })
  const products = ask(sandbox, 'listProducts')
  const product_uid = products.data.find((one: Body) => one.prerequisite_product_uids.length === 0).uid
  const { uid: customer } = ask(sandbox, 'createCustomer', { email: 'olive@example.com', details: PERSON })
  ask(sandbox, 'onboardCustomer', { customer_uid: customer, product_uid })
  await must(sandbox, 'clock.advance', { by: 'PT2S' })
  const { pool_uids } = ask(sandbox, 'getCustomer', {}, { uid: customer })
  const types = new Map<string, string>(
    ask(sandbox, 'listSyntheticAccountTypes').data.map((type: Body) => [type.synthetic_account_category, type.uid]),
  )
  const open = (name: string, category: string, more: object = {}): string =>
    ask(sandbox, 'createSyntheticAccount', {
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
  ask(sandbox, 'createMockTransaction', {
    transaction_type: 'wire',
    customer_uid: customer,
    us_dollar_amount: '9000000.00',
    synthetic_account_uid: from,
  })
  await must(sandbox, 'clock.advance', { by: 'PT10S' })
  return { customer, from, to: open('Reserve', 'general'), external }
}

export const transferBody = ({ customer, from, to, external }: Cast, by: 'book' | 'ach', now: string): Body => ({
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

function ask(sandbox: Sandbox, name: EndpointName, body: Body = {}, params: Record<string, string> = {}): Body {
  const endpoint: Endpoint = endpoints[name]
  const input = { params, query: endpoint.query?.parse({}), body: endpoint.body?.parse(body) }
  const handler = (handlers as unknown as Record<string, (tx: Tx, input: unknown) => unknown>)[name]!
  const cause = { door: 'request', name: `${endpoint.method} ${endpoint.path}` } as const
  return sandbox.store.transact(sandbox.programs()[0]!.uid, cause, (tx) => endpoint.response.parse(handler(tx, input)))
}

async function must(sandbox: Sandbox, method: string, input: object): Promise<void> {
  const reply = await sandbox.call(method, input)
  if (!reply.ok) throw new Error(`${method} was refused: ${JSON.stringify(reply.error)}`)
}
