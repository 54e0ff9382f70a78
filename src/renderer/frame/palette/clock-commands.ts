import { Clock as ClockIcon, Pause, Play, SkipForward, X } from 'lucide-react'
import type { AdvanceInput, Clock } from '../../../api/contract/control/clock.ts'
import { type FormatPayment, formatMessage } from '../../../api/contract/messages.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { newYorkInstant, newYorkTime } from '../../../api/contract/terms/new-york.ts'
import { advance } from '../../data/advance.ts'
import { parseAdvance, parseDuration } from '../../data/parse-advance.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { formatInstantSince, formatIsoDate, isWeekend, newYork, startOfDay, startOfNextDay } from '../../format/time.ts'
import type { Command, CommandResult } from './command.ts'

/** The commands of the clock, each with the time it leads to and the tasks that are scheduled until then. */

interface ClockContext {
  readonly clock: Clock
  readonly now: number
  readonly tasks: readonly Task[]
  /** Dates on which banks are closed, known up to `until`. */
  readonly holidays: ReadonlySet<string>
  readonly until: number
  readonly isAdvancing: boolean
}

export function clockCommands(context: ClockContext, text: string): Command[] {
  if (context.isAdvancing)
    return [
      {
        id: 'cancel',
        icon: X,
        title: 'Cancel the advance',
        detail: 'stops between two tasks',
        run: () => runControl(sandbox['clock.cancel']({})),
      },
    ]
  const { clock } = context
  const typed = parseAdvance(text, context.now)
  const isRunning = clock.mode === 'running'
  const otherPace = clock.pace === 'fast' ? 'real' : 'fast'
  return [
    ...(typed ? [advanceCommand(context, 'typed', typed.title, typed.input, { also: text })] : []),
    advanceCommand(
      context,
      'next',
      'Advance to the next task',
      { until: 'next' },
      { also: 'due', keys: ['n'], icon: SkipForward },
    ),
    advanceCommand(context, 'hour', 'Advance 1 hour', { by: 'PT1H' }, { keys: ['h'] }),
    advanceCommand(context, 'business day', 'Advance 1 business day', { business_days: 1 }, { keys: ['b'] }),
    advanceCommand(context, 'idle', 'Advance until nothing is due', { until: 'idle' }, { also: 'idle' }),
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
      run: () => runControl(sandbox['clock.set']({ mode: isRunning ? 'frozen' : 'running' })),
    },
    {
      id: 'pace',
      icon: ClockIcon,
      title: `Pace: ${otherPace}`,
      also: 'payments speed fast real banking days',
      detail:
        otherPace === 'fast'
          ? 'payments settle in seconds of simulated time'
          : 'payments follow the cut-offs and banking days of real banks',
      run: () => runControl(sandbox['clock.set']({ pace: otherPace })),
    },
  ]
}

const paymentWithoutUid: FormatPayment = ({ us_dollar_amount, transaction_type }) =>
  `${us_dollar_amount} by ${transaction_type.replaceAll('_', ' ')}`

function advanceCommand(
  context: ClockContext,
  id: string,
  title: string,
  input: AdvanceInput,
  more: Partial<Command> = {},
): Command {
  const { at, tasks } = foreseeAdvance(context, input)
  const dueCount = tasks.filter(({ recurring }) => !recurring).length
  const dueTasks = dueCount === 0 ? 'nothing due' : plural(dueCount, 'task')
  const isIdle = 'until' in input && at === null
  const detail =
    'until' in input && input.until === 'next' && context.clock.next
      ? `${formatInstantSince(at ?? context.now, context.now)}, ${formatMessage(context.clock.next.message, paymentWithoutUid)}`
      : at === null
        ? ''
        : `to ${formatGoal(at, context.now)}, ${dueTasks}`
  return {
    id: `advance ${id}`,
    icon: ClockIcon,
    title,
    detail: isIdle ? 'nothing is due' : detail,
    preview: {
      text: isIdle
        ? 'Nothing is due: the clock would not move.'
        : `The clock would advance${at === null ? '' : ` to ${formatGoal(at, context.now)}`}. ${
            tasks.length === 0 ? 'Nothing is scheduled until then.' : 'Scheduled until then:'
          }`,
      tasks,
    },
    ...more,
    run: async (): Promise<CommandResult> => {
      const refused = await advance(input, title, true)
      return refused === null ? undefined : { refused }
    },
  }
}

const runControl = (work: Promise<unknown>): Promise<CommandResult> =>
  work.then(
    () => undefined,
    (error: unknown) => ({ refused: errorText(error) }),
  )

/** The instant an advance leads to, as far as this window knows, and the tasks that are due until then. */
function foreseeAdvance(context: ClockContext, input: AdvanceInput): { at: number | null; tasks: readonly Task[] } {
  const waiting = context.tasks.filter(({ held, failed }) => !held && failed === null)
  const at = findGoal(context, input, waiting)
  if (at === null) return { at, tasks: [] }
  return {
    at,
    tasks: waiting
      .filter(({ due_at }) => Date.parse(due_at) <= at)
      .toSorted((a, b) => a.due_at.localeCompare(b.due_at)),
  }
}

function findGoal(context: ClockContext, input: AdvanceInput, waiting: readonly Task[]): number | null {
  if ('to' in input) return Date.parse(input.to)
  if ('business_days' in input) return addBankingDays(context, input.business_days)
  if ('by' in input) {
    const ms = parseDuration(input.by)
    return ms === null ? null : context.now + ms
  }
  const once = waiting.filter(({ recurring }) => !recurring).map(({ due_at }) => Date.parse(due_at))
  if (once.length === 0) return null
  return input.until === 'next' ? Math.min(...once) : Math.max(...once)
}

/** The same time of day, `days` banking days later; null if that is after the last known holiday. */
function addBankingDays({ now, holidays, until }: ClockContext, days: number): number | null {
  let day = startOfDay(now)
  for (let left = days; left > 0; ) {
    day = startOfNextDay(day)
    if (day > until) return null
    if (!isWeekend(day + 1) && !holidays.has(formatIsoDate(day))) left--
  }
  return newYorkInstant(formatIsoDate(day), newYorkTime(now).time_ms)
}

/** To the second, as tasks are due to the second. */
const formatGoal = (at: number, now: number): string => {
  const { time } = newYork(at)
  return startOfDay(at) === startOfDay(now) ? time : `${formatInstantSince(at, now)}${time.slice(5)}`
}
