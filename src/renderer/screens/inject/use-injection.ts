import { useEffect, useRef, useState } from 'react'
import type { RequestStart } from '../../components/request/use-request-form.ts'
import { isRefused } from '../../data/feed.ts'
import type { Injection } from '../../forms/injections.ts'
import { sendRequest } from '../../forms/send.ts'
import { parseBody } from '../../forms/use-body.ts'
import { formatJson } from '../../forms/values.ts'
import { addRecentInjection } from './RecentInjections.tsx'

export interface Run {
  readonly done: number
  readonly of: number
  readonly refused: number
  readonly state: 'running' | 'done' | 'canceled'
}

/**
 * Sends a request once or several times in a row, each time with the renewed body if the injection has one. Canceling it or
 * leaving the screen stops it.
 */
export function useInjection({ title, renew }: Injection, program_uid: string, times: number) {
  const [run, setRun] = useState<Run | null>(null)
  const isCanceled = useRef(false)
  /** The body that was sent last: the log redacts parts of it. */
  const sentBody = useRef('')
  const cancel = () => {
    isCanceled.current = true
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when the screen is left.
  useEffect(() => cancel, [])
  const send: RequestStart['send'] = async (request, show) => {
    isCanceled.current = false
    let { body } = request
    let next: Run = { done: 0, of: times, refused: 0, state: 'running' }
    setRun(next)
    try {
      while (next.state === 'running') {
        sentBody.current = body
        const exchange = await sendRequest(program_uid, { ...request, body })
        addRecentInjection(title, exchange)
        show(exchange)
        const parsed = parseBody(body)
        if (renew && !isRefused(exchange) && 'value' in parsed) body = formatJson(renew(parsed.value))
        const done = next.done + 1
        next = {
          done,
          of: times,
          refused: next.refused + (isRefused(exchange) ? 1 : 0),
          state: done === times ? 'done' : isCanceled.current ? 'canceled' : 'running',
        }
        setRun(next)
      }
    } catch (error) {
      setRun(null)
      throw error
    }
  }
  return { run, send, cancel, sentBody }
}
