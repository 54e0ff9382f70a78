import { describe, expect } from 'vitest'
import type { OutsideMovement } from '../../src/api/contract/resources/outside-transactions.ts'
import type { Transaction } from '../../src/api/contract/resources/transactions.ts'
import type { SandboxOptions } from '../../src/api/sandbox.ts'
import { toTimestamp } from '../../src/api/store/clock.ts'
import { controlOf } from '../support/bridges.ts'
import { expectRefusedCall } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { it, START, startSandbox } from '../support/sandbox.ts'

type Shown = Transaction & Record<string, unknown>

async function bank(options: Partial<SandboxOptions> = {}) {
  const setup = await setUpPayments(options)
  const control = controlOf(setup.sandbox)
  const olive = await setup.customer()
  await setup.fund(olive, 1000)
  const inject = async (us_dollar_amount: string, more: object = {}, movement: OutsideMovement = 'card_purchase') =>
    (await control['transactions.inject']({ movement, customer_uid: olive.uid, us_dollar_amount, ...more })) as Shown
  const available = async () => (await setup.balances(olive.master)).available
  const foreseen = async (uid: string) =>
    (await control['tasks.list']({})).tasks.find(({ record }) => record?.includes(uid))?.outcome
  const statesOf = async (uid: string) =>
    (await control['payments.path']({ uid })).payments[0]!.states.map(({ state, kind }) => [state, kind])
  return { ...setup, control, olive, inject, available, foreseen, statesOf }
}

it('a declined card authorization is a denied Transaction with its reason, no hold, no movement and its event', async () => {
  const { control, inject, available, transaction, list, olive } = await bank()
  await control['webhooks.create']({ url: 'http://127.0.0.1:9/hook', confirm: false })
  const { uid } = await inject('21.89', { outcome: 'declined', denied_reason: 'debit_limit_exceeded' })
  expect(await transaction(uid)).toMatchObject({
    type: 'denied_authorization',
    status: 'denied',
    us_dollar_amount: '21.89',
    custodial_account_uids: [],
    transaction_event_uids: [],
    authorization: { authorization_status: 'auto_denied', denied_reason: 'debit_limit_exceeded' },
  })
  expect(await available()).toBe('1000.00')
  expect(
    (await control['events.list']({ record_uid: uid })).data.map(({ topic, event_type }) => `${topic}.${event_type}`),
  ).toEqual(['transactions.created'])
  const listed = (more: string) => list(`/transactions?customer_uid=${olive.uid}&type=denied_authorization${more}`)
  expect([(await listed('')).length, (await listed('&show_denied_auths=true')).length]).toEqual([0, 1])
  const { chain } = await control.why({ collection: 'transactions', uid, field: 'status' })
  expect(chain[0]).toMatchObject({ cause: { door: 'operator', name: 'transactions.inject' } })
  const { data } = await control['ledger.lines']({ transaction_uid: uid })
  expect(data).toEqual([])
})

describe('a card authorization that expires', () => {
  it('releases its hold after seven days without a settlement, as foresee and the path say', async () => {
    const { control, inject, available, transaction, advance, foreseen, statesOf, list } = await bank({ pace: 'real' })
    const { uid } = await inject('21.89', { outcome: 'expired' })
    expect(await available()).toBe('978.11')
    expect(await foreseen(uid)).toMatchObject({ code: 'expired' })
    expect(await statesOf(uid)).toEqual([
      ['pending', 'current'],
      ['expired', 'scheduled'],
      ['settled', 'possible'],
      ['failed', 'possible'],
    ])
    await advance({ by: 'P7D' })
    expect(await transaction(uid)).toMatchObject({ status: 'expired', settled_at: null })
    expect(await available()).toBe('1000.00')
    expect((await control['ledger.lines']({ transaction_uid: uid })).data).toEqual([])
    const { chain } = await control.why({ collection: 'transactions', uid, field: 'status' })
    expect(chain[0]).toMatchObject({ cause: { door: 'time', name: 'finish payment' } })
    expect(chain.at(-1)).toMatchObject({ cause: { name: 'transactions.inject' } })
    const listed = (more: string) => list(`/transactions?type=card_purchase${more}`)
    expect([(await listed('')).length, (await listed('&show_expired=true')).length]).toEqual([0, 1])
  })

  it('expires when its caller says, or by a decision; a payment without a card does not expire', async () => {
    const { control, inject, move, transaction, advance, mock, olive } = await bank()
    const { uid } = await inject('21.89', { outcome: 'expired', after: '2 banking days' }, 'atm_withdrawal')
    await advance({ by: 'P1D' })
    expect((await transaction(uid)).status).toBe('pending')
    await advance({ by: 'P3D' })
    expect((await transaction(uid)).status).toBe('expired')
    const decided = await inject('1.00')
    await move('transactions', decided.uid, 'expire')
    expect((await transaction(decided.uid)).status).toBe('expired')
    const ach = await mock({ transaction_type: 'ach', customer_uid: olive.uid, us_dollar_amount: 5 })
    const { moves } = await control['moves.list']({ collection: 'transactions', uid: ach })
    expect(moves.find(({ move }) => move === 'expire')?.why_not).toMatch(/only a card authorization/)
    const { payments } = await control['payments.path']({ uid: ach })
    expect(payments[0]!.states.map(({ state }) => state)).not.toContain('expired')
  })
})

describe('a card authorization that grows', () => {
  it('raises the hold; an earlier instant still shows the amount that it held then', async () => {
    const { control, inject, available, advance, olive, transaction, sandbox } = await bank({ pace: 'real' })
    const { uid } = await inject('20.00')
    await advance({ by: 'PT1H' })
    const before = toTimestamp(Date.parse((await transaction(uid)).created_at) + 3_600_000)
    await advance({ by: 'PT1H' })
    await inject('5.50', { transaction_uid: uid })
    await advance({ by: 'PT1H' })
    expect([await available(), (await transaction(uid)).us_dollar_amount]).toEqual(['974.50', '25.50'])
    const then = await control['ledger.accounts']({ book: 'synthetic', uid: [olive.master], at: before })
    expect(then.accounts[0]).toMatchObject({ available: '980.00', pending: '-20.00' })
    const { steps, pending, scheduled } = await control['ledger.balances']({ account_uid: olive.master })
    expect(steps.slice(-2).map((step) => step.available)).toEqual(['980.00', '974.50'])
    expect(pending).toMatchObject([{ amount: '-25.50', settles: '-25.50' }])
    expect(scheduled).toMatchObject([{ settled: '974.50', pending: '0.00', available: '974.50' }])
    expect(
      (await control['tasks.list']({})).tasks.find(({ record }) => record?.includes(uid))?.message.facts,
    ).toMatchObject({ us_dollar_amount: '25.50' })
    const { chain } = await control.why({ collection: 'transactions', uid, field: 'us_dollar_amount' })
    expect(chain[0]).toMatchObject({ cause: { name: 'transactions.inject' }, says: expect.stringContaining('25.50') })
    await expect(sandbox.call('ledger.check', {})).resolves.toMatchObject({ value: { balanced: true } })
    await advance({ by: 'P4D' })
    expect(await transaction(uid)).toMatchObject({ status: 'settled', us_dollar_amount: '25.50' })
  })

  it('settles for the amount that a growth names, or for the one that was named before', async () => {
    const { inject, available, advance, transaction, balances, olive, sandbox, control } = await bank()
    const { uid } = await inject('20.00', { settled_amount: '19.00' })
    const { uid: other } = await inject('30.00', { settled_amount: '28.00' })
    await inject('5.00', { transaction_uid: uid, settled_amount: '24.50' })
    await inject('5.00', { transaction_uid: other })
    expect(await available()).toBe('940.00')
    await advance({ by: 'PT1S' })
    expect((await transaction(uid)).us_dollar_amount).toBe('24.50')
    expect((await transaction(other)).us_dollar_amount).toBe('28.00')
    expect(await balances(olive.master)).toEqual({ balance: '947.50', pending: '0.00', available: '947.50' })
    const { uid: expiring } = await inject('20.00', { outcome: 'expired' })
    const grow = () =>
      control['transactions.inject']({
        ...{ movement: 'card_purchase', customer_uid: olive.uid, us_dollar_amount: '1.00' },
        ...{ transaction_uid: expiring, settled_amount: '5.00' },
      })
    await expectRefusedCall(sandbox, grow, 'invalidArgument', /settled_amount: it expires, so it settles nothing/)
  })

  it('is refused above the largest amount, as that amount itself is', async () => {
    const { sandbox, control, olive, inject, transaction } = await bank()
    const { uid } = await inject('9999999999.99')
    const grow = () =>
      control['transactions.inject']({
        ...{ movement: 'card_purchase', customer_uid: olive.uid, us_dollar_amount: '0.01', transaction_uid: uid },
      })
    const refusal = /us_dollar_amount: the hold would be 10000000000\.00; at most 9999999999\.99 is expected/
    await expectRefusedCall(sandbox, grow, 'invalidArgument', refusal)
    expect((await transaction(uid)).us_dollar_amount).toBe('9999999999.99')
  })

  it.each([
    ['more', '24.00', '976.00'],
    ['less', '12.34', '987.66'],
  ])('settles for %s than is authorized, as the path and the balances foresee', async (_, settled_amount, balance) => {
    const { control, inject, available, advance, olive, balances, transaction, expectBalancedLedger } = await bank()
    const { uid } = await inject('20.00', { settled_amount })
    expect(await available()).toBe('980.00')
    const { scheduled } = await control['ledger.balances']({ account_uid: olive.master })
    expect(scheduled).toMatchObject([{ settled: balance, pending: '0.00', available: balance }])
    const [path] = (await control['payments.path']({ uid })).payments
    await advance({ by: 'PT1S' })
    expect(await transaction(uid)).toMatchObject({ status: 'settled', us_dollar_amount: settled_amount })
    expect(await balances(olive.master)).toEqual({ balance, pending: '0.00', available: balance })
    const [after] = (await control['payments.path']({ uid })).payments
    const amounts = (entries: readonly { amount: string }[] = []) => entries.map(({ amount }) => amount)
    expect(amounts(path?.entries)).toEqual(amounts(after?.entries))
    expect((await control['ledger.balances']({ account_uid: olive.master })).steps.at(-1)).toMatchObject({
      settled: balance,
      pending: '0.00',
      available: balance,
    })
    await expectBalancedLedger()
  })

  it('is rewound, restarted, exported and replayed without a difference', async ({ folder }) => {
    const { control, inject, transaction, available, sandbox } = await bank({
      data: folder,
      seed: 'cards',
      start: START,
    })
    const { uid } = await inject('20.00', { outcome: 'expired' })
    const { seq } = (await control['world.commits']({ limit: 1 })).commits[0]!
    await inject('5.00', { transaction_uid: uid })
    await control['world.rewind']({ seq })
    expect([(await transaction(uid)).us_dollar_amount, await available()]).toEqual(['20.00', '980.00'])
    await inject('7.00', { transaction_uid: uid })
    await inject('3.00', { outcome: 'declined' })
    await inject('9.00', { settled_amount: '10.00' })
    await sandbox.close()
    const again = controlOf(await startSandbox({ data: folder }))
    await again['clock.advance']({ by: 'PT3S' })
    const statuses = async (of: typeof again) =>
      (await of['records.list']({ collection: 'transactions', show_denied_auths: true, show_expired: true })).data
        .slice(0, 3)
        .map((one) => [one.status, one.us_dollar_amount])
    const expected = [
      ['settled', '10.00'],
      ['denied', '3.00'],
      ['expired', '27.00'],
    ]
    expect(await statuses(again)).toEqual(expected)
    const { text } = (await again['bundles.export']({})) as { text: string }
    expect(await again['exchanges.replay']({ text })).toMatchObject({ differs: 0, refused: 0 })
    const other = controlOf(await startSandbox({ seed: 'other' }))
    await other['bundles.import']({ text })
    expect(await statuses(other)).toEqual(expected)
    expect(await other['ledger.check']({})).toMatchObject({ balanced: true })
  })
})

it('a Customer in archival waits for its card authorizations', async () => {
  const { api, inject, olive, advance, transaction } = await bank()
  const { uid } = await inject('10.00', { outcome: 'expired', after: '3 banking days' })
  expect((await api.call('DELETE', `/customers/${olive.uid}`)).status).toBeLessThan(300)
  await advance({ by: 'P2D' })
  const customer = async () => (await api.get(`/customers/${olive.uid}`)).body.status
  expect([(await transaction(uid)).status, await customer()]).toEqual(['pending', 'pending_archival'])
})

it.each([
  ['an outcome of a refund', 'card_refund', { outcome: 'expired' }, /outcome: a card_refund is no card authorization/],
  ['a growth of a fee', 'fee', { transaction_uid: 'uKxmLxUEiSj5h4M3' }, /transaction_uid: a fee is no card/],
  ['a settlement of a decline', 'card_purchase', { outcome: 'declined', settled_amount: '1.00' }, /settles nothing/],
  ['a reason without a decline', 'card_purchase', { denied_reason: 'insufficient_funds' }, /settled, not declined/],
  ['a reason of a VRN', 'card_purchase', { outcome: 'declined', denied_reason: 'vrn_locked' }, /declined for insuf/],
  ['a later decline', 'card_purchase', { outcome: 'declined', after: '1h' }, /ends at once/],
  ['a period of a fee', 'fee', { period: { from: '2026-07-01', to: '2026-07-31' } }, /a fee has no period/],
  ['a period that ends first', 'interest', { period: { from: '2026-07-31', to: '2026-07-01' } }, /before it begins/],
] as const)('%s is refused, and nothing changes', async (_, movement, more, extra) => {
  const { sandbox, control, olive } = await bank()
  const input = { movement, customer_uid: olive.uid, us_dollar_amount: '5.00', ...more }
  await expectRefusedCall(sandbox, () => control['transactions.inject'](input as never), 'invalidArgument', extra)
})

it('a growth of an ended authorization, of another type or with another time is refused', async () => {
  const { sandbox, control, olive, inject, advance } = await bank()
  const grow =
    (movement: OutsideMovement, transaction_uid: string, more: object = {}) =>
    () =>
      control['transactions.inject']({
        movement,
        customer_uid: olive.uid,
        us_dollar_amount: '1',
        transaction_uid,
        ...more,
      })
  const { uid } = await inject('5.00')
  await expectRefusedCall(
    sandbox,
    grow('card_purchase', uid, { after: '1h' }),
    'invalidArgument',
    /hold grows now; .*time stay/,
  )
  await expectRefusedCall(sandbox, grow('atm_withdrawal', uid), 'invalidArgument', /its type is card_purchase/)
  await advance({ by: 'PT1S' })
  await expectRefusedCall(sandbox, grow('card_purchase', uid), 'invalidArgument', /its status is settled, not pending/)
})

it('interest is paid for the month before, or for the period that is given, and its statement and Why? say so', async () => {
  const { control, inject, advance, olive, transaction } = await bank()
  const usual = await inject('1.00', { counterparty_name: 'Harbor Bank' }, 'interest')
  const period = { from: '2026-08-01', to: '2026-08-13' }
  const given = await inject('2.00', { period }, 'interest')
  await advance({ by: 'PT1S' })
  expect((await transaction(usual.uid)).description).toBe('Interest, Harbor Bank, 2026-07-01 to 2026-07-31')
  expect((await transaction(given.uid)).description).toBe('Interest, 2026-08-01 to 2026-08-13')
  const balance = { collection: 'synthetic_accounts', uid: olive.master, field: 'net_usd_balance' }
  expect((await control.why(balance)).statement!.parts[0]!.says).toBe('Interest, 2026-08-01 to 2026-08-13')
  const { chain } = await control.why({ collection: 'transactions', uid: given.uid, field: 'us_dollar_amount' })
  expect(chain.map(({ says }) => says).join()).toContain('Interest, 2026-08-01 to 2026-08-13')
  const { text } = (await control['bundles.export']({})) as { text: string }
  expect(text).toContain('2026-08-13')
  expect(text).not.toContain('Harbor Bank')
})
