import { writeFileSync } from 'node:fs'
import { version } from '../../package.json' with { type: 'json' }
import type { ScenarioResult } from '../api/contract/scenario-results.ts'
import {
  createFolder,
  foldersOf,
  formatAnnotations,
  formatIssue,
  type Plan,
  readScenarios,
  scenarioReports as reports,
  runScenario,
  scenarioNames,
} from '../api/sandbox.ts'
import { appPaths } from './app-paths.ts'
import type { Run, Terminal } from './commands/command.ts'
import { formatChanges, readDryRun } from './commands/dry-run.ts'
import { refuseUnwritable } from './commands/output-file.ts'
import { watchScenarioFiles } from './watch-files.ts'

export async function describeLibrary({ host }: Terminal): Promise<string> {
  return `The library: ${scenarioNames(appPaths(host.folder).library).join(', ')}`
}

/** `sandbank run`. Returns the exit code; undefined with --watch. */
export const runScenarios: Run = async (input, terminal) => {
  const { values, words: scenarios } = input
  const options: RunOptions = { ...values, scenarios, dryRun: await readDryRun(input) }
  if (options.junit !== undefined) refuseUnwritable('--junit', options.junit, createFolder)
  return options.watch ? watch(options, terminal) : runOnce(options, terminal)
}

interface RunOptions {
  readonly scenarios: readonly string[]
  readonly filter?: string
  readonly bail?: boolean
  readonly watch?: boolean
  readonly junit?: string
  readonly json?: boolean
  readonly dryRun?: Awaited<ReturnType<typeof readDryRun>>
}

/** 0: all passed. 1: one failed. 2: nothing could be run. */
type ExitCode = 0 | 1 | 2

/** `isCanceled`: asked before each scenario. */
async function runOnce(options: RunOptions, terminal: Terminal, isCanceled = () => false): Promise<ExitCode> {
  const { scenarios, filter, bail, junit, json, dryRun } = options
  const { host, env, print, printError } = terminal
  const entries = readScenarios(scenarios, appPaths(host.folder).library)
  for (const line of new Set(entries.flatMap(({ issues }) => issues.map(formatIssue)))) printError(line)
  const all = entries.flatMap(({ plans }) => plans)
  const plans = all.filter((plan) => matches(plan, filter))
  const unread = entries.filter(({ issues }) => issues.length > 0)
  const nothing = plans.length > 0 || unread.length > 0 ? undefined : explainNoMatch(all.length, filter)
  if (nothing !== undefined) printError(`--filter: ${nothing}`)

  const results: ScenarioResult[] = []
  const report = (result: ScenarioResult) => {
    results.push(result)
    if (!json && plans.length > 0) print(reports.formatReport(result))
    if (!json && result.changes) print(`\n${formatChanges(result.changes)}\n`)
    for (const line of formatAnnotations([result], env)) printError(line)
  }
  const notRun: Plan[] = []
  for (const { file, plans: ofFile, issues } of entries) {
    const mayRun = () => !isCanceled() && !(bail && results.some(({ ok }) => !ok))
    if (issues.length > 0 && mayRun()) report({ ...UNREAD, name: file, file, steps: [], issues: [...issues] })
    for (const plan of ofFile.filter((plan) => plans.includes(plan)))
      if (mayRun()) report(await runScenario(plan, { version, report: printError }, dryRun))
      else notRun.push(plan)
  }
  if (isCanceled()) return 1
  if (junit !== undefined) writeFileSync(junit, reports.formatJunit({ results, notRun, nothing }))
  if (json) print(reports.formatJson(results, notRun))
  else if (plans.length > 0) print(reports.formatSummary(results, notRun))
  if (plans.length === 0) return 2
  return results.every(({ ok }) => ok) ? 0 : 1
}

const UNREAD = { example: null, ok: false, trouble: null, left: 0, ms: 0 } as const

const matches = (plan: Plan, filter = '') => reports.formatTitle(plan).toLowerCase().includes(filter.toLowerCase())

const explainNoMatch = (count: number, filter = '') =>
  `none of ${reports.formatCount(count, 'scenario')} has "${filter}" in its name`

/** Runs again after each change, until the process is ended. A change during a run ends it after the scenario that runs. */
async function watch(options: RunOptions, terminal: Terminal): Promise<undefined> {
  const { host, printError } = terminal
  let code: ExitCode = 0
  let hasChanged = false
  let running: Promise<void> | undefined
  const run = async () => {
    do {
      hasChanged = false
      code = await runOnce(options, terminal, () => hasChanged)
    } while (hasChanged)
    running = undefined
    printError('Waiting for changes.')
  }
  const watcher = watchScenarioFiles(foldersOf(options.scenarios, appPaths(host.folder).library), () => {
    hasChanged = true
    running ??= run()
  })
  host.onEnd(async () => {
    watcher.close()
    await running
    return code === 0 ? 0 : 1
  })
  running = run()
  await running
}
