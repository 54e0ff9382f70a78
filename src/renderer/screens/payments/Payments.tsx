import { useRoute } from '../../data/route.ts'
import { CombinedTransfers } from './CombinedTransfers.tsx'
import { Returns } from './Returns.tsx'
import { Transactions } from './Transactions.tsx'
import { Transfers } from './Transfers.tsx'

/** Four lists. An address without a collection shows Transactions, as every payment becomes one. */
export function Payments() {
  const collection = useRoute((view) => view.collection)
  if (collection === 'transfers') return <Transfers />
  if (collection === 'returns') return <Returns />
  if (collection === 'combined_transfers') return <CombinedTransfers />
  return <Transactions />
}
