import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { formatLine, type Paint, paintStatus } from './paint.ts'

interface LineOptions {
  /** The name of the world of the request. */
  readonly world?: string | undefined
  readonly hasRealTime?: boolean
}

/** One line for a request of the log: simulated time, real time if wanted, method, path, status, what it did. */
export function formatExchange(
  { at, received_at, method, path, status, did, ms, fault }: Exchange,
  paint: Paint,
  { world, hasRealTime = false }: LineOptions = {},
): string {
  return formatLine([
    paint('dim', at.slice(0, 19).replace('T', ' ')),
    ...(hasRealTime ? [(received_at ?? 'unknown').padEnd(REAL_TIME_LENGTH)] : []),
    method.padEnd(6),
    path,
    status === 0 ? paintStatus(paint, 0, 'dropped') : paintStatus(paint, status),
    did,
    fault && paint('yellow', fault),
    world && paint('dim', world),
    paint('dim', `${ms < 10 ? ms.toFixed(1) : ms.toFixed(0)} ms`),
  ])
}

/** Of an instant with milliseconds. */
const REAL_TIME_LENGTH = 24
