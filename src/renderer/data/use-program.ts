import { showHidden } from '../../api/contract/collection-names.ts'
import type { ApiAccess } from '../format/request.ts'
import type { CollectionName } from './collections.ts'
import { type Program, useFeed } from './feed.ts'
import { useRoute } from './route.ts'
import { useQuery } from './sandbox.ts'

/** The Program in the address, or the first one. */
export function useProgram(): Program | undefined {
  const named = useRoute((view) => view.params.program?.[0])
  return useFeed(({ programs }) => programs.find(({ uid }) => uid === named) ?? programs[0])
}

/** How many records of a collection the shown Program has. */
export function useTotal(collection: CollectionName, filters: object = showHidden(collection)): number | undefined {
  const program_uid = useProgram()?.uid
  const input = program_uid === undefined ? null : { collection, program_uid, limit: 0, ...filters }
  return useQuery('records.list', input, [collection]).data?.total_count
}

/** How a Program calls the API: the one that is named, or the shown one. */
export function useApiAccess(program_uid: string | null = null): ApiAccess {
  const base_url = useFeed((feed) => feed.world?.api ?? '')
  const shown = useProgram()
  const program = useFeed(({ programs }) => programs.find(({ uid }) => uid === program_uid)) ?? shown
  return accessOf(base_url, program)
}

/** The same, outside of a component. */
export function readApiAccess(program_uid: string | null): ApiAccess {
  const { world, programs } = useFeed.getState()
  const named = useRoute.getState().params.program?.[0]
  const find = (wanted: string | null | undefined) => programs.find(({ uid }) => uid === wanted)
  return accessOf(world?.api ?? '', find(program_uid) ?? find(named) ?? programs[0])
}

const accessOf = (base_url: string, program: Program | undefined): ApiAccess => ({
  base_url,
  program_uid: program?.uid ?? '',
  hmac_key: program?.hmac_key ?? '',
})

/** The first Program is not named in the address. Filters and records of the other Program are dropped. */
export function chooseProgram(uid: string): undefined {
  const { screen, go, filter } = useRoute.getState()
  const [first] = useFeed.getState().programs
  go({ screen: screen === 'record' ? 'now' : screen, params: {} })
  filter('program', uid === first?.uid ? [] : [uid])
}
