import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type MethodInput, type MethodName, methods } from '../../src/api/contract/control/methods.ts'
import { endpoints } from '../../src/api/contract/endpoints.ts'
import { checkFolder, importFile } from '../../src/api/files.ts'
import { parseCommit } from '../../src/api/store/commit-format.ts'
import { migrate } from '../../src/api/store/migrations.ts'
import { fromSlice, isSlice } from '../../src/api/store/record-slices.ts'
import { type CollectionName, collectionNames, collectionOf } from '../../src/api/store/world.ts'
import { serve } from '../support/cli.ts'
import { apiClient, expectRefusal } from '../support/client.ts'
import { copyDataFolder, createTemporaryFolder } from '../support/folder.ts'
import { call } from '../support/operator.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { canonical } from '../support/world.ts'

/**
 * Folders and bundles of each earlier version, written by that version (`scripts/old-folder.mjs`): the files of a process that was
 * stopped, and of one that was killed while payments of every kind were under way.
 */

const migrationsFolder = join(import.meta.dirname, 'migrations')
const names = readdirSync(migrationsFolder).sort()
const folders = names.filter((name) => !name.endsWith('.jsonl'))
const bundles = names.filter((name) => name.endsWith('.jsonl'))

const copyFolder = (name: string) => copyDataFolder(join(migrationsFolder, name))

type Json = Record<string, unknown>

// ── The files, read without the code under test ──────────────────────────────────────────────────────────────────

/** Reads lines without their checks, which version 6 has behind a tab. */
const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => line.replace(/\t[0-9a-f]{8}$/, ''))

/** The records of a folder in their old form, migrated once from the version that its files have. */
function readOldRecords(folder: string): Map<string, Json> {
  const records = new Map<string, Json>()
  const [header, ...lines] = linesOf(join(folder, 'world.jsonl'))
  const { version, seq } = JSON.parse(header!) as { version: number; seq: number }
  const toCurrent = migrate(version)
  const add = (collection: string, record: Json) =>
    records.set(`${collection} ${String(record.uid)}`, toCurrent(collection, record) as Json)
  for (const line of lines.slice(0, -1)) {
    const content = JSON.parse(line) as { collection: string; record?: Json }
    if (isSlice(content)) for (const record of fromSlice(content)) add(content.collection, record)
    else add(content.collection, content.record!)
  }
  for (const name of readdirSync(join(folder, 'changes')).sort())
    for (const line of linesOf(join(folder, 'changes', name)).slice(1)) {
      const commit = parseCommit(line)
      if (commit.seq <= seq) continue
      for (const { collection, uid, record } of commit.changes)
        if (record) add(collection, record as unknown as Json)
        else records.delete(`${collection} ${uid}`)
    }
  return records
}

const readRecords = ({ store }: TestSandbox) =>
  new Map(
    collectionNames.flatMap((collection) =>
      collectionOf(store.world, collection)
        .inOrder()
        .map((record): [string, unknown] => [`${collection} ${record.uid}`, record]),
    ),
  )

const listSegments = (data: string) => readdirSync(join(data, 'changes')).sort()

// ── What every world must do ─────────────────────────────────────────────────────────────────────────────────────

const expectBalanced = async (sandbox: TestSandbox) =>
  expect(await call(sandbox, 'ledger.check', {})).toMatchObject({ balanced: true, problems: [] })

const worldOf = ({ store: { world } }: TestSandbox) => ({ seq: world.seq, records: canonical(world) })

/** Changes old records and creates new ones, through requests, time and the operator. */
async function write(sandbox: TestSandbox) {
  const { programs, synthetic_accounts, customers } = sandbox.store.world.collections
  const program = programs.get(sandbox.programs()[0]!.uid)!
  await call(sandbox, 'programs.update', { uid: program.uid, authorization_hours: 7, strict: !program.strict })
  const api = sandbox.client()
  const { status, body } = await api.post('/customers', { email: 'new@example.test', details: { first_name: 'Nell' } })
  expect(status).toBe(201)
  const customer = customers.inOrder().find((one) => one.status === 'active' && one.program_uid === program.uid)!
  const wire = await api.post('/sandbox/mock_transactions', {
    ...{ transaction_type: 'wire', customer_uid: customer.uid, us_dollar_amount: 500 },
  })
  expect(wire.status).toBe(201)
  await call(sandbox, 'moves.make', { collection: 'transactions', uid: String(wire.body.uid), move: 'settle' })
  await call(sandbox, 'clock.advance', { by: 'PT1H' })
  const account = synthetic_accounts.inOrder().find((one) => one.customer_uid === customer.uid && one.master_account)!
  expect(Number(account.book_balance)).toBeGreaterThanOrEqual(400)
  return { program, customer: String(body.uid), account: account.uid, balance: account.book_balance }
}

/** What `write` wrote is in the world as it was written, and the books balance. */
async function expectWritten(sandbox: TestSandbox, { program, customer, account, balance }: Written) {
  const { programs, synthetic_accounts, customers } = sandbox.store.world.collections
  expect(programs.get(program.uid)).toEqual({ ...program, authorization_hours: 7, strict: !program.strict })
  expect(customers.get(customer)).toMatchObject({ details: { first_name: 'Nell' } })
  expect(synthetic_accounts.get(account)!.book_balance).toBe(balance)
  await expectBalanced(sandbox)
}
type Written = Awaited<ReturnType<typeof write>>

/** Calls each control method that only reads, for each record that it can be called with. */
async function callEveryReadingMethod(sandbox: TestSandbox) {
  const ask = async <N extends MethodName>(name: N, input: MethodInput<N>) => {
    called.add(name)
    return call(sandbox, name, input)
  }
  const called = new Set<MethodName>()
  const { collections } = sandbox.store.world
  const { programs } = await ask('programs.list', {})
  expect(programs).toHaveLength(collections.programs.size)
  for (const name of ['clock.read', 'tasks.list', 'ledger.check', 'scenarios.list', 'faults.list'] as const)
    await ask(name, {})
  await ask('calendar.read', { from: '2026-08-01', days: 60 })
  const { api } = await ask('world.describe', {})
  expect(api).toBe(sandbox.api)
  for (const { uid: program_uid } of programs) {
    await ask('records.received', { program_uid })
    for (const name of ['ledger.accounts', 'ledger.lines', 'ledger.trial_balance'] as const)
      await ask(name, { program_uid })
    await ask('ledger.reconciliation', { program_uid, days: 60 })
  }
  for (const collection of collectionNames) {
    for (const { uid: program_uid } of programs) await ask('records.list', { collection, program_uid, limit: 1000 })
    const uids = collectionOf(sandbox.store.world, collection)
      .inOrder()
      .map(({ uid }) => uid)
    for (const uid of sample(uids)) {
      await ask('records.get', { collection, uid })
      await ask('records.history', { collection, uid })
      await ask('records.related', { collection, uid })
      await ask('moves.list', { collection, uid })
      await ask('why', { collection, uid })
      await ask('records.search', { text: uid })
    }
  }
  for (const { uid } of collections.customers.inOrder()) {
    await ask('records.story', { uid, reads: true })
    await ask('customers.map', { customer_uid: uid })
  }
  for (const { uid } of sample(collections.synthetic_accounts.inOrder())) {
    await ask('ledger.balances', { account_uid: uid })
    await ask('why', { collection: 'synthetic_accounts', uid, field: 'net_usd_balance' })
  }
  for (const { uid } of sample(collections.transactions.inOrder())) await ask('payments.path', { uid })
  // The oldest worlds have no payments.
  if (collections.transactions.size === 0) called.add('payments.path')
  await ask('world.pulse', { period: 'all' })
  await ask('webhooks.list', {})
  const { data: events } = await ask('events.list', { limit: 1000 })
  for (const { uid } of events) await ask('events.get', { uid })
  // Webhooks came with version 10.
  if (events.length === 0) called.add('events.get')
  await ask('recordings.describe', { text: 'curl http://127.0.0.1/customers' })
  const { data: exchanges } = await ask('exchanges.list', { limit: 1000 })
  for (const { uid } of exchanges) await ask('exchanges.get', { uid })
  const { snapshots } = await ask('snapshots.list', {})
  for (const { name, trouble } of snapshots) {
    expect(trouble).toBeUndefined()
    await ask('snapshots.compare', { a: name })
  }
  const { scenarios } = await ask('scenarios.list', {})
  for (const { name } of scenarios.filter(({ own }) => own)) await ask('scenarios.read', { name })
  const { commits } = await ask('world.commits', { limit: 1000 })
  expect(commits.length).toBeGreaterThan(10)
  const fork = await ask('worlds.create', { name: 'fork', from: 'current' })
  expect((await ask('worlds.list', {})).worlds).toMatchObject([{ name: fork.name, seq: sandbox.store.world.seq }])
  expect(await ask('worlds.compare', { b: fork.name })).toEqual({ differences: [], total_count: 0 })
  const { folder } = await ask('worlds.keep', { name: fork.name, folder: join(createTemporaryFolder(), 'kept') })
  expect((await checkFolder(folder, () => {})).problems).toEqual([])
  await ask('worlds.drop', { name: fork.name })
  await ask('bundles.export', {})
  return called
}

const sample = <T>(all: readonly T[]): T[] =>
  [...new Set([all[0], all[all.length >> 1], all.at(-1)])].filter((one): one is T => one !== undefined)

/** Methods that change something without being actions, and those that need a running job. */
const NOT_READING: ReadonlySet<string> = new Set([
  ...['clock.cancel', 'work.cancel', 'exchanges.send', 'exchanges.replay', 'bundles.import', 'snapshots.keep'],
  ...['snapshots.delete', 'scenarios.save', 'scenarios.delete', 'scenarios.run', 'scenarios.step', 'scenarios.pause'],
  'scenarios.record',
])
/** Only some versions have snapshots and scenarios. */
const reading = (Object.keys(methods) as MethodName[]).filter(
  (name) =>
    !(methods[name] as { isAction?: boolean }).isAction &&
    !NOT_READING.has(name) &&
    !['snapshots.compare', 'scenarios.read'].includes(name),
)

/** Sends each GET of the API in each Program; the sandbox parses each response by its schema and answers 500 if it differs. */
async function getEverything(sandbox: TestSandbox) {
  let gets = 0
  for (const index of sandbox.programs().keys()) {
    const api = apiClient(sandbox, index)
    const program = sandbox.store.world.collections.programs.get(api.program.uid)!
    for (const { method, path } of Object.values(endpoints)) {
      if (method !== 'GET' || path.includes('{')) continue
      if (path === '/returns' && !program.returns) continue
      if (path === '/combined_transfers' && !program.combined_transfers) continue
      const answer = await api.get<{ total_count?: number; data?: { uid: string }[] }>(`${path}?limit=1000`)
      expect(answer.status, path).toBe(200)
      gets++
      if (!Object.values(endpoints).some((one) => one.path === `${path}/{uid}`)) continue
      for (const { uid } of answer.body.data ?? []) {
        const one = await api.get(`${path}/${uid}`)
        expect(one.status, `${path}/${uid}`).toBe(200)
        expect(one.body).toMatchObject({ uid })
        gets++
      }
    }
  }
  return gets
}

describe.each(folders)('the folder %s', (name) => {
  it('opens with the records of its files, each migrated once, and the books balance', async () => {
    const data = copyFolder(name)
    const old = readOldRecords(data)
    const sandbox = await startSandbox({ data })
    expect(Object.fromEntries(readRecords(sandbox))).toEqual(Object.fromEntries(old))
    expect(old.size).toBeGreaterThan(20)
    await expectBalanced(sandbox)
  })

  it('answers every list and record of the API, and every control method that reads', async () => {
    const sandbox = await startSandbox({ data: copyFolder(name) })
    const before = worldOf(sandbox)
    expect(await getEverything(sandbox)).toBeGreaterThan(20)
    const called = await callEveryReadingMethod(sandbox)
    expect(reading.filter((method) => !called.has(method))).toEqual([])
    expect(worldOf(sandbox)).toEqual(before)
  })

  it.each(['stop', 'kill'] as const)('is the same world after writes, a %s and a restart', async (end) => {
    const data = copyFolder(name)
    const old = listSegments(data)
    const texts = old.map((segment) => readFileSync(join(data, 'changes', segment), 'utf8'))
    const sandbox = await startSandbox({ data })
    const written = await write(sandbox)
    const before = worldOf(sandbox)
    await expectWritten(sandbox, written)
    const left = end === 'kill' ? copyDataFolder(data) : data
    if (end === 'stop') await sandbox.close()
    // Old segments stay as they are, so new commits never have an old header.
    expect(listSegments(left)).toHaveLength(old.length + 1)
    expect(old.map((segment) => readFileSync(join(left, 'changes', segment), 'utf8'))).toEqual(texts)

    const again = await startSandbox({ data: left })
    expect(worldOf(again)).toEqual(before)
    await expectWritten(again, written)
    await write(again)
    const later = worldOf(again)
    await again.close()
    const last = await startSandbox({ data: left })
    expect(worldOf(last)).toEqual(later)
    expect(listSegments(left)).toHaveLength(old.length + 1)
    await expectBalanced(last)
  })

  it('stays the same when it is opened again and again', async () => {
    const data = copyFolder(name)
    const worlds: unknown[] = []
    const files: unknown[] = []
    for (let times = 0; times < 3; times++) {
      const sandbox = await startSandbox({ data })
      worlds.push(worldOf(sandbox))
      await sandbox.close()
      files.push(readFiles(data))
    }
    expect(worlds[1]).toEqual(worlds[0])
    expect(worlds[2]).toEqual(worlds[0])
    expect(files[1]).toEqual(files[0])
    expect(files[2]).toEqual(files[0])
  })

  it('advances until nothing is due, and the books balance then and after a restart', async () => {
    const data = copyFolder(name)
    const sandbox = await startSandbox({ data })
    const { fired } = await call(sandbox, 'clock.advance', { until: 'idle' })
    expect(fired.filter(({ outcome }) => outcome.startsWith('failed:'))).toEqual([])
    await expectBalanced(sandbox)
    const before = worldOf(sandbox)
    await sandbox.close()
    const again = await startSandbox({ data })
    expect(worldOf(again)).toEqual(before)
    await expectBalanced(again)
  })

  it('is rewound over its old history and back, and the books balance at each commit', async () => {
    const data = copyFolder(name)
    const sandbox = await startSandbox({ data })
    const before = worldOf(sandbox)
    const { commits } = await call(sandbox, 'world.commits', { limit: 1000 })
    for (const seq of everyTenth(commits.map((commit) => commit.seq))) {
      const reply = await sandbox.call('world.rewind', { seq })
      // Version 1 did not save what a commit changes back: then a rewind changes nothing.
      if (name.startsWith('version-1') && seq < before.seq)
        expect(reply).toMatchObject({
          error: { errors: [{ extra: expect.stringMatching(/saved without the records/) }] },
        })
      else expect(reply).toMatchObject({ ok: true })
      await expectBalanced(sandbox)
    }
    await call(sandbox, 'world.rewind', { seq: before.seq })
    expect(worldOf(sandbox).records).toBe(before.records)
    await sandbox.close()
    const again = await startSandbox({ data })
    expect(worldOf(again).records).toBe(before.records)
  })

  it('restores its snapshots, from which a restart opens the same world', async () => {
    const data = copyFolder(name)
    let sandbox = await startSandbox({ data })
    const { snapshots } = await call(sandbox, 'snapshots.list', {})
    if (!name.startsWith('version-1')) expect(snapshots.length).toBeGreaterThan(0)
    for (const snapshot of snapshots) {
      await call(sandbox, 'snapshots.restore', { name: snapshot.name })
      expect(readRecords(sandbox).size).toBe(snapshot.records)
      await expectBalanced(sandbox)
      const written = await write(sandbox)
      const before = worldOf(sandbox)
      await sandbox.close()
      sandbox = await startSandbox({ data })
      expect(worldOf(sandbox)).toEqual(before)
      await expectWritten(sandbox, written)
      await call(sandbox, 'clock.advance', { until: 'idle' })
      await expectBalanced(sandbox)
    }
  })

  it('is exported and imported with the same records', async () => {
    const sandbox = await startSandbox({ data: copyFolder(name) })
    const { text } = await call(sandbox, 'bundles.export', {})
    const other = await startSandbox()
    await call(other, 'bundles.import', { text })
    expect(countRecords(other)).toEqual(countRecords(sandbox))
    await expectBalanced(other)
    await call(other, 'clock.advance', { until: 'idle' })
    await expectBalanced(other)
  })

  it('lists old and new requests, numbers them on, and still refuses old trace ids', async () => {
    const data = copyFolder(name)
    const sandbox = await startSandbox({ data })
    const api = sandbox.client()
    const { data: old } = await call(sandbox, 'exchanges.list', { limit: 1000 })
    expect(old.length).toBeGreaterThan(5)
    const { status } = await api.get('/customers')
    expect(status).toBe(200)
    const { data: present } = await call(sandbox, 'exchanges.list', { limit: 1000 })
    expect(present.slice(-old.length)).toEqual(old)
    const newUids = present.slice(0, -old.length).map(({ uid }) => Number(uid.slice(1)))
    const lastUid = Number(old[0]!.uid.slice(1))
    expect(newUids.toReversed()).toEqual(newUids.map((_, index) => lastUid + 1 + index))

    // The trace ids of imported requests were used elsewhere.
    const names = readdirSync(join(data, 'exchanges')).filter((file) => !file.includes('+'))
    const firstOwn = Math.min(...names.map((file) => Number.parseInt(file, 10)))
    const used = old.filter(
      ({ uid, trace_id, status, program_uid, path }) =>
        Number(uid.slice(1)) >= firstOwn &&
        trace_id &&
        program_uid === api.program.uid &&
        status < 300 &&
        path !== '/auth',
    )
    for (const { trace_id } of sample(used))
      expectRefusal(await api.get('/customers', { headers: { 'x-trace-id': trace_id! } }), 'duplicateTraceId')
    await sandbox.close()
    const again = await startSandbox({ data })
    const refused = again.client()
    for (const { trace_id } of sample(used))
      expectRefusal(await refused.get('/customers', { headers: { 'x-trace-id': trace_id! } }), 'duplicateTraceId')
    const { data: log } = await call(again, 'exchanges.list', { limit: 1000 })
    expect(new Set(log.map(({ uid }) => uid)).size).toBe(log.length)
  })
})

const countRecords = (sandbox: TestSandbox) =>
  Object.fromEntries(collectionNames.map((name) => [name, collectionOf(sandbox.store.world, name).size]))

/** Including the first and the last. */
const everyTenth = (seqs: readonly number[]) => seqs.filter((_, index) => index % 10 === 0 || index === seqs.length - 1)

function readFiles(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'latin1')]),
  )
}

describe.each(folders.filter((name) => name.endsWith('killed')))('a process that opened %s', (name) => {
  it('loses nothing when it is killed after its writes', async () => {
    const data = copyFolder(name)
    const first = await serve(['--data', data])
    const control = async (method: string, input: object = {}) => {
      const headers = { 'content-type': 'application/json', 'x-control-key': first.line.control_key }
      const answer = await fetch(`${first.line.control}/${method}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(input),
      })
      expect(answer.status, method).toBe(200)
      return answer.json() as Promise<Json>
    }
    const api = apiClient(first)
    const created = await api.post('/customers', { email: 'new@example.test', details: { first_name: 'Nell' } })
    expect(created.status).toBe(201)
    await control('programs.update', { uid: api.program.uid, authorization_hours: 7, pre_funding: false })
    await control('clock.advance', { by: 'P1D' })
    const { programs } = await control('programs.list')
    const balances = (await api.get('/synthetic_accounts?limit=1000')).body
    first.child.kill('SIGKILL')
    await first.ended

    const again = await startSandbox({ data })
    expect((await call(again, 'programs.list', {})).programs).toEqual(programs)
    const client = again.client()
    expect((await client.get('/synthetic_accounts?limit=1000')).body).toEqual(balances)
    expect((await client.get(`/customers/${String(created.body.uid)}`)).body).toEqual(created.body)
    await expectBalanced(again)
  })
})

describe.each(bundles)('the bundle %s', (name) => {
  const path = join(migrationsFolder, name)

  it('is imported into a folder, which is the same world after writes and a restart', async () => {
    const data = join(createTemporaryFolder(), 'imported')
    await importFile(path, data)
    const sandbox = await startSandbox({ data })
    await expectBalanced(sandbox)
    expect(await getEverything(sandbox)).toBeGreaterThan(20)
    await callEveryReadingMethod(sandbox)
    const written = await write(sandbox)
    const before = worldOf(sandbox)
    await sandbox.close()
    const again = await startSandbox({ data })
    expect(worldOf(again)).toEqual(before)
    await expectWritten(again, written)
  })

  it('is imported into a running world with the same records', async () => {
    const data = join(createTemporaryFolder(), 'imported')
    await importFile(path, data)
    const opened = await startSandbox({ data })
    const running = await startSandbox()
    await call(running, 'bundles.import', { text: readFileSync(path, 'utf8') })
    expect(countRecords(running)).toEqual(countRecords(opened))
    await expectBalanced(running)
    await call(running, 'clock.advance', { until: 'idle' })
    await expectBalanced(running)
  })
})

it('there is a stopped and a killed folder of each version before checks, with all its collections', () => {
  const versions = [1, 2, 3, 4, 5]
  expect(folders).toEqual(
    expect.arrayContaining(versions.flatMap((version) => [`version-${version}-killed`, `version-${version}-stopped`])),
  )
  // Version 1 had no payments, so no balance changed.
  const withoutPayments: readonly CollectionName[] = [
    ...(['custodial_account_closing_balances', 'synthetic_account_closing_balances'] as const),
    ...(['transfers', 'transactions', 'transaction_events', 'returns', 'combined_transfers'] as const),
    ...(['synthetic_line_items', 'custodial_line_items', 'virtual_reference_numbers'] as const),
  ]
  const withoutWebhooks = collectionNames.filter((name) => !name.startsWith('webhook'))
  for (const version of versions) {
    const ofVersion = folders.filter((name) => name.startsWith(`version-${version}-`))
    const keys = ofVersion.flatMap((name) => [...readOldRecords(join(migrationsFolder, name)).keys()])
    const found = new Set(keys.map((key) => key.split(' ')[0]))
    const missing = withoutWebhooks.filter((collection) => !found.has(collection))
    expect(
      missing.filter((collection) => version > 1 || !withoutPayments.includes(collection)),
      `${version}`,
    ).toEqual([])
  }
})
