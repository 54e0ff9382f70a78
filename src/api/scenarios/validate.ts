import { type MethodName, methodNames, methods } from '../contract/control/methods.ts'
import { ApiError } from '../contract/errors.ts'
import { isCallable } from '../contract/scenario-schema.ts'
import {
  type ExpectedEvent,
  findIssues,
  MAX_TOGETHER,
  type Path,
  type ScenarioIssue,
  type Step,
  type StepName,
  stepNameOf,
} from '../contract/scenarios.ts'
import { parseDuration, parseInstant, readAmountOfTime } from '../contract/terms/amounts-of-time.ts'
import { newYorkInstant } from '../contract/terms/new-york.ts'
import { listEventFields } from '../contract/webhooks.ts'
import { decisionsFor } from '../domain/resources/decisions.ts'
import { type CollectionName, collectionNames } from '../store/world.ts'
import { ExpressionError } from './expressions.ts'
import { formatPath, MAX_ISSUES, type ScenarioFile, type ScenarioFileIssue } from './file.ts'
import { findMatcherIssues, PATH_EXPECTED } from './match.ts'
import { parsePath } from './paths.ts'
import { advanceInput, type StepOf, untilStates } from './steps.ts'
import { BUILT_IN, findReferences, type Reference, type Variables } from './variables.ts'

/** Finds what is wrong with a scenario without running it. */

/** The known variables, with the values that they may have; without values, if only a run can tell. */
type KnownVariables = Map<string, readonly unknown[] | undefined>

export const builtInVariables = (): KnownVariables =>
  new Map(Object.entries(BUILT_IN).map(([name, sample]) => [name, [sample]]))

/**
 * `known` are the variables of the scenarios before; those of this one are added. `areAllKnown`: false if a scenario before
 * cannot be read, so that its variables are not reported as unknown.
 */
export function findScenarioIssues(
  file: ScenarioFile,
  known: KnownVariables,
  areAllKnown: boolean,
): ScenarioFileIssue[] {
  const { examples, steps } = file.scenario
  const raw = file.raw as { given?: unknown }
  const columns = [...new Set((examples ?? []).flatMap((row) => Object.keys(row)))]
  const valuesOfColumns: KnownVariables = new Map(
    columns.map((column) => [column, (examples ?? []).slice(0, MAX_ROWS).map((row) => row[column])]),
  )
  const issues: ScenarioIssue[] = [
    ...findExampleIssues(examples ?? [], columns),
    ...findVariableIssues(raw.given, ['given'], valuesOfColumns),
  ]
  for (const [column, values] of valuesOfColumns) known.set(column, values)
  issues.push(...findStepsIssues(steps, ['steps'], { known, columns: new Set(columns), file }))
  const found = issues
    .filter(({ isUnknownVariable }) => areAllKnown || !isUnknownVariable)
    .slice(0, MAX_ISSUES)
    .map(({ path, key, message }) => ({ ...file.placeOf(path, key), message: `${formatPath(path)}: ${message}` }))
  return [...file.issues, ...found]
}

// ── Variables ────────────────────────────────────────────────────────────────────────────────────────────────────

const isBuiltIn = (name: string) => Object.hasOwn(BUILT_IN, name)
const builtInMessage = (name: string) => `another name is expected: $${name} is a built-in variable`

function findExampleIssues(rows: readonly Variables[], columns: readonly string[]): ScenarioIssue[] {
  const issues: ScenarioIssue[] = []
  for (const [i, row] of rows.entries())
    for (const column of columns) {
      if (issues.length >= MAX_ISSUES) return issues
      if (!Object.hasOwn(row, column))
        issues.push({ path: ['examples', i], message: `the column ${column} is expected, which other rows have` })
      else if (isBuiltIn(column))
        issues.push({ path: ['examples', i, column], key: true, message: builtInMessage(column) })
    }
  return issues
}

const findVariableIssues = (value: unknown, path: Path, known: KnownVariables): ScenarioIssue[] =>
  findReferences(value, path)
    .flatMap(({ path: at, key, ...reference }) =>
      explainReference(reference, known).map((issue) => ({ path: at, ...(key ? { key } : {}), ...issue })),
    )
    .slice(0, MAX_ISSUES)

function explainReference(
  { names, malformed, evaluate }: Omit<Reference, 'path'>,
  known: KnownVariables,
): Pick<ScenarioIssue, 'message' | 'isUnknownVariable'>[] {
  if (malformed !== undefined) return [{ message: malformed }]
  const unknown = names.filter((name) => !known.has(name))
  if (unknown.length > 0)
    return unknown.map((name) => ({
      message: `there is no variable $${name} yet; ${listNames(known)} known here`,
      isUnknownVariable: true,
    }))
  const values = names.map((name) => known.get(name))
  if (!evaluate || values.includes(undefined)) return []
  const rows = Math.max(...values.map((column) => column!.length))
  for (let row = 0; row < rows; row++) {
    // A built-in variable has one sample, a column a value for each row.
    const variables = Object.fromEntries(names.map((name, i) => [name, values[i]![row] ?? values[i]![0]]))
    const message = errorOf(() => evaluate(variables))
    if (message !== undefined) return [{ message }]
  }
  return []
}

function errorOf(work: () => unknown): string | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof ExpressionError) return error.message
    throw error
  }
}

/** Expressions are tried with so many rows of examples; the others are tried when they run. */
const MAX_ROWS = 100
const MAX_NAMES = 50

/** `$a, $b are`, with at most so many names. */
function listNames(known: KnownVariables): string {
  const shown = [...known.keys()].slice(0, MAX_NAMES).map((name) => `$${name}`)
  const more = known.size > MAX_NAMES ? ` and ${known.size - MAX_NAMES} more` : ''
  return `${shown.join(', ') || 'none'}${more} ${known.size === 1 ? 'is' : 'are'}`
}

/** Its value is unknown until the scenario runs. */
const hasVariable = (value: unknown) => findReferences(value).length > 0

// ── Steps ────────────────────────────────────────────────────────────────────────────────────────────────────────

interface Scope {
  readonly known: KnownVariables
  /** Their values are known before the run. */
  readonly columns: ReadonlySet<string>
  readonly file: ScenarioFile
}

function findStepsIssues(steps: readonly Step[], path: Path, scope: Scope): ScenarioIssue[] {
  const issues: ScenarioIssue[] = []
  for (const [i, step] of steps.entries()) {
    if (issues.length >= MAX_ISSUES) break
    issues.push(...findStepIssues(step, [...path, i], scope))
  }
  return issues
}

const innerKeys: Readonly<Partial<Record<StepName, string>>> = { repeat: 'steps', together: 'together' }

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** The variables that an invalid step captures, so that its mistake does not make others. */
function capturedIn(step: unknown): string[] {
  if (!isObject(step)) return []
  const { capture, steps, together } = step as Readonly<Record<string, unknown>>
  const inner = [steps, together].flatMap((list) => (Array.isArray(list) ? list.flatMap(capturedIn) : []))
  return [...(isObject(capture) ? Object.keys(capture) : []), ...inner]
}

/** Adds the captured variables to the known ones. */
function findStepIssues(step: Step, path: Path, scope: Scope): ScenarioIssue[] {
  const { known, file } = scope
  const name = isObject(step) ? stepNameOf(step) : undefined
  if (name === undefined || file.isInvalid(path, innerKeys[name])) {
    for (const variable of capturedIn(step)) known.set(variable, undefined)
    return []
  }
  if (name === 'repeat') {
    const { steps, ...rest } = step as StepOf<'repeat'>
    return [
      ...findVariableIssues(rest, path, known),
      ...findTimesIssues(rest.repeat, [...path, 'repeat'], scope),
      ...findIssuesWithIndex(rest.index, path, known, () => findStepsIssues(steps, [...path, 'steps'], scope)),
    ]
  }
  if (name === 'together') {
    const { together, ...rest } = step as StepOf<'together'>
    // A request cannot use what another one captures.
    const findInner = () => {
      const before = new Map(known)
      return together.flatMap((request, i) => {
        const inner = { ...scope, known: new Map(before) }
        const found = findStepIssues(request, [...path, 'together', i], inner)
        for (const [variable, values] of inner.known) known.set(variable, values)
        return found
      })
    }
    return [
      ...findVariableIssues(rest, path, known),
      ...findTimesIssues(rest.times, [...path, 'times'], scope),
      ...findManyRequests(together.length, rest.times, path),
      ...Object.entries({ ...rest.expect?.statuses }).flatMap(([status, part]) =>
        findMatcherIssues(part, [...path, 'expect', 'statuses', status]),
      ),
      ...findIssuesWithIndex(rest.index, path, known, findInner),
    ]
  }
  const capture = 'capture' in step ? Object.entries(step.capture ?? {}) : []
  const captureIssues = capture
    .filter(([, from]) => !parsePath(from))
    .map(([variable]) => ({ path: [...path, 'capture', variable], message: PATH_EXPECTED }))
  const expectations = name === 'expect' ? undefined : (step as StepOf<'request'>).expect
  const issues = [
    ...findVariableIssues(step, path, known),
    ...issueFinders[name](step as never, path),
    ...findResponseIssues(expectations, [...path, 'expect']),
    ...captureIssues,
    ...capture.flatMap(([variable]) => findReservedName(variable, [...path, 'capture', variable], known)),
  ]
  for (const [variable] of capture) if (known.get(variable) !== INDEX) known.set(variable, undefined)
  return issues
}

/** The values of an index variable, for expressions. */
const INDEX: readonly unknown[] = [1]

function findReservedName(name: string, path: Path, known: KnownVariables): ScenarioIssue[] {
  if (isBuiltIn(name)) return [{ path, key: true, message: builtInMessage(name) }]
  if (known.get(name) !== INDEX) return []
  return [{ path, key: true, message: `another name is expected: $${name} counts the rounds` }]
}

/** Finds issues of inner steps, which know the index variable. */
function findIssuesWithIndex(
  index: string | undefined,
  path: Path,
  known: KnownVariables,
  find: () => ScenarioIssue[],
): ScenarioIssue[] {
  if (index === undefined) return find()
  if (known.has(index)) {
    const message = `another name is expected: there is a variable $${index} already`
    return [{ path: [...path, 'index'], message }, ...find()]
  }
  known.set(index, INDEX)
  const issues = find()
  known.delete(index)
  return issues
}

/** The number of steps must be known before the run. */
function findTimesIssues(times: number | string | undefined, path: Path, { known, columns }: Scope): ScenarioIssue[] {
  const [name] = findReferences(times).flatMap(({ names }) => names)
  if (name === undefined || !known.has(name)) return []
  const values = columns.has(name) ? (known.get(name) ?? [undefined]) : [undefined]
  const wrong = values.find((value) => !Number.isInteger(value) || (value as number) < 1)
  if (wrong === undefined && !values.includes(undefined) && times === `$${name}`) return []
  const found = values.includes(undefined) || times !== `$${name}` ? String(times) : JSON.stringify(wrong)
  return [{ path, message: `a whole number from 1 on is expected, or a column of examples; found ${found}` }]
}

function findManyRequests(requests: number, times: number | string = 1, path: Path): ScenarioIssue[] {
  const all = requests * (typeof times === 'number' ? times : 1)
  if (all <= MAX_TOGETHER) return []
  return [
    {
      path: [...path, 'together'],
      key: true,
      message: `at most ${MAX_TOGETHER} requests at once are expected; found ${all}`,
    },
  ]
}

const findResponseIssues = (expect: Readonly<Record<string, unknown>> | undefined, path: Path): ScenarioIssue[] =>
  Object.entries(expect ?? {}).flatMap(([name, part]) =>
    findMatcherIssues(part, [...path, name], { names: name === 'body' || name === 'headers' }),
  )

/** In New York: with it, each text that is an amount at some time is one. */
const MIDNIGHT = newYorkInstant('2026-11-23', 0)

const issueFinders: {
  readonly [N in Exclude<StepName, 'repeat' | 'together'>]: (step: StepOf<N>, path: Path) => ScenarioIssue[]
} = {
  request: () => [],
  inject: () => [],
  restart: () => [],
  advance: ({ advance }, path) => {
    const at = [...path, 'advance']
    const states = untilStates(advance)
    if (states) return findStateIssues(states, [...at, 'until'])
    if (hasVariable(advance)) return []
    const input = advanceInput(advance) as Readonly<Record<string, unknown>>
    if (typeof input.text === 'string') return findTimeIssue(() => readAmountOfTime(String(input.text), MIDNIGHT), at)
    if (typeof input.by === 'string') return findTimeIssue(() => parseDuration(String(input.by)), at)
    if (typeof input.to === 'string') return findTimeIssue(() => parseInstant(String(input.to)), [...at, 'to'])
    return findInputIssues('clock.advance', input, at)
  },
  decide: ({ decide: { record, move } }, path) => {
    const [collection = ''] = record.split('/')
    if (hasVariable(collection)) return []
    const unknown = refuseUnknownCollection(collection, [...path, 'decide', 'record'])
    if (unknown.length > 0 || hasVariable(move)) return unknown
    const { names } = decisionsFor(collection as CollectionName)
    if (names.includes(move)) return []
    const message = `there is no move "${move}" of ${collection}; one of ${names.join(', ') || 'none'} is expected`
    return [{ path: [...path, 'decide', 'move'], message }]
  },
  operator: ({ operator: { call, input } }, path) => {
    if (hasVariable(call)) return []
    const names = methodNames.filter(isCallable)
    if (!names.includes(call as MethodName)) {
      const message = `there is no method "${call}"; one of ${names.join(', ')} is expected`
      return [{ path: [...path, 'operator', 'call'], message }]
    }
    if (hasVariable(input)) return []
    return findInputIssues(call as MethodName, input ?? {}, [...path, 'operator', 'input'])
  },
  expect: ({ expect: { balances, records, states, counts, events, clock } }, path) => [
    ...Object.keys({ ...records }).flatMap((key) => refuseUnknownRecord(key, [...path, 'expect', 'records', key])),
    ...findStateIssues({ ...states }, [...path, 'expect', 'states']),
    ...Object.entries({ ...records }).flatMap(([key, part]) =>
      findMatcherIssues(part, [...path, 'expect', 'records', key]),
    ),
    ...Object.entries({ balances, counts }).flatMap(([name, group]) =>
      Object.entries({ ...group }).flatMap(([key, part]) => findMatcherIssues(part, [...path, 'expect', name, key])),
    ),
    ...(events ?? []).flatMap((event, i) => findEventIssues(event, [...path, 'expect', 'events', i])),
    ...findMatcherIssues(clock, [...path, 'expect', 'clock'], { names: true }),
  ],
}

/** A detail that no such event has is a mistake. Unknown if the event is a variable. */
function findEventIssues({ event, details = {}, times }: ExpectedEvent, path: Path): ScenarioIssue[] {
  const fields = listEventFields(event)
  const isKnown = (key: string) => {
    const [field] = parsePath(key) ?? []
    return fields.length === 0 || hasVariable(key) || typeof field !== 'string' || fields.includes(field)
  }
  return [
    ...Object.keys(details)
      .filter((key) => !isKnown(key))
      .map((key) => ({
        path: [...path, 'details', key],
        key: true as const,
        message: `there is no "${key}" in the details of ${event}; one of ${fields.join(', ')} is expected`,
      })),
    ...findMatcherIssues(details, [...path, 'details'], { names: true }),
    ...findMatcherIssues(times, [...path, 'times']),
  ]
}

function refuseUnknownCollection(collection: string, path: Path, key?: true): ScenarioIssue[] {
  if ((collectionNames as readonly string[]).includes(collection)) return []
  const message = `there is no collection "${collection}"; one of ${collectionNames.join(', ')} is expected`
  return [{ path, ...(key ? { key } : {}), message }]
}

/** Records with their statuses. */
const findStateIssues = (states: Readonly<Record<string, unknown>>, path: Path): ScenarioIssue[] =>
  Object.entries(states).flatMap(([key, part]) => [
    ...refuseUnknownRecord(key, [...path, key]),
    ...findMatcherIssues(part, [...path, key]),
  ])

function refuseUnknownRecord(record: string, path: Path): ScenarioIssue[] {
  const [collection = ''] = record.split('/')
  return hasVariable(collection) ? [] : refuseUnknownCollection(collection, path, true)
}

const findInputIssues = (name: MethodName, input: unknown, path: Path): ScenarioIssue[] =>
  findIssues(methods[name].input, input).map((issue) => ({ ...issue, path: [...path, ...issue.path] }))

/** The schema takes any text; the parser knows what is wrong with it. */
function findTimeIssue(parse: () => unknown, path: Path): ScenarioIssue[] {
  try {
    parse()
    return []
  } catch (error) {
    if (error instanceof ApiError) return [{ path, message: error.extra ?? error.message }]
    throw error
  }
}
