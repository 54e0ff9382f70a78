import { Play, RotateCw, SkipForward } from 'lucide-react'
import { useEffect, useMemo, useRef } from 'react'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { ruleOf } from '../../../api/contract/rules.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { glyphOfTask, signalOfTask } from '../../components/task-glyph.ts'
import { Undo } from '../../components/Undo.tsx'
import { advance } from '../../data/advance.ts'
import { useFeed } from '../../data/feed.ts'
import { useKeptChange } from '../../data/kept-changes.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useAction } from '../../data/use-action.ts'
import { errorText } from '../../format/errors.ts'
import { formatDateTime, formatInstant, formatShortInstant, newYork } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { amountTrack } from '../../ui/amount-width.ts'
import { Row, Stack } from '../../ui/Box.tsx'
import { Button, ButtonGroup } from '../../ui/Button.tsx'
import type { Column } from '../../ui/DataRow.tsx'
import { DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { TableArea } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import type { Section } from './agenda.ts'
import styles from './Time.module.css'
import { collectionOf, formatReason, isBadOutcome } from './task-kinds.ts'
import type { RecordName } from './use-record-names.ts'

interface TaskRow {
  readonly task: Task
  /** The row shows the date, because its section is not one day. */
  readonly isDated: boolean
}

type Action = 'run' | 'hold' | 'release'

/** The result of an action. It stays visible after the task has left the list. */
interface ActionResult {
  readonly text: string
  readonly isBad: boolean
}

/** A task that was run now: a rewind can undo it. */
interface TaskRun extends ActionResult {
  readonly before: number
  readonly seq: number
}

export function useTaskActions() {
  const [run, setRun] = useKeptChange<TaskRun>('task run')
  const { run: perform, result } = useAction(async (task: Task, action: Action): Promise<ActionResult | null> => {
    try {
      const { seq: before } = await sandbox['world.describe']({})
      if (action !== 'run') {
        await sandbox[`tasks.${action}`]({ uid: task.uid })
        const text = action === 'hold' ? 'is held: advances skip it' : 'is released'
        return { text: `${task.kind} ${text}.`, isBad: false }
      }
      const { at, outcome, message } = await sandbox['tasks.run']({ uid: task.uid })
      const { seq } = await sandbox['world.describe']({})
      const text = `${task.kind} ran at ${newYork(Date.parse(at)).time}: ${outcome}.`
      setRun({ text, isBad: isBadOutcome({ message }), before, seq })
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
  readonly names: ReadonlyMap<string, RecordName>
  readonly selected: string | null
  readonly onSelect: (uid: string) => void
  readonly actions: TaskActions
  readonly empty: React.ReactNode
}

export function Agenda({ sections, names, selected, onSelect, actions, empty }: AgendaProps) {
  const { run, perform } = actions
  const result = actions.result ?? run
  const rows = useMemo(
    () =>
      sections.flatMap((section): (TaskRow | GroupRow)[] => [
        { group: section.id, title: <Title section={section} /> },
        ...section.tasks.map((task) => ({ task, isDated: section.kind === 'later' || section.kind === 'failed' })),
      ]),
    [sections],
  )
  // A ref keeps the columns the same although `perform` is a new function on each render.
  const performRef = useRef(perform)
  useEffect(() => {
    performRef.current = perform
  })
  const columns = useMemo(
    () => buildColumns({ rows, names, perform: (task, action) => void performRef.current(task, action) }),
    [rows, names],
  )
  const bar = useRef<HTMLElement>(null)
  const task = sections.flatMap(({ tasks }) => tasks).find(({ uid }) => uid === selected)
  return (
    <>
      <TableArea className={styles.table}>
        <DataTable
          label="Scheduled tasks"
          columns={columns}
          rows={rows}
          idOf={idOf}
          selected={task?.uid ?? null}
          onSelect={({ task }) => onSelect(task.uid)}
          onOpen={() => bar.current?.querySelector('button')?.focus()}
          minWidth={640}
          empty={empty}
        />
      </TableArea>
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
              {run && result === run && <Undo key={run.before} what="the run" before={run.before} seq={run.seq} />}
            </>
          )}
        </Row>
      </Stack>
    </>
  )
}

const idOf = ({ task }: TaskRow) => task.uid

function Title({ section: { kind, title, note, right, start } }: { section: Section }) {
  return (
    <Row as="span" gap={8} className={styles.title} data-kind={kind}>
      <b className={kind === 'failed' ? 'bad' : undefined}>{title}</b>
      <span className="faint">{note}</span>
      <span className="end faint">{right}</span>
      {start !== null && (
        <Button
          small
          bare
          tabIndex={-1}
          title={`Advance to ${formatShortInstant(start)}`}
          onClick={() => void advanceTo(start)}
        >
          <SkipForward size={11} strokeWidth={1.6} aria-hidden="true" />
          Advance to this <span className="unseen">{formatShortInstant(start)}</span>
        </Button>
      )}
    </Row>
  )
}

interface ColumnOptions {
  readonly rows: readonly (TaskRow | GroupRow)[]
  readonly names: ReadonlyMap<string, RecordName>
  readonly perform: (task: Task, action: Action) => void
}

function buildColumns({ rows, names, perform }: ColumnOptions): Column<TaskRow>[] {
  const tasks = rows.filter((row): row is TaskRow => !('group' in row))
  const amountOf = ({ task }: TaskRow) => (task.record === null ? undefined : names.get(task.record)?.amount)
  return [
    {
      id: 'time',
      header: 'Time, ET',
      width: tasks.some(({ isDated }) => isDated) ? '108px' : '80px',
      cell: (row) => {
        const at = Date.parse(row.task.due_at)
        return (
          <time dateTime={row.task.due_at} title={`${formatInstant(at)}, ${row.task.due_at}`}>
            {row.isDated ? formatDateTime(at).slice(0, -3) : newYork(at).time}
          </time>
        )
      },
    },
    {
      id: 'task',
      header: 'Task',
      width: 'minmax(124px, 140px)',
      cell: (row) => {
        const shape = glyphOfTask(row.task)
        const state = row.task.failed !== null ? 'failed: ' : row.task.held ? 'held: ' : ''
        return (
          <GlyphText signal={signalOfTask(shape)} data-shape-of={shape}>
            <Glyph name={shape} />
            <span title={row.task.kind}>
              <span className="unseen">{state}</span>
              <Text>{row.task.kind}</Text>
            </span>
          </GlyphText>
        )
      },
    },
    {
      id: 'record',
      header: 'For',
      width: 'minmax(96px, 1fr)',
      cell: (row) => <TaskRecord task={row.task} names={names} />,
    },
    {
      id: 'amount',
      header: 'USD',
      width: amountTrack(tasks.map(amountOf), { least: 92, isMovement: true }),
      right: true,
      cell: (row) => {
        const amount = amountOf(row)
        return amount == null ? null : <Amount value={amount} movement pending />
      },
    },
    {
      id: 'why',
      header: 'Why',
      width: 'minmax(120px, 1fr)',
      cell: (row) => {
        const { failed, why, message, kind } = row.task
        const section = ruleOf(kind)?.section
        return (
          <span className={failed === null ? 'soft' : 'bad'} title={failed ?? why}>
            {section != null && <span className="meta">{`§ ${section} `}</span>}
            <Text>{failed ?? formatReason(message)}</Text>
          </span>
        )
      },
    },
    {
      id: 'actions',
      header: <span className="unseen">Actions</span>,
      width: '136px',
      right: true,
      cell: (row) => {
        const { task } = row
        return (
          <ButtonGroup>
            {(!task.held || task.failed !== null) && (
              <Button small tabIndex={-1} onClick={() => perform(task, 'run')}>
                {task.failed === null ? 'Run now' : 'Run again'}
              </Button>
            )}
            {task.failed === null && (
              <Button small tabIndex={-1} onClick={() => perform(task, task.held ? 'release' : 'hold')}>
                {task.held ? 'Release' : 'Hold'}
              </Button>
            )}
          </ButtonGroup>
        )
      },
    },
  ]
}

function TaskRecord({ task, names }: { task: Task; names: ReadonlyMap<string, RecordName> }) {
  const collection = collectionOf(task.kind)
  const programs = useFeed((feed) => feed.programs)
  if (task.record === null) {
    const owner = programs.length > 1 ? programs.find(({ uid }) => uid === task.program_uid)?.name : undefined
    return <Text className="faint">{owner ?? (task.recurring ? 'all accounts' : '–')}</Text>
  }
  const name = names.get(task.record)?.name ?? task.record
  if (!collection) return <Text className="mono">{name}</Text>
  return (
    <RecordLink collection={collection} uid={task.record} inTable title={name}>
      {name}
    </RecordLink>
  )
}

/** Everything about the selected task, and its actions. */
function SelectedTask({ task, perform }: { task: Task; perform: TaskActions['perform'] }) {
  const isOffline = useFeed((feed) => feed.connection !== 'live')
  const at = Date.parse(task.due_at)
  const rule = ruleOf(task.kind)
  const isPast = at < Date.parse(useFeed((feed) => feed.clock?.now) ?? task.due_at)
  const offline = isOffline ? 'No connection.' : undefined
  const button = (label: string, Sign: typeof Play | null, work: () => void, whyNot = offline) => (
    <Button aria-disabled={whyNot !== undefined} title={whyNot} onClick={() => !whyNot && work()}>
      {Sign && <Sign size={12} strokeWidth={1.6} aria-hidden="true" />}
      {label}
    </Button>
  )
  return (
    <>
      <Row wraps gap={8}>
        {task.failed !== null
          ? button('Run again', RotateCw, () => void perform(task, 'run'))
          : button('Run now', Play, () => void perform(task, 'run'))}
        {task.failed === null &&
          (task.held
            ? button('Release', null, () => void perform(task, 'release'))
            : button('Hold', null, () => void perform(task, 'hold')))}
        {button(
          'Advance to this',
          SkipForward,
          () => void advanceTo(at),
          offline ?? (isPast ? 'It is due in the past.' : undefined),
        )}
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
