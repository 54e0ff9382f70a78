import { Table2 } from 'lucide-react'
import { useState } from 'react'
import type { Balances } from '../../../api/contract/control/ledger.ts'
import { Column, Row } from '../../ui/Box.tsx'
import { Chip } from '../../ui/Chip.tsx'
import { cx } from '../../ui/cx.ts'
import styles from './BalanceChart.module.css'
import { BalancePlot, LINES, lines } from './BalancePlot.tsx'
import { BalanceTable } from './BalanceTable.tsx'
import { type ChartRange, describeBalanceAt, describeChart, ranges } from './balance.ts'

interface BalanceChartProps {
  readonly name: string
  readonly balances: Balances
  readonly range: ChartRange
  readonly onRange: (range: ChartRange) => void
  readonly asOf: boolean
}

/**
 * The balance over simulated time: settled as a solid line, available dashed, scheduled dotted. Days on which banks are
 * closed are hatched. The pointer and the arrow keys read values, and a table has them all.
 */
export function BalanceChart({ name, balances, range, onRange, asOf }: BalanceChartProps) {
  const [isTable, setTable] = useState(false)
  const [cursor, setCursor] = useState<number | null>(null)
  return (
    <Column className={styles.chart} style={{ height: '100%' }}>
      <Row wraps gap="4 12" pad="0 16" least={28} style={{ flex: 'none' }}>
        {!isTable &&
          LINES.map((line) => (
            <Row as="span" key={line} gap={6} text="meta" tone="soft" className="nowrap">
              <svg viewBox="0 0 18 6" width="18" height="6" aria-hidden="true">
                <path fill="none" {...lines[line]} d="M0 3h18" />
              </svg>
              {line}
            </Row>
          ))}
        <span className={cx('meta', styles.reading)} data-reading aria-live="polite">
          {cursor === null ? '' : describeBalanceAt(balances, cursor)}
        </span>
        <span className="end row" data-tight>
          {ranges.map((option) => (
            <Chip key={option} pressed={option === range} onClick={() => onRange(option)}>
              {option}
            </Chip>
          ))}
          <Chip pressed={isTable} onClick={() => setTable(!isTable)}>
            <Table2 size={12} strokeWidth={1.6} aria-hidden="true" />
            Table
          </Chip>
        </span>
      </Row>
      {isTable ? (
        <BalanceTable balances={balances} />
      ) : (
        <BalancePlot
          label={describeChart(name, balances)}
          balances={balances}
          asOf={asOf}
          cursor={cursor}
          onCursor={setCursor}
        />
      )}
    </Column>
  )
}
