import type { Exchange } from '../../../api/contract/control.ts'
import { Method } from '../../components/Method.tsx'
import { ScreenLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/StatusCode.tsx'
import { formatMilliseconds } from '../../format/numbers.ts'
import { newYork } from '../../format/time.ts'
import { Caption } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './LatestRequests.module.css'

/** The latest few, newest first; the rest is on its own screen. */
const LATEST = 5

export function LatestRequests({ exchanges }: { exchanges: readonly Exchange[] }) {
  return (
    <section aria-label="Requests, as they arrive" className={styles.section}>
      <Caption>
        <h2>Requests, as they arrive</h2>
        {exchanges.length > 0 && (
          <>
            <span className="meta">newest first</span>
            <ScreenLink className="end data" screen="requests">
              Open in Requests
            </ScreenLink>
          </>
        )}
      </Caption>
      <table className={styles.table}>
        <colgroup>
          <col style={{ width: 124 }} />
          <col style={{ width: 64 }} />
          <col />
          <col style={{ width: 64 }} />
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
            <th>What it did</th>
          </tr>
        </thead>
        <tbody>
          {exchanges.slice(0, LATEST).map((exchange) => (
            <Arrival key={exchange.uid} exchange={exchange} />
          ))}
        </tbody>
      </table>
      {exchanges.length === 0 && (
        <p className={styles.none}>
          None yet. Run the snippet, or start your app: each request shows here the moment it is answered, with what it
          did or why it was refused.
        </p>
      )}
    </section>
  )
}

function Arrival({ exchange }: { exchange: Exchange }) {
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
