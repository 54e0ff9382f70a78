import { describe, expect, it } from 'vitest'
import type { ScenarioResult, StepResult } from '../../src/api/contract/scenario-results.ts'
import { formatJson, formatJunit, formatReport, formatSummary } from '../../src/api/scenarios/report.ts'
import { parseXml } from '../support/xml.ts'

const place = { file: 'a.yaml', line: 7, column: 5 }
const step: StepResult = {
  index: 2,
  kind: 'request',
  title: 'POST /customers',
  scenario: 'A',
  place,
  ok: false,
  sent: { method: 'POST', path: '/customers', body: '{"a":1}' },
  answer: { status: 0, body: '' },
  checks: [
    { what: 'status', expected: '2xx', actual: 'dropped', ok: false, place },
    { what: 'body details.first_name', expected: { is: 'text' }, ok: false, place: { ...place, line: 9 } },
    { what: 'body uid', expected: 1, actual: 1, ok: true, place },
  ],
  captured: {},
  trouble: null,
  from: '2026-11-23T15:00:00.000Z',
  to: '2026-11-23T15:00:00.000Z',
  ms: 3.2,
}
const passed: ScenarioResult = {
  name: 'A',
  example: null,
  file: 'a.yaml',
  ok: true,
  trouble: null,
  steps: [],
  left: 0,
  ms: 12.4,
}
const failed: ScenarioResult = { ...passed, example: 'code: R01', ok: false, steps: [step], left: 2 }

describe('as text', () => {
  it('one line for a scenario that passed', () => {
    expect(formatReport(passed)).toBe('✓ A  12 ms')
  })

  it('a failure: the place, expected and actual side by side, the request and the response', () => {
    expect(formatReport(failed).split('\n')).toEqual([
      '✗ A (code: R01)  12 ms',
      '  a.yaml:7:5  step 3 of 3: POST /customers',
      '    line                           expected       actual',
      '    7     status                   2xx            dropped',
      '    9     body details.first_name  {"is":"text"}  (absent)',
      '    sent      POST /customers {"a":1}',
      '    answered  nothing: the connection was dropped',
      '  not run: 2 steps',
    ])
  })

  it('a long response is shortened, with a note', () => {
    const long = { ...failed, steps: [{ ...step, answer: { status: 200, body: 'x'.repeat(5_000) } }] }
    expect(formatReport(long)).toMatch(/answered {2}200 x{1500}… \(5000 characters\)/)
  })

  it('a step that could not be executed and a scenario that could not run give the reason', () => {
    expect(
      formatReport({
        ...failed,
        steps: [{ ...step, trouble: 'no such Program', checks: [], sent: null, answer: null }],
      }),
    ).toContain('POST /customers\n    no such Program\n')
    expect(formatReport({ ...failed, steps: [], left: 3, trouble: 'no world' })).toBe(
      '✗ A (code: R01)  12 ms\n  no world\n  not run: 3 steps',
    )
  })

  it('a summary', () => {
    expect(formatSummary([passed])).toBe('1 scenario passed in 12 ms')
    expect(formatSummary([passed, failed])).toBe('1 of 2 scenarios failed, in 25 ms')
  })
})

it('as one JSON document', () => {
  expect(JSON.parse(formatJson([passed, failed]))).toEqual({
    passed: 1,
    failed: 1,
    not_run: 0,
    ms: 24.8,
    scenarios: [passed, failed],
  })
})

it('as XML that parses, for any names and responses', () => {
  const wild = '<a href="x">&amp; \u0000\u001b[31m ]]> \ud800 ä 漢'
  const text = formatJunit({
    results: [
      { ...passed, name: wild, file: `${wild}.yaml` },
      { ...failed, steps: [{ ...step, answer: { status: 200, body: wild } }] },
    ],
  })
  const document = parseXml(text)
  const readable = '<a href="x">&amp; \\u0000\\u001b[31m ]]> \ufffd ä 漢'
  const [first, second] = document.getElementsByTagName('testcase')
  expect(first!.getAttribute('name')).toBe(readable)
  expect(second!.getAttribute('classname')).toBe('a.yaml')
  expect(document.getElementsByTagName('failure')[0]!.textContent).toContain(readable)
  expect(text).toContain('<testsuites name="sandbank run" tests="2" failures="1" errors="0" time="0.025">')
})
