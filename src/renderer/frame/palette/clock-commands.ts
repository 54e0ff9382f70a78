import { Clock as ClockIcon } from 'lucide-react'
import type { AdvancePreview, Clock } from '../../../api/contract/control/clock.ts'
import { parseAmountOfTime } from '../../../api/contract/terms/amounts-of-time.ts'
import {
  type AdvanceName,
  advanceAction,
  advanceNames,
  advanceTo,
  cancelAdvanceAction,
  paceAction,
  toggleClock,
} from '../../actions/clock.ts'
import { simulatedNow, useFeed } from '../../data/feed.ts'
import { taskReason } from '../../data/records.ts'
import { formatInstantSince, formatShortInstant, newYork, plural, startOfDay } from '../../format/text.ts'
import type { Command } from './command.ts'

/** The commands of the clock, each with the time it leads to and the tasks that are scheduled until then. */

/** What the sandbox has said about each advance. */
type Previews = Readonly<Partial<Record<AdvanceName | 'typed', AdvancePreview | undefined>>>

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

const typeAnAdvance: Command = {
  id: 'advance',
  icon: ClockIcon,
  title: 'Advance by or to…',
  detail: 'PT24H, 8 business days, monday 9:00, 2026-12-01T14:00',
  fill: 'advance ',
}

export function clockCommands(previews: Previews, text: string): Command[] {
  const { clock, progress, ...feed } = useFeed.getState()
  if (!clock) return []
  if (progress) return [cancelAdvanceAction()]
  const now = simulatedNow({ clock, progress, ...feed })
  const typed = readTyped(text, now)
  const describe = (name: keyof Previews) => {
    const preview = previews[name]
    return preview && describePreview(preview, name === 'next' ? clock.next : null, now)
  }
  return [
    ...(typed ? [{ ...advanceTo(typed.text, typed.title), ...describe('typed') }] : []),
    ...advanceNames.map((name) => ({ ...advanceAction(name), ...describe(name) })),
    typeAnAdvance,
    toggleClock(),
    paceAction(clock.pace === 'fast' ? 'real' : 'fast'),
  ]
}

function describePreview({ refused, to, runs, recurring }: AdvancePreview, next: Clock['next'], now: number) {
  if (refused !== null) return { detail: refused }
  const once = runs - recurring
  const goal = to === null ? null : Date.parse(to)
  const dueTasks = once === 0 ? 'nothing due' : plural(once, 'task')
  if (goal === null) return { detail: once === 0 ? 'nothing is due' : dueTasks }
  if (next) return { detail: `${formatInstantSince(goal, now)}, ${taskReason(next)}` }
  return { detail: `to ${formatGoal(goal, now)}, ${dueTasks}` }
}

/** To the second, as tasks are due to the second. */
const formatGoal = (at: number, now: number): string => {
  const { time } = newYork(at)
  return startOfDay(at) === startOfDay(now) ? time : `${formatInstantSince(at, now)}${time.slice(5)}`
}
