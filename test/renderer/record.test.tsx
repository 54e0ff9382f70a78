import { cleanup, configure, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { TimelineEntry } from '../../src/api/contract/control/history.ts'
import { type Machine, type MachineName, machines } from '../../src/api/contract/machines.ts'
import { textMessage } from '../../src/api/contract/messages.ts'
import { diagramLayouts } from '../../src/renderer/components/diagram-layouts.ts'
import { Fields } from '../../src/renderer/components/fields/Fields.tsx'
import { listFields } from '../../src/renderer/components/fields/list-fields.ts'
import { StateDiagram } from '../../src/renderer/components/StateDiagram.tsx'
import { formatDuration } from '../../src/renderer/format/text.ts'
import { formats } from '../../src/renderer/screens/record/customer/Timeline.tsx'
import { formatDistance } from '../../src/renderer/screens/record/customer/timeline-columns.tsx'
import { buildRows, countRows, filterRows, LANES } from '../../src/renderer/screens/record/customer/timeline-rows.ts'
import { titleOf } from '../../src/renderer/screens/record/RecordTitle.tsx'
import { Refused, showApp } from './support.tsx'

configure({ asyncUtilTimeout: 15_000, defaultHidden: true })
vi.setConfig({ testTimeout: 20_000 })
afterEach(cleanup)

const AT = '2026-11-20T14:04:18.000Z'
const entry = (more: Partial<TimelineEntry> & Pick<TimelineEntry, 'kind' | 'text'>): TimelineEntry => ({
  at: AT,
  seq: 7,
  collection: null,
  uid: null,
  cause: null,
  message: null,
  name: null,
  name_message: null,
  field: null,
  from: null,
  to: null,
  amount: null,
  pending: false,
  balance: null,
  payment: null,
  exchange: null,
  ...more,
})
const money = (text: string) => text as NonNullable<TimelineEntry['amount']>
const payment = {
  uid: 'tx',
  type: 'ach',
  description: 'Slate, lot 91',
  message: textMessage('Slate, lot 91'),
  payment_return: null,
}
const exchange = { uid: 'x1', method: 'POST', path: '/transfers', status: 201, code: null, did: 'Initiate a Transfer' }

describe('the rows of a timeline', () => {
  const sent = [
    entry({
      kind: 'money',
      text: 'available 500.00 → 480.00',
      collection: 'synthetic_accounts',
      uid: 'a',
      field: 'net_usd_available_balance',
      amount: money('-20.00'),
      pending: true,
    }),
    entry({
      kind: 'money',
      text: 'transaction is created, queued',
      collection: 'transactions',
      uid: 'tx',
      amount: money('-20.00'),
      pending: true,
      payment,
    }),
    entry({
      kind: 'record',
      text: 'transfer is created, queued',
      message: { code: 'record_created', facts: { record_name: 'transfer', status: 'queued' } },
      collection: 'transfers',
      uid: 'tr',
    }),
    entry({ kind: 'request', text: 'POST /transfers', exchange }),
  ]
  const settled = [
    entry({
      seq: 9,
      kind: 'money',
      text: '500.00 → 480.00',
      collection: 'synthetic_accounts',
      uid: 'a',
      amount: money('-20.00'),
      balance: money('480.00'),
      payment,
    }),
    entry({
      seq: 9,
      kind: 'state',
      text: 'settled',
      collection: 'transactions',
      uid: 'tx',
      field: 'status',
      from: 'pending',
      to: 'settled',
    }),
    entry({
      seq: 9,
      kind: 'state',
      text: 'settled',
      collection: 'transfers',
      uid: 'tr',
      field: 'status',
      from: 'pending',
      to: 'settled',
    }),
  ]

  it('a request shows what it created and what is held', () => {
    const rows = buildRows(sent)
    expect(rows.map(({ lane, amount, pending }) => [lane, amount, pending])).toEqual([['request', '-20.00', true]])
    expect(rows[0]!.created.map(({ uid }) => uid)).toEqual(['tr', 'tx'])
  })

  it('a settlement is shown once, by the money that moved', () => {
    expect(buildRows(settled).map(({ lane, balance, entry }) => [lane, balance, entry.payment?.uid])).toEqual([
      ['money', '480.00', 'tx'],
    ])
  })

  it('created records without a request are shown, and holds without a payment', () => {
    const alone = buildRows(sent.slice(0, 3))
    expect(alone.map(({ lane, entry }) => [lane, entry.uid])).toEqual([
      ['money', 'tx'],
      ['state', 'tr'],
    ])
    expect(buildRows([sent[0]!])).toHaveLength(1)
  })

  it('a failed payment keeps its state, and each refused request has its own row', () => {
    const failed = { ...settled[1]!, to: 'failed' }
    const refused = entry({
      seq: null,
      kind: 'request',
      text: 'PUT',
      exchange: { ...exchange, uid: 'x2', status: 422 },
    })
    const other = entry({ seq: null, kind: 'request', text: 'PUT', exchange: { ...exchange, uid: 'x3', status: 422 } })
    expect(buildRows([refused, other, failed]).map(({ lane }) => lane)).toEqual(['request', 'request', 'state'])
  })

  it('reads are counted separately and hidden by default; lanes and a search filter the rows', () => {
    const read = entry({
      seq: null,
      kind: 'request',
      text: 'GET',
      exchange: { ...exchange, uid: 'x9', method: 'GET', status: 200 },
    })
    const rows = buildRows([read, ...settled, ...sent])
    expect(countRows(rows)).toEqual({ request: 1, state: 0, money: 1, time: 0, reads: 1 })
    const all = new Set(LANES)
    expect(filterRows(rows, { lanes: all, reads: false, text: '' })).toHaveLength(2)
    expect(filterRows(rows, { lanes: all, reads: true, text: '' })).toHaveLength(3)
    expect(filterRows(rows, { lanes: new Set(['money']), reads: true, text: '' })).toHaveLength(1)
    expect(filterRows(rows, { lanes: all, reads: false, text: 'LOT 91' })).toHaveLength(2)
    expect(filterRows(rows, { lanes: all, reads: false, text: 'lot 92' })).toHaveLength(0)
  })

  it('shows the length of an advance without zero units', () => {
    const [day, hour, minute] = [86_400_000, 3_600_000, 60_000]
    expect([3 * day, day, 2 * day + 20 * hour + 35 * minute, hour, 30_000, 0].map(formatDistance)).toEqual([
      '3 days',
      '1 day',
      '2 days 20 h 35 min',
      '1 h',
      '30 s',
      '0 s',
    ])
  })

  it('is exported as text and numbers for a spreadsheet', () => {
    const hostile = { ...settled[0]!, text: '=HYPERLINK("x"), and\na line' }
    const rows = buildRows([hostile])
    const [head, line] = formats.CSV.write(rows).split('\r\n')
    expect(head).toBe('at,seq,lane,what,detail,amount,pending,balance,collection,uid,request')
    expect(line).toBe(`${AT},9,money,"'=HYPERLINK(""x""), and\na line",,-20.00,false,480.00,synthetic_accounts,a,`)
    expect(JSON.parse(formats.JSON.write(rows))).toMatchObject([{ lane: 'money', amount: '-20.00', made: [] }])
    expect(formats.text.write(rows)).toBe(`${AT}  money    =HYPERLINK("x"), and a line  -20.00  balance 480.00\n`)
  })
})

describe('the parts of a record page', () => {
  it.each(Object.entries(machines))('each state of %s has its own position in the diagram', (name, { states }) => {
    const { at, widths } = diagramLayouts[name as keyof typeof diagramLayouts]
    expect(Object.keys(at).sort()).toEqual([...states].sort())
    expect(new Set(Object.values(at).map(String)).size).toBe(states.length)
    expect(Math.max(...Object.values(at).map(([column]) => column))).toBe(widths.length - 1)
    // In a window 1280 px wide the diagram has 752 px.
    expect(widths.reduce((sum, width) => sum + width, 0) + (widths.length - 1) * 18).toBeLessThanOrEqual(752)
  })

  it('the fields are those of the contract in its order, including absent ones', () => {
    const fields = listFields('synthetic_accounts', {
      uid: 'a',
      name: 'Operating',
      asset_balances: [{ asset_type: 'USD' }],
      closed_at: null,
      unheard_of: 1,
    })
    const names = fields.map(({ name }) => name)
    expect(names.slice(0, 3)).toEqual(['uid', 'external_uid', 'name'])
    expect(names).toEqual(expect.arrayContaining(['asset_balances[0].asset_type', 'ach', 'closed_at']))
    expect(names.at(-1)).toBe('unheard_of')
    expect(fields.find(({ name }) => name === 'external_uid')!.value).toBeUndefined()
    const customer = listFields('customers', { details: { address: { city: 'Ames' } } }).map(({ name }) => name)
    expect(customer).toContain('details.address.city')
    expect(customer).not.toContain('details.ssn')
  })

  it('fields without a value share one line each: those that are null and those that the response leaves out', () => {
    const fields = { name: 'Operating', closed_at: null }
    render(<Fields collection="synthetic_accounts" uid="a" fields={fields} names={new Map()} />)
    expect(screen.getAllByRole('term').map((term) => term.textContent)).toEqual(['name'])
    expect(screen.getByText(/^Empty:/).textContent).toBe('Empty: closed_at')
    expect(screen.getByText(/^Not in the response:/).textContent).toContain('external_uid, ')
  })

  it('the title has the amount, the payer and the payee, as the lists do', () => {
    const named = (uid: string, name: string) =>
      [uid, { collection: 'synthetic_accounts', uid, name, status: null, amount: null }] as const
    const names = new Map([named('own', 'Operating'), named('pool', 'Outside bank'), named('ext', 'Northern Mill Co')])
    const wire = {
      type: 'wire',
      us_dollar_amount: '18450.00',
      net_asset: 'positive',
      source_synthetic_account_uid: 'pool',
      destination_synthetic_account_uid: 'own',
      wire: { counterparty_name: 'Bayline Hotels' },
    }
    expect(titleOf('transactions', wire, names)).toMatchObject({
      caption: 'wire Transaction',
      rest: 'from Bayline Hotels to Operating',
    })
    expect(titleOf('transactions', { ...wire, wire: null }, names).rest).toBe('from Outside bank to Operating')
    const transfer = {
      usd_transfer_amount: '640.00',
      source_synthetic_account_uid: 'own',
      destination_synthetic_account_uid: 'ext',
    }
    expect(titleOf('transfers', { ...transfer, ach: {} }, names)).toMatchObject({
      caption: 'ach Transfer',
      rest: 'from Operating to Northern Mill Co',
    })
    expect(titleOf('transfers', transfer, names).caption).toBe('book transfer Transfer')
    const combined = {
      synthetic_account: { name: 'Sailmaker Brandt' },
      transfer: { usd_transfer_amount: '5400.00', source_synthetic_account_uid: 'own' },
    }
    expect(titleOf('combined_transfers', combined, names)).toMatchObject({
      amount: { value: '5400.00' },
      rest: 'from Operating to Sailmaker Brandt',
    })
    const line = { us_dollar_amount: '1.00', description: 'Credit from "Outside bank"' }
    expect(titleOf('synthetic_line_items', line, names).caption).toBe(
      'Synthetic Line Item · Credit from "Outside bank"',
    )
  })

  it('a countdown shows days, or hours to the second', () => {
    expect([0, 59_999, 61_000, 78_307_000, 246_900_000].map(formatDuration)).toEqual([
      '0 s',
      '59 s',
      '1 min 01 s',
      '21 h 45 min 07 s',
      '2 days 20 h 35 min',
    ])
  })
})

describe('the page', () => {
  const vrn = {
    uid: 'vrn1',
    name: 'Web shop',
    status: 'active',
    instant_payment_rail_registration_status: 'failed',
    synthetic_account_uid: 'acc1',
    locked_at: null,
  }
  const show = (answers: Readonly<Record<string, unknown>> = {}) =>
    showApp('/#/virtual_reference_numbers/vrn1', {
      'records.get': vrn,
      'records.operations': { operations: [], more: false },
      'records.related': { related: [], named: [], tasks: [] },
      'moves.list': {
        moves: [
          { move: 'register', to: 'registered', legal: true, why_not: null, inputs: [] },
          { move: 'unlock', to: 'unlocked', legal: false, why_not: 'it is not locked', inputs: [] },
        ],
      },
      'world.rewind': { seq: 3, now: AT, changed: 1 },
      ...answers,
    })

  it('d moves the focus to the first decision; a code that can be chosen says what it means', async () => {
    const inputs = [{ name: 'code', required: true, values: ['R01', 'R02'] }]
    const moves = [{ move: 'return', to: 'settled', legal: true, why_not: null, inputs }]
    show({ 'moves.list': { moves } })
    const decision = await screen.findByRole('button', { name: /^Return…/ })
    fireEvent.keyDown(document.body, { key: 'd' })
    expect(document.activeElement).toBe(decision)
    fireEvent.click(decision)
    const options = [...(await screen.findByLabelText<HTMLSelectElement>(/^code/)).options].map(({ text }) => text)
    expect(options.slice(-2)).toEqual(['R01 Insufficient funds', 'R02 Account closed'])
  })

  it('the button "Why?" beside the status of a payment explains the payment; that of an account its balance', async () => {
    const name = async (collection: string, record: object) => {
      showApp(`/#/${collection}/r1`, { 'records.get': { uid: 'r1', status: 'pending', ...record } })
      const button = await screen.findByText('Why?', { selector: 'button *, button' })
      const label = button.closest('button')!.getAttribute('aria-label')
      cleanup()
      return label
    }
    const payment = { us_dollar_amount: '5.00', net_asset: 'positive', destination_synthetic_account_uid: 'a1' }
    expect(await name('transactions', payment)).toBe('Why is status pending?')
    const balances = { net_usd_balance: '7.00', net_usd_available_balance: '6.00' }
    expect(await name('synthetic_accounts', balances)).toBe('Why is 6.00 available?')
  })

  const operation = (last: number, more: object = {}) => ({
    operation: last,
    last,
    at: AT,
    cause: { door: 'operator', name: 'moves.make' },
    says: 'decision approve',
    what: 'changed',
    fields: [],
    partial: false,
    exchange: null,
    events: [],
    ...more,
  })
  const showOperations = (record: object, ...operations: object[]) =>
    show({ 'records.get': { ...vrn, ...record }, 'records.operations': { operations, more: false } })

  it('what happened is one list: what did it, the states in between, and the events', async () => {
    const status = { field: 'status', from: 'queued', to: 'settled', via: ['pending'] }
    const event = { uid: 'e1', topic: 'transfers', event_type: 'created', deliveries: [] }
    showOperations({}, operation(9, { says: 'advance: send payment', fields: [status], events: [event] }))
    const list = await screen.findByRole('region', { name: 'What happened' })
    await within(list).findByText('advance: send payment')
    expect(list.textContent).toContain('status queued → pending → settled')
    expect(within(list).getByText('transfers.created').closest('a')!.getAttribute('href')).toContain(
      'webhook_events/e1',
    )
  })

  it('the page of a VRN lists its payments, with the settings of its window', async () => {
    const settings = { authorization_hours: 24, unanswered_authorization: 'approve', vrn_cooldown_minutes: 0 }
    const payment = {
      uid: 't1',
      description: 'Wire credit',
      us_dollar_amount: '5.00',
      status: 'settled',
      created_at: AT,
    }
    const { calls } = show({
      'records.get': { ...vrn, ...settings },
      'records.list': { data: [payment], total_count: 1 },
    })
    const list = await screen.findByRole('region', { name: 'Payments' })
    expect((await within(list).findByText('Wire credit')).closest('a')!.getAttribute('href')).toContain(
      'transactions/t1',
    )
    expect(list.textContent).toContain('authorization_hours 24 · unanswered_authorization approve')
    expect(
      calls.find(({ name, input }) => name === 'records.list' && 'ranges' in (input as object))!.input,
    ).toMatchObject({
      destination_synthetic_account_uid: ['acc1'],
      ranges: [{ field: 'virtual_reference_number_uid', from: 'vrn1', to: 'vrn1' }],
    })
  })

  it('draws no transition from a final state', async () => {
    show({ 'records.get': { ...vrn, status: 'archived' } })
    fireEvent.click(await screen.findByRole('button', { name: 'All states' }))
    expect(document.querySelectorAll('[data-machine]')).toHaveLength(2)
    expect(document.querySelectorAll('[data-machine] [data-next], [data-machine] [data-legal]')).toHaveLength(0)
  })

  it.each([
    ['wire', ['settled', 'failed']],
    ['card_purchase', ['settled', 'failed', 'expired']],
  ])('draws what can follow for a record of its type: a pending %s leads to %j', async (type, next) => {
    const layout = diagramLayouts.transaction
    render(<StateDiagram machine={machines.transaction} layout={layout} state="pending" type={type} />)
    const drawn = [...document.querySelectorAll('[data-next]')].map((state) => state.textContent)
    expect(drawn.toSorted()).toEqual(next.toSorted())
    expect(screen.getByRole('img').getAttribute('aria-label')).toContain(`possible next ${next.join(', ')}.`)
  })

  it('draws the transitions that the record took as taken, also one that leads to its state from many others', async () => {
    const changed = (last: number, field: string, from: string, to: string, via: string[] = []) =>
      operation(last, { fields: [{ field, from, to, via }] })
    showOperations(
      { status: 'archived' },
      changed(9, 'status', 'active', 'archived'),
      changed(8, 'instant_payment_rail_registration_status', 'pending', 'registered', ['failed']),
      // Not a transition of the state machine, and a field of the same name elsewhere.
      changed(7, 'status', 'archived', 'active'),
      changed(6, 'details.status', 'active', 'archived'),
    )
    fireEvent.click(await screen.findByRole('button', { name: 'All states' }))
    const taken = () => [...document.querySelectorAll('[data-machine] [data-taken]')].map((path) => path.textContent)
    const all = ['active to archived', 'pending to failed', 'failed to registered']
    await vi.waitFor(() => expect(taken().toSorted()).toEqual(all.toSorted()))
    cleanup()

    const { machine, layout } = { machine: machines.customer, layout: diagramLayouts.customer }
    const path = [{ from: 'active', to: 'pending_archival' }]
    render(<StateDiagram machine={machine} layout={layout} state="pending_archival" taken={path} />)
    expect(taken()).toEqual(['active to pending_archival'])
    const passed = [...document.querySelectorAll('[data-machine] [data-passed]')].map((state) => state.textContent)
    expect(passed).toEqual(['active', 'pending_archival'])
    expect(screen.getByRole('img', { name: /taken: active to pending_archival/ })).toBeTruthy()
  })

  it('a refused decision shows the error in place; an accepted one shows its result', async () => {
    const { replies, calls, operations } = show({ 'moves.make': new Refused(400, 1007, 'Invalid argument') })
    const moves = await screen.findByRole('region', { name: 'States' })
    fireEvent.click(await within(moves).findByRole('button', { name: /^Register/ }))
    expect((await within(moves).findByRole('alert')).textContent).toContain('Register was refused.')
    // What is not possible says why when it is pressed.
    const unlock = within(moves).getByRole('button', { name: /^Unlock/ })
    fireEvent.click(unlock)
    expect(unlock.getAttribute('aria-expanded')).toBe('true')
    expect(within(moves).getByRole('status').textContent).toContain('Not possible now: it is not locked')
    expect(calls.filter(({ name }) => name === 'moves.make')).toHaveLength(1)

    replies['moves.make'] = { ...vrn, instant_payment_rail_registration_status: 'registered' }
    operations['moves.make'] = 5
    const cause = { door: 'operator', name: 'moves.make register', decision: 'register' }
    const step = { says: 'decision register', did: '1 record' }
    const undo = { operation: 5, cause, goes_on_from: null, to: 4, operations: 1, requests: 0, ...step }
    replies['operations.preview'] = { undo, redo: null, undone_by: null }
    const register = within(moves).getByRole('button', { name: /^Register/ })
    register.focus()
    fireEvent.click(register)
    expect((await within(moves).findByText(/done in commit 5/)).textContent).toContain('Register')
    // The button that was pressed may be gone after the decision: the focus is on its result.
    expect(document.activeElement?.textContent).toContain('done in commit 5')
    fireEvent.click(await within(moves).findByRole('button', { name: /^Undo/ }))
    await vi.waitFor(() => expect(calls.some(({ name }) => name === 'operations.undo')).toBe(true))
    expect(calls.find(({ name }) => name === 'operations.undo')!.input).toEqual({ operation: 5 })
  })
})

type Point = readonly [x: number, y: number]

/** Points along a path of straight lines and cubic curves. */
function samplePath(d: string): Point[] {
  const points: Point[] = []
  let [x, y] = [0, 0]
  for (const [, command, numbers] of d.matchAll(/([MHVLC])([^MHVLC]*)/g)) {
    const given = numbers!.trim().split(/[ ,]+/).map(Number)
    const curve =
      command === 'C'
        ? given
        : command === 'H'
          ? [x, y, given[0]!, y, given[0]!, y]
          : command === 'V'
            ? [x, y, x, given[0]!, x, given[0]!]
            : [given[0]!, given[1]!, given[0]!, given[1]!, given[0]!, given[1]!]
    if (command !== 'M')
      for (let t = 0; t <= 1; t += 0.01) {
        const [u, v, w, z] = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3]
        points.push([
          u * x + v * curve[0]! + w * curve[2]! + z * curve[4]!,
          u * y + v * curve[1]! + w * curve[3]! + z * curve[5]!,
        ])
      }
    ;[x, y] = [curve[4]!, curve[5]!]
  }
  return points
}

describe('the diagrams of states', () => {
  it.each(Object.keys(diagramLayouts) as MachineName[])('no transition of %s is drawn behind a state', (name) => {
    const machine: Machine = machines[name]
    const layout = diagramLayouts[name]
    for (const state of [undefined, ...machine.states]) {
      const { container, unmount } = render(
        <StateDiagram machine={machine} layout={layout} {...(state ? { state } : {})} />,
      )
      const boxes = [...container.querySelectorAll('g')].map((group) => {
        const [x, y, width, height] = ['x', 'y', 'width', 'height'].map((of) =>
          Number(group.querySelector('rect')!.getAttribute(of)),
        )
        return { name: group.textContent, x: x!, y: y!, width: width!, height: height! }
      })
      for (const path of container.querySelectorAll('path[marker-end]')) {
        const hidden = boxes.find((box) =>
          samplePath(path.getAttribute('d')!).some(
            ([x, y]) => x > box.x + 1 && x < box.x + box.width - 1 && y > box.y + 1 && y < box.y + box.height - 1,
          ),
        )
        expect(hidden && `${path.textContent} is behind ${hidden.name}`).toBeUndefined()
      }
      unmount()
    }
  })
})
