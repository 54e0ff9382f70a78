import { parseTimestamp } from './amounts-of-time.ts'
import type { OrderKey } from './order.ts'

const NUMBER = /^-?\d+(\.\d+)?$/

/** Both ends are included. */
export interface Range {
  readonly from?: string | undefined
  readonly to?: string | undefined
}

/** Whether a key is within a range. A missing value is in no range. */
export function rangeTest({ from, to }: Range): (key: OrderKey) => boolean {
  const [low, high] = [boundOf(from), boundOf(to)]
  return (key) => {
    if (key === null) return false
    if (typeof key === 'number')
      return (low === undefined || key >= low.number) && (high === undefined || key <= high.number)
    return (low === undefined || key >= low.text) && (high === undefined || key <= high.text)
  }
}

/** A date without a time is its start in UTC. A bound that is no number contains no number. */
function boundOf(text: string | undefined) {
  if (text === undefined) return undefined
  const instant = parseTimestamp(text)
  return {
    number: NUMBER.test(text) ? Number(text) : Number.NaN,
    text: (Number.isNaN(instant) ? text : new Date(instant).toISOString()).toLowerCase(),
  }
}
