import { parseNewYorkTime, startOfNextDay } from '../format/text.ts'
import type { Route } from './route.ts'

/** The instants of the days `from` and `to` of the address, both included. Days are those of New York. */
export function daysOf({ from, to }: Route['params']): { readonly from?: string; readonly to?: string } {
  const startOf = (text: string | undefined) => (text === undefined ? null : parseNewYorkTime(text, '00:00:00'))
  const [first, last] = [startOf(from?.[0]), startOf(to?.[0])]
  return {
    ...(first === null ? {} : { from: new Date(first).toISOString() }),
    ...(last === null ? {} : { to: new Date(startOfNextDay(last) - 1).toISOString() }),
  }
}
