import { dirname, extname, join, relative, resolve } from 'node:path'
import type { ScenarioMistake, ScenarioResult } from '../contract/scenario-results.ts'
import type { OpenScratchSandbox } from '../replay/client.ts'
import { type DryRun, withChanges } from '../replay/dry-run.ts'
import { files, readText } from '../store/files.ts'
import { isFileError } from '../store/store-error.ts'
import { formatIssue, readScenario, type ScenarioFile, ScenarioFileError } from './file.ts'
import { createPlans, type FindScenario, type Plan } from './plan.ts'
import { openForPlan, PlanRun } from './run.ts'

/** Finds scenario files, reads them, and runs each in a scratch sandbox. */

export const SCENARIO_ENDINGS = ['.yaml', '.yml', '.json']
/** A name must not be a path, so it cannot leave the folder. */
const NAME = /^\w[\w.-]*$/

export const scenarioNames = (folder: string): string[] =>
  files.exists(folder) ? listScenarioFiles(folder).map(withoutEnding) : []

/** Sorted by name without ending, so that `wire` comes before `wire-in`. */
const listScenarioFiles = (folder: string) =>
  files
    .list(folder)
    .filter((file) => SCENARIO_ENDINGS.includes(extname(file)))
    .sort((a, b) =>
      withoutEnding(a) === withoutEnding(b) ? compareText(a, b) : compareText(withoutEnding(a), withoutEnding(b)),
    )

const withoutEnding = (file: string) => file.slice(0, -extname(file).length)
const compareText = (a: string, b: string) => (a < b ? -1 : 1)

const findFile = (folder: string, name: string): string | undefined =>
  ['', ...SCENARIO_ENDINGS].map((ending) => join(folder, name + ending)).find((path) => isFile(path))

/** Reads a scenario of a folder by its name. */
export function readByName(folder: string, name: string): { text: string } | undefined {
  const path = NAME.test(name) ? findFile(folder, name) : undefined
  return path === undefined ? undefined : { text: readText(path) }
}

const isFile = (path: string) => files.exists(path) && !files.isFolder(path)

/** Relative to `cwd` if it is below it, else absolute: the same text for every spelling of a path. */
const displayPath = (cwd: string, path: string) => {
  const short = relative(cwd, resolve(cwd, path))
  return short.startsWith('..') ? resolve(cwd, path) : short
}

/** The scenario files of a folder, with a line for each that is none. The scenarios that they begin with are not looked up. */
export function checkScenarios(folder: string): { readonly files: number; readonly problems: readonly string[] } {
  const names = files.isFolder(folder) ? listScenarioFiles(folder) : []
  const problems = names.flatMap((name) => {
    const path = join(folder, name)
    try {
      return readScenario(readText(path), path).issues.slice(0, 1).map(formatIssue)
    } catch (error) {
      if (error instanceof ScenarioFileError) return formatIssue(error.issues[0]!)
      if (isFileError(error)) return `${path} cannot be read (${error.code})`
      throw error
    }
  })
  return { files: names.length, problems }
}

/** A file with its scenarios, or with what is wrong with it. */
interface ScenarioEntry {
  readonly file: string
  readonly plans: readonly Plan[]
  readonly issues: readonly ScenarioMistake[]
}

/** Reads files, folders and names of the library, each file once. */
export function readScenarios(sources: readonly string[], library: string, cwd = process.cwd()): ScenarioEntry[] {
  const find = createFinder(library, cwd)
  const entries = new Map<string, ScenarioEntry>()
  for (const source of sources) {
    const found = findFiles(source, library, cwd)
    if (typeof found === 'string')
      entries.set(source, { file: source, plans: [], issues: [{ file: source, message: found }] })
    else for (const file of found) if (!entries.has(file)) entries.set(file, readPlans(file, find, cwd))
  }
  return [...entries.values()]
}

/** Or what was expected, if there are none. */
function findFiles(source: string, library: string, cwd: string): string[] | string {
  const path = resolve(cwd, source)
  if (isFile(path)) return [displayPath(cwd, path)]
  if (files.isFolder(path)) {
    const scenarios = listScenarioFiles(path).map((name) => displayPath(cwd, join(path, name)))
    if (scenarios.length > 0) return scenarios
    return `scenarios are expected, files that end in ${SCENARIO_ENDINGS.join(', ')}; the folder has none`
  }
  const fromLibrary = NAME.test(source) ? findFile(library, source) : undefined
  if (fromLibrary) return [displayPath(cwd, fromLibrary)]
  return `a file, a folder or a scenario of the library is expected (${scenarioNames(library).join(', ')})`
}

/** Looks in the folder of the file first, then in the library. Reads each file once. */
export const createFinder = (library: string, cwd = process.cwd()): FindScenario => {
  const known = new Map<string, ScenarioFile>()
  return (name, from) => {
    if (!NAME.test(name)) return undefined
    const path = findFile(dirname(resolve(cwd, from)), name) ?? findFile(library, name)
    if (path === undefined) return undefined
    const file = known.get(path) ?? readFile(displayPath(cwd, path), cwd)
    known.set(path, file)
    return file
  }
}

function readFile(file: string, cwd: string): ScenarioFile {
  let text: string
  try {
    text = readText(resolve(cwd, file))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ScenarioFileError([{ file, line: 1, column: 1, message: `it cannot be read (${code})` }])
  }
  return readScenario(text, file)
}

function readPlans(file: string, find: FindScenario, cwd: string): ScenarioEntry {
  try {
    return { file, plans: createPlans(readFile(file, cwd), find), issues: [] }
  } catch (error) {
    if (error instanceof ScenarioFileError) return { file, plans: [], issues: error.issues }
    throw error
  }
}

/** What can change the results: the folders of the files, and of the scenarios that they may begin with. */
export const foldersOf = (sources: readonly string[], library: string, cwd = process.cwd()): string[] => {
  const folders = sources.map((source) => {
    const path = resolve(cwd, source)
    return files.isFolder(path) ? path : dirname(path)
  })
  return [...new Set([...folders, library])].filter((folder) => files.isFolder(folder))
}

/** Runs one scenario until its end, or until a step fails. */
export async function runInScratch(plan: Plan, open: OpenScratchSandbox, dryRun?: DryRun): Promise<ScenarioResult> {
  try {
    const scratch = await openForPlan(plan, open)
    try {
      const run = () => new PlanRun(plan, scratch).runUntil()
      return await (dryRun ? withChanges(scratch, dryRun, run) : run())
    } finally {
      await scratch.close()
    }
  } catch (error) {
    // After an internal error the other scenarios still run, and the report is written.
    const trouble = `it could not be run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    const { name, example, file, line, stages } = plan
    return { name, example, file, line, ok: false, trouble, steps: [], left: stages.length, ms: 0 }
  }
}
