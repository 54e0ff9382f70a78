import { Clock as ClockIcon, Pause, Play, SkipForward, X } from 'lucide-react'
import type { AdvanceInput, Clock } from '../../../api/contract/control/clock.ts'
import { type FormatPayment, formatMessage } from '../../../api/contract/messages.ts'
import type { Task } from '../../../api/contract/resources/tasks.ts'
import { newYorkInstant, newYorkTime } from '../../../api/contract/terms/new-york.ts'
import { advance } from '../../data/advance.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { plural } from '../../format/numbers.ts'
import { formatInstantSince, formatIsoDate, isWeekend, newYork, startOfDay, startOfNextDay } from '../../format/time.ts'
import type { Command, CommandResult } from './command.ts'
import { parseAdvance, parseDuration } from './parse-advance.ts'

/** The hands on the clock, each saying where it leads and what is known to fall due on the way. */

export interface ClockContext {
  readonly clock: Clock
  readonly now: number
  readonly tasks: readonly Task[]
  /** Dates on which the banks are closed, as far as `until`. */
  readonly holidays: ReadonlySet<string>
  readonly until: number
  readonly advancing: boolean
}

export function clockCommands(ahead: ClockContext, text: string): Command[] {
  if (ahead.advancing)
    return [
      {
        id: 'cancel',
        icon: X,
        title: 'Cancel the advance',
        detail: 'it stops between two tasks',
        run: () => runControl(sandbox['clock.cancel']({})),
      },
    ]
  const { clock } = ahead
  const typed = parseAdvance(text)
  const runs = clock.mode === 'running'
  const other = clock.pace === 'fast' ? 'real' : 'fast'
  return [
    ...(typed ? [advanceCommand(ahead, 'typed', typed.says, typed.input, { also: text })] : []),
    advanceCommand(
      ahead,
      'next',
      'Advance to the next thing due',
      { until: 'next' },
      { keys: ['n'], icon: SkipForward },
    ),
    advanceCommand(ahead, 'hour', 'Advance 1 hour', { by: 'PT1H' }, { keys: ['h'] }),
    advanceCommand(ahead, 'business day', 'Advance 1 business day', { business_days: 1 }, { keys: ['b'] }),
    advanceCommand(ahead, 'idle', 'Advance until idle', { until: 'idle' }, { also: 'nothing is due' }),
    {
      id: 'advance',
      icon: ClockIcon,
      title: 'Advance by or to…',
      detail: 'PT24H, 8 business days, 2026-12-01T14:00',
      fill: 'advance ',
    },
    {
      id: 'mode',
      icon: runs ? Pause : Play,
      title: runs ? 'Freeze the clock' : 'Let the clock run',
      also: 'freeze run pause start stop time',
      keys: ['.'],
      run: () => runControl(sandbox['clock.set']({ mode: runs ? 'frozen' : 'running' })),
    },
    {
      id: 'pace',
      icon: ClockIcon,
      title: `Pace: ${other}`,
      also: 'payments speed fast real banking days',
      detail: other === 'fast' ? 'payments move in seconds of simulated time' : 'cut-offs and banking days are kept',
      run: () => runControl(sandbox['clock.set']({ pace: other })),
    },
  ]
}

const paymentWithoutUid: FormatPayment = ({ us_dollar_amount, transaction_type }) =>
  `${us_dollar_amount} by ${transaction_type.replaceAll('_', ' ')}`

function advanceCommand(
  ahead: ClockContext,
  id: string,
  title: string,
  input: AdvanceInput,
  more: Partial<Command> = {},
): Command {
  const { at, tasks } = foreseeAdvance(ahead, input)
  const due = tasks.filter(({ recurring }) => !recurring).length
  const what = due === 0 ? 'nothing due' : plural(due, 'task')
  const nothing = 'until' in input && at === null
  const where =
    'until' in input && input.until === 'next' && ahead.clock.next
      ? `${formatInstantSince(at ?? ahead.now, ahead.now)}, ${formatMessage(ahead.clock.next.message, paymentWithoutUid)}`
      : at === null
        ? ''
        : `to ${formatGoal(at, ahead.now)}, ${what}`
  return {
    id: `advance ${id}`,
    icon: ClockIcon,
    title,
    detail: nothing ? 'nothing is due' : where,
    preview: {
      says: nothing
        ? 'Nothing is due: the clock would stay where it is.'
        : `The clock would go ${at === null ? 'on' : `to ${formatGoal(at, ahead.now)}`}. ${
            tasks.length === 0 ? 'Nothing is known to fall due until then.' : 'This is known to fall due until then:'
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

/** Where an advance leads, as far as this window knows, and what is due until then. */
export function foreseeAdvance(
  ahead: ClockContext,
  input: AdvanceInput,
): { at: number | null; tasks: readonly Task[] } {
  const waiting = ahead.tasks.filter(({ held, failed }) => !held && failed === null)
  const at = findGoal(ahead, input, waiting)
  if (at === null) return { at, tasks: [] }
  return {
    at,
    tasks: waiting
      .filter(({ due_at }) => Date.parse(due_at) <= at)
      .toSorted((a, b) => a.due_at.localeCompare(b.due_at)),
  }
}

function findGoal(ahead: ClockContext, input: AdvanceInput, waiting: readonly Task[]): number | null {
  if ('to' in input) return Date.parse(input.to)
  if ('business_days' in input) return addBankingDays(ahead, input.business_days)
  if ('by' in input) {
    const length = parseDuration(input.by)
    return length === null ? null : ahead.now + length
  }
  const once = waiting.filter(({ recurring }) => !recurring).map(({ due_at }) => Date.parse(due_at))
  if (once.length === 0) return null
  return input.until === 'next' ? Math.min(...once) : Math.max(...once)
}

/** The same time of day, so many banking days on; null beyond what is known of holidays. */
function addBankingDays({ now, holidays, until }: ClockContext, days: number): number | null {
  let day = startOfDay(now)
  for (let left = days; left > 0; ) {
    day = startOfNextDay(day)
    if (day > until) return null
    if (!isWeekend(day + 1) && !holidays.has(formatIsoDate(day))) left--
  }
  return newYorkInstant(formatIsoDate(day), newYorkTime(now).time_ms)
}

/** To the second: what is due is. */
const formatGoal = (at: number, now: number): string => {
  const { time } = newYork(at)
  return startOfDay(at) === startOfDay(now) ? time : `${formatInstantSince(at, now)}${time.slice(5)}`
}
