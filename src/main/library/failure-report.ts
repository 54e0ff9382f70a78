import type { ControlMethods } from './contract.ts'
import type { World } from './world.ts'

/** The requests and the timeline of a world, as lines to print. */

const MAX_LINES = 40
const MAX_CUSTOMERS = 50
const MAX_ENTRIES = 200

type Exchange = ControlMethods['exchanges.list']['output']['data'][number]
type Entry = ControlMethods['records.story']['output']['entries'][number]

export async function describeWorld({ control }: World): Promise<string[]> {
  const { data: exchanges, total_count } = await control.exchanges.list({ limit: MAX_LINES })
  const requests = exchanges.toReversed()
  const entries = await readTimeline(control)
  return [
    `  Requests (${total_count > requests.length ? `the last ${requests.length} of ${total_count}` : total_count})`,
    ...requests.map(formatRequest),
    `  Timeline (${entries.length > MAX_LINES ? `the last ${MAX_LINES} of ${entries.length}` : entries.length})`,
    ...entries.slice(-MAX_LINES).map(({ at, text }) => `    ${formatTime(at)}  ${text}`),
  ]
}

const formatRequest = ({ at, method, path, status, did }: Exchange) =>
  `    ${formatTime(at)}  ${method} ${path} → ${status || 'dropped'}  ${did}`

const formatTime = (at: string) => at.replace('T', ' ').replace(/\.000Z$/, 'Z')

const MAX_COMMITS = 1_000

/** What happened to all Customers in the test, oldest first. */
async function readTimeline(control: World['control']): Promise<Entry[]> {
  const { commits } = await control.world.commits({ limit: MAX_COMMITS })
  const created = commits.find(({ cause }) => cause.door === 'operator' && cause.name === 'world.create')
  const since = created?.seq ?? Math.min(...commits.map(({ seq }) => seq)) - 1
  const { data: listed } = await control.records.list({ collection: 'customers', limit: MAX_CUSTOMERS })
  // The list leaves out Customers that have not applied for a Product.
  const changed = commits.filter(({ seq }) => seq > since).flatMap(({ about }) => about)
  const customers = new Set([
    ...listed.map(({ uid }) => String(uid)),
    ...changed.filter(({ collection }) => collection === 'customers').map(({ uid }) => uid),
  ])
  const found = new Map<string, Entry>()
  for (const uid of customers) {
    const { entries } = await control.records.story({ uid, limit: MAX_ENTRIES })
    for (const entry of entries.toReversed())
      if (entry.kind !== 'request' && entry.seq !== null && entry.seq > since)
        found.set(`${entry.seq} ${entry.uid} ${entry.text}`, entry)
  }
  return [...found.values()].sort((a, b) => (a.seq ?? 0) - (b.seq ?? 0))
}
