import { cleanup, render } from '@testing-library/react'
import { afterEach, describe, expect, it } from 'vitest'
import { ControlError } from '../../src/api/contract/control/client.ts'
import { CustomerStatus, KycStatus } from '../../src/api/contract/resources/customers.ts'
import { Status, statusGlyphs } from '../../src/renderer/components/Status.tsx'
import {
  escapeControls,
  formatLongDay,
  localizeInstants,
  newYork,
  startOfDay,
  startOfNextDay,
} from '../../src/renderer/format/text.ts'
import { findNamedLines, splitIntoLines } from '../../src/renderer/ui/code-lines.ts'
import { Notice } from '../../src/renderer/ui/Notice.tsx'
import { Amount } from '../../src/renderer/ui/Text.tsx'

afterEach(cleanup)

describe('Amount', () => {
  it.each([
    ['0.00', {}, '0.00'],
    ['-0.00', {}, '0.00'],
    ['5.10', {}, '5.10'],
    ['999.99', {}, '999.99'],
    ['1000.00', {}, '1,000.00'],
    ['-1234567.89', {}, '\u22121,234,567.89'],
    ['90071992547409931.25', {}, '90,071,992,547,409,931.25'],
    ['12.00', { movement: true }, '+12.00'],
    ['-12.00', { movement: true }, '\u221212.00'],
    ['0.00', { movement: true }, '0.00'],
    [null, {}, 'null'],
    [undefined, {}, '–'],
  ])('formats %j %j as %s', (value, how, text) => {
    expect(render(<Amount value={value} {...how} />).container.textContent).toBe(text)
  })

  it('marks a balance below zero, but not a movement', () => {
    const isBelow = (movement: boolean) =>
      render(<Amount value="-1.00" movement={movement} />).container.querySelector('[data-below]') !== null
    expect([isBelow(false), isBelow(true)]).toEqual([true, false])
  })
})

describe('Notice', () => {
  const errorWith = (extra: string) => {
    const error = { code: 1007, title: 'Invalid', detail: '', occurred_at: '', extra }
    return new ControlError({ status: 400, errors: [error] })
  }

  it.each([
    ['no such file', 'It failed. 1007 Invalid: no such file. Choose another.'],
    ['it is cut. Copy it again.', 'It failed. 1007 Invalid: it is cut. Copy it again. Choose another.'],
  ])('ends the error text with a period before the next step: %s', (extra, text) => {
    const { container } = render(
      <Notice title="It failed." error={errorWith(extra)}>
        Choose another.
      </Notice>,
    )
    expect(container.textContent).toBe(text)
  })
})

describe('Status', () => {
  it.each([...CustomerStatus.options, ...KycStatus.options])('has a glyph for %s, and keeps the word', (word) => {
    expect(statusGlyphs).toHaveProperty(word)
    const { container } = render(<Status word={word} />)
    expect(container.textContent).toBe(word)
    expect(container.querySelector('svg')?.getAttribute('data-shape')).toBe(statusGlyphs[word])
  })

  it.each([
    ['active', 'done', null],
    ['manual_review', 'decide', 'wait'],
    ['rejected', 'broken', 'bad'],
    ['initiated', 'not-begun', 'soft'],
    ['archived', 'closed', 'soft'],
    ['pending_archival', 'under-way', null],
    ['canceled', 'stopped', 'bad'],
    ['unregistered', 'stopped', 'soft'],
  ])('%s is %s, in %s', (word, shape, signal) => {
    const { container } = render(<Status word={word} />)
    expect(container.querySelector('svg')?.getAttribute('data-shape')).toBe(shape)
    expect(container.querySelector('[data-glyph-text]')?.getAttribute('data-signal')).toBe(signal)
  })
})

describe('New York time', () => {
  it('is formatted with its day', () => {
    const at = Date.parse('2026-11-20T14:04:18Z')
    expect([formatLongDay(at), newYork(at).time]).toEqual(['Fri 20 Nov 2026', '09:04:18'])
  })

  it.each([
    ['an ordinary day', '2026-11-20T14:04:18Z', '2026-11-20T05:00:00Z', '2026-11-21T05:00:00Z'],
    ['the day of 25 hours', '2026-11-01T12:00:00Z', '2026-11-01T04:00:00Z', '2026-11-02T05:00:00Z'],
    ['the day of 23 hours', '2026-03-08T18:00:00Z', '2026-03-08T05:00:00Z', '2026-03-09T04:00:00Z'],
    ['the last minute', '2026-11-21T04:59:59Z', '2026-11-20T05:00:00Z', '2026-11-21T05:00:00Z'],
  ])('%s begins and ends at midnight there', (_, at, start, end) => {
    expect(startOfDay(Date.parse(at))).toBe(Date.parse(start))
    expect(startOfNextDay(Date.parse(start))).toBe(Date.parse(end))
  })
})

describe('bodies', () => {
  const textOf = (body: string, type?: string) =>
    splitIntoLines(body, type).map(({ pieces }) => pieces.map(({ text }) => text).join(''))

  it('are formatted from their text: numbers keep their zeros, repeated names stay', () => {
    expect(textOf('{"a":1.00,"b":{"c":[1,{"d":null}],"e":{}},"a":2}')).toEqual([
      '{',
      '  "a": 1.00,',
      '  "b": {',
      '    "c": [',
      '      1,',
      '      {',
      '        "d": null',
      '      }',
      '    ],',
      '    "e": {}',
      '  },',
      '  "a": 2',
      '}',
    ])
  })

  it('that are not JSON are shown unchanged', () => expect(textOf('{"a":')).toEqual(['{"a":']))

  it.each([
    ['{"a" 1}', 1, 6, ['{"a" ', '1', '}']],
    ['{\n"a":', 2, 5, ['"a":', ' ', '']],
    ['{"a":🙂}', 1, 6, ['{"a":', '🙂', '}']],
  ])('that are not JSON, as %j, have the place of the error marked', (body, line, column, pieces) => {
    const marked = splitIntoLines(body, 'application/json', { line, column })[line - 1]!.pieces
    expect(marked.map(({ text }) => text)).toEqual(pieces)
    expect(marked.map(({ kind }) => kind)).toEqual(['sign', 'error', 'sign'])
  })

  it.each([
    ['external_uid', ['external_uid']],
    ['details.address.city: expected string', ['details.address.city']],
    ['details.first_name: is too long; details.dob: is no date', ['details.first_name', 'details.dob']],
    ['city', ['details.address.city']],
    ['with first_name the note has at most 15 characters', ['details.first_name']],
    ['its name begins with "fail"', ['name']],
    ['at most 5000000.00 for ach', []],
    ['something else', []],
    [null, []],
  ])('have the lines that %j names', (extra, paths) => {
    const body = '{"external_uid":"x","name":"n","ach":{},"details":{"first_name":"A","dob":"B","address":{"city":1}}}'
    expect([...findNamedLines(splitIntoLines(body), extra)].map(({ path }) => path)).toEqual(paths)
  })

  it('of forms name their fields as in JSON', () => {
    const lines = splitIntoLines('details[address][city]=Ames&status[]=a', 'application/x-www-form-urlencoded')
    expect(lines.map(({ path }) => path)).toEqual(['details.address.city', 'status'])
  })
})

it('instants in a sentence of the sandbox are shown in the time of New York', () => {
  const told = 'the token expired at 2031-03-04T13:00:00.000Z'
  expect(localizeInstants(told)).toBe('the token expired at 4 Mar 2031 08:00:00 ET')
})

it('control characters are shown as symbols', () =>
  expect(escapeControls('a\u0000b\u001bc\u007f')).toBe('a\u2400b\u241bc\u2421'))
