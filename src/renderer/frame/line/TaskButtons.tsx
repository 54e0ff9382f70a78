import { Play, RotateCw } from 'lucide-react'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { perform } from '../../actions/action.ts'
import { useFeed } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { formatTimeOfDay } from '../../format/text.ts'
import { Button, ButtonGroup } from '../../ui/Button.tsx'

type TaskAction = 'run' | 'hold' | 'release'

const labels = { run: 'Run now', hold: 'Hold', release: 'Release' } as const
const did = { hold: 'is held: advances skip it', release: 'is released' } as const

function act(task: Task, action: TaskAction) {
  const call = async () => {
    if (action !== 'run') {
      await sandbox[`tasks.${action}`]({ uid: task.uid })
      return { message: `${task.kind} ${did[action]}.` }
    }
    const { at, outcome } = await sandbox['tasks.run']({ uid: task.uid })
    return { message: `${task.kind} ran at ${formatTimeOfDay(Date.parse(at))}: ${outcome}.` }
  }
  return perform({
    id: `${action} ${task.uid}`,
    icon: Play,
    title: labels[action],
    failed: `${task.kind} was not changed.`,
    run: call,
  })
}

/** Runs a task now, holds or releases it; a failed one is run again. In a table, which is one tab stop, they are small. */
export function TaskButtons({ task, inTable = false }: { task: Task; inTable?: boolean }) {
  const isOffline = useFeed((feed) => feed.connection !== 'live')
  const again = task.failed !== null
  const actions: readonly TaskAction[] = again ? ['run'] : ['run', task.held ? 'release' : 'hold']
  return (
    <ButtonGroup>
      {actions.map((action) => (
        <Button
          // Hold and Release are one button, which keeps the focus.
          key={action === 'run' ? action : 'hold'}
          icon={inTable ? undefined : action !== 'run' ? undefined : again ? RotateCw : Play}
          small={inTable}
          tabIndex={inTable ? -1 : undefined}
          whyNot={isOffline ? 'No connection.' : undefined}
          onClick={() => void act(task, action)}
        >
          {again ? 'Run again' : labels[action]}
        </Button>
      ))}
    </ButtonGroup>
  )
}
