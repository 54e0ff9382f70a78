import { useEffect, useMemo, useRef, useState } from 'react'
import type { MethodOutput } from '../../../api/contract/control/methods.ts'
import type { PartOfTime } from '../../../api/contract/control/operations.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { glyphOfTask, signalOfTask } from '../../components/Status.tsx'
import { useFeed, useNow } from '../../data/feed.ts'
import { openLine, useLine } from '../../data/line.ts'
import { useQuery } from '../../data/sandbox.ts'
import { shownWorld } from '../../data/world-address.ts'
import { placeAddress, useWorlds, worldLabel } from '../../data/worlds.ts'
import { formatAmount, formatCount, formatIsoDate, formatShortInstant, newYork, plural } from '../../format/text.ts'
import { PlainButton } from '../../ui/Button.tsx'
import { Glyph } from '../../ui/Text.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { useWidth } from '../../ui/use-width.ts'
import { type Branch, branchesOf } from './branches.ts'
import styles from './Plot.module.css'
import { PointMenu } from './PointMenu.tsx'
import { findPoint, type Point, pointAfter, saysOf } from './points.ts'
import { useRecordNames } from './record-names.ts'
import {
  closedDays,
  daysIn,
  LEAST_SPAN,
  MOST_SPAN,
  placeMarks,
  positionOf,
  ticksOf,
  timeAt,
  type View,
  viewOf,
} from './scale.ts'
import { describeTask, endsWindow, labelOf } from './task-labels.ts'

/** The line itself: what happened, left of now, and what is scheduled, right of it. One tab stop; the keys move a point along it. */

const PART_PX = 6
const MAX_PARTS = 500
const SETTLE_MS = 120

const lanes = ['Requests', 'Decisions', 'Tasks', 'Money'] as const
type Lane = (typeof lanes)[number]

/** Where the rows begin. Folded, all of it lies on one line. */
interface Rows {
  readonly main: number
  readonly branchOf: (index: number) => number
  readonly laneOf: (lane: Lane) => number
  readonly laneHeight: number
  readonly height: number
  readonly isFolded: boolean
}

const MAIN_Y = 46
const BRANCH_PX = 18
const FOLDED_Y = 29

function rowsOf(height: number, branches: number, isFolded: boolean): Rows {
  const below = MAIN_Y + 14 + branches * BRANCH_PX
  const laneHeight = (height - below) / lanes.length
  return {
    main: isFolded ? FOLDED_Y : MAIN_Y,
    branchOf: (index) => MAIN_Y + (index + 1) * BRANCH_PX,
    laneOf: (lane) => (isFolded ? FOLDED_Y : below + laneHeight * (lanes.indexOf(lane) + 0.5)),
    laneHeight,
    height,
    isFolded,
  }
}

interface PlotProps {
  readonly height: number
  readonly isFolded: boolean
}

export function Plot({ height, isFolded }: PlotProps) {
  const plot = useRef<HTMLDivElement>(null)
  const width = useWidth(plot)
  const now = useNow(1_000)
  const { span, from } = useLine()
  const [point, setPoint] = useState<Point | null>(null)
  const [isOpen, setOpen] = useState(false)
  const view = useMemo(() => viewOf(now, span, from, width), [now, span, from, width])
  const { parts, refused } = useParts(view, now)
  const tasks = useFeed((feed) => feed.tasks)
  const worlds = useWorlds().data?.worlds ?? []
  const branches = branchesOf(worlds, shownWorld())
  // The root world is not in the list.
  const others = worlds.length - branches.length
  const rows = rowsOf(height, isFolded ? 0 : branches.length + (others > 0 ? 1 : 0), isFolded)
  const x = point === null ? null : positionOf(view, point.at)

  /** Keys that follow each other quickly go on from where the one before arrives. */
  const arriving = useRef<Promise<Point | null>>(Promise.resolve(null))
  const step = async (by: -1 | 1) => {
    // Without a connection it stays where it is: the frame says that there is none.
    arriving.current = arriving.current.then((here) => pointAfter(here, now, tasks, by)).catch(() => point)
    const to = await arriving.current
    if (to === null) return
    setPoint(to)
    // What is out of sight comes to the middle.
    if (to.at < view.from || to.at > view.to) useLine.setState({ from: to.at - span / 2 })
  }
  const zoom = (factor: number, around: number) => {
    const next = Math.min(MOST_SPAN, Math.max(LEAST_SPAN, span * factor))
    useLine.setState({ span: next, from: from === null ? null : around - ((around - view.from) / span) * next })
  }
  const onKeyDown = async (event: React.KeyboardEvent) => {
    const { key, shiftKey, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || isOpen) return
    const at = point?.at ?? now
    const keys: Record<string, () => unknown> = {
      ArrowLeft: () => step(-1),
      ArrowRight: () => step(1),
      Home: () => useLine.setState({ from: null }),
      '+': () => zoom(0.5, at),
      '-': () => zoom(2, at),
      Enter: () => setOpen(point !== null),
      ' ': () => setOpen(point !== null),
    }
    if (shiftKey && key.startsWith('Arrow'))
      keys[key] = () => useLine.setState({ from: view.from + ((key === 'ArrowLeft' ? -1 : 1) * span) / 4 })
    if (!Object.hasOwn(keys, key)) return
    event.preventDefault()
    await keys[key]!()
  }
  // React listens to the wheel without the right to stop the page from scrolling.
  const turn = useRef<(event: WheelEvent) => void>(undefined)
  turn.current = (event) => {
    const { left } = plot.current!.getBoundingClientRect()
    const at = timeAt(view, event.clientX - left)
    event.preventDefault()
    if (event.deltaX !== 0 || event.shiftKey)
      useLine.setState({ from: view.from + ((event.deltaX || event.deltaY) / width) * span })
    else zoom(event.deltaY > 0 ? 1.25 : 0.8, at)
  }
  useEffect(() => {
    const element = plot.current!
    const onWheel = (event: WheelEvent) => turn.current?.(event)
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [])
  const says = point === null ? `Now: ${formatShortInstant(now)}` : saysOf(point, now)
  return (
    // The keys are also for the point, which has the focus after its menu.
    // biome-ignore lint/a11y/noStaticElementInteractions: see above.
    <div className={styles.box} onKeyDown={(event) => void onKeyDown(event)}>
      {!isFolded && <Labels rows={rows} branches={branches} others={others} />}
      <div className={styles.plot} ref={plot}>
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: the box above has the keys. */}
        <div
          className={styles.slider}
          role="slider"
          tabIndex={0}
          aria-label="Point in time"
          aria-orientation="horizontal"
          aria-valuemin={Math.min(view.from, point?.at ?? now)}
          aria-valuemax={Math.max(view.to, point?.at ?? now)}
          aria-valuenow={point?.at ?? now}
          aria-valuetext={says}
          title={isFolded ? 'Click a point to go there; drag the lower edge to unfold.' : undefined}
          onClick={async ({ clientX, currentTarget }) => {
            const at = timeAt(view, clientX - currentTarget.getBoundingClientRect().left)
            const place = { at, near: (10 / width) * span, now, tasks, parts, from: view.from }
            arriving.current = findPoint(place).catch(() => point)
            const found = await arriving.current
            if (found === null) return
            setPoint(found)
            setOpen(true)
          }}
        >
          <Drawing
            view={view}
            rows={rows}
            now={now}
            parts={parts}
            refused={refused}
            tasks={tasks}
            branches={branches}
          />
          {x !== null && x >= 0 && x <= width && <span className={styles.cursor} style={{ left: x }} />}
        </div>
        {point !== null && x !== null && x >= 0 && x <= width && (
          <PointMenu
            key={`${point.at} ${point.commit}`}
            point={point}
            now={now}
            open={isOpen}
            setOpen={setOpen}
            style={{ left: x, top: rows.main }}
          />
        )}
      </div>
    </div>
  )
}

/** What happened in the span, in parts of a few pixels. */
function useParts(view: View, now: number): Happened {
  const seq = useFeed((feed) => feed.seq)
  // A refused request makes no commit.
  const requests = useFeed(({ requestTotals }) => Object.values(requestTotals).reduce((sum, n) => sum + n, 0))
  const length = ((view.to - view.from) * PART_PX) / Math.max(view.width, 1)
  // Both ends lie on the grid of the parts, so that a clock that runs asks nothing new.
  const begin = Math.floor(view.from / length)
  const count = Math.min(MAX_PARTS, Math.ceil(Math.min(view.to, now + length) / length) - begin)
  const question = useDebounced(`${length} ${begin} ${count}`, SETTLE_MS).split(' ').map(Number)
  const [settledLength = 1, first = 0, parts = 0] = question
  const isKnown = view.width > 0 && parts > 0 && now > 0
  const iso = (ms: number) => new Date(ms).toISOString()
  const input = { from: iso(first * settledLength), to: iso((first + parts) * settledLength), parts }
  const { data } = useQuery('operations.count', isKnown ? input : null, [], {
    beat: seq + requests,
    pauses: 4,
    keeps: true,
  })
  return data ?? NOTHING
}

type Happened = MethodOutput<'operations.count'>
const NOTHING: Happened = { parts: [], refused: [] }

function Labels({ rows, branches, others }: { rows: Rows; branches: readonly Branch[]; others: number }) {
  return (
    <div className={styles.labels}>
      <b className="cut" style={{ top: rows.main - 8 }} title={worldLabel(shownWorld())}>
        {worldLabel(shownWorld())}
      </b>
      {branches.map(({ name }, at) => (
        <a
          key={name}
          className="cut"
          style={{ top: rows.branchOf(at) - 8 }}
          title={worldLabel(name)}
          href={placeAddress(name, { screen: 'now' })}
        >
          {worldLabel(name)}
        </a>
      ))}
      {others > 0 && (
        <PlainButton style={{ top: rows.branchOf(branches.length) - 8 }} onClick={() => openLine('worlds')}>
          {plural(others, 'other world')}
        </PlainButton>
      )}
      {lanes.map((lane) => (
        <span key={lane} style={{ top: rows.laneOf(lane) - 8 }}>
          {lane}
        </span>
      ))}
    </div>
  )
}

interface DrawingProps {
  readonly view: View
  readonly rows: Rows
  readonly now: number
  readonly parts: readonly PartOfTime[]
  readonly refused: Happened['refused']
  readonly tasks: readonly Task[]
  readonly branches: readonly Branch[]
}

function Drawing({ view, rows, now, parts, refused, tasks, branches }: DrawingProps) {
  const x = (at: number) => positionOf(view, at)
  const line = Math.min(Math.max(x(now), 0), view.width)
  const goal = useFeed((feed) => feed.progress?.to)
  return (
    <svg className={styles.drawing} width={view.width} height={rows.height} aria-hidden="true">
      <defs>
        <pattern id="closed" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <path d="M0 0v6" className={styles.hatch} />
        </pattern>
      </defs>
      <rect className={styles.ahead} x={line} width={Math.max(0, view.width - line)} height={rows.height} />
      <Calendar view={view} rows={rows} />
      {!rows.isFolded && (
        <>
          {lanes.map((lane) => (
            <path
              key={lane}
              className={styles.rule}
              d={`M0 ${rows.laneOf(lane) - rows.laneHeight / 2}H${view.width}`}
            />
          ))}
          <Refused view={view} rows={rows} refused={refused} />
          <Branches view={view} rows={rows} branches={branches} now={now} />
        </>
      )}
      <path className={styles.main} d={`M0 ${rows.main}H${line}`} />
      <path className={styles.main} data-ahead="" d={`M${line} ${rows.main}H${view.width}`} />
      <Past view={view} rows={rows} parts={parts} end={line} />
      <Flags view={view} rows={rows} />
      <Future view={view} rows={rows} now={now} tasks={tasks} />
      {goal && <path className={styles.goal} d={`M${x(Date.parse(goal))} 0V${rows.height}`} />}
      <path className={styles.now} d={`M${x(now)} 0V${rows.height}`} />
    </svg>
  )
}

/** Days, hours or months; days on which banks are closed; the cut-offs of the pace real. */
function Calendar({ view, rows }: { view: View; rows: Rows }) {
  const ticks = useMemo(() => ticksOf(view), [view])
  const days = useMemo(() => daysIn(view), [view])
  const first = days[0]
  const isShown = first !== undefined && ((first.end - first.start) / (view.to - view.from)) * view.width > 3
  const { data } = useQuery(
    'calendar.read',
    isShown ? { from: formatIsoDate(first.start), days: days.length } : null,
    [],
    {
      keeps: true,
    },
  )
  const holidays = new Map(data?.holidays.map(({ date, name }) => [date, name] as const))
  const closed = isShown ? closedDays(days, holidays) : []
  const pace = useFeed((feed) => feed.clock?.pace)
  const times = [...new Set(data?.cut_offs.map(({ time }) => time))]
  const dayPx = isShown ? ((first.end - first.start) / (view.to - view.from)) * view.width : 0
  const open = days.filter(({ start }) => !closed.some((day) => day.start === start))
  return (
    <>
      {closed.map(({ start, end, holiday }) => (
        <rect
          key={start}
          x={positionOf(view, start)}
          width={positionOf(view, end) - positionOf(view, start)}
          height={rows.height}
          fill="url(#closed)"
        >
          <title>{holiday ?? 'banks closed'}</title>
        </rect>
      ))}
      {ticks.map(({ at, label }) => (
        <g key={at} transform={`translate(${positionOf(view, at)})`}>
          <path className={styles.rule} d={`M0 0V${rows.height}`} />
          <text x="5" y="13">
            {label}
          </text>
        </g>
      ))}
      {pace === 'real' &&
        !rows.isFolded &&
        dayPx > 60 &&
        open.flatMap(({ start }) =>
          times.map((time) => {
            const [hours = 0, minutes = 0] = time.split(':').map(Number)
            const y = rows.laneOf('Tasks') + rows.laneHeight / 2
            return (
              <path
                key={`${start} ${time}`}
                className={styles.cutOff}
                d={`M${positionOf(view, start + (hours * 60 + minutes) * 60_000)} ${y}v-7`}
              >
                <title>
                  {data?.cut_offs
                    .filter((one) => one.time === time)
                    .map(({ name }) => name)
                    .join(', ')}
                </title>
              </path>
            )
          }),
        )}
    </>
  )
}

/** Where the others left this world, or this one left them, and how far they are. */
function Branches({ view, rows, branches, now }: Pick<DrawingProps, 'view' | 'rows' | 'branches' | 'now'>) {
  return branches.map(({ name, leaves, at, parent, isLeft }, index) => {
    const y = rows.branchOf(index)
    const begin = leaves === null ? 0 : positionOf(view, leaves)
    const end = positionOf(view, at ?? now)
    const from = parent === null ? y : parent === 'main' ? rows.main : rows.branchOf(parent)
    return (
      <g key={name} data-branch={worldLabel(name)}>
        <path
          className={styles.branch}
          d={
            isLeft
              ? `M0 ${y}H${end}M${begin - 10} ${y}L${begin} ${rows.main}`
              : `M${begin} ${from}L${begin + 10} ${y}H${Math.max(end, begin + 10)}`
          }
        />
        <circle className={styles.leaves} cx={begin} cy={from} r="3.5" />
        <rect className={styles.leaves} x={Math.max(end, begin + 10) - 4} y={y - 4} width="8" height="8" />
      </g>
    )
  })
}

const NOW_PX = 6

/** A mark for each part in each of its lanes. Folded, one for each part. */
function Past({ view, rows, parts, end }: Pick<DrawingProps, 'view' | 'rows' | 'parts'> & { end: number }) {
  // What happened just now stands beside the line of now.
  const placed: readonly { part: PartOfTime; x: number }[] = parts.map((part) => ({
    part,
    x: Math.min(positionOf(view, Date.parse(part.until)), end - NOW_PX),
  }))
  return (
    <>
      {placed.map(({ part, x }) => (
        <g key={part.commit}>
          <circle className={styles.node} cx={x} cy={rows.main} r="3">
            <title>{describePart(part)}</title>
          </circle>
          {part.requests > 0 && !rows.isFolded && (
            <Bar x={x} y={rows.laneOf('Requests')} n={part.requests} most={rows.laneHeight - 6} />
          )}
        </g>
      ))}
      {!rows.isFolded &&
        countedLanes.map(({ lane, count, word, shape }) => {
          const here = placed.filter(({ part }) => count(part) > 0)
          const labelOf = (items: readonly (typeof placed)[number][]) =>
            lane === 'Money' && items.length === 1
              ? formatAmount(items[0]!.part.money)
              : word(items.reduce((n, { part }) => n + count(part), 0))
          return placeMarks(here, ({ x }) => x, labelOf, end).map(({ x, label }) => (
            <g key={`${lane} ${x}`} transform={`translate(${x} ${rows.laneOf(lane)})`}>
              <path className={styles.done} d={shape} />
              <text x="9" y="4">
                {label}
              </text>
            </g>
          ))
        })}
    </>
  )
}

interface CountedLane {
  readonly lane: Lane
  readonly count: (part: PartOfTime) => number
  /** Of several parts that share a mark. */
  readonly word: (n: number) => string
  readonly shape: string
}

const countedLanes: readonly CountedLane[] = [
  {
    lane: 'Decisions',
    count: ({ decisions }) => decisions,
    word: (n) => plural(n, 'decision'),
    shape: 'M0-5l5 5-5 5-5-5z',
  },
  {
    lane: 'Tasks',
    count: ({ tasks }) => tasks,
    word: (n) => plural(n, 'task'),
    shape: 'M-4.5 0a4.5 4.5 0 1 0 9 0a4.5 4.5 0 1 0-9 0',
  },
  { lane: 'Money', count: ({ settled }) => settled, word: (n) => `${formatCount(n)} settled`, shape: 'M-2-7h4v14h-4z' },
]

const CROSS_PX = 8

/** Below the bars of the requests. */
function Refused({ view, rows, refused }: Pick<DrawingProps, 'view' | 'rows' | 'refused'>) {
  const xOf = ({ until }: Happened['refused'][number]) => positionOf(view, Date.parse(until))
  const y = rows.laneOf('Requests') + rows.laneHeight / 2 - CROSS_PX
  const count = (here: Happened['refused']) => here.reduce((n, { requests }) => n + requests, 0)
  return placeMarks(refused, xOf, (here) => `${formatCount(count([...here]))} refused`, view.width).map(
    ({ x, items, label }) => (
      <g key={x} transform={`translate(${x} ${y})`} data-refused={count([...items])}>
        <path className={styles.refused} d="M-3-3l6 6m0-6l-6 6" />
        <text x="7" y="4">
          {label}
        </text>
        <title>{`${formatCount(count([...items]))} refused`}</title>
      </g>
    ),
  )
}

/** The more there are, the higher; a hundred are twice as high as ten. */
function Bar({ x, y, n, most }: { x: number; y: number; n: number; most: number }) {
  const height = Math.min(most, 7 + 6 * Math.log10(n))
  return <rect className={styles.done} x={x - 1.5} y={y - height / 2} width="3" height={height} />
}

const describePart = ({ until, operations, requests, decisions, tasks, settled, money }: PartOfTime) =>
  [
    `${formatShortInstant(Date.parse(until))}: ${plural(operations, 'operation')}`,
    ...(requests > 0 ? [plural(requests, 'request')] : []),
    ...(decisions > 0 ? [plural(decisions, 'decision')] : []),
    ...(tasks > 0 ? [plural(tasks, 'task')] : []),
    ...(settled > 0 ? [`${formatCount(settled)} settled, ${formatAmount(money)}`] : []),
  ].join('\n')

function Flags({ view, rows }: { view: View; rows: Rows }) {
  const { data } = useQuery('snapshots.list', {}, ['snapshots'])
  const flags = (data?.snapshots ?? [])
    .flatMap(({ name, at }) => (at === undefined ? [] : [{ name, at: Date.parse(at) }]))
    .sort((a, b) => a.at - b.at)
  return placeMarks(
    flags,
    ({ at }) => positionOf(view, at),
    (here) => (here.length > 1 ? String(here.length) : here[0]!.name),
    view.width,
  ).map(({ x, items, label }) => (
    <g key={x} transform={`translate(${x} ${rows.main})`} data-flag>
      <path className={styles.flag} d="M0 0V-14h9l-2.5 3.5 2.5 3.5H0" />
      {!rows.isFolded && (
        <text x="13" y="-6">
          {label}
        </text>
      )}
      <title>{items.map(({ name }) => `Snapshot ${name}`).join('\n')}</title>
    </g>
  ))
}

const MAX_NAMED = 60

function Future({ view, rows, now, tasks }: Pick<DrawingProps, 'view' | 'rows' | 'now' | 'tasks'>) {
  const shown = useMemo(() => tasks.filter(({ due_at }) => Date.parse(due_at) <= view.to), [tasks, view.to])
  const xOf = (task: Task) => positionOf(view, Math.max(now, Date.parse(task.due_at)))
  const windows = rows.isFolded ? [] : tasks.filter(endsWindow)
  const names = useRecordNames([...windows.slice(0, 1), ...shown.slice(0, MAX_NAMED)].map(({ record }) => record))
  const marks = placeMarks(
    rows.isFolded ? shown : shown.filter((task) => !endsWindow(task)),
    (task) => xOf(task) + 6,
    (here) => (here.length > 1 ? String(here.length) : labelOf(here[0]!, names)),
    view.width,
  )
  return (
    <>
      {windows.map((task, at) => {
        const [begin, end] = [Math.max(0, positionOf(view, now)), xOf(task)]
        const y = rows.laneOf('Decisions') - 7 + Math.min(at, 2) * 4
        const { weekday, day, time } = newYork(Date.parse(task.due_at))
        return (
          <g key={task.uid} data-window={task.kind}>
            <rect className={styles.window} x={begin} y={y} width={Math.max(2, end - begin)} height="12" />
            {at === 0 && (
              <text className={styles.wait} x={Math.min(end + 6, view.width - 170)} y={y + 10}>
                {`${labelOf(task, names)} closes ${weekday} ${day} ${time.slice(0, 5)}`}
              </text>
            )}
            <title>{describeTask(task)}</title>
          </g>
        )
      })}
      {marks.map(({ x, items, label }) => {
        const shape = glyphOfTask(items[0]!)
        const y = rows.laneOf('Tasks')
        return (
          <g key={x} className={styles.task} data-signal={signalOfTask(shape)} data-task>
            <circle className={styles.back} cx={x} cy={y} r="7" />
            <Glyph name={shape} x={x - 5} y={y - 5} />
            <text x={x + 9} y={y + 4}>
              {rows.isFolded && items.length === 1 ? '' : label}
            </text>
            <title>{items.slice(0, 6).map(describeTask).join('\n')}</title>
          </g>
        )
      })}
    </>
  )
}
