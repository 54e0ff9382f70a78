import { type MethodName, methodNames, methods } from '../contract/control.ts'
import { ApiError } from '../contract/errors.ts'
import type { StepKind } from '../contract/scenario-results.ts'
import {
  findIssues as mistakesInInput,
  type Path,
  parseGiven,
  type ScenarioIssue,
  type ScenarioSetup,
  type Step,
  type StepName,
  stepNameOf,
} from '../contract/scenarios.ts'
import { parseDuration, parseInstant } from '../contract/terms/durations.ts'
import { decisionsFor } from '../domain/resources/decisions.ts'
import type { WorldSetup } from '../replay/client.ts'
import { type CollectionName, collectionNames } from '../store/world.ts'
import { type ScenarioFile, ScenarioFileError, type ScenarioFileIssue, spelled } from './file.ts'
import { mistakesIn, NO_PATH } from './match.ts'
import { parsePath } from './paths.ts'
import { BUILT_IN, fillVariables, type Variables, variablesUsed } from './variables.ts'

/** A scenario's file → what is to be run: one plan for each row of its examples, with the steps that it begins with. */

/** A step of the file, or what its `given` sets in a world that there is already. */
export interface Stage {
  readonly kind: StepKind
  readonly step: Step | ScenarioSetup
  readonly path: Path
  readonly from: ScenarioFile
}

export interface Plan {
  readonly name: string
  /** The row of examples: `code: R01, ending: 9901`. */
  readonly example: string | null
  readonly file: string
  /** The world that it expects. */
  readonly beginning: WorldSetup
  readonly stages: readonly Stage[]
  readonly variables: Variables
}

/** Another scenario by its name: a file beside this one, or of the library. It throws ScenarioTrouble when it is none. */
export type FindScenario = (name: string, from: string) => ScenarioFile | undefined

/** A Monday, 10:00 in New York: a scenario says the same every day. */
export const USUAL_START = '2026-11-23T15:00:00.000Z'
export const USUAL_SEED = 'sandbank'

/** Throws ScenarioTrouble with everything that can be known to be wrong before the first step. */
export function plansOf(file: ScenarioFile, find: FindScenario): Plan[] {
  const before = chainBefore(file, find, [file])
  const troubles: ScenarioFileIssue[] = []
  const known = new Set<string>(BUILT_IN)
  for (const one of [...before, file]) troubles.push(...troublesOf(one, known))
  if (troubles.length > 0) throw new ScenarioFileError(troubles)

  const { name, examples } = file.scenario
  return (examples ?? [undefined]).map((row) => {
    const givens = [...before.map(({ scenario }) => scenario.given ?? {}), givenOf(file, row)]
    const stages = [...before, file].flatMap((from, i) => stagesOf(from, givens[i]!))
    return {
      name,
      example: row === undefined ? null : exampleText(row),
      file: file.file,
      beginning: beginningOf(givens),
      stages,
      variables: row ?? {},
    }
  })
}

const exampleText = (row: Variables) =>
  Object.entries(row)
    .map(([column, value]) => `${column}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

/** The scenarios that this one begins with, the first one first. */
function chainBefore(file: ScenarioFile, find: FindScenario, ring: readonly ScenarioFile[]): ScenarioFile[] {
  const name = file.scenario.given?.scenario
  if (name === undefined) return []
  const refuse = (message: string): never => {
    throw new ScenarioFileError([{ ...file.placeOf(['given', 'scenario']), message: `given.scenario: ${message}` }])
  }
  const first =
    find(name, file.file) ?? refuse(`there is no scenario "${name}", neither beside this file nor in the library`)
  if (ring.some((one) => one.file === first.file)) {
    const names = [...ring.map((one) => one.scenario.name), first.scenario.name]
    refuse(`a scenario that does not begin with itself is expected; found the ring ${names.join(' → ')}`)
  }
  if (first.scenario.examples !== undefined)
    refuse(`a scenario without a table of examples is expected; "${name}" has one`)
  return [...chainBefore(first, find, [...ring, first]), first]
}

function givenOf(file: ScenarioFile, row: Variables | undefined): ScenarioSetup {
  const { given } = file.raw as { given?: unknown }
  if (given === undefined || row === undefined) return file.scenario.given ?? {}
  const parsed = parseGiven(fillVariables(given, row))
  if ('given' in parsed) return parsed.given
  throw new ScenarioFileError(
    parsed.mistakes.map(({ path, key, message }) => ({
      ...file.placeOf(['given', ...path], key),
      message: `${spelled(['given', ...path])}: ${message}, in the example ${exampleText(row)}`,
    })),
  )
}

/** How the world begins: the last word on it counts. */
function beginningOf(givens: readonly ScenarioSetup[]): WorldSetup {
  const { world = 'empty', seed = USUAL_SEED, start = USUAL_START } = Object.assign({}, ...givens) as ScenarioSetup
  // Later words on the clock come when it is their turn: the first steps keep the time they were written for.
  const { clock = 'frozen', pace = 'fast' } = givens[0] ?? {}
  return { kind: world, seed, start: new Date(start).toISOString(), clock: { mode: clock, pace } }
}

function stagesOf(from: ScenarioFile, given: ScenarioSetup): Stage[] {
  const { clock, pace, program, programs, faults } = given
  const sets = [clock, pace, program, programs, faults].some((part) => part !== undefined)
  return [
    ...(sets ? [{ kind: 'given' as const, step: given, path: ['given'], from }] : []),
    ...from.scenario.steps.map((step, i) => ({ kind: stepNameOf(step)!, step, path: ['steps', i], from })),
  ]
}

// ── What can be known to be wrong ────────────────────────────────────────────────────────────────────────────────

/** `known` grows by what the scenario captures. */
function troublesOf(file: ScenarioFile, known: Set<string>): ScenarioFileIssue[] {
  const { examples, steps } = file.scenario
  const raw = file.raw as { given?: unknown }
  const trouble = ({ path, key, message }: ScenarioIssue): ScenarioFileIssue => ({
    ...file.placeOf(path, key),
    message: `${spelled(path)}: ${message}`,
  })
  const columns = [...new Set((examples ?? []).flatMap((row) => Object.keys(row)))]
  const found: ScenarioIssue[] = [
    ...mistakesOfExamples(examples ?? [], columns),
    ...unknownIn(raw.given, ['given'], new Set(columns)),
  ]
  for (const column of columns) known.add(column)
  steps.forEach((step, i) => {
    const path = ['steps', i]
    found.push(...unknownIn(step, path, known), ...mistakesOfStep(step, path))
    const capture = 'capture' in step ? (step.capture ?? {}) : {}
    for (const name of Object.keys(capture)) {
      if (isBuiltIn(name)) found.push({ path: [...path, 'capture', name], key: true, message: builtIn(name) })
      known.add(name)
    }
  })
  return found.map(trouble)
}

const isBuiltIn = (name: string) => (BUILT_IN as readonly string[]).includes(name)
const builtIn = (name: string) => `another name is expected: $${name} is there by itself`

function mistakesOfExamples(rows: readonly Variables[], columns: readonly string[]): ScenarioIssue[] {
  return rows.flatMap((row, i) =>
    columns.flatMap((column): ScenarioIssue[] => {
      const path = ['examples', i, column]
      if (!Object.hasOwn(row, column))
        return [{ path: ['examples', i], message: `the column ${column} is expected, which other rows have` }]
      return isBuiltIn(column) ? [{ path, key: true, message: builtIn(column) }] : []
    }),
  )
}

const unknownIn = (value: unknown, path: Path, known: ReadonlySet<string>): ScenarioIssue[] =>
  variablesUsed(value, path)
    .filter(({ name }) => !known.has(name))
    .map(({ name, path: at, key }) => ({
      path: at,
      ...(key ? { key } : {}),
      message: `there is no variable $${name} yet; ${[...known].map((one) => `$${one}`).join(', ') || 'none'} ${known.size === 1 ? 'is' : 'are'} known here`,
    }))

const holdsVariable = (value: unknown) => variablesUsed(value).length > 0

function mistakesOfStep(step: Step, path: Path): ScenarioIssue[] {
  const special = mistakesOf[stepNameOf(step)!](step as never, path)
  const capture = 'capture' in step ? Object.entries(step.capture ?? {}) : []
  const paths = capture
    .filter(([, from]) => !parsePath(from))
    .map(([name]) => ({ path: [...path, 'capture', name], message: NO_PATH }))
  return [...special, ...(isExpectStep(step) ? [] : mistakesOfAnswer(step.expect, [...path, 'expect'])), ...paths]
}

const isExpectStep = (step: Step): step is Extract<Step, { expect: { ledger?: unknown } }> & { request?: never } =>
  stepNameOf(step) === 'expect'

const mistakesOfAnswer = (expect: Readonly<Record<string, unknown>> | undefined, path: Path): ScenarioIssue[] =>
  Object.entries(expect ?? {}).flatMap(([name, part]) =>
    mistakesIn(part, [...path, name], { names: name === 'body' || name === 'headers' }),
  )

type StepOf<N extends StepName> = Extract<Step, Readonly<Record<N, unknown>>>

const mistakesOf: { readonly [N in StepName]: (step: StepOf<N>, path: Path) => ScenarioIssue[] } = {
  request: () => [],
  inject: () => [],
  advance: ({ advance }, path) => {
    if (holdsVariable(advance)) return []
    const at = [...path, 'advance']
    const input = advanceInput(advance) as Readonly<Record<string, unknown>>
    if (typeof input.by === 'string') return mistakeOfTime(() => parseDuration(String(input.by)), at)
    if (typeof input.to === 'string') return mistakeOfTime(() => parseInstant(String(input.to)), [...at, 'to'])
    return mistakesOfInput('clock.advance', input, at)
  },
  decide: ({ decide: { record, move } }, path) => {
    const [collection = ''] = record.split('/')
    if (holdsVariable(collection)) return []
    const unknown = unknownCollection(collection, [...path, 'decide', 'record'])
    if (unknown.length > 0 || holdsVariable(move)) return unknown
    const { names } = decisionsFor(collection as CollectionName)
    if (names.includes(move)) return []
    const message = `there is no move "${move}" of ${collection}; one of ${names.join(', ') || 'none'} is expected`
    return [{ path: [...path, 'decide', 'move'], message }]
  },
  operator: ({ operator: { call, input } }, path) => {
    if (holdsVariable(call)) return []
    const names = methodNames.filter((name) => !name.startsWith('scenarios.'))
    if (!names.includes(call as MethodName)) {
      const message = `there is no method "${call}"; one of ${names.join(', ')} is expected`
      return [{ path: [...path, 'operator', 'call'], message }]
    }
    if (holdsVariable(input)) return []
    return mistakesOfInput(call as MethodName, input ?? {}, [...path, 'operator', 'input'])
  },
  expect: ({ expect: { balances, records, states, counts, clock } }, path) => [
    ...Object.keys({ ...records }).flatMap((key) => unknownRecord(key, [...path, 'expect', 'records', key])),
    ...Object.keys({ ...states }).flatMap((key) => unknownRecord(key, [...path, 'expect', 'states', key])),
    ...Object.entries({ ...records }).flatMap(([key, part]) => mistakesIn(part, [...path, 'expect', 'records', key])),
    ...Object.entries({ states, balances, counts }).flatMap(([name, group]) =>
      Object.entries({ ...group }).flatMap(([key, part]) => mistakesIn(part, [...path, 'expect', name, key])),
    ),
    ...mistakesIn(clock, [...path, 'expect', 'clock'], { names: true }),
  ],
}

function unknownCollection(collection: string, path: Path, key?: true): ScenarioIssue[] {
  if ((collectionNames as readonly string[]).includes(collection)) return []
  const message = `there is no collection "${collection}"; one of ${collectionNames.join(', ')} is expected`
  return [{ path, ...(key ? { key } : {}), message }]
}

function unknownRecord(record: string, path: Path): ScenarioIssue[] {
  const [collection = ''] = record.split('/')
  return holdsVariable(collection) ? [] : unknownCollection(collection, path, true)
}

const mistakesOfInput = (name: MethodName, input: unknown, path: Path): ScenarioIssue[] =>
  mistakesInInput(methods[name].input, input).map((mistake) => ({ ...mistake, path: [...path, ...mistake.path] }))

/** A time in the words of its rules, which the schema does not know. */
function mistakeOfTime(judge: () => unknown, path: Path): ScenarioIssue[] {
  try {
    judge()
    return []
  } catch (error) {
    if (error instanceof ApiError) return [{ path, message: error.extra ?? error.message }]
    throw error
  }
}

/** What `clock.advance` takes. */
export function advanceInput(advance: StepOf<'advance'>['advance']): unknown {
  if (typeof advance !== 'string') return advance
  return advance === 'next' || advance === 'idle' ? { until: advance } : { by: advance }
}
