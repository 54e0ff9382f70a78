import { Download } from 'lucide-react'
import { lazy, Suspense, useDeferredValue, useMemo, useRef, useState } from 'react'
import type { EndpointName } from '../../../api/contract/endpoints.ts'
import { collections } from '../../data/collections.ts'
import { simulatedNow, useFeed } from '../../data/feed.ts'
import { type ListSource, type RecordRow, useRecords } from '../../data/live-list.ts'
import type { PartyNames } from '../../data/names.ts'
import { formatRoute, useRoute } from '../../data/route.ts'
import { formatCsv } from '../../format/csv.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatIsoDate } from '../../format/time.ts'
import { Button } from '../../ui/Button.tsx'
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { downloadFile } from '../../ui/download.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { FilterMenu } from '../../ui/FilterMenu.tsx'
import { Caption, Footer, ScreenBar, TableArea } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { CustomerFilter } from './CustomerFilter.tsx'
import { groupByDay } from './day-rows.ts'
import styles from './ListScreen.module.css'
import { type Filter, type ListColumn, rowFilter } from './model.ts'

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
  /** For lists that can be filtered by Customer. */
  readonly byCustomer?: { readonly names: PartyNames; of(row: T): readonly (string | undefined)[] }
  readonly minWidth: number
  /** Shown if there are no records: what they are, how to create one, an example. */
  readonly empty: React.ReactNode
  readonly actions?: React.ReactNode
  readonly onSelect?: (uid: string) => void
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
  const { source, program_uid, title, columns, timeOf: at, minWidth: least, empty, onSelect } = props
  const { params, adjust, go } = useRoute()
  const { rows: all, total, error } = useRecords(source, program_uid)
  const names = collections[source.collection]
  const visible = useMemo(() => columns.filter(({ hidden }) => !hidden), [columns])
  const { shown, filtered } = useFiltered(all, props)
  const clear = () => adjust({ params: params.program ? { program: params.program } : {} })

  const table = useRef<{ toTop(): void }>(null)
  const { settled, waiting, onTop, follow } = useArrivals(shown)
  const rows = useMemo(() => groupByDay(settled, at), [settled, at])
  const place = formatRoute({ screen: null, collection: source.collection, record: null, params })
  const [selected, setSelected] = useState<string | null>(() => selections.get(place) ?? null)
  const [marked, setMarked] = useState<ReadonlySet<string>>(NO_ROWS)
  const unread = total === undefined ? 0 : total - all.length
  return (
    <>
      <ListBar {...props} shown={shown} unread={unread} clear={filtered ? clear : undefined} />
      {error !== undefined && (total === undefined || unread > 0) && (
        <Notice title={`${unread > 0 ? 'The other' : 'The'} ${names.many} could not be loaded.`} error={error}>
          They are loaded again as soon as the sandbox responds.
        </Notice>
      )}
      <TableArea as="section" className={styles.table} aria-label={title}>
        <DataTable
          ref={table}
          label={`${title}, newest first`}
          columns={visible}
          rows={rows}
          loadingCount={filtered ? 0 : unread}
          idOf={idOf}
          selected={selected}
          onSelect={({ uid }) => {
            setSelected(uid)
            selections.set(place, uid)
            onSelect?.(uid)
          }}
          onOpen={({ uid }) => go({ collection: source.collection, record: uid })}
          marked={marked}
          onMark={setMarked}
          onTopChange={onTop}
          scrollKey={place}
          minWidth={least}
          empty={total === undefined ? <Skeleton /> : filtered ? <NoMatches one={names.one} clear={clear} /> : empty}
        />
        <Footer>
          <span>
            {/* No count is shown until it is known. */}
            {total !== undefined && (filtered ? `${formatCount(shown.length)} of ` : '')}
            {total !== undefined && plural(total, names.one, names.many)}
            {unread > 0 ? `, ${formatCount(all.length)} loaded` : ''}
          </span>
          {marked.size > 0 ? (
            <span className="row live" role="status">
              {formatCount(marked.size)} chosen
              <CopyButton text={() => [...marked].join('\n')} what="uids" label="Copy uids" small />
              <Button small bare onClick={() => setMarked(NO_ROWS)}>
                Clear
              </Button>
            </span>
          ) : (
            selected !== null && <CopyButton text={selected} what={`uid ${selected}`} label="Copy uid" small />
          )}
          {waiting > 0 ? (
            <Button
              className="end"
              small
              onClick={() => {
                follow()
                table.current?.toTop()
              }}
            >
              {formatCount(waiting)} new, show
            </Button>
          ) : (
            <span className="end">newest first</span>
          )}
        </Footer>
      </TableArea>
    </>
  )
}

/** The rows that the address asks for. */
function useFiltered<T extends RecordRow>(
  all: readonly T[],
  { filters, columns, searchTexts: found, byCustomer }: ListScreenProps<T>,
) {
  const wanted = useDeferredValue(useRoute(({ params }) => params))
  const customersOf = byCustomer?.of
  const test = useMemo(
    () => rowFilter(wanted, filters, columns, { searchTexts: found, customersOf }),
    [wanted, filters, columns, found, customersOf],
  )
  return { shown: useMemo(() => (test ? all.filter(test) : all), [all, test]), filtered: test !== undefined }
}

/** While the user has scrolled down, new rows are only counted, so that the visible rows do not move. */
function useArrivals<T extends RecordRow>(shown: readonly T[]) {
  /** The first row when the user scrolled down. */
  const [newest, setNewest] = useState<string | null>(null)
  const waiting = useMemo(
    () =>
      newest === null
        ? 0
        : Math.max(
            0,
            shown.findIndex(({ uid }) => uid === newest),
          ),
    [shown, newest],
  )
  return {
    settled: useMemo(() => (waiting > 0 ? shown.slice(waiting) : shown), [shown, waiting]),
    waiting,
    onTop: (isTop: boolean) => setNewest((was) => (isTop ? null : (was ?? shown[0]?.uid ?? null))),
    follow: () => setNewest(null),
  }
}

interface ListBarProps<T extends RecordRow> extends ListScreenProps<T> {
  readonly shown: readonly T[]
  readonly unread: number
  /** Undefined while nothing is filtered. */
  readonly clear: (() => void) | undefined
}

/** Title, search, filters, export. */
function ListBar<T extends RecordRow>(props: ListBarProps<T>) {
  const { source, title, placeholder, columns, filters, byCustomer, actions, shown, unread, clear } = props
  const { params, filter } = useRoute()
  const exportCsv = () => {
    const today = formatIsoDate(simulatedNow(useFeed.getState()))
    const lines = shown.map((row) => columns.map(({ text }) => text(row)))
    downloadFile(`${source.collection} ${today}.csv`, formatCsv([columns.map(({ id }) => id), ...lines]), 'text/csv')
  }
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
      {byCustomer && (
        <CustomerFilter
          names={byCustomer.names}
          chosen={params.customer?.[0]}
          onChange={(uid) => filter('customer', uid === undefined ? [] : [uid])}
        />
      )}
      {clear && <Button onClick={clear}>Clear filters</Button>}
      <span className="end row" data-tight>
        <Button
          aria-disabled={unread > 0}
          title={unread > 0 ? `${formatCount(unread)} are still loading.` : 'Export the rows shown as CSV'}
          onClick={() => unread === 0 && exportCsv()}
        >
          <Download size={12} strokeWidth={1.8} aria-hidden="true" />
          Export CSV
        </Button>
        {actions}
      </span>
    </ScreenBar>
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
