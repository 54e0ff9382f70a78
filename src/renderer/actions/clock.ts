import { Clock as ClockIcon, Pause, Play, SkipForward, X } from 'lucide-react'
import type { AdvanceInput } from '../../api/contract/control/clock.ts'
import { advance, cancelAdvance } from '../data/advance.ts'
import { useFeed } from '../data/feed.ts'
import { sandbox } from '../data/sandbox.ts'
import { callOf } from '../data/trying.ts'
import { formatShortInstant } from '../format/text.ts'
import { type Action, call, refusable } from './action.ts'

/** What can be done with the clock. */

const failed = 'The clock did not change.'

/** Advances that need no input. Their keys work on the line of time. */
const advances = {
  next: { goal: 'to next task', title: 'Advance to the next task', key: 'n', input: { until: 'next' } },
  hour: { goal: '1 hour', title: 'Advance 1 hour', key: 'h', input: { by: 'PT1H' } },
  businessDay: { goal: '1 business day', title: 'Advance 1 business day', key: 'b', input: { business_days: 1 } },
  idle: { goal: 'until idle', title: 'Advance until nothing is due', key: null, input: { until: 'idle' } },
} as const satisfies Readonly<Record<string, AdvanceRow>>

interface AdvanceRow {
  readonly goal: string
  readonly title: string
  readonly key: string | null
  readonly input: AdvanceInput
}

export type AdvanceName = keyof typeof advances
export const advanceNames = Object.keys(advances) as AdvanceName[]
export const advanceInput = (name: AdvanceName): AdvanceInput => advances[name].input

export function advanceAction(name: AdvanceName): Action {
  const { goal, title, key, input } = advances[name]
  const { clock } = useFeed.getState()
  const next = name === 'next' ? clock?.next : undefined
  return {
    id: `advance ${name}`,
    icon: name === 'next' ? SkipForward : ClockIcon,
    title,
    label: name === 'next' ? 'To next task' : goal,
    also: name === 'next' ? 'due' : name,
    ...(key === null ? {} : { keys: [key] }),
    ...(next ? { detail: `${next.what}: ${formatShortInstant(Date.parse(next.at))}` } : {}),
    blocked: name !== 'next' || next ? null : 'Nothing scheduled.',
    failed,
    run: () => refusable(advance(input, goal, { showsError: false })),
    tries: [callOf('clock.advance', input)],
  }
}

/** To a goal that the user typed. */
export const advanceTo = (text: string, title: string): Action => ({
  id: 'advance typed',
  icon: ClockIcon,
  title,
  also: text,
  run: () => refusable(advance({ text }, title, { showsError: false })),
  tries: [callOf('clock.advance', { text })],
})

export const cancelAdvanceAction = (): Action => ({
  id: 'cancel',
  icon: X,
  title: 'Cancel the advance',
  label: 'Cancel',
  detail: 'stops between two tasks',
  failed,
  run: () => call(cancelAdvance()),
})

export function toggleClock(): Action {
  const { clock } = useFeed.getState()
  const isRunning = clock?.mode === 'running'
  return {
    id: 'mode',
    icon: isRunning ? Pause : Play,
    title: isRunning ? 'Freeze the clock' : 'Run the clock',
    label: isRunning ? 'Freeze' : 'Run',
    also: 'freeze run pause start stop time let',
    // With Shift: a typed 1.5 that misses its field must not start the clock.
    keys: ['Shift', '.'],
    failed,
    run: () => (clock ? call(sandbox['clock.set']({ mode: isRunning ? 'frozen' : 'running' })) : undefined),
  }
}

export const paces = ['fast', 'real'] as const
export type Pace = (typeof paces)[number]

const paceHints = {
  fast: 'payments settle in seconds of simulated time',
  real: 'payments follow the cut-offs and banking days of real banks',
} as const satisfies Readonly<Record<Pace, string>>

export const paceAction = (pace: Pace) =>
  ({
    id: 'pace',
    icon: ClockIcon,
    title: `Pace: ${pace}`,
    label: pace,
    also: 'payments speed fast real banking days',
    detail: paceHints[pace],
    blocked:
      useFeed.getState().clock?.paces.includes(pace) === false
        ? 'The hosted sandbox has none: payments take seconds.'
        : null,
    failed,
    run: () => call(sandbox['clock.set']({ pace })),
  }) satisfies Action
