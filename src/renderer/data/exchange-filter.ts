import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { isRefused } from './feed.ts'
import type { Route } from './route.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** The requests that the address asks for. */
export function exchangeFilter({
  method = [],
  refused,
  hints,
  faults,
  q,
}: Route['params']): (exchange: Exchange) => boolean {
  const text = q?.[0]?.trim().toLowerCase() ?? ''
  return (exchange) =>
    (method.length === 0 || method.includes(exchange.method)) &&
    (!refused || isRefused(exchange)) &&
    (!hints || exchange.hints > 0) &&
    (!faults || exchange.fault !== undefined) &&
    (text === '' || searchText(exchange).includes(text))
}

const searchText = ({ uid, path, trace_id, did, status, code }: Exchange) =>
  `${path}\n${trace_id ?? ''}\n${did}\n${uid}\n${status} ${code ?? ''}`.toLowerCase()

export const isFiltered = ({ method, refused, hints, faults, q }: Route['params']) =>
  Boolean(method || refused || hints || faults || q)
