// The grid has the focus and handles all keys.
// biome-ignore-all lint/a11y/useSemanticElements: see above.
// biome-ignore-all lint/a11y/useFocusableInteractive: see above.
// biome-ignore-all lint/a11y/useKeyWithClickEvents: see above.
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useId, useMemo } from 'react'
import { signalOfGlyph, statusGlyphs } from '../../components/Status.tsx'
import { amountTrack } from '../../ui/amount-width.ts'
import { Grid, GridRow, type RowPosition } from '../../ui/Grid.tsx'
import { Amount, Glyph, GlyphText, Text } from '../../ui/Text.tsx'
import { rowAfterKey } from '../../ui/use-row-selection.ts'
import { useVirtualRows } from '../../ui/use-virtual-rows.ts'
import styles from './AccountTree.module.css'
import type { AccountRow, CustomerRow, TreeRow } from './tree.ts'

interface AccountTreeProps {
  readonly rows: readonly TreeRow[]
  /** The id of the row with the cursor: a Customer or an account. */
  readonly current: string | null
  /** The account that the pane next to the tree shows. */
  readonly chosen: string | null
  readonly onMove: (row: CustomerRow | AccountRow) => void
  readonly onFold: (customer: string, open: boolean) => void
  readonly onOpen: (row: CustomerRow | AccountRow) => void
  readonly empty: React.ReactNode
}

const ROW_HEIGHT = 24
/** Large amounts are not cut, but take space from the names. */
const FIGURES = [
  { id: 'settled', header: 'Settled', right: true, fit: { padding: 8, least: 96 } },
  { id: 'pending', header: 'Pending', right: true, fit: { padding: 8, least: 88, isMovement: true } },
  { id: 'available', header: 'Available', right: true, fit: { padding: 20, least: 104 } },
] as const
const COLUMNS = [{ id: 'account', header: 'Account' }, ...FIGURES]
const isSelectable = (row: TreeRow): row is CustomerRow | AccountRow => row.kind !== 'group'
const findOwner = (row: CustomerRow | AccountRow) => (row.kind === 'customer' ? row.id : row.account.customer_uid)

/** Customers with their accounts, virtual. One tab stop: arrows move, Left and Right fold, Enter opens the record. */
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
    const selectable = rows.filter(isSelectable)
    const index = selectable.findIndex(({ id }) => id === current)
    const row = selectable[index]
    const to = rowAfterKey(event.key, index, selectable.length, view.pageSize)
    if (to !== undefined) move(selectable[to])
    else if (event.key === 'Enter' && row) onOpen(row)
    else if (event.key === 'ArrowRight' && row?.kind === 'customer') {
      if (!row.open) onFold(row.id, true)
      else move(selectable[index + 1])
    } else if (event.key === 'ArrowLeft' && row) {
      if (row.kind === 'customer') onFold(row.id, false)
      else move(selectable.find(({ id }) => id === findOwner(row)))
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
    const props: RowProps = {
      ...shared,
      'aria-selected': row.id === current,
      onClick: () => move(row),
      onDoubleClick: () => onOpen(row),
    }
    return row.kind === 'customer' ? (
      <CustomerTreeRow key={row.id} {...props} row={row} onFold={() => onFold(row.id, !row.open)} />
    ) : (
      <AccountTreeRow key={row.id} {...props} row={row} data-chosen={row.id === chosen ? '' : undefined} />
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
      style={useMemo(() => fitAmounts(rows), [rows])}
      aria-activedescendant={view.visible.some(({ at }) => rows[at]?.id === current) ? prefix + current : undefined}
      onKeyDown={onKeyDown}
    />
  )
}

/** The widths of the columns. */
function fitAmounts(rows: readonly TreeRow[]) {
  const figures = rows.flatMap((row) => (row.kind === 'group' ? [] : [figuresOf(row)]))
  const widths = FIGURES.map(({ id, fit }) => {
    const amounts = figures.map((row) => row[id])
    return [`--${id}`, amountTrack(amounts, fit)]
  })
  return Object.fromEntries(widths) as React.CSSProperties
}

const figuresOf = (row: CustomerRow | AccountRow): FiguresProps =>
  row.kind === 'customer' ? row : { ...row.account, settled: row.account.balance }

type RowProps = React.ComponentProps<typeof GridRow>

const TOGGLE = { flex: 'none', width: 18, marginLeft: -2, color: 'var(--ink-3)', cursor: 'pointer' } as const
const CHEVRON = { size: 14, style: { verticalAlign: -3 } }

function CustomerTreeRow({ row, onFold, ...line }: RowProps & { row: CustomerRow; onFold: () => void }) {
  return (
    <GridRow {...line} data-row aria-level={1} aria-expanded={row.open}>
      <div role="gridcell" title={row.name.slice(0, 255)}>
        <span
          style={TOGGLE}
          aria-hidden="true"
          onClick={(event) => {
            event.stopPropagation()
            onFold()
          }}
        >
          {row.open ? <ChevronDown {...CHEVRON} /> : <ChevronRight {...CHEVRON} />}
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

/** A dash for a missing amount: custodial cash accounts have no pending or available balance. */
const Figures = (values: FiguresProps) =>
  FIGURES.map(({ id }) => (
    <div key={id} role="gridcell" data-right>
      <Amount value={values[id] ?? undefined} movement={id === 'pending'} pending={id === 'pending'} />
    </div>
  ))
