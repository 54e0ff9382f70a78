import type { PaymentReturn } from '../../api/contract/control/history.ts'
import { Glyph, GlyphText } from '../ui/Text.tsx'
import { RecordLink } from './ScreenLink.tsx'

/** Says that a payment was returned, or which payment a return moves back, with a link to the other one. */

interface ReturnedProps {
  readonly of: PaymentReturn
}

/** The mark of a returned payment in a row. */
export const ReturnedMark = ({ of: { uid, text } }: ReturnedProps) => (
  <GlyphText signal="bad" data-returned="">
    <Glyph name="broken" />
    <RecordLink collection="transactions" uid={uid} inTable title={`Open the return, Transaction ${uid}`}>
      {text}
    </RecordLink>
  </GlyphText>
)

interface ReturnedLineProps {
  readonly of: PaymentReturn | null | undefined
  /** Of the record that the line is about. */
  readonly fields: Readonly<Record<string, unknown>>
}

/** The same for one record: a Transaction or a Transfer. */
export function ReturnedLine({ of, fields }: ReturnedLineProps) {
  if (!of) return null
  const { is, uid, text } = of
  const code = (fields.ach as { readonly ach_return_code?: string } | undefined)?.ach_return_code
  const isReturned = is === 'returned'
  return (
    <span data-return-line className={isReturned ? 'bad' : 'soft'}>
      {isReturned && <Glyph name="broken" />} {text}
      {isReturned ? ' by ' : ' '}
      <RecordLink collection="transactions" uid={uid} title={uid}>{`Transaction ${uid.slice(0, 4)}…`}</RecordLink>
      {!isReturned && code !== undefined && ` with ${code}`}
    </span>
  )
}
