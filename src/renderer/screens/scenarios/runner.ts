import { create } from 'zustand'
import type { ScenarioInfo, ScenarioInto, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { signalOfGlyph } from '../../components/Status.tsx'
import { hasBegun, useFeed, withRun } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText, plural } from '../../format/text.ts'
import type { Mark } from '../../ui/CodeEditor.tsx'
import type { GlyphName, Signal } from '../../ui/Text.tsx'

/** Unsaved text by scenario name. It is kept while other scenarios and screens are shown. */
export const useDrafts = create<{ readonly texts: Readonly<Record<string, string>> }>()(() => ({ texts: {} }))

export const setDraft = (name: string, text: string | null) =>
  useDrafts.setState(({ texts: { [name]: _, ...others } }) => ({
    texts: text === null ? others : { ...others, [name]: text },
  }))

/** Runs, steps and pauses scenarios, and saves their text. */

export interface RunTarget {
  readonly name: string
  readonly example: number
  readonly into: ScenarioInto
}

interface Runner {
  /** The call of this window that has not returned yet. */
  readonly pending: 'run' | 'step' | null
  readonly error: { readonly name: string; readonly title: string; readonly error: unknown } | null
}

export const useRunner = create<Runner>()(() => ({ pending: null, error: null }))

/** Does something with a scenario, and shows why it failed. Undefined if it failed. */
async function attempt<T>(name: string, title: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work()
  } catch (error) {
    useRunner.setState({ error: { name, title, error } })
    return undefined
  }
}

/** Saves changed text first, then continues a paused run, or starts a new one. `until` pauses before that step. */
export async function runScenario(how: 'run' | 'step', target: RunTarget, until?: number) {
  if (useRunner.getState().pending) return
  useRunner.setState({ pending: how, error: null })
  await loading
  if (!(await saveBeforeRun(target.name))) return useRunner.setState({ pending: null })
  const { run, runs } = useFeed.getState()
  const isContinued = canContinue(run, target) && hasBegun(run!) && (until === undefined || until >= run!.at)
  const known = isContinued ? undefined : runs[target.name]
  if (known) showRun(restartRun(known, target))
  const input = isContinued ? {} : { ...target, ...(target.into === 'scratch' ? { stays: true } : {}) }
  const ran = await attempt(target.name, 'The scenario could not be run.', () =>
    how === 'step'
      ? sandbox['scenarios.step'](input)
      : sandbox['scenarios.run']({ ...input, ...(until === undefined ? {} : { until }) }),
  )
  if (ran ?? known) showRun((ran ?? known)!)
  useRunner.setState({ pending: null })
}

/** Returns false if the text could not be saved or is invalid. */
async function saveBeforeRun(name: string): Promise<boolean> {
  const draft = useDrafts.getState().texts[name]
  if (draft === undefined) return true
  const isValid = await attempt(name, SAVE_FAILED, () => saveScenario(name, draft))
  // What was typed meanwhile stays a draft.
  if (isValid !== undefined && useDrafts.getState().texts[name] === draft) setDraft(name, null)
  return isValid ?? false
}

export const SAVE_FAILED = 'The scenario could not be saved. Your text is still here.'

const showRun = (run: ScenarioRun) => useFeed.setState((feed) => withRun(feed, run))

export const pauseRun = ({ name }: RunTarget) =>
  attempt(name, 'The scenario could not be paused.', () => sandbox['scenarios.pause']({}))

/** Whether another run may replace this one: it has ended or not started. */
export const canReplaceRun = (run: ScenarioRun | null): boolean =>
  run === null || run.state === 'passed' || run.state === 'failed' || (run.state === 'paused' && !hasBegun(run))

/** Only one scenario is loaded at a time: a second one would replace the first. */
let loading: Promise<void> | undefined

/** Loads the steps of a scenario by a run that pauses before the first step. */
export async function loadSteps(name: string) {
  await loading
  if (useRunner.getState().pending || !canReplaceRun(useFeed.getState().run)) return
  loading = attempt(name, 'The steps could not be read.', async () =>
    showRun(await sandbox['scenarios.run']({ name, until: 0 })),
  )
  await loading
}

/** Drops the run of a scenario whose text was changed or deleted: its steps are outdated. */
export function forgetRun(name: string) {
  useFeed.setState(({ run, runs: { [name]: _, ...runs } }) => ({ run: run?.name === name ? null : run, runs }))
  useRunner.setState({ error: null })
}

/** Saves a text as a scenario of the user. If it is invalid, returns false, and the steps of the last valid text stay. */
export async function saveScenario(name: string, text: string): Promise<boolean> {
  const { trouble } = await sandbox['scenarios.save']({ name, text })
  if (trouble === null) forgetRun(name)
  return trouble === null
}

/** The validation errors of a scenario, one per line: `file:line:column: text`. */
export function parseErrors(errors: string | null): Mark[] {
  return (errors ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [, at, column, text] = /^.*?:(\d+):(\d+): (.*)$/.exec(line) ?? []
      return text === undefined
        ? { line: 1, column: 1, text: line }
        : { line: Number(at), column: Number(column), text }
    })
}

const SEPARATORS = /[^\p{L}\p{N}]+/gu

/** A file name for a title: ASCII letters, digits and dashes. */
export const suggestFileName = (title: string): string =>
  title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(SEPARATORS, '-')
    .replace(/[^\w-]/g, '')
    .replace(/^[-_]+|-+$/g, '')
    .toLowerCase()
    .slice(0, 60)

/** The state of a step in a run; `skipped`: an earlier step failed. */
export type StepState = 'not run' | 'next' | 'running' | 'passed' | 'failed' | 'skipped'

export const glyphOfStep: Readonly<Record<StepState, GlyphName>> = {
  'not run': 'not-begun',
  next: 'held',
  running: 'under-way',
  passed: 'done',
  failed: 'broken',
  skipped: 'stopped',
}

export const signalOfStep = (state: StepState): Signal =>
  state === 'skipped' ? 'soft' : signalOfGlyph(glyphOfStep[state])

export function stateOfStep(run: ScenarioRun, index: number): StepState {
  const result = run.result.steps[index]
  if (result) return result.ok ? 'passed' : 'failed'
  if (run.state === 'failed') return 'skipped'
  if (index !== run.at) return 'not run'
  return run.state === 'running' ? 'running' : hasBegun(run) ? 'next' : 'not run'
}

/** Whether this run is paused and is of the same scenario, example and world. */
export const canContinue = (run: ScenarioRun | null, target: Pick<ScenarioRun, 'name' | 'example' | 'into'>): boolean =>
  run !== null &&
  run.state === 'paused' &&
  run.name === target.name &&
  run.example === target.example &&
  run.into === target.into

/** The result or progress of a run; null before its first step. */
export function describeRun(run: ScenarioRun): string | null {
  if (!hasBegun(run) && run.state !== 'running') return null
  const all = run.steps.length
  const done = run.result.steps.filter(({ ok }) => ok).length
  switch (run.state) {
    case 'passed':
      return `passed, ${plural(all, 'step')}`
    case 'failed':
      return `failed at step ${run.at} of ${all}`
    case 'running':
      return `running, ${done} of ${all}`
    case 'paused':
      return `paused before step ${run.at + 1} of ${all}`
  }
}

export const glyphOfRun: Readonly<Record<ScenarioRun['state'], GlyphName>> = {
  running: 'under-way',
  paused: 'held',
  passed: 'done',
  failed: 'broken',
}

/** The state of a run that just started, without the earlier results. */
const restartRun = (run: ScenarioRun, target: Pick<ScenarioRun, 'example' | 'into'>): ScenarioRun => ({
  ...run,
  ...target,
  state: 'running',
  at: 0,
  operation: null,
  result: { ...run.result, ok: false, trouble: null, steps: [], left: run.steps.length, ms: 0 },
})

/** Runs many scenarios one after the other, each in a temporary world. */

export interface ScenarioReport {
  readonly name: string
  readonly title: string
  readonly state: 'waiting' | 'running' | 'passed' | 'failed' | 'not run'
  /** Why it failed, or was not run. */
  readonly why: string
  readonly steps: number
  readonly ms: number
}

interface RunAll {
  readonly reports: readonly ScenarioReport[]
  readonly isRunning: boolean
}

export const useRunAll = create<RunAll>()(() => ({ reports: [], isRunning: false }))

let isStopped = false

/** Saves changed texts first, as a run of one scenario does. */
export async function runAll(listed: readonly ScenarioInfo[]) {
  if (useRunner.getState().pending || useRunAll.getState().isRunning) return
  isStopped = false
  // No other run of this window starts meanwhile.
  useRunner.setState({ pending: 'run', error: null })
  const scenarios = await saveAll(listed)
  const waiting = scenarios.map(
    ({ name, title, trouble }): ScenarioReport => ({
      name,
      title,
      steps: 0,
      ms: 0,
      ...(trouble === null ? { state: 'waiting', why: '' } : { state: 'failed', why: 'The file is invalid.' }),
    }),
  )
  useRunAll.setState({ reports: waiting, isRunning: true })
  try {
    for (const info of scenarios) {
      if (info.trouble !== null) continue
      if (isStopped) report(info.name, { state: 'not run', why: 'stopped' })
      else await runExamples(info)
    }
  } finally {
    useRunAll.setState({ isRunning: false })
    useRunner.setState({ pending: null })
  }
}

/** The scenarios as they are once their changed texts are saved. */
async function saveAll(listed: readonly ScenarioInfo[]): Promise<readonly ScenarioInfo[]> {
  const { texts } = useDrafts.getState()
  const changed = listed.filter(({ name }) => texts[name] !== undefined)
  if (changed.length === 0) return listed
  for (const { name } of changed) await saveBeforeRun(name)
  const saved = await sandbox['scenarios.list']({}).catch(() => ({ scenarios: listed }))
  return listed.map((info) => saved.scenarios.find(({ name }) => name === info.name) ?? info)
}

/** Ends after the scenario that is running. */
export function stopAll() {
  isStopped = true
  void sandbox['scenarios.pause']({}).catch(() => {})
}

/** A failed example is the last one, so that the scenario shows it. */
async function runExamples({ name, examples }: ScenarioInfo) {
  report(name, { state: 'running' })
  let ms = 0
  let steps = 0
  for (let example = 0; example < Math.max(1, examples.length); example++) {
    try {
      const run = await sandbox['scenarios.run']({ name, example, into: 'scratch' })
      showRun(run)
      ms += run.result.ms
      steps += run.result.steps.length
      if (run.state === 'passed') continue
      const state = run.state === 'failed' ? 'failed' : 'not run'
      return report(name, {
        state,
        why: state === 'failed' ? describeFailure(run, examples[example]) : 'stopped',
        ms,
        steps,
      })
    } catch (error) {
      return report(name, { state: 'failed', why: errorText(error), ms, steps })
    }
  }
  report(name, { state: 'passed', ms, steps })
}

/** The first expectation that was not met. */
function describeFailure({ result, steps }: ScenarioRun, example: string | undefined): string {
  const at = result.steps.findIndex(({ ok }) => !ok)
  const failed = result.steps[at]
  const check = failed?.checks.find(({ ok }) => !ok)
  const why = failed?.trouble ?? (check && `${check.what}: expected ${check.expected}, found ${check.actual}`)
  return [
    example === undefined ? '' : `Example ${example}. `,
    `Step ${at + 1} of ${steps.length}: ${why ?? result.trouble ?? ''}`,
  ].join('')
}

const report = (name: string, change: Partial<ScenarioReport>) =>
  useRunAll.setState(({ reports }) => ({
    reports: reports.map((one) => (one.name === name ? { ...one, ...change } : one)),
  }))
