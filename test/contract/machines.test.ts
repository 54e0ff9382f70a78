import { describe, expect, it } from 'vitest'
import { type Machine, machines } from '../../src/api/contract/machines.ts'
import type { Return } from '../../src/api/contract/resources/returns.ts'
import { IllegalMove, nextState } from '../../src/api/domain/rules/machine.ts'
import type { Sandbox } from '../../src/api/sandbox.ts'
import type { CollectionName, RecordOf } from '../../src/api/store/world.ts'
import { ACH, returnBody, setUpPayments } from '../support/payments.ts'

const all: [string, Machine][] = Object.entries(machines)

describe.each(all)('the machine %s', (_, machine) => {
  it('3: names only states that it has, each once', () => {
    const known = new Set(machine.states)
    expect(known.size).toBe(machine.states.length)
    for (const { from, to } of Object.values(machine.moves)) {
      expect([...from, to].filter((state) => !known.has(state))).toEqual([])
      expect(new Set(from).size).toBe(from.length)
      expect(from.length).toBeGreaterThan(0)
    }
  })

  it('3: no move leads where it came from', () => {
    for (const { from, to } of Object.values(machine.moves)) expect(from).not.toContain(to)
  })

  it('3: a state that the machine does not have can do nothing', () => {
    for (const event of Object.keys(machine.moves))
      expect(() => nextState(machine, 'nowhere', event)).toThrow(IllegalMove)
  })
})

// ── Payments ─────────────────────────────────────────────────────────────────────────────────────────────────────

/** Where each state leads, written down a second time: by the published statuses and the way a payment goes. */
const PAYMENTS = {
  transfer: {
    queued: ['pending', 'failed', 'canceled'],
    pending: ['settled', 'failed'],
    settled: [],
    failed: [],
    canceled: [],
  },
  transaction: {
    queued: ['pending', 'failed', 'canceled'],
    pending: ['settled', 'failed', 'expired'],
    settled: [],
    failed: [],
    canceled: [],
    denied: [],
    expired: [],
    authorization_pending: ['pending', 'authorization_denied'],
    authorization_denied: [],
  },
  authorization: {
    created: ['client_approval_pending', 'auto_denied'],
    client_approval_pending: [
      ...['client_approved', 'client_denied'],
      ...['client_unanswered_auto_approved', 'client_unanswered_auto_denied'],
    ],
    client_approved: [],
    client_denied: [],
    auto_approved: [],
    auto_denied: [],
    client_unanswered_auto_approved: [],
    client_unanswered_auto_denied: [],
  },
  return: {
    queued: ['pending', 'failed'],
    pending: ['settled', 'failed'],
    settled: [],
    failed: [],
    canceled: [],
  },
  combined_transfer: { queued: ['pending'], pending: ['completed', 'failed'], completed: [], failed: [] },
  virtual_reference_number: { active: ['archived'], archived: [] },
  vrn_registration: {
    pending: ['registered', 'failed'],
    failed: ['registered'],
    registered: [],
    unregistered: [],
  },
} as const satisfies Record<string, Readonly<Record<string, readonly string[]>>>
type OfPayments = keyof typeof PAYMENTS

describe.each(Object.entries(PAYMENTS))('3: the machine %s, against a table of its own', (name, table) => {
  const machine: Machine = machines[name as OfPayments]

  it('3: an event changes nothing but what its row says: from anywhere else it is refused', () => {
    const possible = machine.states.flatMap((state) =>
      Object.keys(machine.moves).flatMap((event) => {
        try {
          return [`${state} → ${nextState(machine, state, event)}`]
        } catch (error) {
          expect(error).toBeInstanceOf(IllegalMove)
          return []
        }
      }),
    )
    expect(possible.sort()).toEqual(rowsOf(table))
  })
})

const rowsOf = (table: Readonly<Record<string, readonly string[]>>) =>
  Object.entries(table)
    .flatMap(([from, tos]) => tos.map((to) => `${from} → ${to}`))
    .sort()

describe('3: every row happens', () => {
  /** What one state was after another in the commits of a sandbox; a record that is made comes from nowhere. */
  function watch({ store }: Sandbox) {
    const known = new Map<string, string>()
    const seen = new Map<OfPayments, Set<string>>()
    const saw = (machine: OfPayments, uid: string, state: string | undefined) => {
      if (state === undefined) return
      const from = known.get(`${machine} ${uid}`)
      known.set(`${machine} ${uid}`, state)
      if (from === state) return
      const rows = seen.get(machine) ?? new Set()
      seen.set(machine, rows.add(`${from ?? 'nowhere'} → ${state}`))
    }
    const statesOf: { readonly [N in CollectionName]?: (record: RecordOf[N]) => void } = {
      transfers: ({ uid, status }) => saw('transfer', uid, status),
      transactions: ({ uid, status, authorization }) => {
        saw('transaction', uid, status)
        saw('authorization', uid, authorization?.authorization_status)
      },
      returns: ({ uid, status }) => saw('return', uid, status),
      combined_transfers: ({ uid, status }) => saw('combined_transfer', uid, status),
      virtual_reference_numbers: ({ uid, status, instant_payment_rail_registration_status: registration }) => {
        saw('virtual_reference_number', uid, status)
        saw('vrn_registration', uid, registration)
      },
    }
    store.subscribe(({ changes }) => {
      for (const { collection, record } of changes)
        if (record) (statesOf[collection] as ((record: unknown) => void) | undefined)?.(record)
    })
    return (machine: OfPayments) => [...(seen.get(machine) ?? [])]
  }

  /** How records of each kind begin; and rows that follow one another in one commit, so that nobody sees between them. */
  const BESIDES: Readonly<Record<OfPayments, readonly string[]>> = {
    // The operator settles what has not begun: it begins, and settles.
    transfer: ['nowhere → queued', 'queued → settled'],
    transaction: [
      ...['nowhere → queued', 'nowhere → pending', 'nowhere → authorization_pending', 'queued → settled'],
      // Denied at once.
      ...['nowhere → authorization_denied', 'nowhere → denied'],
    ],
    authorization: ['nowhere → client_approval_pending', 'nowhere → auto_denied'],
    return: ['nowhere → queued', 'queued → settled'],
    // Its first step is refused.
    combined_transfer: ['nowhere → queued', 'queued → failed'],
    virtual_reference_number: ['nowhere → active'],
    vrn_registration: ['nowhere → pending'],
  }
  /** No record is kept while its authorization is `created`: what leads on from there is a beginning. */
  const isKept = (row: string) => !row.startsWith('created → ')

  it.each(['fast', 'real'] as const)(
    '3: requests, time and moves bring every row of every payment to pass, and no other, at pace %s',
    async (pace) => {
      const told = await setUpPayments({ pace })
      const { api, sandbox, customer, account, fund, mock, pay, advance, configure, expectBalancedLedger } = told
      const happened = watch(sandbox)
      const of = await customer()
      await fund(of, 1000)
      const mill = await account(of, 'ach_external')
      const failing = await account(of, 'ach_external', { name: 'Fail', account_number: '880010' })
      const move = async (uid: string, move: string, collection = 'transactions') =>
        expect(await sandbox.call('moves.make', { collection, uid, move })).toMatchObject({ ok: true })
      const put = async (path: string, json?: object) =>
        expect((await api.call('PUT', path, { ...(json ? { json } : {}) })).status).toBe(200)
      const idle = () => advance({ until: 'idle' })

      // Transfers with their Transactions: settled, failed on the way and before it, canceled.
      await pay(of, of.master, mill, '1.00')
      await pay(of, of.master, failing, '1.00')
      const refused = await pay(of, of.master, mill, '2.00')
      await move(refused.transaction_uids[0]!, 'fail')
      const canceled = await pay(of, of.master, mill, '3.00')
      await put(`/transfers/${canceled.uid}/cancel`, {})
      const hurried = await pay(of, of.master, mill, '4.00')
      await move(hurried.transaction_uids[0]!, 'settle')
      for (const outcome of ['expired', 'declined']) {
        const card = { movement: 'card_purchase', customer_uid: of.uid, us_dollar_amount: '1.00', outcome }
        expect(await sandbox.call('transactions.inject', card)).toMatchObject({ ok: true })
      }
      await idle()

      // Returns: settled, failed on the way and before it.
      const give = async () => {
        const original = await mock({ transaction_type: 'ach', customer_uid: of.uid, us_dollar_amount: 4 })
        await move(original, 'settle')
        const { status, body } = await api.post<Return>(
          '/returns',
          returnBody(original, of.uid, { ach: { ach_return_code: 'R23' } }),
        )
        expect(status).toBe(201)
        return body
      }
      await give()
      await idle()
      await move((await give()).return_transaction_uid, 'fail')
      await move((await give()).return_transaction_uid, 'settle')
      const late = await give()
      await advance({ until: 'next' })
      await move(late.return_transaction_uid, 'fail')

      // VRNs: registered, failed, registered after all; archived.
      const vrn = async (name: string) => {
        const body = { synthetic_account_uid: of.master, routing_number: '110000000', name }
        return String((await api.post('/virtual_reference_numbers', body)).body.uid)
      }
      const rent = await vrn('Rent')
      const hapless = await vrn('Instant payment fail')
      await idle()
      await move(hapless, 'register', 'virtual_reference_numbers')
      expect((await api.call('DELETE', `/virtual_reference_numbers/${hapless}`)).status).toBe(204)

      // Authorizations: approved and denied by the Client, by time, and at once.
      const received = () =>
        mock({
          transaction_type: 'ach',
          customer_uid: of.uid,
          us_dollar_amount: 5,
          virtual_reference_number_uid: rent,
        })
      await put(`/transactions/${await received()}/authorize`, { authorization_status: 'client_approved' })
      const denial = { authorization_status: 'denied', denied_reason: 'unauthorized_credit' }
      await put(`/transactions/${await received()}/authorize`, denial)
      await received()
      await idle()
      await configure({ unanswered_authorization: 'deny' })
      await received()
      await idle()
      await put(`/virtual_reference_numbers/${rent}/lock`, { lock_reason: 'admin' })
      await received()

      // A card authorization that nobody settles.
      const card = { movement: 'card_purchase', customer_uid: of.uid, us_dollar_amount: 5, outcome: 'expired' }
      expect(await sandbox.call('transactions.inject', card)).toMatchObject({ ok: true })
      await idle()

      // Combined Transfers: completed, and failed at either step.
      const combine = async (synthetic_account: object, amount: string) => {
        const transfer = {
          source_synthetic_account_uid: of.master,
          initiating_customer_uid: of.uid,
          usd_transfer_amount: amount,
          ach: { ...ACH, effective_entry_date: sandbox.store.world.clock.at.slice(0, 10) },
        }
        expect((await api.post('/combined_transfers', { synthetic_account, transfer })).status).toBe(201)
      }
      await combine({ uid: mill }, '6.00')
      await combine({ uid: 'nobody' }, '7.00')
      await combine({ uid: mill }, '9999999.00')
      await idle()

      for (const machine of Object.keys(PAYMENTS) as OfPayments[]) {
        const rows = [...rowsOf(PAYMENTS[machine]).filter(isKept), ...BESIDES[machine]]
        expect(happened(machine).sort(), machine).toEqual(rows.sort())
      }
      await expectBalancedLedger()
    },
  )
})
