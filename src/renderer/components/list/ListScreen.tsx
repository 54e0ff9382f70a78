import { Download, X } from 'lucide-react'
import { useCallback, useDeferredValue, useMemo, useRef, useState } from 'react'
import { showHidden } from '../../../api/contract/collection-names.ts'
import { type CollectionName, collections } from '../../data/collections.ts'
import { simulatedNow, useFeed } from '../../data/feed.ts'
import { useRecords } from '../../data/live-list.ts'
import { formatRoute, type Route, useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { saveFile } from '../../data/save-file.ts'
import { useProgram } from '../../data/use-program.ts'
import { formatCsv } from '../../format/csv.ts'
import { formatCount, formatIsoDate, plural } from '../../format/text.ts'
import { Button, Chip, CopyButton } from '../../ui/Button.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { Text } from '../../ui/Text.tsx'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { groupByDay } from './day-rows.ts'
import { CustomerFilter, FilterBar, RangeFilter } from './FilterBar.tsx'
import { DetailsButton, ListDetails, ListSplit, type OwnDetails, useDetails } from './ListDetails.tsx'
import styles from './ListScreen.module.css'
import { ListTable, NO_ROWS, NoMatches, useArrivals } from './ListTable.tsx'
import {
  bindColumn,
  type ListColumn,
  type ListContext,
  type ListRow,
  MIN_WIDTHS,
  pickParams,
  type RecordList,
  rangesOf,
  rowFilter,
  sourceOf,
} from './model.ts'
import { type Sort, sortRows, useTableTools } from './use-table-tools.ts'

interface ListScreenProps<T extends ListRow, C extends ListContext> {
  readonly list: RecordList<T, C>
  readonly empty?: React.ReactNode
  readonly actions?: React.ReactNode
  /** Shown between the bar and the list. */
  readonly above?: React.ReactNode
  /** What the pane of the selected record shows. */
  readonly own?: OwnDetails
}

const SHORT_LIST = 6
const createdAt = ({ created_at }: ListRow) => created_at
/** The last selection of each list, restored when the user comes back. */
const selections = new Map<string, string>()

/** The live list of a collection, newest first. Filtered and searched in the window; new rows do not move it. */
export function ListScreen<T extends ListRow, C extends ListContext>(props: ListScreenProps<T, C>) {
  const program_uid = useProgram()?.uid
  // Each list of each Program has a selection of its own.
  return <ProgramList key={`${props.list.collection} ${program_uid}`} {...props} program_uid={program_uid} />
}

function ProgramList<T extends ListRow, C extends ListContext>(
  props: ListScreenProps<T, C> & { readonly program_uid: string | undefined },
) {
  const { list, program_uid, own, empty = list.empty } = props
  const { collection, title } = list
  const { params, adjust, go } = useRoute()
  const view = useListView(list, program_uid)
  const { all, total, error, columns, only } = view
  const names = collections[collection]
  const tools = useTableTools(collection, columns)
  const { shown, filtered, found } = useFiltered(view, tools.sort)
  const isUnknown = only != null && only.uids === undefined
  const unread = found === undefined ? (total === undefined ? 0 : total - all.length) : found - shown.length
  // The sort order stays.
  const clear = () => adjust({ params: pickParams(params, ['program', 'sort']) })
  const arrivals = useArrivals()
  const inProgram = pickParams(params, ['program'])
  const place = formatRoute({ screen: null, collection, record: null, params })
  const [selected, setSelected] = useState<string | null>(() => selections.get(place) ?? null)
  const [marked, setMarked] = useState<ReadonlySet<string>>(NO_ROWS)
  const area = useRef<HTMLElement>(null)
  // A short list leaves room, which its first record gets until another one is selected.
  const detailed = selected ?? (!own && shown.length <= SHORT_LIST ? (shown[0]?.uid ?? null) : null)
  const details = useDetails(collection, area, detailed !== null, own !== undefined)
  const close = useCallback(() => {
    setSelected(null)
    selections.delete(place)
    area.current?.querySelector<HTMLElement>('[role=grid]')?.focus()
  }, [place])
  // No count is shown until it is known.
  const count =
    total === undefined
      ? ''
      : `${filtered ? `${formatCount(found ?? shown.length)} of ` : ''}${plural(total, names.one, names.many)}${
          all.length < total ? `, ${formatCount(all.length)} loaded` : ''
        }`
  return (
    <>
      <ListBar view={view} clear={filtered ? clear : undefined}>
        {props.actions ?? list.renderActions?.(selected)}
      </ListBar>
      {error !== undefined && (total === undefined || unread > 0) && (
        <Notice title={`${unread > 0 ? 'The other' : 'The'} ${names.many} could not be loaded.`} error={error}>
          They are loaded again as soon as the sandbox responds.
        </Notice>
      )}
      {props.above}
      <ListSplit details={details}>
        <ListTable
          title={title}
          columns={columns}
          tools={tools}
          arrivals={arrivals}
          all={all}
          shown={shown}
          selected={selected}
          marked={marked}
          count={count}
          list={collection}
          isDense
          group={groupByCreation}
          loadingCount={filtered && found === undefined ? 0 : unread}
          width={details.listWidth}
          onSelect={({ uid }) => {
            setSelected(uid)
            selections.set(place, uid)
          }}
          onOpen={({ uid }) => go({ collection, record: uid })}
          onMark={setMarked}
          addressOf={({ uid }) => formatRoute({ screen: null, collection, record: uid, params: inProgram })}
          scrollKey={place}
          order="newest first"
          note={selected !== null && <CopyButton text={selected} what={`uid ${selected}`} label="Copy uid" small />}
          empty={
            total === undefined || isUnknown ? (
              <Skeleton />
            ) : filtered ? (
              <NoMatches one={names.one} clear={clear} />
            ) : (
              empty
            )
          }
        >
          <ExportButton collection={collection} columns={columns} shown={shown} unread={unread} />
          {!own && <DetailsButton details={details} />}
        </ListTable>
        {detailed !== null && (
          <ListDetails
            details={details}
            collection={collection}
            uid={detailed}
            isListed={shown.some(({ uid }) => uid === detailed)}
            own={own}
            {...(own ? { close } : {})}
          />
        )}
      </ListSplit>
    </>
  )
}

const groupByCreation = <T extends ListRow>(rows: readonly T[]) => groupByDay(rows, createdAt)

/** The records of a list, and its columns and filters bound to what they need. */
function useListView<T extends ListRow, C extends ListContext>(
  list: RecordList<T, C>,
  program_uid: string | undefined,
) {
  const source = useMemo(() => sourceOf(list), [list])
  const records = useRecords(source, program_uid)
  const context = list.useContext(program_uid, records)
  const only = list.useOnly?.(program_uid, records, context) ?? null
  const roomy = useIsWide(MIN_WIDTHS.roomy)
  const wide = useIsWide(MIN_WIDTHS.wide)
  const bound = useMemo(() => {
    const { searchTexts, customersOf } = list
    return {
      columns: list.columns.map((column) => bindColumn(column, context, { roomy, wide })),
      filters: list.filters.map(({ of, ...filter }) => ({ ...filter, of: (row: T) => of(row, context) })),
      searchTexts: searchTexts && ((row: T) => searchTexts(row, context)),
      customersOf: customersOf && ((row: T) => customersOf(row, context)),
    }
  }, [list, context, roomy, wide])
  const { rows: all, total, error } = records
  const { title, placeholder } = list
  return { ...bound, title, placeholder, source, program_uid, all, total, error, only, names: context.names }
}

type ListView<T extends ListRow> = ReturnType<typeof useListView<T, ListContext>>

/** The column that the amount range of a list applies to. */
const amountColumnOf = <T,>(columns: readonly ListColumn<T>[]) =>
  columns.find(({ right, largestFirst }) => right && largestFirst)

/**
 * The rows that the address asks for, in its order. Until all records are read, the sandbox itself sorts and finds them, and `found`
 * is the number that it found.
 */
function useFiltered<T extends ListRow>(view: ListView<T>, sort: Sort | undefined) {
  const { all, total, filters, columns, searchTexts, customersOf, only } = view
  const uids = only ? (only.uids ?? NO_ROWS) : undefined
  const wanted = useDeferredValue(useRoute(({ params }) => params))
  const test = useMemo(() => {
    const ranges = { time: createdAt, amount: amountColumnOf(columns) }
    return rowFilter(wanted, filters, columns, { searchTexts, customersOf, uids, ranges })
  }, [wanted, filters, columns, searchTexts, customersOf, uids])
  const question = total === undefined || all.length >= total ? null : questionFor(wanted, sort, view)
  const answer = useQuery('records.list', question, [view.source.collection]).data
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
function questionFor<T extends ListRow>(
  params: Route['params'],
  sort: Sort | undefined,
  { source, program_uid, filters, columns, only }: ListView<T>,
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

interface ListBarProps<T extends ListRow> {
  readonly view: ListView<T>
  /** Undefined while nothing is filtered. */
  readonly clear: (() => void) | undefined
  readonly children: React.ReactNode
}

/** Title, search, filters, actions. */
function ListBar<T extends ListRow>({ view, clear, children }: ListBarProps<T>) {
  const { title, placeholder, columns, filters, names, only } = view
  const { params, filter } = useRoute()
  return (
    <FilterBar
      title={title}
      filters={filters}
      clear={clear}
      className={styles.bar}
      search={{ label: `Search ${title}`, placeholder, width: 224, className: styles.search }}
      actions={children}
    >
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
      {names && (
        <CustomerFilter
          names={names}
          chosen={params.customer?.[0]}
          onChange={(uid) => filter('customer', uid === undefined ? [] : [uid])}
        />
      )}
      <RangeFilter title="Date" params={['from', 'to']} kind="date" />
      {amountColumnOf(columns) && <RangeFilter title="Amount" params={['min', 'max']} kind="amount" />}
    </FilterBar>
  )
}

interface ExportButtonProps<T> {
  readonly collection: CollectionName
  readonly columns: readonly ListColumn<T>[]
  readonly shown: readonly T[]
  readonly unread: number
}

function ExportButton<T>({ collection, columns, shown, unread }: ExportButtonProps<T>) {
  const exportCsv = () => {
    const today = formatIsoDate(simulatedNow(useFeed.getState()))
    const lines = shown.map((row) => columns.map(({ text }) => text(row)))
    void saveFile(`${collection} ${today}.csv`, formatCsv([columns.map(({ id }) => id), ...lines]), 'text/csv')
  }
  return (
    <Button
      icon={Download}
      small
      bare
      whyNot={unread > 0 ? `${formatCount(unread)} are still loading.` : undefined}
      title="Export the rows shown as CSV"
      onClick={exportCsv}
    >
      Export CSV
    </Button>
  )
}
