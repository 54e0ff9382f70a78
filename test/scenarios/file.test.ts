import { describe, expect, it } from 'vitest'
import { jsonSchema } from '../../src/api/contract/openapi.ts'
import { Scenario } from '../../src/api/contract/scenarios.ts'
import { readScenario, writeScenario } from '../../src/api/scenarios/file.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { plans, troubles } from './support.ts'

const STEPS = 'one of request, inject, advance, decide, operator, together, restart, expect, repeat'
const look = 'steps:\n  - expect: { ledger: balanced }\n'
/** With these as its only steps, which begin on line 3. */
const stepped = (...lines: string[]) => `name: A\nsteps:\n${lines.map((line) => `  ${line}`).join('\n')}\n`

describe('an invalid scenario is reported with line and column, what was found and what was expected', () => {
  it.each<[name: string, text: string, trouble: string | RegExp]>([
    ['an unknown step', stepped('- loop: 3'), `3:5: steps[0].loop: exactly ${STEPS} is expected in a step; found loop`],
    ['a step of nothing', stepped('- {}'), `3:5: steps[0]: exactly ${STEPS} is expected in a step; found nothing`],
    ['a step that is a word', stepped('- wait'), `3:5: steps[0]: a step is expected, with ${STEPS}; found "wait"`],
    [
      'two steps in one',
      stepped('- request: GET /x', '  advance: PT1H'),
      `4:5: steps[0].advance: exactly ${STEPS} is expected in a step; found request and advance`,
    ],
    [
      'an unknown key of the file',
      `${look}title: A\nname: A\n`,
      '3:1: title: there is no "title" here; one of teaches, given, examples is expected',
    ],
    [
      'an unknown key of a step',
      stepped('- request: GET /x', '  boddy: {}'),
      '4:5: steps[0].boddy: there is no "boddy" here; one of name, as, token, trace, headers, query, body, form, raw, expect, capture is expected',
    ],
    [
      'an unknown key of what is expected',
      stepped('- request: GET /x', '  expect: { statis: 200 }'),
      '4:15: steps[0].expect.statis: there is no "statis" here; one of status, code, title, detail, extra, headers, body is expected',
    ],
    [
      'an unknown expectation',
      stepped('- expect: { balance: {} }'),
      '3:15: steps[0].expect.balance: there is no "balance" here; one of balances, records, states, counts, ledger, clock is expected',
    ],
    [
      'an unknown key of given',
      `name: A\ngiven: { sead: x }\n${look}`,
      /^2:10: given\.sead: there is no "sead" here; one of scenario, world, seed, start/,
    ],
    [
      'an unknown setting of a Program',
      `name: A\ngiven:\n  program:\n    limits: { ach: { maximum: "1.00" } }\n${look}`,
      '4:22: given.program.limits.ach.maximum: there is no "maximum" here; one of minimum_amount, maximum_amount, daily_amount, daily_count is expected',
    ],
    [
      'a world that there is not',
      `name: A\ngiven: { world: flat }\n${look}`,
      '2:17: given.world: one of empty, demo is expected; found "flat"',
    ],
    [
      'a start that is no time',
      `name: A\ngiven: { start: soon }\n${look}`,
      '2:17: given.start: an ISO 8601 instant is expected, such as 2026-11-23T15:00:00Z; found "soon"',
    ],
    [
      'a fault of an unknown kind',
      `name: A\ngiven:\n  faults:\n    - kind: earthquake\n${look}`,
      /^4:13: given\.faults\[0\]\.kind: one of latency, status, .* is expected; found "earthquake"$/,
    ],
    ['a name that is missing', look, '1:1: name: text is expected; it is missing'],
    ['a name that is a number', `name: 7\n${look}`, '1:7: name: text is expected; found 7'],
    ['steps that are missing', 'name: A\n', '1:1: steps: a list is expected; it is missing'],
    ['no steps', 'name: A\nsteps: []\n', '2:8: steps: at least one item is expected; found []'],
    ['steps that are no list', 'name: A\nsteps: 1\n', '2:8: steps: a list is expected; found 1'],
    ['a list instead of a scenario', '- a\n', '1:1: an object is expected; found ["a"]'],
    ['nothing', '', '1:1: the file is empty; a scenario with name and steps is expected'],
    [
      'a request without a path',
      stepped('- request: POST'),
      '3:14: steps[0].request: a method and a path are expected, as in POST /customers; found "POST"',
    ],
    [
      'two bodies',
      stepped('- request: POST /x', '  body: {}', '  raw: x'),
      /^3:5: steps\[0\]: at most one of body, form and raw is expected; found \{"request"/,
    ],
    [
      'a status that is none',
      stepped('- request: GET /x', '  expect: { status: ok }'),
      '4:23: steps[0].expect.status: a status from 100 to 599, dropped, a variable or a matcher is expected; found "ok"',
    ],
    [
      'an unknown matcher of a status',
      stepped('- request: GET /x', '  expect: { status: { oneof: [1] } }'),
      '4:25: steps[0].expect.status.oneof: there is no "oneof" here; one of is, matches, one_of, contains, not, count, at_least, at_most is expected',
    ],
    [
      'a matcher that cannot be',
      stepped('- request: GET /x', '  expect: { body: { a: { is: uuid } } }'),
      /^4:32: steps\[0\]\.expect\.body\.a\.is: one of present, absent, null, uid, .* is expected$/,
    ],
    [
      'a path of a capture that is none',
      stepped('- request: GET /x', '  capture: { a: data[ }'.replace('data[', '"data["')),
      '4:19: steps[0].capture.a: a path is expected, as in details.first_name, data[0].uid or data[status=active].uid',
    ],
    [
      'a variable whose name begins with a digit',
      stepped('- request: GET /x', '  capture: { 1st: uid }'),
      '4:16: steps[0].capture.1st: a name of letters, digits and underscores that does not begin with a digit is expected; found "1st"',
    ],
    [
      'a built-in variable',
      stepped('- request: GET /x', '  capture: { now: uid }'),
      '4:16: steps[0].capture.now: another name is expected: $now is a built-in variable',
    ],
    [
      'an amount without quotes',
      stepped('- expect: { balances: { a: 10.00 } }'),
      '3:30: steps[0].expect.balances.a: an amount in quotes such as "10.00", or some of balance, pending, available and closing is expected; found 10',
    ],
    [
      'a move that there is not',
      stepped('- decide: { record: transactions/a, move: levitate }'),
      '3:45: steps[0].decide.move: there is no move "levitate" of transactions; one of settle, fail, return, approve, deny, cash the check, notify of change is expected',
    ],
    [
      'a collection that there is not',
      stepped('- decide: { record: unicorns/a, move: settle }'),
      /^3:23: steps\[0\]\.decide\.record: there is no collection "unicorns"; one of programs, customers, .* is expected$/,
    ],
    [
      'a collection that there is not, in a key',
      stepped('- expect:', '    states: { unicorns/a: settled }'),
      /^4:17: steps\[0\]\.expect\.states\.unicorns\/a: there is no collection "unicorns"/,
    ],
    [
      'a method that there is not',
      stepped('- operator: { call: clock.sett }'),
      /^3:23: steps\[0\]\.operator\.call: there is no method "clock\.sett"; one of clock\.read, clock\.set, .* is expected$/,
    ],
    [
      'an input that the method does not take',
      stepped('- operator: { call: clock.set, input: { mode: fast } }'),
      '3:49: steps[0].operator.input.mode: one of running, frozen is expected; found "fast"',
    ],
    [
      'a duration in months',
      stepped('- advance: P1M'),
      '3:14: steps[0].advance: by: months and years have no fixed length; give weeks, days, hours, minutes or seconds',
    ],
    [
      'an advance to nowhere',
      stepped('- advance: soon'),
      '3:14: steps[0].advance: a duration such as PT24H, next, idle, { to: 2026-11-24T15:00:00Z }, { business_days: 2 } or { until: { transfers/$transfer: settled } } is expected; found "soon"',
    ],
    [
      'no business day',
      stepped('- advance: { business_days: 0 }'),
      '3:31: steps[0].advance.business_days: 1 or more is expected; found 0',
    ],
    ['a duplicate key', `name: A\nname: B\n${look}`, '2:1: a key is expected once; this one was there already'],
    [
      'a tab',
      `name: A\nsteps:\n\t- x\n`,
      /^3:1: (blanks are expected for indentation; found a tab|this cannot be read)/,
    ],
    ['brackets that do not close', 'name: [A\n', /^2:1: this cannot be read: .*\]/],
    [
      'a second document',
      `name: A\n${look}---\nname: B\n`,
      /^4:1: one document is expected; a second one begins here$/,
    ],
    ['a tag', `name: !!js/function x\n${look}`, /^1:7: this cannot be read: Unresolved tag/],
    [
      'a number that begins with 0',
      stepped('- inject: { routing_number: 021000021 }'),
      '3:31: a number does not begin with 0; text is expected in quotes, as in "021000021"',
    ],
    [
      'a number that is too long',
      stepped('- inject: { account_number: 12345678901234567890 }'),
      '3:31: this number cannot be represented exactly; text is expected in quotes, as in "12345678901234567890"',
    ],
    [
      'an anchor that holds itself',
      `name: A\nsteps: &a [*a]\n`,
      '1:1: an anchor that does not contain itself is expected',
    ],
    ['an alias of nothing', `name: *a\n${look}`, '1:7: an anchor &a is expected before the alias *a'],
    ['brackets without end', `name: ${'['.repeat(20_000)}`, '1:1: it is nested too deeply to be read'],
    [
      'JSON',
      '{\n  "name": "A",\n  "steps": [{ "fly": 1 }]\n}',
      `3:15: steps[0].fly: exactly ${STEPS} is expected in a step; found fly`,
    ],
  ])('%s', (_name, text, trouble) => {
    expect(troubles(text)).toEqual([typeof trouble === 'string' ? trouble : expect.stringMatching(trouble)])
  })

  it('aliases are allowed, up to a limit', () => {
    expect(plans(`name: &n A\nteaches: *n\n${look}`)).toMatchObject([{ name: 'A' }])
    const laughs = [
      'a: &a [1,1,1,1,1,1,1,1]',
      ...['b', 'c', 'd', 'e'].map((key, i) => `${key}: &${key} [${Array(8).fill(`*${'abcd'[i]}`).join(',')}]`),
    ]
    expect(troubles(laughs.join('\n'))).toEqual(['1:1: at most 100 aliases are expected'])
  })

  it('all errors are reported at once, in the order of the file', () => {
    const text = stepped('- request: GET', '- fly: 1', '- advance: [1]')
    expect(troubles(text).map((line) => line.slice(0, 4))).toEqual(['3:14', '4:5:', '5:14'])
  })

  it('mistakes of every sort are reported at once: keys, types, numbers, variables, paths, decisions, prerequisites', () => {
    const text = `name: A
given: { scenario: lost, sead: x }
steps:
  - request: GET /customers/$nobody
    capture: { a: "data[" }
  - decide: { record: transactions/$a, move: levitate }
  - { request: POST, capture: { later: uid } }
  - inject: { routing_number: 021000021 }
  - advance: { to: "\${now + 1}" }
  - repeat: 2
    steps:
      - { advance: idle, boddy: 1 }
      - advance: { until: { unicorns/$later: settled } }
  - together: [{ request: GET /x }, { advance: idle }]
`
    const places = (lines: readonly string[]) => lines.map((line) => line.split(': ', 2).join(': '))
    expect(places(troubles(text))).toEqual([
      '2:20: given.scenario',
      '2:26: given.sead',
      '5:19: steps[0].capture.a',
      '6:46: steps[1].decide.move',
      '7:16: steps[2].request',
      '8:31: a number does not begin with 0; text is expected in quotes, as in "021000021"',
      '9:20: steps[4].advance.to',
      '12:26: steps[5].steps[0].boddy',
      '13:29: steps[5].steps[1].advance.until.unicorns/$later',
      '14:39: steps[6].together[1].advance',
    ])
    const known = troubles(text.replace('scenario: lost, ', ''))
    expect(known[1]).toMatch(/^4:14: steps\[0\]\.request: there is no variable \$nobody yet/)
  })

  it('an invalid step makes no other mistakes: what it captures is known', () => {
    expect(troubles(stepped('- { request: GET, capture: { a: uid } }', '- request: GET /x?a=$a'))).toEqual([
      expect.stringMatching(/^3:16: steps\[0\]\.request: a method and a path are expected/),
    ])
  })

  it('every row of examples that makes given impossible is reported', () => {
    const rows = '  - { pace: real }\n  - { pace: slow }\n  - { pace: quick }\n'
    expect(troubles(`name: A\ngiven: { pace: $pace }\nexamples:\n${rows}${look}`)).toEqual([
      '2:16: given.pace: one of fast, real is expected; found "slow", in the example pace: slow',
      '2:16: given.pace: one of fast, real is expected; found "quick", in the example pace: quick',
    ])
  })

  it('a file of more than a million characters is not read', () => {
    expect(troubles(`# ${'x'.repeat(1_000_000)}`)).toEqual([
      '1:1: a scenario of at most 1000000 characters is expected',
    ])
  })

  it('a scenario has at most 20,000 steps, counted for each example', () => {
    const examples = (rows: number, steps: number) =>
      `name: A\nexamples:\n${'  - { n: 1 }\n'.repeat(rows)}steps:\n${'  - advance: P1D\n'.repeat(steps)}`
    expect(plans(examples(40, 500))).toHaveLength(40)
    expect(troubles(examples(41, 500))).toEqual([
      '44:1: at most 20000 steps are expected, counted for each example; found 41 examples of 500',
    ])
  })

  it('at most 100 errors are looked for, and at most 50 known variables are named', () => {
    const columns = Array.from({ length: 300 }, (_, n) => `  - { a${n}: 1 }\n`).join('')
    expect(troubles(`name: A\nexamples:\n${columns}${look}`)).toHaveLength(100)
    const captures = Array.from({ length: 300 }, (_, n) => `c${n}: uid`).join(', ')
    const text = stepped(
      `- { request: GET /a, capture: { ${captures} } }`,
      `- { request: POST /a, body: [${'$x, '.repeat(300)}$x] }`,
    )
    const issues = troubles(text)
    expect(issues).toHaveLength(100)
    expect(issues[0]).toMatch(/\$c46 and 253 more are known here$/)
  })

  it('__proto__ is a key like any other', () => {
    expect(troubles(`__proto__: { name: B }\nname: A\n${look}`)).toEqual([
      expect.stringMatching(/^1:1: __proto__: there is no/),
    ])
  })

  it('JSON is read like YAML', () => {
    const { scenario } = readScenario('{"name":"A","steps":[{"advance":"idle"}]}', 'a.json')
    expect(scenario).toEqual({ name: 'A', steps: [{ advance: 'idle' }] })
  })
})

it('a written scenario is read as the same scenario', () => {
  const scenario: Scenario = {
    name: 'A "quoted": name',
    teaches: 'yes',
    given: { start: '2026-11-23T15:00:00Z', faults: [{ kind: 'latency', ms: 5 }] },
    examples: [{ code: '0901', n: 1, t: true, nothing: null }],
    steps: [
      { request: 'POST /x', body: { routing_number: '021000021', amount: '10.00', text: 'a\nb: c' }, trace: null },
      { advance: { business_days: 2 } },
      { expect: { balances: { a: '-1.00' }, ledger: 'balanced' } },
    ],
  }
  expect(readScenario(runToEnd(writeScenario(scenario)), 'a.yaml').scenario).toEqual(scenario)
})

it('the format can be printed as a JSON schema', () => {
  const { $defs } = jsonSchema(Scenario, 'input') as { $defs: Record<string, { properties: object }> }
  expect(Object.keys($defs)).toEqual(
    expect.arrayContaining(['Scenario', 'ScenarioGiven', 'ScenarioStep', 'ExpectedAnswer']),
  )
  expect(Object.keys($defs.Scenario!.properties)).toEqual(['name', 'teaches', 'given', 'examples', 'steps'])
})

describe('variables must be known before they are used', () => {
  it.each<[name: string, text: string, trouble: string]>([
    [
      'one that nobody gave',
      stepped('- request: GET /customers/$nobody'),
      '3:14: steps[0].request: there is no variable $nobody yet; $program, $now, $today are known here',
    ],
    [
      'one that is captured later',
      stepped('- request: GET /x?a=$a', '- request: GET /x', '  capture: { a: uid }'),
      '3:14: steps[0].request: there is no variable $a yet; $program, $now, $today are known here',
    ],
    [
      'one in a key',
      stepped('- expect:', '    balances:', '      $lost: "0.00"'),
      '5:9: steps[0].expect.balances.$lost: there is no variable $lost yet; $program, $now, $today are known here',
    ],
    [
      'one in given that is no column',
      `name: A\ngiven: { seed: $word }\n${look}`,
      '2:16: given.seed: there is no variable $word yet; none are known here',
    ],
    [
      'a row without a column',
      `name: A\nexamples:\n  - { a: 1, b: 2 }\n  - { a: 1 }\n${look}`,
      '4:5: examples[1]: the column b is expected, which other rows have',
    ],
    [
      'a column with the name of a built-in variable',
      `name: A\nexamples:\n  - { today: 1 }\n${look}`,
      '3:7: examples[0].today: another name is expected: $today is a built-in variable',
    ],
    [
      'a row that makes given impossible',
      `name: A\ngiven: { pace: $pace }\nexamples:\n  - { pace: real }\n  - { pace: slow }\n${look}`,
      '2:16: given.pace: one of fast, real is expected; found "slow", in the example pace: slow',
    ],
  ])('%s', (_name, text, trouble) => {
    expect(troubles(text)).toEqual([trouble])
  })
})

describe('a scenario that begins with another', () => {
  const begins = (name: string, other: string) => `name: ${name}\ngiven: { scenario: ${other} }\n${look}`

  it('runs the steps of the other one first, and knows its variables', () => {
    const first = stepped('- request: GET /products', '  capture: { product: "data[0].uid" }')
    const second = `name: B\ngiven: { scenario: first }\nsteps:\n  - operator: { call: records.get, input: { collection: products, uid: $product } }\n`
    const [plan] = plans(second, { first })
    expect(plan!.stages.map(({ kind, from }) => [kind, from.scenario.name])).toEqual([
      ['request', 'A'],
      ['operator', 'B'],
    ])
  })

  it('that does not exist is refused with the place', () => {
    expect(troubles(begins('A', 'lost'))).toEqual([
      '2:20: given.scenario: there is no scenario "lost" in the folder of this file or in the library',
    ])
  })

  it('that is itself is refused', () => {
    const self = begins('A', 'scenario')
    expect(troubles(self, { scenario: self })).toEqual([
      '2:20: given.scenario: a scenario must not begin with itself; found the circle A → A',
    ])
  })

  it('that begins with the first is refused', () => {
    const files = { scenario: begins('A', 'b'), b: begins('B', 'scenario') }
    expect(troubles(files.scenario, files)).toEqual([
      'b.yaml:2:20: given.scenario: a scenario must not begin with itself; found the circle A → B → A',
    ])
  })

  it('errors of the other one are reported with their own place', () => {
    expect(troubles(begins('A', 'b'), { b: stepped('- request: GET /$x') })).toEqual([
      'b.yaml:3:14: steps[0].request: there is no variable $x yet; $program, $now, $today are known here',
    ])
  })

  it('that has examples is refused', () => {
    const b = `name: B\nexamples: [{ a: 1 }]\n${look}`
    expect(troubles(begins('A', 'b'), { b })).toEqual([
      '2:20: given.scenario: a scenario without a table of examples is expected; "b" has one',
    ])
  })

  it('uses world, seed and start of the outer scenario, clock and pace of the inner one', () => {
    const b = `name: B\ngiven: { world: demo, seed: inner, pace: real }\n${look}`
    const a = `name: A\ngiven: { scenario: b, seed: outer, start: 2026-01-05T09:00:00-05:00, pace: fast }\n${look}`
    const [plan] = plans(a, { b })
    expect(plan!.setup).toEqual({
      kind: 'demo',
      seed: 'outer',
      start: '2026-01-05T14:00:00.000Z',
      clock: { mode: 'frozen', pace: 'real' },
    })
    expect(plan!.stages.map(({ kind }) => kind)).toEqual(['given', 'expect', 'given', 'expect'])
  })
})
