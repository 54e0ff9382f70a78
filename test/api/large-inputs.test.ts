import { describe, expect, it, vi } from 'vitest'
import { parseForm } from '../../src/api/http/body.ts'
import { findHints } from '../../src/api/http/hints.ts'
import { findExcess } from '../../src/api/http/json-size.ts'
import { Redaction } from '../../src/api/http/redact.ts'
import { createSeal } from '../../src/api/store/seal.ts'
import { expectRefusal } from '../support/client.ts'
import { startSandbox } from '../support/sandbox.ts'

/** What a text of 1 MB costs is limited: it is refused, or not logged, before the costly part. Nothing here measures time. */

const redaction = new Redaction(
  () => createSeal('test'),
  () => ['a key of the Program'],
)
const FORM = 'application/x-www-form-urlencoded'

describe('the keys and levels of a JSON text are counted without parsing it', () => {
  const limits = { keys: 3, levels: 3 }

  it.each([
    ['{"a":1,"b":[2]}', undefined],
    ['{"a":{},"b":[],"c":{ }}', undefined],
    ['{"a":1,"b":[2,3]}', 'keys'],
    ['{"a":1,"a":1,"a":1,"a":1}', 'keys'],
    ['[1,2,3,4]', 'keys'],
    ['{"a":",,,,[[[[","b":"\\",,,,","c":"\\\\"}', undefined],
    ['{"a":[[]]}', undefined],
    ['{"a":[[[]]]}', 'levels'],
    ['[[[[', 'levels'],
    ['[1,2,3,4', 'keys'],
    ['{"a":"never closed,,,,,,', undefined],
    ['', undefined],
  ])('%s: %s', (text, excess) => {
    expect(findExcess(text, limits)).toBe(excess)
  })
})

describe('a body with too many keys or levels is refused before it is parsed', () => {
  const send = async (json: string) => {
    const parse = vi.spyOn(JSON, 'parse')
    const client = (await startSandbox()).client()
    const answer = await client.call('POST', '/customers', {
      raw: json,
      headers: { 'content-type': 'application/json' },
    })
    const wasParsed = parse.mock.calls.some(([text]) => text === json)
    parse.mockRestore()
    return { answer, wasParsed }
  }

  it.each([
    ['1,001 repeated keys', `{${'"a":1,'.repeat(1_000)}"a":1}`, /more than 1000 keys/],
    ['a list that never ends', `{"a":[${'1,'.repeat(6_000)}`, /more than 1000 keys/],
    ['6,000 different keys', `{${Array.from({ length: 6_000 }, (_, n) => `"k${n}":1`).join()}}`, /more than 1000 keys/],
  ])('%s', async (_, json, extra) => {
    const { answer } = await send(json)
    expectRefusal(answer, 'invalidArgument', extra)
  })

  it('with more than 5,000 values it is not parsed for the log, either', async () => {
    const json = `{${'"a":1,'.repeat(6_000)}"a":1}`
    expect((await send(json)).wasParsed).toBe(false)
    const small = '{"a":1}'
    expect((await send(small)).wasParsed).toBe(true)
  })
})

it('the log keeps long base64 as it is', () => {
  const picture = Buffer.from(Array.from({ length: 200_000 }, (_, n) => (n * 7919) % 251)).toString('base64')
  const body = JSON.stringify({ details: { picture } })
  expect(redaction.redactBody(body, 'application/json')).toBe(body)
})

describe('long names of fields', () => {
  it('a hint names a field of more than 200 characters by its length', () => {
    const schema = { properties: { email: { type: 'string' as const } } }
    expect(findHints({ ['e'.repeat(201)]: 1, emial: 1 }, schema).map(({ text }) => text)).toEqual([
      '(a name of 201 characters) was ignored',
      'emial was ignored; did you mean email?',
    ])
  })

  it('a field of a form with too many levels is refused before its name is split', () => {
    const split = vi.spyOn(String.prototype, 'split')
    expect(() => parseForm(`a${'[b]'.repeat(10_000)}=1`)).toThrow()
    expect(split.mock.contexts.every((text) => String(text).length < 1_000)).toBe(true)
    split.mockRestore()
    expect(() => parseForm(`a${'[b]'.repeat(31)}=1`)).not.toThrow()
    expect(() => parseForm(`a${'[b]'.repeat(32)}=1`)).toThrow()
  })
})

describe('the input of a control method', () => {
  const call = async (name: string, json: string) => {
    const { control, control_key } = await startSandbox()
    const headers = { 'x-control-key': control_key, 'content-type': 'application/json' }
    const answer = await fetch(`${control}/${name}`, { method: 'POST', headers, body: json })
    return { status: answer.status, text: await answer.text() }
  }

  it.each([
    ['11,001 keys', `{${'"a":1,'.repeat(11_000)}"a":1}`, 'more than 11000 keys'],
    ['33 levels', `{"a":${'['.repeat(32)}${']'.repeat(32)}}`, 'more than 32 levels'],
  ])('%s are 400/1007', async (_, json, extra) => {
    const { status, text } = await call('clock.read', json)
    expect({ status, text }).toEqual({ status: 400, text: expect.stringMatching(extra) })
    expect(text).toContain('"code":1007')
  })

  it('a list of 10,000 requests to replay is taken, and a file of more than 1 MB', async () => {
    const uids = Array.from({ length: 10_000 }, (_, n) => `x${n + 1}`)
    // They are looked for, and are not there.
    expect(await call('exchanges.replay', JSON.stringify({ uids }))).toMatchObject({ status: 404 })
    const lines = `curl http://127.0.0.1/api/v1/customers -H 'a: ${'b'.repeat(1_000)}'\n`.repeat(1_100)
    const { text } = await call('exchanges.replay', JSON.stringify({ text: `${lines}curl "` }))
    expect(text).toContain('never closed')
  })
})

describe('an error is short, although it names a part of a text of 1 MB', () => {
  it.each([
    ['a form of the character U+0000', '\0'.repeat(1_000_000), FORM],
    ['an encoded one', '%00'.repeat(300_000), FORM],
    ['a name with it', JSON.stringify({ ['\0'.repeat(150_000)]: 1 }), 'application/json'],
    [
      'a text with it in an object with a long name',
      JSON.stringify({ ['a'.repeat(900_000)]: '\0' }),
      'application/json',
    ],
  ])('%s', async (_, raw, type) => {
    const client = (await startSandbox()).client()
    const answer = await client.call('POST', '/customers', { raw, headers: { 'content-type': type } })
    expectRefusal(answer, 'invalidArgument', /U\+0000/)
    expect(answer.text.length).toBeLessThan(1_000)
  })

  it.each([
    ['an unknown name', 'clock.read', { ['a'.repeat(900_000)]: 1 }],
    [
      'many unknown names',
      'clock.read',
      Object.fromEntries(Array.from({ length: 900 }, (_, n) => ['a'.repeat(999) + n, 1])),
    ],
    ['the name of a task', 'tasks.run', { uid: 'a'.repeat(900_000) }],
    ['the name of a collection', 'records.list', { collection: 'a'.repeat(900_000) }],
  ])('of a control method: %s', async (_, method, input) => {
    const reply = await (await startSandbox()).call(method, input)
    const text = JSON.stringify(reply)
    expect(text).toMatch(/\(\d+ more characters are left out\)/)
    expect(text.length).toBeLessThan(12_000)
  })
})
