import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { textOf } from '../../src/api/contract/messages.ts'
import { importFile } from '../../src/api/files.ts'
import { collectionNames, collectionOf } from '../../src/api/store/world.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/**
 * A folder with a snapshot, and a bundle, written by the commands `serve` and `export` of the version before messages. They
 * hold all collections, two Programs with settings of their own, faults that were applied, a rewind and a scenario file.
 */

const RECORDS = {
  programs: 2,
  customers: 6,
  products: 6,
  synthetic_account_types: 8,
  pools: 5,
  customer_products: 12,
  custodial_accounts: 15,
  synthetic_accounts: 29,
  custodial_account_closing_balances: 16,
  synthetic_account_closing_balances: 23,
  kyc_evaluations: 6,
  transfers: 19,
  transactions: 38,
  transaction_events: 29,
  synthetic_line_items: 62,
  custodial_line_items: 58,
  virtual_reference_numbers: 5,
  returns: 2,
  combined_transfers: 2,
  tasks: 13,
  webhooks: 0,
  webhook_events: 0,
  webhook_deliveries: 0,
}

const files = join(import.meta.dirname, 'migrations')

function copyFolder(): string {
  const data = join(createTemporaryFolder(), 'copy')
  cpSync(join(files, 'version-4-settings'), data, { recursive: true })
  return data
}

async function call<T = Record<string, unknown>>(
  sandbox: TestSandbox,
  method: Parameters<TestSandbox['call']>[0],
  input: object = {},
): Promise<T> {
  const reply = await sandbox.call(method, input)
  expect(reply, method).toMatchObject({ ok: true })
  return (reply as unknown as { value: T }).value
}

async function expectBalanced(sandbox: TestSandbox) {
  expect(await call(sandbox, 'ledger.check')).toMatchObject({ balanced: true, problems: [] })
}

const countRecords = (sandbox: TestSandbox) =>
  Object.fromEntries(collectionNames.map((name) => [name, collectionOf(sandbox.store.world, name).size]))

const listDescriptions = (sandbox: TestSandbox) =>
  sandbox.store.world.collections.transactions.inOrder().map(({ description }) => textOf(description))

it('a folder of the previous version opens with all its records, settings, logs and scenarios', async () => {
  const data = copyFolder()
  const sandbox = await startSandbox({ data })
  await expectBalanced(sandbox)
  expect(countRecords(sandbox)).toEqual(RECORDS)
  expect(sandbox.store.world.seq).toBe(133)
  expect(sandbox.store.world.collections.tasks.inOrder().filter(({ held }) => held)).toHaveLength(1)
  expect(listDescriptions(sandbox)).toEqual(
    expect.arrayContaining([
      'Wire credit from Mock Counterparty',
      'Transfer from "Primary Synthetic Account" to "Quay Mill"',
      expect.stringMatching(/^ACH return R01 of Transfer from /),
      expect.stringMatching(/^Wire return debited from \w{16}$/),
    ]),
  )

  const { programs } = await call<{ programs: object[] }>(sandbox, 'programs.list')
  expect(programs).toMatchObject([
    {
      name: 'Harbor Payments',
      unanswered_authorization: 'deny',
      authorization_hours: 12,
      queue_minutes: { ach: 5, wire: 1, instant_payment: 0, book: 0 },
      vrn_cooldown_minutes: 30,
    },
    { name: 'Quay Savings', pre_funding: false },
  ])

  const log = await call<{ data: { fault: string | null }[] }>(sandbox, 'exchanges.list')
  expect(log.data.map(({ fault }) => fault)).toContain('status, latency')
  const { commits } = await call<{ commits: { cause: { name: string } }[] }>(sandbox, 'world.commits')
  expect(commits.map(({ cause }) => cause.name)).toContain('world.rewind')
  const { scenarios } = await call<{ scenarios: { name: string; trouble: string | null }[] }>(sandbox, 'scenarios.list')
  expect(scenarios.find(({ name }) => name === 'quay')).toMatchObject({ own: true, trouble: null })

  await call(sandbox, 'clock.advance', { until: 'idle' })
  await expectBalanced(sandbox)
  const advanced = canonical(sandbox.store.world)
  await sandbox.close()
  const again = await startSandbox({ data })
  expect(canonical(again.store.world)).toBe(advanced)
})

it('its history can be rewound to each commit, and the books balance at each commit', async () => {
  const sandbox = await startSandbox({ data: copyFolder() })
  for (const seq of [131, 124, 118, 101, 83, 40, 1]) {
    await call(sandbox, 'world.rewind', { seq })
    await expectBalanced(sandbox)
  }
})

it('a snapshot of the previous version is restored with its pending payments', async () => {
  const sandbox = await startSandbox({ data: copyFolder() })
  const snapshot = { name: 'payments on their way', seq: 101, records: 293 }
  expect(await call(sandbox, 'snapshots.list')).toMatchObject({ snapshots: [snapshot] })
  await call(sandbox, 'snapshots.restore', { name: snapshot.name })
  expect(Object.values(countRecords(sandbox)).reduce((sum, count) => sum + count)).toBe(snapshot.records)
  const findPayment = () => sandbox.store.world.collections.transactions.inOrder().at(-1)
  expect(findPayment()).toMatchObject({ us_dollar_amount: '20.00', status: 'queued' })
  await call(sandbox, 'clock.advance', { until: 'idle' })
  expect(findPayment()).toMatchObject({ us_dollar_amount: '20.00', status: 'settled' })
  await expectBalanced(sandbox)
})

it('a bundle of the previous version is imported into a folder and into a running world, and replays the same', async () => {
  const file = join(files, 'version-4-settings.bundle.jsonl')
  const data = join(createTemporaryFolder(), 'imported')
  await importFile(file, data)
  const opened = await startSandbox({ data })
  expect(countRecords(opened)).toEqual(RECORDS)
  await expectBalanced(opened)

  const sandbox = await startSandbox()
  const imported = await call<{ since: number }>(sandbox, 'bundles.import', { text: readFileSync(file, 'utf8') })
  expect(imported).toMatchObject({ exchanges: 8, acts: 1 })
  expect(countRecords(sandbox)).toEqual(RECORDS)
  await expectBalanced(sandbox)
  const replayed = await call(sandbox, 'exchanges.replay', { since: imported.since, into: 'then' })
  // The operator returned a credit with R01 then, which is for debits.
  expect(replayed).toMatchObject({ same: 7, differs: 0, refused: 1 })
  await call(sandbox, 'clock.advance', { until: 'idle' })
  await expectBalanced(sandbox)
})
