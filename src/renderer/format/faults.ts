import type { Fault, FaultKind } from '../../api/contract/control/faults.ts'
import { formatCount, formatInstant, plural } from './text.ts'

/** What the caller sees. */
export const faultMeanings: Readonly<Record<FaultKind, string>> = {
  latency: 'The response is delayed.',
  status: 'The request fails with this status; nothing is committed.',
  drop_before_commit: 'The connection is dropped; nothing is committed.',
  drop_after_commit:
    'The request is committed, but the connection is dropped before the response: the caller does not know.',
  rate_limit: 'More requests per minute than this get 429.',
  slow_body: 'The response body is sent in pieces with pauses.',
}

/** A fault in one line: kind, requests, how often. */
export function formatFault({
  kind,
  method,
  path,
  ms,
  jitter_ms,
  status,
  code,
  per_minute,
  rate,
  times,
  until,
}: Fault): string {
  const what = {
    latency: `latency ${formatCount(ms ?? 1_000)} ms${jitter_ms ? ` plus up to ${formatCount(jitter_ms)} ms` : ''}`,
    status: code === undefined ? `status ${status ?? 500}` : `error ${code}${status ? ` with status ${status}` : ''}`,
    drop_before_commit: 'drop_before_commit',
    drop_after_commit: 'drop_after_commit',
    rate_limit: `rate_limit, ${formatCount(per_minute ?? 60)} per minute`,
    slow_body: `slow_body with pauses of ${formatCount(ms ?? 1_000)} ms`,
  }[kind]
  const requests = path ? `${method ? `${method} ` : ''}${path}` : `every ${method ?? 'request'}`
  const often = [
    rate === undefined || rate === 1 ? '' : `${Math.round(rate * 1_000) / 10} % of them`,
    times === undefined ? '' : `for ${plural(times, 'request')}`,
    until === undefined ? '' : `until ${formatInstant(Date.parse(until))}`,
  ].filter((part) => part !== '')
  return [`${what} on ${requests}`, ...often].join(', ')
}

const DROPPED_REFUSAL =
  'The request was refused, so nothing is committed, and the connection is dropped before the response: the caller does not know.'

/** What the `fault` field of an exchange means; it may name several kinds. */
export const explainFaults = (met: string, isRefused = false): string =>
  met
    .split(', ')
    .flatMap((kind) =>
      isRefused && kind === 'drop_after_commit' ? DROPPED_REFUSAL : (faultMeanings[kind as FaultKind] ?? []),
    )
    .join(' ')
