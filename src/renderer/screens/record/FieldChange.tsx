import { Status, statusGlyphs } from '../../components/Status.tsx'
import { TIMESTAMP } from '../../components/Value.tsx'
import { formatAmount } from '../../format/numbers.ts'
import { truncate } from '../../format/text.ts'
import { formatInstant } from '../../format/time.ts'
import { BreakableText, Text } from '../../ui/Text.tsx'

interface FieldChangeProps {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

const isStatus = (value: unknown): value is string => typeof value === 'string' && value in statusGlyphs
/** The old and the new value wrap to the next line together, if they fit there. A long status breaks instead. */
const TOGETHER = { display: 'inline-block', maxWidth: '100%', verticalAlign: 'top' } as const

/** `status pending → settled`, or only the new value if there was none before. */
export function FieldChange({ field, from, to }: FieldChangeProps) {
  return (
    <div>
      <span className="faint">
        <BreakableText>{field}</BreakableText>
      </span>{' '}
      <span style={isStatus(from) || isStatus(to) ? undefined : TOGETHER}>
        {from !== null && (
          <>
            <ChangedValue value={from} /> →{' '}
          </>
        )}
        <ChangedValue value={to} />
      </span>
    </div>
  )
}

function ChangedValue({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="faint">null</span>
  if (typeof value !== 'string') return <span className="mono">{JSON.stringify(value)}</span>
  if (isStatus(value)) return <Status word={value} breaks />
  if (TIMESTAMP.test(value))
    return (
      <time className="nowrap" dateTime={value}>
        {formatInstant(Date.parse(value))}
      </time>
    )
  return <Text className="wrap">{formatAmount(truncate(value))}</Text>
}
