import type { Step, StepName } from '../contract/scenarios.ts'

export type StepOf<N extends StepName> = Extract<Step, Readonly<Record<N, unknown>>>

/** The input of `clock.advance`. */
export function advanceInput(advance: StepOf<'advance'>['advance']): unknown {
  return typeof advance === 'string' ? { text: advance } : advance
}

/** The records and statuses of `advance: { until: { … } }`. */
export function untilStates(advance: StepOf<'advance'>['advance']): Readonly<Record<string, unknown>> | undefined {
  if (typeof advance === 'string' || !('until' in advance) || typeof advance.until === 'string') return undefined
  return advance.until
}
