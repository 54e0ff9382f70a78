import { IncomingMessage, ServerResponse } from 'node:http'
import express, {
  type ErrorRequestHandler,
  type Express,
  type Request,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import { type EndpointName, endpoints } from '../contract/endpoints.ts'
import { ApiError } from '../contract/errors.ts'
import { createOpenApi } from '../contract/openapi.ts'
import { toOpenApi30 } from '../contract/openapi-3.0.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import { type RequestContext, RequestHandling, traceIdOf } from './request-handling.ts'
import { createRoute } from './route.ts'

/** Door 1, requests: the Express app of the API. */
export function createApiApp(context: RequestContext): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')

  app.use((req, res, next) => {
    const trace = traceIdOf(req)
    if (trace !== undefined) res.setHeader('x-trace-id', trace)
    next()
  })
  app.use((req, res, next) => {
    const handling = new RequestHandling(context, req, res)
    res.locals.handling = handling
    handling.checkHost()
    next()
  })
  app.get(['/openapi.json', '/api/v1/openapi.json'], (req, res) => sendDocument(req, res, '3.1'))
  app.get(['/openapi-3.0.json', '/api/v1/openapi-3.0.json'], (req, res) => sendDocument(req, res, '3.0'))
  app.get('/health', (_req, res) => void res.json({ status: 'ok' }))
  for (const [name, router] of createRouters()) app.use(`/api/v1/${name}`, router)
  app.use((req) => {
    throw new ApiError('routeNotFound', req.path.startsWith('/api/v1') ? undefined : 'the base URL ends in /api/v1')
  })
  // Express recognizes an error handler by its four parameters.
  app.use(((error, _req, res, _next) => handlingOf(res).refuse(error)) as ErrorRequestHandler)
  return app
}

const handlingOf = (res: Response) => res.locals.handling as RequestHandling

/** One router for each first part of a path, so that a request is matched with few routes. */
function createRouters(): Map<string, Router> {
  const routers = new Map<string, Router>()
  for (const [path, methods] of groupByPath()) {
    const [, name = ''] = path.split('/')
    const router = routers.get(name) ?? express.Router({ caseSensitive: true })
    routers.set(name, router)
    const route = router.route(path.slice(name.length + 1).replaceAll(/\{(\w+)\}/g, ':$1') || '/')
    for (const [name, endpoint] of methods) {
      const endpointRoute = createRoute(name)
      route[endpoint.method.toLowerCase() as 'get']((_req, res) => handlingOf(res).handle(endpointRoute))
    }
    const refuse = refuseMethod(methods.map(([, { method }]) => method))
    // Express would answer HEAD like GET; the contract has no HEAD.
    route.head(refuse)
    route.all(refuse)
  }
  return routers
}

function groupByPath(): Map<string, [EndpointName, Endpoint][]> {
  const paths = new Map<string, [EndpointName, Endpoint][]>()
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][])
    paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), [name, endpoint]])
  return paths
}

const refuseMethod =
  (methods: readonly string[]): RequestHandler =>
  (_req, res) => {
    res.setHeader('allow', methods.join(', '))
    throw new ApiError('methodNotAllowed', `this path takes ${methods.join(', ')}`)
  }

/** A text that occurs once in the documents, where the address of the sandbox belongs. */
const ORIGIN = 'http://origin.invalid'

/** What comes before and after the address. Created on first use; depends on the contract alone. */
const documents = new Map<OpenApiVersion, readonly [Buffer, Buffer]>()
type OpenApiVersion = '3.1' | '3.0'

function createDocument(version: OpenApiVersion): readonly [Buffer, Buffer] {
  const document = createOpenApi(endpoints, ORIGIN)
  const [before = '', after = ''] = JSON.stringify(version === '3.1' ? document : toOpenApi30(document)).split(ORIGIN)
  return [Buffer.from(before), Buffer.from(after)]
}

/** The same Buffers for all responses: a copy for each would fill the memory if clients do not read. */
function sendDocument(req: Request, res: Response, version: OpenApiVersion) {
  const [before, after] = documents.get(version) ?? createDocument(version)
  documents.set(version, [before, after])
  // As the caller has addressed it, which the allowlist has checked.
  const origin = Buffer.from(JSON.stringify(`http://${req.headers.host ?? ''}`).slice(1, -1))
  res.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': before.length + origin.length + after.length,
  })
  res.write(before)
  res.write(origin)
  res.end(after)
}

/**
 * Classes whose instances have Express's prototypes from the start, so that Express need not swap them: swapping is slow and
 * pushes short-lived garbage into V8's old generation. Saves 60 % of GET one Customer (docs/performance.md).
 */
export function createMessageClasses(app: Express) {
  class ApiRequest extends IncomingMessage {}
  class ApiResponse<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(ApiRequest.prototype, app.request)
  app.response = Object.setPrototypeOf(ApiResponse.prototype, app.response)
  return { IncomingMessage: ApiRequest, ServerResponse: ApiResponse }
}
