// biome-ignore-all lint/suspicious/noTemplateCurlyInString: it is how scenarios write variables.
import { describe, expect, it } from 'vitest'
import { compareFields, compareValues, findMatcherIssues } from '../../src/api/scenarios/match.ts'
import { parsePath, valueAt } from '../../src/api/scenarios/paths.ts'
import { escapeDollars, fillVariables, findReferences, mapTexts } from '../../src/api/scenarios/variables.ts'

const meets = (expected: unknown, actual: unknown) => compareValues('it', expected, actual, []).every(({ ok }) => ok)
const UID = 'EhrQZJNjCd79LLYq'

describe('an expectation of a value', () => {
  it.each<[name: string, expected: unknown, passing: unknown[], failing: unknown[]]>([
    ['text is equal', 'settled', ['settled'], ['Settled', '', null, undefined, 1]],
    ['an amount is text, never a number', '10.00', ['10.00'], [10, '10.0', '10']],
    ['a number is equal', 201, [201], ['201', 200, undefined]],
    ['true is true', true, [true], ['true', 1, false]],
    ['null is there and null', null, [null], [undefined, 0, '', 'null']],
    ['an object names some of the fields', { a: 1 }, [{ a: 1 }, { a: 1, b: 2 }], [{ a: 2 }, {}, [1], null, 'a']],
    ['an object without fields is any object', {}, [{}, { a: 1 }], [[], null, 'a', undefined]],
    ['fields are paths', { 'a.b[0].c': 1 }, [{ a: { b: [{ c: 1 }] } }], [{ 'a.b[0].c': 1 }]],
    ['a list is exact in length and order', [1, 2], [[1, 2]], [[2, 1], [1], [1, 2, 3], { 0: 1, 1: 2 }, undefined]],
    ['an empty list is empty', [], [[]], [[1], {}, null]],
    ['items of a list may be objects', [{ a: 1 }], [[{ a: 1, b: 2 }]], [[{ a: 2 }], [1]]],
    ['is: present', { is: 'present' }, ['', 0, false, [], {}], [null, undefined]],
    ['is: absent', { is: 'absent' }, [undefined], [null, '']],
    ['is: "null"', { is: 'null' }, [null], [undefined, 'null']],
    ['is: null, as YAML reads it', { is: null }, [null], [undefined, 'null']],
    ['is: uid', { is: 'uid' }, [UID], [`${UID}x`, 'EhrQZJNjCd79LLY0', 1, null]],
    ['is: time', { is: 'time' }, ['2026-11-20T14:04:18.000Z'], ['2026-11-20T14:04:18Z', '2026-11-20', 1]],
    ['is: date', { is: 'date' }, ['2026-11-20'], ['2026-11-20T14:04:18.000Z', 20261120]],
    ['is: amount', { is: 'amount' }, ['10.00', '-0.01'], ['10', '10.0', 10, '1e2']],
    ['is: text', { is: 'text' }, ['', 'a'], [1, null, undefined]],
    ['is: number', { is: 'number' }, [0, 1.5], ['1', null]],
    ['is: list', { is: 'list' }, [[], [1]], [{}, 'a', null]],
    ['matches', { matches: '^R\\d\\d$' }, ['R01'], ['R1', 'xR01', 1, null, undefined]],
    ['one_of', { one_of: ['a', { is: 'number' }] }, ['a', 7], ['b', null, undefined]],
    ['contains, in text', { contains: 'ab' }, ['cabd', 'ab'], ['a b', null, undefined, 1]],
    ['contains, in a list', { contains: { a: 1 } }, [[{ a: 2 }, { a: 1, b: 2 }]], [[], [{ a: 2 }], { a: 1 }]],
    ['contains, text in a list', { contains: 'a' }, [['b', 'a']], [['ab'], []]],
    ['not', { not: 'a' }, ['b', undefined, null], ['a']],
    ['not, of a matcher', { not: { contains: 'a' } }, ['b', ['b']], ['ab', ['a']]],
    ['count', { count: 2 }, [[1, 2]], [[1], 2, 'ab', undefined]],
    ['count, of a matcher', { count: { at_least: 1 } }, [[1], [1, 2]], [[], null]],
    ['at_least an amount', { at_least: '9.99' }, ['9.99', '10.00', '100.00'], ['9.98', '-10.00', 10, null]],
    ['at_most an amount', { at_most: '10' }, ['10.00', '-10.00', '9.99'], ['10.01', 9, '']],
    ['at_least a number', { at_least: 2 }, [2, 3], [1, '3', null]],
    [
      'at_most a time',
      { at_most: '2026-11-20T09:00:00-05:00' },
      ['2026-11-20T14:00:00.000Z'],
      ['2026-11-20T14:00:01Z'],
    ],
    ['all of a matcher’s words hold', { at_least: 1, at_most: 2 }, [1, 2], [0, 3]],
    ['fields beside a matcher’s word make it an object', { count: 1, limit: 2 }, [{ count: 1, limit: 2 }], [[1]]],
  ])('%s', (_name, expected, passing, failing) => {
    for (const actual of passing) expect({ actual, ok: meets(expected, actual) }).toEqual({ actual, ok: true })
    for (const actual of failing) expect({ actual, ok: meets(expected, actual) }).toEqual({ actual, ok: false })
  })

  it('a key directly under body is always a field, even with the name of a matcher', () => {
    expect(compareFields('body', { count: 2 }, { count: 2, data: [] }, [])).toMatchObject([
      { what: 'body count', ok: true },
    ])
    expect(compareFields('body', { count: 2 }, [1, 2], [])).toMatchObject([{ what: 'body count', ok: false }])
  })

  it('each value is reported separately, with the place of its expectation', () => {
    const expected = { a: 1, b: { c: 2, d: [3, { e: 4 }] } }
    expect(compareValues('body', expected, { a: 1, b: { c: 0, d: [3, {}] } }, ['at'])).toEqual([
      { what: 'body a', expected: 1, actual: 1, ok: true, at: ['at', 'a'] },
      { what: 'body b c', expected: 2, actual: 0, ok: false, at: ['at', 'b', 'c'] },
      { what: 'body b d[0]', expected: 3, actual: 3, ok: true, at: ['at', 'b', 'd', 0] },
      { what: 'body b d[1] e', expected: 4, ok: false, at: ['at', 'b', 'd', 1, 'e'] },
    ])
  })

  it.each<[expected: unknown, at: unknown[], message: RegExp]>([
    [{ a: { is: 'uuid' } }, ['a', 'is'], /^one of present, absent, null, uid/],
    [{ a: { matches: '(' } }, ['a', 'matches'], /^a regular expression is expected$/],
    [{ a: { one_of: 'x' } }, ['a', 'one_of'], /^a list of values is expected$/],
    [{ a: { one_of: [] } }, ['a', 'one_of'], /^a list of values is expected$/],
    [{ a: { count: 'two' } }, ['a', 'count'], /^a number or a matcher of one is expected$/],
    [{ a: { at_least: 'much' } }, ['a', 'at_least'], /^an amount in quotes, a number or a time is expected$/],
    [{ a: [{ at_most: null }] }, ['a', 0, 'at_most'], /^an amount in quotes/],
    [{ a: { not: { is: 'here' } } }, ['a', 'not', 'is'], /^one of present/],
    [{ 'a..b': 1 }, ['a..b'], /^a path is expected, as in details\.first_name/],
  ])('%j is refused before anything is compared', (expected, path, message) => {
    expect(findMatcherIssues(expected, [], { names: true })).toMatchObject([
      { path, message: expect.stringMatching(message) },
    ])
  })

  it('a matcher with a variable is checked once the value is known', () => {
    expect(findMatcherIssues({ a: { at_least: '$least', is: '$kind' } }, [], { names: true })).toEqual([])
  })
})

describe('paths', () => {
  const answer = {
    uid: 'a',
    details: { first_name: 'Ada' },
    data: [
      { uid: 'x', status: 'active', n: 1 },
      { uid: 'y', status: 'archived', n: 2 },
    ],
  }

  it.each<[path: string, value: unknown]>([
    ['uid', 'a'],
    ['details.first_name', 'Ada'],
    ['data[0].uid', 'x'],
    ['data[-1].uid', 'y'],
    ['data[status=archived].uid', 'y'],
    ['data[n=2].uid', 'y'],
    ['data[status=lost].uid', undefined],
    ['data[7].uid', undefined],
    ['data.uid', undefined],
    ['nothing.here', undefined],
    ['toString', undefined],
    ['details.first_name.length', undefined],
    ['.', answer],
  ])('%s', (path, value) => {
    expect(valueAt(answer, path)).toEqual(value)
  })

  it.each(['', 'a..b', '.a', 'a.', 'a[', 'a]', 'a[]', 'a[x]', '[=1]', 'a=b'])('"%s" is invalid', (path) => {
    expect(parsePath(path)).toBeUndefined()
  })
})

describe('variables', () => {
  const variables = { n: 7, name: 'Ada', list: [1], nothing: null }

  it.each<[value: unknown, filled: unknown]>([
    ['$n', 7],
    ['${n}', 7],
    ['$list', [1]],
    ['$nothing', null],
    ['n is $n', 'n is 7'],
    ['${n}00', '700'],
    ['$name and $list', 'Ada and [1]'],
    ['$10.00', '$10.00'],
    ['$$name', '$name'],
    ['100 $', '100 $'],
    ['^a$', '^a$'],
    [{ $name: ['$n', { a: '$name' }] }, { Ada: [7, { a: 'Ada' }] }],
    [7, 7],
    [null, null],
  ])('%j becomes %j', (value, expected) => {
    expect(fillVariables(value, variables)).toEqual(expected)
  })

  it.each(['$name', '$$', '${n}', '$', '$10', 'a $name $$ b$', '$$$name', '$ {'])(
    '%s written literally is itself',
    (text) => {
      expect(fillVariables(mapTexts({ [text]: [text] }, escapeDollars), variables)).toEqual({ [text]: [text] })
    },
  )

  it('an unknown variable is named in the error, with the known ones', () => {
    expect(() => fillVariables('$lost', { n: 1, m: 2 })).toThrow('there is no variable $lost; $n, $m are known')
    expect(() => fillVariables('$toString', {})).toThrow('there is no variable $toString')
  })

  it('finds the used variables, also in keys', () => {
    expect(findReferences({ $a: 'b', c: ['$d ${e} $$f $1'] })).toEqual([
      { names: ['a'], path: ['$a'], key: true },
      { names: ['d'], path: ['c', 0] },
      { names: ['e'], path: ['c', 0] },
    ])
  })
})
