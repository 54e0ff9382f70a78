import { Download, X } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import { showHidden } from '../../../api/contract/collection-names.ts'
import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { collections } from '../../data/collections.ts'
import { simulatedNow, useFeed } from '../../data/feed.ts'
import { type ListSource, type RecordRow, useRecords } from '../../data/live-list.ts'
import type { PartyNames } from '../../data/names.ts'
import { formatRoute, type Route, useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCsv } from '../../format/csv.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatIsoDate } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { downloadFile } from '../../ui/download.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterMenu } from '../../ui/FilterMenu.tsx'
import { Caption, ScreenBar, TableArea } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Splitter } from '../../ui/Splitter.tsx'
import { Text } from '../../ui/Text.tsx'
import { ColumnsMenu } from './ColumnsMenu.tsx'
import { CustomerFilter } from './CustomerFilter.tsx'
import { groupByDay } from './day-rows.ts'
import { DetailsButton, ListDetails, ListSplit, useDetails } from './ListDetails.tsx'
import { ListFooter } from './ListFooter.tsx'
import styles from './ListScreen.module.css'
import { type Filter, type ListColumn, pickParams, rangesOf, rowFilter, standAlone } from './model.ts'
import { RangeFilter } from './RangeFilter.tsx'
import { useRowMenu } from './RowMenu.tsx'
import { SavedViews } from './SavedViews.tsx'
import { type Sort, sortRows } from './sort.ts'
import { type TableTools, useArrangedColumns, useTableTools } from './use-table-tools.ts'

interface OnlyThese {
  readonly param: string
  /** For example "Flow". */
  readonly title: string
  readonly text: string
  /** Undefined until it is known which. */
  readonly uids: ReadonlySet<string> | undefined
}

interface ListScreenProps<T extends RecordRow> {
  readonly source: ListSource<T>
  readonly program_uid: string | undefined
  readonly title: string
  /** Names the fields that the search covers. */
  readonly placeholder: string
  readonly columns: readonly ListColumn<T>[]
  /** Texts that are searched besides the columns. */
  readonly searchTexts?: (row: T) => readonly (string | null | undefined)[]
  readonly timeOf: (row: T) => string
  readonly filters: readonly Filter<T>[]
  /** Only some records, which an address parameter names. */
  readonly only?: OnlyThese | null
  /** For lists that can be filtered by Customer. */
  readonly byCustomer?: { readonly names: PartyNames; of(row: T): readonly (string | undefined)[] }
  readonly minWidth: number
  /** Shown if there are no records: what they are, how to create one, an example. */
  readonly empty: React.ReactNode
  readonly actions?: React.ReactNode
  readonly onSelect?: (uid: string) => void
  /** Shown between the bar and the list. */
  readonly above?: React.ReactNode
  /** The pane of a selected record, instead of its fields. It is shown while a record is selected. */
  readonly pane?: (uid: string, close: () => void) => React.ReactNode
}

const idOf = ({ uid }: RecordRow) => uid
/** The last selection of each list, restored when the user comes back. */
const selections = new Map<string, string>()
const NO_ROWS: ReadonlySet<string> = new Set()

/** The live list of a collection, newest first. Filtered and searched in the window; new rows do not move it. */
export const ListScreen = <T extends RecordRow>(props: ListScreenProps<T>) => (
  // Each Program has a selection of its own.
  <ProgramList key={props.program_uid} {...props} />
)

function ProgramList<T extends RecordRow>(props: ListScreenProps<T>) {
  const { source, program_uid, title, columns, timeOf: at, minWidth: least, empty, onSelect, pane } = props
  const { params, adjust, go } = useRoute()
  const { rows: all, total, error } = useRecords(source, program_uid)
  const names = collections[source.collection]
  const tools = useTableTools(source.collection, columns)
  const { sort } = tools
  /** Rows of days are shown while the rows are in the order of time. */
  const isByTime = sort === undefined || sort.id === 'created_at'
  const drawn = useMemo(() => (isByTime ? columns : columns.map(standAlone)), [columns, isByTime])
  const { shown, filtered, found } = useFiltered(all, total, sort, props)
  const isUnknown = props.only != null && props.only.uids === undefined
  const unread = found === undefined ? (total === undefined ? 0 : total - all.length) : found - shown.length
  // The sort order stays.
  const clear = () => adjust({ params: pickParams(params, ['program', 'sort']) })

  const table = useRef<{ toTop(): void }>(null)
  const { settled, waiting, onTop, follow } = useArrivals(all, shown)
  const rows = useMemo(() => (isByTime ? groupByDay(settled, at) : settled), [settled, at, isByTime])
  const inProgram = pickParams(params, ['program'])
  const place = formatRoute({ screen: null, collection: source.collection, record: null, params })
  const [selected, setSelected] = useState<string | null>(() => selections.get(place) ?? null)
  const [marked, setMarked] = useState<ReadonlySet<string>>(NO_ROWS)
  const area = useRef<HTMLElement>(null)
  const details = useDetails(source.collection, area, selected !== null, pane !== undefined)
  const { visible, minWidth } = useArrangedColumns(drawn, tools.layout, least, details.listWidth)
  const close = () => {
    setSelected(null)
    selections.delete(place)
    area.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  }
  const open = ({ uid }: { readonly uid: string }) => go({ collection: source.collection, record: uid })
  const { copyRows, onMenu } = useRowMenu({
    ...{ tools, visible, rows: settled, marked, onOpen: open },
    addressOf: ({ uid }) =>
      formatRoute({ screen: null, collection: source.collection, record: uid, params: inProgram }),
  })
  const header = sort && columns.find(({ id }) => id === sort.id)?.header
  // No count is shown until it is known.
  const count =
    total === undefined
      ? ''
      : `${filtered ? `${formatCount(found ?? shown.length)} of ` : ''}${plural(total, names.one, names.many)}${
          all.length < total ? `, ${formatCount(all.length)} loaded` : ''
        }`
  const order =
    sort === undefined ? 'newest first' : `sorted by ${header}, ${sort.descending ? 'descending' : 'ascending'}`
  return (
    <>
      <ListBar {...props} clear={filtered ? clear : undefined} />
      {error !== undefined && (total === undefined || unread > 0) && (
        <Notice title={`${unread > 0 ? 'The other' : 'The'} ${names.many} could not be loaded.`} error={error}>
          They are loaded again as soon as the sandbox responds.
        </Notice>
      )}
      {props.above}
      <ListSplit details={details}>
        <TableArea as="section" className={styles.table} aria-label={title}>
          <DataTable
            ref={table}
            label={`${title}, ${order}`}
            columns={visible}
            rows={rows}
            headers={tools.headers}
            loadingCount={filtered && found === undefined ? 0 : unread}
            idOf={idOf}
            selected={selected}
            onSelect={({ uid }) => {
              setSelected(uid)
              selections.set(place, uid)
              onSelect?.(uid)
            }}
            onOpen={open}
            marked={marked}
            onMark={setMarked}
            onCopy={copyRows}
            onMenu={onMenu}
            onTopChange={onTop}
            scrollKey={place}
            minWidth={minWidth}
            empty={
              total === undefined || isUnknown ? (
                <Skeleton />
              ) : filtered ? (
                <NoMatches one={names.one} clear={clear} />
              ) : (
                empty
              )
            }
          />
          <ListFooter
            count={count}
            order={sort === undefined ? 'newest first' : `by ${header}`}
            waiting={waiting}
            onShowNew={() => {
              follow()
              table.current?.toTop()
            }}
          >
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
                <Button small bare onClick={() => setMarked(NO_ROWS)}>
                  Clear
                </Button>
              </span>
            ) : (
              selected !== null && <CopyButton text={selected} what={`uid ${selected}`} label="Copy uid" small />
            )}
            <span className="end row" data-tight>
              <SavedViews list={source.collection} />
              <ColumnsMenu tools={tools as unknown as TableTools<never>} visible={visible} />
              <ExportButton {...{ source, columns, shown, unread }} />
              {!pane && <DetailsButton details={details} />}
            </span>
          </ListFooter>
        </TableArea>
        {selected !== null && pane && (
          <>
            <Splitter label="Width of the details" sizes="after" onResize={details.onResize} />
            {pane(selected, close)}
          </>
        )}
        {selected !== null && !pane && (
          <ListDetails
            details={details}
            collection={source.collection}
            uid={selected}
            isListed={shown.some(({ uid }) => uid === selected)}
          />
        )}
      </ListSplit>
    </>
  )
}

/** The column that the amount range of a list applies to. */
const amountColumnOf = <T extends RecordRow>(columns: readonly ListColumn<T>[]) =>
  columns.find(({ right, largestFirst }) => right && largestFirst)

/**
 * The rows that the address asks for, in its order. Until all records are read, the sandbox itself sorts and finds them, and `found`
 * is the number that it found.
 */
function useFiltered<T extends RecordRow>(
  all: readonly T[],
  total: number | undefined,
  sort: Sort | undefined,
  props: ListScreenProps<T>,
) {
  const { filters, columns, searchTexts: found, byCustomer, timeOf, only } = props
  const uids = only ? (only.uids ?? NO_ROWS) : undefined
  const wanted = useDeferredValue(useRoute(({ params }) => params))
  const customersOf = byCustomer?.of
  const test = useMemo(() => {
    const ranges = { time: timeOf, amount: amountColumnOf(columns) }
    return rowFilter(wanted, filters, columns, { searchTexts: found, customersOf, uids, ranges })
  }, [wanted, filters, columns, found, customersOf, uids, timeOf])
  const question = total === undefined || all.length >= total ? null : questionFor(wanted, sort, props)
  const answer = useQuery('records.list', question, [props.source.collection]).data
  const shown = useMemo(() => {
    if (answer) return answer.data as unknown as readonly T[]
    const accepted = test ? all.filter(test) : all
    const column = sort && columns.find(({ id }) => id === sort.id)
    return column ? sortRows(accepted, column, sort.descending) : accepted
  }, [all, test, answer, columns, sort])
  return { shown, filtered: test !== undefined, found: answer?.total_count }
}

/** Enough for the first screens of a list that is still being read. */
const ANSWERED = 200

/** The question to the sandbox for a sorted list or a range; null if only the window can answer it. */
function questionFor<T extends RecordRow>(
  params: Route['params'],
  sort: Sort | undefined,
  { source, program_uid, filters, columns, only }: ListScreenProps<T>,
) {
  const { time, amount } = rangesOf(params)
  const sorted = sort && columns.find(({ id }) => id === sort.id)
  const active = filters.filter(({ name }) => params[name])
  const amountField = amountColumnOf(columns)?.field
  const cannot =
    (sorted && sorted.field === undefined) ||
    (amount && amountField === undefined) ||
    params.q ||
    params.customer ||
    only ||
    active.some(({ inApi }) => !inApi)
  if (cannot || program_uid === undefined || !(sorted || time || amount)) return null
  return {
    ...showHidden(source.collection),
    ...Object.fromEntries(active.map(({ name }) => [name, params[name]])),
    collection: source.collection,
    program_uid,
    fields: [...source.fields],
    limit: ANSWERED,
    ...(sorted ? { order: { field: sorted.field!, descending: sort!.descending } } : {}),
    ranges: [
      ...(time ? [{ field: 'created_at', ...time }] : []),
      ...(amount ? [{ field: amountField!, ...amount }] : []),
    ],
  }
}

/** While the user has scrolled down, new rows are only counted, so that the visible rows do not move. */
function useArrivals<T extends RecordRow>(all: readonly T[], shown: readonly T[]) {
  /** The newest record when the user scrolled down. */
  const [newest, setNewest] = useState<string | null>(null)
  const settled = useMemo(() => {
    const later = newest === null ? 0 : all.findIndex(({ uid }) => uid === newest)
    if (later <= 0) return shown
    const held = new Set(all.slice(0, later).map(({ uid }) => uid))
    return shown.filter(({ uid }) => !held.has(uid))
  }, [all, shown, newest])
  return {
    settled,
    waiting: shown.length - settled.length,
    onTop: (isTop: boolean) => setNewest((was) => (isTop ? null : (was ?? all[0]?.uid ?? null))),
    follow: () => setNewest(null),
  }
}

interface ListBarProps<T extends RecordRow> extends ListScreenProps<T> {
  /** Undefined while nothing is filtered. */
  readonly clear: (() => void) | undefined
}

/** Title, search, filters. */
function ListBar<T extends RecordRow>(props: ListBarProps<T>) {
  const { title, placeholder, columns, filters, byCustomer, actions, clear, only } = props
  const { params, filter } = useRoute()
  return (
    <ScreenBar className={styles.bar}>
      <h1>{title}</h1>
      <SearchField
        value={params.q?.[0] ?? ''}
        onChange={(q) => filter('q', q === '' ? [] : [q])}
        label={`Search ${title}`}
        placeholder={placeholder}
        width={224}
        className={styles.search}
      />
      {filters.map(({ name, options, show }) => (
        <FilterMenu
          key={name}
          name={name}
          options={options}
          chosen={params[name] ?? []}
          onChange={(chosen) => filter(name, chosen)}
          {...(show ? { show } : {})}
        />
      ))}
      {only && (
        <Chip
          on
          className={styles.only}
          onClick={() => filter(only.param, [])}
          title={`Remove this filter: ${only.text}`}
        >
          <span className="cut">
            {only.title}: <Text>{only.text}</Text>
          </span>
          <X size={12} aria-hidden="true" />
        </Chip>
      )}
      {byCustomer && (
        <CustomerFilter
          names={byCustomer.names}
          chosen={params.customer?.[0]}
          onChange={(uid) => filter('customer', uid === undefined ? [] : [uid])}
        />
      )}
      <RangeFilter title="Date" params={['from', 'to']} kind="date" />
      {amountColumnOf(columns) && <RangeFilter title="Amount" params={['min', 'max']} kind="amount" />}
      {clear && <Button onClick={clear}>Clear filters</Button>}
      <span className="end row" data-tight>
        {actions}
      </span>
    </ScreenBar>
  )
}

interface ExportButtonProps<T extends RecordRow> extends Pick<ListScreenProps<T>, 'source' | 'columns'> {
  readonly shown: readonly T[]
  readonly unread: number
}

function ExportButton<T extends RecordRow>({ source, columns, shown, unread }: ExportButtonProps<T>) {
  const exportCsv = () => {
    const today = formatIsoDate(simulatedNow(useFeed.getState()))
    const lines = shown.map((row) => columns.map(({ text }) => text(row)))
    downloadFile(`${source.collection} ${today}.csv`, formatCsv([columns.map(({ id }) => id), ...lines]), 'text/csv')
  }
  return (
    <Button
      small
      bare
      aria-disabled={unread > 0}
      title={unread > 0 ? `${formatCount(unread)} are still loading.` : 'Export the rows shown as CSV'}
      onClick={() => unread === 0 && exportCsv()}
    >
      <Download size={12} strokeWidth={1.8} aria-hidden="true" />
      Export CSV
    </Button>
  )
}

function NoMatches({ one, clear }: { one: string; clear: () => void }) {
  return (
    <Caption as="p" className="data soft">
      No {one} matches the filters.
      <Button small onClick={clear}>
        Clear filters
      </Button>
    </Caption>
  )
}

interface EmptyListProps {
  readonly title: string
  readonly text: string
  /** The endpoint that creates one. */
  readonly endpoint: EndpointName
  /** Two to four ways to start, each a list item. */
  readonly children: React.ReactNode
}

/** Loaded on demand: only empty lists need the examples of the contract. */
const Example = lazy(async () => ({ default: (await import('./Example.tsx')).Example }))

export function EmptyList({ title, text: says, endpoint, children }: EmptyListProps) {
  return (
    <EmptyState
      title={title}
      text={says}
      example={
        <Suspense>
          <Example of={endpoint} />
        </Suspense>
      }
    >
      {children}
    </EmptyState>
  )
}
