import { useId } from 'react'
import { isPossible, type Machine } from '../../api/contract/machines.ts'
import { Glyph, type Signal } from '../ui/Text.tsx'
import styles from './StateDiagram.module.css'
import { signalOfGlyph, statusGlyphs } from './Status.tsx'

/**
 * A state machine of the contract as a diagram: the current state is highlighted, states and transitions that the record
 * took are bold, possible next ones solid, the others dashed. The transitions come from the contract; only the layout is defined in the window.
 */

export interface DiagramLayout {
  /** Column and row of each state. */
  readonly at: Readonly<Record<string, readonly [column: number, row: number]>>
  /** The width of each column. */
  readonly widths: readonly number[]
}

interface Edge {
  readonly event: string
  readonly from: string
  readonly to: string
}

const HEIGHT = 26
const GAP_X = 18
const GAP_Y = 26
/** Space for the arcs above the first row. */
const TOP = 22
/**
 * A transition from more states than this is drawn only from the current state and where the record took it, so that it
 * does not hide others.
 */
const MAX_SOURCES = 2

export type Transition = Pick<Edge, 'from' | 'to'>

/** Without the type of the record: for a record of any type. */
export function edgesFrom(machine: Machine, state: string, type?: unknown): Edge[] {
  return edgesOf(machine).filter(({ event, from }) => from === state && isPossible(machine.moves[event]!, state, type))
}

const edgesOf = ({ moves }: Machine): Edge[] =>
  Object.entries(moves).flatMap(([event, move]) => move.from.map((from) => ({ event, from, to: move.to })))

interface StateDiagramProps {
  readonly machine: Machine
  readonly layout: DiagramLayout
  /** The current state of a record; without it all transitions are solid. */
  readonly state?: string
  /** Of the record: some transitions are of some types only. */
  readonly type?: unknown
  /** The record is final, even if the machine has further transitions. */
  readonly isFinal?: boolean
  /** The transitions that the record took. Those that the machine does not have are ignored. */
  readonly taken?: readonly Transition[]
  /** A click on a state looks for the steps to it. */
  readonly onReach?: (state: string) => void
}

const NONE: readonly Transition[] = []

const IMPOSSIBLE = { stroke: 'var(--ink-3)', strokeWidth: 1.2, strokeDasharray: '3 3' }
const POSSIBLE = { stroke: 'var(--ink-2)', strokeWidth: 1.2 }
const TAKEN = { stroke: 'var(--ink)', strokeWidth: 2.4 }

interface Look {
  /** The color of its glyph. */
  readonly mark: string
  readonly word: string
  readonly box: React.SVGAttributes<SVGRectElement>
}

const INK = { mark: 'var(--ink-2)', word: 'var(--ink)' }
const DASHED = { fill: 'var(--well)', stroke: 'var(--line-strong)', strokeDasharray: '3 3' }
const UNREACHED: Look = { mark: 'var(--ink-2)', word: 'var(--ink-2)', box: DASHED }
const NEXT: Look = { ...INK, box: { fill: 'var(--paper)', stroke: 'var(--line-strong)' } }
const PASSED: Look = { ...INK, box: { fill: 'var(--well)', stroke: 'var(--ink)', strokeWidth: 1.6 } }

function currentLook(signal: Signal): Look {
  const color = signal === 'wait' || signal === 'bad' ? signal : 'accent'
  const mark = `var(--${color})`
  return {
    mark,
    word: color === 'accent' ? 'var(--ink)' : mark,
    box: { fill: `var(--${color}-wash)`, stroke: mark, strokeWidth: 2 },
  }
}

export function StateDiagram({
  machine,
  layout,
  state,
  type,
  isFinal = false,
  taken = NONE,
  onReach,
}: StateDiagramProps) {
  const tip = useId()
  const { at, widths } = layout
  const lefts = widths.map((_, i) => widths.slice(0, i).reduce((sum, width) => sum + width + GAP_X, 1))
  const box = (name: string) => {
    const [column, row] = at[name]!
    return { x: lefts[column]!, y: TOP + row * (HEIGHT + GAP_Y), width: widths[column]!, column, row }
  }
  const rows = Math.max(...Object.values(at).map(([, row]) => row)) + 1
  const width = lefts.at(-1)! + widths.at(-1)! + 1
  const height = TOP + rows * HEIGHT + (rows - 1) * GAP_Y + 2
  const isNext = ({ event, from }: Edge) =>
    state === undefined || (from === state && !isFinal && isPossible(machine.moves[event]!, state, type))
  const isTaken = (edge: Edge) => taken.some(({ from, to }) => from === edge.from && to === edge.to)
  const next = new Set(
    state === undefined
      ? machine.states
      : edgesOf(machine)
          .filter(isNext)
          .map(({ to }) => to),
  )
  const visible = edgesOf(machine).filter(
    (edge) => edge.from === state || isTaken(edge) || machine.moves[edge.event]!.from.length <= MAX_SOURCES,
  )
  const steps = visible.filter(isTaken)
  const passed = new Set(steps.flatMap(({ from, to }) => [from, to]))
  const path = steps.map(({ from, to }) => `${from} to ${to}`)
  const label =
    state === undefined
      ? `States of ${machine.resource}: ${machine.states.join(', ')}. The table below lists the transitions.`
      : `States of ${machine.resource}: current ${state}; possible next ${[...next].join(', ') || 'none'}${path.length > 0 ? `; taken: ${path.join(', ')}` : ''}.`
  return (
    <svg
      className={styles.machine}
      data-machine
      role={onReach ? 'group' : 'img'}
      aria-label={label}
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      style={{ '--drawn': `${width}px` }}
    >
      <defs>
        <marker
          id={tip}
          viewBox="0 0 6 6"
          refX="5.5"
          refY="3"
          markerUnits="userSpaceOnUse"
          markerWidth="7.2"
          markerHeight="7.2"
          orient="auto"
        >
          <path d="M0 0 6 3 0 6z" fill="var(--ink-2)" />
        </marker>
      </defs>
      {visible.map((edge) => (
        <path
          key={`${edge.event} ${edge.from}`}
          fill="none"
          {...(isTaken(edge) ? TAKEN : isNext(edge) ? POSSIBLE : IMPOSSIBLE)}
          data-legal={isNext(edge) ? '' : undefined}
          d={pathBetween(box(edge.from), box(edge.to))}
          data-taken={isTaken(edge) ? '' : undefined}
          markerEnd={`url(#${tip})`}
        >
          <title>{`${edge.from} to ${edge.to}`}</title>
        </path>
      ))}
      {machine.states.map((name) => {
        const { x, y, width } = box(name)
        const shape = statusGlyphs[name] ?? 'under-way'
        const signal = signalOfGlyph(shape)
        const look =
          name === state
            ? currentLook(signal)
            : passed.has(name)
              ? { ...PASSED, box: { ...PASSED.box, fill: next.has(name) ? 'var(--paper)' : 'var(--well)' } }
              : next.has(name)
                ? NEXT
                : UNREACHED
        return (
          <g
            key={name}
            data-current={name === state ? (signal ?? '') : undefined}
            data-next={next.has(name) ? '' : undefined}
            data-passed={passed.has(name) ? '' : undefined}
            style={{ color: look.mark, cursor: onReach && 'pointer' }}
            {...(onReach && name !== state ? reaching(name, onReach) : {})}
          >
            <rect x={x} y={y} width={width} height={HEIGHT} rx="3" {...look.box} />
            <Glyph name={shape} x={x + 9} y={y + 8} />
            <text x={x + 25} y={y + 17} fill={look.word} fontWeight={name === state ? 600 : undefined}>
              {name}
            </text>
          </g>
        )
      })}
    </svg>
  )
}

const reaching = (state: string, onReach: (state: string) => void) => ({
  role: 'button',
  tabIndex: 0,
  'aria-label': `Reach ${state}`,
  onClick: () => onReach(state),
  onKeyDown: ({ key }: React.KeyboardEvent) => key === 'Enter' && onReach(state),
})

type Box = { x: number; y: number; width: number; column: number; row: number }

function pathBetween(a: Box, b: Box): string {
  const middleY = (box: Box) => box.y + HEIGHT / 2
  if (a.row === b.row && b.column === a.column + 1) return `M${a.x + a.width} ${middleY(a)}H${b.x}`
  if (a.row === b.row && b.column === a.column - 1) return `M${a.x} ${middleY(a)}H${b.x + b.width}`
  if (a.row === b.row) {
    const from = a.x + a.width / 2
    const to = b.x + b.width / 2
    return `M${from} ${a.y}C${from} ${a.y - 24} ${to} ${b.y - 24} ${to} ${b.y}`
  }
  const down = b.row > a.row
  const from = down ? a.y + HEIGHT : a.y
  const to = down ? b.y : b.y + HEIGHT
  // Transitions in both directions between two states are drawn side by side.
  const shift = down ? -8 : 8
  const isNear = Math.abs(b.row - a.row) === 1
  if (a.column === b.column && isNear) return `M${a.x + a.width / 2 + shift} ${from}V${to}`
  const start = a.x + a.width / 2 + (b.column > a.column ? 20 : -20)
  const end = b.x + b.width / 2
  if (isNear) return `M${start} ${from}C${start} ${(from + to) / 2} ${end} ${(from + to) / 2} ${end} ${to}`
  // Through the gap beside the column, past the states of the rows in between.
  const gap = b.column > a.column ? b.x - GAP_X / 2 : b.x + b.width + GAP_X / 2
  const [first, last] = down ? [from + GAP_Y, to - GAP_Y] : [from - GAP_Y, to + GAP_Y]
  return `M${start} ${from}C${start} ${first} ${gap} ${from} ${gap} ${first}V${last}C${gap} ${to} ${end} ${last} ${end} ${to}`
}
