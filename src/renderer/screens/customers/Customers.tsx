import { useMemo } from 'react'
import { CustomerStatus, KycStatus } from '../../../api/contract/resources/customers.ts'
import { MIN_ROOMY_WIDTH } from '../../components/list/columns.tsx'
import { EmptyList, ListScreen } from '../../components/list/ListScreen.tsx'
import type { Filter } from '../../components/list/model.ts'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { type CustomerSummary, customersSource } from '../../data/customers.ts'
import { useProgram } from '../../data/use-program.ts'
import { useIsWide } from '../../ui/use-is-wide.ts'
import { columnsWith, createdAt, Null } from './columns.tsx'

const filters: readonly Filter<CustomerSummary>[] = [
  {
    name: 'status',
    options: CustomerStatus.options,
    of: ({ status }) => status,
    show: (word) => <Status word={word} />,
  },
  {
    name: 'kyc_status',
    options: [...KycStatus.options, 'null'],
    of: ({ kyc_status }) => kyc_status ?? 'null',
    show: (word) => (word === 'null' ? <Null /> : <Status word={word} />),
  },
]

const PHONE_MIN_WIDTH = 1560

export function Customers() {
  const roomy = useIsWide(MIN_ROOMY_WIDTH)
  const wide = useIsWide(PHONE_MIN_WIDTH)
  const columns = useMemo(() => columnsWith({ roomy, wide }), [roomy, wide])
  return (
    <ListScreen
      source={customersSource}
      program_uid={useProgram()?.uid}
      title="Customers"
      placeholder="name, uid, email"
      columns={columns}
      timeOf={createdAt}
      filters={filters}
      minWidth={roomy ? (wide ? 1314 : 1218) : 1068}
      empty={<NoCustomers />}
    />
  )
}

function NoCustomers() {
  return (
    <EmptyList
      title="Customers are the people and businesses that hold accounts"
      text="This Program has none yet. They appear here as soon as your app creates them."
      endpoint="createCustomer"
    >
      <li>
        Send <code>POST /customers</code> from your app. The body may be empty.
      </li>
      <li>
        Send the example. The snippet that sets <code>$TOKEN</code> is on{' '}
        <ScreenLink screen="connect">Connect</ScreenLink>
      </li>
      <li>
        Onboard a Customer without writing code:{' '}
        <ScreenLink screen="inject" params={{ kind: ['onboard'] }}>
          Inject
        </ScreenLink>
      </li>
    </EmptyList>
  )
}
