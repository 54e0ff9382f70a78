import { Fragment, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { escapeControls, MAX_LENGTH, truncate } from '../format/text.ts'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'

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
