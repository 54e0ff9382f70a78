import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect } from 'vitest'
import type { Exchange, ExchangeDetail } from '../../src/api/contract/control/exchanges.ts'
import { ExchangeLog } from '../../src/api/http/exchanges.ts'
import { MAX_TRACE_IDS, TraceIds } from '../../src/api/http/trace-ids.ts'
import { OperatorLog } from '../../src/api/replay/operator-log.ts'
import { CallLog, type LogHeader } from '../../src/api/store/call-log.ts'
import { createTemporaryFolder } from '../support/folder.ts'
import { readLineTexts } from '../support/lines.ts'
import { it } from '../support/sandbox.ts'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void

const MB = 1 << 20
const used = () => {
  collect()
  return process.memoryUsage().heapUsed / MB
}

const NOW = Date.parse('2026-08-14T14:00:00.000Z')
const PROGRAM = 'Program123456789'

const request = (exchanges: ExchangeLog, seq = 0): Exchange => ({
  uid: exchanges.nextUid,
  at: new Date(NOW).toISOString(),
  program_uid: PROGRAM,
  caller: '127.0.0.1',
  endpoint: null,
  method: 'GET',
  path: '/customers',
  trace_id: null,
  status: 200,
  code: null,
  ms: 1,
  did: 'read',
  hints: 0,
  seq_before: seq,
  seq_after: seq,
})
const reset = (seq: number) =>
  ({
    uid: `o${seq}`,
    name: 'world.reset',
    input: '{}',
    at: new Date(NOW).toISOString(),
    after: null,
    seq_before: seq - 1,
    seq_after: seq,
  }) as const

async function open(folder: string, length?: number) {
  const log = await CallLog.open(folder, { length })
  return { log, exchanges: new ExchangeLog(log), traces: new TraceIds(log) }
}
type Opened = Awaited<ReturnType<typeof open>>

/** How many trace ids of deleted files the headers have. */
const keptTraces = (folder: string): number =>
  readdirSync(join(folder, 'log'))
    .map((name) => JSON.parse(readLineTexts(join(folder, 'log', name))[0]!) as LogHeader)
    .flatMap(({ traces = [] }) => traces)
    .reduce((sum, { marks }) => sum + marks.split(' ').length / 3, 0)

const send = ({ exchanges, traces }: Opened, id: string, seq = 0) =>
  exchanges.write(request(exchanges, seq), '{}', traces.use(PROGRAM, id, NOW).hash)

it('the details of an entry are in its file, not in memory', async () => {
  const { log, exchanges } = await open(createTemporaryFolder())
  const before = used()
  for (let n = 1; n <= 400; n++)
    exchanges.write(request(exchanges), JSON.stringify({ refusal: null, hinted: [`${n} `.repeat(25_000)] }))
  expect(used() - before).toBeLessThan(10)
  expect((exchanges.get('x7') as unknown as Pick<ExchangeDetail, 'hinted'>).hinted).toEqual(['7 '.repeat(25_000)])
  log.close()
})

describe('a used trace id', () => {
  it('is used after a restart, also when the entry of its request is no longer kept', async ({ folder }) => {
    const first = await open(folder, 8)
    for (let n = 1; n <= 100; n++) send(first, `id ${n}`)
    first.log.close()
    expect(keptTraces(folder)).toBeGreaterThan(80)

    const again = await open(folder, 8)
    expect(again.exchanges.summaries().length).toBeLessThan(20)
    for (let n = 1; n <= 100; n++) expect(() => send(again, `id ${n}`), `id ${n}`).toThrow('x-trace-id')
    send(again, 'new')
    again.log.close()
  })

  it('can be used again after a reset, whose entry may be gone, and not after its second use', async ({ folder }) => {
    const first = await open(folder, 8)
    for (let n = 1; n <= 50; n++) send(first, `id ${n}`)
    first.log.add({ summary: reset(1), details: '{}' })
    first.traces.clear()
    for (let n = 1; n <= 30; n++) send(first, `id ${n}`, 1)
    first.log.close()
    expect(first.log.actions, 'the file of the reset was deleted').toEqual([])

    const again = await open(folder, 8)
    for (let n = 1; n <= 30; n++) expect(() => send(again, `id ${n}`, 1), `id ${n}`).toThrow('x-trace-id')
    for (let n = 31; n <= 50; n++) send(again, `id ${n}`, 1)
    again.log.close()
  })

  it('can be used again after a reset, if the process ended before it forgot the ids', async ({ folder }) => {
    const first = await open(folder, 8)
    for (let n = 1; n <= 50; n++) send(first, `id ${n}`)
    first.log.add({ summary: reset(1), details: '{}' })
    first.log.close()
    const again = await open(folder, 8)
    for (let n = 1; n <= 50; n++) send(again, `id ${n}`, 1)
    again.log.close()
  })

  it('that is forgotten is not kept, also that of a Program that sends nothing more', async ({ folder }) => {
    const { log, exchanges, traces } = await open(folder, 8)
    const idle = 'IdleProgram12345'
    exchanges.write({ ...request(exchanges), program_uid: idle }, '{}', traces.use(idle, 'only', NOW).hash)
    for (let day = 0; day < 30; day++)
      for (let n = 0; n < 10; n++) {
        const at = NOW + day * 86_400_000
        const { hash } = traces.use(PROGRAM, `${day} ${n}`, at)
        exchanges.write({ ...request(exchanges), at: new Date(at).toISOString() }, '{}', hash)
      }
    log.close()
    expect(keptTraces(folder), 'of 301').toBeLessThan(90)
  })
})

describe('requests that arrive in one turn of the event loop', () => {
  const arrive = ({ exchanges }: Opened, done: (failure?: unknown) => void) =>
    exchanges.addLater(request(exchanges), '{}', undefined, done)
  const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

  it('are answered when all of them are in the log, in one write, those before a change first', async ({ folder }) => {
    const opened = await open(folder)
    const { exchanges, log } = opened
    const answered: string[][] = []
    const uids = () => exchanges.summaries().map(({ uid }) => uid)
    for (let n = 1; n <= 2; n++) arrive(opened, () => answered.push(uids()))
    expect(uids(), 'nobody has an answer yet').toEqual([])
    expect(exchanges.write(request(exchanges), '{}').uid).toBe('x3')
    expect(uids()).toEqual(['x1', 'x2', 'x3'])
    arrive(opened, () => answered.push(uids()))
    expect(answered).toEqual([])
    await nextTurn()
    expect(answered).toEqual(Array(3).fill(['x1', 'x2', 'x3', 'x4']))
    log.close()
    expect((await open(folder)).exchanges.summaries().map(({ uid }) => uid)).toEqual(['x1', 'x2', 'x3', 'x4'])
  })

  it('are answered, each with the reason, when they cannot be logged', async ({ folder }) => {
    const opened = await open(folder)
    send(opened, 'a')
    const told: string[] = []
    opened.exchanges.subscribe(({ uid }) => void told.push(uid))
    opened.log.close()
    const failures: unknown[] = []
    for (let n = 1; n <= 2; n++) arrive(opened, (failure) => failures.push(failure))
    await nextTurn()
    expect(failures.map(String)).toEqual(Array(2).fill(expect.stringContaining('EBADF')))
    expect([opened.exchanges.summaries().length, told]).toEqual([1, []])
  })

  it('are in a file that counts none of them in its header, also beside one without a token', async ({ folder }) => {
    const opened = await open(folder)
    const { exchanges, log } = opened
    arrive(opened, () => {})
    exchanges.addLater({ ...request(exchanges), program_uid: null }, '{}', undefined, () => {})
    await nextTurn()
    log.close()
    const [header, ...entries] = readFileSync(join(folder, 'log', '000000000001.jsonl'), 'utf8').split('\n')
    expect([JSON.parse(header!.split('\t')[0]!).counts, entries.length]).toEqual([{ requests: 0, actions: 0 }, 2])
    expect(log.counts.requests).toBe(2)
  })

  it('are answered in between if they are many', async ({ folder }) => {
    const opened = await open(folder)
    let answered = 0
    for (let n = 1; n <= 40; n++) arrive(opened, () => answered++)
    expect(answered).toBe(32)
    await nextTurn()
    expect(answered).toBe(40)
    opened.log.close()
  })
})

describe('an entry whose commit is not there', () => {
  it('is taken back, and its number is not used again', async ({ folder }) => {
    const first = await open(folder)
    send(first, 'a')
    first.exchanges.write({ ...request(first.exchanges), seq_after: 1 }, '{}')
    first.exchanges.takeBack()
    expect(send(first, 'b').uid).toBe('x3')
    first.log.close()
    const { log, exchanges } = await open(folder)
    expect(exchanges.summaries().map(({ uid }) => uid)).toEqual(['x1', 'x3'])
    log.close()
  })

  it('goes at the next start, if the process ended in between', async ({ folder }) => {
    const first = await open(folder)
    send(first, 'a', 7)
    first.exchanges.write({ ...request(first.exchanges, 7), seq_after: 8 }, '{}')
    first.log.close()
    const log = await CallLog.open(folder, { newest: { seq: 7, logged: { requests: 1, actions: 0 } } })
    expect(log.requests.map(({ summary }) => summary.uid)).toEqual(['x1'])
    log.close()
    await expect(CallLog.open(folder, { newest: { seq: 6, logged: { requests: 1, actions: 0 } } })).rejects.toThrow(
      /changes ends with commit 6, and .*log has x1 with commit 7: changes are lost/,
    )
  })
})

it('numbers that only commits know are not used again, and the start says what the log has lost: the power failed', async () => {
  const folder = createTemporaryFolder()
  const first = await open(folder)
  send(first, 'a')
  first.log.close()
  const remarks: string[] = []
  for (let start = 0; start < 2; start++) {
    const log = await CallLog.open(folder, {
      newest: { seq: 0, logged: { requests: 9, actions: 2 } },
      report: (line) => void remarks.push(line),
    })
    expect([new ExchangeLog(log).nextUid, log.counts.actions]).toEqual(['x10', 2])
    log.close()
  }
  expect(remarks[0]).toContain('ends with x1 and o0, and changes were made after x9 and o2: the power failed')
})

describe('an action that is added after a kill', () => {
  const commitOf = (seq: number, name: string, after: string | null = null) =>
    ({
      seq,
      at: new Date(NOW).toISOString(),
      cause: { door: 'operator', name },
      counters: { uid: 0, made: 0 },
      digest: '',
      action: { name, input: '{}', after, seq_before: seq - 1 },
    }) as const

  it('reserves the number of the request before it, which may be in no log', () => {
    const log = CallLog.inMemory()
    new OperatorLog(log).addUnlogged([commitOf(1, 'clock.set', 'x9')])
    expect(new ExchangeLog(log).nextUid).toBe('x10')
  })

  it('is not one whose entry was deleted', async ({ folder }) => {
    const first = await open(folder, 8)
    const commits = Array.from({ length: 10 }, (_, index) => commitOf(index + 1, 'clock.set'))
    new OperatorLog(first.log).addUnlogged(commits)
    for (let n = 1; n <= 30; n++) send(first, `id ${n}`, 10)
    expect(first.log.actions).toEqual([])
    first.log.close()
    const again = await open(folder, 8)
    new OperatorLog(again.log).addUnlogged(commits)
    expect(again.log.actions).toEqual([])
    again.log.close()
  })

  it('and is a reset forgets the trace ids, also those of files that were deleted', async ({ folder }) => {
    const first = await open(folder, 8)
    for (let n = 1; n <= 50; n++) send(first, `id ${n}`)
    first.log.close()
    const log = await CallLog.open(folder, { length: 8 })
    new OperatorLog(log).addUnlogged([commitOf(1, 'world.reset')])
    const again = { log, exchanges: new ExchangeLog(log), traces: new TraceIds(log) }
    for (let n = 1; n <= 50; n++) send(again, `id ${n}`, 1)
    log.close()
  })
})

it(`the oldest of more than ${MAX_TRACE_IDS} trace ids of a Program are forgotten first, under a frozen clock`, () => {
  const traces = new TraceIds(CallLog.inMemory())
  for (let i = 0; i < MAX_TRACE_IDS + 50_000; i++) traces.use(PROGRAM, `id ${i}`, NOW)
  expect(() => traces.use(PROGRAM, 'id 50001', NOW)).toThrow()
  expect(() => traces.use(PROGRAM, `id ${MAX_TRACE_IDS + 49_999}`, NOW)).toThrow()
  traces.use(PROGRAM, 'id 49999', NOW)
})
