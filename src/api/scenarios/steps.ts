import type { Step, StepName } from '../contract/scenarios.ts'

export type StepOf<N extends StepName> = Extract<Step, Readonly<Record<N, unknown>>>

/** The input of `clock.advance`. */
export function advanceInput(advance: StepOf<'advance'>['advance']): unknown {
  if (typeof advance !== 'string') return advance
  return advance === 'next' || advance === 'idle' ? { until: advance } : { by: advance }
}

/** The records and statuses of `advance: { until: { … } }`. */
export function untilStates(advance: StepOf<'advance'>['advance']): Readonly<Record<string, unknown>> | undefined {
  if (typeof advance === 'string' || !('until' in advance) || typeof advance.until === 'string') return undefined
  return advance.until
}
