import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { Method } from '../../components/Method.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import { formatMilliseconds } from '../../format/numbers.ts'
import { newYork } from '../../format/time.ts'
import { Row } from '../../ui/Box.tsx'
import { Caption } from '../../ui/Layout.tsx'
import { Table } from '../../ui/Table.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Connect.module.css'

/** The screen Requests shows all of them. */
const MAX_ROWS = 5

const HEADERS = [
  { label: 'Simulated time', width: 124 },
  { label: 'Method', width: 64 },
  { label: 'Path' },
  { label: 'Status', width: 92, right: true },
  { label: 'ms', width: 76, right: true },
  { label: 'Result', width: '46%' },
]

export function LatestRequests({ exchanges }: { exchanges: readonly Exchange[] }) {
  return (
    <section aria-label="Latest requests" className={styles.requests}>
      <Caption>
        <h2>Latest requests</h2>
        {exchanges.length > 0 && (
          <>
            <span className="meta">newest first</span>
            <ScreenLink className="end data" screen="requests">
              Open in Requests
            </ScreenLink>
          </>
        )}
      </Caption>
      <div className={styles.rows}>
        <Table lines headers={HEADERS}>
          {exchanges.slice(0, MAX_ROWS).map((exchange) => (
            <RequestRow key={exchange.uid} exchange={exchange} />
          ))}
        </Table>
        {exchanges.length === 0 && (
          <Row as="p" align="start" pad="6 16" least={56} text="data" tone="soft">
            None yet. Run the snippet or start your app. Each request appears here as soon as it is answered, with what
            it did or why it was refused.
          </Row>
        )}
      </div>
    </section>
  )
}

function RequestRow({ exchange }: { exchange: Exchange }) {
  const { at, uid, method, path, ms, did } = exchange
  return (
    <tr>
      <td title={at}>{newYork(Date.parse(at)).time}</td>
      <td className="mono">
        <Method name={method} />
      </td>
      <td className="mono" title={path}>
        <ScreenLink screen="requests" record={uid}>
          <Text>{path}</Text>
        </ScreenLink>
      </td>
      <td data-right>
        <StatusCode exchange={exchange} />
      </td>
      <td data-right className="soft">
        {formatMilliseconds(ms)}
      </td>
      <td className="soft" title={did}>
        <Text>{did}</Text>
      </td>
    </tr>
  )
}
