import { expect, it, onTestFinished, vi } from 'vitest'
import { Lexer } from 'yaml'
import { ScenarioCatalog } from '../../src/api/scenarios/catalog.ts'
import { readScenario, ScenarioFileError } from '../../src/api/scenarios/file.ts'
import { runToEnd } from '../../src/api/store/steps.ts'
import { createTemporaryFolder } from '../support/folder.ts'

/** The list of scenarios, and what it costs. */

const valid = (given = '') => `name: A scenario${given}\nsteps:\n  - request: GET /customers\n`
const BROKEN = `name: x\nsteps: [\n${'  { request: GET /customers, expect: { status: 200 } },\n'.repeat(11_000)}`
const BROKEN_ESCAPES = `name: "${'a\\x\n'.repeat(150_000)}`

/** Returns the texts that were parsed since the last call. */
function watchParsing(): () => string[] {
  const lex = vi.spyOn(Lexer.prototype, 'lex')
  onTestFinished(() => lex.mockRestore())
  return () => {
    const texts = lex.mock.calls.map(([text]) => text)
    lex.mockClear()
    return texts
  }
}

it.each([
  ['in memory', () => null],
  ['in a folder', createTemporaryFolder],
])(
  'a scenario is parsed once, also a broken one of 600 kB, whatever is saved beside it: own scenarios %s',
  (_, folder) => {
    const catalog = new ScenarioCatalog(createTemporaryFolder(), folder())
    const parsed = watchParsing()
    runToEnd(catalog.saveInSteps('broken', BROKEN))
    runToEnd(catalog.saveInSteps('mine', valid()))
    expect(parsed()).toEqual([BROKEN, valid()])
    const list = () => runToEnd(catalog.listInSteps())
    const [broken, mine] = list()
    expect(broken).toMatchObject({ name: 'broken', trouble: expect.stringContaining('at most 60000 tokens') })
    expect(mine).toMatchObject({ name: 'mine', steps: 1, trouble: null })
    runToEnd(catalog.saveInSteps('other', valid()))
    catalog.delete('other')
    expect(list()).toEqual([broken, mine])
    expect(parsed(), 'only the new one').toEqual([valid()])
  },
)

it('a scenario is described anew when one that it begins with changes, also through another', () => {
  const catalog = new ScenarioCatalog(createTemporaryFolder(), null)
  const stepsOf = (name: string) => runToEnd(catalog.listInSteps()).find((info) => info.name === name)?.steps
  runToEnd(catalog.saveInSteps('a', valid()))
  runToEnd(catalog.saveInSteps('b', valid('\ngiven: { scenario: a }')))
  runToEnd(catalog.saveInSteps('c', valid('\ngiven: { scenario: b }')))
  expect(stepsOf('c')).toBe(3)
  runToEnd(catalog.saveInSteps('a', `${valid()}  - request: GET /pools\n`))
  expect([stepsOf('a'), stepsOf('b'), stepsOf('c')]).toEqual([2, 3, 4])
  catalog.delete('a')
  expect(stepsOf('c')).toBe(0)
})

it('150,000 errors in a text take not much longer than reading as many correct escapes', () => {
  const timeOf = (work: () => unknown) => {
    const begin = performance.now()
    work()
    return performance.now() - begin
  }
  const { stackTraceLimit } = Error
  const ratios = [1, 2, 3].map(() => {
    const broken = timeOf(() => expect(() => readScenario(BROKEN_ESCAPES, 'a.yaml')).toThrow(ScenarioFileError))
    const correct = timeOf(() =>
      expect(() => readScenario(`${BROKEN_ESCAPES.replaceAll('\\x', '\\n')}"`, 'a.yaml')).toThrow(ScenarioFileError),
    )
    return broken / correct
  })
  // The best of three: the others shared the machine with other processes.
  expect(Math.min(...ratios)).toBeLessThan(10)
  expect(Error.stackTraceLimit).toBe(stackTraceLimit)
})
