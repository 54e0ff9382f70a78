import type { ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { signalOfGlyph } from '../../components/Status.tsx'
import { hasBegun } from '../../data/feed.ts'
import { plural } from '../../format/numbers.ts'
import type { GlyphName } from '../../ui/Glyph.tsx'
import type { Signal } from '../../ui/GlyphText.tsx'

/** The state of a step in a run; `skipped`: an earlier step failed. */
export type StepState = 'not run' | 'next' | 'running' | 'passed' | 'failed' | 'skipped'

export const glyphOfStep: Readonly<Record<StepState, GlyphName>> = {
  'not run': 'not-begun',
  next: 'held',
  running: 'under-way',
  passed: 'done',
  failed: 'broken',
  skipped: 'stopped',
}

export const signalOfStep = (state: StepState): Signal =>
  state === 'skipped' ? 'soft' : signalOfGlyph(glyphOfStep[state])

export function stateOfStep(run: ScenarioRun, index: number): StepState {
  const result = run.result.steps[index]
  if (result) return result.ok ? 'passed' : 'failed'
  if (run.state === 'failed') return 'skipped'
  if (index !== run.at) return 'not run'
  return run.state === 'running' ? 'running' : hasBegun(run) ? 'next' : 'not run'
}

/** Whether this run is paused and is of the same scenario, example and world. */
export const canContinue = (run: ScenarioRun | null, target: Pick<ScenarioRun, 'name' | 'example' | 'into'>): boolean =>
  run !== null &&
  run.state === 'paused' &&
  run.name === target.name &&
  run.example === target.example &&
  run.into === target.into

/** The result or progress of a run; null before its first step. */
export function describeRun(run: ScenarioRun): string | null {
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

export const glyphOfRun: Readonly<Record<ScenarioRun['state'], GlyphName>> = {
  running: 'under-way',
  paused: 'held',
  passed: 'done',
  failed: 'broken',
}

/** The state of a run that just started, without the earlier results. */
export const restartRun = (run: ScenarioRun, target: Pick<ScenarioRun, 'example' | 'into'>): ScenarioRun => ({
  ...run,
  ...target,
  state: 'running',
  at: 0,
  operation: null,
  result: { ...run.result, ok: false, trouble: null, steps: [], left: run.steps.length, ms: 0 },
})
