// biome-ignore-all lint/suspicious/noTemplateCurlyInString: expressions of scenarios look like template strings.
import { describe, expect, it } from 'vitest'
import { failures, passes, plans, run, troubles } from './support.ts'

const of = (steps: string, before = '') => `name: A\n${before}steps:\n${steps}`

describe('repeat', () => {
  it('runs its steps so many times, with a variable that counts from 1', async () => {
    const { steps } = await passes(
      of(
        `
  - repeat: $rounds
    index: i
    steps:
      - name: Create $i
        request: POST /customers
        body: { external_uid: "crm-\${i + 10}" }
        capture: { last: uid }
      - advance: PT1H
  - request: GET /customers/$last
    expect: { body: { external_uid: crm-13 } }
  - expect: { counts: { "/customers?include_initiated=true": 3 }, clock: { now: 2026-11-23T18:00:00.000Z } }
`,
        'examples: [{ rounds: 3 }]\n',
      ),
    )
    expect(steps.map(({ title }) => title)).toEqual([
      ...['Create 1 (1 of 3)', 'advance PT1H (1 of 3)', 'Create 2 (2 of 3)', 'advance PT1H (2 of 3)'],
      ...['Create 3 (3 of 3)', 'advance PT1H (3 of 3)'],
      ...['GET /customers/$last', 'expect counts, clock'],
    ])
    expect(steps[2]!.place).toMatchObject({ line: 8, column: 9 })
  })

  it('ends at the first failed step, which names its round', async () => {
    const [result] = await run(
      of('  - { repeat: 3, index: n, steps: [{ expect: { clock: { due: "${n - 1}" } } }, { advance: next }] }\n'),
    )
    expect(result).toMatchObject({ ok: false, left: 3 })
    expect(result!.steps.at(-1)!.title).toBe('expect clock (2 of 3)')
    expect(failures(result!)).toEqual([['clock due', 1, 0]])
  })

  it('counts each round for the limit of 20,000 steps', () => {
    expect(plans(of('  - { repeat: 20000, steps: [{ advance: idle }] }\n'))[0]!.stages).toHaveLength(20_000)
    expect(troubles(of('  - { repeat: 10001, steps: [{ advance: idle }, { advance: idle }] }\n'))).toEqual([
      '2:1: at most 20000 steps are expected, counted for each example; found 20002',
    ])
    expect(
      troubles(of('  - { repeat: $n, steps: [{ advance: idle }] }\n', 'examples: [{ n: 1 }, { n: 20000 }]\n')),
    ).toEqual(['3:1: at most 20000 steps are expected, counted for each example; found 20001 in 2 examples'])
  })

  it.each<[name: string, step: string, trouble: string | RegExp]>([
    ['no rounds', '{ repeat: 0, steps: [{ advance: idle }] }', /^3:15: steps\[0\]\.repeat: .* is expected.*; found 0$/],
    ['no steps', '{ repeat: 2, steps: [] }', '3:25: steps[0].steps: at least one item is expected; found []'],
    [
      'a repeat in a repeat',
      '{ repeat: 2, steps: [{ repeat: 2, steps: [] }] }',
      /^3:28: steps\[0\]\.steps\[0\]\.repeat: exactly one of request, .*, restart, expect is expected in a step; found repeat$/,
    ],
    [
      'a wrong key of an inner step',
      '{ repeat: 2, steps: [{ advance: idle }, { advance: idle, expct: {} }] }',
      '3:62: steps[0].steps[1].expct: there is no "expct" here; one of name, expect, capture is expected',
    ],
    [
      'rounds that only the run knows',
      '{ repeat: $now, steps: [{ advance: idle }] }',
      '3:15: steps[0].repeat: a whole number from 1 on is expected, or a column of examples; found $now',
    ],
    [
      'an index of a known name',
      '{ repeat: 2, index: today, steps: [{ advance: idle }] }',
      '3:25: steps[0].index: another name is expected: there is a variable $today already',
    ],
    [
      'a capture with the name of the index',
      '{ repeat: 2, index: i, steps: [{ request: GET /x, capture: { i: uid } }] }',
      '3:66: steps[0].steps[0].capture.i: another name is expected: $i counts the rounds',
    ],
    [
      'the index after its rounds',
      '{ repeat: 2, index: i, steps: [{ advance: idle }] }\n  - request: GET /x?a=$i',
      '4:14: steps[1].request: there is no variable $i yet; $program, $now, $today are known here',
    ],
  ])('%s is refused when the file is read', (_name, step, trouble) => {
    expect(troubles(of(`  - ${step}\n`))).toEqual([
      typeof trouble === 'string' ? trouble : expect.stringMatching(trouble),
    ])
  })
})
