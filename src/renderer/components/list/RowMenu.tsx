import { useRef, useState } from 'react'
import { useRoute } from '../../data/route.ts'
import { formatTsv } from '../../format/csv.ts'
import { plural } from '../../format/numbers.ts'
import { copyText } from '../../ui/copy.ts'
import { ContextMenu, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { formatSort } from './sort.ts'
import type { TableTools, ToolColumn } from './use-table-tools.ts'

/** The context menus of a list: of its rows, and of its headers. */

export interface MenuColumn<T> extends ToolColumn<T> {
  readonly text: (row: T) => string | null | undefined
  readonly filterBy?: (row: T) => readonly [name: string, value: string] | undefined
}

interface RowMenuOptions<T extends { readonly uid: string }> {
  readonly tools: TableTools<T>
  readonly visible: readonly MenuColumn<T>[]
  readonly rows: readonly T[]
  readonly marked: ReadonlySet<string>
  readonly onOpen: (row: T) => void
  /** More items for a row. */
  readonly more?: (row: T) => React.ReactNode
}

interface Target<T> {
  readonly row: T | null
  readonly column: string | null
}

const NOTHING = { row: null, column: null }

export function useRowMenu<T extends { readonly uid: string }>(options: RowMenuOptions<T>) {
  const { tools, visible, rows, marked } = options
  /** Also a ref, as the menu asks before the next render whether there is anything to show. */
  const latest = useRef<Target<T>>(NOTHING)
  const [target, setTarget] = useState<Target<T>>(NOTHING)
  const copyRows = (ids: ReadonlySet<string>, withHeader = false) => {
    const lines = rows.filter(({ uid }) => ids.has(uid)).map((row) => visible.map(({ text }) => text(row)))
    void copyText(formatTsv(withHeader ? [visible.map(({ id }) => id), ...lines] : lines))
  }
  const { row } = target
  const column = visible.find(({ id }) => id === target.column)
  const items =
    row !== null ? (
      <RowItems
        {...{ row, column, copyRows }}
        ids={marked.has(row.uid) ? marked : new Set([row.uid])}
        open={() => options.onOpen(row)}
        more={options.more?.(row)}
      />
    ) : column ? (
      <HeaderItems column={column} tools={tools as TableTools<never>} />
    ) : null
  return {
    copyRows,
    onMenu: (row: T | null, column: string | null) => {
      latest.current = { row, column }
      setTarget(latest.current)
    },
    /** Wraps the table in its menu. */
    withMenu: (table: React.ReactNode) => (
      <ContextMenu
        onAim={() => {
          latest.current = NOTHING
        }}
        canOpen={() => latest.current.row !== null || latest.current.column !== null}
        items={items}
      >
        {table}
      </ContextMenu>
    ),
  }
}

interface RowItemsProps<T> {
  readonly row: T
  readonly column: MenuColumn<T> | undefined
  readonly ids: ReadonlySet<string>
  readonly copyRows: (ids: ReadonlySet<string>, withHeader?: boolean) => void
  readonly open: () => void
  readonly more: React.ReactNode
}

function RowItems<T extends { readonly uid: string }>({ row, column, ids, copyRows, open, more }: RowItemsProps<T>) {
  const { params, filter } = useRoute()
  const value = column?.text(row)
  const [name, wanted] = column?.filterBy?.(row) ?? ['q', value]
  return (
    <>
      <MenuItem onClick={open}>
        Open <span className="meta">Enter</span>
      </MenuItem>
      <MenuSeparator />
      <MenuItem onClick={() => void copyText([...ids].join('\n'))}>{ids.size > 1 ? 'Copy uids' : 'Copy uid'}</MenuItem>
      <MenuItem onClick={() => copyRows(ids)}>
        {ids.size > 1 ? `Copy ${plural(ids.size, 'row')}` : 'Copy row'} <span className="meta">Ctrl C</span>
      </MenuItem>
      <MenuItem onClick={() => copyRows(ids, true)}>
        {ids.size > 1 ? `Copy ${plural(ids.size, 'row')} with headers` : 'Copy row with headers'}
      </MenuItem>
      {value && <MenuItem onClick={() => void copyText(value)}>Copy value</MenuItem>}
      {more}
      {wanted && (
        <>
          <MenuSeparator />
          <MenuItem
            onClick={() => filter(name, name === 'q' ? [wanted] : [...new Set([...(params[name] ?? []), wanted])])}
          >
            Filter by this value
          </MenuItem>
        </>
      )}
    </>
  )
}

function HeaderItems({
  column: { id },
  tools,
}: {
  readonly column: { readonly id: string }
  readonly tools: TableTools<never>
}) {
  const { headers, sort, sortBy, show } = tools
  return (
    <>
      <MenuItem onClick={() => sortBy([formatSort(id, false)])}>Sort ascending</MenuItem>
      <MenuItem onClick={() => sortBy([formatSort(id, true)])}>Sort descending</MenuItem>
      {sort && <MenuItem onClick={() => sortBy([])}>Do not sort</MenuItem>}
      <MenuSeparator />
      <MenuItem onClick={() => headers.onShift(id, -1)}>
        Move left <span className="meta">Alt ←</span>
      </MenuItem>
      <MenuItem onClick={() => headers.onShift(id, 1)}>
        Move right <span className="meta">Alt →</span>
      </MenuItem>
      <MenuItem onClick={() => headers.onResize(id, undefined)}>Reset width</MenuItem>
      <MenuItem onClick={() => show(id, false)}>Hide column</MenuItem>
    </>
  )
}
