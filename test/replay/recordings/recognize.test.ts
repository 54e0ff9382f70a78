import { describe, expect, it, vi } from 'vitest'
import { parseBundle } from '../../../src/api/replay/bundles/bundle.ts'
import { recognizeFile } from '../../../src/api/replay/recordings/recognize.ts'

const HAR = JSON.stringify({
  log: {
    version: '1.2',
    entries: [
      { startedDateTime: '2026-11-20T09:30:00Z', request: { method: 'GET', url: 'http://localhost/api/v1/pools' } },
    ],
  },
})
const CURL = 'curl http://localhost/api/v1/pools'
const BUNDLE = '{"sandbank":"bundle","version":1}\n{"world":1}\n'

describe('a file is recognized by its content', () => {
  it.each([
    ['HAR', HAR, 'har'],
    ['HAR with blanks before it', `\n  ${HAR}`, 'har'],
    ['HAR with a byte order mark', `\ufeff${HAR}`, 'har'],
    ['HAR that speaks of bundles', HAR.replace('"GET"', '"GET","comment":"{\\"sandbank\\":\\"bundle\\"}"'), 'har'],
    ['a curl line', CURL, 'curl'],
    ['a curl line with a byte order mark', `\ufeff# mine\n${CURL}`, 'curl'],
    ['a bundle', BUNDLE, 'bundle'],
    ['a bundle with its mark further back', '{"version": 1, "sandbank": "bundle"}', 'bundle'],
  ])('%s', (_, text, kind) => {
    expect(recognizeFile(text).kind).toBe(kind)
    expect(recognizeFile(new TextEncoder().encode(text)).kind).toBe(kind)
  })

  it('also in UTF-16, as Windows writes it', () => {
    expect(recognizeFile(Buffer.from(`\ufeff${CURL}`, 'utf16le')).kind).toBe('curl')
  })
})

describe('another file is refused with its type', () => {
  const asCurl = 'Browsers copy requests "as cURL" in the same menu.'
  const unpack = 'Unpack it, or export it as HAR.'
  it.each<[string, string | Buffer, is: string, hint?: string]>([
    ['nothing', ' \n', 'empty'],
    ['XML', '<?xml version="1.0"?>', 'XML or HTML', 'Charles, Burp and others export HAR too.'],
    ['fetch', 'fetch("https://a.example")', 'a call of fetch()', asCurl],
    ['PowerShell', '$session = New-Object x', 'PowerShell', asCurl],
    ['a message', 'GET /pools HTTP/1.1\nhost: a.example', 'the text of one HTTP message', 'Write it as a curl line.'],
    ['a ZIP archive', Buffer.from([0x50, 0x4b, 3, 4, 20, 0]), "a ZIP archive, as Fiddler's .saz is", unpack],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 0]), 'compressed with gzip', unpack],
    ['bytes', Buffer.from([0x80, 0x81]), 'not UTF-8 text', 'Tools with their own format can export HAR.'],
  ])('%s', (_, file, is, hint = '') => {
    const expected = 'expected a HAR 1.2 file, curl lines or a bundle of Sandbank'
    expectUnreadable(file, `The file is ${is}; ${expected}. ${hint}`.trim())
  })

  it('too much', () => {
    expectUnreadable(
      Buffer.alloc((100 << 20) + 1, ' '),
      'The file has 101 MB, expected at most 100: export only the requests to this API, or without the bodies of pages and pictures.',
    )
  })

  const expectUnreadable = (file: string | Buffer, message: string) =>
    expect(() => recognizeFile(file)).toThrow(
      expect.objectContaining({ name: 'UnreadableRecording', message }) as unknown as Error,
    )
})

it('a bundle whose first line has more parts than a header is refused before it is parsed', () => {
  const line = `{"sandbank":"bundle",${Array.from({ length: 300 }, (_, n) => `"k${n}":1`).join()}}`
  const parse = vi.spyOn(JSON, 'parse')
  expect(recognizeFile(line).kind).toBe('bundle')
  expect(() => parseBundle(line)).toThrow('This is no bundle')
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})

it.each([
  ['100,001 values', `{"log":{"entries":[${'{},'.repeat(100_000)}{}]}}`],
  ['101 levels', `{"log":${'['.repeat(100)}${']'.repeat(100)}}`],
])('a HAR file of at most 1 MB with %s is refused before it is parsed', (_, text) => {
  const parse = vi.spyOn(JSON, 'parse')
  expect(() => recognizeFile(text)).toThrow('more than 100000 values or 100 levels')
  expect(parse).not.toHaveBeenCalled()
  parse.mockRestore()
})
