import type { PreparedDescription, PreparedField, PreparedWords } from '../../api/contract/control/describe.ts'
import { WORDS_KEY } from '../../api/contract/describe/key.ts'
import { matchTemplate } from '../../api/contract/path-templates.ts'
import type { Command, Terminal } from './command.ts'
import { readPrepared } from './describe.ts'
import { commands } from './table.ts'

/** What can follow in a line after `call`, `control`, `describe`, `reach` or `trigger`: whole words, also `key=value`. */

const NEWEST = 50
const WITHIN_MS = 1_000

type ListUids = (collection: string) => Promise<readonly string[]>

export async function completeWords(line: string, terminal: Terminal): Promise<readonly string[]> {
  const [, name = '', ...given] = line.trimStart().split(/\s+/)
  const current = given.pop()
  if (current === undefined) return []
  const words = withoutOptions(commands[name as keyof typeof commands], given)
  const found = await candidates(await readNames(terminal), name, words, current, (collection) =>
    listUids(collection, terminal),
  )
  return [...new Set(found)].filter((word) => word.startsWith(current) && word !== current)
}

async function candidates(known: Names, name: string, words: readonly string[], current: string, list: ListUids) {
  const [first = '', second] = words
  const verb = first.toUpperCase()
  const { goals, inputs, operations, methods, others } = known
  const verbs = [...new Set(operations.map((operation) => operation.split(' ')[0]!))]
  if (name === 'reach') return completeGoal(known, words, current, list)
  if (name === 'trigger')
    return goals.flatMap((goal) => (goal.startsWith('event=') ? [goal.slice('event='.length)] : []))
  if (words.length === 0)
    return name === 'call' ? verbs : name === 'control' ? methods : [...verbs, ...methods, ...others]
  if (name === 'control') return completeField(inputs[first], current, list, words)
  if (!verbs.includes(verb)) return []
  const templates = operations.filter((operation) => operation.startsWith(`${verb} `)).map((one) => one.split(' ')[1]!)
  if (second === undefined) return completePath(templates, current, list)
  if (name === 'describe') return []
  const path = `/${second}`.replace(/^\/+(api\/v1\/)?/, '/')
  const template = templates.find((one) => matchTemplate(one, path))
  return completeField(inputs[`${verb} ${template}`], current, list, words)
}

async function readNames(terminal: Terminal) {
  const words = (await readPrepared<PreparedWords>(WORDS_KEY, terminal))!
  const { map = [] } = (await readPrepared<PreparedDescription>('', terminal))!.description
  const of = (kind: string) => map.find((one) => one.kind === kind)!.names.map(({ name }) => name)
  const others = map.flatMap(({ names }) => names.flatMap(({ name }) => (name.includes(' ') ? [] : [name])))
  return { ...words, operations: of('operation'), methods: of('method'), outcomes: of('outcome'), others }
}
type Names = Awaited<ReturnType<typeof readNames>>

/** With the uids of the world where a path has one. Without the first slash, if the word has none. */
async function completePath(templates: readonly string[], current: string, list: ListUids) {
  const slash = current.startsWith('/') || current === '' ? '' : '/'
  const found = await Promise.all(
    templates.map(async (template) => {
      const [before = '', after] = template.split(/\{\w+\}/)
      if (after === undefined) return template
      if (!`${slash}${current}`.startsWith(before)) return before
      return (await list(before.split('/')[1]!)).map((uid) => `${before}${uid}${after}`)
    }),
  )
  return found.flat().map((path) => path.slice(slash.length))
}

async function completeField(
  fields: readonly PreparedField[] = [],
  current: string,
  list: ListUids,
  words: readonly string[],
) {
  const [, key] = /^([\w.]+)=/.exec(current) ?? []
  if (key === undefined) return fields.map(({ path }) => `${path}=`)
  const { values, collection = givenCollection(key, words) } = fields.find(({ path }) => path === key) ?? {}
  return (values ?? (collection ? await list(collection) : [])).map((value) => `${key}=${value}`)
}

/** `uid` names a record of the collection that the same input names. */
function givenCollection(key: string, words: readonly string[]): string | undefined {
  const before = /^(.*\.)?uid$/.exec(key) ? `${key.slice(0, -'uid'.length)}collection=` : undefined
  return before && words.find((word) => word.startsWith(before))?.slice(before.length)
}

/** The parts of a goal: first what is to be reached, then what is to be true of it. */
async function completeGoal({ goals, outcomes }: Names, words: readonly string[], current: string, list: ListUids) {
  const [, key] = /^([\w.]+)=/.exec(current) ?? []
  if (words.length === 0) return key === undefined ? goals.map((goal) => goal.replace(/=.*/, '=')) : goals
  if (key === undefined) return ['code=', 'type=', 'customer=', 'account=', 'uid=']
  const of = { customer: 'customers', account: 'synthetic_accounts', uid: words[0]!.replace(/[.=].*/, '') }[key]
  const codes = outcomes.filter((name) => /^[A-Z]+\d+$/.test(name))
  const values = key === 'code' ? codes : of === undefined ? [] : await list(of)
  return values.map((value) => `${key}=${value}`)
}

/** Of the newest records of the running sandbox. Without one there are none. */
async function listUids(collection: string, terminal: Terminal): Promise<readonly string[]> {
  const { callControl, findSandbox } = await import('./running.ts')
  const input = { values: {}, given: {}, action: '', words: [] }
  try {
    const sandbox = await findSandbox(input, { ...terminal, printError: () => {} })
    const asked = { collection, limit: NEWEST, fields: ['uid'] }
    const { data } = await callControl(sandbox, 'records.list', asked, WITHIN_MS)
    return data.map(({ uid }) => String(uid))
  } catch {
    return []
  }
}

/** Without the options of the command and their values. */
function withoutOptions({ options }: Command, given: readonly string[]): string[] {
  const takesValue = (flag = '') =>
    Object.entries(options).some(
      ([name, { short, value }]) => value !== undefined && [`--${name}`, `-${short}`].includes(flag),
    )
  return given.filter((word, at) => !word.startsWith('-') && !takesValue(given[at - 1]))
}
