import { expect, it } from 'vitest'
// @ts-expect-error: the scripts are plain JavaScript.
import { budgetErrors, LINES } from '../scripts/budgets.mjs'

it('a folder that has more lines than its budget is named, with how many more', () => {
  expect(budgetErrors()).toEqual([])
  const [error, ...others] = budgetErrors({ ...LINES, 'src/api/time': 100 })
  expect(others).toEqual([])
  expect(error).toMatch(/^src\/api\/time has \d+ lines, \d+ more than its budget of 100.*Delete, or raise the number/)
})
