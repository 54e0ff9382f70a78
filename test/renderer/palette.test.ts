import { act, renderHook, waitFor } from '@testing-library/react'
import { Camera } from 'lucide-react'
import { expect, it, onTestFinished } from 'vitest'
import type { Clock } from '../../src/api/contract/control/clock.ts'
import type { Exchange } from '../../src/api/contract/control/exchanges.ts'
import { cancelJob, saveSnapshot, stackActions } from '../../src/renderer/actions/world.ts'
import { emptyFeed, type Feed, useFeed } from '../../src/renderer/data/feed.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { formatInstantSince } from '../../src/renderer/format/text.ts'
import { openRecordCommands, ruleCommands } from '../../src/renderer/frame/palette/search-commands.ts'
import { useCommands } from '../../src/renderer/frame/palette/use-commands.ts'
import { usePaletteText } from '../../src/renderer/frame/palette/use-palette-text.ts'
import { fakeBridge } from './support.tsx'

const NOON = Date.parse('2026-11-20T17:00:00Z')

/** The feed of a connection that is not open yet. */
const inFeed = (feed: Partial<Feed>) => useFeed.setState({ ...emptyFeed, ...feed }, true)

function keepAtNoon(taken: readonly string[], text: string) {
  inFeed({ clock: { now: new Date(NOON).toISOString(), mode: 'frozen' } as Clock })
  return saveSnapshot(text, taken)
}

it('a second snapshot at the same simulated time gets a name of its own, and one that is replaced is named first', () => {
  const keep = (taken: readonly string[], text: string) => keepAtNoon(taken, text).detail
  expect(keep([], '')).toBe('as Fri 20 Nov 2026 12.00')
  expect(keep(['Fri 20 Nov 2026 12.00'], '')).toBe('as Fri 20 Nov 2026 12.00 2')
  for (const title of ['save', 'keep', 'save a snapshot', 'Save snapshot as'])
    expect(keep([], title)).toBe('as Fri 20 Nov 2026 12.00')
  expect(keep(['before'], 'save a snapshot after')).toBe('as after')
  expect(keep(['before'], 'save a snapshot before')).toBe('replaces before, which cannot be undone')
})

it('a snapshot that another window saved meanwhile is not replaced', async () => {
  const fake = fakeBridge({ 'snapshots.list': { snapshots: [{ name: 'Fri 20 Nov 2026 12.00' }, { name: 'before' }] } })
  fake.replies['snapshots.keep'] = { records: 7 }
  onTestFinished(connect(fake.bridge))
  const keep = (text: string) => keepAtNoon([], text).run?.()
  expect(await keep('')).toEqual({ message: 'saved as Fri 20 Nov 2026 12.00 2: 7 records' })
  expect(await keep('save before')).toEqual({
    refused: 'There is a snapshot “before” now. Check again what would be replaced.',
  })
  expect(fake.calls.filter(({ name }) => name === 'snapshots.keep')).toHaveLength(1)
})

const STEP = {
  operation: 84,
  cause: { door: 'request', name: 'POST /transfers' },
  goes_on_from: null,
  at: null,
  to: 83,
  operations: 1,
  requests: 0,
  says: 'request POST /transfers',
  did: '1 transfer',
} as const
const [undo, redo] = stackActions({ undo: STEP, redo: null, undone_by: null })

it('undo and redo show in advance what they would do', () => {
  expect([undo!.detail, redo!.detail]).toEqual(['request POST /transfers', 'nothing to redo'])
  expect(redo!.blocked).toBe('There is nothing to redo.')
  const [more] = stackActions({ undo: { ...STEP, operations: 3 }, redo: null, undone_by: null })
  expect(more!.detail).toBe('request POST /transfers, and 2 other operations')
})

it('an undo that would undo something else than it showed is refused', async () => {
  const fake = fakeBridge({ 'operations.preview': { undo: { ...STEP, operation: 85, to: 84 }, redo: null } })
  onTestFinished(connect(fake.bridge))
  expect(await undo!.run?.()).toEqual({
    refused: 'Something else has changed meanwhile. Check again what would be undone.',
  })
  expect(fake.calls.map(({ name }) => name)).not.toContain('operations.undo')
})

it('the keys of undo and redo work before the clock bar shows what they would do, and say what they did', async () => {
  const fake = fakeBridge({ 'operations.preview': { undo: STEP, redo: null }, 'operations.undo': STEP })
  onTestFinished(connect(fake.bridge))
  const [undoKey, redoKey] = stackActions()
  expect([undoKey!.keys, undoKey!.blocked, await undoKey!.run?.()]).toEqual([
    ['u'],
    null,
    { message: 'undone: request POST /transfers' },
  ])
  expect(await redoKey!.run?.()).toEqual({ refused: 'There is nothing to redo.' })
  expect(fake.calls.map(({ name }) => name)).not.toContain('operations.redo')
})

it('a job can be canceled until its last stage', async () => {
  const fake = fakeBridge({ 'work.cancel': { canceled: true } })
  onTestFinished(connect(fake.bridge))
  const job = {
    type: 'work',
    uid: 'w7',
    name: 'world.rewind',
    done: 1,
    of: 9,
    unit: 'commits',
    over: false,
  } as const
  const found = (can_stop: boolean) => {
    inFeed({ job: { ...job, can_stop } })
    return cancelJob()
  }
  expect(found(false)).toBeNull()
  expect(found(true)).toMatchObject({ title: 'Cancel: rewinding', detail: 'the world stays as it is' })
  expect(await found(true)?.run?.()).toEqual({ message: 'canceled' })
  expect(fake.calls.at(-1)).toEqual({ name: 'work.cancel', input: { uid: 'w7' } })
})

it('an error code comes before a search of requests that has no results', () => {
  const met = { path: '/transfers', trace_id: null, did: '', uid: 'x1', status: 422, code: 3012 } as Exchange
  const titles = (text: string) => ruleCommands(text, [met]).map(({ title }) => title)
  expect(titles('3006')[0]).toBe('3006 Could not initiate transfer')
  expect(titles('3006').at(-1)).toBe('Search requests for “3006”')
  expect(titles('3012')[0]).toBe('Search requests for “3012”')
})

it('a palette that opens over a record offers what changes nothing first, so that Enter decides nothing', () => {
  const approve = { move: 'approve', to: 'pending', legal: true, why_not: null, inputs: [] }
  const open = { collection: 'transactions', record: 'u1', screen: 'record' } as const
  const titles = openRecordCommands(open, [approve], []).map(({ title }) => title)
  expect(titles).toEqual(['Why is it in this state?', 'Copy the uid', 'approve', 'Branch and compare'])
})

it('the palette finds a record that is older than the newest of a large world, and says that it still searches', async () => {
  const found = {
    collection: 'customers',
    uid: 'u1',
    program_uid: 'p1',
    says: 'Ada Old',
    field: 'name',
    value: 'Ada Old',
  }
  const records = [{ ...found, status: null, amount: null }]
  let answerAll = () => {}
  const search = ({ complete }: { complete?: boolean }) =>
    complete
      ? new Promise((resolve) => {
          answerAll = () => resolve({ records, complete: true })
        })
      : { records: [], complete: false }
  const { bridge } = fakeBridge()
  const call: typeof bridge.call = async (name, input, world) =>
    name === 'records.search' ? { ok: true, value: await search(input as object) } : bridge.call(name, input, world)
  onTestFinished(connect({ ...bridge, call }))
  const { result } = renderHook(() => useCommands('Ada Old'))
  const titles = () => result.current.groups.flatMap(({ items }) => items.map(({ title }) => title))
  await waitFor(() => expect(result.current.isSearching).toBe(true))
  expect(titles()).not.toContain('Ada Old')
  act(answerAll)
  await waitFor(() => expect(titles()).toContain('Ada Old'))
  expect(result.current.isSearching).toBe(false)
})

it('an instant shows its year if it is not the current one', () => {
  expect(formatInstantSince(NOON, NOON)).toBe('Fri 20 Nov 12:00')
  expect(formatInstantSince(Date.parse('2051-07-16T16:21:02Z'), NOON)).toBe('Sun 16 Jul 2051 12:21')
})

it('a command that fails says why, and the palette takes another one', async () => {
  onTestFinished(connect(fakeBridge().bridge))
  const done: (string | undefined)[] = []
  const { result } = renderHook(() => usePaletteText({ onDone: (said) => done.push(said) }))
  const command = { id: 'keep', icon: Camera, title: 'Save a snapshot' }
  const failed = { ...command, run: () => Promise.reject(new Error('The connection is lost.')) }
  await act(() => result.current.act(failed))
  expect(result.current.refused).toBe('The sandbox did not respond.')
  await act(() => result.current.act({ ...command, run: () => ({ message: 'saved' }) }))
  expect(done).toEqual(['saved'])
})
