import { Inbox } from 'lucide-react'
import { useMemo, useState } from 'react'
import { RegistrationStatus, type Vrn, VrnStatus } from '../../../api/contract/resources/virtual-reference-numbers.ts'
import { customerColumn, timeColumn, uidColumn } from '../../components/list/columns.tsx'
import { EmptyList, ListScreen } from '../../components/list/ListScreen.tsx'
import type { Filter, ListColumn } from '../../components/list/model.ts'
import { LockedMark, NamedRecord } from '../../components/list/parts.tsx'
import { ButtonLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { Status } from '../../components/Status.tsx'
import { areaCollections } from '../../data/collections.ts'
import type { ListSource } from '../../data/live-list.ts'
import { type PartyNames, usePartyNames } from '../../data/names.ts'
import { useProgram } from '../../data/use-program.ts'
import { useQuery } from '../../data/use-query.ts'
import { Amount } from '../../ui/Amount.tsx'

const source: ListSource<Vrn> = {
  collection: areaCollections.vrns,
  fields: [
    'created_at',
    'name',
    'external_uid',
    'virtual_reference_number',
    'synthetic_account_uid',
    'instant_payment_rail_registration_status',
    'status',
    'locked_at',
  ],
}

const createdAt = ({ created_at }: Vrn) => created_at
const found = ({ external_uid, virtual_reference_number }: Vrn) => [external_uid, virtual_reference_number]
const registration = (vrn: Vrn) => vrn.instant_payment_rail_registration_status
const lastFour = ({ virtual_reference_number }: Vrn) => virtual_reference_number.slice(-4)

const filters: readonly Filter<Vrn>[] = [
  { name: 'status', options: VrnStatus.options, of: ({ status }) => status, show: (word) => <Status word={word} /> },
  {
    name: 'registration',
    options: RegistrationStatus.options,
    of: registration,
    show: (word) => <Status word={word} />,
  },
  { name: 'locked', options: ['yes', 'no'], of: ({ locked_at }) => (locked_at === null ? 'no' : 'yes') },
]

const columnsWith = (
  names: PartyNames,
  received: ReadonlyMap<string, string> | undefined,
): readonly ListColumn<Vrn>[] => [
  timeColumn('Created', createdAt),
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(116px, 3fr)',
    cell: ({ uid, name }) => <NamedRecord collection={areaCollections.vrns} uid={uid} name={name ?? 'no name'} />,
    text: ({ name }) => name,
  },
  uidColumn(),
  {
    id: 'virtual_reference_number_last_four',
    header: 'Last four',
    width: '66px',
    cell: (vrn) => <span className="mono soft">··{lastFour(vrn)}</span>,
    text: lastFour,
  },
  {
    id: 'synthetic_account',
    header: 'Account',
    width: 'minmax(164px, 2fr)',
    optional: true,
    cell: ({ synthetic_account_uid: uid }) => (
      <NamedRecord collection="synthetic_accounts" uid={uid} name={names.account(uid)} />
    ),
    text: ({ synthetic_account_uid: uid }) => names.account(uid) ?? uid,
  },
  customerColumn(names, 'customer', ({ synthetic_account_uid: uid }) => names.owner(uid)),
  {
    id: 'instant_payment_rail_registration_status',
    header: 'Registration',
    width: '118px',
    cell: (vrn) => <Status word={registration(vrn)} />,
    text: registration,
  },
  {
    id: 'status',
    header: 'status',
    width: '104px',
    cell: ({ status, locked_at }) => (
      <LockedMark at={locked_at}>
        <Status word={status} />
      </LockedMark>
    ),
    text: ({ status }) => status,
  },
  {
    id: 'received',
    header: 'Received, USD',
    width: '121px',
    right: true,
    pinned: true,
    largestFirst: true,
    // A dash while it is loading, not 0.00.
    cell: ({ uid }) => <Amount value={received && (received.get(uid) ?? '0.00')} />,
    text: ({ uid }) => received && (received.get(uid) ?? '0.00'),
  },
]

/** The VRNs of the Program, with the amount that each received. The money is on the accounts, not on the VRNs. */
export function Vrns() {
  const program_uid = useProgram()?.uid
  const names = usePartyNames(program_uid)
  const sums = useQuery('records.received', program_uid === undefined ? null : { program_uid }, ['transactions']).data
  const received = useMemo(
    () => sums && new Map(sums.received.map(({ uid, us_dollar_amount }) => [uid, us_dollar_amount])),
    [sums],
  )
  const columns = useMemo(() => columnsWith(names, received), [names, received])
  const byCustomer = useMemo(
    () => ({ names, of: ({ synthetic_account_uid: uid }: Vrn) => [names.owner(uid)] }),
    [names],
  )
  const [selected, setSelected] = useState<string | null>(null)
  return (
    <ListScreen
      source={source}
      program_uid={program_uid}
      title="VRNs"
      placeholder="name, uid, last digits"
      columns={columns}
      searchTexts={found}
      timeOf={createdAt}
      filters={filters}
      byCustomer={byCustomer}
      minWidth={1088}
      onSelect={setSelected}
      actions={
        <ButtonLink
          screen="inject"
          params={{ kind: ['vrn'], ...(selected === null ? {} : { vrn: [selected] }) }}
          primary
        >
          <Inbox size={12} strokeWidth={1.8} aria-hidden="true" />
          Simulate payment…
        </ButtonLink>
      }
      empty={<NoVrns />}
    />
  )
}

function NoVrns() {
  return (
    <EmptyList
      title="A Virtual Reference Number receives payments for an account"
      text="Give each payer a number of its own to see who paid. This Program has none yet."
      endpoint="createVirtualReferenceNumber"
    >
      <li>
        Send the example from your app. The snippet that sets <code>$TOKEN</code> is on{' '}
        <ScreenLink screen="connect">Connect</ScreenLink>
      </li>
      <li>
        Start with a Customer that has an account: <ScreenLink screen="scenarios">Scenarios</ScreenLink>
      </li>
    </EmptyList>
  )
}
