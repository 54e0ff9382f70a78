import { describe, expect, it } from 'vitest'
import { formatReport } from '../../src/api/scenarios/report.ts'
import { failures, passes, run, troubles } from './support.ts'

const of = (steps: string) => `name: A\nsteps:\n${steps}`

describe('together', () => {
  it('sends its requests at once, each with its own expectation and captured values', async () => {
    const { steps } = await passes(
      of(`
  - together:
      - request: POST /customers
        body: { external_uid: a }
        expect: { status: 201 }
        capture: { a: uid }
      - request: GET /customers/nobody
        expect: { code: 4002 }
  - request: GET /customers/$a
    expect: { body: { external_uid: a } }
`),
    )
    expect(steps[0]).toMatchObject({
      kind: 'together',
      title: 'together 2 requests',
      sent: null,
      answer: null,
      captured: { a: expect.any(String) },
      requests: [
        { title: 'POST /customers', ok: true, sent: { method: 'POST' }, answer: { status: 201 } },
        { title: 'GET /customers/nobody', ok: true, answer: { status: 404 } },
      ],
    })
  })

  it('counts the responses by status, whichever request was first', async () => {
    const { steps } = await passes(
      of(`
  - together: [{ request: POST /customers, trace: "same", body: { external_uid: "n-$n" } }]
    times: 5
    index: n
    expect: { statuses: { 201: 1, 409: { at_least: 4 } } }
  - expect: { counts: { "/customers?include_initiated=true": 1 } }
`),
    )
    expect(steps[0]!.requests!.map(({ title }) => title)).toEqual([
      ...['POST /customers (1 of 5)', 'POST /customers (2 of 5)', 'POST /customers (3 of 5)'],
      ...['POST /customers (4 of 5)', 'POST /customers (5 of 5)'],
    ])
    expect(steps[0]!.requests!.map(({ sent }) => sent!.body)).toContain('{"external_uid":"n-5"}')
  })

  it('fails if a status has another count, and if one was not expected', async () => {
    const [result] = await run(
      of(`
  - together:
      - { request: GET /customers }
      - { request: GET /customers/nobody }
    expect: { statuses: { 200: 2 } }
`),
    )
    expect(failures(result!)).toEqual([
      ['responses with 200', 2, 1],
      ['responses with 404', 0, 1],
    ])
    expect(result!.steps[0]!.checks[0]!.place).toMatchObject({ line: 7, column: 27 })
  })

  it('fails if one of its requests fails, and the report shows that request', async () => {
    const [result] = await run(of('  - together: [{ request: GET /customers }, { request: GET /nothing }]\n'))
    expect(result).toMatchObject({ ok: false })
    const [, step, request, , check, sent] = formatReport(result!).split('\n')
    expect([step, request, check, sent]).toEqual([
      '  scenario.yaml:3:5  step 1 of 1: together 2 requests',
      '    request: GET /nothing',
      expect.stringMatching(/^ {4}3 +status +2xx +404$/),
      '    sent      GET /nothing',
    ])
  })

  it.each<[name: string, step: string, trouble: string | RegExp]>([
    ['no requests', '{ together: [] }', '3:17: steps[0].together: at least one item is expected; found []'],
    [
      'another step',
      '{ together: [{ advance: idle }] }',
      '3:20: steps[0].together[0].advance: exactly one of request, inject is expected in a step; found advance',
    ],
    [
      'a variable that another of its requests captures',
      '{ together: [{ request: GET /x, capture: { a: uid } }, { request: GET /x?a=$a }] }',
      /^3:71: steps\[0\]\.together\[1\]\.request: there is no variable \$a yet/,
    ],
    [
      'too many requests',
      '{ together: [{ request: GET /x }], times: 101 }',
      '3:7: steps[0].together: at most 100 requests at once are expected; found 101',
    ],
    [
      'a status that is none',
      '{ together: [{ request: GET /x }], expect: { statuses: { ok: 1 } } }',
      '3:62: steps[0].expect.statuses.ok: a status from 100 to 599 or dropped is expected; found "ok"',
    ],
  ])('%s is refused when the file is read', (_name, step, trouble) => {
    expect(troubles(of(`  - ${step}\n`))).toEqual([
      typeof trouble === 'string' ? trouble : expect.stringMatching(trouble),
    ])
  })
})
