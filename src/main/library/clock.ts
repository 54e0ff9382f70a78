import type { Control, ControlMethods } from './contract.ts'

type AdvanceInput = ControlMethods['clock.advance']['input']
type ClockState = ControlMethods['clock.read']['output']
/** `wait_for_webhooks: false` lets time pass while webhooks are sent; without it, time stands still until their receivers have answered. */
export type AdvanceOptions = Pick<AdvanceInput, 'wait_for_webhooks'>
export type AdvanceResult = ControlMethods['clock.advance']['output']

/** The clock of a world. */
export interface WorldClock {
  /** The time, whether the clock runs, and the next task. */
  read(): Promise<ClockState>
  /**
   * Advances the clock, and returns when everything that is due has happened. By a text, such as `'8 business days'`, `'24h'`, `'PT24H'`,
   * `'monday 9:00'` in New York, `'next'` (to the next task) or `'idle'` (until no task is left), or by an object, such as `{ to: '2026-11-24T15:00:00Z' }`.
   */
  advance(by: string | AdvanceInput, options?: AdvanceOptions): Promise<AdvanceResult>
  freeze(): Promise<ClockState>
  run(): Promise<ClockState>
}

export const createClock = ({ clock }: Control): WorldClock => ({
  read: () => clock.read(),
  advance: (by, options) => clock.advance({ ...(typeof by === 'string' ? { text: by } : by), ...options }),
  freeze: () => clock.set({ mode: 'frozen' }),
  run: () => clock.set({ mode: 'running' }),
})
