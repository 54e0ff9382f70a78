import { readdirSync } from 'node:fs'
import { act, cleanup, configure, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { App } from '../../src/renderer/App.tsx'
import { endRecording } from '../../src/renderer/data/recording.ts'
import { listenToHash } from '../../src/renderer/data/route.ts'
import { connect } from '../../src/renderer/data/sandbox.ts'
import { useDrafts } from '../../src/renderer/screens/scenarios/drafts.ts'
import { parseErrors, suggestFileName } from '../../src/renderer/screens/scenarios/errors.ts'
import { runAll, stopAll, useRunAll } from '../../src/renderer/screens/scenarios/run-all.ts'
import { stateOfStep } from '../../src/renderer/screens/scenarios/step-state.ts'
import { groupByTopic } from '../../src/renderer/screens/scenarios/topics.ts'
import { fakeBridge, Refused } from './support.tsx'

// Queries by role are slow in jsdom, which has no layout.
configure({ asyncUtilTimeout: 15_000, defaultHidden: true })
vi.setConfig({ testTimeout: 20_000 })

beforeAll(() => {
  // jsdom has no layout.
  Element.prototype.scrollIntoView ??= () => {}
  globalThis.ResizeObserver ??= class {
    observe() {}
    unobserve() {}
    disconnect() {}
  }
})
beforeEach(() => {
  useDrafts.setState({ texts: {} })
  endRecording()
})
afterEach(cleanup)

function show(hash: string, answers: Readonly<Record<string, unknown>> = {}) {
  location.hash = hash
  const fake = fakeBridge({ 'scenarios.list': { scenarios: [own, library], current: null }, ...answers })
  const closing = [listenToHash(), connect(fake.bridge)]
  onTestFinished(() => closing.forEach((close) => void close()))
  render(<App hasKey />)
  return fake
}

const info = (name: string, more: object = {}) => ({
  name,
  title: `The ${name}`,
  teaches: 'Something.',
  own: true,
  examples: [],
  steps: 3,
  trouble: null,
  ...more,
})
const own = info('mine')
const library = info('theirs', { own: false, examples: ['code: R01', 'code: R02'] })

const place = { file: 'mine.yaml', line: 4, column: 5 }
const result = (index: number, ok: boolean) => ({
  index,
  kind: 'request',
  title: `GET /step/${index}`,
  scenario: 'The mine',
  place,
  ok,
  sent: { method: 'GET', path: '/customers', body: '' },
  answer: { status: 200, body: '{"status":"active"}' },
  checks: [{ what: 'body status', expected: 'archived', actual: 'active', ok, place }],
  captured: {},
  trouble: null,
  from: '2026-11-23T15:00:00.000Z',
  to: '2026-11-23T15:00:02.000Z',
  ms: 3.2,
})
const run = (name: string, results: readonly boolean[], more: object = {}) => {
  const failed = results.includes(false)
  const state = failed ? 'failed' : results.length === 3 ? 'passed' : 'paused'
  return {
    name,
    title: `The ${name}`,
    example: 0,
    into: 'scratch',
    state,
    at: results.length,
    steps: [1, 2, 3].map((n) => ({ kind: 'request', title: `GET /step/${n}`, scenario: `The ${name}`, line: n + 3 })),
    began_at: null,
    ended_at: null,
    result: {
      name: `The ${name}`,
      example: null,
      file: `${name}.yaml`,
      ok: state === 'passed',
      trouble: null,
      steps: results.map((ok, at) => result(at, ok)),
      left: 3 - results.length,
      ms: 9.6,
    },
    ...more,
  }
}

const pane = () => within(screen.getByRole('region', { name: 'Scenario' }))
const faces = () => screen.getAllByRole('button', { expanded: false, name: /GET \/step/ })
const inputsOf = (calls: readonly { name: string; input: unknown }[], name: string) =>
  calls.filter((call) => call.name === name).map(({ input }) => input)

describe('the list of scenarios', () => {
  it('is searched, and shows which scenario is invalid and why', async () => {
    const broken = info('half', { trouble: 'half.yaml:3:5: exactly one of them is expected\nhalf.yaml:9:1: no' })
    show('#/scenarios', { 'scenarios.list': { scenarios: [broken, library], current: null } })
    const option = await screen.findByRole('option', { name: /half/ })
    expect(option.textContent).toContain('invalid')
    expect(option.textContent).toContain('exactly one of them is expected')
    fireEvent.change(screen.getByLabelText('Search scenarios'), { target: { value: 'THEIRS' } })
    await waitFor(() => expect(screen.getAllByRole('option')).toHaveLength(1))
    expect(screen.getByText('1 of 2 scenarios')).toBeTruthy()
    fireEvent.change(screen.getByLabelText('Search scenarios'), { target: { value: 'nothing' } })
    expect(await screen.findByText('No scenario matches.')).toBeTruthy()
  })

  it('is navigated with arrow keys, which load the steps of the selected scenario', async () => {
    const { calls } = show('#/scenarios', { 'scenarios.run': run('mine', []) })
    const list = await screen.findByRole('listbox', { name: 'Scenarios' })
    fireEvent.keyDown(list, { key: 'ArrowDown' })
    expect((await screen.findByRole('option', { selected: true })).textContent).toContain('The mine')
    await waitFor(() => expect(inputsOf(calls, 'scenarios.run')).toEqual([{ name: 'mine', until: 0 }]))
    expect(await pane().findByText('not run yet')).toBeTruthy()
    expect(await waitFor(() => faces())).toHaveLength(3)
  })

  it('does not replace a paused run', async () => {
    const current = run('theirs', [true])
    const { calls } = show('#/scenarios/mine', {
      'scenarios.list': { scenarios: [own, library], current },
    })
    expect(await screen.findByText(/which is paused, has ended. Run and Step replace it/)).toBeTruthy()
    expect(inputsOf(calls, 'scenarios.run')).toEqual([])
  })
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

describe('a run of all scenarios', () => {
  it('runs each example until one fails, and stops when asked to', async () => {
    const infos = [
      info('a', { examples: ['x: 1', 'x: 2', 'x: 3'] }),
      info('b'),
      info('c', { trouble: 'broken' }),
      info('d'),
    ]
    const fake = show('#/scenarios', {
      'scenarios.run': ({ name, example }: { name: string; example: number }) => {
        if (name === 'b') stopAll()
        return run(name, name === 'a' && example === 1 ? [true, false] : [true, true, true], { example })
      },
      'scenarios.pause': { paused: true },
    })
    await act(() => runAll(infos))
    expect(inputsOf(fake.calls, 'scenarios.run')).toEqual([
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
})

describe('a scenario', () => {
  it('continues where it paused, and starts over when it has ended', async () => {
    const current = run('mine', [true])
    const { calls, replies } = show('#/scenarios/mine', {
      'scenarios.list': { scenarios: [own, library], current },
      'scenarios.step': run('mine', [true, true]),
    })
    expect(await screen.findByText('paused before step 2 of 3')).toBeTruthy()
    fireEvent.click(pane().getByRole('button', { name: 'Step' }))
    expect(await screen.findByText('paused before step 3 of 3')).toBeTruthy()
    expect(inputsOf(calls, 'scenarios.step')).toEqual([{}])
    replies['scenarios.run'] = run('mine', [true, true, true])
    fireEvent.click(pane().getByRole('button', { name: 'Continue' }))
    expect(await screen.findByText('passed, 3 steps')).toBeTruthy()
    fireEvent.click(pane().getByRole('button', { name: 'Run' }))
    await waitFor(() => expect(inputsOf(calls, 'scenarios.run')).toHaveLength(2))
    expect(inputsOf(calls, 'scenarios.run')).toEqual([{}, { name: 'mine', example: 0, into: 'scratch' }])
  })

  it('runs to a step, with the selected example', async () => {
    const { calls, replies } = show('#/scenarios/theirs', { 'scenarios.run': run('theirs', []) })
    await waitFor(() => faces())
    fireEvent.click(screen.getByText(/example 1 of 2/))
    fireEvent.click(await screen.findByRole('menuitemradio', { name: /R02/ }))
    replies['scenarios.run'] = run('theirs', [true, true], { example: 1 })
    fireEvent.click(screen.getByRole('button', { name: /before step 3/ }))
    await screen.findByText('paused before step 3 of 3')
    expect(inputsOf(calls, 'scenarios.run').at(-1)).toEqual({ name: 'theirs', example: 1, into: 'scratch', until: 2 })
  })

  it('shows each request of a step that sent several at once', async () => {
    const { title: _, sent, answer, checks, captured, trouble } = result(0, false)
    const request = (title: string, ok: boolean) => ({ title, ok, sent, answer, checks, captured, trouble })
    const requests = [request('GET /first', true), request('GET /second', false)]
    const step = { ...result(0, false), kind: 'together', title: 'together 2 requests', sent: null, answer: null }
    const current = run('mine', [false], {
      steps: [{ kind: 'together', title: 'together 2 requests', scenario: 'The mine', line: 4 }],
      result: { ...run('mine', [false]).result, steps: [{ ...step, checks: [], requests }], left: 0 },
    })
    show('#/scenarios/mine', { 'scenarios.list': { scenarios: [own, library], current } })
    const second = within(await screen.findByRole('region', { name: 'GET /second' }))
    expect(second.getByText('failed')).toBeTruthy()
    expect(second.getByText('body status')).toBeTruthy()
    expect(within(screen.getByRole('region', { name: 'GET /first' })).getByText('passed')).toBeTruthy()
  })

  it('follows the notices, and opens the failed step with expected and actual values', async () => {
    const { notify } = show('#/scenarios/mine', { 'scenarios.run': run('mine', []) })
    await waitFor(() => faces())
    act(() => notify({ type: 'scenario', run: run('mine', [true], { state: 'running' }) as never }))
    expect(await screen.findByText('running, 1 of 3')).toBeTruthy()
    act(() => notify({ type: 'scenario', run: run('mine', [true, false]) as never }))
    expect(await screen.findByText('failed at step 2 of 3')).toBeTruthy()
    const row = (await screen.findByText('"archived"')).closest('tr')!
    expect(row.textContent).toContain('not met: ')
    expect(within(row).getByText('"active"')).toBeTruthy()
    expect(screen.getByRole('option', { selected: true }).textContent).toContain('failed')
    expect(screen.getByText('skipped')).toBeTruthy()
  })

  it('says of a failed step whether an expectation failed, or the step could not be executed', async () => {
    const trouble = 'transfers.created did not come; advance the clock'
    const failed = (more: object) => {
      const steps = [{ ...result(0, false), kind: 'expect', title: 'expect event transfers.created', trouble, ...more }]
      return run('mine', [false], { result: { ...run('mine', [false]).result, steps } })
    }
    const { notify } = show('#/scenarios/mine', {
      'scenarios.list': { scenarios: [own, library], current: failed({}) },
    })
    const explained = (await screen.findByText(trouble)).parentElement!
    expect(explained.textContent).toBe(`An expectation failed. ${trouble}`)
    expect(screen.getByText('expect event transfers.created')).toBeTruthy()
    act(() => notify({ type: 'scenario', run: failed({ checks: [] }) as never }))
    expect(await screen.findByText('The step could not be executed.')).toBeTruthy()
  })

  it('in the current world shows a warning, and is undone', async () => {
    const { calls, replies } = show('#/scenarios/mine', {
      'scenarios.run': run('mine', []),
      'world.rewind': {},
      'world.commits': { commits: [{ seq: 42, left: false, left_by: null, goes_on_from: null }], more: false },
    })
    await waitFor(() => faces())
    fireEvent.click(screen.getByLabelText('the current world'))
    expect(await screen.findByText('A run replaces the current world')).toBeTruthy()
    replies['scenarios.run'] = run('mine', [true, true, true], { into: 'present', began_at: 41, ended_at: 42 })
    fireEvent.click(pane().getByRole('button', { name: 'Run' }))
    await screen.findByText('The scenario replaced the current world.')
    fireEvent.click(await screen.findByRole('button', { name: 'Undo the run' }))
    await expect.poll(() => inputsOf(calls, 'world.rewind')).toEqual([{ seq: 41 }])
  })

  it('that is refused shows the error', async () => {
    const { replies } = show('#/scenarios/mine', { 'scenarios.run': run('mine', []) })
    await waitFor(() => faces())
    replies['scenarios.run'] = new Refused(400, 1007, 'Invalid Argument')
    fireEvent.click(pane().getByRole('button', { name: 'Run' }))
    expect((await screen.findByRole('alert')).textContent).toContain('1007 Invalid Argument: A detail.')
  })
})

describe('the text of a scenario', () => {
  const text = 'name: Mine\nsteps:\n  - advance: idle\n'

  it('of the user is edited, kept while another scenario is shown, and saved', async () => {
    const { calls, replies } = show('#/scenarios/mine', {
      'scenarios.run': run('mine', []),
      'scenarios.read': { name: 'mine', text, own: true },
    })
    fireEvent.click(await screen.findByRole('tab', { name: 'Text' }))
    const area = await screen.findByLabelText<HTMLTextAreaElement>('Text of mine')
    fireEvent.change(area, { target: { value: `${text}  - advance: P1D\n` } })
    expect(screen.getByText('unsaved changes')).toBeTruthy()
    fireEvent.click(screen.getByRole('option', { name: /theirs/ }))
    fireEvent.click(await screen.findByRole('option', { name: /mine/ }))
    fireEvent.click(await screen.findByRole('tab', { name: 'Text' }))
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Text of mine')).value).toContain('P1D')
    replies['scenarios.save'] = own
    fireEvent.keyDown(screen.getByLabelText('Text of mine'), { key: 's', ctrlKey: true })
    await waitFor(() => expect(inputsOf(calls, 'scenarios.save')).toHaveLength(1))
    expect(inputsOf(calls, 'scenarios.save')[0]).toEqual({ name: 'mine', text: `${text}  - advance: P1D\n` })
    await waitFor(() => expect(useDrafts.getState().texts).toEqual({}))
  })

  it('of the library is read-only', async () => {
    show('#/scenarios/theirs', {
      'scenarios.run': run('theirs', []),
      'scenarios.read': { name: 'theirs', text, own: false },
    })
    fireEvent.click(await screen.findByRole('tab', { name: 'Text' }))
    expect((await screen.findByLabelText<HTMLTextAreaElement>('Text of theirs')).readOnly).toBe(true)
    expect(screen.getByRole('button', { name: 'Copy to your scenarios…' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Delete…' })).toBeNull()
  })

  it('with an error links to its position, and cannot be run', async () => {
    const broken = info('half', { trouble: 'half.yaml:3:5: exactly one of them is expected' })
    const { calls } = show('#/scenarios/half', {
      'scenarios.list': { scenarios: [broken], current: null },
      'scenarios.read': { name: 'half', text, own: true },
    })
    fireEvent.click(await screen.findByRole('button', { name: /3:5/ }))
    const area = screen.getByLabelText<HTMLTextAreaElement>('Text of half')
    expect(document.activeElement).toBe(area)
    expect(area.selectionStart).toBe(text.indexOf('advance'))
    fireEvent.click(pane().getByRole('button', { name: 'Run' }))
    expect(inputsOf(calls, 'scenarios.run')).toEqual([])
  })
})

describe('a recording', () => {
  it('from now keeps its start on every screen, lists what was not recorded, and is saved', async () => {
    const recorded = { text: 'name: X\n', steps: 2, left_out: [{ at: 'x7', why: 'it cannot be written' }] }
    const { calls } = show('#/scenarios?record=0', { 'scenarios.record': recorded, 'scenarios.save': own })
    expect(await screen.findByText('it cannot be written')).toBeTruthy()
    fireEvent.click(screen.getByLabelText(/^now/))
    // The last result stays visible while a new one is read.
    expect(screen.getByText('it cannot be written')).toBeTruthy()
    await waitFor(() => expect(inputsOf(calls, 'scenarios.record').at(-1)).toEqual({ since: 1 }))
    fireEvent.click(screen.getByRole('link', { name: 'Connect' }))
    expect(await screen.findByText('recording since commit 1')).toBeTruthy()
    fireEvent.click(screen.getByRole('link', { name: 'Finish' }))
    fireEvent.change(await screen.findByLabelText('Name'), { target: { value: 'Ein Überweisungstest' } })
    await waitFor(() =>
      expect(inputsOf(calls, 'scenarios.record').at(-1)).toEqual({ since: 1, name: 'Ein Überweisungstest' }),
    )
    fireEvent.click(await screen.findByRole('button', { name: 'Save scenario…' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(inputsOf(calls, 'scenarios.save')).toEqual([{ name: 'ein-uberweisungstest', text: 'name: X\n' }]),
    )
    await waitFor(() => expect(location.hash).toBe('#/scenarios/ein-uberweisungstest'))
  })

  it('that is not possible shows the error', async () => {
    show('#/scenarios?record=0', { 'scenarios.record': new Refused(400, 1007, 'Invalid Argument') })
    expect((await screen.findByRole('alert')).textContent).toContain('The scenario could not be recorded. 1007')
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
