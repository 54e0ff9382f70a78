import { useEffect, useRef, useState } from 'react'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { isRefused } from '../../data/feed.ts'
import type { Injection } from '../../forms/injections.ts'
import { type Request, sendRequest } from '../../forms/send.ts'
import { parseBody } from '../../forms/use-body.ts'
import { formatJson } from '../../forms/values.ts'
import { addRecentInjection } from './recent-injections.ts'

export interface Run {
  readonly done: number
  readonly of: number
  readonly refused: number
  readonly state: 'running' | 'done' | 'canceled'
}

/** The response to the last request, with the body that was sent. */
export interface Answer {
  readonly exchange: ExchangeDetail
  readonly body: string
}

/**
 * Sends a request once or several times in a row, each time with the renewed body if the injection has one. Canceling it or
 * leaving the screen stops it.
 */
export function useInjection({ title, renew }: Injection, program_uid: string) {
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [run, setRun] = useState<Run | null>(null)
  const [failure, setFailure] = useState<unknown>(undefined)
  const isCanceled = useRef(false)
  useEffect(() => {
    isCanceled.current = false
    return () => {
      isCanceled.current = true
    }
  }, [])
  const inject = async (request: Request, times: number) => {
    setFailure(undefined)
    isCanceled.current = false
    let refused = 0
    let { body } = request
    for (let done = 0; done < times; ) {
      setRun({ done, of: times, refused, state: 'running' })
      try {
        const exchange = await sendRequest(program_uid, { ...request, body })
        addRecentInjection(title, exchange)
        if (isRefused(exchange)) refused++
        setAnswer({ exchange, body })
        const parsed = parseBody(body)
        if (renew && !isRefused(exchange) && 'value' in parsed) body = formatJson(renew(parsed.value))
      } catch (error) {
        setRun(null)
        return setFailure(error)
      }
      done++
      const state = done === times ? 'done' : isCanceled.current ? 'canceled' : 'running'
      setRun({ done, of: times, refused, state })
      if (state !== 'running') return
    }
  }
  const cancel = () => {
    isCanceled.current = true
  }
  return { answer, run, failure, inject, cancel }
}
