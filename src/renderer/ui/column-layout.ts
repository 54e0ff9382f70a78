/** Which columns a table shows, in which order, and how wide they are. */

export interface ColumnLayout {
  readonly order?: readonly string[]
  /** Columns that the user has shown or hidden. */
  readonly shown?: Readonly<Record<string, boolean>>
  /** In pixels. */
  readonly widths?: Readonly<Record<string, number>>
}

interface Arranged {
  readonly id: string
  readonly width: string
  readonly hidden?: boolean | undefined
  readonly optional?: boolean | undefined
}

const MIN_COLUMN_WIDTH = 40
const MAX_COLUMN_WIDTH = 1_200
/** Of tracks without a length, such as those with a variable. */
const UNKNOWN_WIDTH = 120

const minWidthOf = (track: string): number => Number(/(?<!\d)(\d+)px/.exec(track)?.[1] ?? UNKNOWN_WIDTH)

const limitWidth = (width: number) => Math.round(Math.min(MAX_COLUMN_WIDTH, Math.max(MIN_COLUMN_WIDTH, width)))

/** All columns in the order of the layout. Columns that it does not know stay after the one that they follow by default. */
export function orderColumns<C extends Arranged>(columns: readonly C[], { order = [] }: ColumnLayout): readonly C[] {
  if (order.length === 0) return columns
  const known = new Map(columns.map((column) => [column.id, column]))
  const ordered = order.flatMap((id) => known.get(id) ?? [])
  columns.forEach((column, at) => {
    if (ordered.includes(column)) return
    const before = ordered.findIndex(({ id }) => id === columns[at - 1]?.id)
    ordered.splice(before + 1, 0, column)
  })
  return ordered
}

export const isShown = ({ id, hidden = false }: Arranged, { shown }: ColumnLayout) => shown?.[id] ?? !hidden

/** The columns to show. A table never loses its last one. */
export function arrangeColumns<C extends Arranged>(columns: readonly C[], layout: ColumnLayout): readonly C[] {
  const visible = orderColumns(columns, layout).filter((column) => isShown(column, layout))
  return (visible.length > 0 ? visible : columns.slice(0, 1)).map((column) => {
    const width = layout.widths?.[column.id]
    return width === undefined ? column : { ...column, width: `${limitWidth(width)}px` }
  })
}

/** The columns that fit into a width: without optional ones, from the last one on, unless the user has chosen to show them. */
export function fitColumns<C extends Arranged>(
  columns: readonly C[],
  width: number,
  { shown = {} }: ColumnLayout = {},
): readonly C[] {
  let excess = sumWidths(columns) - width
  return columns
    .toReversed()
    .filter((column) => {
      if (excess <= 0 || !column.optional || shown[column.id]) return true
      excess -= minWidthOf(column.width)
      return false
    })
    .toReversed()
}

export const sumWidths = (columns: readonly Arranged[]): number =>
  columns.reduce((sum, { width }) => sum + minWidthOf(width), 0)

/** Moves a column to the place of another one. */
export function moveColumn(columns: readonly Arranged[], layout: ColumnLayout, id: string, to: string): ColumnLayout {
  const order = orderColumns(columns, layout).map((column) => column.id)
  const [from, at] = [order.indexOf(id), order.indexOf(to)]
  if (from < 0 || at < 0 || from === at) return layout
  order.splice(from, 1)
  order.splice(at, 0, id)
  return { ...layout, order }
}

/** Moves a column by one visible place. */
export function shiftColumn(columns: readonly Arranged[], layout: ColumnLayout, id: string, by: 1 | -1): ColumnLayout {
  const visible = arrangeColumns(columns, layout)
  const next = visible[visible.findIndex((column) => column.id === id) + by]
  return next ? moveColumn(columns, layout, id, next.id) : layout
}

/** Without a width, the column has its default width again. */
export function resizeColumn(layout: ColumnLayout, id: string, width: number | undefined): ColumnLayout {
  const { [id]: _, ...others } = layout.widths ?? {}
  return { ...layout, widths: width === undefined ? others : { ...others, [id]: limitWidth(width) } }
}

/** Remembers only what differs from the default, which may depend on the width and on an open pane. */
export function showColumn(
  columns: readonly Arranged[],
  layout: ColumnLayout,
  id: string,
  shown: boolean,
): ColumnLayout {
  const { [id]: _, ...others } = layout.shown ?? {}
  const { hidden = false } = columns.find((column) => column.id === id) ?? {}
  return { ...layout, shown: shown === !hidden ? others : { ...others, [id]: shown } }
}

/** Equal for layouts that are alike, whatever the order in which they were set. */
export const layoutKey = ({ order = [], shown = {}, widths = {} }: ColumnLayout): string =>
  JSON.stringify([order, sortEntries(shown), sortEntries(widths)])

export const sortEntries = (fields: Readonly<Record<string, unknown>>) =>
  Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))
