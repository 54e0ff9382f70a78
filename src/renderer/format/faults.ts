import type { Fault, FaultKind } from '../../api/contract/control.ts'
import { formatCount, plural } from './numbers.ts'
import { formatInstant } from './time.ts'

/** What each kind does to a caller. */
export const faultMeanings: Readonly<Record<FaultKind, string>> = {
  latency: 'The answer comes late.',
  status: 'The answer is this status, and nothing is done.',
  drop_before_commit: 'The connection is dropped, and nothing is done.',
  drop_after_commit: 'It is done, and the connection is dropped: the caller does not know.',
  rate_limit: 'Too many in a minute are refused with 429.',
  slow_body: 'The answer comes in pieces, with pauses.',
}

/** A fault in a line: what, to whom, how often. */
export function formatFault({
  kind,
  method,
  path,
  ms,
  jitter_ms,
  status,
  per_minute,
  rate,
  times,
  until,
}: Fault): string {
  const what = {
    latency: `latency of ${formatCount(ms ?? 1_000)} ms${jitter_ms ? ` and up to ${formatCount(jitter_ms)} more` : ''}`,
    status: `status ${status ?? 500}`,
    drop_before_commit: 'drop_before_commit',
    drop_after_commit: 'drop_after_commit',
    rate_limit: `rate_limit of ${formatCount(per_minute ?? 60)} a minute`,
    slow_body: `slow_body, pauses of ${formatCount(ms ?? 1_000)} ms`,
  }[kind]
  const whom = path ? `${method ? `${method} ` : ''}${path}` : `every ${method ?? 'request'}`
  const often = [
    rate === undefined || rate === 1 ? '' : `${Math.round(rate * 1_000) / 10} % of them`,
    times === undefined ? '' : `for ${plural(times, 'request')}`,
    until === undefined ? '' : `until ${formatInstant(Date.parse(until))}`,
  ].filter((part) => part !== '')
  return [`${what} on ${whom}`, ...often].join(', ')
}

/** The words of an exchange's `fault`, which may be several kinds. */
export const meaningOfFaults = (met: string): string =>
  met
    .split(', ')
    .flatMap((kind) => faultMeanings[kind as FaultKind] ?? [])
    .join(' ')
