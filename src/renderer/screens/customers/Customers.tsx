import { type Customer, CustomerStatus, customerName, KycStatus } from '../../../api/contract/resources/customers.ts'
import {
  nameColumn,
  statusColumn,
  statusFilter,
  sumColumn,
  textColumn,
  timeColumn,
  uidColumn,
} from '../../components/list/columns.tsx'
import { EmptyList, OnboardCustomer, SendExample } from '../../components/list/EmptyList.tsx'
import { ListScreen } from '../../components/list/ListScreen.tsx'
import type { RecordList } from '../../components/list/model.ts'
import { CUSTOMER_NAME_FIELDS } from '../../data/names.ts'

const NOTHING = {}

const customers: RecordList<Customer, object> = {
  collection: 'customers',
  title: 'Customers',
  placeholder: 'name, uid, email',
  columns: [
    timeColumn('Created'),
    nameColumn('customers', 'minmax(160px, 3fr)', (row: Customer) => customerName(row), 'no name yet'),
    statusColumn('140px', { isLockable: true }),
    statusColumn('204px', { field: 'kyc_status' }),
    textColumn('customer_type', '112px', { optional: true }),
    // Wider windows have room for the email address, and then for the phone number.
    textColumn('email', 'minmax(150px, 4fr)', { needs: 'roomy', optional: true }),
    textColumn('details.phone', '96px', { id: 'details.phone', needs: 'wide', optional: true }),
    textColumn('external_uid', 'minmax(100px, 2fr)', { optional: true }),
    uidColumn,
    sumColumn('total_balance', 'total_balance, USD', ({ total_balance }) => total_balance, {
      width: '128px',
      field: 'total_balance',
    }),
  ],
  filters: [statusFilter(CustomerStatus.options), statusFilter([...KycStatus.options, 'null'], { name: 'kyc_status' })],
  reads: ['pool_uids', ...CUSTOMER_NAME_FIELDS],
  // A Customer's balance is the sum of its accounts, so a changed account also changes its Customer, found by its Pool.
  follows: { by: 'synthetic_accounts', field: 'pool_uid', of: ({ pool_uids }) => pool_uids },
  useContext: () => NOTHING,
  empty: (
    <EmptyList
      title="Customers are the people and businesses that hold accounts"
      text="This Program has none yet. They appear here as soon as your app creates them."
      endpoint="createCustomer"
    >
      <li>
        Send <code>POST /customers</code> from your app. The body may be empty.
      </li>
      <SendExample />
      <OnboardCustomer />
    </EmptyList>
  ),
}

export const Customers = () => <ListScreen list={customers} />
