import { readdirSync } from 'node:fs'
import { act, cleanup, render, screen, within } from '@testing-library/react'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { useRoute } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import {
  parseErrors,
  runAll,
  stateOfStep,
  stopAll,
  suggestFileName,
  useRunAll,
} from '../../src/renderer/screens/scenarios/runner.ts'
import { groupByTopic } from '../../src/renderer/screens/scenarios/Scenarios.tsx'
import { StepDetail } from '../../src/renderer/screens/scenarios/Steps.tsx'
import { fakeBridge, Refused, showApp } from './support.tsx'

afterEach(cleanup)

const info = (name: string, more: object = {}) => ({
  name,
  title: `The ${name}`,
  teaches: 'Something.',
  own: true,
  examples: [],
  steps: 3,
  adds: true,
  trouble: null,
  ...more,
})
const place = { file: 'mine.yaml', line: 4, column: 5 }
const check = { what: 'body status', expected: 'archived', actual: 'active', ok: false, place }
/** A run of three steps with these results. */
const run = (name: string, results: readonly boolean[], more: object = {}) => ({
  name,
  title: `The ${name}`,
  at: results.length,
  state: results.includes(false) ? 'failed' : results.length === 3 ? 'passed' : 'paused',
  result: { steps: results.map((ok) => ({ ok, checks: [{ ...check, ok }], trouble: null })), left: 0, ms: 9.6 },
  steps: [1, 2, 3].map((n) => ({ kind: 'request', title: `GET /step/${n}`, scenario: `The ${name}`, line: n + 3 })),
  ...more,
})

it('a scenario that was saved just now is not called missing before the list is read again', async () => {
  const answers = { 'scenarios.list': { scenarios: [info('other')], current: null } }
  const { replies } = showApp('/#/scenarios/mine', {
    ...answers,
    'scenarios.read': { name: 'mine', text: 'steps: []' },
  })
  await screen.findByText('The other')
  expect(screen.queryByText(/There is no scenario/)).toBeNull()
  replies['scenarios.read'] = new Refused(404, 1002, 'Not Found')
  act(() => useRoute.getState().go({ screen: 'scenarios', record: 'absent' }))
  await screen.findByText('There is no scenario absent.')
})

describe('the topics of the library', () => {
  it('have each of its scenarios, and at most 20 of them', () => {
    const names = readdirSync('resources/scenarios').map((file) => file.replace(/\.yaml$/, ''))
    const groups = groupByTopic(
      names.map((name) => info(name, { own: false })),
      '',
    )
    expect(groups.map(({ title }) => title)).not.toContain('Other')
    expect(groups.flatMap(({ items }) => items)).toHaveLength(names.length)
    for (const { items } of groups) expect(items.length).toBeLessThanOrEqual(20)
  })

  it('follow the scenarios of the user, and are found by their name', () => {
    const all = [info('wire-in', { own: false }), info('wire-mine'), info('unheard-of', { own: false })]
    expect(groupByTopic(all, '').map(({ title }) => title)).toEqual(['Your scenarios', 'Wires', 'Other'])
    expect(groupByTopic(all, 'wires').flatMap(({ items }) => items.map(({ name }) => name))).toEqual(['wire-in'])
  })
})

it('a run of all scenarios runs each example until one fails, and stops when asked to', async () => {
  const infos = [
    info('a', { examples: ['x: 1', 'x: 2', 'x: 3'] }),
    info('b'),
    info('c', { trouble: 'broken' }),
    info('d'),
  ]
  const { bridge, calls } = fakeBridge({
    'scenarios.run': ({ name, example }: { name: string; example: number }) => {
      if (name === 'b') stopAll()
      return run(name, name === 'a' && example === 1 ? [true, false] : [true, true, true], { example })
    },
    'scenarios.pause': { paused: true },
  })
  onTestFinished(connect(bridge))
  await runAll(infos)
  expect(calls.filter(({ name }) => name === 'scenarios.run').map(({ input }) => input)).toEqual([
    { name: 'a', example: 0, into: 'scratch' },
    { name: 'a', example: 1, into: 'scratch' },
    { name: 'b', example: 0, into: 'scratch' },
  ])
  expect(useRunAll.getState().reports.map(({ state, why }) => [state, why])).toEqual([
    ['failed', 'Example x: 2. Step 2 of 3: body status: expected archived, found active'],
    ['passed', ''],
    ['failed', 'The file is invalid.'],
    ['not run', 'stopped'],
  ])
})

describe('the result of a step', () => {
  const step = { trouble: null, checks: [], sent: null, answer: null, captured: {}, from: '', to: '' }

  it('has each request of a step that sent several at once', () => {
    const request = (title: string, ok: boolean) => ({ ...step, title, ok, checks: [{ ...check, ok }] })
    const requests = [request('GET /first', true), request('GET /second', false)]
    render(<StepDetail result={{ ...step, requests } as never} state="failed" />)
    const second = within(screen.getByRole('region', { name: 'GET /second' }))
    expect(second.getByText('failed')).toBeTruthy()
    expect(second.getByText('body status')).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'GET /first' })).getByText('passed')).toBeTruthy()
  })

  it.each([
    [[check], 'An expectation failed. it did not come'],
    [[], 'The step could not be executed. it did not come'],
  ])('says whether an expectation failed, or the step could not be executed: %j', (checks, text) => {
    render(<StepDetail result={{ ...step, trouble: 'it did not come', checks } as never} state="failed" />)
    expect(screen.getByText('it did not come').parentElement!.textContent).toBe(text)
  })
})

describe('helpers of the scenario screen', () => {
  it('parse errors with their positions', () => {
    expect(parseErrors('a/b.yaml:3:5: x: y\nno place')).toEqual([
      { line: 3, column: 5, text: 'x: y' },
      { line: 1, column: 1, text: 'no place' },
    ])
    expect(parseErrors(null)).toEqual([])
  })
  it.each([
    ['A transfer over the limit!', 'a-transfer-over-the-limit'],
    ['--- 7 & 8', '7-8'],
    ['日本', ''],
  ])('suggest a file name for the title %j', (title, name) => expect(suggestFileName(title)).toBe(name))
  it('derive the state of each step from the run', () => {
    const states = (of: ReturnType<typeof run>) => [0, 1, 2].map((at) => stateOfStep(of as never, at))
    expect(states(run('mine', []))).toEqual(['not run', 'not run', 'not run'])
    expect(states(run('mine', [true]))).toEqual(['passed', 'next', 'not run'])
    expect(states(run('mine', [true], { state: 'running' }))).toEqual(['passed', 'running', 'not run'])
    expect(states(run('mine', [true, false]))).toEqual(['passed', 'failed', 'skipped'])
  })
})
