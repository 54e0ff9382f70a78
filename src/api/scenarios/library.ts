import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, extname, join, relative, resolve } from 'node:path'
import type { ScenarioResult } from '../contract/scenario-results.ts'
import type { OpenScratchSandbox } from '../replay/client.ts'
import { lineOf, readScenario, type ScenarioFile, ScenarioFileError } from './file.ts'
import { type FindScenario, type Plan, plansOf } from './plan.ts'
import { begin, Run } from './run.ts'

/** Files of scenarios, found and read; and each of them run in a world of its own. */

export const ENDINGS = ['.yaml', '.yml', '.json']
/** No path: a name leads nowhere but beside the file, or into the library. */
const NAME = /^\w[\w.-]*$/

/** The names of a library's scenarios. */
export const namesIn = (library: string): string[] => (existsSync(library) ? scenariosIn(library).map(nameOf) : [])

/** By name, so that `wire` comes before `wire-in`. */
const scenariosIn = (folder: string) =>
  readdirSync(folder)
    .filter((file) => ENDINGS.includes(extname(file)))
    .sort((a, b) => (nameOf(a) === nameOf(b) ? compared(a, b) : compared(nameOf(a), nameOf(b))))

const nameOf = (file: string) => file.slice(0, -extname(file).length)
const compared = (a: string, b: string) => (a < b ? -1 : 1)

const fileNamed = (folder: string, name: string): string | undefined =>
  ['', ...ENDINGS].map((ending) => join(folder, name + ending)).find((path) => isFile(path))

/** A scenario of a folder, by its name. */
export function readNamed(folder: string, name: string): { text: string } | undefined {
  const path = NAME.test(name) ? fileNamed(folder, name) : undefined
  return path === undefined ? undefined : { text: readFileSync(path, 'utf8') }
}

const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false

/** As short as it can be said from here; the same for every way to say it. */
const spelledFrom = (cwd: string, path: string) => {
  const short = relative(cwd, resolve(cwd, path))
  return short.startsWith('..') ? resolve(cwd, path) : short
}

export interface Reading {
  readonly plans: readonly Plan[]
  /** One line each. */
  readonly troubles: readonly string[]
}

/** Files, folders and names of the library → what is to be run, or everything that is wrong with them. */
export function readScenarios(sources: readonly string[], library: string, cwd = process.cwd()): Reading {
  const files = sources.map((source) => filesOf(source, library, cwd))
  const find = finder(library, cwd)
  const read = [...new Set(files.flatMap(({ found }) => found))].map((file) => plansOfFile(file, find, cwd))
  const troubles = [...files.flatMap(({ trouble }) => trouble ?? []), ...read.flatMap((one) => one.troubles)]
  return { plans: read.flatMap(({ plans }) => plans), troubles: [...new Set(troubles)] }
}

function filesOf(source: string, library: string, cwd: string): { found: string[]; trouble?: string } {
  const path = resolve(cwd, source)
  const is = statSync(path, { throwIfNoEntry: false })
  if (is?.isFile()) return { found: [spelledFrom(cwd, path)] }
  if (is?.isDirectory()) {
    const found = scenariosIn(path).map((name) => spelledFrom(cwd, join(path, name)))
    return found.length > 0
      ? { found }
      : {
          found,
          trouble: `${source}: scenarios are expected, files that end in ${ENDINGS.join(', ')}; the folder has none`,
        }
  }
  const named = NAME.test(source) ? fileNamed(library, source) : undefined
  if (named) return { found: [spelledFrom(cwd, named)] }
  const names = namesIn(library).join(', ')
  return { found: [], trouble: `${source}: a file, a folder or a scenario of the library is expected (${names})` }
}

/** Beside the file first, then in the library. What many begin with is read once. */
export const finder = (library: string, cwd = process.cwd()): FindScenario => {
  const known = new Map<string, ScenarioFile>()
  return (name, from) => {
    if (!NAME.test(name)) return undefined
    const path = fileNamed(dirname(resolve(cwd, from)), name) ?? fileNamed(library, name)
    if (path === undefined) return undefined
    const file = known.get(path) ?? readFile(spelledFrom(cwd, path), cwd)
    known.set(path, file)
    return file
  }
}

function readFile(file: string, cwd: string): ScenarioFile {
  let text: string
  try {
    text = readFileSync(resolve(cwd, file), 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ScenarioFileError([{ file, line: 1, column: 1, message: `it cannot be read (${code})` }])
  }
  return readScenario(text, file)
}

function plansOfFile(file: string, find: FindScenario, cwd: string): Reading {
  try {
    return { plans: plansOf(readFile(file, cwd), find), troubles: [] }
  } catch (error) {
    if (error instanceof ScenarioFileError) return { plans: [], troubles: error.troubles.map(lineOf) }
    throw error
  }
}

/** One scenario from its first step to its last, or to the one that fails, in a world made for it. */
export async function runFresh(plan: Plan, open: OpenScratchSandbox): Promise<ScenarioResult> {
  try {
    const scratch = await begin(plan, open)
    try {
      return await new Run(plan, scratch).rest()
    } finally {
      await scratch.close()
    }
  } catch (error) {
    // A fault of ours: the others are still run, and the report still written.
    const trouble = `it could not be run: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`
    const { name, example, file, stages } = plan
    return { name, example, file, ok: false, trouble, steps: [], left: stages.length, ms: 0 }
  }
}
