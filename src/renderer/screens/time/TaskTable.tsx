import { useMemo } from 'react'
import { ruleOf } from '../../../api/contract/rules.ts'
import { RecordLink } from '../../components/ScreenLink.tsx'
import { signalOfTask } from '../../components/Status.tsx'
import { formatDateTime, formatInstant, newYork } from '../../format/text.ts'
import { amountTrack } from '../../ui/amount-width.ts'
import { type Column, DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { type GlyphName, GlyphText } from '../../ui/Glyph.tsx'
import { TableArea } from '../../ui/Layout.tsx'
import { Amount, Text } from '../../ui/Text.tsx'
import { collectionOf, type RecordNames } from './agenda.ts'
import styles from './Time.module.css'

/** A task that is scheduled, that runs, or that ran. */
export interface TaskRow {
  readonly uid: string
  readonly at: string
  /** The row shows the date, because its group is not one day. */
  readonly isDated?: boolean
  readonly kind: string
  readonly glyph: GlyphName
  /** What the glyph says, for screen readers. */
  readonly state?: string | undefined
  readonly record: string | null
  /** In the place of a record. */
  readonly subject?: string
  /** Why it is scheduled, or its outcome. */
  readonly text: string
  /** The whole text, if `text` leaves out what other columns have. */
  readonly title?: string
  readonly isBad?: boolean
}

interface TaskTableProps<T extends TaskRow> {
  readonly label: string
  readonly rows: readonly (T | GroupRow)[]
  readonly names: RecordNames
  /** The header of the texts. Without it only the times and kinds of the tasks are known. */
  readonly says?: 'Why' | 'Outcome' | undefined
  /** Stable between renders. */
  readonly renderActions?: (row: T) => React.ReactNode
  readonly selected: string | null
  readonly onSelect: (row: T) => void
  readonly onOpen: (row: T) => void
  readonly empty?: React.ReactNode
}

/** Tasks with their times, records, amounts and reasons or outcomes. */
export function TaskTable<T extends TaskRow>(props: TaskTableProps<T>) {
  const { label, rows, names, says, renderActions, empty, ...selection } = props
  const columns = useMemo(() => buildColumns(rows, names, says, renderActions), [rows, names, says, renderActions])
  return (
    <TableArea className={styles.table}>
      <DataTable label={label} columns={columns} rows={rows} idOf={idOf} empty={empty} {...selection} />
    </TableArea>
  )
}

const idOf = ({ uid }: TaskRow) => uid

function buildColumns<T extends TaskRow>(
  rows: TaskTableProps<T>['rows'],
  names: TaskTableProps<T>['names'],
  says: TaskTableProps<T>['says'],
  renderActions: TaskTableProps<T>['renderActions'],
): Column<T>[] {
  const tasks = rows.filter((row): row is T => !('group' in row))
  const amountOf = ({ record }: TaskRow) => (record === null ? undefined : names.get(record)?.amount)
  const whenAndWhat: Column<T>[] = [
    {
      id: 'time',
      header: 'Time, ET',
      width: tasks.some(({ isDated }) => isDated) ? '108px' : '80px',
      cell: ({ at, isDated }) => {
        const ms = Date.parse(at)
        return (
          <time dateTime={at} title={`${formatInstant(ms)}, ${at}`}>
            {isDated ? formatDateTime(ms).slice(0, -3) : newYork(ms).time}
          </time>
        )
      },
    },
    {
      id: 'task',
      header: 'Task',
      width: 'minmax(124px, 140px)',
      cell: ({ kind, glyph, state }) => (
        <GlyphText glyph={glyph} signal={signalOfTask(glyph)} data-shape-of={glyph}>
          <span title={kind}>
            {state !== undefined && <span className="unseen">{state}: </span>}
            <Text>{kind}</Text>
          </span>
        </GlyphText>
      ),
    },
  ]
  if (says === undefined) return whenAndWhat
  return [
    ...whenAndWhat,
    {
      id: 'record',
      header: 'For',
      width: 'minmax(96px, 1fr)',
      cell: ({ kind, record, subject = '' }) => {
        if (record === null) return <Text className="faint">{subject}</Text>
        const collection = collectionOf(kind)
        const name = names.get(record)?.name ?? record
        if (!collection) return <Text className="mono">{name}</Text>
        return (
          <RecordLink collection={collection} uid={record} inTable title={name}>
            {name}
          </RecordLink>
        )
      },
    },
    {
      id: 'amount',
      header: 'USD',
      width: amountTrack(tasks.map(amountOf), { least: 92, isMovement: true }),
      right: true,
      cell: (row) => {
        const amount = amountOf(row)
        return amount == null ? null : <Amount value={amount} movement pending={says === 'Why'} />
      },
    },
    {
      id: 'text',
      header: says,
      width: 'minmax(120px, 1fr)',
      cell: ({ kind, text, title = text, isBad = false }) => {
        const section = says === 'Why' ? ruleOf(kind)?.section : null
        return (
          <span className={isBad ? 'bad' : 'soft'} title={title}>
            {section != null && <span className="meta">{`§ ${section} `}</span>}
            <Text>{text}</Text>
          </span>
        )
      },
    },
    ...(renderActions
      ? [
          {
            id: 'actions',
            header: <span className="unseen">Actions</span>,
            width: '136px',
            right: true,
            cell: renderActions,
          },
        ]
      : []),
  ]
}
