import { type CollectionName, isCollection } from '../data/collections.ts'
import { useQuery } from '../data/use-query.ts'
import { Glyph } from '../ui/Glyph.tsx'
import { GlyphText } from '../ui/GlyphText.tsx'
import { RecordLink } from './RecordLink.tsx'
import {
  describeReturn,
  isReturn,
  isReturnType,
  type PaymentReturn,
  RETURN_FIELDS,
  type ReturnablePayment,
} from './returned.ts'

/** Says that a payment was returned, or which payment a return moves back, with a link to the other one. */

/** The mark of a returned payment in a row. */
export function ReturnedMark({ of, inTable = false }: { of: PaymentReturn; inTable?: boolean }) {
  return (
    <GlyphText signal="bad" data-returned="">
      <Glyph name="broken" />
      {of.uid === undefined ? (
        <span>{of.text}</span>
      ) : (
        <RecordLink
          collection="transactions"
          uid={of.uid}
          inTable={inTable}
          title={`${of.is === 'returned' ? 'Open the return' : 'Open the returned payment'}, Transaction ${of.uid}`}
        >
          {of.text}
        </RecordLink>
      )}
    </GlyphText>
  )
}

type Fields = Readonly<Record<string, unknown>>

/** The same for one record: a Transaction, or a Transfer, whose returns are further Transactions of it. */
export function ReturnedLine({ collection, uid, fields }: { collection: CollectionName; uid: string; fields: Fields }) {
  const found = usePaymentReturn(collection, uid, fields)
  const code = (fields as unknown as ReturnablePayment).ach?.ach_return_code
  if (!found) return null
  return (
    <span data-return-line className={found.is === 'returned' ? 'bad' : 'soft'}>
      {found.is === 'returned' && <Glyph name="broken" />} {found.text}
      {found.uid !== undefined && (
        <>
          {found.is === 'returned' ? ' by ' : ' '}
          <RecordLink
            collection="transactions"
            uid={found.uid}
            title={found.uid}
          >{`Transaction ${found.uid.slice(0, 4)}…`}</RecordLink>
          {found.is === 'return' && code != null && ` with ${code}`}
        </>
      )}
    </span>
  )
}

function usePaymentReturn(collection: CollectionName, uid: string, fields: Fields): PaymentReturn | null {
  const mayHave = mayHaveReturn(collection, fields)
  const { data: related } = useQuery('records.related', mayHave ? { collection, uid } : null, ['transactions'])
  const group = related?.related.find((one) => isCollection(one.collection) && one.collection === 'transactions')
  const uids = (group?.records ?? []).map((one) => one.uid)
  const { data } = useQuery(
    'records.list',
    uids.length === 0
      ? null
      : { collection: 'transactions', uids, fields: RETURN_FIELDS, include_zero: true, limit: uids.length },
    ['transactions'],
  )
  if (!mayHave || !data) return null
  const others = data.data as unknown as readonly ReturnablePayment[]
  if (isReturnType(String(fields.type)))
    return { is: 'return', uid: others.find(({ type }) => !isReturnType(type))?.uid, text: 'returns' }
  const by = others.find(isReturn)
  return by ? { is: 'returned', uid: by.uid, text: describeReturn(by) } : null
}

/** Most payments have no return: nothing is asked for them. */
function mayHaveReturn(collection: CollectionName, fields: Fields): boolean {
  if (collection === 'transfers') return Array.isArray(fields.transaction_uids) && fields.transaction_uids.length > 1
  if (collection !== 'transactions') return false
  const { type, return_uid, ach } = fields as unknown as ReturnablePayment
  return isReturnType(type) || return_uid != null || ach?.ach_return_code != null
}
