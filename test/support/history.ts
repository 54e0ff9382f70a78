import { expect } from 'vitest'
import { PERSON } from './customers.ts'
import { createAsker } from './operator.ts'
import { ACH } from './payments.ts'
import { START, startSandbox, type TestSandbox } from './sandbox.ts'
import { canonical } from './world.ts'

/** Worlds with a long and varied history, for the tests of rewinds. */

const PROGRAM = 'Hb7QmXk2Tz9LrVw4'
const ACH_EXTERNAL = 'hC7dMf2SyJb8PkTw'
const WIRE_EXTERNAL = 'jE5rHx4GvNc9QmZs'
const GENERAL = 'gA3nWq9KtXv5LzRe'
export const CHECKING = 'cQ2vNf7ZxLm9TbKe'

/** Shorthands for requests and control methods that must succeed. */
export function createSession(sandbox: TestSandbox) {
  const api = sandbox.client()
  const ask = createAsker(sandbox)
  const post = async (path: string, body: object = {}) => {
    const answer = await api.post(path, body)
    expect(answer.status, answer.text).toBeLessThan(300)
    return answer.body as Record<string, string>
  }
  const put = async (path: string, json: object = {}) => {
    const answer = await api.call('PUT', path, { json })
    expect(answer.status, answer.text).toBeLessThan(300)
  }
  const list = async (path: string) =>
    (await api.get<{ data: (Record<string, string> & { pool_uids: string[] })[] }>(path)).body.data
  const move = (collection: string, uid: string, name: string, inputs: object = {}) =>
    ask('moves.make', { collection, uid, move: name, inputs })
  const advance = (input: object) => ask('clock.advance', input)
  const rewind = (seq: number) => ask<{ seq: number; now: string }>('world.rewind', { seq })
  const expectBalancedLedger = async () =>
    expect(await ask('ledger.check')).toMatchObject({ balanced: true, problems: [] })
  return { sandbox, api, ask, post, put, list, move, advance, rewind, expectBalancedLedger }
}
export type Session = ReturnType<typeof createSession>

export const openFresh = async (data: string | null = null) =>
  createSession(await startSandbox({ data, seed: 'test', start: START, world: 'empty' }))
export const reopen = async (data: string) => createSession(await startSandbox({ data }))

/** The world after each commit, by the number of the commit. */
export function recordStates({ sandbox: { store } }: Session): Map<number, string> {
  const states = new Map([[store.world.seq, canonical(store.world)]])
  store.subscribe(({ seq }) => void states.set(seq, canonical(store.world)))
  return states
}

/** A Customer with its Pool and master account. */
export async function createCustomer({ post, list, advance }: Session, n: number) {
  const { uid } = await post('/customers', { email: `c${n}@example.test`, details: { ...PERSON, first_name: `C${n}` } })
  await post('/customer_products', { customer_uid: uid, product_uid: CHECKING })
  await advance({ by: 'PT2S' })
  const [made] = await list(`/customers?uid=${uid}`)
  const [account] = await list(`/synthetic_accounts?customer_uid=${uid}&liability=true`)
  return { uid: uid!, pool: made!.pool_uids[0]!, master: account!.uid! }
}
type Person = Awaited<ReturnType<typeof createCustomer>>

const open = async ({ post }: Session, { pool }: Person, name: string, type: string, more: object = {}) =>
  (await post('/synthetic_accounts', { name, pool_uid: pool, synthetic_account_type_uid: type, ...more })).uid!

const pay = ({ post, sandbox }: Session, of: Person, from: string, to: string, amount: string) =>
  post('/transfers', {
    source_synthetic_account_uid: from,
    destination_synthetic_account_uid: to,
    initiating_customer_uid: of.uid,
    usd_transfer_amount: amount,
    ach: { ...ACH, effective_entry_date: sandbox.store.world.clock.at.slice(0, 10) },
  })

/** Some thirty commits: what an app, time and an operator do with one Customer in a few weeks. */
export async function runRound(session: Session, n: number) {
  const { post, put, move, advance, ask, list } = session
  const person = await createCustomer(session, n)
  const numbers = (i: number) => ({ routing_number: '021000021', account_number: `${7_000 + n}${i}0` })
  const ach = { account_type: 'checking', counterparty_name: 'Northern Mill Co' }
  const savings = await open(session, person, 'Savings', GENERAL)
  const mill = await open(session, person, 'Mill', ACH_EXTERNAL, { ...numbers(1), ach })
  const bouncing = await open(session, person, 'Bouncing', ACH_EXTERNAL, {
    ...numbers(2),
    account_number: `${7_000 + n}9902`,
    ach,
  })
  const harbor = await open(session, person, 'Harbor', WIRE_EXTERNAL, {
    ...numbers(3),
    wire: { counterparty_name: 'Harbor Leasing Inc' },
  })
  const mock = async (body: object) =>
    (await post('/sandbox/mock_transactions', { customer_uid: person.uid, ...body })).uid!
  await move('transactions', await mock({ transaction_type: 'wire', us_dollar_amount: 1000 + n }), 'settle')
  await pay(session, person, person.master, savings, '100.00')
  const out = await pay(session, person, person.master, mill, '20.10')
  await advance({ by: 'PT1S' })
  await pay(session, person, savings, bouncing, '5.05')
  await pay(session, person, person.master, harbor, '33.33')
  const canceled = await pay(session, person, person.master, mill, '1.00')
  await put(`/transfers/${canceled.uid}/cancel`)
  await advance({ until: 'idle' })
  expect(out.uid).toBeTruthy()

  const vrn = await post('/virtual_reference_numbers', {
    synthetic_account_uid: savings,
    routing_number: '110000000',
  })
  await advance({ until: 'next' })
  for (const status of ['client_approved', 'client_denied']) {
    const uid = await mock({
      transaction_type: 'wire',
      us_dollar_amount: 7,
      virtual_reference_number_uid: vrn.uid,
    })
    const denied_reason = status === 'client_denied' ? { denied_reason: 'unauthorized_credit' } : {}
    await put(`/transactions/${uid}/authorize`, { authorization_status: status, ...denied_reason })
  }
  const held = await mock({ transaction_type: 'ach', us_dollar_amount: -2.5 })
  const { tasks } = await ask<{ tasks: { uid: string; record: string }[] }>('tasks.list')
  const task = tasks.find(({ record }) => record === held)!.uid
  await ask('tasks.hold', { uid: task })
  if (n % 2 === 0) await ask('tasks.release', { uid: task })
  await advance({ by: 'PT10S' })
  if (n % 2) await ask('tasks.run', { uid: task })

  await move('customers', person.uid, 'lock', { lock_reason: 'Lost phone' })
  await move('customers', person.uid, 'unlock')
  await ask('clock.set', { pace: n % 2 ? 'real' : 'fast' })
  await pay(session, person, person.master, mill, '2.00')
  await ask('programs.update', { uid: PROGRAM, name: `Round ${n}` })
  await advance({ business_days: 2 })
  await ask('programs.rotate_key', { uid: PROGRAM })
  await ask('programs.rotate_key', { uid: PROGRAM, hmac_key: session.api.program.hmac_key })
  await ask('clock.set', { pace: 'fast', break_on: { collection: 'transactions', status: 'settled' } })
  await mock({ transaction_type: 'ach', us_dollar_amount: 3 })
  await advance({ until: 'idle' })
  await session.api.call('DELETE', `/customers/${person.uid}`, {
    json: { destination_synthetic_account_uid: mill },
  })
  await advance({ by: 'PT6S' })
  expect(await list(`/customers?uid=${person.uid}`)).toMatchObject([{ status: 'pending_archival' }])
  return person
}

export async function runRounds(session: Session, commits: number) {
  for (let n = 1; session.sandbox.store.world.seq < commits; n++) await runRound(session, n)
}

/** All commits, in an order in which none is next to the one before. */
export const inJumps = (seqs: readonly number[]) => seqs.map((_, i) => seqs[(i * 7919) % seqs.length]!)

/** All commits, newest first, then every fifth in jumps: a jump has much to read back. */
export const inStepsAndJumps = (seqs: readonly number[]) => [
  ...seqs.toReversed(),
  ...inJumps(seqs).filter((_, i) => i % 5 === 0),
]

/** Rounds with restores, resets and a rewind between them. */
export async function runTurbulentRounds(session: Session) {
  const { store } = session.sandbox
  await runRound(session, 1)
  const early = store.world.seq
  await session.ask('snapshots.keep', { name: 'after one' })
  await runRound(session, 2)
  await session.ask('snapshots.restore', { name: 'after one' })
  await runRound(session, 3)
  await session.ask('world.reset', { world: 'demo', seed: 'another' })
  await session.post('/customers', { email: 'in@demo.test' })
  await session.advance({ business_days: 1 })
  await session.rewind(early - 3)
  await session.post('/customers', { email: 'in@the-past.test' })
  await session.ask('world.reset', { world: 'empty', seed: 'third' })
  await runRound(session, 4)
  await session.ask('snapshots.restore', { name: 'after one' })
  await session.post('/customers', { email: 'at@the-end.test' })
}
