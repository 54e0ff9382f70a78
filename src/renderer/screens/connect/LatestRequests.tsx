import type { Exchange } from '../../../api/contract/control/exchanges.ts'
import { Method } from '../../components/Method.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import { formatMilliseconds } from '../../format/numbers.ts'
import { newYork } from '../../format/time.ts'
import { Caption } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './LatestRequests.module.css'

/** The screen Requests shows all of them. */
const MAX_ROWS = 5

export function LatestRequests({ exchanges }: { exchanges: readonly Exchange[] }) {
  return (
    <section aria-label="Latest requests" className={styles.section}>
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
        <table className={styles.table}>
          <colgroup>
            <col style={{ width: 124 }} />
            <col style={{ width: 64 }} />
            <col />
            <col style={{ width: 92 }} />
            <col style={{ width: 76 }} />
            <col style={{ width: '46%' }} />
          </colgroup>
          <thead>
            <tr>
              <th>Simulated time</th>
              <th>Method</th>
              <th>Path</th>
              <th data-right>Status</th>
              <th data-right>ms</th>
              <th>Result</th>
            </tr>
          </thead>
          <tbody>
            {exchanges.slice(0, MAX_ROWS).map((exchange) => (
              <RequestRow key={exchange.uid} exchange={exchange} />
            ))}
          </tbody>
        </table>
        {exchanges.length === 0 && (
          <p className={styles.none}>
            None yet. Run the snippet or start your app. Each request appears here as soon as it is answered, with what
            it did or why it was refused.
          </p>
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
