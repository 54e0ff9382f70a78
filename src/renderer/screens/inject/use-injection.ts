import { useEffect, useRef, useState } from 'react'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { isRefused } from '../../data/feed.ts'
import { type Request, sendRequest } from '../../forms/send.ts'
import { addRecentInjection } from './recent-injections.ts'

export interface Run {
  readonly done: number
  readonly of: number
  readonly refused: number
  readonly state: 'running' | 'done' | 'canceled'
}

/** Sends a request once or several times in a row. Canceling it or leaving the screen stops it. */
export function useInjection(title: string, program_uid: string) {
  const [answer, setAnswer] = useState<{ exchange: ExchangeDetail; body: string } | null>(null)
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
    for (let done = 0; done < times; ) {
      setRun({ done, of: times, refused, state: 'running' })
      try {
        const exchange = await sendRequest(program_uid, request)
        addRecentInjection(title, exchange)
        if (isRefused(exchange)) refused++
        setAnswer({ exchange, body: request.body })
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
