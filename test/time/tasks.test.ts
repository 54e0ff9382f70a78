import { expect, it } from 'vitest'
import { isCollection } from '../../src/api/contract/collections.ts'
import { ruleOf } from '../../src/api/contract/rules.ts'
import { taskKinds, taskRow } from '../../src/api/contract/tasks.ts'
import { taskRunners } from '../../src/api/time/tasks.ts'

it('every kind of task has a runner, and every runner a kind', () => {
  expect(Object.keys(taskRunners).sort()).toEqual(Object.keys(taskKinds).sort())
})

it.each(Object.entries(taskKinds))('%s names an existing collection and the rule that `why` shows', (kind, row) => {
  expect(row.subject === null || isCollection(row.subject)).toBe(true)
  expect(ruleOf(kind)).toMatchObject({ rule: row.rule, section: row.section })
})

it('a kind that is not in the table has no row, not even by a name of the prototype', () => {
  expect(taskRow('toString')).toBeUndefined()
})
