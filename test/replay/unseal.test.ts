import { describe, expect, it, vi } from 'vitest'
import { unsealText } from '../../src/api/replay/record.ts'
import { createSeal, SEALED } from '../../src/api/store/seal.ts'

const seal = createSeal('test')
const sealed = seal.seal('512-04-8823')

it('a sealed number of a body is replaced by its text, one of a query by its text in percent code', () => {
  expect(unsealText(`{"ssn":"${sealed}"}`, seal)).toBe('{"ssn":"512-04-8823"}')
  const blank = seal.seal('512 04 8823')
  expect(unsealText(`/customers?ssn=${blank.replace(':', '%3A')}&limit=1`, seal)).toBe(
    '/customers?ssn=512%2004%208823&limit=1',
  )
})

describe('a text that only looks sealed', () => {
  it.each(['sealed:', 'sealed:abc', 'SEALED:abc', `Sealed:${'a'.repeat(30)}`, `sealed%3A${'a'.repeat(30)}`])(
    '%s stays as it is',
    (text) => expect(unsealText(`a ${text} b`, seal)).toBe(`a ${text} b`),
  )

  it('is opened at most 500 times in one text, and what is beyond is masked: also real ones, as others may open them', () => {
    const open = vi.fn(seal.open)
    const fake = `${SEALED}${'a'.repeat(22)}`
    const text = JSON.stringify([...Array(20_000).fill(fake), sealed, ...Array(20_000).fill('sealed:sealed:')])
    const opened = JSON.parse(unsealText(text, { ...seal, open })) as string[]
    expect(opened.filter((one) => one === fake)).toHaveLength(500)
    expect(opened.filter((one) => one === '[masked]')).toHaveLength(19_501)
    expect(opened.filter((one) => one === 'sealed:sealed:')).toHaveLength(20_000)
    expect(open.mock.calls.length).toBeLessThan(2_001)
  })
})
