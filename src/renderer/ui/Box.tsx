import styles from './Box.module.css'
import { cx } from './cx.ts'

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

type Fixed = { readonly [data: string]: string | undefined }

const length = (value: number | string | undefined) =>
  value === undefined ? undefined : `${String(value).replaceAll(/\d+/g, '$&px')}`

function drawBox(name: string | undefined, fixed: Fixed, columns: string | undefined, props: BoxProps) {
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
