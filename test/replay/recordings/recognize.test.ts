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

const EXPECTED = 'expected a HAR 1.2 file, curl lines or a bundle of Sandbank'

describe('another file is refused with its type', () => {
  it.each([
    ['nothing', ' \n', `The file is empty; ${EXPECTED}.`],
    ['XML', '<?xml version="1.0"?>', `The file is XML or HTML; ${EXPECTED}. Charles, Burp and others export HAR too.`],
    [
      'fetch',
      'fetch("https://a.example")',
      `The file is a call of fetch(); ${EXPECTED}. Browsers copy requests "as cURL" in the same menu.`,
    ],
    [
      'PowerShell',
      '$session = New-Object x',
      `The file is PowerShell; ${EXPECTED}. Browsers copy requests "as cURL" in the same menu.`,
    ],
    [
      'a message',
      'GET /pools HTTP/1.1\nhost: a.example',
      `The file is the text of one HTTP message; ${EXPECTED}. Write it as a curl line.`,
    ],
    [
      'a ZIP archive',
      Buffer.from([0x50, 0x4b, 3, 4, 20, 0]),
      `The file is a ZIP archive, as Fiddler's .saz is; ${EXPECTED}. Unpack it, or export it as HAR.`,
    ],
    [
      'gzip',
      Buffer.from([0x1f, 0x8b, 8, 0]),
      `The file is compressed with gzip; ${EXPECTED}. Unpack it, or export it as HAR.`,
    ],
    [
      'bytes',
      Buffer.from([0x80, 0x81]),
      `The file is not UTF-8 text; ${EXPECTED}. Tools with their own format can export HAR.`,
    ],
    [
      'too much',
      Buffer.alloc((100 << 20) + 1, ' '),
      'The file has 101 MB, expected at most 100: export only the requests to this API, or without the bodies of pages and pictures.',
    ],
  ])('%s', (_, file, message) => {
    expect(() => recognizeFile(file)).toThrow(
      expect.objectContaining({ name: 'UnreadableRecording', message }) as unknown as Error,
    )
  })
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
