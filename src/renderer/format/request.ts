import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'

/**
 * A recorded request as code that sends it again. Tokens were redacted, and a trace id works only once, so the code
 * creates both.
 */

type SentRequest = Pick<ExchangeDetail, 'method' | 'path' | 'request'>

/** Headers that the client adds itself or must not repeat. */
const OWN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  'authorization',
  'x-trace-id',
  'user-agent',
  'accept',
  'accept-language',
  'sec-fetch-mode',
])

const copiedHeaders = ({ request }: SentRequest) => request.headers.filter(([name]) => !OWN.has(name))
const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

export function formatCurl(api: string, sent: SentRequest): string {
  const parts = [
    `curl -s ${sent.method === 'GET' ? '' : `-X ${sent.method} `}${quoteForShell(api + sent.path)}`,
    '-H "Authorization: $TOKEN"',
    '-H "x-trace-id: $(openssl rand -hex 16)"',
    ...copiedHeaders(sent).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(sent.request.body === '' ? [] : [`--data-raw ${quoteForShell(sent.request.body)}`]),
  ]
  return `${parts.join(' \\\n  ')}\n`
}

export function formatFetch(api: string, sent: SentRequest): string {
  const headers = [
    '    authorization: token,',
    "    'x-trace-id': crypto.randomUUID(),",
    ...copiedHeaders(sent).map(([name, value]) => `    ${JSON.stringify(name)}: ${JSON.stringify(value)},`),
  ].join('\n')
  const body = sent.request.body === '' ? '' : `  body: ${JSON.stringify(sent.request.body)},\n`
  return `await fetch(${JSON.stringify(api + sent.path)}, {
  method: ${JSON.stringify(sent.method)},
  headers: {
${headers}
  },
${body}})
`
}

export function formatHttp(api: string, sent: SentRequest): string {
  const { host, pathname } = new URL(api)
  const lines = [
    `${sent.method} ${pathname}${sent.path} HTTP/1.1`,
    `host: ${host}`,
    ...sent.request.headers.filter(([name]) => name !== 'host').map(([name, value]) => `${name}: ${value}`),
  ]
  return `${lines.join('\r\n')}\r\n\r\n${sent.request.body}`
}
