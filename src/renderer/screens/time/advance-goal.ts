import { plural } from '../../format/numbers.ts'

/** How far the form advances the clock. */

export const advanceModes = {
  duration: 'Duration',
  moment: 'Date and time',
  business_days: 'Business days',
  next: 'To next task',
  idle: 'Until idle',
} as const
export type AdvanceMode = keyof typeof advanceModes

/** What the form holds, as text. */
export interface AdvanceFields {
  readonly mode: AdvanceMode
  readonly duration: string
  /** In New York: `2026-11-23` and `09:30`. */
  readonly date: string
  readonly time: string
  readonly business_days: string
}

interface Goal {
  /** For the sandbox. */
  readonly text: string
  /** For people. */
  readonly label: string
}

export function goalOf({ mode, duration, date, time, business_days }: AdvanceFields): Goal {
  switch (mode) {
    case 'duration':
      return { text: duration, label: duration }
    case 'moment':
      return { text: `${date}T${time}`, label: 'to a date' }
    case 'business_days':
      return { text: `${business_days} business days`, label: plural(Number(business_days), 'business day') }
    case 'next':
      return { text: 'next', label: 'to next task' }
    case 'idle':
      return { text: 'idle', label: 'until idle' }
  }
}
