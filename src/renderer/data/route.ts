import { create } from 'zustand'
import { type CollectionName, collections, isCollection } from './collections.ts'
import { isScreen, type Screen } from './screen-list.ts'

/**
 * What is being looked at. It lives in the address, so that every screen, record and filter can be pasted, and back and
 * forward mean what they mean everywhere: `#/requests/x12?method=POST&refused=yes`. A record's address is its path in the
 * API: `#/transfers/x12`.
 */

export interface View {
  /** Null for an address that names no screen. `record` is the page of one record, of whatever collection. */
  readonly screen: Screen | null
  /** Of the record, or of the list where a screen has several. */
  readonly collection: CollectionName | null
  readonly record: string | null
  /** Filters, and the Program where it is not the first one. */
  readonly params: Readonly<Record<string, readonly string[]>>
}

export function parseAddress(hash: string): View {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [first, ...rest] = path.split('/')
  const params: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) (params[name] ??= []).push(value)
  const record = decoded(rest.join('/')) || null
  const listed = first === '' ? 'connect' : isScreen(first) && first !== 'record' ? first : null
  const collection = isCollection(first) && (record !== null || listed === null) ? first : null
  return { ...placed({ screen: listed, collection, record }), params }
}

/** A record has a page of its own; a collection by itself is listed by its screen. */
function placed({ screen, collection, record }: Omit<View, 'params'>): Omit<View, 'params'> {
  if (collection === null) return { screen, collection, record }
  return { screen: record === null ? collections[collection].home : 'record', collection, record }
}

export function addressOf({ screen, collection, record, params }: View): string {
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, values]) => values.map((value) => [name, value])),
  ).toString()
  const path = `#/${collection ?? screen ?? ''}${record === null ? '' : `/${encodeURIComponent(record)}`}`
  return query === '' ? path : `${path}?${query}`
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

interface Views extends View {
  /** Goes somewhere; `back` returns. The Program stays. */
  go(to: Partial<View>): void
  /** Changes what is shown of the same place; `back` does not stop here. */
  adjust(change: Partial<View>): void
  filter(name: string, values: readonly string[]): void
}

/** Browsers refuse to change the address some hundred times in a row; a key held down would. */
const WRITE_MS = 120
let writing: ReturnType<typeof setTimeout> | undefined
/** The address as it was last read or written here: if it is another, somebody has followed a link or gone back. */
let known: string | undefined

export const useView = create<Views>()((set, get) => ({
  ...parseAddress(''),
  go: ({ screen = get().screen, collection = null, record = null, params = {} }) => {
    settleAddress()
    const { program } = get().params
    const view = { ...placed({ screen, collection, record }), params: program ? { program, ...params } : params }
    set(view)
    if (location.hash !== addressOf(view)) location.hash = addressOf(view)
    known = location.hash
  },
  adjust: (change) => {
    const { screen, collection, record, params } = { ...get(), ...change }
    set({ screen, collection, record, params })
    clearTimeout(writing)
    writing = setTimeout(settleAddress, WRITE_MS)
  },
  filter: (name, values) => {
    const { [name]: _, ...others } = get().params
    get().adjust({ params: values.length > 0 ? { ...others, [name]: values } : others })
  },
}))

/** Writes the address now, if it is behind. */
export function settleAddress() {
  if (writing === undefined) return
  clearTimeout(writing)
  writing = undefined
  const address = addressOf(useView.getState())
  // Whoever went elsewhere in between goes there: the event of it is on its way.
  if (known !== undefined && location.hash !== known) return
  // Unlike a navigation this is done at once, and no event of it can come late.
  if (location.hash !== address) history.replaceState(null, '', address)
  known = location.hash
}

/** The address of a place in the same Program, for links. */
export function useAddress({ screen = null, collection = null, record = null, params }: Partial<View>): string {
  const program = useView((view) => view.params.program)
  return addressOf({ screen, collection, record, params: { ...(program ? { program } : {}), ...params } })
}

export function listenToAddress(): () => void {
  const read = () => {
    // Our own writing comes back as an event; a filter that was typed meanwhile must survive it.
    if (location.hash === known) return
    clearTimeout(writing)
    writing = undefined
    known = location.hash
    useView.setState(parseAddress(location.hash))
  }
  known = location.hash
  useView.setState(parseAddress(known))
  window.addEventListener('hashchange', read)
  return () => window.removeEventListener('hashchange', read)
}
