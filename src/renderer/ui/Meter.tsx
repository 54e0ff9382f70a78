import { Progress } from '@base-ui/react/progress'
import styles from './Meter.module.css'

/** A progress bar; without a value it only shows activity. */
export function Meter({ value, max, label }: { value: number | null; max: number; label: string }) {
  return (
    <Progress.Root value={value} max={Math.max(1, max)} aria-label={label}>
      <Progress.Track className={styles.meter}>
        <div>
          <Progress.Indicator />
        </div>
      </Progress.Track>
    </Progress.Root>
  )
}
