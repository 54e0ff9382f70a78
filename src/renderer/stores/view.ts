import { create } from 'zustand'

/**
 * What is being looked at. It lives in the address, so that every screen, record and filter can be pasted, and back and
 * forward mean what they mean everywhere: `#/requests/x12?method=POST&refused=yes`.
 */

export const screens = ['connect', 'requests', 'customers', 'scenarios', 'faults'] as const
export type Screen = (typeof screens)[number]

export interface View {
  /** Null for an address that names no screen. */
  readonly screen: Screen | null
  readonly record: string | null
  /** Filters, and the Program where it is not the first one. */
  readonly params: Readonly<Record<string, readonly string[]>>
}

const isScreen = (text: string | undefined): text is Screen => screens.some((screen) => screen === text)

export function parseAddress(hash: string): View {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const [first, ...rest] = path.split('/')
  const params: Record<string, string[]> = {}
  for (const [name, value] of new URLSearchParams(query)) (params[name] ??= []).push(value)
  const record = decoded(rest.join('/'))
  return { screen: first === '' ? 'connect' : isScreen(first) ? first : null, record: record || null, params }
}

export function addressOf({ screen, record, params }: View): string {
  const query = new URLSearchParams(
    Object.entries(params).flatMap(([name, values]) => values.map((value) => [name, value])),
  ).toString()
  const path = `#/${screen ?? ''}${record === null ? '' : `/${encodeURIComponent(record)}`}`
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

export const useView = create<Views>()((set, get) => ({
  ...parseAddress(''),
  go: ({ screen = get().screen, record = null, params = {} }) => {
    settleAddress()
    const { program } = get().params
    const view = { screen, record, params: program ? { program, ...params } : params }
    set(view)
    if (location.hash !== addressOf(view)) location.hash = addressOf(view)
  },
  adjust: (change) => {
    const { screen, record, params } = { ...get(), ...change }
    set({ screen, record, params })
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
  // Unlike a navigation this is done at once, and no event of it can come late.
  if (location.hash !== address) history.replaceState(null, '', address)
}

/** The address of a place in the same Program, for links. */
export function useAddress(to: Pick<View, 'screen'> & Partial<View>): string {
  const program = useView((view) => view.params.program)
  return addressOf({ record: null, ...to, params: { ...(program ? { program } : {}), ...to.params } })
}

export function listenToAddress(): () => void {
  const read = () => {
    // Our own writing comes back as an event; a filter that was typed meanwhile must survive it.
    if (writing !== undefined || location.hash === addressOf(useView.getState())) return
    useView.setState(parseAddress(location.hash))
  }
  useView.setState(parseAddress(location.hash))
  window.addEventListener('hashchange', read)
  return () => window.removeEventListener('hashchange', read)
}
