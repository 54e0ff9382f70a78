import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import program from '../../../resources/program.json' with { type: 'json' }
import type { WorldChanges } from '../../api/contract/control/changes.ts'
import type { AnsweredExchange, ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import type { MethodInput, MethodName } from '../../api/contract/control/methods.ts'
import type { OutgoingRequest, Repairs } from '../../api/contract/control/repairs.ts'
import type { Answer } from '../library/http.ts'
import { type ProgramKey, signRefreshToken } from '../library/sign-token.ts'
import { CommandError, type Input, OptionError, type Run, type Terminal } from './command.ts'
import { dryRun, formatChanges, isDryRun } from './dry-run.ts'
import { bodySchema, type Document, type Field, parseFields, parseJson, toBody, toQuery } from './fields.ts'
import { printJson } from './format.ts'
import { refuse } from './option-values.ts'
import { formatLine, paintStatus } from './paint.ts'
import {
  askControl,
  callControl,
  exchangeControl,
  findSandbox,
  type RunningSandbox,
  reasonOf,
  request,
} from './running.ts'
import { printUndo } from './undo-line.ts'

/** `sandbank call` and `sandbank token`: requests to the API, signed with the key of a Program; `sandbank control`. */

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS']

interface CallValues {
  readonly data?: string
  readonly program?: string
  readonly 'trace-id'?: string
}

interface SentRequest {
  readonly method: string
  /** Below the base URL, with the query. */
  readonly path: string
  readonly trace: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export const call: Run = async (input, terminal) => {
  const { program: wanted, 'trace-id': trace = randomUUID(), ...values } = input.values as CallValues
  const isDry = await isDryRun(input)
  const [verb = '', given = '', ...args] = input.words
  const method = verb.toUpperCase()
  if (!METHODS.includes(method)) refuse('a method and a path, such as GET /customers, are', verb)
  const fields = parseFields(args, 'sandbank call')
  const data = values.data === undefined ? undefined : readJson(values.data, '--data: ')
  if (data !== undefined && fields.length > 0)
    throw new OptionError('--data: one of --data and key=value is expected, not both')
  const hasQuery = ['GET', 'HEAD', 'DELETE', 'OPTIONS'].includes(method)
  const path = toPath(given, hasQuery ? toQuery(fields) : [])
  const sandbox = await findSandbox(input, terminal)
  const signer = await findProgram(sandbox, wanted)
  const body = data ?? (hasQuery || fields.length === 0 ? undefined : await describeBody(sandbox, method, path, fields))
  if (isDry) {
    const { uid: program_uid } = signer
    const outgoing = { program_uid, method: method as OutgoingRequest['method'], path, body }
    const { output, changes } = await dryRun(sandbox, input, 'exchanges.send', outgoing)
    const tried = output as ExchangeDetail
    const repairs = tried.refusal ? await findRepairs(sandbox, { request: outgoing }) : undefined
    if (!input.values.json) return reportTried(tried, { changes, repairs }, terminal)
    const { status, trace_id, response, refusal } = tried
    const hints = readHints(Object.fromEntries(response.headers))
    const answer = toAnswer({ status, trace_id, text: response.body, operation: null, hints, refusal, repairs })
    terminal.print(JSON.stringify({ ...answer, changes }))
    return status < 400 ? 0 : 1
  }
  const isSigningIn = method === 'POST' && /^\/auth(\?|$)/.test(path)
  const headers = {
    authorization: isSigningIn ? signRefreshToken(signer) : await requestToken(sandbox, signer),
    'x-trace-id': trace,
    ...(body !== undefined && { 'content-type': 'application/json' }),
  }
  const outgoing = { method, path, trace, headers, body }
  const started = performance.now()
  const answer = await request(sandbox.api + path, outgoing)
  return report(sandbox, outgoing, answer, performance.now() - started, input, terminal)
}

/** `@FILE` and `@-` (stdin) are read. Only JSON is sent. */
function readJson(given: string, where: string): string {
  const text = given.startsWith('@') ? readSource(given.slice(1)) : given
  parseJson(text, where)
  return text
}

function readSource(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new OptionError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

/** With or without `/api/v1` and the first slash, which Git Bash replaces by the folder of Git. */
function toPath(given: string, query: readonly (readonly [string, string])[]): string {
  if (/^[A-Za-z]:[\\/]/.test(given))
    throw new OptionError(
      `${given}: this shell has replaced the first slash of the path: write it without, such as GET customers`,
    )
  const path = `/${given}`.replace(/^\/+/, '/').replace(/^\/api\/v1(?=\/|\?|$)/, '') || '/'
  if (query.length === 0) return path
  return `${path}${path.includes('?') ? '&' : '?'}${new URLSearchParams(query.map(([key, value]) => [key, value])).toString()}`
}

/** The types come from the interface description of the sandbox itself. */
async function describeBody({ api }: RunningSandbox, method: string, path: string, fields: readonly Field[]) {
  const { status, text } = await request(`${api}/openapi.json`, { method: 'GET' })
  const document = status === 200 ? (JSON.parse(text) as Document) : undefined
  const schema = document && bodySchema(document, method, path.replace(/\?.*$/, ''))
  return JSON.stringify(toBody(fields, schema, document))
}

/** Without a control key only the Program of the demo world is known. */
export async function findProgram(sandbox: RunningSandbox, wanted: string | undefined): Promise<ProgramKey> {
  const programs: readonly ProgramKey[] =
    sandbox.control_key === undefined ? [program] : (await callControl(sandbox, 'programs.list')).programs
  const found = wanted === undefined ? programs[0] : programs.find(({ uid, name }) => uid === wanted || name === wanted)
  if (found) return found
  const known = programs.map(({ uid, name }) => `${uid} (${name})`).join(', ')
  throw new CommandError(`There is no Program ${wanted}: one of ${known} is expected`)
}

async function requestToken({ api }: RunningSandbox, signer: ProgramKey): Promise<string> {
  const headers = { authorization: signRefreshToken(signer), 'x-trace-id': randomUUID() }
  const { status, text } = await request(`${api}/auth`, { method: 'POST', headers })
  if (status === 201 || status === 200) return (JSON.parse(text) as { token: string }).token
  throw new CommandError(`The sandbox refuses a token to Program ${signer.uid} (${status}): ${reasonOf(text)}`)
}

export const token: Run = async (input, terminal) => {
  const sandbox = await findSandbox(input, terminal)
  const { program: wanted } = input.values as CallValues
  const signer = await findProgram(sandbox, wanted)
  const token = await requestToken(sandbox, signer)
  terminal.print(input.values.json ? JSON.stringify({ token, program_uid: signer.uid }) : token)
  return 0
}

async function report(
  sandbox: RunningSandbox,
  sent: SentRequest,
  { status, message, text, headers }: Answer,
  ms: number,
  input: Input,
  terminal: Terminal,
): Promise<0 | 1> {
  const { printError, paintError } = terminal
  const isRefused = status >= 400
  const isChange = !isRefused && !['GET', 'HEAD', 'OPTIONS'].includes(sent.method)
  const exchange = isRefused || isChange ? await findExchange(sandbox, sent, status) : undefined
  const repairs = isRefused && exchange ? await findRepairs(sandbox, { uid: exchange.uid }) : undefined
  const { operation = null, refusal = null } = exchange ?? {}
  const hints = readHints(headers)
  const why = refusal?.cause ?? refusal?.extra ?? reasonOf(text)
  const parts = [paintStatus(paintError, status, `${status} ${message}`), `${sent.method} ${sent.path}`]
  printError(formatLine([...parts, `${ms.toFixed(0)} ms`, `trace id ${sent.trace}`]))
  for (const hint of hints) printError(`${paintError('yellow', 'Hint')}     ${hint}`)
  const answer = { status, trace_id: sent.trace, text, operation, hints, refusal, repairs }
  if (input.values.json) terminal.print(JSON.stringify(toAnswer(answer)))
  else if (text !== '') printJson(text, terminal)
  if (isRefused) printRefusal(why, refusal?.pass, repairs, terminal)
  else printUndo(operation ?? undefined, input, terminal)
  return isRefused ? 1 : 0
}

interface Answered extends Pick<AnsweredExchange, 'status' | 'trace_id' | 'operation' | 'refusal'> {
  readonly text: string
  readonly hints: readonly string[]
  readonly repairs: Repairs | undefined
}

/** What --json prints, also of a request that is only tried. */
const toAnswer = ({ text, status, trace_id, operation, hints, refusal, repairs }: Answered) => ({
  status,
  trace_id,
  body: readBody(text),
  operation,
  hints,
  refusal,
  repairs: repairs?.repairs ?? [],
})

const readHints = (headers: Readonly<Record<string, string | undefined>>) =>
  (headers['x-sandbank-hints'] ?? '').split(', ').filter(Boolean).map(decodeHint)

/** A response that is no JSON stays a text. */
function readBody(text: string): unknown {
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

function printRefusal(
  why: string | undefined,
  pass: string | null | undefined,
  repairs: Repairs | undefined,
  { printError, paintError }: Terminal,
) {
  const [first, second] = repairs?.repairs ?? []
  for (const [label, line] of Object.entries({ Why: why, 'To pass': pass, Repair: first?.say, or: second?.say }))
    if (line) printError(`${paintError('bold', label.padEnd(8))} ${line}`)
}

/** Undefined if it cannot be asked: a refusal is printed all the same. */
const findRepairs = (sandbox: RunningSandbox, input: MethodInput<'exchanges.repair'>): Promise<Repairs | undefined> =>
  callControl(sandbox, 'exchanges.repair', input, REPAIR_MS).catch(() => undefined)
const REPAIR_MS = 5_000

function reportTried(
  { status, method, path, did, response, refusal }: ExchangeDetail,
  { changes, repairs }: { readonly changes: WorldChanges; readonly repairs: Repairs | undefined },
  terminal: Terminal,
): 0 | 1 {
  const { printError, paintError } = terminal
  printError(formatLine([paintStatus(paintError, status), `${method} ${path}`, did]))
  if (response.body !== '') printJson(response.body, terminal)
  if (refusal) printRefusal(refusal.cause ?? refusal.extra ?? reasonOf(response.body), refusal.pass, repairs, terminal)
  printError(`\n${formatChanges(changes)}`)
  return status < 400 ? 0 : 1
}

function decodeHint(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The log knows more than the response tells: of a refusal, and what was changed. */
async function findExchange(
  sandbox: RunningSandbox,
  { trace }: SentRequest,
  status: number,
): Promise<AnsweredExchange | undefined> {
  if (sandbox.control_key === undefined) return undefined
  const { data } = await callControl(sandbox, 'exchanges.list', { trace_id: trace })
  const found = data.find((one) => one.status === status)
  return found && (await callControl(sandbox, 'exchanges.get', { uid: found.uid }))
}

/** `sandbank control METHOD [JSON | key=value...]`. */
export const control: Run = async (input, terminal) => {
  const isDry = await isDryRun(input)
  const [method = '', ...args] = input.words
  if (!/^[a-z_]+(\.[a-z_]+)?$/.test(method))
    refuse('a control method, such as clock.read (docs/control-methods.md lists them), is', method)
  const [first] = args
  const isText = first !== undefined && /^[@{[]/.test(first)
  if (isText && args.length > 1) throw new OptionError('One JSON document is expected, or key=value arguments')
  const text = isText ? readJson(first, '') : '{}'
  const fields = isText ? [] : parseFields(args, 'sandbank control')
  const sandbox = await findSandbox(input, terminal)
  const body = fields.length === 0 ? text : await describeInput(sandbox, method, fields)
  if (!isDry) {
    const { text, operation } = await exchangeControl(sandbox, method, body)
    printJson(text, terminal)
    // These say themselves how to go back.
    if (!method.startsWith('operations.')) printUndo(operation, input, terminal)
    return 0
  }
  const { output, changes } = await dryRun(sandbox, input, method as MethodName, parseJson(body, ''))
  printJson(JSON.stringify(output), terminal)
  terminal.printError(`\n${formatChanges(changes)}`)
  return 0
}

async function describeInput(sandbox: RunningSandbox, method: string, fields: readonly Field[]) {
  const document = JSON.parse(await askControl(sandbox, 'openapi.json')) as Document
  const schema = bodySchema(document, 'POST', `/${method}`)
  return JSON.stringify(toBody(fields, schema, document))
}
