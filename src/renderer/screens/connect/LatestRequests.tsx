import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { Method } from '../../components/Method.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/Status.tsx'
import { formatMilliseconds, newYork } from '../../format/text.ts'
import { Row, Section } from '../../ui/Layout.tsx'
import { RowTable, type TableColumn } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Connect.module.css'

/** The screen Requests shows all of them. */
const MAX_ROWS = 5

const columns: readonly TableColumn<Exchange>[] = [
  { label: 'Simulated time', width: 124, titleOf: ({ at }) => at, cell: ({ at }) => newYork(Date.parse(at)).time },
  { label: 'Method', width: 64, className: 'mono', cell: ({ method }) => <Method name={method} /> },
  {
    label: 'Path',
    className: 'mono',
    titleOf: ({ path }) => path,
    cell: ({ uid, path }) => (
      <ScreenLink screen="requests" record={uid}>
        <Text>{path}</Text>
      </ScreenLink>
    ),
  },
  { label: 'Status', width: 92, right: true, cell: (exchange) => <StatusCode exchange={exchange} /> },
  { label: 'ms', width: 76, right: true, className: 'soft', cell: ({ ms }) => formatMilliseconds(ms) },
  {
    label: 'Result',
    width: '46%',
    className: 'soft',
    titleOf: ({ did }) => did,
    cell: ({ did }) => <Text>{did}</Text>,
  },
]

export function LatestRequests({ exchanges }: { exchanges: readonly Exchange[] }) {
  return (
    <Section
      title="Latest requests"
      note={exchanges.length > 0 ? 'newest first' : undefined}
      end={exchanges.length > 0 && <ScreenLink screen="requests">Open in Requests</ScreenLink>}
      className={styles.requests}
    >
      <div className={styles.rows}>
        <RowTable lines columns={columns} rows={exchanges.slice(0, MAX_ROWS)} keyOf={({ uid }) => uid} />
        {exchanges.length === 0 && (
          <Row as="p" align="start" pad="6 16" least={56} text="data" tone="soft">
            None yet. Run the snippet or start your app. Each request appears here as soon as it is answered, with what
            it did or why it was refused.
          </Row>
        )}
      </div>
    </Section>
  )
}
