import { useMemo, useState } from 'react'
import type { PaymentReturn, TimelineEntry } from '../../../../api/contract/control/history.ts'
import type { MethodOutput } from '../../../../api/contract/control/methods.ts'
import { ALL_COLLECTIONS } from '../../../components/fields/use-record.ts'
import { isCollection } from '../../../data/collections.ts'
import { useFeed } from '../../../data/feed.ts'
import type { Route } from '../../../data/route.ts'
import { useQuery } from '../../../data/sandbox.ts'

/** Builds the rows of a timeline. Entries of one commit that describe the same change become one row. */

export type Lane = 'request' | 'state' | 'money' | 'time'
export const LANES: readonly Lane[] = ['request', 'state', 'money', 'time']

export interface TimelineRow {
  readonly id: string
  readonly lane: Lane
  /** A request that only read. */
  readonly read: boolean
  readonly entry: TimelineEntry
  /** For a request: the records that it created. */
  readonly created: readonly TimelineEntry[]
  readonly amount: string | null
  readonly pending: boolean
  readonly balance: string | null
  /** The return of the payment that this row creates or settles, or the payment that it returns. */
  readonly paymentReturn: PaymentReturn | null
}

/** Entries and rows are newest first. */
export function buildRows(entries: readonly TimelineEntry[]): TimelineRow[] {
  const rows: TimelineRow[] = []
  for (let from = 0; from < entries.length; ) {
    const { seq } = entries[from]!
    let to = from + 1
    while (seq !== null && to < entries.length && entries[to]!.seq === seq) to++
    rows.push(...buildCommitRows(entries.slice(from, to), from))
    from = to
  }
  return rows
}

function buildCommitRows(entries: readonly TimelineEntry[], from: number): TimelineRow[] {
  const request = entries.find(({ kind }) => kind === 'request')
  const created = entries.filter(isCreation)
  const payments = created.filter(({ payment }) => payment !== null)
  const [payment, ...others] = payments
  return entries.flatMap((entry, i): TimelineRow[] => {
    if (isRedundant(entry, entries, request !== undefined, payments.length > 0)) return []
    const isRequest = entry === request
    const moves = isRequest ? (payment && others.length === 0 ? payment : null) : entry
    return [
      {
        id: `${entry.seq ?? entry.exchange?.uid ?? entry.at} ${from + i}`,
        lane: laneOf(entry),
        read: entry.kind === 'request' && entry.exchange?.method === 'GET' && entry.exchange.status < 400,
        entry,
        created: isRequest ? [...created].reverse() : [],
        amount: moves?.amount ?? null,
        pending: moves?.pending ?? false,
        balance: entry.balance,
        paymentReturn: moves?.payment?.payment_return ?? null,
      },
    ]
  })
}

const laneOf = ({ kind }: TimelineEntry): Lane => (kind === 'record' ? 'state' : kind)

/** The entry says that a record was created. For a Transaction that is a money entry. */
const isCreation = ({ kind, field, balance, collection, message }: TimelineEntry) =>
  (kind === 'record' && message?.code === 'record_created') ||
  (kind === 'money' && collection === 'transactions' && field === null && balance === null)

/** Whether another row of the same commit already describes this entry. */
function isRedundant(
  entry: TimelineEntry,
  all: readonly TimelineEntry[],
  hasRequest: boolean,
  hasPayment: boolean,
): boolean {
  if (isCreation(entry)) return hasRequest
  // A held amount is that of the payment that holds it.
  if (entry.field === 'net_usd_available_balance') return hasPayment
  if (entry.kind !== 'state') return false
  const { collection, uid, field, from, to } = entry
  if (
    collection === 'transactions' &&
    to === 'settled' &&
    all.some((one) => one.balance !== null && one.payment?.uid === uid)
  )
    return true
  // A Transfer and a Return follow their Transaction.
  return (
    (collection === 'transfers' || collection === 'returns') &&
    all.some((one) => one.collection === 'transactions' && one.field === field && one.from === from && one.to === to)
  )
}

/** The page that a row leads to: of its request, its payment, or its record. */
export function targetOf({ exchange, payment, collection, uid }: TimelineEntry): Partial<Route> | null {
  if (exchange) return { screen: 'requests', record: exchange.uid }
  if (payment) return { collection: 'transactions', record: payment.uid }
  return isCollection(collection) && uid !== null ? { collection, record: uid } : null
}

interface TimelineFilter {
  readonly lanes: ReadonlySet<Lane>
  readonly reads: boolean
  readonly text: string
}

export function filterRows(rows: readonly TimelineRow[], { lanes, reads, text }: TimelineFilter): TimelineRow[] {
  const wanted = text.trim().toLowerCase()
  return rows.filter(
    (row) => lanes.has(row.lane) && (reads || !row.read) && (wanted === '' || searchText(row).includes(wanted)),
  )
}

function searchText({ entry, created }: TimelineRow): string {
  const { exchange, payment } = entry
  const parts = [entry.text, entry.name, entry.uid, entry.cause?.name, exchange?.path, exchange?.did, exchange?.uid]
  return [
    ...parts,
    payment?.description,
    payment?.type,
    payment?.uid,
    ...created.map((one) => `${one.text} ${one.uid} ${one.payment?.description}`),
  ]
    .filter(Boolean)
    .join(' ')
    .toLowerCase()
}

export const countRows = (rows: readonly TimelineRow[]) => {
  const counts = { request: 0, state: 0, money: 0, time: 0, reads: 0 }
  for (const { lane, read } of rows)
    if (read) counts.reads++
    else counts[lane]++
  return counts
}

/**
 * Loads the timeline for the number on its tab. A long one is kept current only while the tab is open; on another tab it has no
 * number once something has changed.
 */
export function useTimeline(uid: string, limit: number, shown: boolean) {
  const [last, setLast] = useState<{ data: MethodOutput<'records.story'>; version: string } | undefined>(undefined)
  const isCurrent = shown || (last?.data.entries.length ?? 0) <= MAX_SHORT
  const version = useFeed(({ versions }) => Object.values(versions).join())
  const { data, error, slow } = useQuery(
    'records.story',
    { uid, limit, reads: true },
    isCurrent ? ALL_COLLECTIONS : NOTHING,
  )
  if (data && data !== last?.data) setLast({ data, version })
  const loaded = data ?? last?.data
  const rows = useMemo(() => buildRows(loaded?.entries ?? []), [loaded])
  const counts = useMemo(() => countRows(rows), [rows])
  const isKnown = loaded !== undefined && (isCurrent || last?.version === version)
  return { loaded, rows, counts, error, slow, count: isKnown ? rows.length - counts.reads : undefined }
}

export type TimelineData = ReturnType<typeof useTimeline>

/** Entries of a timeline that is read again with each commit. */
const MAX_SHORT = 500
const NOTHING: readonly string[] = []
