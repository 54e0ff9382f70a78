import { ChevronDown, Clapperboard } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { ExportBundle } from '../../../components/ExportBundle.tsx'
import { Fork } from '../../../components/Fork.tsx'
import type { Fields } from '../../../components/fields/use-record.ts'
import { createDayTracker } from '../../../components/list/day-rows.ts'
import { ButtonLink, ScreenLink } from '../../../components/ScreenLink.tsx'
import { markChanged, useFeed, useNow } from '../../../data/feed.ts'
import { type Route, useRoute } from '../../../data/route.ts'
import { saveFile } from '../../../data/save-file.ts'
import { formatCsv } from '../../../format/csv.ts'
import { formatCount, formatInstant, formatLongDay } from '../../../format/text.ts'
import { Button, Chip } from '../../../ui/Button.tsx'
import { DataTable, type GroupRow } from '../../../ui/DataTable.tsx'
import { SearchField } from '../../../ui/Field.tsx'
import { Caption, Column, Footer, Row, Splitter, TableArea, usePaneSize } from '../../../ui/Layout.tsx'
import { Menu, MenuItem } from '../../../ui/Menu.tsx'
import { Notice, Skeleton } from '../../../ui/Notice.tsx'
import styles from './Timeline.module.css'
import { TimelineDetail } from './TimelineDetail.tsx'
import { fitColumns, LaneKey, lanes as laneRows } from './timeline-columns.tsx'
import { filterRows, LANES, type Lane, type TimelineData, type TimelineRow, targetOf } from './timeline-rows.ts'

const MAX_ENTRIES = 20_000
const idOf = ({ id }: TimelineRow) => id

interface TimelineProps {
  readonly uid: string
  readonly fields: Fields
  readonly isGone: boolean
  readonly timeline: TimelineData
  readonly limit: number
  readonly setLimit: (limit: number) => void
  /** The elements next to the tabs and in the screen bar that show the filters and the actions. */
  readonly tools: HTMLElement | null
  readonly actions: HTMLElement | null
}

/** Requests, state changes, money and clock changes of a Customer, newest first. */
export function Timeline({ uid, fields, isGone, timeline, limit, setLimit, tools, actions }: TimelineProps) {
  const { params, filter, go } = useRoute()
  const detail = usePaneSize('timeline', '--detail')
  useReadRefresh(uid)
  const { loaded, rows, counts } = timeline

  const { hidden, reads, search } = filtersIn(params)
  const lanes = useMemo(() => new Set(LANES.filter((lane) => !hidden.includes(lane))), [hidden])
  const deferred = useDeferredValue(search)
  const shown = useMemo(() => filterRows(rows, { lanes, reads, text: deferred }), [rows, lanes, reads, deferred])
  const today = formatLongDay(useNow(60_000))
  const columns = useMemo(() => fitColumns(shown), [shown])
  const grouped = useMemo(() => groupByDay(shown, today), [shown, today])
  const [selected, setSelected] = useState<string | null>(null)

  const open = ({ entry }: TimelineRow) => {
    const target = targetOf(entry)
    if (target) go(target)
  }
  const isFiltered = search !== '' || lanes.size < LANES.length
  const clear = () => {
    filter('q', [])
    filter('without', [])
  }
  const oldest = loaded?.entries.at(-1)
  const firstSeq = oldest && Math.max(0, (loaded?.entries.findLast(({ seq }) => seq !== null)?.seq ?? 1) - 1)
  return (
    <Column grow>
      {tools && createPortal(<TimelineFilters counts={counts} />, tools)}
      {actions &&
        createPortal(
          <>
            <ExportTimeline rows={shown} uid={uid} />
            <ButtonLink icon={Clapperboard} screen="scenarios" params={{ record: [String(firstSeq ?? 0)] }}>
              Save as scenario
            </ButtonLink>
            <ExportBundle label="Export bundle…" />
          </>,
          actions,
        )}
      {timeline.error !== undefined && !isGone && (
        <Notice title="The timeline could not be updated. It shows an earlier state." error={timeline.error} />
      )}
      <div className={styles.page} style={detail.style}>
        <TableArea as="section" aria-label="Timeline">
          <DataTable
            label="Timeline, newest first"
            columns={columns}
            rows={grouped}
            idOf={idOf}
            selected={selected}
            onSelect={(row) => setSelected(row.id)}
            onOpen={open}
            scrollKey={`timeline ${uid}`}
            minWidth={760}
            empty={
              !loaded ? (
                timeline.slow ? (
                  <Skeleton />
                ) : null
              ) : isFiltered ? (
                <Caption as="p" className="data soft">
                  No entry matches the filters.
                  <Button small onClick={clear}>
                    Clear filters
                  </Button>
                </Caption>
              ) : (
                <Caption as="p" className="data soft">
                  <span>
                    There are no entries for this Customer in the stored history.{' '}
                    <ScreenLink screen="inject">Inject a payment</ScreenLink>, or send a request.
                  </span>
                </Caption>
              )
            }
          />
          <TimelineFooter
            shown={shown.length}
            selected={shown.find(({ id }) => id === selected)}
            timeline={timeline}
            limit={limit}
            setLimit={setLimit}
          />
        </TableArea>
        <Splitter label="Width of the details" sizes="after" onResize={detail.onResize} />
        <TimelineDetail uid={uid} fields={fields} rows={loaded && rows} />
      </div>
    </Column>
  )
}

const NOTHING: readonly string[] = []

/** What the address hides and seeks. */
const filtersIn = ({ without = NOTHING, reads, q }: Route['params']) => ({
  hidden: without,
  reads: reads?.[0] === 'shown',
  search: q?.[0] ?? '',
})

function TimelineFilters({ counts }: Pick<TimelineData, 'counts'>) {
  const { params, filter } = useRoute()
  const { hidden, reads, search } = filtersIn(params)
  const toggle = (lane: Lane) =>
    filter('without', hidden.includes(lane) ? hidden.filter((one) => one !== lane) : [...hidden, lane])
  return (
    <Row wraps gap="6 8">
      <SearchField
        value={search}
        onChange={(q) => filter('q', q === '' ? [] : [q])}
        label="Search the timeline"
        placeholder="Search"
        width={140}
      />
      {LANES.map((lane) => {
        const { Icon, label } = laneRows[lane]
        return (
          <Chip key={lane} pressed={!hidden.includes(lane)} onClick={() => toggle(lane)}>
            <Icon size={11} strokeWidth={1.8} aria-hidden="true" />
            {label} {formatCount(counts[lane])}
          </Chip>
        )
      })}
      <Chip pressed={reads} onClick={() => filter('reads', reads ? [] : ['shown'])}>
        Reads {reads ? 'shown' : 'hidden'} {formatCount(counts.reads)}
      </Chip>
    </Row>
  )
}

interface TimelineFooterProps extends Pick<TimelineProps, 'timeline' | 'limit' | 'setLimit'> {
  /** The number of rows that match the filters. */
  readonly shown: number
  readonly selected: TimelineRow | undefined
}

function TimelineFooter({ shown, selected, timeline: { loaded, rows }, limit, setLimit }: TimelineFooterProps) {
  const oldest = loaded?.entries.at(-1)
  const commit = selected?.entry.seq
  return (
    <Footer>
      <span>
        {formatCount(shown)} of {formatCount(rows.length)}
        {loaded?.more ? ' loaded' : ''}
      </span>
      {LANES.map((lane) => (
        <span key={lane} className="row">
          <LaneKey lane={lane} /> {laneRows[lane].name}
        </span>
      ))}
      {typeof commit === 'number' && <Fork commit={commit} />}
      {loaded?.more && limit < MAX_ENTRIES && (
        <Button small onClick={() => setLimit(Math.min(MAX_ENTRIES, limit * 4))}>
          Load older
        </Button>
      )}
      {oldest && (
        <span className="end" title={oldest.at}>
          since {formatInstant(Date.parse(oldest.at))}
        </span>
      )}
    </Footer>
  )
}

/** Reloads the timeline after a request that only read the Customer: such a request changes no collection. */
function useReadRefresh(uid: string) {
  const newest = useFeed((feed) => feed.exchanges.find(({ path }) => path.includes(uid))?.uid)
  const known = useRef(newest)
  useEffect(() => {
    if (known.current !== newest) markChanged('customers')
    known.current = newest
  }, [newest])
}

function groupByDay(rows: readonly TimelineRow[], today: string): (TimelineRow | GroupRow)[] {
  const newDay = createDayTracker()
  return rows.flatMap((row) => {
    const day = newDay(row.entry.at)
    if (day === undefined) return [row]
    const title = (
      <>
        {day}
        {day === today && <span className="faint"> · today (simulated)</span>}
      </>
    )
    return [{ group: `${day} ${row.id}`, title }, row]
  })
}

function ExportTimeline({ rows, uid }: { rows: readonly TimelineRow[]; uid: string }) {
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          Export timeline
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      }
    >
      {Object.entries(formats).map(([name, { type, ending, write }]) => (
        <MenuItem key={name} onClick={() => void saveFile(`timeline-${uid}.${ending}`, write(rows), type)}>
          {name}
          <span className="meta">{formatCount(rows.length)} rows</span>
        </MenuItem>
      ))}
    </Menu>
  )
}

/** Writes the shown rows of the timeline as a file, in the same order. */

const CSV_HEADERS = 'at,seq,lane,what,detail,amount,pending,balance,collection,uid,request'.split(',')

const asCsv = (rows: readonly TimelineRow[]): string =>
  formatCsv([
    CSV_HEADERS,
    ...rows.map(({ lane, entry, created, amount, pending, balance }) => [
      ...[entry.at, entry.seq, lane, entry.text, created.map(({ text }) => text).join('; ')],
      ...[amount, amount === null ? null : String(pending), balance],
      ...[entry.collection, entry.uid, entry.cause?.exchange],
    ]),
  ])

function asJson(rows: readonly TimelineRow[]): string {
  return `${JSON.stringify(
    rows.map(({ lane, entry, created }) => ({ lane, ...entry, made: created })),
    null,
    2,
  )}\n`
}

function asText(rows: readonly TimelineRow[]): string {
  return rows
    .map(({ lane, entry, created, amount, balance, pending }) =>
      [
        entry.at,
        lane.padEnd(7),
        entry.text.replaceAll(/\s+/g, ' '),
        ...(created.length > 0 ? [`(${created.map(({ text }) => text).join('; ')})`] : []),
        ...(amount === null ? [] : [`${amount}${pending ? ' pending' : ''}`]),
        ...(balance === null ? [] : [`balance ${balance}`]),
      ].join('  '),
    )
    .map((line) => `${line}\n`)
    .join('')
}

export const formats = {
  CSV: { type: 'text/csv', ending: 'csv', write: asCsv },
  JSON: { type: 'application/json', ending: 'json', write: asJson },
  text: { type: 'text/plain', ending: 'txt', write: asText },
} as const
