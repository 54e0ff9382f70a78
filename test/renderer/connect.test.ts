import { expect, it } from 'vitest'
import type { Exchange } from '../../src/api/contract/control/exchanges.ts'
import { findSteps } from '../../src/renderer/frame/connect/FirstRequest.tsx'
import { languages, receiverLanguages } from '../../src/renderer/frame/connect/snippets.ts'

/** Characters that fit the panel in a window 1280 px wide. */
const MAX_LINE = 78

it.each(languages)('the lines of the snippet for $name fit the panel', ({ write }) => {
  const values = {
    base_url: 'http://127.0.0.1:65535/api/v1',
    program_uid: 'Hb7QmXk2Tz9LrVw4',
    hmac_key: 'harbor-demo-key-worth-nothing-outside-this-sandbox',
  }
  const lines = write(values).split('\n')
  expect(lines.filter((line) => line.length > MAX_LINE)).toEqual([])
})

it.each(receiverLanguages)('the lines of the receiver in $name fit the panel', ({ write }) => {
  const lines = write({ port: 65_535, hmac_key: 'a-key-that-both-sides-know' }).split('\n')
  expect(lines.filter((line) => line.length > MAX_LINE)).toEqual([])
})

it('who calls with a valid token has signed in, also if the log no longer has that request', () => {
  const called = { uid: 'x900', endpoint: 'listPools', status: 200, program_uid: 'p' } as Exchange
  const { signIn, call } = findSteps([called])
  expect([signIn.state, call.state]).toEqual(['done', 'done'])
})

it('each step names the request that completed it first', () => {
  const request = (uid: string, endpoint: string, status: number, program_uid: string | null) =>
    ({ uid, endpoint, status, program_uid }) as Exchange
  const steps = findSteps([
    request('x5', 'listPools', 200, 'p'),
    request('x4', 'listCustomers', 200, 'p'),
    request('x3', 'createAccessToken', 201, 'p'),
    request('x2', 'createAccessToken', 201, 'p'),
    request('x1', 'createAccessToken', 401, null),
  ])
  const shown = Object.values(steps).map(({ state, exchange }) => `${state} ${exchange?.uid}`)
  expect(shown).toEqual(['done x1', 'done x2', 'done x4'])
})
