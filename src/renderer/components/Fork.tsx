import { GitCompareArrows, GitFork } from 'lucide-react'
import { branchWorld, currentOrigin, forkWorld, useWorldAction } from '../data/worlds.ts'
import { formatCount } from '../format/numbers.ts'
import { Button } from '../ui/Button.tsx'

interface ForkProps {
  /** The commit; without it, the world as it is now. */
  readonly commit?: number
  readonly iconOnly?: boolean
}

/** Creates a world from the one that is shown, and opens it. The frame shows an error. */
export function Fork({ commit, iconOnly = false }: ForkProps) {
  const isBusy = useWorldAction((state) => state.isBusy)
  const label = commit === undefined ? 'New world from here' : `New world from commit ${formatCount(commit)}`
  return (
    <Button
      bare={iconOnly}
      small={iconOnly}
      iconOnly={iconOnly}
      aria-label={iconOnly ? label : undefined}
      title={iconOnly ? label : 'Creates a copy of this world and opens it. This world does not change.'}
      aria-disabled={isBusy}
      data-fork
      onClick={() => void forkWorld(commit === undefined ? currentOrigin() : { commit })}
    >
      <GitFork size={13} strokeWidth={1.6} aria-hidden="true" />
      {!iconOnly && label}
    </Button>
  )
}

/** Creates two worlds from the one that is shown, and opens their comparison. */
export function BranchAndCompare({ collection, uid }: { collection: string; uid: string }) {
  const isBusy = useWorldAction((state) => state.isBusy)
  return (
    <Button
      small
      aria-disabled={isBusy}
      title="Creates two copies of this world, to decide differently in each and compare them. This world does not change."
      onClick={() => void branchWorld({ collection, uid })}
    >
      <GitCompareArrows size={12} strokeWidth={1.8} aria-hidden="true" />
      Branch and compare
    </Button>
  )
}
