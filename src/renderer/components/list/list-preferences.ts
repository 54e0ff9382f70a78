import { create } from 'zustand'
import type { Route } from '../../data/route.ts'
import type { ColumnLayout } from '../../ui/column-layout.ts'

/** What this browser remembers of each list: its columns, its detail pane, and the views that were saved. */

export interface SavedView {
  readonly name: string
  /** Filters and sort order, without the Program. */
  readonly params: Route['params']
  readonly layout: ColumnLayout
}

interface ListPreferences {
  readonly layout: ColumnLayout
  readonly views: readonly SavedView[]
  /** Whether the details of the selected row are shown beside the list; null until the user decides. */
  readonly details: boolean | null
}

const STORAGE_KEY = 'sandbank.lists'
const NONE: ListPreferences = { layout: {}, views: [], details: null }

interface State {
  readonly lists: Readonly<Record<string, ListPreferences>>
  change(list: string, change: Partial<ListPreferences>): void
}

function readLists(): State['lists'] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '{}')
    return mapValues(stored, (list) => {
      const { layout, views, details } = fieldsOf(list)
      return {
        layout: readLayout(layout),
        views: Array.isArray(views) ? views.flatMap(readView) : [],
        details: typeof details === 'boolean' ? details : null,
      }
    })
  } catch {
    return {}
  }
}

/** Stored by an earlier version, or by hand: what cannot be used is left out. */
function readLayout(stored: unknown): ColumnLayout {
  const { order, shown, widths } = fieldsOf(stored)
  return {
    ...(isTexts(order) ? { order } : {}),
    shown: pickValues(shown, (value) => typeof value === 'boolean'),
    widths: pickValues(widths, (value) => typeof value === 'number' && Number.isFinite(value)),
  }
}

function readView(stored: unknown): SavedView[] {
  const { name, params, layout } = fieldsOf(stored)
  if (typeof name !== 'string') return []
  return [{ name, params: pickValues(params, isTexts), layout: readLayout(layout) }]
}

type Fields = Readonly<Record<string, unknown>>
const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
const isTexts = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.every((part) => typeof part === 'string')
const mapValues = <T>(value: unknown, map: (part: unknown) => T) =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([name, part]) => [name, map(part)]))
const pickValues = <T>(value: unknown, test: (part: unknown) => boolean) =>
  Object.fromEntries(Object.entries(fieldsOf(value)).filter(([, part]) => test(part))) as Record<string, T>

const useLists = create<State>()((set, get) => ({
  lists: readLists(),
  change: (list, change) => {
    const lists = { ...get().lists, [list]: { ...(get().lists[list] ?? NONE), ...change } }
    set({ lists })
    try {
      localStorage.setItem(STORAGE_KEY, JSON.stringify(lists))
    } catch {
      // Storage is disabled or full: the choice holds until the tab is closed.
    }
  },
}))

export function useListPreferences(list: string) {
  const preferences = useLists(({ lists }) => lists[list] ?? NONE)
  return { ...preferences, change: (change: Partial<ListPreferences>) => useLists.getState().change(list, change) }
}
