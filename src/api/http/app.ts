import { IncomingMessage, ServerResponse } from 'node:http'
import express, { type ErrorRequestHandler, type Express, type RequestHandler, type Router } from 'express'
import { type EndpointName, endpoints } from '../contract/endpoints.ts'
import { ApiError } from '../contract/errors.ts'
import { openapi } from '../contract/openapi.ts'
import type { Endpoint } from '../contract/terms/endpoint.ts'
import { passes, type RequestContext, routeOf, traceIdOf, visitOf, visits } from './route.ts'

/** Door 1: every request, top to bottom. */
export function createApiApp(door: RequestContext): Express {
  const app = express()
  app.disable('x-powered-by')
  app.disable('etag')
  app.enable('case sensitive routing')

  const visit = visits(door)
  // A router for each resource: of fifty paths only its own few are tried.
  const resources = new Map<string, Router>()
  for (const [path, methods] of byPath()) {
    const [, name = ''] = path.split('/')
    const resource = resources.get(name) ?? express.Router({ caseSensitive: true })
    resources.set(name, resource)
    const route = resource.route(path.replaceAll(/\{(\w+)\}/g, ':$1'))
    for (const [name, endpoint] of methods)
      route[endpoint.method.toLowerCase() as 'get'](passes(routeOf(name, endpoint)))
    const refused = methodNotAllowed(methods.map(([, { method }]) => method))
    // Express would answer HEAD as GET; the contract has no HEAD.
    route.head(refused)
    route.all(refused)
  }
  // Nearly all requests go to a resource: they pass nothing else first.
  app.use((req, res, next) => {
    const trace = traceIdOf(req)
    if (trace !== undefined) res.setHeader('x-trace-id', trace)
    const { url } = req
    const resource = url.startsWith(BASE) ? resources.get(firstPart(url)) : undefined
    if (!resource) return next()
    req.url = url.slice(BASE.length - 1)
    visit(req, res, () =>
      resource(req, res, (error?: unknown) => {
        req.url = url
        next(error)
      }),
    )
  })
  app.get(['/openapi.json', '/api/v1/openapi.json'], (_req, res) => void res.type('json').send(document()))
  app.get('/health', (_req, res) => void res.json({ status: 'ok' }))
  app.use((req, res, next) => (res.locals.visit ? next() : visit(req, res, next)))
  app.use((req) => {
    throw new ApiError('routeNotFound', req.path.startsWith('/api/v1') ? undefined : 'the base URL ends in /api/v1')
  })
  app.use(refuses)
  return app
}

/**
 * Express puts prototypes of its own behind each request and answer that come to it. To change the prototype of what
 * there is already is slow, and V8 then lets a third of it grow old that nobody needs any more. What is made with them from
 * the beginning Express finds as it wants it: it is answered three times as fast.
 */
export function createMessageClasses(app: Express) {
  class Message extends IncomingMessage {}
  class Answer<R extends IncomingMessage> extends ServerResponse<R> {}
  app.request = Object.setPrototypeOf(Message.prototype, app.request)
  app.response = Object.setPrototypeOf(Answer.prototype, app.response)
  return { IncomingMessage: Message, ServerResponse: Answer }
}

const BASE = '/api/v1/'
const firstPart = (url: string) => /^[^/?]*/.exec(url.slice(BASE.length))![0]

/** Printed when somebody first asks, and once: it depends on the contract alone. */
let printed: string | undefined
const document = () => (printed ??= JSON.stringify(openapi(endpoints)))

function byPath(): Map<string, [EndpointName, Endpoint][]> {
  const paths = new Map<string, [EndpointName, Endpoint][]>()
  for (const [name, endpoint] of Object.entries(endpoints) as [EndpointName, Endpoint][])
    paths.set(endpoint.path, [...(paths.get(endpoint.path) ?? []), [name, endpoint]])
  return paths
}

const methodNotAllowed =
  (methods: readonly string[]): RequestHandler =>
  (_req, res) => {
    res.setHeader('allow', methods.join(', '))
    throw new ApiError('methodNotAllowed', `this path takes ${methods.join(', ')}`)
  }

// Express knows an error handler by its four parameters.
const refuses: ErrorRequestHandler = (error, _req, res, _next) => visitOf(res).refuse(error)
