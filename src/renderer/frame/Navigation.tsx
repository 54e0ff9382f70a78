import { Keyboard } from 'lucide-react'
import { collections } from '../collections.ts'
import { count } from '../format.ts'
import { type ListedScreen, places } from '../screens.tsx'
import { useFeed } from '../stores/feed.ts'
import { useAddress, useView } from '../stores/view.ts'
import { useProgram } from '../use-program.ts'
import { useQuery } from '../use-query.ts'

export function Navigation({ showKeys }: { showKeys: () => void }) {
  const program = useProgram()
  const requests = useFeed(
    ({ exchanges }) => exchanges.filter((e) => e.program_uid === null || e.program_uid === program?.uid).length,
  )
  const faults = useFeed((feed) => feed.faults.length)
  const due = useFeed((feed) => feed.clock?.due)
  return (
    <nav className="nav" aria-label="Screens">
      <Place screen="connect" />
      <Place screen="requests" n={requests} />
      <h2>Records</h2>
      <Place screen="customers" n={useTotal('customers', { include_initiated: true })} />
      <Place screen="accounts" n={useTotal('synthetic_accounts')} />
      <Place screen="payments" n={useTotal('transactions')} />
      <Place screen="vrns" n={useTotal('virtual_reference_numbers')} />
      <h2>Hands on the world</h2>
      <Place screen="time" n={due} unit="due" />
      <Place screen="inject" />
      <Place screen="scenarios" />
      <Place screen="snapshots" />
      <Place screen="faults" n={faults} />
      <span className="apart" />
      <Place screen="reference" />
      <Place screen="settings" />
      <button type="button" className="btn keys" data-bare onClick={showKeys}>
        <Keyboard size={14} strokeWidth={1.5} aria-hidden="true" />
        Keys <kbd>?</kbd>
      </button>
    </nav>
  )
}

function useTotal(collection: string, filters: object = {}): number | undefined {
  const program_uid = useProgram()?.uid
  const input = program_uid === undefined ? null : { collection, program_uid, limit: 0, ...filters }
  return useQuery('records.list', input, [collection]).data?.total_count
}

interface PlaceProps {
  readonly screen: ListedScreen
  readonly n?: number | undefined
  readonly unit?: string
}

function Place({ screen, n, unit }: PlaceProps) {
  const here = useView((view) =>
    view.screen === 'record' && view.collection !== null
      ? collections[view.collection].home === screen
      : view.screen === screen,
  )
  const { icon: Icon, name } = places[screen]
  return (
    <a href={useAddress({ screen })} aria-current={here ? 'page' : undefined}>
      <Icon size={14} strokeWidth={1.5} aria-hidden="true" />
      {name}
      <span className="n">{n === undefined ? '' : `${count(n)}${unit ? ` ${unit}` : ''}`}</span>
    </a>
  )
}
