import { formatLongDay, formatShortDay, formatTimeOfDay } from '../format/time.ts'
import { Time } from './Time.tsx'

interface RowTimeProps {
  readonly at: string
  /** The instant of the row above. */
  readonly above: string | undefined
}

/** The time of a row; below it the day, if it is not that of the row above. */
export function RowTime({ at, above }: RowTimeProps) {
  const ms = Date.parse(at)
  const isNewDay = above === undefined || formatLongDay(ms) !== formatLongDay(Date.parse(above))
  return (
    <>
      <Time at={at} format={formatTimeOfDay} />
      {isNewDay && <span className="meta hint">{formatShortDay(ms)}</span>}
    </>
  )
}
