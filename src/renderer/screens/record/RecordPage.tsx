import { useView } from '../../stores/view.ts'
import { CustomerPage } from '../customers/CustomerPage.tsx'

/** The page of one record, of whatever collection. */
export function RecordPage() {
  const record = useView((view) => view.record)
  return <CustomerPage key={record} uid={record ?? ''} />
}
