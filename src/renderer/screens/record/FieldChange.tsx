import { Status, statusGlyphs } from '../../components/Status.tsx'
import { TIMESTAMP } from '../../components/Value.tsx'
import { formatAmount } from '../../format/numbers.ts'
import { truncate } from '../../format/text.ts'
import { formatInstant } from '../../format/time.ts'
import { BreakableText, Text } from '../../ui/Text.tsx'
import styles from './FieldChange.module.css'

interface FieldChangeProps {
  readonly field: string
  readonly from: unknown
  readonly to: unknown
}

/** `status pending → settled`, or only the new value if there was none before. */
export function FieldChange({ field, from, to }: FieldChangeProps) {
  return (
    <>
      <span className={`faint ${styles.before}`}>
        <BreakableText>{field}</BreakableText>
      </span>{' '}
      <span className={styles.values}>
        {from !== null && (
          <>
            <ChangedValue value={from} /> <span className={styles.before}>→</span>{' '}
          </>
        )}
        <ChangedValue value={to} />
      </span>
    </>
  )
}

function ChangedValue({ value }: { value: unknown }) {
  if (value === null || value === undefined) return <span className="faint">null</span>
  if (typeof value !== 'string') return <span className="mono">{JSON.stringify(value)}</span>
  if (value in statusGlyphs) return <Status word={value} breaks />
  if (TIMESTAMP.test(value))
    return (
      <time className="nowrap" dateTime={value}>
        {formatInstant(Date.parse(value))}
      </time>
    )
  return <Text className="wrap">{formatAmount(truncate(value))}</Text>
}
