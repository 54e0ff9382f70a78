import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import { PERSON, setUpCustomers } from '../support/customers.ts'
import { copyDataFolder, createTemporaryFolder } from '../support/folder.ts'
import { editLines, readLineTexts } from '../support/lines.ts'
import { call } from '../support/operator.ts'
import { startSandbox, type TestSandbox } from '../support/sandbox.ts'

/** What a crash between two writes leaves: the commit is there, what is written after it is not. */

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

describe('a crash after a commit', () => {
  it('and before its entry in the request log: the entry is rebuilt, with its uid and request', async () => {
    const { folder, uid, logged } = await crashAfterCreate()
    editLines(newestFile(join(folder, 'exchanges')), (lines) => lines.slice(0, -1))
    const sandbox = await startSandbox({ data: folder })
    const [newest, ...others] = await list(sandbox)
    expect(newest).toMatchObject({
      uid: logged[0]!.uid,
      method: 'POST',
      path: '/customers',
      endpoint: 'createCustomer',
      trace_id: 'order-7',
      status: 0,
      seq_after: logged[0]!.seq_after,
      did: 'The change was made; the sandbox ended before it sent the response',
    })
    expect(others.map((exchange) => exchange.uid)).toEqual(logged.slice(1).map((exchange) => exchange.uid))
    expect(await sandbox.call('exchanges.get', { uid: newest!.uid })).toMatchObject({
      value: { request: { body: '{"external_uid":"seven"}' } },
    })
    expect(JSON.stringify(await sandbox.call('why', { collection: 'customers', uid }))).toContain(`"${newest!.uid}"`)
    await sandbox.client().get('/customers')
    const uids = (await list(sandbox)).map((exchange) => exchange.uid)
    expect(new Set(uids).size, 'no uid is used twice').toBe(uids.length)
    await sandbox.close()
  })

  it('and before its trace id was saved: the trace id is used', async () => {
    const { folder } = await crashAfterCreate()
    rmSync(join(folder, 'traces.jsonl'))
    const sandbox = await startSandbox({ data: folder })
    const again = await sandbox.client().post('/customers', { external_uid: 'eight' }, TRACE)
    expect(again.status).toBe(409)
    await sandbox.close()
  })

  it('a replay of the record repeats the rebuilt request, with nothing to compare it with', async () => {
    const { folder } = await crashAfterCreate()
    editLines(newestFile(join(folder, 'exchanges')), (lines) => lines.slice(0, -1))
    const sandbox = await startSandbox({ data: folder })
    const exported = (await sandbox.call('bundles.export', {})) as unknown as { value: { text: string } }
    const replayed = await sandbox.call('exchanges.replay', { text: exported.value.text })
    expect(replayed).toMatchObject({ value: { differs: 0, refused: 0, unrecorded: 1 } })
    await sandbox.close()
  })
})

describe('a crash after the commit of an operator action and before its entry in the operator log', () => {
  const ACTIONS: Readonly<Record<string, object>> = {
    'clock.advance': { by: 'PT30H' },
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
      const acts = newestFile(join(folder, 'acts'))
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
        const { uid: _, ...entry } = JSON.parse(line.split('\t')[0]!) as Record<string, unknown>
        return entry
      })

  it('the entry is rebuilt as it was', async () => {
    for (const { name, folder, entry } of await crashAfterEachAction()) {
      const sandbox = await startSandbox({ data: folder })
      const entries = entriesOf(newestFile(join(folder, 'acts')))
      expect(entries.at(-1), name).toEqual(entry)
      await sandbox.close()
      expect(entriesOf(newestFile(join(folder, 'acts'))), 'it is rebuilt once').toEqual(entries)
    }
  })

  it('an advance that was interrupted becomes one to the time that it reached', async () => {
    const [{ folder, entry } = expect.fail('no action')] = await crashAfterEachAction()
    const seq = (entry as unknown as { seq_after: number }).seq_after - 1
    editLines(newestFile(join(folder, 'changes')), (lines) => lines.slice(0, -1))
    const sandbox = await startSandbox({ data: folder })
    const { now: to } = await call(sandbox, 'clock.read', {})
    expect(entriesOf(newestFile(join(folder, 'acts'))).at(-1)).toEqual({
      ...{ ...entry, at: to, seq_after: seq },
      input: JSON.stringify({ to }),
    })
    await sandbox.close()
  })
})

describe('a crash during an import', () => {
  it.each([
    ['after half of its commits', 'changes', 3],
    ['after half of the entries of its request log', 'exchanges', 3],
    ['before its last operator action', 'acts', 1],
  ])('%s: the world and the logs are those before it', async (_when, broken, lost) => {
    const { sandbox: source, api } = await setUpCustomers()
    await api.post('/customers', { external_uid: 'imported' })
    await call(source, 'clock.advance', { by: 'PT30H' })
    const { text } = await call(source, 'bundles.export', {})
    const data = createTemporaryFolder()
    const sandbox = await startSandbox({ data, seed: 'other', clock: 'frozen' })
    await sandbox.client().post('/customers', { external_uid: 'own' })
    const { seq } = await call(sandbox, 'world.describe', {})
    const logged = await list(sandbox)
    await call(sandbox, 'bundles.import', { text })
    const folder = copyDataFolder(data)
    await sandbox.close()
    const written = ['changes', 'exchanges', 'acts']
    for (const name of written.slice(written.indexOf(broken)))
      editLines(newestFile(join(folder, name)), (lines) => lines.slice(0, name === broken ? -lost : 1))
    const restarted = await startSandbox({ data: folder })
    expect((await call(restarted, 'world.describe', {})).seq).toBe(seq)
    const own = await restarted.client().get<{ external_uid: string }[]>('/customers?include_initiated=true')
    expect(JSON.stringify(own.body)).toContain('own')
    expect(JSON.stringify(own.body)).not.toContain('imported')
    const uids = (await list(restarted)).map((exchange) => exchange.uid)
    // The newest two are the token and the list above. Without whole commits there is no log to compare.
    if (broken !== 'changes') expect(uids.slice(2)).toEqual(logged.map((exchange) => exchange.uid))
    expect((await call(restarted, 'ledger.check', {})).balanced).toBe(true)
    await restarted.close()
  })
})
