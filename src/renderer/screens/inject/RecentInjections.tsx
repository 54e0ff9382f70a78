import { create } from 'zustand'
import type { ExchangeDetail } from '../../../api/contract/control/exchanges.ts'
import { RecordLink, ScreenLink } from '../../components/ScreenLink.tsx'
import { StatusCode } from '../../components/Status.tsx'
import { collections } from '../../data/collections.ts'
import { formatTimeOfDay } from '../../format/text.ts'
import { findCreatedRecord, type RecordRef } from '../../forms/send.ts'
import { Row, Section } from '../../ui/Layout.tsx'
import { Time } from '../../ui/Text.tsx'

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

const useRecentInjections = create<{ readonly list: readonly RecentInjection[] }>()(() => ({ list: [] }))

export function addRecentInjection(title: string, exchange: ExchangeDetail) {
  const { uid, at, status, code, fault } = exchange
  const injection = { title, uid, at, status, code, fault, created: findCreatedRecord(exchange) }
  useRecentInjections.setState(({ list }) => ({ list: [injection, ...list].slice(0, MAX_INJECTIONS) }))
}

/** The injections of this window since it was opened. */
export function RecentInjections() {
  const list = useRecentInjections((recent) => recent.list)
  if (list.length === 0) return null
  return (
    <Section title="Injected in this session" note={list.length} line="top">
      <ul>
        {list.map(({ uid, at, title, status, fault, code, created }) => (
          <Row as="li" key={uid} gap={12} pad="0 16" least={28} line="top" text="data">
            <Time className="soft" at={at} format={formatTimeOfDay} />
            <span className="cut grow" title={title}>
              {title}
            </span>
            {created ? (
              <span className="cut">
                <RecordLink collection={created.collection} uid={created.uid}>
                  {collections[created.collection].one}
                </RecordLink>
              </span>
            ) : (
              <span className="faint">{code ?? ''}</span>
            )}
            <ScreenLink screen="requests" record={uid} title="Open the request">
              <StatusCode exchange={fault === undefined ? { status } : { status, fault }} />
            </ScreenLink>
          </Row>
        ))}
      </ul>
    </Section>
  )
}
