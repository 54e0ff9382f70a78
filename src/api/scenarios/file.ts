import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  stringify,
  visit,
} from 'yaml'
import type { Place } from '../contract/scenario-results.ts'
import { type Path, parseScenario, type Scenario } from '../contract/scenarios.ts'
import { fillVariables, UnknownVariable, type Variables } from './variables.ts'

/** The text of a scenario's file → the scenario, and where each part of it stands. yaml lives here; it reads JSON too. */

/** One thing that is wrong with a file. */
export interface ScenarioFileIssue extends Place {
  readonly message: string
}

/** A file that is no scenario: everything that is wrong with it, each with its place. */
export class ScenarioFileError extends Error {
  override name = 'ScenarioTrouble'
  readonly troubles: readonly ScenarioFileIssue[]
  constructor(troubles: readonly ScenarioFileIssue[]) {
    const inOrder = [...troubles].sort((a, b) => a.line - b.line || a.column - b.column)
    super(inOrder.map(lineOf).join('\n'))
    this.troubles = inOrder
  }
}

export const lineOf = ({ file, line, column, message }: ScenarioFileIssue): string =>
  `${file}:${line}:${column}: ${message}`

export interface ScenarioFile {
  readonly file: string
  /** As it was written. */
  readonly raw: unknown
  readonly scenario: Scenario
  /** Of what stands at a path; of its key where a key is meant, or where nothing stands there. */
  placeOf(path: Path, key?: boolean): Place
}

const LONGEST = 1_000_000
/** Far more than anybody writes by hand, and far less than what makes a small file a large one. */
const MOST_ALIASES = 100

export function readScenario(text: string, file: string): ScenarioFile {
  const begin = { file, line: 1, column: 1 }
  if (text.length > LONGEST)
    throw new ScenarioFileError([{ ...begin, message: `a scenario of at most ${LONGEST} characters is expected` }])
  const lines = new LineCounter()
  const document = parsed(text, lines, begin)
  const place = (offset: number): Place => {
    const { line, col } = lines.linePos(offset)
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) }
  }
  const isTooDeep = document.errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION')
  if (isTooDeep) throw new ScenarioFileError([{ ...begin, message: TOO_DEEP }])
  const troubles = [...document.errors, ...document.warnings].map(({ pos, code, message }) => ({
    ...place(pos[0]),
    message: OUR_WORDS[code] ?? `this cannot be read: ${message}`,
  }))
  if (troubles.length > 0) throw new ScenarioFileError(troubles)

  const placeOf = (path: Path, key = false) => place(offsetOf(document, path, key))
  const misread = misreadIn(document)
  if (misread.length > 0)
    throw new ScenarioFileError(misread.map(({ offset, message }) => ({ ...place(offset), message })))
  const raw = plain(document, begin)
  if (raw === null)
    throw new ScenarioFileError([
      { ...begin, message: 'the file is empty; a scenario with name and steps is expected' },
    ])
  const result = parseScenario(withFirstExample(raw))
  if ('mistakes' in result)
    throw new ScenarioFileError(
      result.mistakes.map(({ path, key, message }) => ({
        ...placeOf(path, key),
        message: `${where(path)}${message}`,
      })),
    )
  return { file, raw, scenario: result.scenario, placeOf }
}

/** `given` takes values of the table of examples: it is judged with those of the first row. */
function withFirstExample(raw: unknown): unknown {
  const { given, examples } = (raw ?? {}) as { given?: unknown; examples?: unknown }
  const row: unknown = Array.isArray(examples) ? examples[0] : undefined
  if (given === undefined || typeof row !== 'object' || row === null) return raw
  try {
    return { ...(raw as object), given: fillVariables(given, row as Variables) }
  } catch (error) {
    if (error instanceof UnknownVariable) return raw
    throw error
  }
}

/** The text of a file that reads as this scenario. */
export const writeScenario = (scenario: Scenario): string =>
  stringify(scenario, { version: '1.2', schema: 'core', lineWidth: 120, aliasDuplicateObjects: false })

/** `steps[2].expect.status`, for people. */
export const spelled = (path: Path): string =>
  path.reduce<string>(
    (said, key) => (typeof key === 'number' ? `${said}[${key}]` : said === '' ? key : `${said}.${key}`),
    '',
  )
const where = (path: Path) => (path.length === 0 ? '' : `${spelled(path)}: `)

function parsed(text: string, lineCounter: LineCounter, begin: Place): Document.Parsed {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, stringKeys: true, version: '1.2', schema: 'core' })
  } catch (error) {
    // Brackets within brackets, without end: the parser goes as deep as they do.
    if (error instanceof RangeError) throw new ScenarioFileError([{ ...begin, message: TOO_DEEP }])
    throw error
  }
}

const TOO_DEEP = 'it is nested too deeply to be read'
const OUR_WORDS: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'a key is expected once; this one was there already',
  MULTIPLE_DOCS: 'one document is expected; a second one begins here',
  TAB_AS_INDENT: 'blanks are expected for indentation; found a tab',
  NON_STRING_KEY: 'text is expected as a key',
}

/**
 * Numbers that would become others without a word: account numbers lose what they begin with, long ones their end. And
 * aliases of nothing.
 */
function misreadIn(document: Document.Parsed): { offset: number; message: string }[] {
  const found: { offset: number; message: string }[] = []
  let aliases = 0
  visit(document, {
    Alias(_key, node) {
      // Looking for an anchor takes time; more aliases than these are refused anyway.
      if (++aliases > MOST_ALIASES || node.resolve(document)) return
      const message = `an anchor &${node.source} is expected before the alias *${node.source}`
      found.push({ offset: node.range?.[0] ?? 0, message })
    },
    Scalar(_key, { value, source, range }) {
      if (typeof value !== 'number' || source === undefined) return
      const offset = range?.[0] ?? 0
      if (/^[-+]?0\d/.test(source))
        found.push({ offset, message: `a number does not begin with 0; text is expected in quotes, as in "${source}"` })
      else if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
        found.push({
          offset,
          message: `this number cannot be kept exactly; text is expected in quotes, as in "${source}"`,
        })
    },
  })
  return found
}

/** A tree of its own: what aliases stand for is written out, and nothing holds itself. */
function plain(document: Document.Parsed, begin: Place): unknown {
  try {
    return JSON.parse(JSON.stringify(document.toJS({ maxAliasCount: MOST_ALIASES }) ?? null)) as unknown
  } catch (error) {
    if (!(error instanceof ReferenceError || error instanceof TypeError || error instanceof RangeError)) throw error
    const message =
      error instanceof ReferenceError
        ? `at most ${MOST_ALIASES} aliases are expected`
        : 'an anchor that does not hold itself is expected'
    throw new ScenarioFileError([{ ...begin, message }])
  }
}

/** Where a path leads, or the last part of it that is there. */
function offsetOf(document: Document.Parsed, path: Path, key: boolean): number {
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  path.forEach((step, i) => {
    const inside = isAlias(node) ? node.resolve(document) : node
    const isLast = i === path.length - 1
    if (isMap(inside)) {
      const pair = inside.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step))
      node = pair?.value
      offset = (isLast && key ? startOf(pair?.key) : (startOf(node) ?? startOf(pair?.key))) ?? offset
    } else if (isSeq(inside)) {
      node = inside.items[Number(step)]
      offset = startOf(node) ?? offset
    } else node = undefined
  })
  return offset
}

const startOf = (node: unknown): number | undefined => (isNode(node) ? node.range?.[0] : undefined)
