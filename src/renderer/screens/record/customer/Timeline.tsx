import { BookText, ChevronDown, Circle, Clapperboard, Diamond, List, SkipForward } from 'lucide-react'
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { ExportBundle } from '../../../components/ExportBundle.tsx'
import { ButtonLink, ScreenLink } from '../../../components/ScreenLink.tsx'
import { markChanged, useFeed } from '../../../data/feed.ts'
import { useRoute } from '../../../data/route.ts'
import { useNow } from '../../../data/use-now.ts'
import { formatCount } from '../../../format/numbers.ts'
import { formatInstant, formatLongDay } from '../../../format/time.ts'
import { Button } from '../../../ui/Button.tsx'
import { Chip } from '../../../ui/Chip.tsx'
import { DataTable, type GroupRow } from '../../../ui/DataTable.tsx'
import { Caption, Footer, TableArea } from '../../../ui/Layout.tsx'
import { Menu, MenuItem } from '../../../ui/Menu.tsx'
import { Notice, Skeleton } from '../../../ui/Notice.tsx'
import { SearchField } from '../../../ui/SearchField.tsx'
import type { Fields } from '../use-record.ts'
import styles from './Timeline.module.css'
import { TimelineDetail } from './TimelineDetail.tsx'
import { columns, LaneKey } from './timeline-columns.tsx'
import { download, formats } from './timeline-export.ts'
import { filterRows, LANES, type Lane, type TimelineRow } from './timeline-rows.ts'
import type { TimelineData } from './use-timeline.ts'

const MAX_ENTRIES = 20_000
const idOf = ({ id }: TimelineRow) => id
const laneLabels: Readonly<Record<Lane, string>> = {
  request: 'Requests',
  state: 'States',
  money: 'Money',
  time: 'Clock',
}
const laneIcons = { request: List, state: Diamond, money: BookText, time: SkipForward } as const

interface TimelineProps {
  readonly uid: string
  readonly fields: Fields
  readonly gone: boolean
  readonly told: TimelineData
  readonly limit: number
  readonly setLimit: (limit: number) => void
  /** Beside the tabs, and of the screen bar. */
  readonly tools: HTMLElement | null
  readonly actions: HTMLElement | null
}

/** One stream of requests, states, money and jumps of the clock, the newest first. */
export function Timeline({ uid, fields, gone, told, limit, setLimit, tools, actions }: TimelineProps) {
  const { params, filter, go } = useRoute()
  useReadRefresh(uid)
  const { story, rows, counts } = told

  const hidden = params.without ?? []
  const lanes = useMemo(() => new Set(LANES.filter((lane) => !hidden.includes(lane))), [hidden])
  const reads = params.reads?.[0] === 'shown'
  const search = params.q?.[0] ?? ''
  const deferred = useDeferredValue(search)
  const shown = useMemo(() => filterRows(rows, { lanes, reads, text: deferred }), [rows, lanes, reads, deferred])
  const today = formatLongDay(useNow(60_000))
  const grouped = useMemo(() => groupByDay(shown, today), [shown, today])
  const [selected, setSelected] = useState<string | null>(null)
  const table = useRef<{ toTop(): void }>(null)

  const toggle = (lane: Lane) =>
    filter('without', hidden.includes(lane) ? hidden.filter((one) => one !== lane) : [...hidden, lane])
  const open = ({ entry }: TimelineRow) => {
    if (entry.exchange) go({ screen: 'requests', record: entry.exchange.uid })
    else if (entry.payment) go({ collection: 'transactions', record: entry.payment.uid })
    else if (entry.collection !== null && entry.uid !== null)
      go({ collection: entry.collection as 'customers', record: entry.uid })
  }
  const isFiltered = search !== '' || lanes.size < LANES.length
  const clear = () => {
    filter('q', [])
    filter('without', [])
  }
  const oldest = story?.entries.at(-1)
  const since = oldest && Math.max(0, (story?.entries.findLast(({ seq }) => seq !== null)?.seq ?? 1) - 1)
  const toolbar = (
    <div className={styles.filters}>
      <SearchField
        value={search}
        onChange={(q) => filter('q', q === '' ? [] : [q])}
        label="Search in this story"
        placeholder="in this story"
        width={140}
      />
      {LANES.map((lane) => {
        const Sign = laneIcons[lane]
        return (
          <Chip key={lane} pressed={lanes.has(lane)} onClick={() => toggle(lane)}>
            <Sign size={11} strokeWidth={1.8} aria-hidden="true" />
            {laneLabels[lane]} {formatCount(counts[lane])}
          </Chip>
        )
      })}
      <Chip pressed={reads} onClick={() => filter('reads', reads ? [] : ['shown'])}>
        Reads {reads ? 'shown' : 'hidden'} {formatCount(counts.reads)}
      </Chip>
    </div>
  )
  return (
    <div className={styles.timeline}>
      {tools && createPortal(toolbar, tools)}
      {actions &&
        createPortal(
          <>
            <ExportTimeline rows={shown} uid={uid} />
            <ButtonLink screen="scenarios" params={{ record: [String(since ?? 0)] }}>
              <Clapperboard size={12} strokeWidth={1.8} aria-hidden="true" />
              Save as scenario
            </ButtonLink>
            <ExportBundle label="Export bundle…" />
          </>,
          actions,
        )}
      {told.error !== undefined && !gone && (
        <Notice title="The story cannot be read; what you see is how it was." error={told.error} />
      )}
      <div className={styles.page}>
        <TableArea as="section" aria-label="Story">
          <DataTable
            ref={table}
            label="Story, newest first"
            columns={columns}
            rows={grouped}
            idOf={idOf}
            selected={selected}
            onSelect={(row) => setSelected(row.id)}
            onOpen={open}
            scrollKey={`story ${uid}`}
            minWidth={760}
            empty={
              !story ? (
                told.slow ? (
                  <Skeleton />
                ) : null
              ) : isFiltered ? (
                <Caption as="p" className="data soft">
                  Nothing in this story matches the filters.
                  <Button small onClick={clear}>
                    Clear filters
                  </Button>
                </Caption>
              ) : (
                <Caption as="p" className="data soft">
                  <span>
                    Nothing that is still kept has happened to this Customer.{' '}
                    <ScreenLink screen="inject">Inject a payment</ScreenLink>, or send a request.
                  </span>
                </Caption>
              )
            }
          />
          <Footer>
            <span>
              {formatCount(shown.length)} of {formatCount(rows.length)}
              {story?.more ? ' read so far' : ''}
            </span>
            <span className="row">
              <Circle size={9} fill="currentColor" aria-hidden="true" /> request
            </span>
            <span className="row">
              <Diamond size={9} fill="currentColor" aria-hidden="true" /> state
            </span>
            <span className="row">
              <LaneKey lane="money" /> money
            </span>
            <span className="row">
              <LaneKey lane="time" /> clock
            </span>
            {story?.more && limit < MAX_ENTRIES && (
              <Button small onClick={() => setLimit(Math.min(MAX_ENTRIES, limit * 4))}>
                Read older
              </Button>
            )}
            {oldest && (
              <span className="end" title={oldest.at}>
                since {formatInstant(Date.parse(oldest.at))}
              </span>
            )}
          </Footer>
        </TableArea>
        <TimelineDetail uid={uid} fields={fields} rows={story && rows} />
      </div>
    </div>
  )
}

/** A request that changed nothing is told of by no collection: when one names the Customer, the story is asked again. */
function useReadRefresh(uid: string) {
  const newest = useFeed((feed) => feed.exchanges.find(({ path }) => path.includes(uid))?.uid)
  const known = useRef(newest)
  useEffect(() => {
    if (known.current !== newest) markChanged('customers')
    known.current = newest
  }, [newest])
}

function groupByDay(rows: readonly TimelineRow[], today: string): (TimelineRow | GroupRow)[] {
  const out: (TimelineRow | GroupRow)[] = []
  let day = ''
  for (const row of rows) {
    const of = formatLongDay(Date.parse(row.entry.at))
    if (of !== day)
      out.push({
        group: `${of} ${row.id}`,
        title: (
          <>
            {of}
            {of === today && <span className="faint"> · today, by the simulated clock</span>}
          </>
        ),
      })
    day = of
    out.push(row)
  }
  return out
}

function ExportTimeline({ rows, uid }: { rows: readonly TimelineRow[]; uid: string }) {
  return (
    <Menu
      align="end"
      trigger={
        <Button>
          Export story
          <ChevronDown size={12} aria-hidden="true" />
        </Button>
      }
    >
      {Object.entries(formats).map(([name, { type, ending, write }]) => (
        <MenuItem key={name} onClick={() => download(`story-${uid}.${ending}`, type, write(rows))}>
          {name}
          <span className="meta">{formatCount(rows.length)} rows</span>
        </MenuItem>
      ))}
    </Menu>
  )
}
