import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { type Paint, paintStatus } from './paint.ts'

/** One line for a request of the log: simulated time, method, path, status, what it did. `world`: the name of its world. */
export function formatExchange(
  { at, method, path, status, did, ms, fault }: Exchange,
  paint: Paint,
  world?: string,
): string {
  const time = paint('dim', at.slice(0, 19).replace('T', ' '))
  const parts = [
    time,
    method.padEnd(6),
    path,
    status === 0 ? paintStatus(paint, 0, 'dropped') : paintStatus(paint, status),
    did,
  ]
  return [
    ...parts,
    fault && paint('yellow', fault),
    world && paint('dim', world),
    paint('dim', `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`),
  ]
    .filter(Boolean)
    .join('  ')
}
