import { connect } from 'node:net'
import { expect } from 'vitest'
import { readCurlLines } from '../src/api/replay/recordings/curl.ts'
import { readScenario } from '../src/api/scenarios/file.ts'
import { it } from './support/sandbox.ts'

/** Texts of outside take linear time to read. The limits are wide: what was quadratic took many times as long. */

const URL = 'http://127.0.0.1:4010/api/v1/customers'
const LIMIT_MS = 6_000

const cpuTime = (work: () => unknown) => {
  const begin = process.cpuUsage().user
  try {
    work()
  } catch {
    // A refusal is an answer, too.
  }
  return (process.cpuUsage().user - begin) / 1_000
}

const keys = Array.from({ length: 60_000 }, (_, i) => `key${i}: 1`)

it.each([
  ['60,000 keys', keys.join('\n')],
  ['60,000 keys in braces', `{${keys.join(', ')}}`],
  ['9,000 unknown steps', `name: a\nsteps:\n${'  - nothing: 1\n'.repeat(9_000)}`],
  ['closing braces', '}'.repeat(300_000)],
  ['blank lines', '\n'.repeat(900_000)],
  ['one long text', `a: "${'x\n '.repeat(300_000)}"`],
])('a scenario of %s', (_name, text) => {
  expect(cpuTime(() => readScenario(text, 'f.yaml'))).toBeLessThan(LIMIT_MS)
})

it('a scenario says at most how many tokens are read', () => {
  expect(() => readScenario(keys.join('\n'), 'f.yaml')).toThrow('at most 60000 tokens')
})

it.each([
  ['100,000 headers', `curl ${URL} ${"-H 'a: b' ".repeat(100_000)}`],
  ['100,000 transfers', `curl ${URL} ${`--next ${URL} `.repeat(100_000)}`],
  ['prompts without a command', `${'>'.repeat(200_000)}\ncurl ${URL}`],
  ['parameters that never end', `curl ${URL} ${'${'.repeat(300_000)}`],
  ['a URL of commas', `curl http://127.0.0.1/{${','.repeat(300_000)}`],
  ['60,000 here-documents', `curl ${URL}\n${'<<a\na\n'.repeat(60_000)}`],
])('a curl line with %s', (_name, text) => {
  expect(cpuTime(() => readCurlLines(text))).toBeLessThan(LIMIT_MS)
})

it('a curl line says at most how many arguments are read', () => {
  expect(() => readCurlLines(`curl ${URL} ${"-H 'a: b' ".repeat(100_000)}`)).toThrow('at most 2000')
})

it('clients that request the OpenAPI document and do not read it cost little memory', async ({ sandbox }) => {
  const { port } = new globalThis.URL(sandbox.api)
  const before = process.memoryUsage().rss
  const request = 'GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'
  const sockets = Array.from({ length: 100 }, () => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write(request.repeat(40)))
    socket.on('error', () => {})
    return socket.pause()
  })
  // The server reads these connections before it answers the last of these requests.
  for (let i = 0; i < 5; i++) await (await fetch(`http://127.0.0.1:${port}/health`)).text()
  const used = (process.memoryUsage().rss - before) / 2 ** 20
  for (const socket of sockets) socket.destroy()
  expect(used).toBeLessThan(300)
})
