import { ListScreen } from '../../components/list/ListScreen.tsx'
import { useRoute } from '../../data/route.ts'
import { combinedTransfers } from './combined-transfers.tsx'
import { returns } from './returns.tsx'
import { transactions } from './transactions.tsx'
import { transfers } from './transfers.tsx'

/** Four lists. An address without a collection shows Transactions, as every payment becomes one. */
export function Payments() {
  const collection = useRoute((view) => view.collection)
  if (collection === 'transfers') return <ListScreen list={transfers} />
  if (collection === 'returns') return <ListScreen list={returns} />
  if (collection === 'combined_transfers') return <ListScreen list={combinedTransfers} />
  return <ListScreen list={transactions} />
}
