import { useMemo } from 'react'
import { RegistrationStatus, type Vrn, VrnStatus } from '../../../api/contract/resources/virtual-reference-numbers.ts'
import {
  customerColumn,
  nameColumn,
  recordColumn,
  statusColumn,
  statusFilter,
  sumColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { EmptyList, SendExample } from '../../components/list/EmptyList.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import type { RecordList } from '../../components/list/model.ts'
import { SimulatePayment } from '../../components/list/parts.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { type PartyNames, useNames } from '../../data/names.ts'
import { useQuery } from '../../data/sandbox.ts'

interface Context {
  readonly names: PartyNames
  /** The amounts that the VRNs received; undefined while they are loading, which shows a dash, not 0.00. */
  readonly received: ReadonlyMap<string, string> | undefined
}

function useContext(program_uid: string | undefined): Context {
  const { names } = useNames(program_uid)
  const sums = useQuery('records.received', program_uid === undefined ? null : { program_uid }, ['transactions']).data
  return useMemo(
    () => ({
      names,
      received: sums && new Map(sums.received.map(({ uid, us_dollar_amount }) => [uid, us_dollar_amount])),
    }),
    [names, sums],
  )
}

const lastFour = ({ virtual_reference_number }: Vrn) => virtual_reference_number.slice(-4)
const ownerOf = ({ synthetic_account_uid }: Vrn, { names }: { readonly names: PartyNames }) =>
  names.owner(synthetic_account_uid)

/** The VRNs of a Program, with the amount that each received. The money is on the accounts, not on the VRNs. */
const vrns: RecordList<Vrn, Context> = {
  collection: 'virtual_reference_numbers',
  title: 'VRNs',
  placeholder: 'name, uid, last digits',
  columns: [
    timeColumn('Created'),
    nameColumn('virtual_reference_numbers', 'minmax(116px, 3fr)', ({ name }) => name, 'no name'),
    uidColumn,
    {
      id: 'virtual_reference_number_last_four',
      header: 'Last four',
      width: '66px',
      text: lastFour,
      cell: (vrn) => <span className="mono soft">··{lastFour(vrn)}</span>,
      reads: ['virtual_reference_number'],
    },
    recordColumn('synthetic_accounts', 'synthetic_account_uid', {
      id: 'synthetic_account',
      header: 'Account',
      width: 'minmax(164px, 2fr)',
      nameOf: (uid, { names }) => names.account(uid),
    }),
    customerColumn('customer', ownerOf),
    statusColumn('118px', {
      field: 'instant_payment_rail_registration_status',
      header: 'Registration',
      filter: 'registration',
    }),
    statusColumn('104px', { isLockable: true }),
    sumColumn('received', 'Received, USD', ({ uid }, { received }) => received && (received.get(uid) ?? '0.00')),
  ],
  filters: [
    statusFilter(VrnStatus.options),
    statusFilter(RegistrationStatus.options, {
      name: 'registration',
      field: 'instant_payment_rail_registration_status',
    }),
    { name: 'locked', options: ['yes', 'no'], of: ({ locked_at }) => (locked_at === null ? 'no' : 'yes') },
  ],
  reads: ['name', 'external_uid'],
  searchTexts: ({ external_uid, virtual_reference_number }) => [external_uid, virtual_reference_number],
  customersOf: (vrn, context) => [ownerOf(vrn, context)],
  useContext,
  renderActions: (selected) => (
    <SimulatePayment params={{ kind: ['vrn'], ...(selected === null ? {} : { vrn: [selected] }) }} />
  ),
  empty: (
    <EmptyList
      title="A Virtual Reference Number receives payments for an account"
      text="Give each payer a number of its own to see who paid. This Program has none yet."
      endpoint="createVirtualReferenceNumber"
    >
      <SendExample />
      <li>
        Start with a Customer that has an account: <ScreenLink screen="scenarios">Scenarios</ScreenLink>
      </li>
    </EmptyList>
  ),
}

export const Vrns = () => <ListScreen list={vrns} />
