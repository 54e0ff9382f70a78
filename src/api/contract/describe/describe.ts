import type { DescribedName, Description } from '../control/describe.ts'
import { ApiError } from '../errors.ts'
import { findRoute } from '../paths.ts'
import { allGoals } from '../reach.ts'
import type { Shape } from '../shape.ts'
import { type ExampleName, type ExampleValues, fillExample, namesIn } from '../terms/examples.ts'
import { suggestNames } from '../terms/nearest.ts'
import { type CommandText, createEntries, type Entry, nameOfOperation } from './entries.ts'
import { fieldAt, fieldLines, fitText, prepareFields } from './fields.ts'
import { type DescribedKind, describedKinds, toKey, toPrepared, WORDS_KEY } from './key.ts'

/** What `describe` answers to a name, from the tables of the contract. */

/** A world, from which the values of examples are. */
export interface SampleWorld {
  readonly values: ExampleValues
  /** The values for which it has no record in the state needed. */
  readonly missing: readonly ExampleName[]
}

export interface Reference {
  /** Throws an ApiError for an unknown name. */
  describe(name: string, world?: SampleWorld): Description
  describeMap(): Description
  /** All of it as text, in which `findPrepared` finds what a key stands for. */
  prepare(): string
}

/** `allNames`: where all names are, as the one who asks finds them. */
export function createReference(
  commands: readonly CommandText[] = [],
  allNames = 'describe without a name lists them all',
): Reference {
  const entries = createEntries(commands)
  const found = new Map<string, Entry>()
  /** An earlier kind has the short name, the others theirs with the kind before it. */
  for (const kind of describedKinds)
    for (const entry of entries.filter((one) => one.kind === kind)) {
      found.set(toKey(`${kind} ${entry.name}`), entry)
      if (!found.has(toKey(entry.name))) found.set(toKey(entry.name), entry)
    }
  for (const entry of entries)
    for (const alias of entry.aliases ?? []) if (!found.has(toKey(alias))) found.set(toKey(alias), entry)
  const nameOf = (entry: Entry) => (found.get(toKey(entry.name)) === entry ? entry.name : `${entry.kind} ${entry.name}`)
  const find = (name: string) => found.get(toKey(name)) ?? findOperation(entries, name)
  const tree = describedKinds.map((kind) => ({
    kind,
    names: entries.filter((one) => one.kind === kind).map((one) => ({ name: nameOf(one), summary: one.summary })),
  }))

  function describe(name: string, world?: SampleWorld): Description {
    const entry = find(name)
    if (entry)
      return describeEntry(entry, nameOf(entry), world, (kind, other) => nameOf(found.get(toKey(`${kind} ${other}`))!))
    const field = findField(name, find)
    if (field)
      return {
        kind: field.entry.kind,
        name,
        text: describeField(name, field.shape, field.entry),
        see: [nameOf(field.entry)],
      }
    const kind = kindOf(name)
    if (kind) return describeKind(kind, tree.find((one) => one.kind === kind)!.names)
    throw new ApiError('routeNotFound', explainUnknown(name, tree, allNames))
  }
  const describeMap = () => describeAll(tree.filter(({ names }) => names.length > 0))
  function prepare(): string {
    const prepared = (keys: readonly string[], description: Description) =>
      toPrepared(keys, { description, in_world: namesIn(description.text).length > 0 })
    const keysOf = (entry: Entry) => [...found].flatMap(([key, one]) => (one === entry ? [key] : []))
    const goals = allGoals().flatMap(({ goal, unreached }) => (unreached === undefined ? [goal] : []))
    const inputs = entries.flatMap(({ name, input }) => {
      const shape = input?.()
      return shape ? [[name, prepareFields(shape, name.split('.')[0])] as const] : []
    })
    return [
      prepared([''], describeMap()),
      toPrepared([WORDS_KEY], { goals, inputs: Object.fromEntries(inputs) }),
      ...entries.map((entry) => prepared(keysOf(entry), describe(nameOf(entry)))),
      ...describeMap().see.map((name) => prepared(keysOfKind(name), describe(name))),
    ].join('')
  }
  return { describe, describeMap, prepare }
}

/** `all events`, `events` and `event`. */
const keysOfKind = (name: string) => [name, name.slice(4), name.slice(4, -1)].map(toKey)
const kindOf = (name: string) => describedKinds.find((kind) => keysOfKind(`all ${kind}s`).includes(toKey(name)))

/** By a path with uids in the place of its parameters. */
function findOperation(entries: readonly Entry[], name: string): Entry | undefined {
  const [method = '', path = ''] = name.trim().split(/\s+/)
  if (name.trim().split(/\s+/).length > 2) return undefined
  let end = path.length
  while (end > 0 && '?/'.includes(path[end - 1]!)) end--
  const found = findRoute(method.toUpperCase(), path.slice(0, end).replace(/^\/?(api\/v1\/)?/, '/'))
  return found && entries.find((entry) => entry.kind === 'operation' && entry.name === nameOfOperation(found.name))
}

/** The last parts of a name may be a field of what the first ones name. */
function findField(name: string, find: (name: string) => Entry | undefined) {
  for (const { index } of [...name.trim().matchAll(/[\s.]+/g)].reverse()) {
    const entry = find(name.slice(0, index))
    const shape = entry?.fields && fieldAt(entry.fields(), name.slice(index).trim().replace(/^\./, ''))
    if (entry && shape) return { entry, shape }
  }
  return undefined
}

const WHOLE = { inner: true, meanings: true, titles: true }

function describeField(name: string, shape: Shape, { rest = '' }: Entry): string {
  const own = name
    .trim()
    .split(/[\s.]+/)
    .at(-1)!
  const field = { ...shape, kind: 'object' as const, fields: [{ name: own, required: false, shape }] }
  return fitText(
    (detail) => ({ lines: [`${name}:`, ...fieldLines(field, { ...WHOLE, meanings: detail.meanings })], end: [] }),
    rest,
  )
}

function describeEntry(
  { kind, write, rest = '', see = () => [] }: Entry,
  name: string,
  world: SampleWorld | undefined,
  canonical: (kind: DescribedKind, name: string) => string,
): Description {
  const text = fitText((detail) => {
    const { lines, end = [] } = write(detail)
    const missing = world?.missing.filter((one) => namesIn(end).includes(one)) ?? []
    const note = missing.map((one) => `This world has no ${one.replaceAll('_', ' ')}: the example names another record`)
    return { lines, end: [...fillExample(end, world?.values), ...note] }
  }, rest)
  return { kind, name, text, see: [...new Set(see().map((one) => canonical(...one)))] }
}

const pluralOf = (kind: DescribedKind, count: number) => (count === 1 ? kind : `${kind}s`)

/** With their summaries, if they fit. */
function describeKind(kind: DescribedKind, names: readonly DescribedName[]): Description {
  const head = `${names.length} ${pluralOf(kind, names.length)}`
  const text = fitText(
    ({ titles }) =>
      titles
        ? { lines: [`${head}:`, ...names.map(({ name, summary }) => `  ${name}  ${summary}`)], end: [] }
        : { lines: wrap(`${head}: ${names.map(({ name }) => name).join(', ')}`), end: [] },
    'describe without a name',
  )
  return { kind: 'map', name: `all ${kind}s`, text, see: names.map(({ name }) => name).slice(0, 20) }
}

type Names = NonNullable<Description['map']>

function describeAll(map: Names): Description {
  const line = ({ kind, names }: Names[number]) =>
    `  all ${kind}s (${names.length}): ${names
      .slice(0, 3)
      .map(({ name }) => name)
      .join(', ')}${names.length > 3 ? ', …' : ''}`
  return {
    kind: 'map',
    name: '',
    text: ['What can be described, by kind:', ...map.map(line)].join('\n'),
    see: map.map(({ kind }) => `all ${kind}s`),
    map,
  }
}

function explainUnknown(given: string, tree: Names, allNames: string) {
  const kind = describedKinds.find((one) => given.startsWith(`${one} `))
  const name = kind ? given.slice(kind.length + 1) : given
  const known = tree.flatMap(({ kind: one, names }) => (kind && one !== kind ? [] : names.map(({ name }) => name)))
  const near = suggestNames(name, known)
  return `there is no ${JSON.stringify(name)} to describe${near.length > 0 ? `: did you mean ${near.join(', ')}?` : `; ${allNames}`}`
}

/** As lines of a hundred characters, cut at blanks. */
const wrap = (text: string): string[] => text.match(/.{1,100}(?:\s|$)/g)?.map((line) => line.trimEnd()) ?? []
