import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import { checkFolder } from '../../src/api/files.ts'
import { PERSON, setUpCustomers } from '../support/customers.ts'
import { copyDataFolder, createTemporaryFolder } from '../support/folder.ts'
import { editLines, readLineTexts } from '../support/lines.ts'
import { call } from '../support/operator.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

/** What a crash between two writes leaves. */

const TRACE = { headers: { 'x-trace-id': 'order-7' } }

/** A copy of an open folder, as a crash leaves it, after one Customer was created. */
async function crashAfterCreate() {
  const data = createTemporaryFolder()
  const { sandbox, api } = await setUpCustomers({ data })
  const answer = await api.post<{ uid: string }>('/customers', { external_uid: 'seven' }, TRACE)
  expect(answer.status).toBe(201)
  const folder = copyDataFolder(data)
  const logged = await list(sandbox)
  await sandbox.close()
  return { folder, uid: answer.body.uid, logged }
}

async function list(sandbox: TestSandbox): Promise<ExchangeDetail[]> {
  const reply = await sandbox.call('exchanges.list', { limit: 1000 })
  expect(reply).toMatchObject({ ok: true })
  return (reply as unknown as { value: { data: ExchangeDetail[] } }).value.data
}

const newestFile = (folder: string) => join(folder, readdirSync(folder).sort().at(-1)!)

describe('a crash after the log entry of a request, before its commit', () => {
  it.each([
    ['nothing of the commit is written', (path: string) => editLines(path, (lines) => lines.slice(0, -1))],
    ['half of it is written', (path: string) => writeFileSync(path, readFileSync(path).subarray(0, -40))],
  ])('%s: the request did not happen, and can be sent again with its trace id', async (_when, cut) => {
    const { folder, uid, logged } = await crashAfterCreate()
    cut(newestFile(join(folder, 'changes')))
    expect((await checkFolder(copyDataFolder(folder))).problems).toEqual([])
    const sandbox = await startSandbox({ data: folder })
    expect((await list(sandbox)).map((exchange) => exchange.uid)).toEqual(
      logged.slice(1).map((exchange) => exchange.uid),
    )
    const client = sandbox.client()
    expect((await client.get(`/customers/${uid}`)).status).toBe(404)
    const again = await client.post<{ uid: string }>('/customers', { external_uid: 'seven' }, TRACE)
    expect(again).toMatchObject({ status: 201, body: { uid } })
    const [newest] = await list(sandbox)
    expect(newest).toMatchObject({
      path: '/customers',
      status: 201,
      trace_id: 'order-7',
      seq_after: logged[0]!.seq_after,
    })
    expect(JSON.stringify(await sandbox.call('why', { collection: 'customers', uid }))).toContain(`"${newest!.uid}"`)
    await sandbox.close()
    expect((await checkFolder(folder)).problems).toEqual([])
  })

  it('and nothing was cut off: the request is there once, and its trace id is used', async () => {
    const { folder, logged } = await crashAfterCreate()
    const sandbox = await startSandbox({ data: folder })
    expect(await list(sandbox)).toEqual(logged)
    expect((await sandbox.client().post('/customers', { external_uid: 'eight' }, TRACE)).status).toBe(409)
    await sandbox.close()
  })
})

describe('a crash after the commit of an operator action and before its entry in the operator log', () => {
  const ACTIONS: Readonly<Record<string, object>> = {
    // Longer than any weekend or holiday, so that the close of a day is on the way.
    'clock.advance': { by: 'P7D' },
    'programs.create': { name: 'Second' },
    'operator.create_customer': { program_uid: '', customer: { email: 'o@x.test', details: PERSON } },
    'tasks.run': { uid: '' },
    'world.reset': { world: 'empty' },
  }

  /** The folder after each action as a crash leaves it, and the entry that the log had. */
  async function crashAfterEachAction() {
    const data = createTemporaryFolder()
    const { sandbox } = await setUpCustomers({ data })
    const [program] = sandbox.programs()
    const found: { name: string; folder: string; entry: object }[] = []
    for (const [name, input] of Object.entries(ACTIONS)) {
      const { tasks } = await call(sandbox, 'tasks.list', {})
      const uids = {
        ...('program_uid' in input && { program_uid: program!.uid }),
        ...('uid' in input && { uid: tasks[0]!.uid }),
      }
      expect(await sandbox.call(name, { ...input, ...uids })).toMatchObject({ ok: true })
      const folder = copyDataFolder(data)
      const acts = newestFile(join(folder, 'log'))
      const entry = entriesOf(acts).at(-1)!
      editLines(acts, (lines) => lines.slice(0, -1))
      found.push({ name, folder, entry })
    }
    await sandbox.close()
    return found
  }

  const entriesOf = (path: string) =>
    readLineTexts(path)
      .slice(1)
      .map((line) => {
        const { uid, ...entry } = JSON.parse(line.split('\t')[0]!) as Record<string, unknown>
        return { uid, entry }
      })
      .flatMap(({ uid, entry }) => (String(uid).startsWith('o') ? [entry] : []))

  it('the entry is rebuilt as it was', async () => {
    for (const { name, folder, entry } of await crashAfterEachAction()) {
      const sandbox = await startSandbox({ data: folder })
      const entries = entriesOf(newestFile(join(folder, 'log')))
      expect(entries.at(-1), name).toEqual(entry)
      await sandbox.close()
      expect(entriesOf(newestFile(join(folder, 'log'))), 'it is rebuilt once').toEqual(entries)
    }
  })

  it('an advance that was interrupted becomes one to the time that it reached', async () => {
    const [{ folder, entry } = expect.fail('no action')] = await crashAfterEachAction()
    const seq = (entry as unknown as { seq_after: number }).seq_after - 1
    editLines(newestFile(join(folder, 'changes')), (lines) => lines.slice(0, -1))
    const sandbox = await startSandbox({ data: folder })
    const { now: to } = await call(sandbox, 'clock.read', {})
    expect(entriesOf(newestFile(join(folder, 'log'))).at(-1)).toEqual({
      ...entry,
      at: to,
      seq_after: seq,
      input: JSON.stringify({ to }),
    })
    await sandbox.close()
  })
})

/** The world of a folder with a Customer `own`, after an import of a Customer `imported`. */
async function expectWorld(folder: string, isImported: boolean) {
  const remarks: string[] = []
  const sandbox = await startSandbox({ data: folder, report: (remark) => void remarks.push(remark) })
  const { data } = await call(sandbox, 'records.list', { collection: 'customers', include_initiated: true })
  const names = data.map((customer) => customer.external_uid)
  expect(names.includes('imported')).toBe(isImported)
  expect(names.includes('own')).toBe(!isImported)
  expect((await call(sandbox, 'ledger.check', {})).balanced).toBe(true)
  const { seq } = await call(sandbox, 'world.describe', {})
  const uids = (await list(sandbox)).map((exchange) => exchange.uid)
  await sandbox.client().post('/customers', { external_uid: 'later' })
  await sandbox.close()
  return { seq, uids, remarks }
}

const filesOf = (folder: string) =>
  ['changes', 'log'].flatMap((name) => readdirSync(join(folder, name)).map((file) => join(name, file)))

describe('a crash during an import', () => {
  async function importBundle() {
    const { sandbox: source, api } = await setUpCustomers()
    await api.post('/customers', { external_uid: 'imported' })
    await call(source, 'clock.advance', { by: 'PT30H' })
    const { text } = await call(source, 'bundles.export', {})
    const data = createTemporaryFolder()
    const sandbox = await startSandbox({ data, seed: 'other', clock: 'frozen' })
    await sandbox.client().post('/customers', { external_uid: 'own' })
    const { seq } = await call(sandbox, 'world.describe', {})
    const uids = (await list(sandbox)).map((exchange) => exchange.uid)
    await call(sandbox, 'bundles.import', { text })
    const folder = copyDataFolder(data)
    const { seq: end } = await call(sandbox, 'world.describe', {})
    await sandbox.close()
    const journal = newestFile(join(folder, 'changes'))
    return { folder, seq, uids, journal, commits: end - seq }
  }

  it.each([
    ['before its first commit', (path, commits) => editLines(path, (lines) => lines.slice(0, -commits))],
    ['between two of its commits', (path) => editLines(path, (lines) => lines.slice(0, -3))],
    ['before its last commit', (path) => editLines(path, (lines) => lines.slice(0, -1))],
    ['in the middle of its last commit', (path) => writeFileSync(path, readFileSync(path).subarray(0, -40))],
    [
      'by a power failure that keeps a part in its middle from the disk',
      (path) => {
        const bytes = readFileSync(path)
        bytes.subarray(-1_500, -1_400).fill(0)
        writeFileSync(path, bytes)
      },
    ],
  ] as [string, (path: string, commits: number) => void][])(
    '%s: the world and the logs are those before it',
    async (when, cut) => {
      const { folder, seq, uids, journal, commits } = await importBundle()
      cut(journal, commits)
      expect((await checkFolder(copyDataFolder(folder))).problems).toEqual([])
      const after = await expectWorld(folder, false)
      expect(after).toMatchObject({ seq, uids })
      expect(after.remarks.join().includes('was torn by a crash')).toBe(!when.includes('first'))
      expect((await checkFolder(folder)).problems).toEqual([])
      // The numbers of its requests are not used again.
      expect(Number((await expectWorld(folder, false)).uids[0]!.slice(1))).toBeGreaterThan(uids.length + 1)
    },
  )

  it('after its commit: the import is there as a whole, with its requests and actions', async () => {
    const { folder, seq, uids } = await importBundle()
    const after = await expectWorld(folder, true)
    expect(after.seq).toBeGreaterThan(seq)
    expect(after.uids.length).toBeGreaterThan(uids.length)
    expect(after.uids).toEqual(after.uids.map((_uid, index) => `x${after.uids.length - index}`))
  })

  it('the start is refused, and changes nothing, if a commit of the import is missing and later commits follow', async () => {
    const { folder, seq, journal } = await importBundle()
    const later = join(folder, 'changes', `${String(seq + 100).padStart(12, '0')}.jsonl`)
    writeFileSync(later, readFileSync(journal))
    editLines(journal, (lines) => lines.slice(0, -1))
    const before = filesOf(folder)
    await expect(startSandbox({ data: folder })).rejects.toThrow(/is torn, although later files follow/)
    expect(filesOf(folder)).toEqual(before)
  })

  it('the start is refused if requests after the import are logged, whose commits are missing', async () => {
    const { folder, journal, commits } = await importBundle()
    const sandbox = await startSandbox({ data: folder })
    await sandbox.client().post('/customers', { external_uid: 'later' })
    const copy = copyDataFolder(folder)
    await sandbox.close()
    editLines(join(copy, 'changes', basename(journal)), (lines) => lines.slice(0, -commits - 1))
    await expect(startSandbox({ data: copy })).rejects.toThrow(/changes are lost/)
    expect((await checkFolder(copy)).problems.join()).toContain('changes are lost')
  })
})
