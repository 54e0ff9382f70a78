import { create } from 'zustand'
import { type CollectionName, collections, isCollection } from './collections.ts'
import { isScreen, type Screen } from './screen-list.ts'

/**
 * What is being looked at. It lives in the address, so that every screen, record and filter can be pasted, and back and
 * forward mean what they mean everywhere: `#/requests/x12?method=POST&refused=yes`. A record's address is its path in the
 * API: `#/transfers/x12`.
 */

export interface Route {
  /** Null for an address that names no screen. `record` is the page of one record, of whatever collection. */
  readonly screen: Screen | null
  /** Of the record, or of the list where a screen has several. */
  readonly collection: CollectionName | null
  readonly record: string | null
  /** Filters, and the Program where it is not the first one. */
  readonly params: Readonly<Record<string, readonly string[]>>
}

export function parseRoute(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [first, ...rest] = path.split('/')
  const params: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) (params[name] ??= []).push(value)
  const record = decode(rest.join('/')) || null
  const listed = first === '' ? 'connect' : isScreen(first) && first !== 'record' ? first : null
  const collection = isCollection(first) && (record !== null || listed === null) ? first : null
  return { ...resolveScreen({ screen: listed, collection, record }), params }
}

/** A record has a page of its own; a collection by itself is listed by its screen. */
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
  /** Goes somewhere; `back` returns. The Program stays. */
  go(to: Partial<Route>): void
  /** Changes what is shown of the same place; `back` does not stop here. */
  adjust(change: Partial<Route>): void
  filter(name: string, values: readonly string[]): void
}

/** Browsers refuse to change the address some hundred times in a row; a key held down would. */
const WRITE_MS = 120
let writing: ReturnType<typeof setTimeout> | undefined
/** The address as it was last read or written here: if it is another, somebody has followed a link or gone back. */
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

/** Writes the address now, if it is behind. */
export function flushRoute() {
  if (writing === undefined) return
  clearTimeout(writing)
  writing = undefined
  const address = formatRoute(useRoute.getState())
  // Whoever went elsewhere in between goes there: the event of it is on its way.
  if (known !== undefined && location.hash !== known) return
  // Unlike a navigation this is done at once, and no event of it can come late.
  if (location.hash !== address) history.replaceState(null, '', address)
  known = location.hash
}

/** The address of a place in the same Program, for links. */
export function useRouteHref({ screen = null, collection = null, record = null, params }: Partial<Route>): string {
  const program = useRoute((view) => view.params.program)
  return formatRoute({ screen, collection, record, params: { ...(program ? { program } : {}), ...params } })
}

export function listenToHash(): () => void {
  const read = () => {
    // Our own writing comes back as an event; a filter that was typed meanwhile must survive it.
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
