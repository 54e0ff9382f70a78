import fc from 'fast-check'
import { describe, expect } from 'vitest'
import type { MethodOutput } from '../../src/api/contract/control/methods.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import { formatCents, toCents } from '../support/cents.ts'
import { apiClient } from '../support/client.ts'
import { PERSON } from '../support/customers.ts'
import { receiveWireToApprove } from '../support/demo.ts'
import { call } from '../support/operator.ts'
import { ACH, setUpPayments } from '../support/payments.ts'
import { it } from '../support/sandbox.ts'
import '../support/property-seed.ts'

/** What differs between two worlds, in words: `worlds.compare`. */

type Compared = MethodOutput<'worlds.compare'>
type World = Pick<Sandbox, 'call' | 'api' | 'programs'>

const saysOf = ({ sentences }: Compared) => sentences.map(({ says }) => says)

async function openTwo(sandbox: Sandbox) {
  const a = await sandbox.worlds.create({ name: 'a', from: 'current', clock: 'frozen' })
  const b = await sandbox.worlds.create({ name: 'b', from: 'current', clock: 'frozen' })
  const compare = () => call(sandbox, 'worlds.compare', { a: 'a', b: 'b' })
  return { a, b, compare }
}

describe('worlds.compare in words', () => {
  it('approved in one world and denied in the other: the balance and the payment are one sentence', async ({
    demo,
  }) => {
    const { uid, account } = await receiveWireToApprove(demo)
    const { a, b, compare } = await openTwo(demo)
    const decide = (world: World, move: string, inputs: Record<string, unknown>) =>
      call(world, 'moves.make', { collection: 'transactions', uid, move, inputs })
    await decide(a, 'approve', {})
    await decide(b, 'deny', { denied_reason: 'insufficient_funds' })
    for (const world of [a, b]) await call(world, 'clock.advance', { text: '2 business days' })
    const compared = await compare()
    const [first] = compared.sentences
    expect(first).toMatchObject({ collection: 'synthetic_accounts', uid: account })
    expect(first!.says).toMatch(
      /^.+ of .+ \+18,450\.00 in a; the wire of 18,450\.00 .+ settled in a, was denied in b\.$/,
    )
    expect(saysOf(compared).filter((says) => says.includes('wire'))).toHaveLength(1)
    expect(compared.balances).toMatchObject([{ settled: { change: '-18450.00' }, matched_uid: null }])
    expect(compared.others.length).toBeGreaterThan(0)
  })

  it('payments are matched by what they are, whatever their uids: another order is no difference', async () => {
    const { sandbox, customer, account, fund } = await setUpPayments()
    const olive = await customer()
    await fund(olive, '900.00')
    const bank = await account(olive, 'ach_external')
    const { a, b, compare } = await openTwo(sandbox)
    const pay = (world: World, usd_transfer_amount: string) => payByAch(world, olive, bank, usd_transfer_amount)
    for (const amount of ['10.00', '20.00', '20.00']) await pay(a, amount)
    for (const amount of ['20.00', '10.00', '20.00']) await pay(b, amount)
    const same = await compare()
    expect(same).toMatchObject({ sentences: [], balances: [], records: [] })
    expect(same.others.filter(({ matched_uid }) => matched_uid !== null).length).toBeGreaterThan(0)

    await pay(b, '30.00')
    const compared = await compare()
    expect(saysOf(compared)).toEqual([
      expect.stringMatching(
        /\+30\.00 available, \+30\.00 pending in a; the ACH payment of 30\.00 to .+ is only in b, /,
      ),
    ])
    expect(compared.records.map(({ collection, what }) => [collection, what])).toEqual([
      ['transfers', 'created'],
      ['transactions', 'created'],
    ])
  })

  it('of random worlds each balance that differs has a sentence, and no sentence is untrue', async () => {
    const { sandbox, customer, account, fund } = await setUpPayments()
    const olive = await customer()
    const ada = await customer({ ...PERSON, first_name: 'Ada', last_name: 'Reed' })
    const banks: string[] = []
    for (const one of [olive, ada]) {
      await fund(one, '5000.00')
      banks.push(await account(one, 'ach_external'))
    }
    const act = (world: World, [kind, who, cents]: Step): Promise<unknown> => {
      const one = [olive, ada][who]!
      if (kind === 'pay') return payByAch(world, one, banks[who]!, formatCents(BigInt(cents)))
      if (kind === 'advance') return call(world, 'clock.advance', { text: `${who + 1} business days` })
      if (kind === 'open') return apiClient(world).post('/customers', { email: `${cents}@example.test` })
      if (kind === 'decide') return decideAny(world, cents)
      return apiClient(world).post('/sandbox/mock_transactions', {
        transaction_type: 'wire',
        customer_uid: one.uid,
        us_dollar_amount: formatCents(BigInt(cents)),
      })
    }
    let told = 0
    const step = fc.tuple(
      fc.constantFrom('pay', 'receive', 'advance', 'open', 'decide'),
      fc.nat(1),
      fc.constantFrom(100, 250, 99_999),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 6 }), fc.array(step, { maxLength: 6 }), async (left, right) => {
        const { a, b, compare } = await openTwo(sandbox)
        try {
          for (const one of left) await act(a, one as Step)
          for (const one of right) await act(b, one as Step)
          const compared = await compare()
          told += compared.sentences.length
          await expectTrue(compared, a, b)
          expect((await call(sandbox, 'worlds.compare', { a: 'a', b: 'a' })).total_count).toEqual(NONE)
        } finally {
          for (const name of ['a', 'b']) await sandbox.worlds.drop(name)
        }
      }),
      { numRuns: 25 },
    )
    expect(told).toBeGreaterThan(25)
  })
})

const NONE = { sentences: 0, balances: 0, records: 0, others: 0 }

type Step = readonly [kind: string, who: 0 | 1, cents: number]
type Customer = { readonly uid: string; readonly master: string }

async function payByAch(world: World, of: Customer, bank: string, usd_transfer_amount: string) {
  const answer = await apiClient(world).post('/transfers', {
    source_synthetic_account_uid: of.master,
    destination_synthetic_account_uid: bank,
    initiating_customer_uid: of.uid,
    ach: ACH,
    usd_transfer_amount,
  })
  expect([201, 400, 409]).toContain(answer.status)
}

/** Makes one of the decisions that are possible, if there is one without fields. */
async function decideAny(world: World, cents: number) {
  const { data } = await call(world, 'records.list', { collection: 'transactions', limit: 50 })
  for (const { uid } of data.toReversed()) {
    const { moves } = await call(world, 'moves.list', { collection: 'transactions', uid: String(uid) })
    const legal = moves.filter((move) => move.legal)
    const move = legal[cents % Math.max(1, legal.length)]
    if (move)
      return world.call('moves.make', { collection: 'transactions', uid: String(uid), move: move.move, inputs: {} })
  }
  return undefined
}

type Row = Readonly<Record<string, string | null>>

const rowsIn = async (world: World, collection: string) =>
  new Map(
    (
      await call(world, 'records.list', {
        collection,
        limit: 500,
        ...(collection === 'transactions' ? { show_denied_auths: true, include_zero: true, show_expired: true } : {}),
      } as never)
    ).data.map((row) => [row.uid as string, row as Row]),
  )

const KINDS = [
  ['settled', 'net_usd_balance'],
  ['available', 'net_usd_available_balance'],
  ['pending', 'net_usd_pending_balance'],
] as const

/** Says it again from what the API of each world shows, with a grammar of its own. */
async function expectTrue(compared: Compared, a: World, b: World) {
  const accounts = [await rowsIn(a, 'synthetic_accounts'), await rowsIn(b, 'synthetic_accounts')] as const
  const differing = new Set<string>()
  for (const uid of new Set([...accounts[0].keys(), ...accounts[1].keys()])) {
    const changes = KINDS.map(([kind, field]) => {
      const [before, after] = accounts.map((rows) => toCents(rows.get(uid)?.[field] ?? '0.00')) as [bigint, bigint]
      return { kind, change: after - before }
    })
    const said = compared.sentences.filter((one) => one.uid === uid && one.collection === 'synthetic_accounts')
    const amounts = said.map(({ says }) => says.split('; ')[0]!).filter((says) => / [+\u2212][\d,]+\.\d\d/.test(says))
    if (changes.every(({ change }) => change === 0n)) {
      expect(amounts).toEqual([])
      continue
    }
    differing.add(uid)
    expect(amounts, `of ${uid}`).toHaveLength(1)
    expect(readBalance(amounts[0]!)).toEqual(Object.fromEntries(changes.map(({ kind, change }) => [kind, change])))
  }
  expect(new Set(compared.balances.map(({ synthetic_account_uid }) => synthetic_account_uid))).toEqual(differing)
  await expectTruePayments(compared, a, b)
}

/** `… +1.00, −2.00 pending in a.` as what b has more. */
function readBalance(says: string) {
  const found = { settled: 0n, available: 0n, pending: 0n }
  const sign = / in a\.?$/.test(says) ? -1n : 1n
  expect(says).toMatch(/ in [ab]\.?$/)
  for (const [, minus, digits, kind] of says.matchAll(/ ([+\u2212])([\d,]+\.\d\d)(?: (settled|available|pending))?/g)) {
    const cents = toCents(digits!.replaceAll(',', '')) * (minus === '+' ? sign : -sign)
    for (const one of kind ? [kind] : ['settled', 'available']) found[one as 'settled'] = cents
  }
  return found
}

/** Counts payments of the same kind, amount and state in each world: what is only in one, and what differs, explains the numbers. */
async function expectTruePayments(compared: Compared, a: World, b: World) {
  const payments = [await rowsIn(a, 'transactions'), await rowsIn(b, 'transactions')] as const
  for (const { collection, uid, matched_uid, what, status, amount } of compared.records) {
    if (collection !== 'transactions') continue
    const [left, right] = [payments[0].get(matched_uid ?? uid), payments[1].get(uid)]
    if (what !== 'created') expect(left).toMatchObject({ status: status.before, us_dollar_amount: amount })
    if (what !== 'removed') expect(right).toMatchObject({ status: status.after, us_dollar_amount: amount })
  }
  const meaning = ({ customer_uid, type, us_dollar_amount, net_asset, description }: Row) =>
    [customer_uid, type, us_dollar_amount, net_asset, description].join()
  const countIn = (rows: ReadonlyMap<string, Row>) => {
    const counts = new Map<string, number>()
    for (const row of rows.values()) counts.set(meaning(row), (counts.get(meaning(row)) ?? 0) + 1)
    return counts
  }
  const [left, right] = [countIn(payments[0]), countIn(payments[1])]
  let [onlyA, onlyB] = [0, 0]
  for (const key of new Set([...left.keys(), ...right.keys()])) {
    const more = (right.get(key) ?? 0) - (left.get(key) ?? 0)
    if (more > 0) onlyB += more
    else onlyA -= more
  }
  const countOf = (wanted: string) =>
    compared.records.filter(({ collection, what }) => collection === 'transactions' && what === wanted).length
  expect([countOf('removed'), countOf('created')]).toEqual([onlyA, onlyB])
  for (const { says } of compared.sentences)
    for (const [, amount, first, second] of says.matchAll(
      / of ([\d,]+\.\d\d) [^;]*? (settled|failed|was \w+|is [\w ]+) in a, (settled|failed|was \w+|is [\w ]+) in b/g,
    )) {
      const pairs = compared.records
        .filter((one) => one.collection === 'transactions' && one.what === 'changed')
        .filter((one) => one.amount === amount!.replaceAll(',', ''))
      expect(pairs.map(({ status }) => [verb(status.before!), verb(status.after!)])).toContainEqual([first, second])
    }
}

const verb = (status: string) =>
  ({ settled: 'settled', failed: 'failed', denied: 'was denied', canceled: 'was canceled' })[status] ?? `is ${status}`
