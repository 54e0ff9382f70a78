import { Popover } from '@base-ui/react/popover'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { clearFaults } from '../data/faults.ts'
import { useFeed } from '../data/feed.ts'
import { formatFault } from '../format/faults.ts'
import { formatCount, plural } from '../format/numbers.ts'
import { Text } from '../ui/Text.tsx'

/** While requests meet with misfortune, every screen says so: nobody hunts for a fault that was ordered. */
export function FaultIndicator() {
  const faults = useFeed((feed) => feed.faults)
  const [error, setError] = useState<string | null>(null)
  if (faults.length === 0) return null
  const words = faults.map(formatFault).join('; ')
  return (
    <Popover.Root onOpenChange={() => setError(null)}>
      <Popover.Trigger className="faultsign" title={words} openOnHover delay={150}>
        <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
        {plural(faults.length, 'fault')} set
        <span className="unseen">{words}</span>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Positioner className="over" side="top" sideOffset={4} align="start" collisionPadding={8}>
          <Popover.Popup className="raised pop">
            <header>
              <Popover.Title>Requests meet with misfortune</Popover.Title>
            </header>
            <ul className="related">
              {faults.map((fault, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a fault is known by its place.
                <li key={at} style={{ gridTemplateColumns: 'minmax(0, 1fr) auto' }}>
                  <Text className="wrap">{formatFault(fault)}</Text>
                  <span className="faint">met {formatCount(fault.met)}</span>
                </li>
              ))}
            </ul>
            <div className="body">
              {error !== null && <p className="data bad">{error}</p>}
              <span className="row">
                <button type="button" className="btn" onClick={async () => setError(await clearFaults())}>
                  Clear {faults.length === 1 ? 'it' : 'them'}
                </button>
                <ScreenLink screen="faults" className="data">
                  Faults
                </ScreenLink>
              </span>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
