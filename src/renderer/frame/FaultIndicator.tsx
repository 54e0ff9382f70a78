import { Popover } from '@base-ui/react/popover'
import { Zap } from 'lucide-react'
import { useState } from 'react'
import { Go } from '../components/ScreenLink.tsx'
import { clearFaults } from '../data/faults.ts'
import { useFeed } from '../data/feed.ts'
import { sayFault } from '../format/faults.ts'
import { count, many } from '../format/numbers.ts'
import { Text } from '../ui/Text.tsx'

/** While requests meet with misfortune, every screen says so: nobody hunts for a fault that was ordered. */
export function FaultSign() {
  const faults = useFeed((feed) => feed.faults)
  const [error, setError] = useState<string | null>(null)
  if (faults.length === 0) return null
  const words = faults.map(sayFault).join('; ')
  return (
    <Popover.Root onOpenChange={() => setError(null)}>
      <Popover.Trigger className="faultsign" title={words} openOnHover delay={150}>
        <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
        {many(faults.length, 'fault')} set
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
                  <Text className="wrap">{sayFault(fault)}</Text>
                  <span className="faint">met {count(fault.met)}</span>
                </li>
              ))}
            </ul>
            <div className="body">
              {error !== null && <p className="data bad">{error}</p>}
              <span className="row">
                <button type="button" className="btn" onClick={async () => setError(await clearFaults())}>
                  Clear {faults.length === 1 ? 'it' : 'them'}
                </button>
                <Go screen="faults" className="data">
                  Faults
                </Go>
              </span>
            </div>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
