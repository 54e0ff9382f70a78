import { expect, it } from 'vitest'
import { addDerived } from '../../src/api/domain/rules/derived.ts'

it('adds derived fields to a copy of the record', () => {
  const record = { uid: 'x1', program_uid: 'A', made: 1, name: 'one' }
  expect(addDerived(record, { total: '1.00', events: ['a'] })).toEqual({ ...record, total: '1.00', events: ['a'] })
  expect(record).not.toHaveProperty('total')
})
