import { Clock as ClockIcon, Pause, Play, SkipForward, X } from 'lucide-react'
import type { AdvanceInput, AdvancePreview, Clock } from '../../../api/contract/control/clock.ts'
import { type FormatPayment, formatMessage } from '../../../api/contract/messages.ts'
import { parseAmountOfTime } from '../../../api/contract/terms/amounts-of-time.ts'
import { type AdvancePreset, advance, advancePresets, paceHints, toggleClock } from '../../data/advance.ts'
import { sandbox } from '../../data/sandbox.ts'
import { plural } from '../../format/numbers.ts'
import { formatInstantSince, formatShortInstant, newYork, startOfDay } from '../../format/time.ts'
import { type Command, type CommandResult, runCommand } from './command.ts'

/** The commands of the clock, each with the time it leads to and the tasks that are scheduled until then. */

type AdvanceId = AdvancePreset | 'typed'

interface ClockContext {
  readonly clock: Clock
  readonly now: number
  /** What the sandbox has said about each. */
  readonly previews: Readonly<Partial<Record<AdvanceId, AdvancePreview | undefined>>>
  readonly isAdvancing: boolean
}

/** `tomorrow 9:00`, with or without `advance`: an amount of time and the title of its command. */
export function readTyped(typed: string, now: number): { text: string; title: string } | undefined {
  const text = typed.replace(/^advance\b\s*/i, '')
  const amount = parseAmountOfTime(text, now)
  // These have commands of their own.
  if (!amount || 'until' in amount) return undefined
  if ('to' in amount) return { text, title: `Advance to ${formatShortInstant(Date.parse(amount.to))}` }
  if ('by' in amount) return { text, title: `Advance by ${text.replace(/^(?:by|in) +/i, '')}` }
  return { text, title: `Advance ${plural(amount.business_days, 'business day')}` }
}

export function clockCommands(context: ClockContext, text: string): Command[] {
  if (context.isAdvancing)
    return [
      {
        id: 'cancel',
        icon: X,
        title: 'Cancel the advance',
        detail: 'stops between two tasks',
        run: () => runCommand(sandbox['clock.cancel']({})),
      },
    ]
  const { clock } = context
  const typed = readTyped(text, context.now)
  const isRunning = clock.mode === 'running'
  const otherPace = clock.pace === 'fast' ? 'real' : 'fast'
  return [
    ...(typed ? [advanceCommand(context, 'typed', typed.title, { text: typed.text }, { also: text })] : []),
    ...(Object.keys(advancePresets) as AdvancePreset[]).map((preset) => {
      const { title, key, input } = advancePresets[preset]
      return advanceCommand(context, preset, title, input, {
        ...(key === null ? {} : { keys: [key] }),
        ...(preset === 'next' ? { also: 'due', icon: SkipForward } : { also: preset }),
      })
    }),
    {
      id: 'advance',
      icon: ClockIcon,
      title: 'Advance by or to…',
      detail: 'PT24H, 8 business days, monday 9:00, 2026-12-01T14:00',
      fill: 'advance ',
    },
    {
      id: 'mode',
      icon: isRunning ? Pause : Play,
      title: isRunning ? 'Freeze the clock' : 'Run the clock',
      also: 'freeze run pause start stop time let',
      keys: ['.'],
      run: () => runCommand(toggleClock()),
    },
    {
      id: 'pace',
      icon: ClockIcon,
      title: `Pace: ${otherPace}`,
      also: 'payments speed fast real banking days',
      detail: paceHints[otherPace],
      run: () => runCommand(sandbox['clock.set']({ pace: otherPace })),
    },
  ]
}

const paymentWithoutUid: FormatPayment = ({ us_dollar_amount, transaction_type }) =>
  `${us_dollar_amount} by ${transaction_type.replaceAll('_', ' ')}`

function advanceCommand(
  { clock, now, previews }: ClockContext,
  id: AdvanceId,
  title: string,
  input: AdvanceInput,
  more: Partial<Command> = {},
): Command {
  const preview = previews[id]
  return {
    id: `advance ${id}`,
    icon: ClockIcon,
    title,
    ...(preview && describePreview(preview, id === 'next' ? clock.next : null, now)),
    ...more,
    run: async (): Promise<CommandResult> => {
      const refused = await advance(input, title, true)
      return refused === null ? undefined : { refused }
    },
  }
}

function describePreview(
  { refused, to, runs, recurring, tasks }: AdvancePreview,
  next: Clock['next'],
  now: number,
): Pick<Command, 'detail' | 'preview'> {
  if (refused !== null) return { detail: refused, preview: { text: refused, tasks: [], count: 0 } }
  const once = runs - recurring
  const goal = to === null ? null : Date.parse(to)
  if (goal === null && once === 0)
    return {
      detail: 'nothing is due',
      preview: { text: 'Nothing is due: the clock would not move.', tasks: [], count: 0 },
    }
  const dueTasks = once === 0 ? 'nothing due' : plural(once, 'task')
  const detail = next
    ? `${formatInstantSince(goal ?? now, now)}, ${formatMessage(next.message, paymentWithoutUid)}`
    : goal === null
      ? dueTasks
      : `to ${formatGoal(goal, now)}, ${dueTasks}`
  const text = `The clock would advance${goal === null ? '' : ` to ${formatGoal(goal, now)}`}. ${
    runs === 0 ? 'Nothing is scheduled until then.' : 'Scheduled until then:'
  }`
  return { detail, preview: { text, tasks, count: runs } }
}

/** To the second, as tasks are due to the second. */
const formatGoal = (at: number, now: number): string => {
  const { time } = newYork(at)
  return startOfDay(at) === startOfDay(now) ? time : `${formatInstantSince(at, now)}${time.slice(5)}`
}
