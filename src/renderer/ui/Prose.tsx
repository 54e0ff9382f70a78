import { Fragment } from 'react'
import { Text } from './Text.tsx'

/** A sentence of the contract: what stands between backticks is a word of the interface. */
export function Prose({ children }: { children: string }) {
  return children.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part of a sentence is known by its place.
      <code key={at}>{part}</code>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above.
      <Fragment key={at}>{part !== '' && <Text>{part}</Text>}</Fragment>
    ),
  )
}
