// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of scenarios look like template strings.
import { describe, expect, it } from 'vitest'
import { fillVariables } from '../../src/api/scenarios/variables.ts'
import { failures, passes, run, troubles } from './support.ts'

const values = {
  now: '2026-11-25T15:00:00.000Z',
  today: '2026-11-25',
  saturday: '2026-11-28T15:00:00.000Z',
  amount: '100.00',
  fee: '0.25',
  count: 2,
  wait: 'PT90M',
  uid: 'cQ2vNf7ZxLm9TbKe',
}
const fill = (text: string) => fillVariables(text, values)

describe('arithmetic in a text', () => {
  it.each<[text: string, value: unknown]>([
    ['${now + P1D}', '2026-11-26T15:00:00.000Z'],
    ['${now-PT0.5S}', '2026-11-25T14:59:59.500Z'],
    ['${now + wait}', '2026-11-25T16:30:00.000Z'],
    ['${now + P1W - PT1H}', '2026-12-02T14:00:00.000Z'],
    ['${today + P1D}', '2026-11-26'],
    ['${today - P4W}', '2026-10-28'],
    // The 26th is Thanksgiving.
    ['${today + 1 business day}', '2026-11-27'],
    ['${today + 2 business days}', '2026-11-30'],
    ['${today + count business days}', '2026-11-30'],
    ['${today - 3 business days}', '2026-11-20'],
    ['${now + 1 business day}', '2026-11-27T15:00:00.000Z'],
    // The same New York time, also on a weekend and across a change of the clocks.
    ['${saturday + 1 business day}', '2026-11-30T15:00:00.000Z'],
    ['${saturday - 21 business days}', '2026-10-28T14:00:00.000Z'],
    ['${amount - 10.50}', '89.50'],
    ['${amount - 100.01}', '-0.01'],
    ['${amount + fee + fee}', '100.50'],
    ['${amount + 1}', '101.00'],
    ['${amount + count}', '102.00'],
    ['${count + 1}', 3],
    ['${count + fee}', '2.25'],
    ['at ${today + P1D}, $$${count - 1}', 'at 2026-11-26, $1'],
    ['$${now + P1D}', '${now + P1D}'],
  ])('%s is %j', (text, value) => {
    expect(fill(text)).toBe(value)
  })

  it.each<[text: string, trouble: string | RegExp]>([
    ['${}', /^a variable with \+ or - and .* is expected, .*; found \$\{\}$/],
    ['${now + }', /found \$\{now \+ \}$/],
    ['${now * 2}', /found \$\{now \* 2\}$/],
    ['${1 + now}', /found \$\{1 \+ now\}$/],
    ['${now + P1D', /^a \} is expected after \$\{now \+ P1D/],
    ['${now + P1M}', /^months and years have no fixed length; .*; found P1M$/],
    ['${now + P1X}', /^an ISO 8601 duration is expected, .*; found P1X$/],
    ['${now + 1}', /^a duration such as P1D .* is expected after \$now, which is "2026-.*"; found 1$/],
    ['${today + PT24H}', 'whole days such as P1D or P2W are expected after the date 2026-11-25; found PT24H'],
    ['${today + 0 business days}', '1 to 2600 business days are expected; found 0'],
    ['${today + amount business days}', '1 to 2600 business days are expected; found "100.00"'],
    ['${amount + 1 business day}', 'business days need a date or a time; $amount is "100.00"'],
    ['${amount + P1D}', 'a duration needs a date or a time before it; $amount is "100.00"'],
    ['${amount + 0.005}', /^an amount or a number with at most two decimals is expected; found 0\.005 in /],
    ['${uid + 1}', 'an amount or a number with at most two decimals is expected; found "cQ2vNf7ZxLm9TbKe"'],
    ['${now + P9999999W}', 'a result in the years 1 to 9899 is expected'],
    ['${nobody + P1D}', /^there is no variable \$nobody; /],
  ])('%s is refused', (text, trouble) => {
    expect(() => fill(text)).toThrow(trouble)
  })
})

const look = '  - expect: { ledger: balanced }\n'
const steps = (lines: string, before = '') => `name: A\n${before}steps:\n${lines}`

describe('arithmetic in a scenario', () => {
  it('works in bodies, keys, paths, times, amounts and examples', () =>
    passes(
      steps(
        `
  - advance: { to: "\${now + PT1H}" }
  - expect: { clock: { now: 2026-11-23T16:00:00.000Z } }
  - advance: { business_days: "\${days + 1}" }
  - expect: { clock: { now: 2026-11-25T16:00:00.000Z } }
  - request: POST /customers
    body: { external_uid: "\${today + 1 business day} \${amount - 0.01}" }
    expect: { status: "\${status + 1}", body: { external_uid: 2026-11-27 9.99, created_at: $now } }
  - request: GET /customers?include_initiated=true&limit=\${days+1}
    expect: { body: { limit: 2 } }
`,
        'examples: [{ days: 1, amount: "10.00", status: 200 }]\n',
      ),
    ))

  it.each<[name: string, text: string, trouble: string | RegExp]>([
    [
      'an unknown variable',
      steps('  - advance: { to: "${later + P1D}" }\n'),
      '3:20: steps[0].advance.to: there is no variable $later yet; $program, $now, $today are known here',
    ],
    [
      'a malformed expression',
      steps('  - advance: { to: "${now plus P1D}" }\n'),
      /^3:20: steps\[0\]\.advance\.to: a variable with \+ or - .* is expected, .*; found \$\{now plus P1D\}$/,
    ],
    [
      'a duration of a date with a time',
      steps('  - request: POST /x\n    body: { on: "${today + PT1H}" }\n'),
      /^4:17: steps\[0\]\.body\.on: whole days such as P1D or P2W are expected after the date .*; found PT1H$/,
    ],
    [
      'a wrong type in a row of examples',
      `name: A\nexamples: [{ a: "1.00" }, { a: soon }]\nsteps:\n  - request: GET /x?a=\${a+1}\n`,
      '4:14: steps[0].request: an amount or a number with at most two decimals is expected; found "soon"',
    ],
    [
      'a malformed expression in given',
      `name: A\ngiven: { seed: "\${a+}" }\nexamples: [{ a: 1 }]\nsteps:\n${look}`,
      /^2:16: given\.seed: a variable with \+ or - .* is expected/,
    ],
  ])('%s is refused when the file is read', (_name, text, trouble) => {
    expect(troubles(text)).toEqual([typeof trouble === 'string' ? trouble : expect.stringMatching(trouble)])
  })

  it('a captured value of the wrong type fails the step, with what was expected and found', async () => {
    const [result] = await run(
      steps(`
  - request: POST /customers
    capture: { customer: uid }
  - advance: { to: "\${customer + P1D}" }
`),
    )
    expect(failures(result!)).toEqual([
      expect.stringMatching(/^a duration needs a date or a time before it; \$customer is "\w+"$/),
    ])
    expect(result!.steps[1]!.place).toMatchObject({ line: 6, column: 5 })
  })
})
