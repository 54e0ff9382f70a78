import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, vi } from 'vitest'
import type { Snapshot } from '../../src/api/contract/control/snapshots.ts'
import { files, replaceFiles } from '../../src/api/store/files.ts'
import { Journal } from '../../src/api/store/journal.ts'
import { MemoryWorldFile } from '../../src/api/store/memory-world-file.ts'
import { OLIVE } from '../support/customers.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { editLines, readLineTexts } from '../support/lines.ts'
import { createAsker, NO_DIFFERENCE } from '../support/operator.ts'
import { setUpPayments } from '../support/payments.ts'
import { it, START, startSandbox, type TestSandbox } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'
import { canonical, expectUnchanged } from '../support/world.ts'

/** Kept worlds as files of the data folder: whole, readable again, and never half. */

afterEach(() => {
  vi.restoreAllMocks()
  replaceFiles()
})

const SETTINGS = { seed: 'test', start: START, world: 'empty' } as const

async function kept(data: string | null = createTemporaryFolder()) {
  const sandbox = await startSandbox(data === null ? {} : { data, ...SETTINGS })
  return { data, ...handOf(sandbox) }
}

function handOf(sandbox: TestSandbox) {
  const api = sandbox.client()
  const create = async () => String((await api.post('/customers', OLIVE)).body.uid)
  const ask = createAsker(sandbox)
  const keep = (name: string) => ask<Snapshot>('snapshots.keep', { name })
  const names = async () =>
    (await ask<{ snapshots: Snapshot[] }>('snapshots.list')).snapshots.map(({ name }) => name).toSorted()
  return { sandbox, create, ask, keep, names, world: sandbox.store.world }
}

const again = async (data: string | null) => handOf(await startSandbox({ data }))
const folderOf = (data: string | null) => join(data!, 'snapshots')
const pathOf = (data: string | null, name: string) => join(folderOf(data), `${encodeURIComponent(name)}.jsonl`)

/** Refused with a reason that the operator can act on; nothing changes. */
async function refused(sandbox: TestSandbox, method: string, input: object, extra: RegExp) {
  const reply = await expectUnchanged(sandbox, () => sandbox.call(method, input))
  expect(reply).toMatchObject({
    ok: false,
    error: { status: 400, errors: [{ code: 1007, extra: expect.stringMatching(extra) }] },
  })
}

describe('files', () => {
  it.each(['before the storm', 'v1.2.3', 'a.jsonl', 'a.jsonl.new', '0', '_', 'A-b c.d', 'x'.repeat(64)])(
    'the name %j is kept, listed, restored and deleted, over a restart too',
    async (name) => {
      const first = await kept()
      const uid = await first.create()
      const snapshot = await first.keep(name)
      const then = canonical(first.world)
      await first.create()
      expect(readdirSync(folderOf(first.data))).toHaveLength(1)
      await first.sandbox.close()

      const { ask, world, names } = await again(first.data)
      expect(await ask('snapshots.list')).toEqual({ snapshots: [snapshot] })
      await ask('snapshots.restore', { name })
      expect(canonical(world)).toBe(then)
      expect(world.collections.customers.get(uid)).toBeDefined()
      await ask('snapshots.delete', { name })
      expect(await names()).toEqual([])
      expect(readdirSync(folderOf(first.data))).toEqual([])
    },
  )

  it('similar names are different snapshots', async () => {
    const { keep, names, create, ask } = await kept()
    await keep('a')
    await create()
    await keep('a.jsonl')
    await keep('a b')
    expect(await names()).toEqual(['a', 'a b', 'a.jsonl'])
    expect(await ask('snapshots.compare', { a: 'a b', b: 'a.jsonl' })).toMatchObject(NO_DIFFERENCE)
    expect(await ask('snapshots.compare', { a: 'a', b: 'a b' })).toMatchObject({ total_count: { records: 1 } })
    await ask('snapshots.delete', { name: 'a' })
    expect(await names()).toEqual(['a b', 'a.jsonl'])
  })

  it('a file has the form of the world file, is readable only by its owner, and contains no SSN', async () => {
    const { data, keep, create } = await kept()
    await create()
    await keep('a')
    const path = pathOf(data, 'a')
    const text = readFileSync(path, 'utf8')
    expect(JSON.parse(readLineTexts(path)[0]!)).toMatchObject({ sandbank: 'world', seed: 'test' })
    expect(text).not.toMatch(/512-?04-?8823/)
    expect(statSync(path).mode & 0o077).toBe(0)
  })

  it('a snapshot equals the world that it was taken of, with money', async ({ folder: data }) => {
    const it = await setUpPayments({ data, ...SETTINGS })
    const customer = await it.customer()
    await it.fund(customer, '100.00')
    const to = await it.account(customer, 'instant_payment_external')
    await it.pay(customer, customer.master, to, '10.00', { instant_payment: {} })
    const { ask, keep, sandbox } = handOf(it.sandbox)
    await keep('a')
    expect(await ask('snapshots.compare', { a: 'a' })).toMatchObject(NO_DIFFERENCE)
    const world = canonical(sandbox.store.world)
    expect(await ask('snapshots.restore', { name: 'a' })).toMatchObject({ changed: 0 })
    expect(canonical(sandbox.store.world)).toBe(world)
  })

  it('a snapshot has the world of one instant, even if requests arrive while it is written', async () => {
    const { keep, create, ask, world, sandbox } = await kept()
    sandbox.store.transact(sandbox.programs()[0]!.uid, { door: 'operator', name: 'test' }, (tx) => {
      for (let i = 0; i < 10_000; i++)
        tx.schedule(testTask({ kind: 'k', due_at: '2027-01-01T00:00:00.000Z', subject_uid: null, why: `${i}` }))
    })
    const then = canonical(world)
    const [snapshot] = await Promise.all([keep('a'), create(), create(), create()])
    expect(snapshot.seq).toBeLessThan(world.seq)
    await ask('snapshots.restore', { name: 'a' })
    expect(canonical(world)).toBe(then)
  })

  it('two snapshots that are written under one name at the same time give one complete file', async () => {
    const { data, keep, create, names, ask } = await kept()
    await create()
    await Promise.all([keep('a'), keep('a'), keep('b'), keep('a')])
    expect(await names()).toEqual(['a', 'b'])
    expect(await ask('snapshots.compare', { a: 'a', b: 'b' })).toMatchObject(NO_DIFFERENCE)
    expect(readdirSync(folderOf(data)).toSorted()).toEqual(['a.jsonl', 'b.jsonl'])
  })

  it('other files in the folder are not listed, and stay', async () => {
    const { data, keep, names } = await kept()
    await keep('a')
    for (const name of ['notes.txt', 'left by a crash.jsonl.new']) writeFileSync(join(folderOf(data), name), 'x')
    expect(await names()).toEqual(['a'])
    expect(readdirSync(folderOf(data))).toHaveLength(3)
  })

  it.each([
    ['in a folder', undefined],
    ['in memory', null],
  ])('they are listed by name, %s', async (_name, data) => {
    const { ask, keep } = await kept(data)
    for (const name of ['b', 'a', 'c', 'b']) await keep(name)
    const { snapshots } = await ask<{ snapshots: Snapshot[] }>('snapshots.list')
    expect(snapshots.map(({ name }) => name)).toEqual(['a', 'b', 'c'])
  })

  it('without a data folder, snapshots are in memory and end with the sandbox', async () => {
    const first = await kept(null)
    await first.keep('a')
    expect(await first.names()).toEqual(['a'])
    expect(await (await kept(null)).names()).toEqual([])
  })
})

describe('a file that cannot be read', () => {
  const damages: readonly (readonly [string, (text: string) => string, RegExp])[] = [
    [
      'another build wrote it',
      (text) => text.replace(/"version":"[^"]+"/, '"version":999'),
      /its stored form is 999, and "5-[0-9a-f]{8}" is expected\. Use the build that wrote it/,
    ],
    ['it ends too early', (text) => text.slice(0, text.length / 2), /(ends too early|cannot be read)/],
    ['it lost its last line', (text) => text.slice(0, text.lastIndexOf('{"end"')), /ends too early/],
    [
      'a record is missing',
      (text) => text.split('\n').toSpliced(2, 1).join('\n'),
      /it counts \d+ records, and \d+ were/,
    ],
    ['a line is no JSON', (text) => text.replace(/\n.*\n/, '\n{oops\n'), /line 2 cannot be read: it is not JSON/],
    ['it is something else', () => '{"hello":"world"}\n', /not the header of a world/],
    ['it is empty', () => '', /ends too early/],
    [
      'a collection is unknown',
      (text) => text.replace('"collection":"programs"', '"collection":"wishes"'),
      /no collection wishes/,
    ],
  ]

  it.each(damages)('%s: refused with the reason, nothing changes, and the file stays', async (_name, damage, extra) => {
    const { data, sandbox, keep, create } = await kept()
    await keep('a')
    await create()
    const path = pathOf(data, 'a')
    editLines(path, (lines) =>
      damage(`${lines.join('\n')}\n`)
        .split('\n')
        .filter(Boolean),
    )
    const damaged = readFileSync(path, 'utf8')
    await refused(sandbox, 'snapshots.restore', { name: 'a' }, extra)
    await refused(sandbox, 'snapshots.compare', { a: 'a' }, extra)
    await refused(sandbox, 'snapshots.compare', { b: 'a' }, extra)
    expect(readFileSync(path, 'utf8')).toBe(damaged)
  })

  it('the error names the file', async () => {
    const { data, sandbox, keep } = await kept()
    await keep('a')
    writeFileSync(pathOf(data, 'a'), '')
    const reply = await sandbox.call('snapshots.restore', { name: 'a' })
    expect(JSON.stringify(reply)).toContain(pathOf(data, 'a'))
  })

  it('after a refused restore everything else still works', async () => {
    const { data, keep, sandbox, create, world, ask } = await kept()
    await keep('good')
    const then = canonical(world)
    await keep('bad')
    writeFileSync(pathOf(data, 'bad'), '')
    await create()
    await refused(sandbox, 'snapshots.restore', { name: 'bad' }, /ends too early/)
    await ask('snapshots.restore', { name: 'good' })
    expect(canonical(world)).toBe(then)
  })

  it('of a newer version, it is listed with what to do', async () => {
    const { data, keep, ask } = await kept()
    await keep('newer')
    editLines(pathOf(data, 'newer'), ([header, ...lines]) => [
      JSON.stringify({ ...(JSON.parse(header!) as object), version: 999 }),
      ...lines,
    ])
    const { snapshots } = (await ask('snapshots.list')) as { snapshots: Snapshot[] }
    expect(snapshots).toEqual([{ name: 'newer', trouble: expect.stringContaining('Use the build that wrote it') }])
  })

  it('it does not hide other snapshots from the list, can be deleted, and can be replaced', async () => {
    const { data, keep, names, ask } = await kept()
    await keep('good')
    await keep('bad')
    writeFileSync(pathOf(data, 'bad'), '')
    expect(await names()).toContain('good')
    await ask('snapshots.delete', { name: 'bad' })
    expect(await names()).toEqual(['good'])
    await keep('bad')
    writeFileSync(pathOf(data, 'bad'), '')
    await keep('bad')
    expect(await names()).toEqual(['bad', 'good'])
  })
})

describe('"A restore that fails half-way leaves the old world"', () => {
  it.each([
    ['in memory', () => vi.spyOn(MemoryWorldFile.prototype, 'append')],
    ['in a data folder', () => vi.spyOn(Journal.prototype, 'appendAll')],
  ] as const)('%s', async (where, spyOnWrites) => {
    const { data, sandbox, keep, create, ask, world } = await kept(where === 'in memory' ? null : undefined)
    await create()
    await keep('a')
    const uid = await create()
    await ask('clock.advance', { by: 'P1D' })
    const before = canonical(world)
    spyOnWrites().mockImplementation(() => {
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    })
    for (const [method, input] of [
      ['snapshots.restore', { name: 'a' }],
      ['world.reset', { world: 'demo', seed: 'another' }],
      ['world.reset', { world: 'empty' }],
      ['world.rewind', { seq: 1 }],
    ] as const)
      expect(await expectUnchanged(sandbox, () => sandbox.call(method, input))).toMatchObject({
        ok: false,
        error: { status: 500, errors: [{ code: 1000 }] },
      })
    vi.restoreAllMocks()
    expect(sandbox.store.world.seed).toBe('test')
    expect(await ask('ledger.check')).toMatchObject({ balanced: true })
    for (const [name, collection] of Object.entries(world.collections))
      for (const record of collection.inOrder()) expect(collection.get(record.uid), name).toBe(record)
    expect((await sandbox.client().get(`/customers/${uid}`)).status, 'it answers as before').toBe(200)
    if (data !== null) {
      await sandbox.close()
      const reopened = await again(data)
      expect(canonical(reopened.world)).toBe(before)
      await reopened.ask('snapshots.restore', { name: 'a' })
    } else await ask('snapshots.restore', { name: 'a' })
  })
})

describe('a full disk', () => {
  /** The disk takes so many writes of a snapshot, and no more. */
  function fillDiskAfter(writes: number) {
    const { writeInBackground } = files
    let left = writes
    replaceFiles({
      ...files,
      writeInBackground: (...args) =>
        left-- > 0
          ? writeInBackground(...args)
          : Promise.reject(Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })),
    })
  }

  it.each([0, 1, 3])(
    'while keeping, after %i writes: no half file is left, and the world is untouched',
    async (writes) => {
      const { data, sandbox, keep, create, names } = await kept()
      await create()
      fillDiskAfter(writes)
      const reply = await expectUnchanged(sandbox, () => sandbox.call('snapshots.keep', { name: 'a' }))
      expect(reply).toMatchObject({ ok: false, error: { status: 500, errors: [{ code: 1000 }] } })
      expect(sandbox.told.join('\n'), 'whoever runs it is told').toMatch(/no space left/)
      replaceFiles()
      expect(existsSync(folderOf(data)) ? readdirSync(folderOf(data)) : []).toEqual([])
      expect(await names()).toEqual([])
      await keep('a')
      expect(await names()).toEqual(['a'])
    },
  )

  it('the earlier snapshot of that name is still complete', async () => {
    const { keep, create, ask, sandbox, names, world } = await kept()
    const first = await keep('a')
    const then = canonical(world)
    await create()
    fillDiskAfter(1)
    expect(await sandbox.call('snapshots.keep', { name: 'a' })).toMatchObject({ ok: false })
    replaceFiles()
    expect(await names()).toEqual(['a'])
    expect(await ask('snapshots.list')).toEqual({ snapshots: [first] })
    await ask('snapshots.restore', { name: 'a' })
    expect(canonical(world)).toBe(then)
  })
})
