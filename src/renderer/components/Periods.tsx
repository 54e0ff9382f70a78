import { useEffect, useRef } from 'react'
import type { Period } from '../../api/contract/control/period.ts'
import { markChanged, useNow } from '../data/feed.ts'
import { Chip } from '../ui/Button.tsx'

/** The periods that end now, to choose one. */

const PERIODS: readonly { readonly value: Period; readonly label: string }[] = [
  { value: 'hour', label: 'Last hour' },
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: '30 days' },
  { value: 'all', label: 'All' },
]

interface PeriodsProps {
  /** null if the time is not one of them. */
  readonly value: Period | null
  readonly onChange: (period: Period) => void
}

export const Periods = ({ value: chosen, onChange }: PeriodsProps) => (
  <span className="row" data-tight>
    {PERIODS.map(({ value, label }) => (
      <Chip key={value} pressed={value === chosen} onClick={() => onChange(value)}>
        {label}
      </Chip>
    ))}
  </span>
)

/** For queries that watch `clock`: a period ends now, so what it contains changes with the time. */
export function useMovingPeriod() {
  const minute = useNow(60_000)
  const known = useRef(minute)
  useEffect(() => {
    if (known.current !== minute) markChanged('clock')
    known.current = minute
  }, [minute])
}
