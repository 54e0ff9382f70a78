import { formatLongDay, formatShortDay, newYork } from '../format/time.ts'

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
      <time dateTime={at} title={at}>
        {newYork(ms).time}
      </time>
      {isNewDay && <span className="meta hint">{formatShortDay(ms)}</span>}
    </>
  )
}
