import { create } from 'zustand'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { findCreatedRecord, type RecordRef } from '../../forms/send.ts'

/** The injections of this session, newest first. Unlike the request log, the list has their titles. */

interface RecentInjection {
  readonly title: string
  readonly uid: string
  readonly at: string
  readonly status: number
  readonly code: number | null
  readonly fault: string | undefined
  readonly created: RecordRef | null
}

const MAX_INJECTIONS = 100

export const useRecentInjections = create<{ readonly list: readonly RecentInjection[] }>()(() => ({ list: [] }))

export function addRecentInjection(title: string, exchange: ExchangeDetail) {
  const { uid, at, status, code, fault } = exchange
  const injection = { title, uid, at, status, code, fault, created: findCreatedRecord(exchange) }
  useRecentInjections.setState(({ list }) => ({ list: [injection, ...list].slice(0, MAX_INJECTIONS) }))
}
