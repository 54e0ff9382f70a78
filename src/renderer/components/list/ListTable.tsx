import { Bookmark, Columns3, X } from 'lucide-react'
import { useMemo, useRef, useState } from 'react'
import type { RecordRow } from '../../data/live-list.ts'
import { useRoute } from '../../data/route.ts'
import { submitting } from '../../data/sandbox.ts'
import { formatCount } from '../../format/text.ts'
import { Button, CopyButton } from '../../ui/Button.tsx'
import { isShown, layoutKey, orderColumns, sortEntries } from '../../ui/column-layout.ts'
import { cx } from '../../ui/cx.ts'
import { DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { TextInput } from '../../ui/Field.tsx'
import { Caption, Footer, Stack, TableArea } from '../../ui/Layout.tsx'
import { Menu, MenuCheckItem, type MenuEntries, MenuItem, MenuSeparator } from '../../ui/Menu.tsx'
import { Popover, PopoverForm, PopoverText } from '../../ui/Popover.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './ListTable.module.css'
import { type SavedView, useListPreferences } from './list-preferences.ts'
import { type ListColumn, standAlone } from './model.ts'
import { useRowMenu } from './RowMenu.tsx'
import { type TableTools, useArrangedColumns } from './use-table-tools.ts'

interface ListTableProps<T extends RecordRow> {
  /** The name under which the browser remembers its columns and views. */
  readonly list: string
  readonly title: string
  readonly columns: readonly ListColumn<T>[]
  readonly tools: TableTools
  readonly arrivals: Arrivals
  /** All records, newest first. */
  readonly all: readonly T[]
  /** Those that the filters accept, in the chosen order. */
  readonly shown: readonly T[]
  /** Adds rows for days to the rows in the order of time. `isWhole`: none is left out or moved. */
  readonly group: (rows: readonly T[], isWhole: boolean) => (T | GroupRow)[]
  /** Of the records that are not read yet. */
  readonly loadingCount?: number
  /** Undefined before it is known: then all columns are shown. */
  readonly width?: number | undefined
  readonly selected: string | null
  readonly onSelect: (row: T) => void
  readonly onOpen: (row: T) => void
  readonly marked: ReadonlySet<string>
  readonly onMark: (uids: ReadonlySet<string>) => void
  readonly addressOf: (row: T) => string
  /** The columns of copied rows, if not the visible ones. */
  readonly copied?: readonly ListColumn<T>[]
  /** More entries for the menu of a row. */
  readonly menuOf?: (row: T) => MenuEntries
  readonly scrollKey: string
  readonly empty: React.ReactNode
  readonly count: string
  /** What the footer says while the list is not sorted. */
  readonly order: string
  /** In the footer while no rows are marked. */
  readonly note?: React.ReactNode
  /** Further buttons at the end of the footer. */
  readonly children?: React.ReactNode
  /** Narrower cells, which leave space for names. */
  readonly isDense?: boolean
}

export const NO_ROWS: ReadonlySet<string> = new Set()
const idOf = ({ uid }: RecordRow) => uid

/** A table of records with what a user can do with it: sort, arrange and copy it, save views. New rows do not move it. */
export function ListTable<T extends RecordRow>(props: ListTableProps<T>) {
  const { list, title, columns, tools, arrivals, all, shown, group, marked, onMark, selected, count } = props
  const { sort } = tools
  const sorted = sort && columns.find(({ id }) => id === sort.id)
  /** Rows of days are shown while the rows are in the order of time. */
  const isByTime = sort === undefined || sorted?.alone !== undefined
  const drawn = useMemo(() => (isByTime ? columns : columns.map(standAlone)), [columns, isByTime])
  const visible = useArrangedColumns(columns, drawn, tools.layout, props.width)
  const settled = useMemo(() => holdBack(all, shown, arrivals.newest), [all, shown, arrivals.newest])
  const waiting = shown.length - settled.length
  const isWhole = sort === undefined && waiting === 0
  const rows = useMemo(() => (isByTime ? group(settled, isWhole) : settled), [settled, group, isByTime, isWhole])
  const { copyRows, onMenu } = useRowMenu({
    tools,
    rows: settled,
    marked,
    onOpen: props.onOpen,
    addressOf: props.addressOf,
    visible: props.copied ?? visible,
    ...(props.menuOf ? { more: props.menuOf } : {}),
  })
  const table = useRef<{ toTop(): void }>(null)
  const order = sort ? `sorted by ${sorted?.header}, ${sort.descending ? 'descending' : 'ascending'}` : 'newest first'
  const footer = sort ? `by ${sorted?.header}` : props.order
  return (
    <TableArea as="section" className={cx(props.isDense && styles.dense)} aria-label={title}>
      <DataTable
        ref={table}
        label={`${title}, ${order}`}
        columns={visible}
        rows={rows}
        headers={tools.headers}
        loadingCount={props.loadingCount ?? 0}
        idOf={idOf}
        selected={selected}
        onSelect={props.onSelect}
        onOpen={props.onOpen}
        marked={marked}
        onMark={onMark}
        onCopy={copyRows}
        onMenu={onMenu}
        onTopChange={(isTop) => arrivals.onTop(isTop, all[0]?.uid)}
        scrollKey={props.scrollKey}
        empty={props.empty}
      />
      <Footer className={styles.footer}>
        <span className={cx('cut', styles.text)} title={`${count}, ${footer}`}>
          <span>{count}</span>
          {count !== '' && ' · '}
          <span>{footer}</span>
        </span>
        {marked.size > 0 ? (
          <span className="row live" role="status">
            {formatCount(marked.size)} chosen
            <CopyButton text={() => [...marked].join('\n')} what="uids" label="Copy uids" small />
            <Button
              small
              bare
              title="As tab-separated text, for a spreadsheet: Ctrl C"
              onClick={() => copyRows(marked)}
            >
              Copy rows
            </Button>
            <Button small bare onClick={() => onMark(NO_ROWS)}>
              Clear
            </Button>
          </span>
        ) : (
          props.note
        )}
        <span className="end row" data-tight>
          <SavedViews list={list} />
          <ColumnsMenu tools={tools} visible={visible} />
          {props.children}
        </span>
        {waiting > 0 && (
          <Button
            small
            onClick={() => {
              arrivals.follow()
              table.current?.toTop()
            }}
          >
            {formatCount(waiting)} new, show
          </Button>
        )}
      </Footer>
    </TableArea>
  )
}

type Arrivals = ReturnType<typeof useArrivals>

/** While the user has scrolled down, new rows are only counted, so that the visible rows do not move. */
export function useArrivals() {
  /** The newest record when the user scrolled down. */
  const [newest, setNewest] = useState<string | null>(null)
  return {
    newest,
    onTop: (isTop: boolean, first: string | undefined) => setNewest((was) => (isTop ? null : (was ?? first ?? null))),
    follow: () => setNewest(null),
  }
}

/** The rows that are not newer than `newest`. */
function holdBack<T extends RecordRow>(all: readonly T[], shown: readonly T[], newest: string | null): readonly T[] {
  const later = newest === null ? 0 : all.findIndex(({ uid }) => uid === newest)
  if (later <= 0) return shown
  const held = new Set(all.slice(0, later).map(idOf))
  return shown.filter(({ uid }) => !held.has(uid))
}

/** Shown instead of rows while the filters accept none. */
export const NoMatches = ({ one, clear }: { readonly one: string; readonly clear: () => void }) => (
  <Caption as="p" className="data soft">
    No {one} matches the filters.
    <Button small onClick={clear}>
      Clear filters
    </Button>
  </Caption>
)

interface ColumnsMenuProps {
  readonly tools: TableTools
  /** The columns that have space. */
  readonly visible: readonly { readonly id: string }[]
}

/** Chooses the columns of a list. One that has no space is shown if the user chooses it: then the list scrolls sideways. */
function ColumnsMenu({ tools: { all, layout, show, reset }, visible }: ColumnsMenuProps) {
  const hasSpace = (id: string) => visible.some((column) => column.id === id)
  return (
    <Menu
      align="end"
      trigger={
        <Button icon={Columns3} small bare>
          Columns
        </Button>
      }
    >
      {orderColumns(all, layout).map((column) => (
        <MenuCheckItem key={column.id} checked={hasSpace(column.id)} onChange={(shown) => show(column.id, shown)}>
          {column.header}
          {isShown(column, layout) && !hasSpace(column.id) && <span className="meta">no space</span>}
        </MenuCheckItem>
      ))}
      <MenuSeparator />
      <MenuItem onClick={reset}>Reset columns</MenuItem>
    </Menu>
  )
}

const MAX_NAME = 60

/** Filters, sort order and columns of a list under a name, in this browser. */
function SavedViews({ list }: { readonly list: string }) {
  const { views, layout, change } = useListPreferences(list)
  const { params, adjust } = useRoute()
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const { program, ...shown } = params
  const key = viewKey({ params: shown, layout })
  const current = views.find((view) => viewKey(view) === key)
  const save = () => {
    const saved = { name: name.trim(), params: shown, layout }
    if (saved.name === '') return
    change({ views: [...views.filter((view) => view.name !== saved.name), saved] })
    setName('')
    setOpen(false)
  }
  return (
    <Popover
      trigger={
        <Button icon={Bookmark} small bare>
          <span className="cut">View: {current ? <Text>{current.name}</Text> : 'default'}</span>
        </Button>
      }
      title="Saved views"
      side="top"
      align="end"
      open={open}
      onOpenChange={setOpen}
    >
      <PopoverForm onSubmit={submitting(save)}>
        {views.length === 0 ? (
          <PopoverText>A view is the filters, the sort order and the columns of this list.</PopoverText>
        ) : (
          <Stack as="ul" gap={2} scroll style={{ maxHeight: 240 }}>
            {views.map((view) => (
              <li key={view.name} className="row">
                <Button
                  bare
                  className="grow"
                  style={{ justifyContent: 'flex-start' }}
                  aria-current={view === current}
                  onClick={() => {
                    change({ layout: view.layout })
                    adjust({ params: { ...(program ? { program } : {}), ...view.params } })
                    setOpen(false)
                  }}
                >
                  <Text className="cut">{view.name}</Text>
                </Button>
                <Button
                  icon={X}
                  bare
                  small
                  aria-label={`Delete the view ${view.name}`}
                  onClick={() => change({ views: views.filter((other) => other !== view) })}
                />
              </li>
            ))}
          </Stack>
        )}
        <span className="row">
          <TextInput
            className="grow"
            aria-label="Name of the view"
            placeholder="name"
            maxLength={MAX_NAME}
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
          <Button type="submit" aria-disabled={name.trim() === ''}>
            Save view
          </Button>
        </span>
      </PopoverForm>
    </Popover>
  )
}

const viewKey = ({ params, layout }: Pick<SavedView, 'params' | 'layout'>) =>
  JSON.stringify([sortEntries(params), layoutKey(layout)])
