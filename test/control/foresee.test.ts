import { expect, it } from 'vitest'
import { formatMessage } from '../../src/api/contract/messages.ts'
import { toMs, toTimestamp } from '../../src/api/store/clock.ts'
import { OLIVE } from '../support/customers.ts'
import { openBank, PROGRAM } from '../support/operator-sandbox.ts'
import { ACH } from '../support/payments.ts'
import { testTask } from '../support/tasks.ts'

/** What the sandbox says of the future, in the places that say it. */

const FAILING = { name: 'Fail Co', wire: { counterparty_name: 'Fail Co' } }

async function bank() {
  const world = await openBank()
  await world.fund(world.customer, '500.00')
  const { account, control, customer } = world
  const transferTo = (uid: string) => ({
    endpoint: 'createTransfer' as const,
    body: {
      source_synthetic_account_uid: customer.master,
      destination_synthetic_account_uid: uid,
      initiating_customer_uid: customer.uid,
      usd_transfer_amount: '20.00',
      ach: { ...ACH, effective_entry_date: '2026-08-14' },
    },
  })
  return { ...world, account, control, customer, transferTo }
}

it.each([
  ['a wire to Fail Co', 'wire_external', FAILING, ['pending', 'failed']],
  [
    'an instant payment to a number that ends in 9301',
    'instant_payment_external',
    { account_number: '7700009301' },
    ['pending', 'failed'],
  ],
  [
    'an ACH that is returned',
    'ach_external',
    { account_number: '7700009902' },
    ['pending', 'settled', 'returned with R02', 'settled'],
  ],
  [
    'an ACH that is corrected',
    'ach_external',
    { account_number: '7700009801' },
    ['pending', 'settled', 'notification of change C01'],
  ],
] as const)(
  '%s: requests.foresee says what an advance then does, as do the tasks, the clock and the preview',
  async (_, category, force, outcomes) => {
    const { account, control, customer, transferTo, pay } = await bank()
    const uid = await account(customer, category, force)
    const { refused, follows } = await control['requests.foresee'](transferTo(uid))
    expect(refused).toBeNull()
    expect(follows.map(({ outcome }) => outcome && formatMessage(outcome))).toEqual(outcomes)
    await pay(customer, customer.master, uid, '20.00')
    const preview = await control['clock.preview']({ until: 'idle' })
    expect(preview.tasks.map(({ why }) => why.split(': ').at(-1))).toEqual(outcomes)
    const { next } = await control['clock.read']({})
    const { tasks } = await control['tasks.list']({})
    expect([next!.what, next!.outcome]).toEqual([tasks[0]!.why, tasks[0]!.outcome])
    expect(tasks.filter(({ recurring }) => !recurring).map(({ why }) => why)).toEqual(
      preview.tasks.slice(0, 2).map(({ why }) => why),
    )
    // A task as a record says the same.
    const [task] = tasks
    const { data } = await control['records.list']({ collection: 'tasks' })
    expect(data.find(({ uid: one }) => one === task!.uid)).toEqual(task)
    expect(await control['records.get']({ collection: 'tasks', uid: task!.uid })).toEqual(task)
    const fields = ['outcome', 'why']
    const picked = await control['records.list']({ collection: 'tasks', uids: [task!.uid], fields })
    expect(picked.data).toEqual([{ uid: task!.uid, outcome: task!.outcome, why: task!.why }])
    const { chain } = await control.why({ collection: 'tasks', uid: task!.uid, field: 'outcome.code' })
    expect(chain[0]!.says).toBe(`task ${task!.uid}: outcome.code is "pending"`)
    const { fired } = await control['clock.advance']({ until: 'idle' })
    expect(fired.map(({ at, task, message }) => [at, task, message])).toEqual(
      follows.map(({ due_at, kind, outcome }) => [due_at, kind, outcome]),
    )
  },
)

it('a held task, and one that has failed, says nothing; the path of its payment has no times after it', async () => {
  const { account, control, customer, pay, sandbox } = await bank()
  const failing = await account(customer, 'wire_external', FAILING)
  const uid = (await pay(customer, customer.master, failing, '20.00')).transaction_uids[0]!
  const finish = async () => (await control['tasks.list']({})).tasks.find(({ kind }) => kind === 'finish payment')!
  const ahead = async () =>
    (await control['payments.path']({ uid })).payments[0]!.states.filter(
      ({ event, held }) => event !== null && (held || event !== 'cancel'),
    ).map(({ state, from, held }) => [state, from !== null, held])
  expect(await ahead()).toEqual([
    ['pending', true, false],
    ['failed', true, false],
  ])
  const held = await control['tasks.hold']({ uid: (await finish()).uid })
  expect([held.outcome, (await finish()).outcome]).toEqual([null, null])
  expect(await ahead()).toEqual([
    ['pending', true, false],
    ['failed', false, true],
  ])
  expect((await control['tasks.release']({ uid: held.uid })).outcome).toEqual({ code: 'failed', facts: {} })
  // A task of a payment that is gone fails when it runs.
  sandbox.store.transact(PROGRAM, { door: 'operator', name: 'test' }, (tx) => {
    const { made: _, ...task } = tx.tasks.get(held.uid)!
    tx.tasks.put({ ...task, uid: tx.uid(), subject_uid: 'gone', failed: 'failed: there is no Transaction' })
  })
  expect((await control['tasks.list']({})).tasks.find(({ failed }) => failed !== null)!.outcome).toBeNull()
})

it('says that more follows than it has run ahead, if too many other tasks come first', async () => {
  const { account, control, customer, sandbox, transferTo } = await bank()
  const transfer = transferTo(await account(customer, 'wire_external'))
  const schedule = (due_at: string) =>
    sandbox.store.transact(PROGRAM, { door: 'operator', name: 'test' }, (tx) => {
      for (let i = 0; i <= 200; i++) tx.schedule(testTask({ kind: 'k', due_at, subject_uid: null, why: 'k' }))
    })
  schedule('2027-08-14T00:00:00.000Z')
  const before = await control['requests.foresee'](transfer)
  expect([before.follows.length, before.is_whole]).toEqual([2, true])
  schedule(sandbox.store.read(PROGRAM, ({ now }) => toTimestamp(toMs(now) + 1)))
  expect(await control['requests.foresee'](transfer)).toMatchObject({ refused: null, follows: [], is_whole: false })
})

it('a VRN that fails, one whose registration fails, and an archival say so before', async () => {
  const { control, customer } = await bank()
  const outcomesOf = async (input: Parameters<(typeof control)['requests.foresee']>[0]) => {
    const { next, follows } = await control['requests.foresee'](input)
    return { next, outcomes: follows.map(({ outcome }) => outcome && formatMessage(outcome)) }
  }
  const vrn = { synthetic_account_uid: customer.master, routing_number: '110000000' }
  expect(
    await outcomesOf({ endpoint: 'createVirtualReferenceNumber', body: { ...vrn, name: 'instant payment fail' } }),
  ).toEqual({ next: null, outcomes: ['failed'] })
  const failing = await control['requests.foresee']({
    endpoint: 'createVirtualReferenceNumber',
    body: { ...vrn, name: 'Fail' },
  })
  expect(failing).toMatchObject({ refused: { status: 422, code: 30001 }, follows: [] })
  expect(await outcomesOf({ endpoint: 'archiveCustomer', params: { uid: customer.uid }, body: {} })).toEqual({
    next: null,
    outcomes: ['pending', 'settled', 'nothing is left: archived at 2026-08-14 20:00:00 ET', 'archived'],
  })
})

it('the data of a new Customer or counterparty has its outcome with the next request, which is named', async () => {
  const { control, customer, typeOf } = await bank()
  const smith = { ...OLIVE, details: { ...OLIVE.details, last_name: 'Smith' } }
  const onboarded = await control['requests.foresee']({ endpoint: 'createCustomer', body: smith })
  expect(onboarded.next).toBe('Onboard this Customer')
  expect(onboarded.follows.map(({ outcome }) => outcome)).toEqual([
    { code: 'kyc', facts: { kyc_status: 'manual_review' } },
  ])
  const counterparty = {
    name: 'Comes back',
    pool_uid: customer.pool,
    synthetic_account_type_uid: typeOf('ach_external'),
    routing_number: '021000021',
    ach: { account_type: 'checking', counterparty_name: 'Comes back' },
  }
  // R01 is for debits only, R23 for credits only.
  for (const [account_number, next, code] of [
    ['7700009923', 'Transfer to this account', 'R23'],
    ['7700009901', 'Transfer from this account', 'R01'],
  ] as const) {
    const body = { ...counterparty, account_number }
    const foreseen = await control['requests.foresee']({ endpoint: 'createSyntheticAccount', body })
    expect([foreseen.refused, foreseen.next]).toEqual([null, next])
    expect(foreseen.follows[2]!.outcome).toEqual({ code: 'returned', facts: { ach_return_code: code } })
  }
})
