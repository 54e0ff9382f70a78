import { describe, expect, it } from 'vitest'
import { jsonSchema } from '../../src/api/contract/openapi.ts'
import { SCHEMA_LINE, Scenario } from '../../src/api/contract/scenarios.ts'
import { readScenario, writeScenario } from '../../src/api/scenarios/file.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { invalidScenarios, look, stepped } from './invalid.ts'
import { plans, troubles } from './support.ts'

describe('an invalid scenario is reported with line and column, what was found and what was expected', () => {
  it.each(invalidScenarios)('%s', (_name, text, trouble) => {
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

it('a written scenario names the schema in its first line, and is read as the same scenario', () => {
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
  const text = runToEnd(writeScenario(scenario))
  expect(text.split('\n')[0]).toBe(SCHEMA_LINE)
  expect(readScenario(text, 'a.yaml').scenario).toEqual(scenario)
})

it('the format can be printed as a JSON schema', () => {
  const { $defs } = jsonSchema(Scenario, 'input') as { $defs: Record<string, { properties: object }> }
  expect(Object.keys($defs)).toEqual(
    expect.arrayContaining(['Scenario', 'ScenarioGiven', 'ScenarioStep', 'ExpectedAnswer']),
  )
  expect(Object.keys($defs.Scenario!.properties)).toEqual(['name', 'teaches', 'given', 'examples', 'steps', '$schema'])
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
