import { create } from 'zustand'
import type { MethodOutput } from '../../api/contract/control.ts'
import type { Source } from './replay-input.ts'
import { inputOf, type Outcome, type Setup, type What } from './replay-input.ts'
import { sandbox } from './sandbox.ts'

/** A replay that this window asked for. Its result stays until the next one, wherever one looks meanwhile. */

export type Imported = MethodOutput<'bundles.import'>

interface Replay {
  /** A file that was handed to the window, to be imported. */
  readonly handed: Source | null
  readonly pending: 'replay' | 'open' | 'undo' | null
  readonly done: { readonly outcome: Outcome; readonly setup: Setup; readonly title: string } | null
  readonly opened: Imported | null
  /** The commit to go back to; null when the present world was not touched. */
  readonly before: number | null
  readonly undone: boolean
  readonly failure: { readonly title: string; readonly error: unknown } | null
}

const nothing: Replay = {
  handed: null,
  pending: null,
  done: null,
  opened: null,
  before: null,
  undone: false,
  failure: null,
}

export const useReplay = create<Replay>()(() => nothing)

export const forgetReplay = () => useReplay.setState(nothing)

/** In the place of whatever was done before. */
export const handOver = (handed: Source | null) => useReplay.setState({ ...nothing, handed })

const present = async () => (await sandbox['world.describe']({})).seq

async function tried(pending: Replay['pending'], title: string, work: () => Promise<Partial<Replay>>) {
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

export const replay = (what: What, setup: Setup, title: string) =>
  tried('replay', 'It could not be replayed.', async () => {
    const before = setup.place === 'present' ? await present() : null
    const outcome = await sandbox['exchanges.replay'](inputOf(what, setup))
    return { done: { outcome, setup, title }, opened: null, before, undone: false }
  })

export const openBundle = (text: string) =>
  tried('open', 'The bundle could not be opened.', async () => {
    const before = await present()
    return { opened: await sandbox['bundles.import']({ text }), done: null, before, undone: false }
  })

export const undoReplay = () =>
  tried('undo', 'The world from before could not be brought back.', async () => {
    const { before } = useReplay.getState()
    if (before !== null) await sandbox['world.rewind']({ seq: before })
    return { undone: true }
  })
