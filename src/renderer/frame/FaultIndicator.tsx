import { Zap } from 'lucide-react'
import { useState } from 'react'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { clearFaults } from '../data/faults.ts'
import { useFeed } from '../data/feed.ts'
import { formatFault } from '../format/faults.ts'
import { formatCount, plural } from '../format/numbers.ts'
import { Button, PlainButton } from '../ui/Button.tsx'
import { Popover, PopoverBody } from '../ui/Popover.tsx'
import { Text } from '../ui/Text.tsx'
import styles from './FaultIndicator.module.css'

/** While requests meet with misfortune, every screen says so: nobody hunts for a fault that was ordered. */
export function FaultIndicator() {
  const faults = useFeed((feed) => feed.faults)
  const [error, setError] = useState<string | null>(null)
  if (faults.length === 0) return null
  const words = faults.map(formatFault).join('; ')
  return (
    <Popover
      trigger={
        <PlainButton className={styles.indicator} title={words}>
          <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
          {plural(faults.length, 'fault')} set
          <span className="unseen">{words}</span>
        </PlainButton>
      }
      title="Requests meet with misfortune"
      side="top"
      hoverDelay={150}
      onOpenChange={() => setError(null)}
    >
      <ul className={styles.list}>
        {faults.map((fault, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a fault is known by its place.
          <li key={at}>
            <Text className="wrap">{formatFault(fault)}</Text>
            <span className="faint">met {formatCount(fault.met)}</span>
          </li>
        ))}
      </ul>
      <PopoverBody>
        {error !== null && <p className="data bad">{error}</p>}
        <span className="row">
          <Button onClick={async () => setError(await clearFaults())}>
            Clear {faults.length === 1 ? 'it' : 'them'}
          </Button>
          <ScreenLink screen="faults" className="data">
            Faults
          </ScreenLink>
        </span>
      </PopoverBody>
    </Popover>
  )
}
