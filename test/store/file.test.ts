import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, vi } from 'vitest'
import type { Cause } from '../../src/api/contract/control/history.ts'
import { Clock } from '../../src/api/store/clock.ts'
import type { Commit, CommitFilter } from '../../src/api/store/commit.ts'
import { changeText, formatCommit, parseCommit, readSeq } from '../../src/api/store/commit-format.ts'
import { openDataFolder, SAVE_AFTER } from '../../src/api/store/data-folder.ts'
import { readHeader } from '../../src/api/store/headers.ts'
import { EMPTY, Journal, linesFromEnd } from '../../src/api/store/journal.ts'
import { Store } from '../../src/api/store/store.ts'
import { digestOf, emptyWorld, type World } from '../../src/api/store/world.ts'
import { copyDataFolder, createTemporaryFolder } from '../support/folder.ts'
import { editLines, writeLineTexts } from '../support/lines.ts'
import { it } from '../support/sandbox.ts'
import { testTask } from '../support/tasks.ts'
import { waitFor } from '../support/wait.ts'
import { CAUSE, canonical, customer, program } from '../support/world.ts'

interface Opening {
  mode?: 'frozen' | 'running'
  snapshotAfter?: typeof SAVE_AFTER
  elapsed?: () => number
}

/** Opens a folder as the sandbox does; `begin` when there is no world yet. */
async function open(folder: string, { mode = 'frozen', snapshotAfter = SAVE_AFTER, elapsed = () => 0 }: Opening = {}) {
  const remarks: string[] = []
  const opened = await openDataFolder(folder, 'write', (line) => void remarks.push(line), snapshotAfter)
  const world = opened.world ?? emptyWorld('test', '2026-08-14T14:00:00.000Z', { mode, pace: 'fast' })
  const store = new Store(world, new Clock(world, elapsed), opened.file)
  if (!opened.world) {
    store.operate(CAUSE, (tx) => tx.programs.put(program('A')))
    opened.begin(world)
    await opened.file.save()
  }
  return { store, world, file: opened.file, remarks }
}

const add = (store: Store, external_uid: string, cause: Cause = CAUSE) =>
  store.transact('A', cause, (tx) => tx.customers.put(customer(tx, { external_uid })))

async function reopened(folder: string): Promise<World> {
  const { world, file } = await open(folder)
  await file.close()
  return world
}

const changes = (folder: string) => join(folder, 'changes', readdirSync(join(folder, 'changes')).sort().at(-1)!)
const refusal = async (folder: string) => {
  try {
    const { file } = await open(folder)
    await file.close()
    return 'it opened'
  } catch (error) {
    expect((error as Error).name).toBe('StoreError')
    return (error as Error).message
  }
}

describe('saved data is read again', () => {
  it('records, counters, clock and order are the same after a restart', async ({ folder }) => {
    const { store, world, file } = await open(folder)
    const first = add(store, 'one')
    add(store, 'two')
    store.transact('A', CAUSE, (tx) => {
      tx.customers.put({ ...first, email: 'a@b.c' })
      tx.schedule(testTask({ kind: 'k', due_at: '2026-08-15T00:00:00.000Z', subject_uid: first.uid, why: 'w' }))
    })
    store.operate(CAUSE, (tx) => tx.setClock({ mode: 'frozen', pace: 'real', at: '2026-08-14T15:00:00.000Z' }))
    await file.close()
    const again = await reopened(folder)
    expect(canonical(again)).toBe(canonical(world))
    expect(again.seq).toBe(world.seq)
  })

  it('writing the world file changes nothing, and keeps commits made in the meantime', async ({ folder }) => {
    const { store, world, file } = await open(folder)
    for (let i = 0; i < 50; i++) add(store, `before ${i}`)
    const saving = file.save()
    for (let i = 0; i < 50; i++) add(store, `meanwhile ${i}`)
    await saving
    add(store, 'after')
    await file.close()
    expect(canonical(await reopened(folder))).toBe(canonical(world))
    expect(readFileSync(join(folder, 'world.jsonl'), 'utf8')).toContain('before 49')
  })

  it.each([
    ['commits', { commits: 5, bytes: 1 << 30 }],
    ['bytes', { commits: 1 << 30, bytes: 2_000 }],
  ])('world files that are written after a number of %s lose nothing', async (_name, snapshotAfter) => {
    const folder = createTemporaryFolder()
    for (let round = 0; round < 3; round++) {
      const { store, world, file, remarks } = await open(folder, { snapshotAfter })
      for (let i = 0; i < 23; i++) {
        add(store, `${round} ${i}`)
        // Some of them while a snapshot is under way, some after it.
        if (i % 4 === 0) await new Promise(setImmediate)
      }
      await file.close()
      expect(remarks).toEqual([])
      expect(canonical(await reopened(folder))).toBe(canonical(world))
    }
    expect(readdirSync(join(folder, 'changes')).length, 'there were snapshots').toBeGreaterThan(3)
  })

  it('the world file waits during an advance, and is written with the next request', async ({ folder }) => {
    const { store, world, file } = await open(folder, { snapshotAfter: { commits: 5, bytes: 1 << 30 } })
    const segments = () => readdirSync(join(folder, 'changes')).length
    const before = segments()
    for (let i = 0; i < 18; i++) add(store, `on the way ${i}`, { door: 'time', name: 'a task' })
    await new Promise(setImmediate)
    expect(segments()).toBe(before)
    add(store, 'asked for')
    await waitFor(() => expect(segments()).toBe(before + 1))
    await file.close()
    expect(canonical(await reopened(folder))).toBe(canonical(world))
  })

  it('a running clock continues from the last commit, also if the world file contains it', async ({ folder }) => {
    let passed = 0
    const { store, file } = await open(folder, { mode: 'running', elapsed: () => passed })
    passed = 3_600_000
    add(store, 'an hour later')
    await file.save()
    await file.close()
    expect((await reopened(folder)).clock).toEqual({ mode: 'running', pace: 'fast', at: '2026-08-14T15:00:00.000Z' })
  })

  it('a first start that ended before its world file was complete left no world: the next start creates one', async () => {
    const folder = createTemporaryFolder()
    mkdirSync(join(folder, 'changes'))
    writeFileSync(join(folder, 'changes', '000000000002.jsonl'), '{"sandbank":"changes","version":1}\n')
    writeFileSync(join(folder, 'world.jsonl.new'), '{"sandbank":"world"')
    const { store, world, file } = await open(folder)
    add(store, 'one')
    await file.close()
    expect(canonical(await reopened(folder))).toBe(canonical(world))
  })

  it('an incomplete world file of a crash is ignored: the old one and its changes give the same world', async () => {
    const folder = createTemporaryFolder()
    const { store, world, file } = await open(folder)
    add(store, 'one')
    const old = join(folder, 'old')
    copyFileSync(join(folder, 'world.jsonl'), old)
    await file.save()
    add(store, 'two')
    await file.close()
    // As it lay there when the crash came: the new snapshot half written, not renamed yet.
    const whole = readFileSync(join(folder, 'world.jsonl'))
    writeFileSync(join(folder, 'world.jsonl.new'), whole.subarray(0, whole.length / 2))
    copyFileSync(old, join(folder, 'world.jsonl'))
    expect(canonical(await reopened(folder))).toBe(canonical(world))
  })

  it('a removed record stays removed', async ({ folder }) => {
    const { store, file } = await open(folder)
    const task = store.transact('A', CAUSE, (tx) =>
      tx.schedule(testTask({ kind: 'k', due_at: tx.now, subject_uid: null, why: 'w' })),
    )
    store.transact('A', CAUSE, (tx) => tx.tasks.remove(task.uid))
    await file.close()
    expect((await reopened(folder)).collections.tasks.size).toBe(0)
  })
})

describe('a torn last line', () => {
  it('is removed wherever it was cut, and reported', async () => {
    const folder = createTemporaryFolder()
    const { store, file } = await open(folder)
    add(store, 'kept')
    const whole = readFileSync(changes(folder)).length
    add(store, 'torn')
    await file.close()
    const full = readFileSync(changes(folder)).length
    expect(full - whole).toBeGreaterThan(300)
    // At the first and the last byte and at every seventh; the simulation tears writes at any byte.
    const cuts = Array.from({ length: full - whole }, (_, i) => whole + i).filter(
      (cut, i) => i % 7 === 0 || cut === full - 1,
    )
    const copy = join(createTemporaryFolder(), 'copy')
    for (const cut of cuts) {
      rmSync(copy, { recursive: true, force: true })
      copyDataFolder(folder, copy)
      truncateSync(changes(copy), cut)
      const again = await open(copy)
      expect(again.world.collections.customers.size, `cut at byte ${cut}`).toBe(1)
      expect(again.remarks.length, 'a tail is reported').toBe(cut === whole ? 0 : 1)
      add(again.store, 'next')
      await again.file.close()
      const last = await reopened(copy)
      expect([...last.collections.customers.inOrder()].map(({ external_uid }) => external_uid)).toEqual([
        'kept',
        'next',
      ])
    }
  })
})

describe('a broken file prevents opening with an error that names the line, and nothing is overwritten', () => {
  const broken: [string, (folder: string) => void, RegExp][] = [
    [
      'a line of the changes that is no JSON',
      (f) => editLine(changes(f), 2, () => '{"seq":2,'),
      /000000000002\.jsonl, line 2 cannot be read: it is not JSON/,
    ],
    [
      'a commit that is missing',
      (f) => editLine(changes(f), 2, () => undefined),
      /line 2 cannot be read: commit 2 is expected, and it is commit 3/,
    ],
    [
      'changes without their header',
      (f) => editLine(changes(f), 1, () => '{}'),
      /000000000002\.jsonl, line 1 cannot be read: it is not the header of a file of changes/,
    ],
    [
      'a line of the world that is no JSON',
      (f) => editLine(join(f, 'world.jsonl'), 2, () => 'x'),
      /world\.jsonl, line 2 cannot be read: it is not JSON/,
    ],
    [
      'a world that ends too early',
      (f) => truncateSync(join(f, 'world.jsonl'), 400),
      /(ends too early|cannot be read)/,
    ],
    [
      'a world with a record too few',
      (f) => editLine(join(f, 'world.jsonl'), 2, () => undefined),
      /it counts 1 records, and 0 were there/,
    ],
    [
      'a line of the world that is something else',
      (f) => editLine(join(f, 'world.jsonl'), 2, () => '{"collection":"programs"}'),
      /world\.jsonl, line 2 cannot be read: it holds no records/,
    ],
    ['an empty world file', (f) => writeFileSync(join(f, 'world.jsonl'), ''), /ends too early and is no whole world/],
    [
      'a world file that is something else',
      (f) => writeLineTexts(join(f, 'world.jsonl'), ['{"hello":1}']),
      /it is not the header of a world/,
    ],
    ['a missing world file beside changes', (f) => rmSync(join(f, 'world.jsonl')), /world\.jsonl is missing although/],
    [
      'a world of another build, whose Programs had other fields',
      (f) => editLine(join(f, 'world.jsonl'), 1, (line) => line.replace(/"version":"[^"]+"/, '"version":1')),
      /^\S+world\.jsonl was written by another build of Sandbank: its stored form is 1, and "5-[0-9a-f]{8}" is expected\. Use the build that wrote it, or pass --data with another folder$/,
    ],
    [
      'an unknown collection',
      (f) => editLine(join(f, 'world.jsonl'), 2, (line) => line.replace('"programs"', '"__proto__"')),
      /there is no collection __proto__/,
    ],
  ]
  it.each(broken)('%s', async (_name, harm, message) => {
    const folder = createTemporaryFolder()
    const { store, file } = await open(folder)
    add(store, 'one')
    add(store, 'two')
    add(store, 'three')
    await file.close()
    harm(folder)
    const before = snapshotOf(folder)
    expect(await refusal(folder)).toMatch(message)
    expect(snapshotOf(folder)).toEqual(before)
  })

  function editLine(path: string, number: number, edit: (line: string) => string | undefined) {
    editLines(path, (lines) => {
      const edited = edit(lines[number - 1]!)
      return lines.toSpliced(number - 1, 1, ...(edited === undefined ? [] : [edited]))
    })
  }

  const snapshotOf = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((path) => [path, readFileSync(path, 'utf8')])
})

it.each([2, 0, 1.5, 'x', null, undefined])(
  'a folder of the form %s is refused with one line that says what to do',
  (version) => {
    const header = JSON.stringify({ sandbank: 'world', version })
    expect(() => readHeader('world.jsonl', header, 'world')).toThrow(
      /^world\.jsonl was written by another build of Sandbank: its stored form is .* is expected\. Use the build that wrote it, or pass --data/,
    )
  },
)

it('the lines of a folder have these fields: where others are stored, LINES of headers.ts is raised', async () => {
  const folder = createTemporaryFolder()
  const { store, file } = await open(folder)
  store.operate({ door: 'operator', name: 'clock.set' }, (tx) => tx.setClock({ ...tx.clock, pace: 'real' }))
  await file.save()
  await file.close()
  const fieldsOf = (path: string) => {
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
    const fields = lines.map((line) =>
      Object.keys(JSON.parse(line.slice(0, line.lastIndexOf('\t'))) as object).join(' '),
    )
    return [...new Set(fields)]
  }
  const [first] = readdirSync(join(folder, 'changes')).sort()
  expect([fieldsOf(join(folder, 'world.jsonl')), fieldsOf(join(folder, 'changes', first!))]).toEqual([
    ['sandbank version seed start seq clock counters digests', 'collection layouts values records', 'end'],
    ['sandbank version oldest', 'seq at cause counters clock was_clock digest changes'],
  ])
})

describe('the history', () => {
  it('is filtered by a text, and always contains rewinds, restores and resets', async () => {
    const { store, world, file } = await open(createTemporaryFolder())
    const first = add(store, 'first')
    add(store, 'second')
    store.replaceWorld(CAUSE, {
      seq: world.seq,
      origin: { seed: world.seed, start: world.start },
      counters: world.counters,
      digest: `${digestOf(world)}`,
      changes: [],
      clock: { ...world.clock, pace: 'real' },
    })
    store.transact('A', CAUSE, (tx) => tx.customers.put({ ...tx.customers.get(first.uid)!, external_uid: 'renamed' }))
    const seqs = (wanted?: CommitFilter) => [...file.newestFirst(wanted)].map((commit) => commit?.seq)
    expect(seqs({ texts: [first.uid] })).toEqual([5, 4, 2])
    expect(seqs({ texts: ['no such text'] })).toEqual([4])
    expect(seqs({ before: 3 })).toEqual([4, 2])
    expect(seqs({ before: 3, texts: ['no such text'] })).toEqual([4])
    expect(seqs()).toEqual([5, 4, 3, 2])
    await file.close()
  })

  it('yields undefined between slices of what the filter leaves out, so that a reader can pause', async () => {
    const { store, file } = await open(createTemporaryFolder())
    const first = add(store, 'first')
    const megabyte = 'x'.repeat(1 << 20)
    for (let n = 0; n < 4; n++) add(store, megabyte)
    const found = [...file.newestFirst({ texts: [first.uid] })].map((commit) => commit?.seq)
    expect(found).toEqual([undefined, undefined, undefined, undefined, 2])
    expect([...store.history({ texts: [first.uid] })].map(({ seq }) => seq)).toEqual([2])
    await file.close()
  })

  it('is filtered by a record, for every kind of change', () => {
    const changes = [
      { collection: 'customers', uid: 'A', record: { uid: 'A' }, was: null },
      { collection: 'customers', uid: 'B', record: null, was: { uid: 'B' } },
      { collection: 'transfers', uid: 'C', record: { uid: 'C', customer_uid: 'D' }, was: { uid: 'C' } },
    ]
    const line = formatCommit({ seq: 1_234_567, changes } as unknown as Commit)
    for (const { collection, uid } of changes) expect(line).toContain(changeText(collection, uid))
    expect(line).not.toContain(changeText('customers', 'C'))
    expect(line, 'it names it, and did not change it').not.toContain(changeText('customers', 'D'))
    expect(readSeq(Buffer.from(line))).toBe(1_234_567)
    expect(readSeq(Buffer.from('{"at":"now","seq":3}'))).toBeUndefined()
  })
})

describe('a line of changes', () => {
  const record = (fields: object) => ({ uid: 'U', program_uid: 'A', made: 1, ...fields })
  const commit = (was: object | null, is: object | null) =>
    ({
      seq: 2,
      at: '2026-08-14T14:00:00.000Z',
      cause: CAUSE,
      counters: { uid: 1, made: 2 },
      changes: [{ collection: 'customers', uid: 'U', record: is && record(is), was: was && record(was) }],
    }) as unknown as Commit

  it.each([
    ['a new record', null, { name: 'one' }],
    ['one that is no more', { name: 'one' }, null],
    [
      'fields that differ, deep or flat',
      { name: 'one', limits: { ach: 1 }, same: [1] },
      { name: 'two', limits: {}, same: [1] },
    ],
    ['a field that came', { name: 'one' }, { name: 'one', ended_at: 'now' }],
    ['a field that went', { name: 'one', ended_at: 'now' }, { name: 'one' }],
    ['null, which is something', { name: null, status: 'a' }, { name: 'one', status: null }],
    ['nothing that differs', { name: 'one' }, { name: 'one' }],
  ])('contains the record before: %s', (_, was, is) => {
    expect(parseCommit(formatCommit(commit(was, is)))).toEqual(JSON.parse(JSON.stringify(commit(was, is))))
  })

  it('is not longer than the record and the differences', () => {
    const long = { text: 'x'.repeat(1_000), lines: Array.from({ length: 100 }, (_, n) => n) }
    const line = formatCommit(commit({ ...long, status: 'queued' }, { ...long, status: 'settled' }))
    expect(line.length).toBeLessThan(JSON.stringify(record(long)).length + 400)
    expect(line).toContain('"before":{"status":"queued"}')
  })
})

describe('a journal', () => {
  it('reads a line by its position, and continues at its end', () => {
    const path = join(createTemporaryFolder(), 'j')
    const journal = new Journal(path, EMPTY)
    journal.append('{"a":1}')
    const place = journal.append('{"ü":"€"}')
    expect(journal.read(place)).toBe('{"ü":"€"}')
    journal.close()
    const again = new Journal(path, journal)
    again.append('{"c":3}')
    again.close()
    expect(readFileSync(path, 'utf8').replaceAll(/\t[0-9a-f]{8}\n/g, '\n')).toBe('{"a":1}\n{"ü":"€"}\n{"c":3}\n')
  })

  const LINES = ['{"head":1}', '{"ü":"€ 💸"}', 'x'.repeat(40), '{}', '{"c":3}']

  it.each([1, 2, 3, 5, 8, 13, 41, 64, 1_000])(
    'gives the same lines when read from its end in blocks of %i bytes',
    (block) => {
      const path = join(createTemporaryFolder(), 'j')
      const journal = new Journal(path, EMPTY)
      for (const line of LINES) journal.append(line)
      journal.close()
      const [first, ...others] = LINES
      const read = (end?: number) => [...linesFromEnd(path, end, block)].map((line) => line.toString())
      expect(read()).toEqual([first, ...others.reverse()])
      const torn = journal.length
      appendFileSync(path, '{"torn":')
      expect(read(torn)).toEqual([first, ...others])
    },
  )

  it('puts the parts of a long line together once', () => {
    const path = join(createTemporaryFolder(), 'j')
    const journal = new Journal(path, EMPTY)
    const lines = ['{"head":1}', 'x'.repeat(10 << 20), '{"c":3}']
    for (const line of lines) journal.append(line)
    journal.close()
    const concat = vi.spyOn(Buffer, 'concat')
    onTestFinished(() => concat.mockRestore())
    expect([...linesFromEnd(path)].map(String)).toEqual([lines[0], lines[2], lines[1]])
    const bytes = concat.mock.results.reduce((sum, { value }) => sum + (value as Buffer).length, 0)
    // Once to find the end of the first line, and once to read it.
    expect(bytes).toBeLessThan(3 * journal.length)
  })

  it('with only a header, or empty, has no lines', () => {
    const path = join(createTemporaryFolder(), 'j')
    const journal = new Journal(path, EMPTY)
    expect([...linesFromEnd(path)].map(String)).toEqual([''])
    journal.append('{"head":1}')
    expect([...linesFromEnd(path)].map(String)).toEqual(['{"head":1}'])
    journal.close()
  })
})
