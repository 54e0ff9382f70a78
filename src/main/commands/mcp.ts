import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import {
  type CallToolResult,
  createMcpHandler,
  McpServer,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { z } from 'zod'
import { LENGTH_HEADER, MASKED_HEADER, OPERATION_HEADER } from '../../api/contract/control/client.ts'
import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'
import { type MethodInput, type MethodName, type MethodOutput, onlyReads } from '../../api/contract/control/methods.ts'
import type { OutgoingRequest } from '../../api/contract/control/repairs.ts'
import { explainUnusablePort } from '../ports.ts'
import { CommandError, type Run } from './command.ts'
import { formatChanges } from './dry-run.ts'
import { findSandbox, type RunningSandbox, sendControl } from './running.ts'

/**
 * `sandbank mcp`: the running sandbox as tools for coding agents. Each tool calls a control method; what it means and whether it is
 * allowed, the sandbox decides.
 */

export type Mode = 'full' | 'read-only' | 'try-only'

interface McpOptions {
  readonly mode: Mode
  readonly version: string
  /** Looks again for each call, as the sandbox may be started later, or anew. */
  readonly find: () => Promise<RunningSandbox>
}

interface McpValues {
  readonly 'read-only'?: boolean
  readonly 'try-only'?: boolean
  readonly http?: number
}

export const mcp: Run = async (input, terminal) => {
  const { 'read-only': reads, 'try-only': tries, http } = input.values as McpValues
  const find = () => findSandbox(input, terminal)
  const options = { mode: reads ? 'read-only' : tries ? 'try-only' : 'full', version: terminal.version, find } as const
  if (http === undefined) {
    serveStdio(() => createTools(options))
    return undefined
  }
  const problem = await explainUnusablePort(http, '127.0.0.1')
  if (problem !== undefined) throw new CommandError(problem)
  const server = serveHttp(options).listen(http, '127.0.0.1')
  await once(server, 'listening')
  terminal.print(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`)
  return undefined
}

// ── Answers ──────────────────────────────────────────────────────────────────────────────────────────────────────────

/** 2,000 tokens of four characters, less the line of the undo. */
const MAX_ANSWER = 7_900
const FOR_THE_REST = 300

/** Of one kind of names, so that all kinds fit into an answer. */
const MOST_NAMES = 2_000

/** `rest`: where it can be read in full. `length`: of all, if the text is only its beginning. */
export function cut(text: string, rest: string, length = text.length): string {
  if (length <= MAX_ANSWER) return text
  const shown = text.slice(0, MAX_ANSWER - FOR_THE_REST).toWellFormed()
  return `${shown}\n[Cut: ${shown.length} of ${length} characters. ${rest.slice(0, FOR_THE_REST - 60)}]`
}

const LESS = 'Ask for less: limit, offset, fields or a filter.'

const toUndo = (operation: string | number | undefined) =>
  operation === undefined ? '' : `\nundo: control operations.undo {"operation":${operation}}`

const operationOf = (sent: object) => (sent as MethodOutput<'exchanges.send'>).operation ?? undefined

/** Without keys and tokens. `most`: how many characters are needed. */
const send = (sandbox: RunningSandbox, method: string, input: unknown, most: number | 'all') =>
  sendControl(sandbox, encodeURIComponent(method), JSON.stringify(input ?? {}), {
    headers: { [MASKED_HEADER]: String(most) },
  })

const callMethod = async <N extends MethodName>(sandbox: RunningSandbox, method: N, input: unknown) =>
  JSON.parse((await send(sandbox, method, input, 'all')).text) as MethodOutput<N>

/** Its answer as JSON, cut; and what undoes it, if it has changed anything. */
async function showMethod(sandbox: RunningSandbox, { method, input }: Step, hint = '') {
  const { text, headers } = await send(sandbox, method, input, MAX_ANSWER)
  const rest = `The rest: sandbank control ${method} '${JSON.stringify(input ?? {})}'${hint}`
  return {
    text: cut(text, rest, Number(headers[LENGTH_HEADER] ?? text.length)),
    undo: toUndo(headers[OPERATION_HEADER]),
  }
}

/** A refusal of the API has its reason and what would be accepted in place of the body, which says less. */
async function formatExchange(sandbox: RunningSandbox, sent: ExchangeDetail, repairs: RepairInput): Promise<string> {
  const { uid, status, method, path, did, response, refusal } = sent
  const head = `${status} ${method} ${path} (${uid})`
  if (!refusal) return [`${head}: ${did}`, response.body].filter(Boolean).join('\n')
  const { code, title, cause, extra, detail, pass } = refusal
  const lines = [
    `${head}: ${code} ${title}`,
    `why: ${cause ?? [detail, extra].filter(Boolean).join(' ')}`,
    pass && `to pass: ${pass}`,
  ]
  return [...lines, ...(await findRepairs(sandbox, repairs))].filter(Boolean).join('\n')
}

type RepairInput = MethodInput<'exchanges.repair'> | undefined
const MOST_REPAIRS = 2

async function findRepairs(sandbox: RunningSandbox, input: RepairInput): Promise<readonly string[]> {
  if (!input) return []
  try {
    const { repairs } = await callMethod(sandbox, 'exchanges.repair', input)
    return repairs.slice(0, MOST_REPAIRS).map(({ say }) => `repair: ${say}`)
  } catch (error) {
    // The refusal is an answer without them.
    if (error instanceof CommandError) return []
    throw error
  }
}

// ── Tools ────────────────────────────────────────────────────────────────────────────────────────────────────────────

const Verb = z.enum(['GET', 'POST', 'PUT', 'DELETE'])
const Request = z.object({
  method: Verb,
  path: z.string().describe('/customers?limit=5'),
  body: z.record(z.string(), z.unknown()).optional(),
  program_uid: z.string().optional(),
})
const Control = z.object({ method: z.string(), input: z.record(z.string(), z.unknown()).optional() })
const AMOUNT = 'Such as 2bd (business days), 24h, "monday 9:00", next (task), idle'

interface Step {
  readonly method: MethodName
  readonly input: unknown
}

const sends = ({ body, ...request }: z.infer<typeof Request>): Step => ({
  method: 'exchanges.send',
  input: { ...request, ...(body && { body: JSON.stringify(body) }) },
})
const advances = (text: string): Step => ({ method: 'clock.advance', input: { text } })

async function tryCalls(sandbox: RunningSandbox, calls: readonly Step[]) {
  const { answers, changes } = await callMethod(sandbox, 'worlds.try', { calls })
  const texts = await Promise.all(
    answers.map(async ({ method, output, refused }, at) => {
      const [error] = refused?.errors ?? []
      if (error) return cut(`${method} is refused: ${error.extra ?? error.detail}`, LESS)
      if (method !== 'exchanges.send') return cut(JSON.stringify(output), LESS)
      // Later ones are refused in a world that is gone.
      const repairs = at === 0 ? { request: calls[at]!.input as OutgoingRequest } : undefined
      return cut(await formatExchange(sandbox, output as ExchangeDetail, repairs), LESS)
    }),
  )
  const isRefused = answers.some(({ output, refused }) => refused || isRefusal(output))
  return { text: cut([formatChanges(changes), ...texts].join('\n\n'), 'Try fewer calls.'), isRefused }
}

const isRefusal = (output: unknown) => Boolean((output as Partial<ExchangeDetail> | null)?.refusal)

/** Every tool and resource of one connection. */
export function createTools({ mode, version, find }: McpOptions): McpServer {
  const server = new McpServer(
    { name: 'sandbank', version },
    {
      instructions:
        'A payments platform on this machine. Begin with describe. Read why a request is refused; advance the clock to let payments settle.',
    },
  )

  const offer = <I extends z.ZodObject>(
    name: string,
    description: string,
    inputSchema: I,
    work: (sandbox: RunningSandbox, input: z.infer<I>) => Promise<string>,
  ) =>
    server.registerTool(name, { description, inputSchema }, (async (input: z.infer<I>): Promise<CallToolResult> => {
      try {
        return { content: [{ type: 'text', text: await work(await find(), input) }] }
      } catch (error) {
        if (!(error instanceof CommandError)) throw error
        return { content: [{ type: 'text', text: cut(error.message, LESS) }], isError: true }
      }
    }) as never)

  const change = async (sandbox: RunningSandbox, { method, input }: Step) => {
    if (mode === 'try-only' && !onlyReads(method)) {
      const { text, isRefused } = await tryCalls(sandbox, [{ method, input }])
      if (isRefused) throw new CommandError(text)
      return text
    }
    if (method !== 'exchanges.send') {
      const { text, undo } = await showMethod(sandbox, { method, input }, `. ${LESS}`)
      return text + undo
    }
    const sent = await callMethod(sandbox, method, input)
    const { uid, status } = sent
    const rest = `The rest: sandbank control exchanges.get uid=${uid}`
    const text = cut(await formatExchange(sandbox, sent, { uid }), rest) + toUndo(operationOf(sent))
    if (status >= 400) throw new CommandError(text)
    return text
  }

  const only = mode === 'try-only' ? ' It is tried in a copy: nothing changes' : ''
  offer(
    'describe',
    'What a name means: POST /transfers, clock.advance, transactions, 3006, transactions.status; without a name, all names',
    z.object({ name: z.string().optional() }),
    async (sandbox, input) => {
      const { text, see, map } = await callMethod(sandbox, 'describe', input)
      const names = map?.map(({ kind, names: all }) => {
        const line = `${kind}: ${all.map((one) => one.name).join(', ')}`
        return line.length > MOST_NAMES ? `${kind}: describe "all ${kind}s"` : line
      })
      return cut((names ?? [text, `see: ${see.join(', ')}`]).join('\n'), 'Describe a name.')
    },
  )
  offer(
    'call',
    `A request to the API below /api/v1, signed.${mode === 'read-only' ? ' Only GET' : only}`,
    mode === 'read-only' ? Request.omit({ body: true }).extend({ method: z.literal('GET') }) : Request,
    (sandbox, input) => change(sandbox, sends(input)),
  )
  offer(
    'control',
    `A control method, such as moves.make, tasks.list, scenarios.run.${mode === 'read-only' ? ' Only those that read' : only}`,
    Control,
    async (sandbox, { method, input }) => {
      if (mode !== 'read-only' || onlyReads(method)) return change(sandbox, { method: method as MethodName, input })
      throw new CommandError(
        `${method} may change something, and this server only reads: use try, or start sandbank mcp without --read-only`,
      )
    },
  )
  if (mode !== 'read-only')
    offer(
      'advance',
      `Advance the clock, and run what is due.${only}`,
      z.object({ by: z.string().describe(AMOUNT) }),
      (sandbox, { by }) => change(sandbox, advances(by)),
    )
  offer(
    'why',
    'Why a record, or a field of it, is as it is',
    z.object({ collection: z.string().describe('transactions'), uid: z.string(), field: z.string().optional() }),
    (sandbox, input) => change(sandbox, { method: 'why', input }),
  )
  offer(
    'try',
    'What requests, control methods and then an advance would do: in a copy, nothing changes',
    z.object({
      calls: z.array(z.union([Request, Control])).describe('With a path: a request'),
      advance: z.string().optional().describe(AMOUNT),
    }),
    async (sandbox, { calls, advance }) => {
      const steps = calls.map((one) => ('path' in one ? sends(one) : (one as Step)))
      return (await tryCalls(sandbox, advance === undefined ? steps : [...steps, advances(advance)])).text
    },
  )

  const show = (name: string, uri: string, description: string, toStep: (parts: Record<string, unknown>) => Step) =>
    server.registerResource(
      name,
      new ResourceTemplate(uri, { list: undefined }),
      { description },
      async (url, parts) => {
        try {
          const { text } = await showMethod(await find(), toStep(parts))
          return { contents: [{ uri: url.href, mimeType: 'application/json', text }] }
        } catch (error) {
          const { status, message } = error as Partial<CommandError>
          throw status === 404 ? new ResourceNotFoundError(url.href, message) : error
        }
      },
    )
  show('record', 'sandbank://records/{collection}/{uid}', 'A record', (input) => ({ method: 'records.get', input }))
  show('timeline', 'sandbank://timelines/{uid}', 'What happened to a Customer', ({ uid }) => ({
    method: 'records.story',
    input: { uid, limit: 20 },
  }))
  return server
}

// ── HTTP ─────────────────────────────────────────────────────────────────────────────────────────────────────────────

const MAX_BODY = 4 << 20

export function serveHttp(options: McpOptions) {
  const handler = createMcpHandler(() => createTools(options), { maxRequestBodySize: MAX_BODY })
  return createServer(async (req, res) => {
    try {
      const { control_key } = await options.find()
      if (!isKey(req.headers.authorization, control_key))
        return refuse(
          res,
          401,
          'The control key of the sandbox is missing or wrong: Authorization: Bearer KEY is expected',
        )
      if (!/^\/mcp(\?|$)/.test(req.url ?? '')) return refuse(res, 404, `${req.url}: /mcp is expected`)
      await answer(res, await handler.fetch(await toRequest(req)))
    } catch (error) {
      refuse(res, 503, (error as Error).message)
    }
  })
}

function refuse(res: ServerResponse, status: number, message: string) {
  if (!res.headersSent) res.writeHead(status, { 'content-type': 'application/json' })
  res.end(JSON.stringify({ error: message }))
}

function isKey(given: string | undefined, key: string | undefined): boolean {
  const [, text = ''] = /^bearer +(.+)$/i.exec(given ?? '') ?? []
  const [a, b] = [Buffer.from(text), Buffer.from(key ?? '')]
  return key !== undefined && a.length === b.length && timingSafeEqual(a, b)
}

async function toRequest(req: IncomingMessage): Promise<globalThis.Request> {
  const headers = new Headers(
    Object.entries(req.headersDistinct).flatMap(([name, all]) =>
      (all ?? []).map((one) => [name, one] as [string, string]),
    ),
  )
  const body = req.method === 'POST' ? await buffer(req) : null
  return new globalThis.Request(`http://127.0.0.1${req.url}`, { method: req.method ?? 'GET', headers, body })
}

async function answer(res: ServerResponse, response: Response) {
  res.writeHead(response.status, Object.fromEntries(response.headers))
  for await (const part of response.body ?? []) res.write(part)
  res.end()
}
