import { EventDetails } from '../../components/webhooks/EventDetails.tsx'
import { useQuery } from '../../data/use-query.ts'

/** On the page of a webhook event: its deliveries and its body. */
export function Deliveries({ uid }: { uid: string }) {
  const { data } = useQuery('events.get', { uid }, ['webhook_events', 'webhook_deliveries', 'webhook_attempts'])
  return data && <EventDetails event={data} />
}
