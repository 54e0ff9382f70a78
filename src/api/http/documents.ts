import type { IncomingMessage, ServerResponse } from 'node:http'
import { compactOpenApi } from '../contract/compact-openapi.ts'
import { controlOpenapi } from '../contract/control/openapi.ts'
import { endpoints } from '../contract/endpoints.ts'
import { createOpenApi } from '../contract/openapi.ts'
import { toOpenApi30 } from '../contract/openapi-3.0.ts'
import { type ExampleName, examples } from '../contract/terms/examples.ts'
import { findExamples } from './examples.ts'
import type { RequestContext } from './request-handling.ts'

/** The OpenAPI documents as they are served: with the address of the sandbox, and with examples of its world. */

/** `?compact`: without examples, and with shared parts. */
interface Form {
  readonly of: 'api' | 'control'
  readonly version: '3.1' | '3.0'
  readonly isCompact: boolean
}

/** Stands for the address in the document. */
const ORIGIN = 'http://origin.invalid'

/** How the address of a document's own server begins, without a host. */
const OWN_SERVER = '"url":"/'

type Value = ExampleName | 'origin' | 'own server'
const valueOfText = new Map<string, Value>([
  [ORIGIN, 'origin'],
  [OWN_SERVER, 'own server'],
  ...Object.entries(examples).map(([name, text]) => [text, name as ExampleName] as const),
])
const REPLACED = new RegExp(`(${[...valueOfText.keys()].join('|')})`)

/** A text of the document, or the name of the value that is between two texts. */
type Piece = Buffer | Value

/** Created on first use; depends on the contract alone. */
const documents = new Map<string, readonly Piece[]>()

function createDocument({ of, version, isCompact }: Form): readonly Piece[] {
  const whole = of === 'api' ? createOpenApi(endpoints, ORIGIN) : controlOpenapi(ORIGIN)
  const document = isCompact ? compactOpenApi(whole) : whole
  const text = JSON.stringify(version === '3.1' ? document : toOpenApi30(document))
  return text.split(REPLACED).map((part) => valueOfText.get(part) ?? Buffer.from(part))
}

/** The same Buffers for all responses: a copy for each would fill the memory if clients do not read. */
export function sendDocument(
  context: RequestContext,
  req: IncomingMessage,
  res: ServerResponse,
  of: Form['of'],
  version: Form['version'],
) {
  const form = { of, version, isCompact: new URL(req.url ?? '', ORIGIN).searchParams.has('compact') }
  const key = JSON.stringify(form)
  const pieces = documents.get(key) ?? createDocument(form)
  documents.set(key, pieces)
  const values = valuesFor(context, req)
  const parts = pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(values.get(piece) ?? '') : piece))
  res.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': parts.reduce((length, part) => length + part.length, 0),
  })
  res.cork()
  for (const part of parts) res.write(part)
  res.end()
}

/** The examples are of the first Program. A caller whom it does not accept gets those of the contract. */
function valuesFor({ store, allowlist, prefix }: RequestContext, req: IncomingMessage): ReadonlyMap<Value, string> {
  // As the caller has addressed it, which the allowlist has checked.
  const origin = JSON.stringify(`http://${req.headers.host ?? ''}${prefix}`).slice(1, -1)
  const [program] = store.world.collections.programs.inOrder()
  const isAccepted = program && allowlist.accepts(req.socket.remoteAddress, program)
  const values = isAccepted
    ? store.read(program.uid, (tx) => findExamples(tx).values)
    : (Object.entries(examples) as [Value, string][])
  return new Map<Value, string>([...values, ['origin', origin], ['own server', `"url":"${prefix}/`]])
}
