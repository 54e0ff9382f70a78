import { Fragment, useState } from 'react'
import { formatCount } from '../format/numbers.ts'
import { escapeControls, MAX_LENGTH, truncate } from '../format/text.ts'
import { Button } from './Button.tsx'
import { CopyButton } from './CopyButton.tsx'

/** What somebody stored. Isolated, so that a mark of direction in it turns nothing around it. */
export function Text({ children, className }: { children: string; className?: string | undefined }) {
  return <bdi className={className}>{escapeControls(children)}</bdi>
}

/** Chromium shapes a word anew for each line that it breaks it into: over 10,000 letters, seconds. Pieces are short words. */
const PIECE = /.{1,100}/gsu

/** What somebody stored at length: its beginning, and all of it when asked for. */
export function LongText({ children }: { children: string }) {
  const [whole, setWhole] = useState(false)
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
        {whole
          ? escapeControls(children)
              .match(PIECE)!
              .map((piece, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a piece of a text is known by its place.
                <span key={at}>{piece}</span>
              ))
          : escapeControls(truncate(children))}
      </bdi>{' '}
      <span className="nowrap">
        <Button small aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? 'Less' : `All ${length}`}
        </Button>
        <CopyButton text={children} what={`all ${length}`} small />
      </span>
    </>
  )
}

/** Shorter ones have room wherever they stand. */
const LONG = 16

/** A name or a path of the interface: a long one breaks between its words where there is no room for all of it. */
export function BreakableText({ children }: { children: string }) {
  const text = escapeControls(children)
  const parts = text.length > LONG ? text.split(/(?<=[_./])/) : [text]
  return (
    <bdi>
      {parts.map((part, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part of a name is known by its place.
        <Fragment key={at}>
          {at > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
