import { create } from 'zustand'
import type { ScenarioInto, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { hasBegun, markChanged, useFeed, withRun } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { begunAnew, isGoingOn } from './step-state.ts'

/** The hands on a scenario: begin, step, go on, stop, take back. */

export interface Chosen {
  readonly name: string
  readonly example: number
  readonly into: ScenarioInto
}

interface Runner {
  /** What this window has asked for and waits for. */
  readonly pending: 'run' | 'step' | 'undo' | null
  readonly error: { readonly name: string; readonly title: string; readonly error: unknown } | null
  /** The commit that was gone back to, when the run before the operator's eyes was taken back. */
  readonly undone: number | null
}

export const useRunner = create<Runner>()(() => ({ pending: null, error: null, undone: null }))

/** Goes on with what waits, or begins anew. `until` stops before that step. */
export async function go(how: 'run' | 'step', chosen: Chosen, until?: number) {
  if (useRunner.getState().pending) return
  useRunner.setState({ pending: how, error: null, undone: null })
  await looking
  const { run, runs } = useFeed.getState()
  const goesOn = isGoingOn(run, chosen) && (until === undefined || until >= run!.at)
  const known = runs[chosen.name]
  if (!goesOn && known) show(begunAnew(known, chosen))
  const begins = goesOn ? {} : chosen
  try {
    show(
      how === 'step'
        ? await sandbox['scenarios.step'](begins)
        : await sandbox['scenarios.run']({ ...begins, ...(until === undefined ? {} : { until }) }),
    )
  } catch (error) {
    if (!goesOn && known) show(known)
    useRunner.setState({ error: { name: chosen.name, title: 'It could not be run.', error } })
  } finally {
    useRunner.setState({ pending: null })
  }
}

const show = (run: ScenarioRun) => useFeed.setState((feed) => withRun(feed, run))

export async function pause({ name }: Chosen) {
  try {
    await sandbox['scenarios.pause']({})
  } catch (error) {
    useRunner.setState({ error: { name, title: 'It could not be stopped.', error } })
  }
}

/** The world that made room comes back. */
export async function undo({ name }: Chosen, began_at: number) {
  useRunner.setState({ pending: 'undo', error: null })
  try {
    await sandbox['world.rewind']({ seq: began_at })
    useRunner.setState({ undone: began_at })
  } catch (error) {
    useRunner.setState({ error: { name, title: 'The world from before could not be brought back.', error } })
  } finally {
    useRunner.setState({ pending: null })
  }
}

/** Nobody waits in the middle of it: another one may take its place. */
export const mayMakeRoom = (run: ScenarioRun | null): boolean =>
  run === null || run.state === 'passed' || run.state === 'failed' || (run.state === 'paused' && !hasBegun(run))

/** One at a time: two that are begun at once would take each other's place. */
let looking: Promise<void> | undefined

/** The steps of a scenario are known once it stands before the first of them. */
export async function lookAt(name: string) {
  await looking
  if (useRunner.getState().pending || !mayMakeRoom(useFeed.getState().run)) return
  looking = sandbox['scenarios.run']({ name, until: 0 }).then(show, (error: unknown) =>
    useRunner.setState({ error: { name, title: 'Its steps could not be read.', error } }),
  )
  await looking
}

/** Its text is another one now, or gone: what was known of its steps is not true any more. */
export function forget(name: string) {
  useFeed.setState(({ run, runs: { [name]: _, ...runs } }) => ({ run: run?.name === name ? null : run, runs }))
  useRunner.setState({ error: null })
  markChanged('scenarios')
}

/** Keeps a text as one's own. One that is in trouble has no steps to be looked at. */
export async function save(name: string, text: string) {
  const { trouble } = await sandbox['scenarios.save']({ name, text })
  if (trouble === null) forget(name)
  else markChanged('scenarios')
}
