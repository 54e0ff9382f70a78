import { type Program, useFeed } from './feed.ts'
import { useRoute } from './route.ts'

/** The Program in the address, or the first one. */
export function useProgram(): Program | undefined {
  const named = useRoute((view) => view.params.program?.[0])
  return useFeed(({ programs }) => programs.find(({ uid }) => uid === named) ?? programs[0])
}

/** The first Program is not named in the address. Filters and records of the other Program are dropped. */
export function chooseProgram(uid: string) {
  const { screen, go, filter } = useRoute.getState()
  const [first] = useFeed.getState().programs
  go({ screen: screen === 'record' ? 'connect' : screen, params: {} })
  filter('program', uid === first?.uid ? [] : [uid])
}
