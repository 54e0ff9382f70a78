import { create } from 'zustand'

/** What is being recorded. Looking elsewhere, and working elsewhere, is what a recording is for: it is kept meanwhile. */
interface Recording {
  /** The commit from which on everything counts; null while nobody records. */
  readonly mark: number | null
  readonly title: string
  readonly teaches: string
}

const nothing: Recording = { mark: null, title: '', teaches: '' }

export const useRecording = create<Recording>()(() => nothing)

export const endRecording = () => useRecording.setState(nothing)
