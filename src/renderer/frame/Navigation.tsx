import { Keyboard, List, ListVideo, Plug, User, Zap } from 'lucide-react'
import { count } from '../format.ts'
import { useFeed } from '../stores/feed.ts'
import { type Screen, useAddress, useView } from '../stores/view.ts'
import { useProgram } from '../use-program.ts'
import { useQuery } from '../use-query.ts'

const icons = { connect: Plug, requests: List, customers: User, scenarios: ListVideo, faults: Zap }

export function Navigation({ showKeys }: { showKeys: () => void }) {
  const program = useProgram()
  const requests = useFeed(
    ({ exchanges }) => exchanges.filter((e) => e.program_uid === null || e.program_uid === program?.uid).length,
  )
  const faults = useFeed((feed) => feed.faults.length)
  const customers = useQuery(
    'records.list',
    program ? { collection: 'customers', program_uid: program.uid, include_initiated: true, limit: 0 } : null,
    ['customers'],
  ).data?.total_count
  return (
    <nav className="nav" aria-label="Screens">
      <Place screen="connect">Connect</Place>
      <Place screen="requests" n={requests}>
        Requests
      </Place>
      <h2>Records</h2>
      <Place screen="customers" n={customers}>
        Customers
      </Place>
      <h2>Hands on the world</h2>
      <Place screen="scenarios">Scenarios</Place>
      <Place screen="faults" n={faults}>
        Faults
      </Place>
      <button type="button" className="btn keys" data-bare onClick={showKeys}>
        <Keyboard size={14} strokeWidth={1.5} aria-hidden="true" />
        Keys <kbd>?</kbd>
      </button>
    </nav>
  )
}

function Place({ screen, n, children }: { screen: Screen; n?: number | undefined; children: string }) {
  const here = useView((view) => view.screen === screen)
  const Icon = icons[screen]
  return (
    <a href={useAddress({ screen })} aria-current={here ? 'page' : undefined}>
      <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      {children}
      <span className="n">{n === undefined ? '' : count(n)}</span>
    </a>
  )
}
