import { create } from 'zustand'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { findCreatedRecord, type RecordRef } from '../../forms/send.ts'

/** What was injected from this window, the newest first. The request log has it too; here is what it was meant to be. */

export interface Injected {
  readonly kind: string
  readonly title: string
  readonly uid: string
  readonly at: string
  readonly status: number
  readonly code: number | null
  readonly fault: string | undefined
  readonly made: RecordRef | null
}

const MOST = 100

export const useInjected = create<{ readonly list: readonly Injected[] }>()(() => ({ list: [] }))

export function remember(kind: { id: string; title: string }, exchange: ExchangeDetail) {
  const { uid, at, status, code, fault } = exchange
  const one = { kind: kind.id, title: kind.title, uid, at, status, code, fault, made: findCreatedRecord(exchange) }
  useInjected.setState(({ list }) => ({ list: [one, ...list].slice(0, MOST) }))
}
