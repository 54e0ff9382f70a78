import { SkipForward } from 'lucide-react'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { ActionButton } from '../../actions/ActionButton.tsx'
import type { Action } from '../../actions/action.ts'
import { advanceTo } from '../../actions/clock.ts'
import { compareWithNow, lookAt, newWorld, rewindTo } from '../../actions/world.ts'
import { TaskButtons } from '../../components/TaskButtons.tsx'
import { Undo } from '../../components/Undo.tsx'
import { useAdvancePreview } from '../../data/use-advance-preview.ts'
import { useWorldAction } from '../../data/worlds.ts'
import { formatShortInstant, plural } from '../../format/text.ts'
import { PlainButton } from '../../ui/Button.tsx'
import { Row, Stack } from '../../ui/Layout.tsx'
import { Popover } from '../../ui/Popover.tsx'
import { Text } from '../../ui/Text.tsx'
import styles from './Line.module.css'
import { type Point, saysOf } from './points.ts'

interface PointMenuProps {
  readonly point: Point
  readonly now: number
  readonly open: boolean
  readonly setOpen: (open: boolean) => void
  readonly style: React.CSSProperties
}

/** The point on the line, and what can be done there. */
export function PointMenu({ point, now, open, setOpen, style }: PointMenuProps) {
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      wide
      closable
      trigger={<PlainButton className={styles.point} style={style} tabIndex={-1} aria-label={saysOf(point, now)} />}
      title={formatShortInstant(point.at)}
    >
      <Stack gap={6} pad="8 12 12" text="data">
        {point.task ? (
          <TaskFacts task={point.task} />
        ) : point.operation ? (
          <p className="wrap">
            <Text>{point.operation.says}</Text>
            <span className="soft">: {point.operation.did || 'no record changed'}</span>
          </p>
        ) : null}
        <PointActions point={point} now={now} />
      </Stack>
    </Popover>
  )
}

/** Where time can go from here. */
export function PointActions({ point, now }: Pick<PointMenuProps, 'point' | 'now'>) {
  if (point.commit !== null) return <Behind commit={point.commit} operation={point.operation} />
  if (point.at > now) return <Ahead at={point.at} />
  return point.task ? null : <p className="soft">Nothing is stored from before this time.</p>
}

export function TaskFacts({ task }: { task: Task }) {
  return (
    <>
      <p className="wrap">
        {task.kind}: <Text className={task.failed === null ? 'soft' : 'bad'}>{task.failed ?? task.why}</Text>
      </p>
      <TaskButtons task={task} />
    </>
  )
}

function Ahead({ at }: { at: number }) {
  const to = new Date(at).toISOString()
  const { data } = useAdvancePreview({ to })
  const runs = data && (data.refused ?? `${plural(data.runs, 'task')} will run`)
  return (
    <ActionRow
      action={{
        ...advanceTo(to, `to ${formatShortInstant(at)}`),
        icon: SkipForward,
        title: 'Advance to here',
        detail: runs ?? '',
      }}
    />
  )
}

function Behind({ commit, operation }: { commit: number; operation: Point['operation'] }) {
  useWorldAction()
  return (
    <>
      {[
        lookAt(commit),
        rewindTo(commit),
        { ...newWorld(commit), title: 'Fork here', detail: 'a new world from this point' },
        compareWithNow(commit),
      ].map((action) => (
        <ActionRow key={action.id} action={action} />
      ))}
      {operation && <Undo operation={operation.operation} what={operation.says} isInHistory />}
    </>
  )
}

const ActionRow = ({ action }: { action: Action }) => (
  <Row gap={8}>
    <ActionButton action={{ ...action, label: action.title }} style={{ minWidth: 148, justifyContent: 'flex-start' }} />
    <span className="meta">{action.blocked ?? action.detail}</span>
  </Row>
)
