import { create } from 'zustand'
import { readStored, writeStored } from '../format/stored.ts'

/** The line of time under the clock: how high it is, what its unfolded part shows, and which span of time. */

/** What it shows, with the key after `g`. */
export const linePanes = {
  line: { name: 'Line of time', tab: 'Line', key: 't' },
  month: { name: 'Month', tab: 'Month', key: 'm' },
  tasks: { name: 'Scheduled tasks', tab: 'Tasks', key: 'd' },
  operations: { name: 'Operations', tab: 'Operations', key: 'o' },
  snapshots: { name: 'Snapshots', tab: 'Snapshots', key: 'n' },
  worlds: { name: 'Worlds', tab: 'Worlds', key: 'w' },
} as const
export type LinePane = keyof typeof linePanes
export const linePaneNames = Object.keys(linePanes) as LinePane[]
const isPane = (text: string | undefined): text is LinePane => text !== undefined && Object.hasOwn(linePanes, text)

export const FOLDED_PX = 44
export const UNFOLDED_PX = 320
/** Lower than this there is no room for the lanes. */
const LEAST_UNFOLDED_PX = 200

interface LineState {
  readonly height: number
  readonly pane: LinePane
  /** The pane takes the focus as soon as it is shown. */
  readonly isAsked: boolean
  /** Of Operations. */
  readonly commit: number | null
  /** In milliseconds. */
  readonly span: number
  /** Where the span begins; null while it follows the clock. */
  readonly from: number | null
}

const DAY_MS = 86_400_000
const STORED = 'sandbank.layout.size.line'
const stored = readStored('localStorage', STORED)

export const useLine = create<LineState>()(() => ({
  height: typeof stored === 'number' ? stored : FOLDED_PX,
  pane: 'line',
  isAsked: false,
  commit: null,
  span: 14 * DAY_MS,
  from: null,
}))

/** Undefined: unfolded if it is folded, else folded. Between the two heights nothing can be drawn well. */
export function resizeLine(to?: number) {
  const isFolded = useLine.getState().height === FOLDED_PX
  const wanted = to ?? (isFolded ? UNFOLDED_PX : FOLDED_PX)
  const height =
    wanted < (isFolded ? FOLDED_PX + 8 : LEAST_UNFOLDED_PX - 8)
      ? FOLDED_PX
      : Math.min(UNFOLDED_PX, Math.max(LEAST_UNFOLDED_PX, wanted))
  useLine.setState({ height })
  writeStored('localStorage', STORED, height === FOLDED_PX ? undefined : height)
}

/** Unfolds it at a pane, which takes the focus. */
export function openLine(pane: LinePane, commit: number | null = null) {
  if (useLine.getState().height === FOLDED_PX) resizeLine()
  useLine.setState({ pane, commit, isAsked: true })
}

/** As an address says it: `?line=operations&commit=42`. */
export function openLineAt(pane: string | undefined, commit: string | undefined) {
  if (isPane(pane)) openLine(pane, commit !== undefined && /^[1-9]\d{0,14}$/.test(commit) ? Number(commit) : null)
}
