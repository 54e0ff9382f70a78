import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { MAX_TRACE_IDS, TRACE_WINDOW_MS, TraceIds } from '../../src/api/http/trace-ids.ts'
import type { CommittedRequest } from '../../src/api/store/commit.ts'
import type { RecentCommit } from '../../src/api/store/data-folder.ts'
import { createTemporaryFolder } from '../support/folder.ts'

const NOW = Date.parse('2026-08-14T14:00:00.000Z')
const PROGRAM = 'Program123456789'

it('forgets the oldest trace ids under a frozen clock', async () => {
  const traces = await TraceIds.open(null)
  for (let i = 0; i < MAX_TRACE_IDS + 50_000; i++) traces.save(traces.use(PROGRAM, `id ${i}`, NOW))
  expect(() => traces.use(PROGRAM, 'id 50001', NOW)).toThrow()
  expect(() => traces.use(PROGRAM, `id ${MAX_TRACE_IDS + 49_999}`, NOW)).toThrow()
  traces.use(PROGRAM, 'id 49999', NOW)
})

it('writes the file anew in steps, and loses no id', async () => {
  const folder = createTemporaryFolder()
  const path = join(folder, 'traces.jsonl')
  const traces = await TraceIds.open(folder)
  // The first 60,000 expire while the others arrive.
  for (let i = 0; i < 60_000; i++) traces.addCommitted(traces.use(PROGRAM, `old ${i}`, NOW))
  await traces.syncAll()
  const later = NOW + TRACE_WINDOW_MS
  let isRewriting = false
  for (let i = 0; i < 60_000; i++) {
    const mark = traces.use(PROGRAM, `new ${i}`, later)
    if (i % 100 === 0) traces.save(mark)
    else traces.addCommitted(mark)
    isRewriting ||= existsSync(`${path}.new`)
  }
  traces.close()
  expect(isRewriting).toBe(true)
  expect(existsSync(`${path}.new`)).toBe(false)
  expect(statSync(path).size).toBeLessThan(7_800_000)

  const again = await TraceIds.open(folder)
  for (let i = 0; i < 60_000; i++) expect(() => again.use(PROGRAM, `new ${i}`, later)).toThrow()
  again.use(PROGRAM, 'old 7', later)
  again.close()
})

it('adds the ids of the recent commits to the file once, however often it is opened', async () => {
  const folder = createTemporaryFolder()
  const path = join(folder, 'traces.jsonl')
  const request = { program_uid: PROGRAM, trace: 'a-hash' } as CommittedRequest
  const recent = [
    { seq: 2, at: new Date(NOW).toISOString(), cause: { door: 'request', name: '' }, request },
  ] as unknown as RecentCommit[]
  const sizes: number[] = []
  for (let times = 0; times < 3; times++) {
    const traces = await TraceIds.open(folder, { recent })
    traces.close()
    sizes.push(statSync(path).size)
  }
  expect(readFileSync(path, 'utf8')).toContain('a-hash')
  expect(sizes).toEqual([sizes[0], sizes[0], sizes[0]])
})

it('200,000 trace ids are read in less than 4 times the time that parsing their lines takes', async () => {
  const folder = createTemporaryFolder()
  const traces = await TraceIds.open(folder)
  for (let i = 0; i < MAX_TRACE_IDS; i++) traces.addCommitted(traces.use(PROGRAM, `id ${i}`, NOW))
  traces.close()
  const parse = () => {
    const lines = readFileSync(join(folder, 'traces.jsonl'), 'utf8').split('\n').slice(0, -1)
    return new Map(lines.map((line) => [JSON.parse(line.slice(0, -9))[1] as string, line.length])).size
  }
  const open = async () => (await TraceIds.open(folder)).close()
  const ratios: number[] = []
  for (let round = 0; round < 5; round++) {
    const begin = performance.now()
    expect(parse()).toBe(MAX_TRACE_IDS + 1)
    const middle = performance.now()
    await open()
    ratios.push((performance.now() - middle) / (middle - begin))
  }
  // The best round: the others shared the machine with other processes.
  expect(Math.min(...ratios)).toBeLessThan(4)
})
