import { expect, it } from 'vitest'
import { withDerived } from '../../src/api/domain/rules/derived.ts'

const record = (uid: string) => ({ uid, program_uid: 'A', made: 1, name: 'one' })

it('a record is shown as the same object as long as what is worked out about it says the same', () => {
  const one = record('x1')
  const first = withDerived(one, { total: '1.00', events: ['a'] })
  expect(first).toEqual({ ...one, total: '1.00', events: ['a'] })
  expect(withDerived(one, { total: '1.00', events: ['a'] })).toBe(first)
  expect(withDerived(one, { total: '2.00', events: ['a'] })).toEqual({ ...one, total: '2.00', events: ['a'] })
  expect(withDerived(one, { total: '2.00', events: ['a', 'b'] })).toMatchObject({ events: ['a', 'b'] })
  expect(withDerived({ ...one, name: 'two' }, { total: '2.00', events: [] })).toMatchObject({
    name: 'two',
    events: [],
  })
})

it('a long list does not keep what is shown of all of it', () => {
  const one = record('x1')
  const first = withDerived(one, { total: '1.00' })
  for (let n = 0; n < 2_000; n++) withDerived(record(`y${n}`), { total: '1.00' })
  const again = withDerived(one, { total: '1.00' })
  expect(again).not.toBe(first)
  expect(again).toEqual(first)
})
