import { expect, it } from 'vitest'
import { type DeepLink, parseDeepLink, recordLink } from '../../src/api/contract/deep-links.ts'
import { createDeepLinks } from '../../src/main/deep-links.ts'

/** What `sandbank://` addresses open, and that nothing else does: any web page can open one. */

const page = (address: string, world: string | null = null): DeepLink => ({ kind: 'page', address, world })
const bundle = (path: string): DeepLink => ({ kind: 'bundle', path })

it.each<[string, DeepLink]>([
  ['sandbank://record/transfers/EhrQZJNjCd79LLYq', page('#/transfers/EhrQZJNjCd79LLYq')],
  ['SANDBANK://Record/customers/a-b_1?world=try-2', page('#/customers/a-b_1', 'try-2')],
  ['sandbank://commit/42', page('#/?line=operations&commit=42')],
  ['sandbank://commit/42/?world=one', page('#/?line=operations&commit=42', 'one')],
  ['sandbank://bundle/?path=/home/a/my%20w%C3%B6rld.sandbank', bundle('/home/a/my wörld.sandbank')],
  ['sandbank://bundle?path=%2Fhome%2Fa%2F..b%2Fc.SANDBANK', bundle('/home/a/..b/c.SANDBANK')],
])('%s is opened', (text, link) => expect(parseDeepLink(text, 'linux')).toEqual(link))

it('reads a path of Windows there only', () => {
  const text = 'sandbank://bundle/?path=C%3A%5CUsers%5Ca%5Cb.sandbank'
  expect(parseDeepLink(text, 'win32')).toEqual(bundle('C:\\Users\\a\\b.sandbank'))
  expect(parseDeepLink(text, 'linux')).toBeTypeOf('string')
})

it('reads the link of a record that the window copies', () => {
  expect(parseDeepLink(recordLink('transfers', 'x12', 'one'), 'linux')).toEqual(page('#/transfers/x12', 'one'))
})

it.each([
  'sandbank:',
  'sandbank://',
  'sandbank:record/transfers/x12',
  'sandbank:///record/transfers/x12',
  'sandbank://record/transfers',
  'sandbank://record/transfers/',
  'sandbank://record/nothing/x12',
  'sandbank://record/constructor/x12',
  'sandbank://record/__proto__/x12',
  'sandbank://record/Transfers/x12',
  'sandbank://record/transfers/x12/return',
  'sandbank://record/transfers/..',
  'sandbank://record/../transfers/x12',
  'sandbank://record/transfers/..%2f..%2fetc',
  'sandbank://record/transfers%2Fx12',
  'sandbank://record/transfers/x12%00',
  'sandbank://record/transfers/x12\n',
  'sandbank://record/transfers/x12\r\nsandbank://commit/1',
  'sandbank://record/transfers/x12#/inject',
  'sandbank://record/transfers/x12?world=',
  'sandbank://record/transfers/x12?world=../one',
  'sandbank://record/transfers/x12?world=one&world=two',
  'sandbank://record/transfers/x12?world=one&method=POST',
  'sandbank://record/transfers/x12?tab=story',
  'sandbank://user@record/transfers/x12',
  'sandbank://record:80/transfers/x12',
  'sandbank://commit/0',
  'sandbank://commit/-1',
  'sandbank://commit/1e9',
  'sandbank://commit/9999999999999999',
  'sandbank://commit/42/rewind',
  'sandbank://rewind/42',
  'sandbank://bundle/',
  'sandbank://bundle/home/a.sandbank',
  'sandbank://bundle/?path=/a.sandbank&path=/b.sandbank',
  'sandbank://bundle/?path=/a.sandbank&data=/b',
  'javascript:alert(1)',
  'javascript://record/transfers/x12',
  'https://record/transfers/x12',
  'file:///home/a/b.sandbank',
  'xsandbank://commit/1',
  ' sandbank://commit/1',
  `sandbank://commit/1?world=${'a'.repeat(64)}`,
  `sandbank://record/transfers/${'x'.repeat(101)}`,
])('%j is refused, with what is expected', (text) =>
  expect(parseDeepLink(text, 'linux')).toMatch(/^"[^\n\r]* is no address that Sandbank knows; expected is sandbank:/),
)

it.each([
  ['linux', 'a.sandbank'],
  ['linux', '//server/share/a.sandbank'],
  ['linux', '\\\\server\\share\\a.sandbank'],
  ['linux', '/home/a/../b.sandbank'],
  ['linux', '/home/./b.sandbank'],
  ['linux', '/home//b.sandbank'],
  ['linux', '/home/a/b.yaml'],
  ['linux', '/home/a/b.sandbank\0.yaml'],
  ['linux', '/home/a/b.sandbank\0'],
  ['linux', '/home/a\n/b.sandbank'],
  ['linux', '/home/a/\u202eb.sandbank'],
  ['linux', 'file:///home/a/b.sandbank'],
  ['linux', 'https://example.com/b.sandbank'],
  ['win32', '\\\\server\\share\\a.sandbank'],
  ['win32', '//server/share/a.sandbank'],
  ['win32', '\\\\?\\C:\\a.sandbank'],
  ['win32', '\\\\.\\pipe\\a.sandbank'],
  ['win32', 'C:a.sandbank'],
  ['win32', 'C:\\..\\a.sandbank'],
  ['win32', 'C:\\a\\\\b.sandbank'],
  ['win32', 'C:\\a.txt:b.sandbank'],
  ['win32', 'C:/a.sandbank'],
  ['win32', '/home/a/b.sandbank'],
])('on %s the bundle %j is refused', (platform, path) => {
  const text = `sandbank://bundle/?path=${encodeURIComponent(path)}`
  expect(parseDeepLink(text, platform)).toMatch(
    /^"[^\n\r\u202e]* cannot be opened by an address; expected is the full path/,
  )
})

it('refuses a long address without a copy of it', () => {
  const refusal = parseDeepLink(`sandbank://record/transfers/${'x'.repeat(1_000_000)}`, 'linux')
  expect(refusal).toBe('The address has 1000028 characters; at most 2000 are read.')
})

it('shows five addresses a second, and of worlds only those that exist', async () => {
  const shown: unknown[] = []
  const links = createDeepLinks({
    ask: async () => false,
    showRefusal: async (line) => void shown.push(line),
    openBundle: async () => {},
    go: (...place) => void shown.push(place),
    hasWorld: (name) => name === 'one',
  })
  await links.open('sandbank://commit/1?world=one', 0)
  await links.open('sandbank://commit/2', 199)
  await links.open('sandbank://commit/3', 200)
  await links.open('sandbank://commit/4?world=two', 400)
  expect(shown).toEqual([
    ['#/?line=operations&commit=1', 'one'],
    ['#/?line=operations&commit=3', null],
    'There is no world “two”: create it at Worlds, or open the address without ?world=.',
  ])
})
