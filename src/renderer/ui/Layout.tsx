import { useEffect, useRef, useState } from 'react'
import { readStored, writeStored } from '../format/stored.ts'
import { cx } from './cx.ts'
import styles from './Layout.module.css'

/** The boxes that screens are built of. A screen has styles of its own only for what it draws. */

type Distance = 0 | 2 | 4 | 6 | 8 | 10 | 12 | 16 | 20 | 24 | 32

type Part = 'div' | 'section' | 'aside' | 'header' | 'p' | 'span' | 'h3' | 'form' | 'label' | 'nav' | 'footer'
type ListPart = 'ul' | 'ol' | 'li' | 'dl' | 'dt'

export interface BoxProps extends React.HTMLAttributes<HTMLElement> {
  readonly as?: Part | ListPart | undefined
  readonly ref?: React.Ref<HTMLElement> | undefined
  /** Between the parts: in px, or between rows and between columns. */
  readonly gap?: Distance | `${Distance} ${Distance}` | undefined
  /** Around the parts: in px; or above and below, then at the sides; or above, at the sides, below. */
  readonly pad?: Distance | `${Distance} ${Distance}` | `${Distance} ${Distance} ${Distance}` | undefined
  /** The least height in px, so that nothing moves when a part appears. */
  readonly least?: number | undefined
  readonly text?: 'meta' | 'data' | 'head' | undefined
  readonly tone?: 'ink' | 'soft' | 'faint' | 'wait' | 'bad' | undefined
  readonly line?: 'top' | 'bottom' | 'left' | 'both' | undefined
  readonly fill?: 'well' | 'paper' | 'accent' | 'wait' | 'bad' | undefined
  /** A bar at the left. */
  readonly mark?: 'accent' | 'wait' | 'bad' | undefined
  readonly align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch' | undefined
  /** Takes the space that is left. */
  readonly grow?: boolean | undefined
  readonly scroll?: boolean | undefined
  readonly noValidate?: boolean | undefined
}

type Data = { readonly [data: string]: string | undefined }

const length = (value: number | string | undefined) =>
  value === undefined ? undefined : `${String(value).replaceAll(/\d+/g, '$&px')}`

function drawBox(name: string | undefined, fixed: Data, columns: string | undefined, props: BoxProps) {
  const {
    as: Tag = 'div',
    ref,
    className,
    style,
    gap,
    pad,
    least,
    text,
    tone,
    line,
    fill,
    mark,
    align,
    grow,
    scroll,
    ...rest
  } = props
  const variables = {
    ...(gap === undefined ? {} : { '--gap': length(gap) }),
    ...(pad === undefined ? {} : { '--pad': length(pad) }),
    ...(least === undefined ? {} : { '--least-height': length(least) }),
    ...(columns === undefined ? {} : { '--box-columns': columns }),
    ...(mark === undefined ? {} : { '--mark': `var(--${mark})` }),
    ...style,
  }
  return (
    <Tag
      ref={ref as React.Ref<never>}
      className={cx(styles.box, name, className)}
      style={variables}
      data-text={text}
      data-tone={tone}
      data-line={line}
      data-fill={fill}
      data-mark={mark}
      data-align={align}
      data-grow={grow ? '' : undefined}
      data-scroll={scroll ? '' : undefined}
      {...fixed}
      {...rest}
    />
  )
}

interface RowProps extends BoxProps {
  /** Parts for which there is no space go to the next line. */
  readonly wraps?: boolean | undefined
}

/** Parts beside each other. */
export const Row = ({ wraps, ...box }: RowProps) =>
  drawBox(styles.row, { 'data-wraps': wraps ? '' : undefined }, undefined, box)

interface StackProps extends BoxProps {
  /** More than one column: the widths, as in `grid-template-columns`. */
  readonly columns?: string | undefined
  /** On a narrow window there is one column. */
  readonly narrows?: boolean | undefined
}

/** Parts below each other; with `columns` in a grid. */
export const Stack = ({ columns, narrows, ...box }: StackProps) =>
  drawBox(styles.stack, { 'data-narrows': narrows ? '' : undefined }, columns, box)

/** Parts below each other that share the height of their place; a part with `grow` takes what is left. */
export const Column = (box: BoxProps) => drawBox(styles.column, {}, undefined, box)

/** The boxes that most screens have. */

type Fixed = React.ComponentProps<typeof Row> &
  React.ComponentProps<typeof Stack> & { readonly [data: `data-${string}`]: string }

const box = (Base: (props: Fixed) => React.ReactNode, name: string | undefined, fixed: Fixed) =>
  function Box({ className, ...rest }: React.ComponentProps<typeof Row>) {
    return <Base {...fixed} className={cx(name, className)} {...rest} />
  }

/** The bar at the top of a screen: title, search, filters; actions on the right. */
export const ScreenBar = box(Row, styles.bar, {
  gap: 8,
  pad: '0 16',
  least: 40,
  line: 'bottom',
  'data-screen-bar': '',
})
/** Columns side by side that scroll independently. */
export const Split = box(Row, styles.split, { align: 'stretch', grow: true })
/** The narrow left column of a split; with `data-right` the right one. */
export const Sidebar = box(Column, styles.sidebar, { as: 'section' })
/** The wide column of a split. */
export const Pane = box(Column, styles.pane, { as: 'section', grow: true, scroll: true, 'data-pane': '' })
/** The right column with the details of the selection. */
export const DetailPane = box(Column, styles.detail, { as: 'section', fill: 'paper', scroll: true })
/** Panes beside each other that scroll independently. Where they would be too narrow they stand below each other. */
export const Panes = ({ className, ...panes }: React.ComponentProps<typeof Stack>) => (
  <Stack grow className={cx(styles.panes, className)} {...panes} />
)
/** The title and the controls at the top of a pane. */
export const PaneIntro = box(Stack, styles.intro, { gap: 8, pad: '12 16 8' })
/** Two columns, separated by a line. */
export const Columns = box(Stack, styles.columns, {
  columns: 'minmax(0, 5fr) minmax(0, 6fr)',
  narrows: true,
  line: 'bottom',
})
/** A heading or note on a line of 32 px. */
export const Caption = box(Row, styles.caption, { gap: 8, pad: '0 16' })
/** Buttons for the content above them. */
export const Actions = box(Row, undefined, { wraps: true, gap: 4, pad: '4 16 10', line: 'bottom', align: 'stretch' })
/** Progress or result, next to the buttons that control it. */
export const RunStatus = box(Row, styles.status, {
  as: 'span',
  wraps: true,
  gap: '4 12',
  least: 24,
  'data-run-status': '',
})
/** A table with its footer. */
export const TableArea = box(Column, undefined, { grow: true })
/** The line at the bottom: counts, keys, paging. */
export const Footer = box(Row, styles.footer, {
  gap: 12,
  pad: '0 16',
  least: 28,
  line: 'top',
  text: 'meta',
  tone: 'faint',
  'data-footer': '',
})
/** Labels on the left, fields on the right. */
export const FormGrid = box(Stack, styles.form, {
  columns: 'var(--labels, 88px) minmax(0, 1fr)',
  gap: 8,
  align: 'center',
  text: 'data',
})

interface SectionProps extends Omit<React.ComponentProps<typeof Stack>, 'title'> {
  readonly title: string
  /** Beside the title. */
  readonly note?: React.ReactNode
  /** At the right of the title. */
  readonly end?: React.ReactNode
}

/** A part of a page with its title. */
export const Section = ({ title, note, end, children, ...box }: SectionProps) => (
  <Stack as="section" aria-label={title} {...box}>
    <Caption>
      <h2>{title}</h2>
      {note !== undefined && <span className="meta">{note}</span>}
      {end && <span className="end data">{end}</span>}
    </Caption>
    {children}
  </Stack>
)

/** A line of 24 px of a list in such a part. */
export const Line = ({ style, ...box }: React.ComponentProps<typeof Row>) => (
  <Row as="li" gap={12} least={24} text="data" line="bottom" style={{ padding: '4px 16px 3px', ...style }} {...box} />
)

interface SplitterProps {
  readonly label: string
  /** Which of its two neighbors it sizes; the other one gets the rest. */
  readonly sizes: 'before' | 'after'
  /** The neighbors are above each other, not side by side. */
  readonly stacked?: boolean
  /** In pixels, of either neighbor. */
  readonly min?: number
  /** In pixels; by default what the box around them has room for. */
  readonly max?: number
  /** Undefined for the default size. */
  readonly onResize: (size: number | undefined) => void
}

const MIN = 240
const STEP = 16

/** The line between two panes. It is dragged, or moved with the arrow keys; a double click resets it. */
export function Splitter({ label, sizes, stacked = false, min = MIN, max: most, onResize }: SplitterProps) {
  const line = useRef<HTMLDivElement>(null)
  const start = useRef<{ readonly at: number; readonly size: number } | null>(null)
  const [{ size, max }, setMeasured] = useState({ size: min, max: min })
  /** The default size is that of the layout, so it has to be measured. */
  const measure = () => {
    const { previousElementSibling: before, nextElementSibling: after, parentElement: box } = line.current!
    const lengthOf = (element: Element | null) => {
      const { width = 0, height = 0 } = element?.getBoundingClientRect() ?? {}
      return Math.round(stacked ? height : width)
    }
    const pane = sizes === 'before' ? before : after
    return { pane, box, size: lengthOf(pane), max: most ?? Math.max(min, lengthOf(box) - min) }
  }
  useEffect(() => {
    if (typeof ResizeObserver === 'undefined') return
    const { pane, box } = measure()
    const observer = new ResizeObserver(() => {
      // It may be removed at this moment.
      if (!line.current) return
      const { size, max } = measure()
      setMeasured((was) => (was.size === size && was.max === max ? was : { size, max }))
    })
    for (const element of [pane, box]) if (element) observer.observe(element)
    return () => observer.disconnect()
  })
  const resize = (to: number) => onResize(Math.round(Math.min(measure().max, Math.max(min, to))))
  const direction = sizes === 'before' ? 1 : -1
  const [back, forth] = stacked ? ['ArrowUp', 'ArrowDown'] : ['ArrowLeft', 'ArrowRight']
  const sizeAfterKey = (key: string): number | undefined => {
    if (key === back || key === forth) return measure().size + (key === forth ? STEP : -STEP) * direction
    if (key === 'Home' || key === 'End') return (key === 'Home') === (sizes === 'before') ? 0 : Number.MAX_SAFE_INTEGER
    return undefined
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that has the focus and a value is no thematic break.
    <div
      ref={line}
      className={styles.splitter}
      role="separator"
      data-sizes={sizes}
      aria-orientation={stacked ? 'horizontal' : 'vertical'}
      aria-label={label}
      aria-valuenow={size}
      aria-valuemin={min}
      aria-valuemax={max}
      aria-valuetext={`${size} pixels`}
      tabIndex={0}
      title="Drag, or use the arrow keys. A double click resets it."
      onKeyDown={(event) => {
        const to = sizeAfterKey(event.key)
        if (to === undefined) return
        event.preventDefault()
        resize(to)
      }}
      onDoubleClick={() => onResize(undefined)}
      onPointerDown={(event) => {
        if (event.button !== 0) return
        event.preventDefault()
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = { at: stacked ? event.clientY : event.clientX, size: measure().size }
      }}
      onPointerMove={({ clientX, clientY }) => {
        if (!start.current) return
        const by = (stacked ? clientY : clientX) - start.current.at
        if (by !== 0) resize(start.current.size + by * direction)
      }}
      onLostPointerCapture={() => {
        start.current = null
      }}
    />
  )
}

/**
 * The size of a pane that this browser remembers under a key, as a style of a box around it. Until the user changes it, it is `initial`,
 * or what the stylesheet says.
 */
export function usePaneSize(key: string, property: `--${string}`, initial?: number) {
  const stored = `sandbank.layout.size.${key}`
  const [size, setSize] = useState(() => {
    const last = readStored('localStorage', stored)
    return typeof last === 'number' ? last : undefined
  })
  const used = size ?? initial
  return {
    size: used,
    style: (used === undefined ? {} : { [property]: `${used}px` }) as React.CSSProperties,
    onResize: (next: number | undefined) => {
      setSize(next)
      writeStored('localStorage', stored, next)
    },
  }
}
