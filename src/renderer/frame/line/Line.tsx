import { ChevronDown, ChevronUp, Minus, Plus } from 'lucide-react'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { useFeed, useNow } from '../../data/feed.ts'
import {
  FOLDED_PX,
  type LinePane,
  linePaneNames,
  linePanes,
  openLine,
  openLineAt,
  resizeLine,
  useLine,
} from '../../data/line.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/sandbox.ts'
import { useWorlds } from '../../data/worlds.ts'
import { formatCount, newYork, startOfDay } from '../../format/text.ts'
import { Button, ButtonGroup, PlainButton } from '../../ui/Button.tsx'
import { Row } from '../../ui/Layout.tsx'
import { Skeleton } from '../../ui/Notice.tsx'
import { TabPanes } from '../../ui/Tabs.tsx'
import styles from './Line.module.css'
import { Plot } from './Plot.tsx'
import { LEAST_SPAN, MOST_SPAN, zooms } from './scale.ts'

const loaders = {
  month: async () => ({ default: (await import('./Month.tsx')).Month }),
  tasks: async () => ({ default: (await import('./Tasks.tsx')).Tasks }),
  operations: async () => ({ default: (await import('./Operations.tsx')).Operations }),
  snapshots: async () => ({ default: (await import('./Snapshots.tsx')).Snapshots }),
  worlds: async () => ({ default: (await import('./Worlds.tsx')).Worlds }),
}
const panes = {
  month: lazy(loaders.month),
  tasks: lazy(loaders.tasks),
  operations: lazy(loaders.operations),
  snapshots: lazy(loaders.snapshots),
  worlds: lazy(loaders.worlds),
}

/** While nothing else is to be done: without a connection nothing can be loaded. */
const loadPanes = () =>
  void Promise.all([...Object.values(loaders).map((load) => load()), import('./CustomAdvance.tsx')]).catch(() => {})

/** The borders of the line, and the bar above its panes. */
const BORDERS_PX = 2
const BAR_PX = 32
const IDLE_MS = 1_500

export function Line() {
  const { height, pane } = useLine()
  const isKnown = useFeed((feed) => feed.clock !== null)
  useAddress()
  useEffect(() => {
    const timer = setTimeout(loadPanes, IDLE_MS)
    return () => clearTimeout(timer)
  }, [])
  if (!isKnown) return null
  if (height === FOLDED_PX)
    return (
      <Row grow align="stretch">
        <Due />
        <Plot height={height - BORDERS_PX} isFolded />
        <Button
          icon={ChevronDown}
          bare
          className={styles.fold}
          aria-label="Unfold the line of time"
          aria-expanded={false}
          title="Unfold the line of time (g t)"
          onClick={() => resizeLine()}
        />
      </Row>
    )
  return (
    <TabPanes
      label="Line of time"
      value={pane}
      onChange={(to) => useLine.setState({ pane: to, commit: null })}
      panes={linePaneNames.map((name) => ({
        value: name,
        label: (
          <>
            {linePanes[name].tab} <Count of={name} />
          </>
        ),
        content:
          name === 'line' ? (
            <>
              <Plot height={height - BORDERS_PX - BAR_PX} isFolded={false} />
              <FocusIfAsked pane={name} />
            </>
          ) : (
            <Suspense fallback={<Skeleton rows={4} />}>
              <Pane name={name} />
              <FocusIfAsked pane={name} />
            </Suspense>
          ),
      }))}
    >
      <span className={styles.tools}>
        {(pane === 'line' || pane === 'month') && <Moved />}
        {pane === 'line' && <Zoom />}
        <Button
          icon={ChevronUp}
          bare
          aria-label="Fold the line of time"
          aria-expanded
          title="Fold the line of time"
          onClick={() => resizeLine()}
        />
      </span>
    </TabPanes>
  )
}

function Pane({ name }: { name: keyof typeof panes }) {
  const Shown = panes[name]
  return <Shown />
}

/** Focuses what the keys of a pane are for, as soon as it is shown. */
function FocusIfAsked({ pane }: { pane: LinePane }) {
  const isAsked = useLine((line) => line.isAsked && line.pane === pane)
  const here = useRef<HTMLSpanElement>(null)
  useEffect(() => {
    if (!isAsked) return
    useLine.setState({ isAsked: false })
    const panel = here.current?.closest('[role=tabpanel]')
    const shown =
      panel?.querySelector<HTMLElement>('[data-cursor]') ??
      panel?.querySelector<HTMLElement>('[role=slider], [role=grid]')
    ;(shown ?? document.querySelector<HTMLElement>('[data-line] [role=tab][aria-selected=true]'))?.focus()
  }, [isAsked])
  return <span ref={here} hidden />
}

/** A link to a pane names it in its address: it opens the pane, and the address is as before. */
function useAddress() {
  const pane = useRoute(({ params }) => params.line?.[0])
  const commit = useRoute(({ params }) => params.commit?.[0])
  useEffect(() => {
    if (pane === undefined) return
    openLineAt(pane, commit)
    const { line: _line, commit: _commit, ...params } = useRoute.getState().params
    useRoute.getState().adjust({ params })
  }, [pane, commit])
}

function Count({ of }: { of: keyof typeof linePanes }) {
  const due = useFeed((feed) => feed.clock?.due)
  const snapshots = useQuery('snapshots.list', {}, ['snapshots']).data?.snapshots.length
  const worlds = useWorlds().data?.worlds.length
  const count =
    of === 'tasks' ? due : of === 'snapshots' ? snapshots : of === 'worlds' && worlds ? worlds + 1 : undefined
  return count ? <span className={styles.count}>{formatCount(count)}</span> : null
}

function Moved() {
  const isMoved = useLine(({ from }) => from !== null)
  return isMoved && <Button onClick={() => useLine.setState({ from: null })}>Back to now</Button>
}

function Zoom() {
  const { span } = useLine()
  const zoom = (by: number) => useLine.setState({ span: Math.min(MOST_SPAN, Math.max(LEAST_SPAN, span * by)) })
  return (
    <>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would add a border and a legend. */}
      <span role="group" aria-label="Zoom">
        <ButtonGroup>
          {Object.entries(zooms).map(([name, wanted]) => (
            <Button
              key={name}
              aria-pressed={span === wanted}
              onClick={() => useLine.setState({ span: wanted, from: null })}
            >
              {name}
            </Button>
          ))}
        </ButtonGroup>
      </span>
      <Button icon={Plus} bare aria-label="Zoom in" title="Zoom in (+)" onClick={() => zoom(0.5)} />
      <Button icon={Minus} bare aria-label="Zoom out" title="Zoom out (-)" onClick={() => zoom(2)} />
    </>
  )
}

const WEEK_MS = 6 * 86_400_000

/** How many tasks are scheduled and when the next one is due. A click lists them. */
function Due() {
  const clock = useFeed((feed) => feed.clock)
  const now = useNow(60_000)
  const next = clock?.next
  return (
    <PlainButton className={styles.due} title={next?.what} onClick={() => openLine('tasks')}>
      <b>{formatCount(clock?.due ?? 0)} due</b>
      {next && ` next ${formatNext(Date.parse(next.at), now)}`}
    </PlainButton>
  )
}

/** As short as is unambiguous: today 16:30, Tue 08:30, 4 Dec. */
function formatNext(at: number, now: number): string {
  const { weekday, day, month, year, time } = newYork(at)
  if (startOfDay(at) === startOfDay(now)) return `today ${time.slice(0, 5)}`
  if (at - now < WEEK_MS) return `${weekday} ${time.slice(0, 5)}`
  return year === newYork(now).year ? `${day} ${month}` : `${month} ${year}`
}
