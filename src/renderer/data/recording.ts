import { create } from 'zustand'

/** The scenario that is being recorded. It goes on while the user works on other screens. */
interface Recording {
  /** Requests after this commit are recorded; null while nothing is recorded. */
  readonly mark: number | null
  readonly title: string
  readonly description: string
}

const notRecording: Recording = { mark: null, title: '', description: '' }

export const useRecording = create<Recording>()(() => notRecording)

export const endRecording = () => useRecording.setState(notRecording)
