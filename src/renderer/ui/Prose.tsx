import { Fragment } from 'react'
import { Text } from './Text.tsx'

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
