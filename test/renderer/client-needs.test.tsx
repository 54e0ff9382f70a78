import { render } from '@testing-library/react'
import { expect, it } from 'vitest'
import type { Program } from '../../src/api/contract/resources/programs.ts'
import { ClientNeeds } from '../../src/renderer/frame/connect/FirstRequest.tsx'
import { exchange } from './support.tsx'

const JAVA = '127.0.0.1, speakeasy-sdk/java 0.1.15 2.731.6 0.1.0 com.example.sdk'
const TYPESCRIPT = '127.0.0.1, speakeasy-sdk/typescript 0.3.2 2.698.4 0.1.0 @example/sdk'

it.each([
  [[TYPESCRIPT, JAVA], false, /TypeScript SDK.*needs trace_ids_optional, which is off: Program settings$/],
  [[TYPESCRIPT], true, /TypeScript SDK.*needs trace_ids_optional, which is on: Program settings$/],
  [[JAVA, TYPESCRIPT], false, /Java SDK.*needs tokens_in_all_worlds, which is on: Program settings$/],
  [['127.0.0.1, curl/8.7.1'], false, /^$/],
])('the window says what the client needs that it recognizes by its user agent: %j', (callers, isOptional, text) => {
  const exchanges = callers.map((caller, i) => exchange(`x${i}`, { caller }))
  const program = { trace_ids_optional: isOptional, tokens_in_all_worlds: true } as Program
  const { container } = render(<ClientNeeds exchanges={exchanges} program={program} />)
  expect(container.textContent).toMatch(text)
})
