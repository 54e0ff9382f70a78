import type { ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { signalOfGlyph } from '../../components/Status.tsx'
import { hasBegun } from '../../data/feed.ts'
import { plural } from '../../format/numbers.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'
import type { Signal } from '../../ui/GlyphText.tsx'

/** How a step of a run stands: a word, and the shape before it. */
export type StepState = 'waiting' | 'next' | 'running' | 'passed' | 'failed' | 'not run'

export const shapeOfStep: Readonly<Record<StepState, GlyphName>> = {
  waiting: 'not-begun',
  next: 'held',
  running: 'under-way',
  passed: 'done',
  failed: 'broken',
  'not run': 'stopped',
}

/** What was not run broke nothing. */
export const signalOfStep = (state: StepState): Signal =>
  state === 'not run' ? 'soft' : signalOfGlyph(shapeOfStep[state])

export function stateOfStep(run: ScenarioRun, index: number): StepState {
  const result = run.result.steps[index]
  if (result) return result.ok ? 'passed' : 'failed'
  if (run.state === 'failed') return 'not run'
  if (index !== run.at) return 'waiting'
  return run.state === 'running' ? 'running' : hasBegun(run) ? 'next' : 'waiting'
}

/** The scenario that stands before its next step, of this name, row and world. */
export const isGoingOn = (run: ScenarioRun | null, what: Pick<ScenarioRun, 'name' | 'example' | 'into'>): boolean =>
  run !== null &&
  run.state === 'paused' &&
  run.name === what.name &&
  run.example === what.example &&
  run.into === what.into

/** How a run ended, or where it stands; null before it has begun. */
export function sayRun(run: ScenarioRun): string | null {
  if (!hasBegun(run) && run.state !== 'running') return null
  const all = run.steps.length
  const done = run.result.steps.filter(({ ok }) => ok).length
  switch (run.state) {
    case 'passed':
      return `passed, ${plural(all, 'step')}`
    case 'failed':
      return `failed at step ${run.at} of ${all}`
    case 'running':
      return `running, ${done} of ${all}`
    case 'paused':
      return `paused before step ${run.at + 1} of ${all}`
  }
}

export const shapeOfRun: Readonly<Record<ScenarioRun['state'], GlyphName>> = {
  running: 'under-way',
  paused: 'held',
  passed: 'done',
  failed: 'broken',
}

/** As it will stand when it has just been begun: what was there before is not its result. */
export const begunAnew = (run: ScenarioRun, chosen: Pick<ScenarioRun, 'example' | 'into'>): ScenarioRun => ({
  ...run,
  ...chosen,
  state: 'running',
  at: 0,
  began_at: null,
  result: { ...run.result, ok: false, trouble: null, steps: [], left: run.steps.length, ms: 0 },
})
