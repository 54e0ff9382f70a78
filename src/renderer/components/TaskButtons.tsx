import { Pause, Play, RotateCw } from 'lucide-react'
import type { Task } from '../../api/contract/resources/tasks.ts'
import { ActionButton } from '../actions/ActionButton.tsx'
import type { Action } from '../actions/action.ts'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { callOf } from '../data/trying.ts'
import { formatTimeOfDay } from '../format/text.ts'
import { ButtonGroup } from '../ui/Button.tsx'

type TaskAction = 'run' | 'hold' | 'release'

const labels = { run: 'Run now', hold: 'Hold', release: 'Release' } as const
const did = { hold: 'is held: advances skip it', release: 'is released' } as const

const actionOf = ({ uid, kind, failed }: Task, name: TaskAction): Action => ({
  id: `${name} ${uid}`,
  icon: name !== 'run' ? Pause : failed === null ? Play : RotateCw,
  title: failed === null ? labels[name] : 'Run again',
  blocked: useFeed.getState().connection === 'live' ? null : 'No connection.',
  failed: `${kind} was not changed.`,
  tries: [callOf(`tasks.${name}`, { uid })],
  run: async () => {
    if (name === 'run') {
      const { at, outcome } = await sandbox['tasks.run']({ uid })
      return { message: `${kind} ran at ${formatTimeOfDay(Date.parse(at))}: ${outcome}.` }
    }
    await sandbox[`tasks.${name}`]({ uid })
    return { message: `${kind} ${did[name]}.` }
  },
})

/** Runs a task now, holds or releases it; a failed one is run again. In a table, which is one tab stop, they are small. */
export function TaskButtons({ task, inTable = false }: { task: Task; inTable?: boolean }) {
  useFeed((feed) => feed.connection)
  const actions: readonly TaskAction[] = task.failed !== null ? ['run'] : ['run', task.held ? 'release' : 'hold']
  return (
    <ButtonGroup>
      {actions.map((name) => {
        const action = actionOf(task, name)
        return (
          // Hold and Release are one button, which keeps the focus.
          <ActionButton
            key={name === 'run' ? name : 'hold'}
            action={action}
            small={inTable}
            tabIndex={inTable ? -1 : undefined}
          >
            {inTable ? action.title : undefined}
          </ActionButton>
        )
      })}
    </ButtonGroup>
  )
}
