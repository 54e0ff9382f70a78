import type { Exchange } from '../../api/contract/control.ts'
import { isRefused } from '../stores/feed.ts'
import { Shape } from './Shape.tsx'

/** 200 is plain; a refusal has a cross before it. */
export function StatusCode({ exchange }: { exchange: Pick<Exchange, 'status'> }) {
  if (!isRefused(exchange)) return <>{exchange.status}</>
  return (
    <span className="st" data-signal="bad">
      <Shape name="broken" />
      <b>{exchange.status}</b>
      <span className="unseen">refused</span>
    </span>
  )
}
