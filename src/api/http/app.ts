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
import { answerPage } from './cors.ts'
import { sendDocument } from './documents.ts'
import { type RequestContext, RequestHandling, traceIdOf } from './request-handling.ts'
import { createRoute } from './route.ts'
import { scenarioSchemaDocument } from './scenario-schema.ts'

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
    if (!answerPage(context.cors, req, res)) next()
  })
  app.get(['/openapi.json', '/api/v1/openapi.json'], (req, res) => sendDocument(context, req, res, '3.1'))
  app.get(['/openapi-3.0.json', '/api/v1/openapi-3.0.json'], (req, res) => sendDocument(context, req, res, '3.0'))
  app.get('/scenario.schema.json', (_req, res) => void res.type('json').send(scenarioSchemaDocument()))
  app.get(['/health', '/api/v1/health'], (_req, res) => void res.json({ status: 'ok' }))
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
