import { accessSync, constants, existsSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { version } from '../../package.json' with { type: 'json' }
import type { ScenarioResult } from '../api/contract/scenario-results.ts'
import { createFolder, readScenarios, scenarioReports as reports, runScenario, scenarioNames } from '../api/sandbox.ts'
import { appPaths } from './app-paths.ts'
import type { Input, Terminal } from './commands/command.ts'
import { checkRunOptions, OptionError } from './options.ts'

export async function describeLibrary({ host }: Terminal): Promise<string> {
  return `The library: ${scenarioNames(appPaths(host.folder).library).join(', ')}`
}

/** `sandbank run`. Returns the exit code. */
export async function runScenarios(input: Input, { host, print, printError }: Terminal): Promise<0 | 1 | 2> {
  const { scenarios, junit, json } = checkRunOptions(input)
  if (junit !== undefined) refuseUnwritable(junit)
  const { plans, issues } = readScenarios(scenarios, appPaths(host.folder).library)
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
