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
import { CopyButton } from '../../ui/CopyButton.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { downloadFile } from '../../ui/download.ts'
import { FilterMenu } from '../../ui/FilterMenu.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { CustomerFilter } from './CustomerFilter.tsx'
import { groupByDay } from './day-rows.ts'
import { type Col, type Filter, rowFilter, tableColumns } from './kind.tsx'
import './list.css'

interface ListScreenProps<T extends RecordRow> {
  readonly source: ListSource<T>
  readonly program_uid: string | undefined
  readonly title: string
  /** What the search looks through, for whoever wonders. */
  readonly placeholder: string
  readonly cols: readonly Col<T>[]
  /** What is searched besides what is shown. */
  readonly found?: (row: T) => readonly (string | null | undefined)[]
  readonly at: (row: T) => string
  readonly filters: readonly Filter<T>[]
  /** Where the list can be narrowed to a Customer. */
  readonly byCustomer?: { readonly names: PartyNames; of(row: T): readonly (string | undefined)[] }
  readonly least: number
  /** When there is no record at all: what they are, how to make one, an example. */
  readonly empty: React.ReactNode
  readonly actions?: React.ReactNode
  readonly onSelect?: (uid: string) => void
}

const idOf = ({ uid }: RecordRow) => uid
/** What was selected when a list was last looked at: it is there again when one comes back. */
const selections = new Map<string, string>()
const NO_ROWS: ReadonlySet<string> = new Set()

/** One collection, live: newest first, filtered and searched in the window, its place kept whatever arrives. */
/** What was chosen belongs to the Program that it was chosen in. */
export const ListScreen = <T extends RecordRow>(props: ListScreenProps<T>) => (
  <InProgram key={props.program_uid} {...props} />
)

function InProgram<T extends RecordRow>(props: ListScreenProps<T>) {
  const {
    source,
    program_uid,
    title,
    placeholder,
    cols,
    found,
    at,
    filters,
    byCustomer,
    least,
    empty,
    actions,
    onSelect,
  } = props
  const { params, filter, adjust, go } = useRoute()
  const { rows: all, total, error } = useRecords(source, program_uid)
  const words = collections[source.collection]
  const columns = useMemo(() => tableColumns(cols), [cols])

  const wanted = useDeferredValue(params)
  const customersOf = byCustomer?.of
  const test = useMemo(
    () => rowFilter(wanted, filters, cols, { found, customersOf }),
    [wanted, filters, cols, found, customersOf],
  )
  const shown = useMemo(() => (test ? all.filter(test) : all), [all, test])
  const filtered = test !== undefined

  // Away from the top nothing may push the rows that are being read: newer ones wait above and are counted.
  const [newest, setNewest] = useState<string | null>(null)
  const table = useRef<{ toTop(): void }>(null)
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
  const rows = useMemo(() => groupByDay(waiting > 0 ? shown.slice(waiting) : shown, at), [shown, waiting, at])
  const follow = () => {
    setNewest(null)
    table.current?.toTop()
  }

  const place = formatRoute({ screen: null, collection: source.collection, record: null, params })
  const [selected, setSelected] = useState<string | null>(() => selections.get(place) ?? null)
  const [marked, setMarked] = useState<ReadonlySet<string>>(NO_ROWS)
  const clear = () => adjust({ params: params.program ? { program: params.program } : {} })
  const unread = total === undefined ? 0 : total - all.length
  const write = () => {
    const today = formatIsoDate(simulatedNow(useFeed.getState()))
    const lines = shown.map((row) => cols.map(({ text }) => text(row)))
    downloadFile(`${source.collection} ${today}.csv`, formatCsv([cols.map(({ id }) => id), ...lines]), 'text/csv')
  }
  return (
    <>
      <div className="bar listbar">
        <h1>{title}</h1>
        <SearchField
          value={params.q?.[0] ?? ''}
          onChange={(q) => filter('q', q === '' ? [] : [q])}
          label={`Search ${title}`}
          placeholder={placeholder}
          width={224}
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
        {filtered && (
          <button type="button" className="btn" onClick={clear}>
            Clear filters
          </button>
        )}
        <span className="end row" data-tight>
          <button
            type="button"
            className="btn"
            aria-disabled={unread > 0}
            title={
              unread > 0
                ? `${formatCount(unread)} are still being read.`
                : 'What is seen, as a table for other programs'
            }
            onClick={() => unread === 0 && write()}
          >
            <Download size={12} strokeWidth={1.8} aria-hidden="true" />
            Export CSV
          </button>
          {actions}
        </span>
      </div>
      {error !== undefined && (total === undefined || unread > 0) && (
        <Notice title={`${unread > 0 ? 'The rest of the' : 'The'} ${words.many} could not be read.`} error={error}>
          They are asked for again as soon as the sandbox answers.
        </Notice>
      )}
      <section className="table listtable" aria-label={title}>
        <DataTable
          ref={table}
          label={`${title}, newest first`}
          columns={columns}
          rows={rows}
          unread={filtered ? 0 : unread}
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
          onTop={(top) => setNewest((was) => (top ? null : (was ?? shown[0]?.uid ?? null)))}
          place={place}
          least={least}
          empty={total === undefined ? <Skeleton /> : filtered ? <NoHits one={words.one} clear={clear} /> : empty}
        />
        <div className="foot">
          <span>
            {/* Until they are counted they are not said to be none. */}
            {total !== undefined && (filtered ? `${formatCount(shown.length)} of ` : '')}
            {total !== undefined && plural(total, words.one, words.many)}
            {unread > 0 ? `, ${formatCount(all.length)} read` : ''}
          </span>
          {marked.size > 0 ? (
            <span className="row live" role="status">
              {formatCount(marked.size)} chosen
              <CopyButton text={() => [...marked].join('\n')} what="uids" label="Copy uids" small />
              <button type="button" className="btn" data-small data-bare onClick={() => setMarked(NO_ROWS)}>
                Clear
              </button>
            </span>
          ) : (
            selected !== null && <CopyButton text={selected} what={`uid ${selected}`} label="Copy uid" small />
          )}
          {waiting > 0 ? (
            <button type="button" className="btn end" data-small onClick={follow}>
              {formatCount(waiting)} new, show
            </button>
          ) : (
            <span className="end">newest first</span>
          )}
        </div>
      </section>
    </>
  )
}

function NoHits({ one, clear }: { one: string; clear: () => void }) {
  return (
    <p className="cap data soft">
      No {one} fits the filters.
      <button type="button" className="btn" data-small onClick={clear}>
        Clear filters
      </button>
    </p>
  )
}

interface EmptyListProps {
  readonly title: string
  readonly says: string
  /** What makes the first one. */
  readonly endpoint: EndpointName
  /** Two to four ways to begin, each a list item. */
  readonly children: React.ReactNode
}

/** Few lists are empty: what knows the contract's examples comes with the first that is. */
const Example = lazy(async () => ({ default: (await import('./Example.tsx')).Example }))

export function EmptyList({ title, says, endpoint, children }: EmptyListProps) {
  return (
    <div className="empty">
      <div>
        <h2>{title}</h2>
        <p>{says}</p>
        <ul>{children}</ul>
      </div>
      <div>
        <Suspense>
          <Example of={endpoint} />
        </Suspense>
      </div>
    </div>
  )
}
