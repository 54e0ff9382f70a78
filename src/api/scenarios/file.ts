import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  stringify,
  visit,
} from 'yaml'
import type { Place, ScenarioMistake } from '../contract/scenario-results.ts'
import { type Path, parseScenario, SCHEMA_LINE, type Scenario } from '../contract/scenarios.ts'
import { escapeControls } from '../contract/terms/texts.ts'
import { runToEnd, type Steps } from '../store/steps.ts'
import { ExpressionError } from './expressions.ts'
import { fillVariables, UnknownVariable, type Variables } from './variables.ts'

/** Reads and writes scenario files (YAML or JSON), and knows the line and column of each part. */

export interface ScenarioFileIssue extends Place {
  readonly message: string
}

/** The file is no valid scenario. Has all issues, each with line and column. */
export class ScenarioFileError extends Error {
  override name = 'ScenarioFileError'
  readonly issues: readonly ScenarioFileIssue[]
  constructor(issues: readonly ScenarioFileIssue[]) {
    const inOrder = [...issues].sort((a, b) => a.line - b.line || a.column - b.column)
    super(inOrder.map(formatIssue).join('\n'))
    this.issues = inOrder
  }
}

export const formatIssue = ({ file, line, column, message }: ScenarioMistake): string =>
  escapeControls(`${[file, line, column].filter((part) => part !== undefined).join(':')}: ${message}`)

export interface ScenarioFile {
  readonly file: string
  /** As in the file, before variables are filled in. */
  readonly raw: unknown
  /** If there are issues: only its valid parts, and its steps as they are in the file. */
  readonly scenario: Scenario
  /** What is wrong with its keys and types; the rest is found by `createPlans`. */
  readonly issues: readonly ScenarioFileIssue[]
  /** True if there is an issue at the path or below it; of a step with inner steps, only of its own keys. */
  isInvalid(path: Path, innerKey?: string): boolean
  /** The place of the value at a path, or of its key. If there is none, of the nearest part around it. */
  placeOf(path: Path, key?: boolean): Place
}

const MAX_LENGTH = 1_000_000
/** Parsing takes about 5 µs for each token; a line such as `name: value` has five. */
const MAX_TOKENS = 60_000
/** Of so many issues at most a scenario is told; the search for more ends. */
export const MAX_ISSUES = 100
/** YAML aliases can make a small file expand to a huge one. */
const MAX_ALIASES = 100

export const readScenario = (text: string, file: string): ScenarioFile => runToEnd(readScenarioInSteps(text, file))

/** The text is read in steps of 500 tokens; then each part of the checks is one step. */
export function* readScenarioInSteps(text: string, file: string): Steps<ScenarioFile> {
  const begin = { file, line: 1, column: 1 }
  if (text.length > MAX_LENGTH)
    throw new ScenarioFileError([{ ...begin, message: `a scenario of at most ${MAX_LENGTH} characters is expected` }])
  const lines = new LineCounter()
  const document = yield* parseYaml(text, lines, begin)
  yield
  const place = (offset: number): Place => placeAt(lines, offset, begin)
  const isTooDeep = document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')
  if (isTooDeep) throw new ScenarioFileError([{ ...begin, message: TOO_DEEP }])
  const yamlIssues = [...document.errors, ...document.warnings].slice(0, MAX_ISSUES).map(({ pos, code, message }) => ({
    ...place(pos[0]),
    message: YAML_MESSAGES[code] ?? `this cannot be read: ${message}`,
  }))
  if (yamlIssues.length > 0) throw new ScenarioFileError(yamlIssues)

  const placeOf = (path: Path, key = false) => place(offsetOf(document, path, key))
  const valueIssues = findValueIssues(document)
  yield
  const issues: ScenarioFileIssue[] = valueIssues
    .slice(0, MAX_ISSUES)
    .map(({ offset, message }) => ({ ...place(offset), message }))
  if (valueIssues.some(({ isUnresolved }) => isUnresolved)) throw new ScenarioFileError(issues)
  const raw = toPlainValue(document, begin)
  yield
  if (raw === null)
    throw new ScenarioFileError([
      { ...begin, message: 'the file is empty; a scenario with name and steps is expected' },
    ])
  const result = parseScenario(withFirstExample(raw))
  const mistakes = 'mistakes' in result ? result.mistakes.slice(0, MAX_ISSUES) : []
  // A number with a leading 0, for example, is also no text.
  const reported = new Set(issues.map(({ line, column }) => `${line}:${column}`))
  for (const { path, key, message } of mistakes) {
    const at = placeOf(path, key)
    if (reported.has(`${at.line}:${at.column}`)) continue
    issues.push({ ...at, message: `${path.length === 0 ? '' : `${formatPath(path)}: `}${message}` })
  }
  if (!isObject(raw)) throw new ScenarioFileError(issues)
  const isInvalid = (path: Path, innerKey?: string) =>
    mistakes.some(
      (mistake) =>
        path.every((key, i) => mistake.path[i] === key) &&
        !(mistake.path[path.length] === innerKey && typeof mistake.path[path.length + 1] === 'number'),
    )
  return { file, raw, scenario: 'scenario' in result ? result.scenario : validParts(raw), issues, isInvalid, placeOf }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function validParts({ name, given, examples, steps }: Readonly<Record<string, unknown>>): Scenario {
  const prerequisite = isObject(given) && typeof given.scenario === 'string' ? { scenario: given.scenario } : {}
  return {
    name: typeof name === 'string' ? name : '',
    given: prerequisite,
    ...(Array.isArray(examples) ? { examples: examples.filter(isObject) } : {}),
    steps: (Array.isArray(steps) ? steps : []) as Scenario['steps'],
  }
}

/** `given` may use variables of the examples; it is validated with those of the first row. */
function withFirstExample(raw: unknown): unknown {
  const { given, examples } = (raw ?? {}) as { given?: unknown; examples?: unknown }
  const row: unknown = Array.isArray(examples) ? examples[0] : undefined
  if (given === undefined || typeof row !== 'object' || row === null) return raw
  try {
    return { ...(raw as object), given: fillVariables(given, row as Variables) }
  } catch (error) {
    if (error instanceof UnknownVariable || error instanceof ExpressionError) return raw
    throw error
  }
}

export function* writeScenario({ steps = [], ...scenario }: Scenario): Steps<string> {
  let text = `${SCHEMA_LINE}\n${formatYaml(scenario)}`
  for (const [index, step] of steps.entries()) {
    const list = formatYaml({ steps: [step] })
    text += index === 0 ? list : list.slice('steps:\n'.length)
    yield
  }
  return text
}

const formatYaml = (value: object): string =>
  stringify(value, { version: '1.2', schema: 'core', lineWidth: 120, aliasDuplicateObjects: false })

/** `steps[2].expect.status` */
export const formatPath = (path: Path): string =>
  path.reduce<string>(
    (text, key) => (typeof key === 'number' ? `${text}[${key}]` : text === '' ? key : `${text}.${key}`),
    '',
  )

function* parseYaml(text: string, lines: LineCounter, begin: Place): Steps<Document.Parsed> {
  try {
    const tokens = yield* parseTokens(text, lines, begin)
    // findValueIssues looks for repeated keys: the composer compares each key with all others.
    const options = {
      prettyErrors: false,
      stringKeys: true,
      uniqueKeys: false,
      version: '1.2',
      schema: 'core',
    } as const
    const [document, second] = withoutStacks(() => {
      const [first, next] = new Composer(options).compose(tokens, true, text.length)
      return [first, next]
    })
    if (second)
      throw new ScenarioFileError([
        { ...placeAt(lines, second.range[0], begin), message: YAML_MESSAGES.MULTIPLE_DOCS! },
      ])
    return document as Document.Parsed
  } catch (error) {
    // The composer is recursive, so deep nesting overflows the stack.
    if (error instanceof RangeError) throw new ScenarioFileError([{ ...begin, message: TOO_DEEP }])
    throw error
  }
}

/** A broken file may have 100,000 errors, and the stack of each takes ten times as long as finding it. */
function withoutStacks<T>(work: () => T): T {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

const TOKENS_PER_STEP = 500

/** As `Parser.parse`, with pauses. */
function* parseTokens(text: string, lines: LineCounter, begin: Place): Steps<CST.Token[]> {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  const tokens: CST.Token[] = []
  let count = 0
  for (const lexeme of new Lexer().lex(text)) {
    if (++count > MAX_TOKENS)
      throw new ScenarioFileError([
        { ...begin, message: `a scenario of at most ${MAX_TOKENS} tokens is expected, which is about 12000 lines` },
      ])
    for (const token of parser.next(lexeme)) tokens.push(token)
    if (count % TOKENS_PER_STEP === 0) yield
  }
  for (const token of parser.end()) tokens.push(token)
  return tokens
}

function placeAt(lines: LineCounter, offset: number, { file }: Place): Place {
  const { line, col } = lines.linePos(offset)
  return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
}

const TOO_DEEP = 'it is nested too deeply to be read'
const YAML_MESSAGES: Readonly<Record<string, string>> = {
  MULTIPLE_DOCS: 'one document is expected; a second one begins here',
  TAB_AS_INDENT: 'blanks are expected for indentation; found a tab',
  NON_STRING_KEY: 'text is expected as a key',
}

interface ValueIssue {
  readonly offset: number
  readonly message: string
  /** The value cannot be read. */
  readonly isUnresolved?: true
}

/** Finds repeated keys, numbers that would silently change, such as account numbers with a leading 0, and aliases without an anchor. */
function findValueIssues(document: Document.Parsed): ValueIssue[] {
  const found: ValueIssue[] = []
  /** An anchor is before its aliases. Not Alias.resolve, which visits the document for each alias. */
  const anchors = new Set<string>()
  const learn = ({ anchor }: { anchor?: string }) => {
    if (anchor !== undefined) anchors.add(anchor)
  }
  visit(document, {
    Seq(_key, node) {
      learn(node)
    },
    Map(_key, node) {
      learn(node)
      const { items } = node
      const keys = new Set<unknown>()
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key
        if (keys.has(name))
          found.push({ offset: startOf(key) ?? 0, message: 'a key is expected once; this one was there already' })
        keys.add(name)
      }
    },
    Alias(_key, node) {
      if (anchors.has(node.source)) return
      const message = `an anchor &${node.source} is expected before the alias *${node.source}`
      found.push({ offset: node.range?.[0] ?? 0, message, isUnresolved: true })
    },
    Scalar(_key, node) {
      learn(node)
      const { value, source, range } = node
      if (typeof value !== 'number' || source === undefined) return
      const offset = range?.[0] ?? 0
      if (/^[-+]?0\d/.test(source))
        found.push({ offset, message: `a number does not begin with 0; text is expected in quotes, as in "${source}"` })
      else if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        found.push({
          offset,
          message: `this number cannot be represented exactly; text is expected in quotes, as in "${source}"`,
        })
    },
  })
  return found
}

/** Expands aliases. Refuses an anchor that contains itself. */
function toPlainValue(document: Document.Parsed, begin: Place): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MAX_ALIASES }) ?? null)) as unknown
  } catch (error) {
    if (!(error instanceof ReferenceError || error instanceof TypeError || error instanceof RangeError)) throw error
    const message =
      error instanceof ReferenceError
        ? `at most ${MAX_ALIASES} aliases are expected`
        : 'an anchor that does not contain itself is expected'
    throw new ScenarioFileError([{ ...begin, message }])
  }
}

/** The offset of the value or key at a path, or of the last part of it that exists. */
function offsetOf(document: Document.Parsed, path: Path, key: boolean): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  path.forEach((step, i) => {
    const container = isAlias(node) ? node.resolve(document) : node
    const isLast = i === path.length - 1
    if (isMap(container)) {
      const pair = container.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
      node = pair?.value
      offset = (isLast && key ? startOf(pair?.key) : (startOf(node) ?? startOf(pair?.key))) ?? offset
    } else if (isSeq(container)) {
      node = container.items[Number(step)]
      offset = startOf(node) ?? offset
    } else node = undefined
  })
  return offset
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)
