import { describe, expect, it } from 'vitest'
import { formatCause } from '../../src/api/contract/control/causes.ts'
import { SnapshotName } from '../../src/api/contract/control/snapshots.ts'
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
