import { formatInstant } from '../format/text.ts'
import { LongText, Text, Time } from '../ui/Text.tsx'
import { Status, statusGlyphs } from './Status.tsx'

export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/

/** Any value of a record. Null is shown as `null`, a missing value as a dash. */
export function Value({ name, value }: { name: string; value: unknown }) {
  if (value === undefined) return <span className="faint">–</span>
  if (value === null) return <span className="faint">null</span>
  if (Array.isArray(value)) {
    if (value.length === 0) return <span className="faint">none</span>
    return value.map((part: unknown, at) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: array items are identified by their index.
      <div key={at}>
        <Value name={name} value={part} />
      </div>
    ))
  }
  if (typeof value === 'object') return <Text className="mono">{JSON.stringify(value)}</Text>
  if (typeof value !== 'string') return String(value)
  if (/status$/.test(name) && value in statusGlyphs) return <Status word={value} />
  if (TIMESTAMP.test(value)) return <Time at={value} format={formatInstant} />
  if (value === '') return <span className="faint">empty text</span>
  return <LongText>{value}</LongText>
}
