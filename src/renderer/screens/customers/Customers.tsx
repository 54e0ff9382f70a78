import { useDeferredValue, useMemo, useState } from 'react'
import { CustomerStatus } from '../../../api/contract/resources/customers.ts'
import { CopyButton } from '../../components/CopyButton.tsx'
import { DataTable } from '../../components/DataTable.tsx'
import { FilterMenu } from '../../components/FilterMenu.tsx'
import { Go } from '../../components/Go.tsx'
import { FaintBars, Notice } from '../../components/Notice.tsx'
import { SearchField } from '../../components/SearchField.tsx'
import { Status } from '../../components/Status.tsx'
import { count, many } from '../../format.ts'
import { useFeed } from '../../stores/feed.ts'
import { useView, type View } from '../../stores/view.ts'
import { useProgram } from '../../use-program.ts'
import { columns, rowsOf } from './columns.tsx'
import { nameOf } from './names.ts'
import { type Summary, useCustomers } from './use-customers.ts'

const idOf = ({ uid }: Summary) => uid

export function Customers() {
  const { params, filter, adjust, go } = useView()
  const { customers, total, error } = useCustomers(useProgram()?.uid)
  const searched = useDeferredValue(params)
  const found = useMemo(() => customers.filter(filterOf(searched)), [customers, searched])
  const rows = useMemo(() => rowsOf(found), [found])
  const [selected, setSelected] = useState<string | null>(null)
  const filtered = Boolean(params.q || params.status)
  const clear = () => adjust({ params: params.program ? { program: params.program } : {} })
  return (
    <>
      <div className="bar">
        <h1>Customers</h1>
        <SearchField
          value={params.q?.[0] ?? ''}
          onChange={(q) => filter('q', q === '' ? [] : [q])}
          label="Search Customers"
          placeholder="name, uid, external_uid, email"
          width={248}
        />
        <FilterMenu
          name="status"
          options={CustomerStatus.options}
          chosen={params.status ?? []}
          onChange={(status) => filter('status', status)}
          show={(word) => <Status word={word} />}
        />
        {filtered && (
          <button type="button" className="btn end" onClick={clear}>
            Clear filters
          </button>
        )}
      </div>
      {error !== undefined && total === undefined && (
        <Notice title="The Customers could not be read." error={error}>
          They are asked for again as soon as the sandbox answers.
        </Notice>
      )}
      <section className="table" aria-label="Customers">
        <DataTable
          label="Customers, newest first"
          columns={columns}
          rows={rows}
          idOf={idOf}
          selected={selected}
          onSelect={({ uid }) => setSelected(uid)}
          onOpen={({ uid }) => go({ collection: 'customers', record: uid })}
          least={1080}
          empty={total === undefined ? <FaintBars /> : filtered ? <NoHits clear={clear} /> : <NoCustomers />}
        />
        <div className="foot">
          <span>
            {filtered ? `${count(found.length)} of ` : ''}
            {many(total ?? 0, 'Customer')}
            {total !== undefined && customers.length < total ? `, ${count(customers.length)} read` : ''}
          </span>
          <span className="end">newest first</span>
        </div>
      </section>
    </>
  )
}

/** Which Customers are shown, as the address says it. */
export function filterOf({ status = [], q }: View['params']): (customer: Summary) => boolean {
  const text = q?.[0]?.trim().toLowerCase() ?? ''
  return (customer) =>
    (status.length === 0 || status.includes(customer.status)) && (text === '' || searched(customer).includes(text))
}

const searched = (customer: Summary) =>
  `${nameOf(customer) ?? ''}\n${customer.uid}\n${customer.external_uid ?? ''}\n${customer.email ?? ''}`.toLowerCase()

function NoHits({ clear }: { clear: () => void }) {
  return (
    <p className="cap data soft">
      No Customer fits the filters.
      <button type="button" className="btn" data-small onClick={clear}>
        Clear filters
      </button>
    </p>
  )
}

const EXAMPLE = (api: string) => `curl -s -X POST "${api}/customers" \\
  -H "Authorization: $TOKEN" \\
  -H "x-trace-id: $(openssl rand -hex 16)" \\
  -H "content-type: application/json" \\
  -d '{
    "external_uid": "first-customer",
    "email": "ada@example.test",
    "details": { "first_name": "Ada", "last_name": "Harbor" }
  }'
`

function NoCustomers() {
  const api = useFeed((feed) => feed.world?.api ?? '')
  const example = EXAMPLE(api)
  return (
    <div className="empty">
      <div>
        <h2>Customers are the people and businesses that hold accounts</h2>
        <p>This Program has none yet. Your app makes them, and they show here at once.</p>
        <ul>
          <li>
            Send <code>POST /customers</code> from your app: an empty body will do.
          </li>
          <li>
            Or paste the example, after the snippet that fills in <code>$TOKEN</code>: <Go screen="connect">Connect</Go>
          </li>
        </ul>
      </div>
      <div>
        <div className="cap">
          <h2>One worked example</h2>
          <span className="end">
            <CopyButton text={example} what="example" label="Copy" likeliest />
          </span>
        </div>
        <pre className="code">
          {example
            .trimEnd()
            .split('\n')
            .map((line) => (
              <span key={line}>{line}</span>
            ))}
        </pre>
      </div>
    </div>
  )
}
