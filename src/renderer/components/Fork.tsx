import { ActionButton } from '../actions/ActionButton.tsx'
import { branchAndCompare, newWorld } from '../actions/world.ts'
import { useWorldAction } from '../data/worlds.ts'

interface ForkProps {
  /** The commit; without it, the world as it is now. */
  readonly commit?: number
  readonly iconOnly?: boolean
}

/** Creates a world from the one that is shown, and opens it. */
export function Fork({ commit, iconOnly }: ForkProps) {
  useWorldAction()
  return <ActionButton action={newWorld(commit)} bare={iconOnly} small={iconOnly} iconOnly={iconOnly} data-fork />
}

/** Creates two worlds from the one that is shown, and opens their comparison. */
export function BranchAndCompare({ collection, uid }: { collection: string; uid: string }) {
  useWorldAction()
  return <ActionButton action={branchAndCompare(collection, uid)} small />
}
