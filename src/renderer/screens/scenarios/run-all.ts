import { create } from 'zustand'
import type { ScenarioInfo, ScenarioRun } from '../../../api/contract/control/scenarios.ts'
import { sandbox } from '../../data/sandbox.ts'
import { errorText } from '../../format/errors.ts'
import { useDrafts } from './drafts.ts'
import { saveBeforeRun, showRun, useRunner } from './runner.ts'

/** Runs many scenarios one after the other, each in a temporary world. */

export interface ScenarioReport {
  readonly name: string
  readonly title: string
  readonly state: 'waiting' | 'running' | 'passed' | 'failed' | 'not run'
  /** Why it failed, or was not run. */
  readonly why: string
  readonly steps: number
  readonly ms: number
}

interface RunAll {
  readonly reports: readonly ScenarioReport[]
  readonly isRunning: boolean
}

export const useRunAll = create<RunAll>()(() => ({ reports: [], isRunning: false }))

let isStopped = false

/** Saves changed texts first, as a run of one scenario does. */
export async function runAll(listed: readonly ScenarioInfo[]) {
  if (useRunner.getState().pending || useRunAll.getState().isRunning) return
  isStopped = false
  // No other run of this window starts meanwhile.
  useRunner.setState({ pending: 'run', error: null })
  const scenarios = await saveAll(listed)
  const waiting = scenarios.map(
    ({ name, title, trouble }): ScenarioReport => ({
      name,
      title,
      steps: 0,
      ms: 0,
      ...(trouble === null ? { state: 'waiting', why: '' } : { state: 'failed', why: 'The file is invalid.' }),
    }),
  )
  useRunAll.setState({ reports: waiting, isRunning: true })
  try {
    for (const info of scenarios) {
      if (info.trouble !== null) continue
      if (isStopped) report(info.name, { state: 'not run', why: 'stopped' })
      else await runExamples(info)
    }
  } finally {
    useRunAll.setState({ isRunning: false })
    useRunner.setState({ pending: null })
  }
}

/** The scenarios as they are once their changed texts are saved. */
async function saveAll(listed: readonly ScenarioInfo[]): Promise<readonly ScenarioInfo[]> {
  const { texts } = useDrafts.getState()
  const changed = listed.filter(({ name }) => texts[name] !== undefined)
  if (changed.length === 0) return listed
  for (const { name } of changed) await saveBeforeRun(name)
  const saved = await sandbox['scenarios.list']({}).catch(() => ({ scenarios: listed }))
  return listed.map((info) => saved.scenarios.find(({ name }) => name === info.name) ?? info)
}

/** Ends after the scenario that is running. */
export function stopAll() {
  isStopped = true
  void sandbox['scenarios.pause']({}).catch(() => {})
}

/** A failed example is the last one, so that the scenario shows it. */
async function runExamples({ name, examples }: ScenarioInfo) {
  report(name, { state: 'running' })
  let ms = 0
  let steps = 0
  for (let example = 0; example < Math.max(1, examples.length); example++) {
    try {
      const run = await sandbox['scenarios.run']({ name, example, into: 'scratch' })
      showRun(run)
      ms += run.result.ms
      steps += run.result.steps.length
      if (run.state === 'passed') continue
      const state = run.state === 'failed' ? 'failed' : 'not run'
      return report(name, {
        state,
        why: state === 'failed' ? describeFailure(run, examples[example]) : 'stopped',
        ms,
        steps,
      })
    } catch (error) {
      return report(name, { state: 'failed', why: errorText(error), ms, steps })
    }
  }
  report(name, { state: 'passed', ms, steps })
}

/** The first expectation that was not met. */
function describeFailure({ result, steps }: ScenarioRun, example: string | undefined): string {
  const at = result.steps.findIndex(({ ok }) => !ok)
  const failed = result.steps[at]
  const check = failed?.checks.find(({ ok }) => !ok)
  const why = failed?.trouble ?? (check && `${check.what}: expected ${check.expected}, found ${check.actual}`)
  return [
    example === undefined ? '' : `Example ${example}. `,
    `Step ${at + 1} of ${steps.length}: ${why ?? result.trouble ?? ''}`,
  ].join('')
}

const report = (name: string, change: Partial<ScenarioReport>) =>
  useRunAll.setState(({ reports }) => ({
    reports: reports.map((one) => (one.name === name ? { ...one, ...change } : one)),
  }))
