import type { Control, ControlMethods } from './contract.ts'

type AdvanceInput = ControlMethods['clock.advance']['input']
type ClockState = ControlMethods['clock.read']['output']
export type AdvanceResult = ControlMethods['clock.advance']['output']

/** The clock of a world. */
export interface WorldClock {
  /** The time, whether the clock runs, and the next task. */
  read(): Promise<ClockState>
  /**
   * Advances the clock, and returns when everything that is due has happened. By a text, such as `'8 business days'`, `'24 hours'`,
   * `'PT24H'`, `'next'` (to the next task) or `'idle'` (until no task is left), or by an object, such as `{ to: '2026-11-24T15:00:00Z' }`.
   */
  advance(by: string | AdvanceInput): Promise<AdvanceResult>
  freeze(): Promise<ClockState>
  run(): Promise<ClockState>
}

export const createClock = ({ clock }: Control): WorldClock => ({
  read: () => clock.read(),
  advance: async (by) => clock.advance(typeof by === 'string' ? parseAdvance(by) : by),
  freeze: () => clock.set({ mode: 'frozen' }),
  run: () => clock.set({ mode: 'running' }),
})

const EXPECTED =
  "a text such as '8 business days', '24 hours', '90 minutes', 'PT24H', 'next' or 'idle', or an object such as { to: '2026-11-24T15:00:00Z' }"

/** The ISO 8601 duration of one unit: days and weeks of 24 hours each. */
const DURATIONS: Readonly<Record<string, (n: string) => string>> = {
  s: (n) => `PT${n}S`,
  m: (n) => `PT${n}M`,
  h: (n) => `PT${n}H`,
  d: (n) => `P${n}D`,
  w: (n) => `P${n}W`,
}

/** `8 business days`, also `8bd`; `24 hours`, also `24h`; an ISO 8601 duration; `next`, `idle`. */
export function parseAdvance(text: string): AdvanceInput {
  const words = text.trim().toLowerCase()
  if (words === 'next' || words === 'idle') return { until: words }
  if (/^p(?=\d|t\d)/.test(words)) return { by: text.trim().toUpperCase() }
  const days = /^(\d+)\s*(?:bd|business days?)$/.exec(words)
  if (days) return { business_days: Number(days[1]) }
  const duration = /^(\d+)\s*(?:(s)(?:ec|econds?)?|(m)(?:in|inutes?)?|(h)(?:ours?)?|(d)(?:ays?)?|(w)(?:eeks?)?)$/.exec(
    words,
  )
  const unit = duration?.slice(2).find((part) => part !== undefined)
  if (duration?.[1] !== undefined && unit !== undefined) return { by: DURATIONS[unit]!(duration[1]) }
  throw new TypeError(`clock.advance: found "${text}", expected ${EXPECTED}`)
}
