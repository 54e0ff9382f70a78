import type { IncomingMessage, ServerResponse } from 'node:http'
import { endpoints } from '../contract/endpoints.ts'
import { createOpenApi } from '../contract/openapi.ts'
import { toOpenApi30 } from '../contract/openapi-3.0.ts'
import { type ExampleName, examples } from '../contract/terms/examples.ts'
import { findExamples } from './examples.ts'
import type { RequestContext } from './request-handling.ts'

/** The OpenAPI documents as they are served: with the address of the sandbox, and with examples of its world. */

type OpenApiVersion = '3.1' | '3.0'

/** Stands for the address in the document. */
const ORIGIN = 'http://origin.invalid'

/** The address of the document's own server, without a host. */
const OWN_SERVER = '"url":"/api/v1"'

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
const documents = new Map<OpenApiVersion, readonly Piece[]>()

function createDocument(version: OpenApiVersion): readonly Piece[] {
  const document = createOpenApi(endpoints, ORIGIN)
  const text = JSON.stringify(version === '3.1' ? document : toOpenApi30(document))
  return text.split(REPLACED).map((part) => valueOfText.get(part) ?? Buffer.from(part))
}

/** The same Buffers for all responses: a copy for each would fill the memory if clients do not read. */
export function sendDocument(
  context: RequestContext,
  req: IncomingMessage,
  res: ServerResponse,
  version: OpenApiVersion,
) {
  const pieces = documents.get(version) ?? createDocument(version)
  documents.set(version, pieces)
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
  return new Map<Value, string>([...values, ['origin', origin], ['own server', `"url":"${prefix}/api/v1"`]])
}
