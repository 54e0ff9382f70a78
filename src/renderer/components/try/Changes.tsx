import type { WorldChanges } from '../../../api/contract/control/changes.ts'
import { formatCount, formatShortInstant } from '../../format/text.ts'
import { Line, Section } from '../../ui/Layout.tsx'
import { Text, Time } from '../../ui/Text.tsx'
import { Differences } from '../differences/Differences.tsx'

/** What would change in this world: sentences, balances and records as in every comparison, events, tasks. */
export function Changes(changes: WorldChanges) {
  const { clock, events, tasks, total_count } = changes
  return (
    <>
      {clock.before !== clock.after && (
        <Line as="p">
          Clock <Time className="soft" at={clock.before} format={formatShortInstant} /> →{' '}
          <Time at={clock.after} format={formatShortInstant} />
        </Line>
      )}
      <Differences changes={changes} isTried />
      <Part title="Events" shown={events} total={total_count.events}>
        {events.map(({ uid, topic, event_type, sent_to }) => (
          <Line key={uid}>
            <code>{`${topic}.${event_type}`}</code>
            <span className="cut soft">{sent_to.length > 0 ? `to ${sent_to.join(', ')}` : 'no webhook gets it'}</span>
          </Line>
        ))}
      </Part>
      <Part title="Scheduled" shown={tasks} total={total_count.tasks}>
        {tasks.map(({ uid, due_at, why }) => (
          <Line key={uid}>
            <Time className="soft nowrap" at={due_at} format={formatShortInstant} />
            <Text>{why}</Text>
          </Line>
        ))}
      </Part>
    </>
  )
}

interface PartProps {
  readonly title: string
  readonly shown: readonly unknown[]
  readonly total: number
  readonly children: React.ReactNode
}

const Part = ({ title, shown: { length }, total, children }: PartProps) =>
  length > 0 && (
    <Section title={title} note={total > length ? `the first ${length} of ${formatCount(total)}` : length} line="top">
      <ul>{children}</ul>
    </Section>
  )
