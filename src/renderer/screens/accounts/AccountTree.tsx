// Rows that come and go by where one has scrolled to cannot be those of an HTML table; and the grid alone has the focus.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
// biome-ignore-all lint/a11y/useFocusableInteractive: see above.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: see above.

import { useVirtualizer } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useRef } from 'react'
import { shapeOf, signalOf } from '../../components/Status.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { Text } from '../../ui/Text.tsx'
import type { AccountRow, CustomerRow, RowOfTree } from './tree.ts'

/** Customers with their accounts, virtual. One tab stop: arrows move, Left and Right fold, Enter opens the record. */

interface AccountTreeProps {
  readonly rows: readonly RowOfTree[]
  /** The row that keys go on from: a Customer or an account. */
  readonly current: string | null
  /** The account beside the tree. */
  readonly chosen: string | null
  readonly onMove: (row: CustomerRow | AccountRow) => void
  readonly onFold: (customer: string, open: boolean) => void
  readonly onOpen: (row: CustomerRow | AccountRow) => void
  readonly empty: React.ReactNode
}

const ROW = 24
const isHere = (row: RowOfTree): row is CustomerRow | AccountRow => row.kind !== 'group'
const customerOf = (row: CustomerRow | AccountRow) => (row.kind === 'customer' ? row.id : row.account.customer_uid)

export function AccountTree({ rows, current, chosen, onMove, onFold, onOpen, empty }: AccountTreeProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const prefix = useId()
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    getItemKey: (at) => rows[at]!.id,
    overscan: 12,
    scrollMargin: ROW,
    scrollPaddingStart: ROW,
  })
  const move = (to: CustomerRow | AccountRow | undefined) => {
    if (!to) return
    onMove(to)
    virtualizer.scrollToIndex(rows.indexOf(to), { align: 'auto' })
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const places = rows.filter(isHere)
    const at = places.findIndex(({ id }) => id === current)
    const here = places[at]
    const page = Math.max(1, Math.floor((scroller.current!.clientHeight - ROW) / ROW) - 1)
    const last = places.length - 1
    const steps: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: last,
    }
    const step = steps[event.key]
    if (step !== undefined) move(places[Math.max(0, Math.min(last, step))])
    else if (event.key === 'Enter' && here) onOpen(here)
    else if (event.key === 'ArrowRight' && here?.kind === 'customer') {
      if (!here.open) onFold(here.id, true)
      else move(places[at + 1])
    } else if (event.key === 'ArrowLeft' && here) {
      if (here.kind === 'customer') onFold(here.id, false)
      else move(places.find(({ id }) => id === customerOf(here)))
    } else return
    event.preventDefault()
  }
  const drawn = (row: RowOfTree, at: number, start: number) => {
    const place = { transform: `translateY(${start - ROW}px)` }
    const shared = { id: prefix + row.id, className: 'tr', style: place, 'aria-rowindex': at + 2 } as const
    if (row.kind === 'group')
      return (
        <div key={row.id} {...shared} role="row" aria-level={2} data-group>
          <div role="gridcell" aria-colspan={4} className="cut">
            {row.title}
          </div>
        </div>
      )
    const events = { onClick: () => move(row), onDoubleClick: () => onOpen(row) }
    if (row.kind === 'customer')
      return (
        <div
          key={row.id}
          {...shared}
          {...events}
          role="row"
          data-row
          aria-level={1}
          aria-expanded={row.open}
          aria-selected={row.id === current}
        >
          <div role="gridcell" title={row.name.slice(0, 255)}>
            <span
              className="twist"
              aria-hidden="true"
              onClick={(event) => {
                event.stopPropagation()
                onFold(row.id, !row.open)
              }}
            >
              {row.open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
            </span>
            <b>
              <Text>{row.name}</Text>
            </b>
          </div>
          <Figures settled={row.settled} pending={row.pending} available={row.available} />
        </div>
      )
    const { account } = row
    const external = account.book === 'synthetic' && !account.liability
    const number = account.account_number_last_four
    const last = number === null ? null : <span className="faint mono">··{number}</span>
    const shape = account.status === null || account.status === 'active' ? undefined : shapeOf[account.status]
    return (
      <div
        key={row.id}
        {...shared}
        {...events}
        role="row"
        data-row
        data-leaf
        data-external={external ? '' : undefined}
        data-asset={account.liability ? undefined : ''}
        data-chosen={row.id === chosen ? '' : undefined}
        aria-level={2}
        aria-selected={row.id === current}
      >
        <div
          role="gridcell"
          title={`${account.name.slice(0, 255)} ${number === null ? '' : `··${number} `}${account.uid}`}
        >
          {shape && account.status !== null && (
            <span
              className="st"
              data-signal={signalOf(shape)}
              role="img"
              aria-label={account.status}
              title={account.status}
            >
              <Glyph name={shape} />
            </span>
          )}
          <Text>{account.name}</Text>
          {!external && last}
        </div>
        {external ? (
          <div role="gridcell" aria-colspan={3} data-right className="meta">
            {account.kind === 'general' ? 'asset account' : account.kind}
            {last}
          </div>
        ) : (
          <Figures settled={account.balance} pending={account.pending} available={account.available} />
        )}
      </div>
    )
  }
  return (
    <div
      ref={scroller}
      className="grid tree"
      role="treegrid"
      tabIndex={0}
      aria-label="Accounts by Customer"
      aria-rowcount={rows.length + 1}
      aria-colcount={4}
      aria-activedescendant={
        virtualizer.getVirtualItems().some(({ key }) => key === current) ? prefix + current : undefined
      }
      onKeyDown={onKeyDown}
    >
      <div role="row" className="tr" data-head aria-rowindex={1}>
        <div role="columnheader">Account</div>
        {['Settled', 'Pending', 'Available'].map((name) => (
          <div key={name} role="columnheader" data-right>
            {name}
          </div>
        ))}
      </div>
      {rows.length === 0 ? (
        <div role="rowgroup">
          <div role="row">
            <div role="gridcell" aria-colspan={4}>
              {empty}
            </div>
          </div>
        </div>
      ) : (
        <div className="rows" role="rowgroup" data-virtual style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => drawn(rows[index]!, index, start))}
        </div>
      )}
    </div>
  )
}

interface FiguresProps {
  readonly settled: string
  readonly pending: string | null
  readonly available: string | null
}

/** The cash accounts of the custodian show no balance of their own: what is missing is a dash. */
function Figures({ settled, pending, available }: FiguresProps) {
  return (
    <>
      <div role="gridcell" data-right>
        <Amount value={settled} />
      </div>
      <div role="gridcell" data-right>
        <Amount value={pending ?? undefined} movement pending />
      </div>
      <div role="gridcell" data-right>
        <Amount value={available ?? undefined} />
      </div>
    </>
  )
}
