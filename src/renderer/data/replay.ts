import { create } from 'zustand'
import type { MethodOutput } from '../../api/contract/control/methods.ts'
import type { ImportedFile } from './replay-input.ts'
import { type ReplayOptions, type ReplayOutcome, type ReplaySelection, replayInput } from './replay-input.ts'
import { sandbox } from './sandbox.ts'

/** The last replay that this window started. Its result stays while the user looks at other screens. */

type ImportedBundle = MethodOutput<'bundles.import'>

interface ReplayState {
  /** A file that was dropped on the window or opened with it, to be imported. */
  readonly importedFile: ImportedFile | null
  readonly pending: 'replay' | 'open' | 'undo' | null
  readonly done: { readonly outcome: ReplayOutcome; readonly setup: ReplayOptions; readonly title: string } | null
  readonly opened: ImportedBundle | null
  /** The commit to rewind to; null if the current world was not touched. */
  readonly before: number | null
  readonly undone: boolean
  readonly failure: { readonly title: string; readonly error: unknown } | null
}

const nothing: ReplayState = {
  importedFile: null,
  pending: null,
  done: null,
  opened: null,
  before: null,
  undone: false,
  failure: null,
}

export const useReplay = create<ReplayState>()(() => nothing)

export const resetReplay = () => useReplay.setState(nothing)

/** The previous result is replaced. */
export const setImportedFile = (file: ImportedFile | null) => useReplay.setState({ ...nothing, importedFile: file })

const readSeq = async () => (await sandbox['world.describe']({})).seq

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
    const before = setup.place === 'present' ? await readSeq() : null
    const outcome = await sandbox['exchanges.replay'](replayInput(what, setup))
    return { done: { outcome, setup, title }, opened: null, before, undone: false }
  })

export const importBundle = (text: string) =>
  runStep('open', 'The bundle could not be imported.', async () => {
    const before = await readSeq()
    return { opened: await sandbox['bundles.import']({ text }), done: null, before, undone: false }
  })

export const undoReplay = () =>
  runStep('undo', 'The world from before could not be restored.', async () => {
    const { before } = useReplay.getState()
    if (before !== null) await sandbox['world.rewind']({ seq: before })
    return { undone: true }
  })
