import { SkipForward } from 'lucide-react'
import { useMemo, useState } from 'react'
import { formatTask } from '../../../api/contract/messages.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { ruleOf } from '../../../api/contract/rules.ts'
import { taskRow } from '../../../api/contract/tasks.ts'
import { perform } from '../../actions/action.ts'
import { advanceTo } from '../../actions/clock.ts'
import { createDayTracker } from '../../components/list/day-rows.ts'
import { RecordLink } from '../../components/ScreenLink.tsx'
import { glyphOfTask, signalOfTask } from '../../components/Status.tsx'
import { TaskButtons } from '../../components/TaskButtons.tsx'
import { useFeed, useNow } from '../../data/feed.ts'
import { formatShortInstant, newYork, startOfDay } from '../../format/text.ts'
import { amountTrack } from '../../ui/amount-width.ts'
import { Button, Chip } from '../../ui/Button.tsx'
import { type Column, DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { Row, Stack, TableArea } from '../../ui/Layout.tsx'
import { EmptyText } from '../../ui/Notice.tsx'
import { Amount, GlyphText, Text, Time } from '../../ui/Text.tsx'
import { Detail } from './Detail.tsx'
import { type RecordNames, useRecordNames } from './record-names.ts'

/** The scheduled tasks in the order in which they will run, those that failed first. */
export function Tasks() {
  const all = useFeed((feed) => feed.tasks)
  const [isRecurringShown, setRecurringShown] = useState(false)
  const [selected, setSelected] = useState<string | null>(null)
  const today = startOfDay(useNow(60_000))
  const recurring = all.filter((task) => task.recurring && task.failed === null)
  const tasks = useMemo(
    () =>
      all
        .filter((task) => isRecurringShown || !task.recurring || task.failed !== null)
        .toSorted((a, b) => Number(a.failed === null) - Number(b.failed === null) || a.due_at.localeCompare(b.due_at)),
    [all, isRecurringShown],
  )
  const names = useRecordNames(tasks.map(({ record }) => record))
  const rows = useMemo(() => toRows(tasks, today), [tasks, today])
  const columns = useMemo(() => columnsOf(tasks, names), [tasks, names])
  const task = tasks.find(({ uid }) => uid === selected)
  return (
    <>
      <TableArea>
        <DataTable
          label="Scheduled tasks"
          columns={columns}
          rows={rows}
          idOf={({ uid }) => uid}
          selected={task?.uid ?? null}
          onSelect={({ uid }) => setSelected(uid)}
          onOpen={() => document.querySelector<HTMLElement>('[data-task-detail] button')?.focus()}
          empty={<EmptyText>Nothing scheduled. Create or inject a payment: its tasks are listed here.</EmptyText>}
        />
      </TableArea>
      <Detail aria-label="Selected task" data-task-detail="">
        {task ? (
          <TaskDetail task={task} />
        ) : (
          <span className="soft grow">
            Select a task to run it now, hold it, or advance to it. Advances skip held tasks.
          </span>
        )}
        {recurring.length > 0 && (
          <Chip className="end" pressed={isRecurringShown} onClick={() => setRecurringShown(!isRecurringShown)}>
            {recurring.length} recurring: {isRecurringShown ? 'shown' : 'hidden'}
          </Chip>
        )}
      </Detail>
    </>
  )
}

function toRows(tasks: readonly Task[], today: number): (Task | GroupRow)[] {
  const dayOf = createDayTracker()
  let isFailedTitled = false
  return tasks.flatMap((task): (Task | GroupRow)[] => {
    if (task.failed !== null) {
      if (isFailedTitled) return [task]
      isFailedTitled = true
      return [{ group: 'failed', title: <b className="bad">Failed, not retried by itself</b> }, task]
    }
    const day = dayOf(task.due_at)
    if (day === undefined) return [task]
    const start = startOfDay(Date.parse(task.due_at))
    return [{ group: day, title: <DayTitle day={day} start={start} today={today} /> }, task]
  })
}

const DayTitle = ({ day, start, today }: { day: string; start: number; today: number }) => (
  <Row as="span" gap={8} grow>
    {day}
    {start > today ? (
      <Button icon={SkipForward} small bare className="end" tabIndex={-1} onClick={() => void advanceToInstant(start)}>
        Advance to this <span className="unseen">{formatShortInstant(start)}</span>
      </Button>
    ) : (
      start === today && <span className="faint">today</span>
    )}
  </Row>
)

const advanceToInstant = (ms: number) => perform(advanceTo(new Date(ms).toISOString(), `to ${formatShortInstant(ms)}`))

/** Without the payment's amount and uid, which are shown next to it. */
const reasonOf = (task: Task) => formatTask(task, ({ transaction_type }) => transaction_type.replaceAll('_', ' '))

/** Everything about a task, and what can be done with it. */
function TaskDetail({ task }: { task: Task }) {
  const at = Date.parse(task.due_at)
  const rule = ruleOf(task.kind)
  const isPast = at < Date.parse(useFeed((feed) => feed.clock?.now) ?? task.due_at)
  return (
    <>
      <TaskButtons task={task} />
      <Button
        icon={SkipForward}
        whyNot={isPast ? 'It is due in the past.' : undefined}
        onClick={() => void advanceToInstant(at)}
      >
        Advance to this
      </Button>
      <Stack style={{ flex: '1 1 320px' }}>
        <p className="wrap">
          <Text className={task.failed === null ? '' : 'bad'}>{task.failed ?? task.why}</Text>.{' '}
          {task.held && <span className="wait">Held: advances skip it until it is released. </span>}
          {rule && (
            <span className="soft">
              {rule.rule}
              {rule.section === null ? '' : ` (section ${rule.section})`}.
            </span>
          )}
        </p>
      </Stack>
    </>
  )
}

function columnsOf(tasks: readonly Task[], names: RecordNames): Column<Task>[] {
  const amountOf = ({ record }: Task) => (record === null ? undefined : names.get(record)?.amount)
  return [
    {
      id: 'time',
      header: 'Time, ET',
      width: '104px',
      cell: ({ due_at, failed }) => (
        <Time at={due_at} format={(ms) => (failed === null ? newYork(ms).time : formatShortInstant(ms))} />
      ),
    },
    {
      id: 'task',
      header: 'Task',
      width: 'minmax(124px, 152px)',
      cell: (task) => {
        const glyph = glyphOfTask(task)
        return (
          <GlyphText glyph={glyph} signal={signalOfTask(glyph)} data-shape-of={glyph}>
            <span className="cut" title={task.kind}>
              {task.held && <span className="unseen">held: </span>}
              <Text>{task.kind}</Text>
            </span>
          </GlyphText>
        )
      },
    },
    {
      id: 'record',
      header: 'For',
      width: 'minmax(96px, 1fr)',
      cell: ({ kind, record }) => {
        const collection = taskRow(kind)?.subject
        if (record === null) return <span className="faint">all accounts</span>
        const name = names.get(record)?.name ?? record
        return collection ? (
          <RecordLink collection={collection} uid={record} inTable title={name}>
            {name}
          </RecordLink>
        ) : (
          <Text>{name}</Text>
        )
      },
    },
    {
      id: 'amount',
      header: 'USD',
      width: amountTrack(tasks.map(amountOf), { least: 92, isMovement: true }),
      right: true,
      cell: (task) => {
        const amount = amountOf(task)
        return amount == null ? null : <Amount value={amount} movement pending />
      },
    },
    {
      id: 'why',
      header: 'Why',
      width: 'minmax(160px, 2fr)',
      cell: (task) => (
        <span className={task.failed === null ? 'soft' : 'bad'} title={task.failed ?? task.why}>
          <Text>{task.failed ?? reasonOf(task)}</Text>
        </span>
      ),
    },
    {
      id: 'actions',
      header: <span className="unseen">Actions</span>,
      width: '136px',
      right: true,
      cell: (task) => <TaskButtons task={task} inTable />,
    },
  ]
}
