import type { StepKind } from '../contract/scenario-results.ts'
import {
  type Path,
  type PlainStep,
  parseGiven,
  type ScenarioSetup,
  type Step,
  stepNameOf,
} from '../contract/scenarios.ts'
import type { WorldSetup } from '../replay/client.ts'
import { ExpressionError } from './expressions.ts'
import { formatPath, MAX_ISSUES, type ScenarioFile, ScenarioFileError, type ScenarioFileIssue } from './file.ts'
import { builtInVariables, findScenarioIssues } from './validate.ts'
import { fillVariables, UnknownVariable, type Variables } from './variables.ts'

/** Turns a scenario file into plans: one for each row of its examples, with the steps of the scenario it begins with. */

/** One step, or the part of `given` that is set after the world was created. */
export interface Stage {
  readonly kind: StepKind
  readonly step: PlainStep | ScenarioSetup
  readonly path: Path
  readonly from: ScenarioFile
  /** The round of a `repeat`. */
  readonly round?: { readonly number: number; readonly of: number; readonly variables: Variables }
}

export interface Plan {
  readonly name: string
  /** The row of examples: `code: R01, ending: 9901`. */
  readonly example: string | null
  readonly file: string
  /** Of its name, or of its row of examples. */
  readonly line: number
  readonly setup: WorldSetup
  /** Why it cannot go on in a world that is there; null if it can. */
  readonly needs_world: string | null
  readonly stages: readonly Stage[]
  readonly variables: Variables
}

/** Finds another scenario by name. Throws ScenarioFileError if that file is invalid. */
export type FindScenario = (name: string, from: string) => ScenarioFile | undefined

/** A Monday, 10:00 in New York; fixed, so that a scenario gives the same results every day. */
export const DEFAULT_START = '2026-11-23T15:00:00.000Z'
const DEFAULT_SEED = 'sandbank'

/** Throws ScenarioFileError with all issues that can be found without running the scenario. */
export function createPlans(file: ScenarioFile, find: FindScenario): Plan[] {
  const { files: before, issues: ofPrerequisites } = findPrerequisites(file, find, [file])
  const known = builtInVariables()
  const all = [...before, file]
  const ofFiles = all.flatMap((one) => findScenarioIssues(one, known, ofPrerequisites.length === 0))
  const { name, examples } = file.scenario
  const issues = [...ofPrerequisites, ...ofFiles, ...(file.issues.length > 0 ? [] : findGivenIssues(file))]
  if (issues.length === 0) issues.push(...findManySteps(file, before))
  if (issues.length > 0) throw new ScenarioFileError(issues.slice(0, MAX_ISSUES))

  return (examples ?? [undefined]).map((row, i) => {
    const givens = [...before.map(({ scenario }) => scenario.given ?? {}), givenFor(file, row)]
    const stages = [...before, file].flatMap((from, i) => stagesOf(from, givens[i]!, from === file ? (row ?? {}) : {}))
    return {
      name,
      example: row === undefined ? null : formatExample(row),
      file: file.file,
      line: file.placeOf(row === undefined ? ['name'] : ['examples', i]).line,
      setup: mergeSetups(givens),
      needs_world: findNeed(givens, stages),
      stages,
      variables: row ?? {},
    }
  })
}

function findNeed(givens: readonly ScenarioSetup[], stages: readonly Stage[]): string | null {
  const part = givens.flatMap((given) => Object.keys(given)).find((name) => name !== 'scenario')
  if (part !== undefined) return `its given sets ${part}`
  return stages.some(({ kind }) => kind === 'restart') ? 'it restarts the sandbox' : null
}

/** Assumed (invented): a scenario has at most 20,000 steps, those of all its examples and of the scenarios before it included. */
const MAX_STEPS = 20_000

function findManySteps(file: ScenarioFile, before: readonly ScenarioFile[]): ScenarioFileIssue[] {
  const countAll = (files: readonly ScenarioFile[], row: Variables) =>
    files.reduce((sum, { scenario }) => sum + countSteps(scenario.steps, row), 0)
  const rows = file.scenario.examples ?? [{}]
  const counts = rows.map((row) => countAll(before, {}) + countAll([file], row))
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total <= MAX_STEPS) return []
  const isEqual = counts.every((count) => count === counts[0])
  const found =
    counts.length === 1
      ? `${total}`
      : isEqual
        ? `${counts.length} examples of ${counts[0]}`
        : `${total} in ${counts.length} examples`
  const message = `at most ${MAX_STEPS} steps are expected, counted for each example; found ${found}`
  return [{ ...file.placeOf(['steps'], true), message }]
}

const countSteps = (steps: readonly Step[], row: Variables): number =>
  steps.reduce((sum, step) => {
    if ('repeat' in step) return sum + timesOf(step.repeat, row) * countSteps(step.steps, row)
    return sum + ('together' in step ? timesOf(step.times, row) * step.together.length : 1)
  }, 0)

/** The variable was checked to be a column of examples. */
export const timesOf = (times: number | string | undefined, variables: Variables): number =>
  Number(times === undefined ? 1 : fillVariables(times, variables))

const formatExample = (row: Variables) =>
  Object.entries(row)
    .map(([column, value]) => `${column}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

interface Prerequisites {
  readonly files: readonly ScenarioFile[]
  /** Why some are missing. */
  readonly issues: readonly ScenarioFileIssue[]
}

/** The scenarios that run before this one (`given.scenario`), first to last. `path` finds circles. */
function findPrerequisites(file: ScenarioFile, find: FindScenario, path: readonly ScenarioFile[]): Prerequisites {
  const name = file.scenario.given?.scenario
  if (name === undefined) return { files: [], issues: [] }
  const refuse = (message: string): Prerequisites => ({
    files: [],
    issues: [{ ...file.placeOf(['given', 'scenario']), message: `given.scenario: ${message}` }],
  })
  let prerequisite: ScenarioFile | undefined
  try {
    prerequisite = find(name, file.file)
  } catch (error) {
    if (error instanceof ScenarioFileError) return { files: [], issues: error.issues }
    throw error
  }
  if (!prerequisite) return refuse(`there is no scenario "${name}" in the folder of this file or in the library`)
  const found = prerequisite
  if (path.some((one) => one.file === found.file)) {
    const names = [...path.map((one) => one.scenario.name), found.scenario.name]
    return refuse(`a scenario must not begin with itself; found the circle ${names.join(' → ')}`)
  }
  if (found.scenario.examples !== undefined)
    return refuse(`a scenario without a table of examples is expected; "${name}" has one`)
  const { files, issues } = findPrerequisites(found, find, [...path, found])
  return { files: [...files, found], issues }
}

/** What is wrong with `given` in a row of examples. */
function findGivenIssues(file: ScenarioFile): ScenarioFileIssue[] {
  const { given } = file.raw as { given?: unknown }
  if (given === undefined) return []
  const issues: ScenarioFileIssue[] = []
  for (const row of file.scenario.examples ?? []) {
    if (issues.length >= MAX_ISSUES) break
    const parsed = parseFilled(given, row)
    if (parsed === undefined || 'given' in parsed) continue
    for (const { path, key, message } of parsed.mistakes)
      issues.push({
        ...file.placeOf(['given', ...path], key),
        message: `${formatPath(['given', ...path])}: ${message}, in the example ${formatExample(row)}`,
      })
  }
  return issues
}

/** undefined if a variable is unknown or an expression is wrong, which is reported for the whole file. */
function parseFilled(given: unknown, row: Variables): ReturnType<typeof parseGiven> | undefined {
  try {
    return parseGiven(fillVariables(given, row))
  } catch (error) {
    if (error instanceof UnknownVariable || error instanceof ExpressionError) return undefined
    throw error
  }
}

function givenFor(file: ScenarioFile, row: Variables | undefined): ScenarioSetup {
  const { given } = file.raw as { given?: unknown }
  const parsed = given === undefined || row === undefined ? undefined : parseFilled(given, row)
  return parsed && 'given' in parsed ? parsed.given : (file.scenario.given ?? {})
}

/** Later scenarios override world, seed and start. The first one decides the clock, for which its steps were written. */
function mergeSetups(givens: readonly ScenarioSetup[]): WorldSetup {
  const { world = 'empty', seed = DEFAULT_SEED, start = DEFAULT_START } = Object.assign({}, ...givens) as ScenarioSetup
  const { clock = 'frozen', pace = 'fast' } = givens[0] ?? {}
  return { kind: world, seed, start: new Date(start).toISOString(), clock: { mode: clock, pace } }
}

function stagesOf(from: ScenarioFile, given: ScenarioSetup, row: Variables): Stage[] {
  const { clock, pace, program, programs, faults } = given
  const hasSettings = [clock, pace, program, programs, faults].some((part) => part !== undefined)
  return [
    ...(hasSettings ? [{ kind: 'given' as const, step: given, path: ['given'], from }] : []),
    ...from.scenario.steps.flatMap((step, i) => expandStep(step, ['steps', i], from, row)),
  ]
}

/** The steps of a `repeat`, once for each round. */
function expandStep(step: Step, path: Path, from: ScenarioFile, row: Variables): Stage[] {
  if (!('repeat' in step)) return [{ kind: kindOf(step), step, path, from }]
  const of = timesOf(step.repeat, row)
  return Array.from({ length: of }, (_, i) => i + 1).flatMap((number) => {
    const variables = step.index === undefined ? {} : { [step.index]: number }
    const round = { number, of, variables }
    return step.steps.map((inner, j) => ({
      kind: kindOf(inner),
      step: inner,
      path: [...path, 'steps', j],
      from,
      round,
    }))
  })
}

const kindOf = (step: PlainStep) => stepNameOf(step) as StepKind
