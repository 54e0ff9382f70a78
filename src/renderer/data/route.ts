import { create } from 'zustand'
import { type CollectionName, collections, isCollection } from './collections.ts'
import { isScreen, type Screen } from './screen-list.ts'

/**
 * What is shown: screen, record, filters. It is kept in the address, so that it can be bookmarked and shared, and Back
 * and Forward work: `#/requests/x12?method=POST&refused=yes`. The address of a record is its API path:
 * `#/transfers/x12`.
 */

export interface Route {
  /** Null if the address names no screen. `record` is the page of a single record of any collection. */
  readonly screen: Screen | null
  /** The collection of the record, or of the list if a screen has several. */
  readonly collection: CollectionName | null
  readonly record: string | null
  /** Filters, and the Program unless it is the first. */
  readonly params: Readonly<Record<string, readonly string[]>>
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [first, ...rest] = path.split('/')
  const params: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) (params[name] ??= []).push(value)
  const record = decode(rest.join('/')) || null
  const listed = first === '' ? 'now' : isScreen(first) && first !== 'record' ? first : null
  const collection = isCollection(first) && (record !== null || listed === null) ? first : null
  return { ...resolveScreen({ screen: listed, collection, record }), params }
}

/** A record has its own page; a collection is shown by the screen that lists it. */
function resolveScreen({ screen, collection, record }: Omit<Route, 'params'>): Omit<Route, 'params'> {
  if (collection === null) return { screen, collection, record }
  return { screen: record === null ? collections[collection].home : 'record', collection, record }
}

export function formatRoute({ screen, collection, record, params }: Route): string {
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, values]) => values.map((value) => [name, value])),
  ).toString()
  const path = `#/${collection ?? screen ?? ''}${record === null ? '' : `/${encodeURIComponent(record)}`}`
  return query === '' ? path : `${path}?${query}`
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface RouteState extends Route {
  /** Navigates, with an entry in the browser's history. The Program stays. */
  go(to: Partial<Route>): void
  /** Changes what is shown without an entry in the browser's history. */
  adjust(change: Partial<Route>): void
  filter(name: string, values: readonly string[]): void
}

/** Browsers limit how often the address may change; a held key would exceed that. */
const WRITE_MS = 120
let writing: ReturnType<typeof setTimeout> | undefined
/** The address as it was last read or written here. If it differs, the user has followed a link or gone back. */
let known: string | undefined

export const useRoute = create<RouteState>()((set, get) => ({
  ...parseRoute(''),
  go: ({ screen = get().screen, collection = null, record = null, params = {} }) => {
    flushRoute()
    const { program } = get().params
    const view = { ...resolveScreen({ screen, collection, record }), params: program ? { program, ...params } : params }
    set(view)
    if (location.hash !== formatRoute(view)) location.hash = formatRoute(view)
    known = location.hash
  },
  adjust: (change) => {
    const { screen, collection, record, params } = { ...get(), ...change }
    set({ screen, collection, record, params })
    clearTimeout(writing)
    writing = setTimeout(flushRoute, WRITE_MS)
  },
  filter: (name, values) => {
    const { [name]: _, ...others } = get().params
    get().adjust({ params: values.length > 0 ? { ...others, [name]: values } : others })
  },
}))

/** Writes the address now if a write is pending. */
export function flushRoute() {
  if (writing === undefined) return
  clearTimeout(writing)
  writing = undefined
  const address = formatRoute(useRoute.getState())
  // The user navigated in between; the event for it is on its way.
  if (known !== undefined && location.hash !== known) return
  // Takes effect at once; a navigation would raise an event later.
  if (location.hash !== address) history.replaceState(null, '', address)
  known = location.hash
}

/** The address for a link within the same Program. */
export function useRouteHref({ screen = null, collection = null, record = null, params }: Partial<Route>): string {
  const program = useRoute((view) => view.params.program)
  return formatRoute({ screen, collection, record, params: { ...(program ? { program } : {}), ...params } })
}

export function listenToHash(): () => void {
  const read = () => {
    // Our own write raises an event, too; a filter typed meanwhile must survive it.
    if (location.hash === known) return
    clearTimeout(writing)
    writing = undefined
    known = location.hash
    useRoute.setState(parseRoute(location.hash))
  }
  known = location.hash
  useRoute.setState(parseRoute(known))
  window.addEventListener('hashchange', read)
  return () => window.removeEventListener('hashchange', read)
}
