import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'

const pairs = (all: readonly (readonly [string, string])[]) => all.map(([name, value]) => ({ name, value }))
const typeOf = (headers: readonly (readonly [string, string])[]) =>
  headers.find(([name]) => name === 'content-type')?.[1] ?? ''
const UNKNOWN = { cookies: [], headersSize: -1, httpVersion: 'HTTP/1.1' }

/** Requests with their responses as HAR 1.2, oldest first. Tokens are removed, as in the request log; the times are those of this computer. */
export function formatHar(base_url: string, exchanges: readonly ExchangeDetail[]): string {
  const entries = exchanges
    .toReversed()
    .map(({ at, received_at = at, method, path, ms, status, request, response }) => ({
      startedDateTime: received_at,
      time: ms,
      request: {
        ...UNKNOWN,
        method,
        url: `${base_url}${path}`,
        headers: pairs(request.headers),
        queryString: pairs([...new URLSearchParams(path.split('?')[1] ?? '')]),
        bodySize: request.body.length,
        ...(request.body === '' ? {} : { postData: { mimeType: typeOf(request.headers), text: request.body } }),
      },
      response: {
        ...UNKNOWN,
        status,
        statusText: '',
        redirectURL: '',
        headers: pairs(response.headers),
        bodySize: response.body.length,
        content: { size: response.body.length, mimeType: typeOf(response.headers), text: response.body },
      },
      cache: {},
      timings: { send: 0, wait: ms, receive: 0 },
    }))
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'Sandbank', version: '1' }, entries } }, null, 2)
}
