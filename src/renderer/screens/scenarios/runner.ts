import { create } from 'zustand'
import type { ScenarioInto, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { hasBegun, useFeed, withRun } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { setDraft, useDrafts } from './drafts.ts'
import { canContinue, restartRun } from './step-state.ts'

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
  const isContinued = canContinue(run, target) && (until === undefined || until >= run!.at)
  const known = isContinued ? undefined : runs[target.name]
  if (known) showRun(restartRun(known, target))
  const input = isContinued ? {} : target
  const ran = await attempt(target.name, 'The scenario could not be run.', () =>
    how === 'step'
      ? sandbox['scenarios.step'](input)
      : sandbox['scenarios.run']({ ...input, ...(until === undefined ? {} : { until }) }),
  )
  if (ran ?? known) showRun((ran ?? known)!)
  useRunner.setState({ pending: null })
}

/** Returns false if the text could not be saved or is invalid. */
export async function saveBeforeRun(name: string): Promise<boolean> {
  const draft = useDrafts.getState().texts[name]
  if (draft === undefined) return true
  const isValid = await attempt(name, SAVE_FAILED, () => saveScenario(name, draft))
  // What was typed meanwhile stays a draft.
  if (isValid !== undefined && useDrafts.getState().texts[name] === draft) setDraft(name, null)
  return isValid ?? false
}

export const SAVE_FAILED = 'The scenario could not be saved. Your text is still here.'

export const showRun = (run: ScenarioRun) => useFeed.setState((feed) => withRun(feed, run))

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
