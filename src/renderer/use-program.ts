import { type Program, useFeed } from './stores/feed.ts'
import { useView } from './stores/view.ts'

/** The Program in view: the address names it, or it is the first one. */
export function useProgram(): Program | undefined {
  const named = useView((view) => view.params.program?.[0])
  return useFeed(({ programs }) => programs.find(({ uid }) => uid === named) ?? programs[0])
}
