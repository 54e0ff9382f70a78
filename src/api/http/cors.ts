import type { IncomingMessage, ServerResponse } from 'node:http'

/** `--cors`: pages of these origins may call the API, and no others. Tokens are in a header, so no credentials are allowed. */

/** What a page may read of the headers of a response. */
const EXPOSED = ['x-trace-id', 'x-sandbank-hints', 'retry-after'].join(', ')
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'].join(', ')
const HEADERS = ['authorization', 'content-type', 'x-trace-id'].join(', ')
const MAX_AGE_S = 600

/** Sets the headers of CORS. Returns true if the request was a preflight, which is answered. */
export function answerPage(origins: readonly string[], req: IncomingMessage, res: ServerResponse): boolean {
  if (origins.length === 0) return false
  res.setHeader('vary', 'Origin')
  const { origin } = req.headers
  if (origin === undefined || !origins.includes(origin)) return false
  res.setHeader('access-control-allow-origin', origin)
  res.setHeader('access-control-expose-headers', EXPOSED)
  if (req.method !== 'OPTIONS' || req.headers['access-control-request-method'] === undefined) return false
  res.setHeader('access-control-allow-methods', METHODS)
  res.setHeader('access-control-allow-headers', req.headers['access-control-request-headers'] ?? HEADERS)
  res.setHeader('access-control-max-age', String(MAX_AGE_S))
  // Browsers ask for it before a page of the internet may call this machine.
  if (req.headers['access-control-request-private-network'] !== undefined)
    res.setHeader('access-control-allow-private-network', 'true')
  res.writeHead(204).end()
  return true
}
