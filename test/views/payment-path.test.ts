import { describe, expect, it } from 'vitest'
import type { PathPayment, PathState } from '../../src/api/contract/control/payments.ts'
import type { Return } from '../../src/api/contract/resources/returns.ts'
import { createCaller } from '../support/operator.ts'
import { ACH, returnBody, setUpPayments } from '../support/payments.ts'

/** The path of a payment over banking days: its states, its entries in both books, and the times of its rail. */

async function bank() {
  const setup = await setUpPayments()
  const ask = createCaller(setup.sandbox)
  const olive = await setup.customer()
  const mill = await setup.account(olive, 'ach_external')
  await setup.fund(olive, '500.00')
  const path = (uid: string) => ask('payments.path', { uid })
  /** Friday evening, after the cut-off. */
  const goToFridayEvening = async () => {
    await ask('clock.set', { pace: 'real' })
    await ask('clock.advance', { to: FRIDAY_EVENING })
  }
  return { ...setup, ask, path, olive, mill, goToFridayEvening }
}

const FRIDAY_EVENING = '2026-08-14T22:30:00.000Z'
const MONDAY_CUT_OFF = '2026-08-17T21:00:00.000Z'
const TUESDAY_SETTLEMENT = '2026-08-18T12:30:00.000Z'

const isPast = ({ kind }: PathState) => kind === 'passed' || kind === 'current'
const passed = ({ states }: PathPayment) => states.filter(isPast).map(({ state, from, until }) => [state, from, until])
const next = ({ states }: PathPayment) =>
  states.filter((one) => !isPast(one)).map(({ state, after, from }) => [state, after, from])
const current = ({ states }: PathPayment) => states.findLast(isPast)!
const entries = ({ entries }: Pick<PathPayment, 'entries'>) =>
  entries.map(({ book, account, amount }) => `${book} ${account.uid} ${amount}`).sort()

describe('the path of a payment', () => {
  it('has the states that it passed, with their times, the scheduled ones, and those by a decision', async () => {
    const { olive, mill, pay, path, ask, goToFridayEvening } = await bank()
    await goToFridayEvening()
    const [uid] = (await pay(olive, olive.master, mill, '20.00')).transaction_uids
    const queued = await path(uid!)
    expect(passed(queued.payments[0]!)).toEqual([['queued', FRIDAY_EVENING, MONDAY_CUT_OFF]])
    expect(next(queued.payments[0]!)).toEqual([
      ['pending', 'queued', MONDAY_CUT_OFF],
      ['settled', 'pending', TUESDAY_SETTLEMENT],
      ['failed', 'queued', null],
      ['canceled', 'queued', null],
    ])
    expect(current(queued.payments[0]!).cause).toMatchObject({ door: 'request', name: 'POST /transfers' })

    await ask('clock.advance', { to: TUESDAY_SETTLEMENT })
    const settled = await path(uid!)
    expect(passed(settled.payments[0]!)).toEqual([
      ['queued', FRIDAY_EVENING, MONDAY_CUT_OFF],
      ['pending', MONDAY_CUT_OFF, TUESDAY_SETTLEMENT],
      ['settled', TUESDAY_SETTLEMENT, null],
    ])
    expect(next(settled.payments[0]!)).toEqual([])
  })

  it('has the banking days, the closed ones with their holiday, and the cut-offs and settlements of the rail', async () => {
    const { olive, mill, pay, path, ask, goToFridayEvening } = await bank()
    await goToFridayEvening()
    const [uid] = (await pay(olive, olive.master, mill, '20.00')).transaction_uids
    const { days, times } = await path(uid!)
    expect(days.map(({ date, banking }) => [date, banking])).toEqual([
      ['2026-08-14', true],
      ['2026-08-15', false],
      ['2026-08-16', false],
      ['2026-08-17', true],
      ['2026-08-18', true],
    ])
    expect(times.filter(({ at }) => at >= MONDAY_CUT_OFF)).toEqual([
      { at: MONDAY_CUT_OFF, name: 'ACH cut-off' },
      { at: TUESDAY_SETTLEMENT, name: 'ACH settlement' },
      { at: '2026-08-18T21:00:00.000Z', name: 'ACH cut-off' },
    ])

    // 7 September 2026 is Labor Day.
    await ask('clock.advance', { to: '2026-09-04T22:30:00.000Z' })
    const ach = { ...ACH, effective_entry_date: '2026-09-04' }
    const [later] = (await pay(olive, olive.master, mill, '20.00', { ach })).transaction_uids
    const holidays = (await path(later!)).days.filter(({ holiday }) => holiday !== null)
    expect(holidays).toMatchObject([{ date: '2026-09-07', banking: false, holiday: 'Labor Day' }])
    // The pace fast does not follow the banking calendar.
    await ask('clock.set', { pace: 'fast' })
    expect((await path(later!)).times).toEqual([])
  })

  it('has the evening on which Fedwire opens for the banking day after it', async () => {
    const { olive, mock, path, ask, goToFridayEvening } = await bank()
    await goToFridayEvening()
    await ask('clock.advance', { to: '2026-08-15T16:00:00.000Z' })
    const { times, payments } = await path(
      await mock({ transaction_type: 'wire', customer_uid: olive.uid, us_dollar_amount: 7 }),
    )
    // 21:00 on Sunday in New York.
    expect(times).toEqual([{ at: '2026-08-17T01:00:00.000Z', name: 'Fedwire opens' }])
    expect(next(payments[0]!)[0]).toEqual(['settled', 'pending', '2026-08-17T01:01:00.000Z'])
  })

  it.each(['book', 'ach', 'wire', 'instant_payment'] as const)(
    'by %s has the entries in both books that will post next, and then exactly these are posted',
    async (rail) => {
      const { olive, account, pay, path, advance } = await bank()
      const category = rail === 'book' ? 'general' : (`${rail}_external` as const)
      const to = await account(olive, category)
      const more = rail === 'wire' ? { wire: undefined } : {}
      const [uid] = (await pay(olive, olive.master, to, '20.00', more)).transaction_uids
      const [planned] = (await path(uid!)).payments
      expect(planned!.posted).toBe(false)
      expect(planned!.entries.every(({ line_item_uid }) => line_item_uid === null)).toBe(true)
      expect(planned!.entries.map(({ book }) => book)).toEqual(
        rail === 'book' ? ['synthetic', 'synthetic'] : ['synthetic', 'synthetic', 'custodial', 'custodial'],
      )
      await advance({ by: 'PT10S' })
      const [posted] = (await path(uid!)).payments
      expect(posted).toMatchObject({ posted: true })
      expect(current(posted!).state).toBe('settled')
      expect(entries(posted!)).toEqual(entries(planned!))
      expect(posted!.entries.every(({ line_item_uid }) => line_item_uid !== null)).toBe(true)
    },
  )

  it('has a return that its data forces before it arrives, and then the return as a payment of its own', async () => {
    const { olive, account, pay, path, advance } = await bank()
    const returned = await account(olive, 'ach_external', { account_number: '77009903' })
    const [uid] = (await pay(olive, olive.master, returned, '20.00')).transaction_uids
    // The return is foreseen before the payment has settled.
    const before = await path(uid!)
    expect(before.payments.map(({ transaction_uid, type }) => [transaction_uid, type])).toEqual([
      [uid, 'ach'],
      [null, 'ach_return'],
    ])
    await advance({ by: 'PT6S' })
    const { payments, until } = await path(uid!)
    const [, due] = payments
    expect(due).toEqual(before.payments[1])
    expect(due).toMatchObject({ transaction_uid: null, type: 'ach_return', amount: '20.00', posted: false })
    const [arrives, settles] = due!.states.map(({ from }) => from!)
    expect(settles! > arrives!).toBe(true)
    expect(due!.states).toMatchObject([
      { state: 'pending', kind: 'scheduled', until: settles },
      { state: 'settled', kind: 'scheduled', until: null },
    ])
    expect(until).toBe(settles)

    await advance({ by: 'PT10S' })
    const after = await path(uid!)
    expect(after.payments.map((one) => [one.type, current(one).state])).toEqual([
      ['ach', 'settled'],
      ['ach_return', 'settled'],
    ])
    expect(current(after.payments[1]!).from).toBe(settles)
    expect(entries(after.payments[1]!)).toEqual(entries(due!))
    // The page of the return shows the same path.
    expect(await path(after.payments[1]!.transaction_uid!)).toEqual(after)
  })

  it('has the refusal of a reversal, which returns a return, before it arrives and after; asked for it, the same', async () => {
    const { olive, account, pay, path, advance, api } = await bank()
    const refusing = await account(olive, 'ach_external', { account_number: '77009617' })
    const [uid] = (await pay(olive, olive.master, refusing, '20.00')).transaction_uids
    await advance({ by: 'PT5S' })
    const { body } = await api.post<Return>('/returns', returnBody(uid!, olive.uid))
    const before = await path(uid!)
    expect(before.payments.map(({ transaction_uid, type }) => [transaction_uid, type])).toEqual([
      [uid, 'ach'],
      [body.return_transaction_uid, 'initiated_ach_reversal'],
      [null, 'ach_return'],
    ])
    await advance({ until: 'idle' })
    const after = await path(uid!)
    const refusal = after.payments[2]!
    expect(refusal).toMatchObject({ type: 'ach_return', posted: true })
    expect(passed(refusal).map(([state, from]) => [state, from])).toEqual(
      before.payments[2]!.states.map(({ state, from }) => [state, from]),
    )
    expect(await path(refusal.transaction_uid!)).toEqual(after)
    expect(await path(body.return_transaction_uid)).toEqual(after)
  })

  it('has no entries if nothing will post: the payment is forced to fail, or was canceled', async () => {
    const { olive, mill, account, pay, path, api } = await bank()
    const failing = await account(olive, 'wire_external', { wire: { counterparty_name: 'Failing Leasing Inc' } })
    const [fails] = (await pay(olive, olive.master, failing, '20.00')).transaction_uids
    const [forced] = (await path(fails!)).payments
    expect(forced).toMatchObject({ entries: [], posted: false })
    expect(next(forced!).map(([state]) => state)).toEqual(['pending', 'failed', 'canceled'])

    const sent = await pay(olive, olive.master, mill, '20.00')
    await api.call('PUT', `/transfers/${sent.uid}/cancel`, { json: {} })
    const [canceled] = (await path(sent.transaction_uids[0]!)).payments
    expect(canceled).toMatchObject({ entries: [], posted: false })
    expect(next(canceled!)).toEqual([])
    expect(passed(canceled!).map(([state]) => state)).toEqual(['queued', 'canceled'])
  })
})
