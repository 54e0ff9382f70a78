import { create } from 'zustand'
import type { ScenarioInto, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { hasBegun, markChanged, useFeed, withRun } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { setDraft, useDrafts } from './drafts.ts'
import { canContinue, restartRun } from './step-state.ts'

/** Runs, steps, pauses and undoes scenarios, and saves their text. */

export interface RunTarget {
  readonly name: string
  readonly example: number
  readonly into: ScenarioInto
}

interface Runner {
  /** The call of this window that has not returned yet. */
  readonly pending: 'run' | 'step' | 'undo' | null
  readonly error: { readonly name: string; readonly title: string; readonly error: unknown } | null
  /** If the shown run was undone: the commit that was restored. */
  readonly undone: number | null
}

export const useRunner = create<Runner>()(() => ({ pending: null, error: null, undone: null }))

/** Saves changed text first, then continues a paused run, or starts a new one. `until` pauses before that step. */
export async function runScenario(how: 'run' | 'step', target: RunTarget, until?: number) {
  if (useRunner.getState().pending) return
  useRunner.setState({ pending: how, error: null, undone: null })
  await loading
  if (!(await saveBeforeRun(target.name))) return useRunner.setState({ pending: null })
  const { run, runs } = useFeed.getState()
  const isContinued = canContinue(run, target) && (until === undefined || until >= run!.at)
  const known = runs[target.name]
  if (!isContinued && known) showRun(restartRun(known, target))
  const input = isContinued ? {} : target
  try {
    showRun(
      how === 'step'
        ? await sandbox['scenarios.step'](input)
        : await sandbox['scenarios.run']({ ...input, ...(until === undefined ? {} : { until }) }),
    )
  } catch (error) {
    if (!isContinued && known) showRun(known)
    useRunner.setState({ error: { name: target.name, title: 'The scenario could not be run.', error } })
  } finally {
    useRunner.setState({ pending: null })
  }
}

/** Returns false if the text could not be saved or is invalid. */
export async function saveBeforeRun(name: string): Promise<boolean> {
  const draft = useDrafts.getState().texts[name]
  if (draft === undefined) return true
  try {
    const isValid = await saveScenario(name, draft)
    // What was typed meanwhile stays a draft.
    if (useDrafts.getState().texts[name] === draft) setDraft(name, null)
    return isValid
  } catch (error) {
    const title = 'The scenario could not be saved. Your text is still here.'
    useRunner.setState({ error: { name, title, error } })
    return false
  }
}

export const showRun = (run: ScenarioRun) => useFeed.setState((feed) => withRun(feed, run))

export async function pauseRun({ name }: RunTarget) {
  try {
    await sandbox['scenarios.pause']({})
  } catch (error) {
    useRunner.setState({ error: { name, title: 'The scenario could not be paused.', error } })
  }
}

/** Restores the world that the run replaced. */
export async function undoRun({ name }: RunTarget, began_at: number) {
  useRunner.setState({ pending: 'undo', error: null })
  try {
    await sandbox['world.rewind']({ seq: began_at })
    useRunner.setState({ undone: began_at })
  } catch (error) {
    useRunner.setState({ error: { name, title: 'The world could not be restored.', error } })
  } finally {
    useRunner.setState({ pending: null })
  }
}

/** Whether another run may replace this one: it has ended or not started. */
export const canReplaceRun = (run: ScenarioRun | null): boolean =>
  run === null || run.state === 'passed' || run.state === 'failed' || (run.state === 'paused' && !hasBegun(run))

/** Only one scenario is loaded at a time: a second one would replace the first. */
let loading: Promise<void> | undefined

/** Loads the steps of a scenario by a run that pauses before the first step. */
export async function loadSteps(name: string) {
  await loading
  if (useRunner.getState().pending || !canReplaceRun(useFeed.getState().run)) return
  loading = sandbox['scenarios.run']({ name, until: 0 }).then(showRun, (error: unknown) =>
    useRunner.setState({ error: { name, title: 'The steps could not be read.', error } }),
  )
  await loading
}

/** Drops the run of a scenario whose text was changed or deleted: its steps are outdated. */
export function forgetRun(name: string) {
  useFeed.setState(({ run, runs: { [name]: _, ...runs } }) => ({ run: run?.name === name ? null : run, runs }))
  useRunner.setState({ error: null })
  markChanged('scenarios')
}

/** Saves a text as a scenario of the user. If it is invalid, returns false, and the steps of the last valid text stay. */
export async function saveScenario(name: string, text: string): Promise<boolean> {
  const { trouble } = await sandbox['scenarios.save']({ name, text })
  if (trouble === null) forgetRun(name)
  else markChanged('scenarios')
  return trouble === null
}
