import type { Exchange } from '../../api/contract/control/exchanges.ts'
import { realTime } from '../format/text.ts'
import { daysOf } from './days.ts'
import { isRefused } from './feed.ts'
import type { Route } from './route.ts'

export const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const

/** In the address: a request without a code, or one that no route matched. */
export const NONE = 'none'

type Test = (exchange: Exchange) => boolean

/** The filters in the address, each with the test for its values. */
const filters: Readonly<Record<string, (values: readonly string[]) => Test>> = {
  method: (methods) => (exchange) => methods.includes(exchange.method),
  refused: () => isRefused,
  hints: () => (exchange) => exchange.hints > 0,
  faults: () => (exchange) => exchange.fault !== undefined,
  undone: () => (exchange) => exchange.undone_by !== undefined,
  q: ([typed = '']) => {
    const text = typed.trim().toLowerCase()
    return (exchange) => text === '' || searchText(exchange).includes(text)
  },
  status: (statuses) => (exchange) => statuses.includes(String(exchange.status)),
  code: (codes) => (exchange) => codes.includes(String(exchange.code ?? NONE)),
  endpoint: (endpoints) => (exchange) => endpoints.includes(exchange.endpoint ?? NONE),
  since:
    ([since = '']) =>
    (exchange) =>
      exchange.at >= since,
  from: (from) => {
    const { from: first = '' } = daysOf({ from })
    return (exchange) => exchange.at >= first
  },
  to: (to) => {
    const { to: last } = daysOf({ to })
    return (exchange) => last === undefined || exchange.at <= last
  },
}

export const isFiltered = (params: Route['params']) => Object.keys(filters).some((name) => params[name])

/** The requests that the address asks for. */
export function exchangeFilter(params: Route['params']): Test {
  const tests = Object.entries(filters).flatMap(([name, filter]) => (params[name] ? [filter(params[name])] : []))
  return (exchange) => tests.every((test) => test(exchange))
}

/** Both times in UTC; the real time also as the list shows it. */
const searchText = ({ uid, at, received_at, path, trace_id, did, status, code }: Exchange) =>
  [path, trace_id ?? '', did, uid, `${status} ${code ?? ''}`, at, ...(received_at ? realTimes(received_at) : [])]
    .join('\n')
    .toLowerCase()

const realTimes = (received_at: string) => [received_at, realTime(Date.parse(received_at)).text]
