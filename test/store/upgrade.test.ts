import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatMessage, isMessage, textOf } from '../../src/api/contract/messages.ts'
import { parseCommit } from '../../src/api/store/commit-format.ts'
import { migrate, migrateCause, migrations } from '../../src/api/store/migrations.ts'
import { fromSlice, type Slice } from '../../src/api/store/record-slices.ts'
import { type CollectionName, collectionNames, collectionOf, type StoredRecord } from '../../src/api/store/world.ts'
import { controlOf } from '../support/bridges.ts'
import { copyDataFolder } from '../support/folder.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/**
 * Folders, a snapshot and a bundle that the version before messages has written: payments under way on every rail, an open
 * authorization, an archival, a held task, a decision, a rewind. One run ended regularly, one was killed.
 */

const FOLDERS = ['version-4-stopped', 'version-4-killed'] as const
const files = join(import.meta.dirname, 'migrations')
const AFTER = migrations.length + 1

function copyOf(name: string): string {
  return copyDataFolder(join(files, name))
}

type Json = Record<string, unknown>
const linesOf = (path: string) => readFileSync(path, 'utf8').trimEnd().split('\n')

/** The records as the files have them, the newest of each uid. */
function oldRecords(folder: string): Map<string, { collection: string; record: Json }> {
  const found = new Map<string, { collection: string; record: Json }>()
  for (const line of linesOf(join(folder, 'world.jsonl')).slice(1, -1)) {
    const slice = JSON.parse(line) as Slice
    for (const record of fromSlice(slice)) found.set(String(record.uid), { collection: slice.collection, record })
  }
  for (const name of readdirSync(join(folder, 'changes')).sort())
    for (const line of linesOf(join(folder, 'changes', name)).slice(1))
      for (const { collection, uid, record } of parseCommit(line).changes)
        if (record) found.set(uid, { collection, record: record as unknown as Json })
        else found.delete(uid)
  return found
}

const messageFields = ['description', 'name', 'why'] as const

/** Texts that callers wrote, or that the demonstration wrote for them. */
const OWN_TEXTS = /^(Refund for Olive Oyl, order 7|Opening balance|[A-Z][\w' .,#-]+)$/

/** The API does not show these. */
const ONLY_FOR_OPERATOR: readonly string[] = [
  ...['programs', 'kyc_evaluations', 'tasks', 'webhooks', 'webhook_events', 'webhook_deliveries'],
]

async function lists(sandbox: TestSandbox) {
  const api = sandbox.client()
  const found = new Map<string, Json>()
  for (const name of collectionNames) {
    const reply = await sandbox.call('records.list', { collection: name, limit: 1000 })
    expect(reply, name).toMatchObject({ ok: true })
    if (ONLY_FOR_OPERATOR.includes(name)) continue
    const answer = await api.get<{ data: Json[] }>(`/${name}?limit=1000`)
    expect(answer.status, name).toBe(200)
    for (const record of answer.body.data) found.set(String(record.uid), record)
  }
  return found
}

async function expectBalanced(sandbox: TestSandbox) {
  expect(await sandbox.call('ledger.check', {})).toMatchObject({ ok: true, value: { balanced: true, problems: [] } })
}

const stored = ({ store }: TestSandbox) =>
  collectionNames.flatMap((collection) =>
    collectionOf(store.world, collection)
      .inOrder()
      .map((record) => ({ collection, record })),
  )

describe.each(FOLDERS)('a folder of the previous version, %s', (name) => {
  it('opens with the same records; the API shows the same sentences', async () => {
    const data = copyOf(name)
    const old = oldRecords(data)
    const sandbox = await startSandbox({ data })
    await expectBalanced(sandbox)
    expect(
      stored(sandbox)
        .map(({ record }) => record.uid)
        .toSorted(),
    ).toEqual([...old.keys()].toSorted())
    let compared = 0
    for (const [uid, shown] of await lists(sandbox)) {
      const { record } = old.get(uid)!
      for (const field of ['description', 'name'] as const)
        if (typeof record[field] === 'string') {
          expect(shown[field], uid).toBe(record[field])
          compared++
        }
    }
    expect(compared).toBeGreaterThan(100)
  })

  it('has only messages for sentences of the sandbox, no plain text', async () => {
    const sandbox = await startSandbox({ data: copyOf(name) })
    const texts = stored(sandbox).flatMap(({ record }) =>
      messageFields.flatMap((field) => {
        const value = (record as unknown as Json)[field]
        return isMessage(value) && value.code === 'text' ? [formatMessage(value)] : []
      }),
    )
    for (const text of texts) expect(text).toMatch(OWN_TEXTS)
    expect(texts.join()).not.toMatch(/Transfer from|credit|debit|Deposit|Withdrawal|is sent|settles|KYC|archived/)
  })

  it('continues: pending payments end, the books balance, and a restart opens the same world', async () => {
    const data = copyOf(name)
    const sandbox = await startSandbox({ data })
    const held = sandbox.store.world.collections.tasks.inOrder().filter((task) => task.held)
    expect(held).toHaveLength(1)
    const advanced = await sandbox.call('clock.advance', { until: 'idle' })
    expect(advanced).toMatchObject({ ok: true })
    const { fired } = (advanced as { value: { fired: { task: string; outcome: string }[] } }).value
    expect(new Set(fired.map(({ task }) => task))).toEqual(
      new Set([
        'begin payment',
        'finish payment',
        'receive return',
        'receive notification of change',
        'decide kyc',
        'activate customer',
        'close authorization',
        'register vrn',
        'continue combined transfer',
        'continue archival',
        'finish archival',
        'close of day',
      ]),
    )
    expect(fired.filter(({ outcome }) => outcome.startsWith('failed:'))).toEqual([])
    await sandbox.call('tasks.release', { uid: held[0]!.uid })
    await sandbox.call('clock.advance', { until: 'idle' })
    await expectBalanced(sandbox)
    await lists(sandbox)
    const before = canonical(sandbox.store.world)
    await sandbox.close()
    const again = await startSandbox({ data })
    expect(canonical(again.store.world)).toBe(before)
    await expectBalanced(again)
  })

  it('opens after a kill during the first new commits, and a second time', async () => {
    const data = copyOf(name)
    const sandbox = await startSandbox({ data })
    await sandbox.call('clock.advance', { by: 'PT1H' })
    const left = copyDataFolder(data)
    const before = canonical(sandbox.store.world)
    const again = await startSandbox({ data: left })
    expect(canonical(again.store.world)).toBe(before)
    await again.call('clock.advance', { by: 'PT1H' })
    const third = await startSandbox({ data: copyDataFolder(left) })
    expect(canonical(third.store.world)).toBe(canonical(again.store.world))
    await expectBalanced(third)
  })

  it("has its history with the operator's decision, and a snapshot that can be restored", async () => {
    const sandbox = await startSandbox({ data: copyOf(name) })
    const { world } = sandbox.store
    const [transaction] = world.collections.transactions.inOrder()
    const history = await sandbox.call('records.history', { collection: 'transactions', uid: transaction!.uid })
    expect(history).toMatchObject({ ok: true })
    const [first] = (
      history as { value: { commits: { fields: { field: string; to: unknown }[] }[] } }
    ).value.commits.slice(-1)
    expect(first!.fields.find(({ field }) => field === 'description')?.to).toBe(textOf(transaction!.description))
    const locked = world.collections.virtual_reference_numbers.inOrder().find(({ locked_at }) => locked_at !== null)!
    const why = await sandbox.call('why', {
      collection: 'virtual_reference_numbers',
      uid: locked.uid,
      field: 'locked_at',
    })
    expect(why).toMatchObject({
      value: { chain: [{ cause: { decision: 'lock' }, rule: 'The operator decided: lock' }] },
    })
    expect(await sandbox.call('snapshots.restore', { name: 'before the rush' })).toMatchObject({ ok: true })
    await expectBalanced(sandbox)
    await lists(sandbox)
    expect(await sandbox.call('clock.advance', { until: 'idle' })).toMatchObject({ ok: true })
    await expectBalanced(sandbox)
  })

  it('is migrated once: current records stay the same', () => {
    const toToday = migrate(4)
    for (const { collection, record } of oldRecords(copyOf(name)).values()) {
      const once = toToday(collection, record)!
      expect(toToday(collection, once)).toEqual(once)
      expect(migrate(AFTER)(collection, once)).toEqual(once)
    }
  })

  it('is exported without personal names', async () => {
    const sandbox = await startSandbox({ data: copyOf(name) })
    const exported = await sandbox.call('bundles.export', {})
    const { text } = (exported as { value: { text: string } }).value
    // As a whole word: a random pseudonym may contain the three letters of a short name.
    for (const person of ['Olive', 'Oyl', 'Wimpy', 'Poopdeck', 'Brutus', 'Sea Hag', 'Castor', 'Okafor'])
      expect(text).not.toMatch(new RegExp(`\\b${person}\\b`))
  })
})

it('a bundle of the previous version is imported, balances, and continues', async () => {
  const sandbox = await startSandbox()
  const text = readFileSync(join(files, 'version-4.bundle.jsonl'), 'utf8')
  const imported = await sandbox.call('bundles.import', { text })
  expect(imported).toMatchObject({ ok: true, value: { exchanges: 17 } })
  const { since } = (imported as { value: { since: number } }).value
  const replayed = await sandbox.call('exchanges.replay', { since, into: 'then' })
  // The response to its instant payment has no purpose_of_payment yet; and the operator returned a credit with R01, which is
  // for debits.
  expect(replayed).toMatchObject({ ok: true, value: { same: 15, differs: 1, refused: 1 } })
  await expectBalanced(sandbox)
  const api = sandbox.client()
  const { body } = await api.get<{ data: { description: string }[] }>('/transactions?limit=1000')
  expect(body.data.length).toBeGreaterThan(20)
  for (const { description } of body.data) expect(text).toContain(JSON.stringify(description).slice(1, -1))
  expect(await sandbox.call('clock.advance', { until: 'idle' })).toMatchObject({ ok: true })
  await expectBalanced(sandbox)
})

describe('sentences of the previous version, as messages', () => {
  const toToday = migrate(4)
  const uid = 'dMn5Pw7RkZx2cVb4'
  const message = (collection: CollectionName, field: string, value: string, more: object = {}) =>
    (toToday(collection, { [field]: value, ...more }) as unknown as StoredRecord & Json)[field]

  it.each<[string, object]>([
    [
      'Transfer from "A" to "B "C""',
      { code: 'transfer', facts: { source_account_name: 'A', destination_account_name: 'B "C"' } },
    ],
    ['Debit to "A"', { code: 'line', facts: { movement: 'debit', direction: 'to', account_name: 'A' } }],
    ['Withdrawal from "A"', { code: 'line', facts: { movement: 'withdrawal', direction: 'from', account_name: 'A' } }],
    ['ACH debit by A, Inc.', { code: 'received_debit', facts: { rail: 'ach', counterparty_name: 'A, Inc.' } }],
    [
      'Instant payment credit from A',
      { code: 'received_credit', facts: { rail: 'instant_payment', counterparty_name: 'A' } },
    ],
    [
      'ACH return R01 of Wire credit from A',
      {
        code: 'ach_return',
        facts: {
          ach_return_code: 'R01',
          original: { code: 'received_credit', facts: { rail: 'wire', counterparty_name: 'A' } },
        },
      },
    ],
    [
      'ACH return R01 of something else',
      {
        code: 'ach_return',
        facts: { ach_return_code: 'R01', original: { code: 'text', facts: { text: 'something else' } } },
      },
    ],
    [
      `Wire return debited from ${uid}`,
      {
        code: 'requested_return',
        facts: { return_type: 'initiated_wire_return', direction: 'debit', account_uid: uid },
      },
    ],
    [
      'Paper check to Ada, Jr, 1 Quay, Ames, IA, 50010',
      {
        code: 'paper_check',
        facts: {
          customer_name: 'Ada, Jr',
          customer_uid: uid,
          street1: '1 Quay',
          city: 'Ames',
          state: 'IA',
          postal_code: '50010',
        },
      },
    ],
    ['Paper check to Ada', { code: 'text', facts: { text: 'Paper check to Ada' } }],
    ['Rent for May', { code: 'text', facts: { text: 'Rent for May' } }],
    ['', { code: 'text', facts: { text: '' } }],
  ])('description %j', (text, expected) => {
    expect(message('transactions', 'description', text, { customer_uid: uid })).toEqual(expected)
    expect(textOf(message('transactions', 'description', text, { customer_uid: uid }))).toBe(text)
  })

  const payment = { us_dollar_amount: '1.00', transaction_type: 'ach_return', transaction_uid: uid }
  it.each<[string, object]>([
    [`1.00 by ach return (${uid}) begins to move`, { code: 'payment_sent', facts: payment }],
    [`1.00 by ach return (${uid}) is through its rail`, { code: 'payment_settles', facts: payment }],
    [
      `1.00 by ach return (${uid}) comes back with R01`,
      { code: 'payment_returned', facts: { ...payment, ach_return_code: 'R01' } },
    ],
    [
      `1.00 by ach return (${uid}) brings the notification of change C01`,
      { code: 'payment_corrected', facts: { ...payment, noc_code: 'C01' } },
    ],
    [`The window to authorize 1.00 by ach return (${uid}) closes`, { code: 'authorization_closes', facts: payment }],
    [
      'KYC/AML of Ada Harbor is decided',
      { code: 'kyc_decided', facts: { customer_name: 'Ada Harbor', customer_uid: '' } },
    ],
    [
      `KYC/AML of Customer ${uid} is decided`,
      { code: 'kyc_decided', facts: { customer_name: null, customer_uid: uid } },
    ],
    [
      'Ada is archived, if nothing is left',
      { code: 'archival_finishes', facts: { customer_name: 'Ada', customer_uid: uid } },
    ],
    ['The archival goes on', { code: 'archival_continues', facts: {} }],
    ['VRN 1234 is registered for instant payments', { code: 'vrn_registered', facts: { vrn_last_four: '1234' } }],
    [
      `Combined Transfer ${uid}: its counterparty is made`,
      { code: 'counterparty_created', facts: { combined_transfer_uid: uid } },
    ],
    [
      `Combined Transfer ${uid}: its transfer is initiated`,
      { code: 'transfer_initiated', facts: { combined_transfer_uid: uid } },
    ],
    ['The business day closes', { code: 'business_day_closes', facts: {} }],
    ['Something else', { code: 'text', facts: { text: 'Something else' } }],
  ])('why %j', (text, expected) => {
    expect(message('tasks', 'why', text, { subject_uid: uid })).toEqual(expected)
  })

  it.each<[string, object]>([
    ['Ada Harbor dMn5', { code: 'pool', facts: { customer_name: 'Ada Harbor', customer_uid: uid } }],
    [`Customer ${uid} dMn5`, { code: 'pool', facts: { customer_name: null, customer_uid: uid } }],
    ['Another name', { code: 'text', facts: { text: 'Another name' } }],
  ])('name of a Pool %j', (text, expected) => {
    expect(message('pools', 'name', text, { owner_customer_uid: uid })).toEqual(expected)
    expect(textOf(expected)).toBe(text)
  })

  it('other records and other fields stay the same', () => {
    const record = { uid, name: 'Transfer from "A" to "B"', description: 'Debit to "A"' }
    expect(toToday('synthetic_account_types', record)).toEqual(record)
  })

  it('a cause names its decision', () => {
    const cause = { door: 'operator', name: 'moves.make cash the check' } as const
    expect(migrateCause(cause)).toEqual({ ...cause, decision: 'cash the check' })
    expect(migrateCause({ ...cause, decision: 'lock' })).toEqual({ ...cause, decision: 'lock' })
    expect(migrateCause({ door: 'operator', name: 'clock.set' })).toEqual({ door: 'operator', name: 'clock.set' })
  })
})

it('a Program from before version 7 lets its access tokens expire by the real clock', async () => {
  const sandbox = await startSandbox({ data: copyOf('version-6-stopped') })
  expect(sandbox.programs().map(({ token_clock }) => token_clock)).toEqual(['real', 'real'])
})

it('a Program from before version 9 accepts both forms of the addresses of wires', async () => {
  const sandbox = await startSandbox({ data: copyOf('version-8-stopped') })
  expect(sandbox.programs().map(({ wire_addresses }) => wire_addresses)).toEqual(['both', 'both'])
})

it('Products from before version 8 get their rails, and their Programs allow transfers without a Product', async () => {
  const sandbox = await startSandbox({ data: copyOf('version-7-stopped') })
  const [program] = (await controlOf(sandbox)['programs.list']({})).programs
  expect(program?.rails_need_products).toBe(false)
  expect(program?.products.map(({ name, rails }) => [name, rails])).toEqual([
    ['Business Checking', ['ach']],
    ['Wire Payments', ['wire']],
    ['Instant Payments', ['instant_payment']],
  ])
})

it('a Program from before version 10 allows no other hosts for webhooks, and has none', async () => {
  const sandbox = await startSandbox({ data: copyOf('version-9-stopped') })
  expect(sandbox.programs().map(({ webhook_hosts }) => webhook_hosts)).toEqual([[], []])
  expect((await controlOf(sandbox)['webhooks.list']({})).webhooks).toEqual([])
})
