import { expect, it } from 'vitest'
import { unsealText } from '../../src/api/replay/record.ts'
import type { Seal } from '../../src/api/store/seal.ts'

const seal = { open: (text: string) => `opened ${text.replace('sealed:', '')}` } as Seal

it('a sealed number of a body is replaced by its text, one of a query by its text in percent code', () => {
  expect(unsealText('{"ssn":"sealed:abc"}', seal)).toBe('{"ssn":"opened abc"}')
  expect(unsealText('/customers?ssn=sealed%3Aabc&limit=1', seal)).toBe('/customers?ssn=opened%20abc&limit=1')
})
