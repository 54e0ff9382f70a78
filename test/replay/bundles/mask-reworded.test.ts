import { expect, it } from 'vitest'
import { formatMessage } from '../../../src/api/contract/messages.ts'
import { rewordEverySentence } from '../../support/reword.ts'

/** Masking reads the facts of messages, so all of its tests hold whatever the sentences are. */

rewordEverySentence()

it('every sentence has another wording', () => {
  const facts = { source_account_name: 'Growth', destination_account_name: 'Operations' }
  expect(formatMessage({ code: 'transfer', facts })).toBe('refsnart: Operations / Growth!')
})

await import('./mask.test.ts')
await import('./mask.property.test.ts')
