import type { MethodInput } from '../../api/contract/control/methods.ts'
import { type Period, Period as periods } from '../../api/contract/control/period.ts'

/** A flow of a Customer's map in the address of a list: the Customer, both nodes, and the time. */

type MapInput = MethodInput<'customers.map'>

/** The time of a map: a period that ends now, or instants. */
export type MapTime = Pick<MapInput, 'period' | 'from' | 'until'>

export const formatFlow = (
  customer_uid: string,
  flow: { readonly from: string; readonly to: string },
  time: MapTime,
) => [customer_uid, flow.from, flow.to, time.period ?? `${time.from ?? ''}/${time.until ?? ''}`]

/** null if the address names no flow. */
export function parseFlow(values: readonly string[] | undefined): MapInput | null {
  const [customer_uid, from, to, time] = values ?? []
  if (!customer_uid || !from || !to) return null
  return { customer_uid, flow: { from, to }, ...parseTime(time ?? 'all') }
}

function parseTime(text: string): MapTime {
  if (isPeriod(text)) return { period: text }
  const [from, until] = text.split('/')
  return { ...(from ? { from } : {}), ...(until ? { until } : {}) }
}

export const isPeriod = (text: string | undefined): text is Period => periods.options.some((period) => period === text)
