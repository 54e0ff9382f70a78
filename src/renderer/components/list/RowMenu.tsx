import { findLink, newWindowLabel, openNewWindow } from '../../data/new-window.ts'
import { useRoute } from '../../data/route.ts'
import { formatTsv } from '../../format/csv.ts'
import { plural } from '../../format/text.ts'
import { copyText } from '../../ui/Button.tsx'
import type { MenuPlace } from '../../ui/DataTable.tsx'
import type { MenuEntries } from '../../ui/Menu.tsx'
import { openContextMenu } from '../context-menu.ts'
import type { ListColumn } from './model.ts'
import { formatSort, type TableTools } from './use-table-tools.ts'

/** The context menus of a list: of its rows, and of its headers. */

interface RowMenuOptions<T extends { readonly uid: string }> {
  readonly tools: TableTools
  readonly visible: readonly ListColumn<T>[]
  readonly rows: readonly T[]
  readonly marked: ReadonlySet<string>
  readonly onOpen: (row: T) => void
  readonly addressOf: (row: T) => string
  /** More entries for a row. */
  readonly more?: (row: T) => MenuEntries
}

export function useRowMenu<T extends { readonly uid: string }>(options: RowMenuOptions<T>) {
  const { tools, visible, rows, marked, onOpen, addressOf, more } = options
  const { params, filter } = useRoute()
  const copyRows = (ids: ReadonlySet<string>, withHeader = false) => {
    const lines = rows.filter(({ uid }) => ids.has(uid)).map((row) => visible.map(({ text }) => text(row)))
    void copyText(formatTsv(withHeader ? [visible.map(({ id }) => id), ...lines] : lines))
  }
  const rowEntries = (row: T, column: ListColumn<T> | undefined, link: string | null): MenuEntries => {
    const ids = marked.has(row.uid) ? marked : new Set([row.uid])
    const isOne = ids.size === 1
    const value = column?.text(row)
    const [name, wanted] = column?.filterBy?.(row) ?? ['q', value]
    return [
      { label: 'Open', keys: 'Enter', run: () => onOpen(row) },
      { label: newWindowLabel(), run: () => openNewWindow(addressOf(row)) },
      // A cell may link to another record.
      ...(link !== null && new URL(link).hash !== addressOf(row)
        ? [{ label: newWindowLabel('link'), run: () => openNewWindow(link) }]
        : []),
      null,
      { label: isOne ? 'Copy uid' : 'Copy uids', run: () => void copyText([...ids].join('\n')) },
      { label: isOne ? 'Copy row' : `Copy ${plural(ids.size, 'row')}`, keys: 'CmdOrCtrl+C', run: () => copyRows(ids) },
      {
        label: isOne ? 'Copy row with headers' : `Copy ${plural(ids.size, 'row')} with headers`,
        run: () => copyRows(ids, true),
      },
      ...(value ? [{ label: 'Copy value', run: () => void copyText(value) }] : []),
      ...(more?.(row) ?? []),
      ...(wanted
        ? [
            null,
            {
              label: 'Filter by this value',
              run: () => filter(name, name === 'q' ? [wanted] : [...new Set([...(params[name] ?? []), wanted])]),
            },
          ]
        : []),
    ]
  }
  return {
    copyRows,
    onMenu: (event: React.MouseEvent, { row, column: id, box }: MenuPlace<T>) => {
      const column = visible.find((column) => column.id === id)
      const entries =
        row !== null ? rowEntries(row, column, findLink(event.target)) : column ? headerEntries(column.id, tools) : []
      openContextMenu(event, entries, box)
    },
  }
}

function headerEntries(id: string, { headers, sort, sortBy, show }: TableTools): MenuEntries {
  return [
    { label: 'Sort ascending', run: () => sortBy([formatSort(id, false)]) },
    { label: 'Sort descending', run: () => sortBy([formatSort(id, true)]) },
    ...(sort ? [{ label: 'Do not sort', run: () => sortBy([]) }] : []),
    null,
    { label: 'Move left', keys: 'Alt+Left', run: () => headers.onShift(id, -1) },
    { label: 'Move right', keys: 'Alt+Right', run: () => headers.onShift(id, 1) },
    { label: 'Reset width', run: () => headers.onResize(id, undefined) },
    { label: 'Hide column', run: () => show(id, false) },
  ]
}
