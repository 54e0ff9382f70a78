import { afterAll, beforeAll, expect, it } from 'vitest'
import { formatMessage } from '../../../src/api/contract/messages.ts'
import { rewordEverySentence } from '../../support/reword.ts'

/** Masking reads the facts of messages, so all of its tests hold whatever the sentences are. */

let restore: () => void
beforeAll(() => {
  restore = rewordEverySentence()
})
afterAll(() => restore())

it('every sentence has a different wording in this test file', () => {
  const facts = { source_account_name: 'Growth', destination_account_name: 'Operations' }
  expect(formatMessage({ code: 'transfer', facts })).toBe('refsnart: Operations / Growth!')
})

// The query makes them modules of their own: test files may share the others.
for (const suite of ['./mask.test.ts?reworded', './mask.property.test.ts?reworded']) await import(suite)
