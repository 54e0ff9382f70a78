import { IncomingMessage, ServerResponse } from 'node:http'
import express, {
  type ErrorRequestHandler,
  type Express,
  type RequestHandler,
  type Response,
  type Router,
} from 'express'
import { type EndpointName, endpoints } from '../contract/endpoints.ts'
import { ApiError } from '../contract/errors.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import type { Timestamp } from '../contract/terms/primitives.ts'
import type { Allowlist } from './allowlist.ts'
import { answerPage } from './cors.ts'
import { type Docs, sendIndex, sendPage } from './docs.ts'
import { sendDocument } from './documents.ts'
import { errorBody, noSuchWorld, toApiError } from './error-response.ts'
import { type RequestContext, RequestHandling, traceIdOf } from './request-handling.ts'
import { createRoute } from './route.ts'
import { scenarioSchemaDocument } from './scenario-schema.ts'

/** What the handler of the listener sets before it passes a request to an app. */
export interface RequestLocals {
  /** The world that the address names; undefined if there is none of that name. */
  readonly world: RequestContext | undefined
  /** null for the root world. */
  readonly worldName: string | null
}

interface Locals extends RequestLocals {
  handling?: RequestHandling
}

/** What the API needs where no world does. */
interface ApiParts {
  readonly allowlist: Allowlist
  readonly cors: readonly string[]
  readonly docs: Docs
  readonly now: () => Timestamp
}

/** Door 1, requests: the Express app of the API, one for all worlds. */
export function createApiApp({ allowlist, cors, docs, now }: ApiParts): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')

  const routers = createRouters()
  app.use((req, res, next) => {
    const trace = traceIdOf(req)
    if (trace !== undefined) res.setHeader('x-trace-id', trace)
    const locals = localsOf(res)
    const { world, worldName } = locals
    if (world) {
      locals.handling = new RequestHandling(world, req, res)
      locals.handling.checkHost()
    } else allowlist.checkHost(req.headers.host)
    if (answerPage(cors, req, res)) return
    if (!world) throw noSuchWorld(worldName ?? '')
    const router = routers.get(FIRST_PART.exec(req.url)?.[1] ?? '')
    if (router) router(req, res, next)
    else next()
  })
  app.get(['/openapi.json', '/api/v1/openapi.json'], (req, res) => sendDocument(worldOf(res), req, res, 'api', '3.1'))
  app.get(['/openapi-3.0.json', '/api/v1/openapi-3.0.json'], (req, res) =>
    sendDocument(worldOf(res), req, res, 'api', '3.0'),
  )
  app.get('/scenario.schema.json', (_req, res) => void res.type('json').send(scenarioSchemaDocument()))
  app.get('/llms.txt', (_req, res) => sendIndex(docs, res))
  app.get('/docs/:page', (req, res) => sendPage(docs, req.params.page, res))
  app.get(['/health', '/api/v1/health'], (_req, res) => void res.json({ status: 'ok' }))
  app.use((req) => {
    throw new ApiError('routeNotFound', req.path.startsWith('/api/v1') ? undefined : 'the base URL ends in /api/v1')
  })
  // Express recognizes an error handler by its four parameters. Without a world there is no log either.
  app.use(((error, _req, res, _next) => {
    const { handling } = localsOf(res)
    if (handling) return handling.refuse(error)
    const body = errorBody(toApiError(error), now())
    // With a string, Node would send the header with the trace id in the encoding of the body.
    return void res
      .status(body.status)
      .type('json')
      .send(Buffer.from(JSON.stringify(body)))
  }) as ErrorRequestHandler)
  return app
}

/** Of a path after the base URL. */
const FIRST_PART = /^\/api\/v1\/([\w-]+)/

const localsOf = (res: Response) => res.locals as Locals
const worldOf = (res: Response) => localsOf(res).world!
const handlingOf = (res: Response) => localsOf(res).handling!

/** One router for each first part of a path, found by it: Express would try one after the other. */
function createRouters(): Map<string, Router> {
  const routers = new Map<string, Router>()
  for (const [path, methods] of groupByPath()) {
    const [, name = ''] = path.split('/')
    const router = routers.get(name) ?? express.Router({ caseSensitive: true })
    routers.set(name, router)
    const route = router.route(`/api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`)
    for (const [name, endpoint] of methods) {
      const endpointRoute = createRoute(name)
      route[endpoint.method.toLowerCase() as 'get']((_req, res) => handlingOf(res).handle(endpointRoute))
    }
    // HEAD is answered like GET, without the body.
    route.all(refuseMethod(methods.flatMap(([, { method }]) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))))
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
