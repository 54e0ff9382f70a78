import { Play, RotateCw, SkipForward } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { ruleOf } from '../../../api/contract/rules.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { glyphOfTask, signalOfTask } from '../../components/task-glyph.ts'
import { Undo } from '../../components/Undo.tsx'
import { advance } from '../../data/advance.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { formatDateTime, formatInstant, formatShortInstant, newYork } from '../../format/time.ts'
import { Amount } from '../../ui/Amount.tsx'
import { Button, ButtonGroup } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { type Column, DataTable, type GroupRow } from '../../ui/DataTable.tsx'
import { Glyph } from '../../ui/Glyph.tsx'
import { GlyphText } from '../../ui/GlyphText.tsx'
import { TableArea } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Agenda.module.css'
import type { Section } from './agenda.ts'
import { collectionOf, isBad, shortWhy } from './task-kinds.ts'
import type { Named } from './use-record-names.ts'

/** A task under its section. */
interface Due {
  readonly task: Task
  readonly dated: boolean
}

type Act = 'run' | 'hold' | 'release'

/** What was done to a task, where the eye still is when the task is gone. */
interface Said {
  readonly words: string
  readonly bad: boolean
  /** Commits before and after it, where a rewind takes it back. */
  readonly undo: { readonly before: number; readonly did: number } | null
}

export function useActs() {
  const [said, setSaid] = useState<Said | null>(null)
  const acting = useRef(false)
  const act = async (task: Task, what: Act) => {
    if (acting.current) return
    acting.current = true
    try {
      const { seq: before } = await sandbox['world.describe']({})
      if (what !== 'run') {
        await sandbox[what === 'hold' ? 'tasks.hold' : 'tasks.release']({ uid: task.uid })
        const words = what === 'hold' ? 'is held back: an advance skips it' : 'is released'
        return setSaid({ words: `${task.kind} ${words}.`, bad: false, undo: null })
      }
      const { at, outcome, message } = await sandbox['tasks.run']({ uid: task.uid })
      const { seq: did } = await sandbox['world.describe']({})
      const words = `${task.kind} ran at ${newYork(Date.parse(at)).time}: ${outcome}.`
      setSaid({ words, bad: isBad({ message }), undo: { before, did } })
    } catch (error) {
      setSaid({ words: `${task.kind} was left as it is. ${errorText(error)}`, bad: true, undo: null })
    } finally {
      acting.current = false
    }
  }
  return { said, act }
}
export type Acts = ReturnType<typeof useActs>

export const advanceTo = (ms: number) => advance({ to: new Date(ms).toISOString() }, 'to here')

interface AgendaProps {
  readonly sections: readonly Section[]
  readonly named: ReadonlyMap<string, Named>
  readonly selected: string | null
  readonly onSelect: (uid: string) => void
  readonly acts: Acts
  readonly empty: React.ReactNode
}

export function Agenda({ sections, named, selected, onSelect, acts, empty }: AgendaProps) {
  const { act } = acts
  const lost = useFeed((feed) => feed.connection !== 'live')
  const rows = useMemo(
    () =>
      sections.flatMap((section): (Due | GroupRow)[] => [
        { group: section.id, title: <Title section={section} /> },
        ...section.tasks.map((task) => ({ task, dated: section.kind === 'later' || section.kind === 'failed' })),
      ]),
    [sections],
  )
  const actRef = useRef(act)
  useEffect(() => {
    actRef.current = act
  })
  const columns = useMemo(() => columnsOf(named, (task, what) => void actRef.current(task, what)), [named])
  const bar = useRef<HTMLElement>(null)
  const chosen = sections.flatMap(({ tasks }) => tasks).find(({ uid }) => uid === selected)
  return (
    <>
      <TableArea className={styles.table}>
        <DataTable
          label="What is due"
          columns={columns}
          rows={rows}
          idOf={idOf}
          selected={chosen?.uid ?? null}
          onSelect={({ task }) => onSelect(task.uid)}
          onOpen={() => bar.current?.querySelector('button')?.focus()}
          least={640}
          empty={empty}
        />
      </TableArea>
      <section ref={bar} className={styles.selected} aria-label="The selected task">
        {chosen ? (
          <Chosen task={chosen} act={act} lost={lost} />
        ) : (
          <p className="soft">Select a task to run it now, to hold it back, or to advance to it.</p>
        )}
        <p className={cx('data', styles.result)} role="status">
          {acts.said && (
            <>
              <span className={acts.said.bad ? 'bad wrap' : 'wrap'}>{acts.said.words}</span>
              {acts.said.undo && <Undo key={acts.said.undo.before} what="the run" {...acts.said.undo} />}
            </>
          )}
        </p>
      </section>
    </>
  )
}

const idOf = ({ task }: Due) => task.uid

function Title({ section: { kind, title, note, right, start } }: { section: Section }) {
  return (
    <span className={styles.title} data-kind={kind}>
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
          To here <span className="unseen">{formatShortInstant(start)}</span>
        </Button>
      )}
    </span>
  )
}

function columnsOf(named: ReadonlyMap<string, Named>, act: (task: Task, what: Act) => void): Column<Due>[] {
  return [
    {
      id: 'time',
      header: 'Time, ET',
      width: '96px',
      cell: (row) => {
        const at = Date.parse(row.task.due_at)
        return (
          <time dateTime={row.task.due_at} title={`${formatInstant(at)}, ${row.task.due_at}`}>
            {row.dated ? formatDateTime(at).slice(0, -3) : newYork(at).time}
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
      cell: (row) => <For task={row.task} named={named} />,
    },
    {
      id: 'amount',
      header: 'USD',
      width: '92px',
      right: true,
      cell: (row) => {
        const amount = row.task.record === null ? undefined : named.get(row.task.record)?.amount
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
            <Text>{failed ?? shortWhy(message)}</Text>
          </span>
        )
      },
    },
    {
      id: 'acts',
      header: <span className="unseen">Actions</span>,
      width: '136px',
      right: true,
      cell: (row) => {
        const { task } = row
        return (
          <ButtonGroup>
            {(!task.held || task.failed !== null) && (
              <Button small tabIndex={-1} onClick={() => act(task, 'run')}>
                {task.failed === null ? 'Run now' : 'Run again'}
              </Button>
            )}
            {task.failed === null && (
              <Button small tabIndex={-1} onClick={() => act(task, task.held ? 'release' : 'hold')}>
                {task.held ? 'Release' : 'Hold'}
              </Button>
            )}
          </ButtonGroup>
        )
      },
    },
  ]
}

function For({ task, named }: { task: Task; named: ReadonlyMap<string, Named> }) {
  const collection = collectionOf(task.kind)
  const programs = useFeed((feed) => feed.programs)
  if (task.record === null) {
    const owner = programs.length > 1 ? programs.find(({ uid }) => uid === task.program_uid)?.name : undefined
    return <Text className="faint">{owner ?? (task.recurring ? 'all accounts' : '–')}</Text>
  }
  const name = named.get(task.record)?.name ?? task.record
  if (!collection) return <Text className="mono">{name}</Text>
  return (
    <RecordLink collection={collection} uid={task.record} inTable>
      {name}
    </RecordLink>
  )
}

/** The one that is selected, in full, and what may be done about it. */
function Chosen({ task, act, lost }: { task: Task; act: Acts['act']; lost: boolean }) {
  const at = Date.parse(task.due_at)
  const rule = ruleOf(task.kind)
  const past = at < Date.parse(useFeed((feed) => feed.clock?.now) ?? task.due_at)
  const barred = lost ? 'There is no connection.' : undefined
  const button = (label: string, Sign: typeof Play | null, work: () => void, whyNot = barred) => (
    <Button aria-disabled={whyNot !== undefined} title={whyNot} onClick={() => !whyNot && work()}>
      {Sign && <Sign size={12} strokeWidth={1.6} aria-hidden="true" />}
      {label}
    </Button>
  )
  return (
    <>
      <div className="row">
        {task.failed !== null
          ? button('Run again', RotateCw, () => void act(task, 'run'))
          : button('Run now', Play, () => void act(task, 'run'))}
        {task.failed === null &&
          (task.held
            ? button('Release', null, () => void act(task, 'release'))
            : button('Hold', null, () => void act(task, 'hold')))}
        {button(
          'Advance to here',
          SkipForward,
          () => void advanceTo(at),
          barred ?? (past ? 'It was due before now.' : undefined),
        )}
        <span className="data cut">
          {task.kind}, {formatShortInstant(at)}
        </span>
      </div>
      <p className="data wrap">
        {task.failed !== null ? (
          <span className="bad">
            <Text>{task.failed}</Text>. It is not tried again by itself: mend what it names, then run it again.
          </span>
        ) : (
          <>
            <Text>{task.why}</Text>.{' '}
            {task.held && <span className="wait">Held back: an advance skips it until it is released. </span>}
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
