import { type LucideIcon, Play, RotateCw, SkipForward } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { operationOf } from '../../../api/contract/control/client.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { ruleOf } from '../../../api/contract/rules.ts'
import { RecordLink } from '../../components/ScreenLink.tsx'
import { glyphOfTask, signalOfTask } from '../../components/Status.tsx'
import { Undo } from '../../components/Undo.tsx'
import { advance } from '../../data/advance.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { useLastChange } from '../../data/last-change.ts'
import { sandbox, useAction } from '../../data/sandbox.ts'
import { errorText, formatDateTime, formatInstant, formatShortInstant, newYork } from '../../format/text.ts'
import { amountTrack } from '../../ui/amount-width.ts'
import { Button, ButtonGroup } from '../../ui/Button.tsx'
import { type Column, DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { Row, Stack, TableArea } from '../../ui/Layout.tsx'
import { Amount, type GlyphName, GlyphText, Text } from '../../ui/Text.tsx'
import { collectionOf, formatReason, isBadOutcome, type RecordNames, type Section } from './agenda.ts'
import styles from './Time.module.css'

interface AgendaRow extends TaskRow {
  readonly task: Task
}

type Action = 'run' | 'hold' | 'release'

/** The result of an action. It stays visible after the task has left the list. */
interface ActionResult {
  readonly text: string
  readonly isBad: boolean
}

/** A task that was run now. */
interface TaskRun extends ActionResult {
  readonly operation: number | null
}

export function useTaskActions() {
  const [run, setRun] = useLastChange<TaskRun>('task run')
  const { run: perform, result } = useAction(async (task: Task, action: Action): Promise<ActionResult | null> => {
    try {
      if (action !== 'run') {
        await sandbox[`tasks.${action}`]({ uid: task.uid })
        const text = action === 'hold' ? 'is held: advances skip it' : 'is released'
        return { text: `${task.kind} ${text}.`, isBad: false }
      }
      const fired = await sandbox['tasks.run']({ uid: task.uid })
      const { at, outcome, message } = fired
      const text = `${task.kind} ran at ${newYork(Date.parse(at)).time}: ${outcome}.`
      setRun({ text, isBad: isBadOutcome({ message }), operation: operationOf(fired) })
      return null
    } catch (error) {
      return { text: `${task.kind} was not changed. ${errorText(error)}`, isBad: true }
    }
  })
  return { result, run, perform }
}
type TaskActions = ReturnType<typeof useTaskActions>

const advanceTo = (ms: number) => advance({ to: new Date(ms).toISOString() }, `to ${formatShortInstant(ms)}`)

interface AgendaProps {
  readonly sections: readonly Section[]
  readonly names: RecordNames
  readonly selected: string | null
  readonly onSelect: (uid: string) => void
  readonly actions: TaskActions
  readonly empty: React.ReactNode
}

export function Agenda({ sections, names, selected, onSelect, actions, empty }: AgendaProps) {
  const { run, perform } = actions
  const result = actions.result ?? run
  const programs = useFeed((feed) => feed.programs)
  const rows = useMemo(
    () =>
      sections.flatMap((section): (AgendaRow | GroupRow)[] => [
        { group: section.id, title: <Title section={section} /> },
        ...section.tasks.map((task) => rowOf(task, section, programs)),
      ]),
    [sections, programs],
  )
  // A ref keeps the columns the same although `perform` is a new function on each render.
  const performRef = useRef(perform)
  useEffect(() => {
    performRef.current = perform
  })
  const renderActions = useCallback(
    ({ task }: AgendaRow) => (
      <ButtonGroup>
        {actionsOf(task).map(({ action, label }) => (
          <Button key={keyOf(action)} small tabIndex={-1} onClick={() => void performRef.current(task, action)}>
            {label}
          </Button>
        ))}
      </ButtonGroup>
    ),
    [],
  )
  const bar = useRef<HTMLElement>(null)
  const task = sections.flatMap(({ tasks }) => tasks).find(({ uid }) => uid === selected)
  return (
    <>
      <TaskTable
        label="Scheduled tasks"
        rows={rows}
        names={names}
        says="Why"
        renderActions={renderActions}
        selected={task?.uid ?? null}
        onSelect={({ uid }) => onSelect(uid)}
        onOpen={() => bar.current?.querySelector('button')?.focus()}
        empty={empty}
      />
      <Stack
        as="section"
        ref={bar}
        gap={6}
        pad="8 16"
        least={102}
        fill="well"
        className={styles.selected}
        aria-label="Selected task"
      >
        {task ? (
          <SelectedTask task={task} perform={perform} />
        ) : (
          <p className="soft">Select a task to run it now, hold it, or advance to it.</p>
        )}
        <Row as="p" wraps gap="4 12" text="data" role="status">
          {result && (
            <>
              <span className={result.isBad ? 'bad wrap' : 'wrap'}>{result.text}</span>
              {run && result === run && <Undo key={run.operation} what="the run" operation={run.operation} />}
            </>
          )}
        </Row>
      </Stack>
    </>
  )
}

function rowOf(task: Task, { kind }: Section, programs: readonly Program[]): AgendaRow {
  const { uid, due_at, record, recurring, held, failed, why } = task
  const owner = programs.length > 1 ? programs.find((program) => program.uid === task.program_uid)?.name : undefined
  return {
    uid,
    task,
    at: due_at,
    isDated: kind === 'later' || kind === 'failed',
    kind: task.kind,
    glyph: glyphOfTask(task),
    state: failed !== null ? 'failed' : held ? 'held' : undefined,
    record,
    subject: owner ?? (recurring ? 'all accounts' : '–'),
    text: failed ?? formatReason(task),
    title: failed ?? why,
    isBad: failed !== null,
  }
}

interface TaskAction {
  readonly action: Action
  readonly label: string
  readonly icon?: LucideIcon
}

/** Hold and Release are one button, which keeps the focus. */
const keyOf = (action: Action) => (action === 'release' ? 'hold' : action)

const RUN: TaskAction = { action: 'run', label: 'Run now', icon: Play }

const actionsOf = ({ held, failed }: Task): readonly TaskAction[] =>
  failed !== null
    ? [{ action: 'run', label: 'Run again', icon: RotateCw }]
    : held
      ? [{ action: 'release', label: 'Release' }]
      : [RUN, { action: 'hold', label: 'Hold' }]

function Title({ section: { kind, title, note, right, start } }: { section: Section }) {
  return (
    <Row as="span" gap={8} className={styles.title} data-kind={kind}>
      <b className={kind === 'failed' ? 'bad' : undefined}>{title}</b>
      <span className="faint">{note}</span>
      <span className="end faint">{right}</span>
      {start !== null && (
        <Button
          icon={SkipForward}
          small
          bare
          tabIndex={-1}
          title={`Advance to ${formatShortInstant(start)}`}
          onClick={() => void advanceTo(start)}
        >
          Advance to this <span className="unseen">{formatShortInstant(start)}</span>
        </Button>
      )}
    </Row>
  )
}

/** Everything about the selected task, and its actions. */
function SelectedTask({ task, perform }: { task: Task; perform: TaskActions['perform'] }) {
  const isOffline = useFeed((feed) => feed.connection !== 'live')
  const at = Date.parse(task.due_at)
  const rule = ruleOf(task.kind)
  const isPast = at < Date.parse(useFeed((feed) => feed.clock?.now) ?? task.due_at)
  const offline = isOffline ? 'No connection.' : undefined
  const actions = task.held && task.failed === null ? [RUN, ...actionsOf(task)] : actionsOf(task)
  return (
    <>
      <Row wraps gap={8}>
        {actions.map(({ action, label, icon }) => (
          <Button key={keyOf(action)} icon={icon} whyNot={offline} onClick={() => void perform(task, action)}>
            {label}
          </Button>
        ))}
        <Button
          icon={SkipForward}
          whyNot={offline ?? (isPast ? 'It is due in the past.' : undefined)}
          onClick={() => void advanceTo(at)}
        >
          Advance to this
        </Button>
        <span className="data cut">
          {task.kind}, {formatShortInstant(at)}
        </span>
      </Row>
      <p className="data wrap">
        {task.failed !== null ? (
          <span className="bad">
            <Text>{task.failed}</Text>. It is not retried automatically: fix the cause, then run it again.
          </span>
        ) : (
          <>
            <Text>{task.why}</Text>.{' '}
            {task.held && <span className="wait">Held: advances skip it until it is released. </span>}
            {rule && (
              <span className="soft">
                {rule.rule}
                {rule.section === null ? '' : ` (section ${rule.section})`}.
              </span>
            )}
          </>
        )}
      </p>
    </>
  )
}

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
