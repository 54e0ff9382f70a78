import { describe, expect, it } from 'vitest'
import { formatCause } from '../../src/api/contract/control/causes.ts'
import type { RecordDifference } from '../../src/api/contract/control/snapshots.ts'
import { SnapshotName } from '../../src/api/contract/control/snapshots.ts'
import { formatValue, groupDifferences } from '../../src/renderer/components/differences/DifferenceList.tsx'
import { formatChanges, suggestSnapshotName } from '../../src/renderer/format/commits.ts'

const NOW = Date.parse('2026-11-20T14:04:18Z')

it('a snapshot gets a suggested name: its simulated time, valid and not taken', () => {
  const name = suggestSnapshotName(NOW, [])
  expect(name).toBe('Fri 20 Nov 2026 09.04')
  expect(SnapshotName.safeParse(name).success).toBe(true)
  expect(suggestSnapshotName(NOW, [name, `${name} 2`])).toBe(`${name} 3`)
})

describe('the text of a commit', () => {
  it.each([
    [{ door: 'request', name: 'POST /transfers' }, null, 'request POST /transfers'],
    [{ door: 'time', name: 'finish payment' }, null, 'task finish payment'],
    [{ door: 'operator', name: 'moves.make settle', decision: 'settle' }, null, 'operator decided: settle'],
    [{ door: 'operator', name: 'world.rewind' }, 1_234, 'operator rewound the world, commit 1234'],
    [
      { door: 'operator', name: 'world.rewind', undo: 'undo' },
      12,
      'operator undid operations: the world is as after commit 12',
    ],
    [{ door: 'operator', name: 'something.new' }, null, 'operator something.new'],
    [{ door: 'operator', name: 'tasks.release' }, null, 'operator released a task'],
    [{ door: 'operator', name: 'world.create' }, null, 'world created'],
  ] as const)('%j', (cause, goes_on_from, words) => expect(formatCause({ cause, goes_on_from })).toBe(words))

  it('counts the changed records by collection, largest count first', () => {
    expect(formatChanges({ tasks: 1, synthetic_line_items: 2 })).toBe('2 synthetic line items, 1 task')
    expect(formatChanges({})).toBe('')
  })
})

describe('a comparison', () => {
  const difference = (collection: string, uid: string, what: RecordDifference['what']): RecordDifference => ({
    collection,
    uid,
    what,
    fields: [{ field: 'status', a: 'queued', b: 'settled' }],
  })
  const all = [
    difference('customers', 'c1', 'differs'),
    difference('transfers', 't1', 'only in b'),
    difference('customers', 'c2', 'only in a'),
  ]

  it('is grouped by collection and counted', () => {
    expect(groupDifferences(all)).toEqual([
      { collection: 'customers', records: [all[0], all[2]], counts: { differs: 1, 'only in a': 1, 'only in b': 0 } },
      { collection: 'transfers', records: [all[1]], counts: { differs: 0, 'only in a': 0, 'only in b': 1 } },
    ])
  })

  it('is filtered by uid, collection, field and value, ignoring case', () => {
    expect(groupDifferences(all, ' T1 ').map(({ collection }) => collection)).toEqual(['transfers'])
    expect(groupDifferences(all, 'SETTLED')).toHaveLength(2)
    expect(groupDifferences(all, 'nowhere')).toEqual([])
  })

  it('shows values as they are stored', () => {
    expect([formatValue('a'), formatValue(null), formatValue(['a', 1])]).toEqual(['a', 'null', '["a",1]'])
  })
})
