import { type LucideIcon, Play, RotateCw, SkipForward } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import { operationOf } from '../../../api/contract/control/client.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { ruleOf } from '../../../api/contract/rules.ts'
import { glyphOfTask } from '../../components/Status.tsx'
import { Undo } from '../../components/Undo.tsx'
import { advance } from '../../data/advance.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { useLastChange } from '../../data/last-change.ts'
import { sandbox, useAction } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { formatShortInstant, newYork } from '../../format/text.ts'
import { Button, ButtonGroup } from '../../ui/Button.tsx'
import type { GroupRow } from '../../ui/DataTable.tsx'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { formatReason, isBadOutcome, type RecordNames, type Section } from './agenda.ts'
import { type TaskRow, TaskTable } from './TaskTable.tsx'
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
