import { Progress } from '@base-ui/react/progress'

const BAR = { height: 'var(--meter-height, 6px)' }
const TRACK = { ...BAR, width: 'var(--meter-width, 128px)', background: 'var(--line-strong)' }
const DONE = { ...BAR, background: 'var(--meter-color, var(--accent))' }

/** A progress bar; without a value it only shows activity. */
export const Meter = ({ value, max, label }: { value: number | null; max: number; label: string }) => (
  <Progress.Root value={value} max={Math.max(1, max)} aria-label={label}>
    <Progress.Track style={TRACK}>
      <Progress.Indicator style={DONE} />
    </Progress.Track>
  </Progress.Root>
)
