// The grid alone has the focus, and its keys are the grid's.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
// biome-ignore-all lint/a11y/useFocusableInteractive: see above.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: see above.

import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId } from 'react'
import { signalOfGlyph, statusGlyphs } from '../../components/Status.tsx'
import { Amount } from '../../ui/Amount.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { Grid, GridRow, type RowPosition } from '../../ui/Grid.tsx'
import { Text } from '../../ui/Text.tsx'
import { rowAfterKey } from '../../ui/use-row-selection.ts'
import { useVirtualRows } from '../../ui/use-virtual-rows.ts'
import styles from './AccountTree.module.css'
import type { AccountRow, CustomerRow, TreeRow } from './tree.ts'

/** Customers with their accounts, virtual. One tab stop: arrows move, Left and Right fold, Enter opens the record. */

interface AccountTreeProps {
  readonly rows: readonly TreeRow[]
  /** The row that keys go on from: a Customer or an account. */
  readonly current: string | null
  /** The account beside the tree. */
  readonly chosen: string | null
  readonly onMove: (row: CustomerRow | AccountRow) => void
  readonly onFold: (customer: string, open: boolean) => void
  readonly onOpen: (row: CustomerRow | AccountRow) => void
  readonly empty: React.ReactNode
}

const ROW_HEIGHT = 24
const COLUMNS = [
  { id: 'account', header: 'Account' },
  { id: 'settled', header: 'Settled', right: true },
  { id: 'pending', header: 'Pending', right: true },
  { id: 'available', header: 'Available', right: true },
]
const isSelectable = (row: TreeRow): row is CustomerRow | AccountRow => row.kind !== 'group'
const findOwner = (row: CustomerRow | AccountRow) => (row.kind === 'customer' ? row.id : row.account.customer_uid)

export function AccountTree({ rows, current, chosen, onMove, onFold, onOpen, empty }: AccountTreeProps) {
  const prefix = useId()
  const view = useVirtualRows({ rows, count: rows.length, rowHeight: ROW_HEIGHT })
  const move = (to: CustomerRow | AccountRow | undefined) => {
    if (!to) return
    onMove(to)
    view.reveal(rows.indexOf(to), prefix + to.id)
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const places = rows.filter(isSelectable)
    const at = places.findIndex(({ id }) => id === current)
    const here = places[at]
    const to = rowAfterKey(event.key, at, places.length, view.pageSize)
    if (to !== undefined) move(places[to])
    else if (event.key === 'Enter' && here) onOpen(here)
    else if (event.key === 'ArrowRight' && here?.kind === 'customer') {
      if (!here.open) onFold(here.id, true)
      else move(places[at + 1])
    } else if (event.key === 'ArrowLeft' && here) {
      if (here.kind === 'customer') onFold(here.id, false)
      else move(places.find(({ id }) => id === findOwner(here)))
    } else return
    event.preventDefault()
  }
  const drawRow = (line: RowPosition) => {
    const row = rows[line.at]!
    const shared = { line, id: prefix + row.id, className: styles.row }
    if (row.kind === 'group')
      return (
        <GridRow key={row.id} {...shared} aria-level={2} data-group>
          <div role="gridcell" aria-colspan={COLUMNS.length} className="cut">
            {row.title}
          </div>
        </GridRow>
      )
    const place: RowProps = {
      ...shared,
      'aria-selected': row.id === current,
      onClick: () => move(row),
      onDoubleClick: () => onOpen(row),
    }
    return row.kind === 'customer' ? (
      <CustomerTreeRow key={row.id} {...place} row={row} onFold={() => onFold(row.id, !row.open)} />
    ) : (
      <AccountTreeRow key={row.id} {...place} row={row} data-chosen={row.id === chosen ? '' : undefined} />
    )
  }
  return (
    <Grid
      role="treegrid"
      label="Accounts by Customer"
      className={styles.tree}
      columns={COLUMNS}
      count={rows.length}
      view={view}
      renderRow={drawRow}
      empty={empty}
      aria-activedescendant={view.drawn.some(({ at }) => rows[at]?.id === current) ? prefix + current : undefined}
      onKeyDown={onKeyDown}
    />
  )
}

type RowProps = React.ComponentProps<typeof GridRow>

function CustomerTreeRow({ row, onFold, ...line }: RowProps & { row: CustomerRow; onFold: () => void }) {
  return (
    <GridRow {...line} data-row aria-level={1} aria-expanded={row.open}>
      <div role="gridcell" title={row.name.slice(0, 255)}>
        <span
          className={styles.toggle}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation()
            onFold()
          }}
        >
          {row.open ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
        </span>
        <b>
          <Text>{row.name}</Text>
        </b>
      </div>
      <Figures settled={row.settled} pending={row.pending} available={row.available} />
    </GridRow>
  )
}

function AccountTreeRow({ row: { account }, ...line }: RowProps & { row: AccountRow }) {
  const { status, account_number_last_four: number } = account
  const external = account.book === 'synthetic' && !account.liability
  const lastFour = number === null ? null : <span className="faint mono">··{number}</span>
  const shape = status === null || status === 'active' ? undefined : statusGlyphs[status]
  return (
    <GridRow
      {...line}
      data-row
      data-leaf
      data-external={external ? '' : undefined}
      data-asset={account.liability ? undefined : ''}
      aria-level={2}
    >
      <div
        role="gridcell"
        title={`${account.name.slice(0, 255)} ${number === null ? '' : `··${number} `}${account.uid}`}
      >
        {shape && status !== null && (
          <GlyphText signal={signalOfGlyph(shape)} role="img" aria-label={status} title={status}>
            <Glyph name={shape} />
          </GlyphText>
        )}
        <Text>{account.name}</Text>
        {!external && lastFour}
      </div>
      {external ? (
        <div role="gridcell" aria-colspan={3} data-right className="meta">
          {account.kind === 'general' ? 'asset account' : account.kind}
          {lastFour}
        </div>
      ) : (
        <Figures settled={account.balance} pending={account.pending} available={account.available} />
      )}
    </GridRow>
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
