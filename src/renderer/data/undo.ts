import { useEffect } from 'react'
import { create } from 'zustand'
import type { MethodOutput } from '../../api/contract/control/methods.ts'
import { useFeed } from './feed.ts'
import { useQuery } from './sandbox.ts'

/** What undo and redo would do. */
export type UndoSteps = MethodOutput<'operations.preview'>

/** As the clock bar shows it; undefined while it shows none. */
export const useShownSteps = create<{ readonly steps: UndoSteps | undefined }>()(() => ({ steps: undefined }))

export function useUndoSteps(): UndoSteps | undefined {
  const seq = useFeed((feed) => feed.seq)
  return useQuery('operations.preview', {}, [], { beat: seq, pauses: 9, keeps: true }).data
}

/** For the keys of undo and redo. */
export function useShowingSteps(): UndoSteps | undefined {
  const steps = useUndoSteps()
  useEffect(() => {
    useShownSteps.setState({ steps })
    return () => useShownSteps.setState({ steps: undefined })
  }, [steps])
  return steps
}
