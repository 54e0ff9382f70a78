import { type Program, useFeed } from './feed.ts'
import { useRoute } from './route.ts'

/** The Program in view: the address names it, or it is the first one. */
export function useProgram(): Program | undefined {
  const named = useRoute((view) => view.params.program?.[0])
  return useFeed(({ programs }) => programs.find(({ uid }) => uid === named) ?? programs[0])
}

/** The first one needs no word in the address. What is open belongs to the other Program, and is left. */
export function chooseProgram(uid: string) {
  const { screen, go, filter } = useRoute.getState()
  const [first] = useFeed.getState().programs
  go({ screen: screen === 'record' ? 'connect' : screen, params: {} })
  filter('program', uid === first?.uid ? [] : [uid])
}
