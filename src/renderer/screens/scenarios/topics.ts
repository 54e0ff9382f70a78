import type { ScenarioInfo } from '../../../api/contract/control/scenarios.ts'
import type { PickGroup } from '../../ui/PickList.tsx'

/** The library by rail and topic: the beginnings of its file names. */
const TOPICS: readonly (readonly [title: string, beginnings: readonly string[]])[] = [
  ['Worlds to start from', ['a-funded-customer']],
  ['Onboarding', ['onboarding-', 'customers-']],
  ['ACH', ['ach-']],
  ['Wires', ['wire-']],
  ['Instant payments', ['instant-payment-']],
  ['VRNs', ['vrn-']],
  ['Transfers', ['transfers-', 'combined-transfer', 'movements-']],
  ['Returns', ['returns-']],
  ['Limits', ['limits-']],
  ['Archival', ['archival-', 'accounts-']],
  ['Webhooks', ['webhooks-']],
  ['Programs and tokens', ['programs-', 'tokens-']],
  ['Requests and faults', ['requests-', 'duplicate-', 'faults-', 'sandbox-']],
]

const OWN = 'Your scenarios'
const OTHER = 'Other'

const topicOf = ({ name, own }: Pick<ScenarioInfo, 'name' | 'own'>): string =>
  own ? OWN : (TOPICS.find(([, all]) => all.some((beginning) => name.startsWith(beginning)))?.[0] ?? OTHER)

/** The scenarios of the user first, then the library. A search for a topic finds its scenarios. */
export function groupByTopic(all: readonly ScenarioInfo[], q: string): PickGroup<ScenarioInfo>[] {
  const text = q.trim().toLowerCase()
  const found = all.filter((info) =>
    `${info.name}\n${info.title}\n${info.teaches ?? ''}\n${topicOf(info)}`.toLowerCase().includes(text),
  )
  return [OWN, ...TOPICS.map(([title]) => title), OTHER]
    .map((title) => ({ title, items: found.filter((info) => topicOf(info) === title) }))
    .filter(({ items }) => items.length > 0)
}
