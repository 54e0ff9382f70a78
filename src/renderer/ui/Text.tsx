import { Fragment, useState } from 'react'
import {
  escapeControls,
  formatAmount,
  formatCount,
  formatLongDay,
  formatShortDay,
  formatTimeOfDay,
  MAX_LENGTH,
  MINUS,
  truncate,
} from '../format/text.ts'
import { Button, CopyButton } from './Button.tsx'
import { cx } from './cx.ts'
import styles from './Text.module.css'

/** Stored text. Isolated with `bdi`, so that bidirectional marks in it do not affect the text around it. */
export function Text({ children, className }: { children: string; className?: string | undefined }) {
  return <bdi className={className}>{escapeControls(children)}</bdi>
}

/** Chromium takes seconds to break a word of 10,000 letters into lines, so long texts are split into pieces. */
const PIECE = /.{1,100}/gsu

/** Stored text that may be long: its beginning, and a button for all of it. */
export function LongText({ children }: { children: string }) {
  const [isWhole, setWhole] = useState(false)
  if (children.length <= MAX_LENGTH)
    return (
      <span className="wrap">
        <BreakableText>{children}</BreakableText>
      </span>
    )
  const length = `${formatCount(children.length)} characters`
  return (
    <>
      <bdi className="wrap">
        {isWhole
          ? escapeControls(children)
              .match(PIECE)!
              .map((piece, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their index.
                <span key={at}>{piece}</span>
              ))
          : escapeControls(truncate(children))}
      </bdi>{' '}
      <span className="nowrap">
        <Button small aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? 'Less' : `All ${length}`}
        </Button>
        <CopyButton text={children} what={`all ${length}`} small />
      </span>
    </>
  )
}

/** Shorter names never need to break. */
const MIN_BREAKABLE = 16

/** A name or a path that may break after `_`, `.` and `/`. */
export function BreakableText({ children }: { children: string }) {
  const text = escapeControls(children)
  const parts = text.length > MIN_BREAKABLE ? text.split(/(?<=[_./])/) : [text]
  return (
    <bdi>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of a name are identified by their index.
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}

interface AmountProps {
  /** As in the API, e.g. `-1234.50`. Null is shown as `null`, a missing value as a dash. */
  readonly value: string | null | undefined
  /** A movement always has a sign; a balance only a minus. */
  readonly movement?: boolean
  readonly pending?: boolean
}

/** An amount as on a bank statement. */
export function Amount({ value, movement = false, pending = false }: AmountProps) {
  if (value == null)
    return (
      <span className="nowrap faint" data-amount="">
        {value === null ? 'null' : '–'}
      </span>
    )
  const text = formatAmount(value, movement)
  const isBelow = !movement && text.startsWith(MINUS)
  const tone = isBelow ? 'bad' : text === '0.00' ? 'faint' : pending && 'soft'
  return (
    <span
      className={cx('nowrap', tone)}
      data-amount=""
      data-pending={pending ? '' : undefined}
      data-below={isBelow ? '' : undefined}
    >
      {text}
    </span>
  )
}

interface TimeProps extends React.ComponentProps<'time'> {
  readonly at: string
  readonly format: (ms: number) => string
}

/** An instant as text. Its tooltip has it in UTC. */
export const Time = ({ at, format, ...time }: TimeProps) => (
  <time dateTime={at} title={at} {...time}>
    {format(Date.parse(at))}
  </time>
)

interface RowTimeProps {
  readonly at: string
  /** The instant of the row above. */
  readonly above: string | undefined
}

/** The time of a row; below it the day, if it is not that of the row above. */
export function RowTime({ at, above }: RowTimeProps) {
  const ms = Date.parse(at)
  const isNewDay = above === undefined || formatLongDay(ms) !== formatLongDay(Date.parse(above))
  return (
    <>
      <Time at={at} format={formatTimeOfDay} />
      {isNewDay && <span className="meta hint">{formatShortDay(ms)}</span>}
    </>
  )
}

/** A sentence of the contract; text in backticks is shown as code. */
export function Prose({ children }: { children: string }) {
  return children.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of the text are identified by their index.
      <code key={at}>{part}</code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <Fragment key={at}>{part !== '' && <Text>{part}</Text>}</Fragment>
    ),
  )
}

/** Status symbols that differ by shape, not only by color. Drawn on a 10 × 10 grid, in the text color. */

export type GlyphName =
  | 'not-begun'
  | 'under-way'
  | 'done'
  | 'decide'
  | 'held'
  | 'broken'
  | 'stopped'
  | 'closed'
  | 'repeats'

const paths: Readonly<Record<GlyphName, React.ReactNode>> = {
  'not-begun': <circle cx="5" cy="5" r="3.9" />,
  'under-way': (
    <>
      <circle cx="5" cy="5" r="3.9" />
      <path d="M5 1a4 4 0 0 0 0 8z" fill="currentColor" stroke="none" />
    </>
  ),
  done: <circle cx="5" cy="5" r="4.6" fill="currentColor" stroke="none" />,
  decide: <path d="M5 .9 9.1 5 5 9.1.9 5zM5 3.4v1.9M5 6.2v.9" />,
  held: <path d="M2 1h2.2v8H2zM5.8 1H8v8H5.8z" fill="currentColor" stroke="none" />,
  broken: <path d="m1.6 1.6 6.8 6.8M8.4 1.6 1.6 8.4" strokeWidth="1.8" />,
  stopped: (
    <>
      <circle cx="5" cy="5" r="3.9" />
      <path d="m2.3 7.7 5.4-5.4" />
    </>
  ),
  closed: <path d="M1 1h8v8H1z" fill="currentColor" stroke="none" />,
  repeats: <path d="M8.6 5a3.6 3.6 0 1 1-1-2.5M7.9.6v2.1H5.8" strokeWidth="1.3" />,
}

export function Glyph({ name, size = 10, ...place }: { name: GlyphName; size?: number; x?: number; y?: number }) {
  return (
    <svg
      {...place}
      width={size}
      height={size}
      viewBox="0 0 10 10"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.4"
      aria-hidden="true"
      data-shape={name}
    >
      {paths[name]}
    </svg>
  )
}

export type Signal = 'wait' | 'bad' | 'soft' | undefined

interface GlyphTextProps extends React.ComponentProps<'span'> {
  readonly signal?: Signal
  readonly glyph?: GlyphName
  /** Long words may break if space is short. */
  readonly breaks?: boolean
}

/** A glyph with its text, in the color of the signal. */
export function GlyphText({ signal, glyph, breaks, className, children, ...span }: GlyphTextProps) {
  return (
    <span
      className={cx(styles.text, signal, className)}
      data-signal={signal}
      data-breaks={breaks ? '' : undefined}
      data-glyph-text=""
      {...span}
    >
      {glyph && <Glyph name={glyph} />}
      {children}
    </span>
  )
}

/** Names with values. `--name` is the width of the names. */
export const PropertyList = ({ className, ...list }: React.ComponentProps<'dl'>) => (
  <dl className={cx('data', styles.list, className)} {...list} />
)

/** One property. */
export function Property({ name, children }: { name: string; children: React.ReactNode }) {
  return (
    <>
      <dt title={name}>
        <BreakableText>{name}</BreakableText>
      </dt>
      <dd>{children}</dd>
    </>
  )
}
