import { Zap } from 'lucide-react'
import { ActionButton } from '../actions/ActionButton.tsx'
import { clearFaultsAction } from '../actions/world.ts'
import { ScreenLink } from '../components/ScreenLink.tsx'
import { useFeed } from '../data/feed.ts'
import { formatFault } from '../format/faults.ts'
import { formatCount, plural } from '../format/numbers.ts'
import { Row } from '../ui/Box.tsx'
import { PlainButton } from '../ui/Button.tsx'
import { Text } from '../ui/Text.tsx'
import styles from './FaultIndicator.module.css'
import { Popover } from './late.tsx'

/** Shows on every screen that faults are active, so that an injected failure is not mistaken for a bug. */
export function FaultIndicator() {
  const faults = useFeed((feed) => feed.faults)
  if (faults.length === 0) return null
  const list = faults.map(formatFault).join('; ')
  return (
    <Popover
      trigger={
        <PlainButton className={styles.indicator} title={list}>
          <Zap size={12} strokeWidth={1.8} aria-hidden="true" />
          {plural(faults.length, 'fault')} active
          <span className="unseen">{list}</span>
        </PlainButton>
      }
      title="Faults are active"
      side="top"
      hoverDelay={150}
    >
      <ul>
        {faults.map((fault, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: faults have no id; they are a list in order.
          <Row key={index} as="li" gap={8} pad="2 12" least={28} text="data" line="bottom">
            <Text className="wrap grow">{formatFault(fault)}</Text>
            <span className="faint">applied {formatCount(fault.met)}×</span>
          </Row>
        ))}
      </ul>
      <Row gap={8} pad={12}>
        <ActionButton action={clearFaultsAction()}>Clear all</ActionButton>
        <ScreenLink screen="faults" className="data">
          Faults
        </ScreenLink>
      </Row>
    </Popover>
  )
}
