import { accessSync, constants, mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import type { ScenarioResult } from '../api/contract/scenario-results.ts'
import { readScenarios, scenarioReports as reports, runScenario, scenarioNames } from '../api/sandbox.ts'
import { BadOption, RUN_HELP, runOptions } from './options.ts'

/** `sandbank run`: scenarios in CI. It answers the exit code. */

interface Terminal {
  /** The folder of the scenarios that come with it. */
  readonly library: string
  say(text: string): void
  complain(text: string): void
}

export async function run(args: readonly string[], { library, say, complain }: Terminal): Promise<0 | 1 | 2> {
  const { scenarios, junit, json, help } = runOptions(args)
  if (help) {
    say(RUN_HELP + scenarioNames(library).join(', '))
    return 0
  }
  if (junit !== undefined) refuseUnwritable(junit)
  const { plans, issues: troubles } = readScenarios(scenarios, library)
  if (troubles.length > 0) {
    for (const trouble of troubles) complain(trouble)
    return 2
  }
  const results: ScenarioResult[] = []
  for (const plan of plans) {
    const result = await runScenario(plan, { version, report: complain })
    results.push(result)
    if (!json) say(reports.formatReport(result))
  }
  if (junit !== undefined) writeFileSync(junit, reports.formatJunit(results))
  say(json ? reports.formatJson(results) : reports.formatSummary(results))
  return results.every(({ ok }) => ok) ? 0 : 1
}

/** Before the first scenario is run, not after the last. */
function refuseUnwritable(file: string) {
  try {
    mkdirSync(dirname(file), { recursive: true })
    accessSync(dirname(file), constants.W_OK)
    writeFileSync(file, '', { flag: 'a' })
  } catch (error) {
    throw new BadOption(`--junit: ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
