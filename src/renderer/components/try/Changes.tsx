import type { WorldChanges } from '../../../api/contract/control/changes.ts'
import { formatCount, formatShortInstant } from '../../format/text.ts'
import { Line, Section } from '../../ui/Layout.tsx'
import { Text, Time } from '../../ui/Text.tsx'
import { Differences } from '../differences/Differences.tsx'

/** What would change in this world: sentences, balances and records as in every comparison, events, tasks. */
export function Changes(changes: WorldChanges) {
  const { clock, events, tasks, total_count } = changes
  const part = (name: keyof typeof total_count, shown: number) => ({
    note: total_count[name] > shown ? `the first ${shown} of ${formatCount(total_count[name])}` : formatCount(shown),
    line: 'top' as const,
  })
  return (
    <>
      {clock.before !== clock.after && (
        <Line as="p">
          Clock <Time className="soft" at={clock.before} format={formatShortInstant} /> →{' '}
          <Time at={clock.after} format={formatShortInstant} />
        </Line>
      )}
      <Differences changes={changes} isTried />
      {events.length > 0 && (
        <Section title="Events" {...part('events', events.length)}>
          <ul>
            {events.map(({ uid, topic, event_type, sent_to }) => (
              <Line key={uid}>
                <code>{`${topic}.${event_type}`}</code>
                <span className="cut soft">
                  {sent_to.length > 0 ? `to ${sent_to.join(', ')}` : 'no webhook gets it'}
                </span>
              </Line>
            ))}
          </ul>
        </Section>
      )}
      {tasks.length > 0 && (
        <Section title="Scheduled" {...part('tasks', tasks.length)}>
          <ul>
            {tasks.map(({ uid, due_at, why }) => (
              <Line key={uid}>
                <Time className="soft nowrap" at={due_at} format={formatShortInstant} />
                <Text>{why}</Text>
              </Line>
            ))}
          </ul>
        </Section>
      )}
    </>
  )
}
