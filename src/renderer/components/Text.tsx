import { Fragment } from 'react'
import { shown } from '../words.ts'

/** What somebody stored. Isolated, so that a mark of direction in it turns nothing around it. */
export function Text({ children, className }: { children: string; className?: string }) {
  return <bdi className={className}>{shown(children)}</bdi>
}

/** Shorter ones have room wherever they stand. */
const LONG = 24

/** A name or a path of the interface: a long one breaks between its words where there is no room for all of it. */
export function Breaking({ children }: { children: string }) {
  const text = shown(children)
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
