import { lazy, Suspense, useState } from 'react'
import type { Fields } from '../../../components/fields/use-record.ts'
import { areaCollections } from '../../../data/collections.ts'
import { useRoute } from '../../../data/route.ts'
import { useQuery } from '../../../data/sandbox.ts'
import { formatCount } from '../../../format/text.ts'
import { Skeleton } from '../../../ui/Notice.tsx'
import { TabPanes } from '../../../ui/Tabs.tsx'
import styles from './CustomerTabs.module.css'
import { useTimeline } from './timeline-rows.ts'

const Timeline = lazy(async () => ({ default: (await import('./Timeline.tsx')).Timeline }))
const CustomerMap = lazy(async () => ({ default: (await import('../map/CustomerMap.tsx')).CustomerMap }))
const CustomerList = lazy(async () => ({ default: (await import('./CustomerList.tsx')).CustomerList }))

interface CustomerTabsProps {
  readonly uid: string
  readonly fields: Fields
  readonly isGone: boolean
  /** The element of the screen bar for the actions of a tab. */
  readonly actions: HTMLElement | null
  /** The page of the record. */
  readonly children: React.ReactNode
}

/** The tabs of a Customer: its record, its timeline, the flow of its money and what it owns. The open tab is part of the address. */
export function CustomerTabs({ uid, fields, isGone, actions, children }: CustomerTabsProps) {
  const tab = useRoute((view) => view.params.tab?.[0] ?? 'record')
  const filter = useRoute((view) => view.filter)
  const owned = useOwnedRecords(uid)
  const [tools, setTools] = useState<HTMLElement | null>(null)
  const [limit, setLimit] = useState(FIRST_PAGE)
  const timeline = useTimeline(uid, limit, tab === 'story')
  const numbered = (name: string, n: number | undefined) => `${name}${n === undefined ? '' : ` ${formatCount(n)}`}`
  const list = (what: 'accounts' | 'payments' | 'vrns', name: string) => ({
    value: what,
    label: numbered(name, owned[what]),
    content: (
      <CustomerList
        what={what}
        uid={uid}
        program={fields.program_uid as string}
        accounts={owned.accounts === undefined ? undefined : owned.uids}
      />
    ),
  })
  const tabs = [
    { value: 'record', label: 'Record', content: children },
    {
      value: 'story',
      label: numbered('Timeline', timeline.count),
      content: (
        <Timeline
          uid={uid}
          fields={fields}
          isGone={isGone}
          timeline={timeline}
          limit={limit}
          setLimit={setLimit}
          tools={tools}
          actions={actions}
        />
      ),
    },
    { value: 'map', label: 'Map', content: <CustomerMap uid={uid} fields={fields} /> },
    list('accounts', 'Accounts'),
    list('payments', 'Payments'),
    list('vrns', 'VRNs'),
  ]
  return (
    <TabPanes
      className={styles.tabs}
      label="Customer"
      value={tab}
      onChange={(to) => filter('tab', to === 'record' ? [] : [to])}
      panes={tabs.map(({ content, ...one }) => ({
        ...one,
        content: <Suspense fallback={<Skeleton />}>{content}</Suspense>,
      }))}
    >
      <div className={`end row ${styles.tools}`} ref={setTools} />
    </TabPanes>
  )
}

const FIRST_PAGE = 1_000
const MAX_ACCOUNTS = 200

/** The numbers of records that the Customer owns. VRNs belong to its accounts. */
function useOwnedRecords(customer_uid: string) {
  const accounts = useQuery('records.list', { collection: 'synthetic_accounts', customer_uid, limit: MAX_ACCOUNTS }, [
    'synthetic_accounts',
  ]).data
  const payments = useQuery(
    'records.list',
    { collection: 'transactions', customer_uid, include_zero: true, limit: 0 },
    ['transactions'],
  ).data
  const uids = (accounts?.data ?? []).filter(({ liability }) => liability === true).map(({ uid }) => String(uid))
  const vrns = useQuery(
    'records.list',
    uids.length === 0 ? null : { collection: areaCollections.vrns, synthetic_account_uid: uids, limit: 0 },
    [areaCollections.vrns],
  ).data
  return {
    uids,
    accounts: accounts?.total_count,
    payments: payments?.total_count,
    vrns: accounts && uids.length === 0 ? 0 : vrns?.total_count,
  }
}
