import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { realTime } from '../format/time.ts'
import { daysOf } from './days.ts'
import { isRefused } from './feed.ts'
import type { Route } from './route.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** In the address: a request without a code, or one that no route matched. */
export const NONE = 'none'

/** The requests that the address asks for. */
export function exchangeFilter({
  method = [],
  refused,
  hints,
  faults,
  undone,
  q,
  status,
  code,
  endpoint,
  since,
  ...params
}: Route['params']): (exchange: Exchange) => boolean {
  const { from, to } = daysOf(params)
  const text = q?.[0]?.trim().toLowerCase() ?? ''
  return (exchange) =>
    (method.length === 0 || method.includes(exchange.method)) &&
    (from === undefined || exchange.at >= from) &&
    (to === undefined || exchange.at <= to) &&
    (!refused || isRefused(exchange)) &&
    (!hints || exchange.hints > 0) &&
    (!faults || exchange.fault !== undefined) &&
    (!undone || exchange.undone_by !== undefined) &&
    (!status || status.includes(String(exchange.status))) &&
    (!code || code.includes(String(exchange.code ?? NONE))) &&
    (!endpoint || endpoint.includes(exchange.endpoint ?? NONE)) &&
    (!since || exchange.at >= since[0]!) &&
    (text === '' || searchText(exchange).includes(text))
}

/** Both times in UTC; the real time also as the list shows it. */
const searchText = ({ uid, at, received_at, path, trace_id, did, status, code }: Exchange) =>
  [path, trace_id ?? '', did, uid, `${status} ${code ?? ''}`, at, ...(received_at ? realTimes(received_at) : [])]
    .join('\n')
    .toLowerCase()

const realTimes = (received_at: string) => [received_at, realTime(Date.parse(received_at)).text]

const FILTERS = [
  'method',
  'refused',
  'hints',
  'faults',
  'undone',
  'q',
  'status',
  'code',
  'endpoint',
  'since',
  'from',
  'to',
] as const

export const isFiltered = (params: Route['params']) => FILTERS.some((name) => params[name])
