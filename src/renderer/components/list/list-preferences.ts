import { z } from 'zod'
import { create } from 'zustand'
import type { Route } from '../../data/route.ts'
import { readStored, writeStored } from '../../format/stored.ts'
import type { ColumnLayout } from '../../ui/column-layout.ts'

/** What this browser remembers of each list: its columns, its detail pane, and the views that were saved. */

const Layout = z
  .object({
    order: z.array(z.string()).exactOptional(),
    shown: z.record(z.string(), z.boolean()).exactOptional(),
    widths: z.record(z.string(), z.number()).exactOptional(),
  })
  .catch({})

export interface SavedView {
  readonly name: string
  /** Filters and sort order, without the Program. */
  readonly params: Route['params']
  readonly layout: ColumnLayout
}

const StoredView: z.ZodType<SavedView> = z.object({
  name: z.string(),
  params: z.record(z.string(), z.array(z.string())).catch({}),
  layout: Layout,
})

/** Stored by an earlier version, or by hand: what cannot be used is left out. */
const Preferences = z.object({
  layout: Layout,
  views: z
    .array(StoredView.nullable().catch(null))
    .catch([])
    .transform((views) => views.filter((view) => view !== null)),
  /** Whether the details of the selected row are shown beside the list; null until the user decides. */
  details: z.boolean().nullable().catch(null),
})
const Lists = z.record(z.string(), Preferences).catch({})

interface ListPreferences {
  readonly layout: ColumnLayout
  readonly views: readonly SavedView[]
  readonly details: boolean | null
}

const STORAGE_KEY = 'sandbank.lists'
const NONE: ListPreferences = { layout: {}, views: [], details: null }

interface State {
  readonly lists: Readonly<Record<string, ListPreferences>>
  change(list: string, change: Partial<ListPreferences>): void
}

const useLists = create<State>()((set, get) => ({
  lists: Lists.parse(readStored('localStorage', STORAGE_KEY)) as State['lists'],
  change: (list, change) => {
    const lists = { ...get().lists, [list]: { ...(get().lists[list] ?? NONE), ...change } }
    set({ lists })
    writeStored('localStorage', STORAGE_KEY, lists)
  },
}))

export function useListPreferences(list: string) {
  const preferences = useLists(({ lists }) => lists[list] ?? NONE)
  return { ...preferences, change: (change: Partial<ListPreferences>) => useLists.getState().change(list, change) }
}
