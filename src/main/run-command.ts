import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import type { ScenarioResult } from '../api/contract/scenario-results.ts'
import { createFolder, readScenarios, scenarioReports as reports, runScenario, scenarioNames } from '../api/sandbox.ts'
import { OptionError, parseRunOptions, RUN_HELP } from './options.ts'

interface Terminal {
  /** The folder of the library's scenarios. */
  readonly library: string
  print(text: string): void
  printError(text: string): void
}

/** `sandbank run`. Returns the exit code. */
export async function runScenarios(
  args: readonly string[],
  { library, print, printError }: Terminal,
): Promise<0 | 1 | 2> {
  const { scenarios, junit, json, help } = parseRunOptions(args)
  if (help) {
    print(RUN_HELP + scenarioNames(library).join(', '))
    return 0
  }
  if (junit !== undefined) refuseUnwritable(junit)
  const { plans, issues } = readScenarios(scenarios, library)
  if (issues.length > 0) {
    for (const issue of issues) printError(issue)
    return 2
  }
  const results: ScenarioResult[] = []
  for (const plan of plans) {
    const result = await runScenario(plan, { version, report: printError })
    results.push(result)
    if (!json) print(reports.formatReport(result))
  }
  if (junit !== undefined) writeFileSync(junit, reports.formatJunit(results))
  print(json ? reports.formatJson(results) : reports.formatSummary(results))
  return results.every(({ ok }) => ok) ? 0 : 1
}

/** Checks before the scenarios run, not after. */
function refuseUnwritable(file: string) {
  try {
    createFolder(dirname(file))
    accessSync(dirname(file), constants.W_OK)
    const exists = existsSync(file)
    writeFileSync(file, '', { flag: 'a' })
    // An interrupted run must not leave an empty report.
    if (!exists) rmSync(file)
  } catch (error) {
    throw new OptionError(`--junit: ${file} cannot be written (${(error as NodeJS.ErrnoException).code})`)
  }
}
