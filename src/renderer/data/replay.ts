import { create } from 'zustand'
import type { ImportedFile } from './replay-input.ts'
import { type ReplayOptions, type ReplayOutcome, type ReplaySelection, replayInput } from './replay-input.ts'
import { useRoute } from './route.ts'
import { sandbox, sandboxOf } from './sandbox.ts'
import { openWorld } from './worlds.ts'

/** The last replay that this window started. Its result stays while the user looks at other screens. */

interface ReplayState {
  /** A file that was dropped on the window or opened with it, to be imported. */
  readonly importedFile: ImportedFile | null
  readonly pending: 'replay' | 'open' | null
  readonly done: { readonly outcome: ReplayOutcome; readonly setup: ReplayOptions; readonly title: string } | null
  readonly failure: { readonly title: string; readonly error: unknown } | null
}

const nothing: ReplayState = {
  importedFile: null,
  pending: null,
  done: null,
  failure: null,
}

export const useReplay = create<ReplayState>()(() => nothing)

export const resetReplay = () => useReplay.setState(nothing)

/** The previous result is replaced. */
const setImportedFile = (file: ImportedFile | null) => useReplay.setState({ ...nothing, importedFile: file })

/** Opens the import page, which shows the progress of an import and of a replay. Returns false while one runs. */
export function openImport(file: ImportedFile | null): boolean {
  if (useReplay.getState().pending) return false
  setImportedFile(file)
  useRoute.getState().go({ screen: 'requests', params: { replay: ['import'] } })
  return true
}

async function runStep(pending: ReplayState['pending'], title: string, work: () => Promise<Partial<ReplayState>>) {
  if (useReplay.getState().pending) return
  useReplay.setState({ pending, failure: null })
  try {
    useReplay.setState(await work())
  } catch (error) {
    useReplay.setState({ failure: { title, error } })
  } finally {
    useReplay.setState({ pending: null })
  }
}

export const runReplay = (what: ReplaySelection, setup: ReplayOptions, title: string) =>
  runStep('replay', 'The replay failed.', async () => {
    const outcome = await sandbox['exchanges.replay'](replayInput(what, setup))
    return { done: { outcome, setup, title } }
  })

/** Opens the world of a bundle, with its history, beside the present one. */
export const openBundle = (text: string) =>
  runStep('open', 'The bundle could not be opened.', async () => {
    const { name } = await sandbox['worlds.create']({ from: 'empty' })
    try {
      await sandboxOf(name)['bundles.import']({ text })
    } catch (error) {
      await sandbox['worlds.drop']({ name })
      throw error
    }
    await openWorld(name)
    return {}
  })
