import styles from './DayScale.module.css'
import { type Day, formatDayLabel } from './day-scale.ts'

interface DayScaleProps {
  readonly days: readonly Day[]
  /** In pixels, as `useWidth` measures it. */
  readonly width: number
  readonly ref: React.Ref<HTMLDivElement>
  readonly large?: boolean
  /** Says in words what it shows, with its marks. Without it, a box around it does. */
  readonly label?: string
  /** Marks on the days, placed by `positionOnScale`. */
  readonly children: React.ReactNode
}

/** A row of days. Days on which banks are closed are narrower. */
export function DayScale({ days, width, ref, large = false, label, children }: DayScaleProps) {
  const last = days.at(-1)
  const total = last ? last.left + last.width : 1
  return (
    <div
      className={styles.days}
      data-large={large ? '' : undefined}
      ref={ref}
      {...(label ? { role: 'img', 'aria-label': label } : {})}
    >
      {days.map((day) => {
        const share = day.width / total
        return (
          <span
            key={day.end}
            className={styles.day}
            data-closed={day.closed ? '' : undefined}
            title={day.holiday}
            style={{ flexGrow: share }}
          >
            {share * width > 24 ? formatDayLabel(day, day === days[0], share * width) : ''}
          </span>
        )
      })}
      {children}
    </div>
  )
}
