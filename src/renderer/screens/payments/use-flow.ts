import { useMemo } from 'react'
import { parseFlow } from '../../data/flow.ts'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { escapeControls } from '../../format/text.ts'

/** `customers.map` names no more. */
const MAX_PAYMENTS = 10_000
const NONE: readonly string[] = []

/** The Transactions of a flow of a Customer's map, if the address names one. */
export function useFlow() {
  const values = useRoute(({ params }) => params.flow)
  const input = useMemo(() => parseFlow(values), [values])
  const { data, error } = useQuery('customers.map', input, ['transactions'])
  return useMemo(() => {
    if (!input?.flow) return null
    const { from, to } = input.flow
    const nameOf = (id: string) => escapeControls(data?.nodes.find((node) => node.id === id)?.name ?? id)
    const payments = data?.payments ?? (error === undefined ? undefined : NONE)
    const newest = payments?.length === MAX_PAYMENTS ? ', newest 10,000' : ''
    return {
      param: 'flow',
      title: 'Flow',
      text: `${nameOf(from)} → ${nameOf(to)}${newest}`,
      uids: payments && new Set(payments),
    }
  }, [input, data, error])
}
