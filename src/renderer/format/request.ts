import type { ExchangeDetail } from '../../api/contract/control/exchanges.ts'

/**
 * A recorded request as code that sends it again. Tokens were redacted, and a trace id works only once, so the code
 * creates both; the shell command signs in with the key of the Program.
 */

/** Where a Program sends its requests, and the key that it signs in with. */
export interface ApiAccess {
  readonly base_url: string
  readonly program_uid: string
  readonly hmac_key: string
}

type SentRequest = Pick<ExchangeDetail, 'method' | 'path' | 'request'>

/** Headers that the client adds itself or must not repeat. */
const OWN = new Set([
  'host',
  'connection',
  'content-length',
  'transfer-encoding',
  'accept-encoding',
  // The log has bodies unpacked.
  'content-encoding',
  'authorization',
  'x-trace-id',
  'user-agent',
  'accept',
  'accept-language',
  'sec-fetch-mode',
])

const copiedHeaders = ({ request }: SentRequest) => request.headers.filter(([name]) => !OWN.has(name))
/** Between single quotes a shell changes nothing; only the quote itself needs escaping. */
const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Shell lines that set BASE to the base URL and `$H.$P.$S` to a new refresh token: HS512 over the time and the Program uid. */
export const signInShell = ({ base_url, program_uid, hmac_key }: ApiAccess) => `BASE=${quoteForShell(base_url)}
KEY=${quoteForShell(hmac_key)}
b64() { openssl base64 -A | tr '+/' '-_' | tr -d '='; }
H=$(printf '{"alg":"HS512"}' | b64)
P=$(printf '{"iat":%s,"sub":"%s"}' "$(date +%s)" ${quoteForShell(program_uid)} | b64)
S=$(printf '%s.%s' "$H" "$P" \\
  | openssl dgst -sha512 -hmac "$KEY" -binary | b64)`

/** Shell lines that set TOKEN to an access token, after `signInShell`. */
export const ACCESS_TOKEN_SHELL = `TOKEN=$(curl -s -X POST "$BASE/auth" \\
  -H "Authorization: $H.$P.$S" -H "x-trace-id: $(openssl rand -hex 16)" \\
  | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')`

const isSigningIn = ({ method, path }: SentRequest) => method === 'POST' && /^\/auth(\?|$)/.test(path)

/** The request alone, with the variables that `formatCurl` sets before it. */
export function formatCurlRequest(sent: SentRequest): string {
  const { method, path, request } = sent
  // curl sends POST with a body by default.
  const isDefault = method === 'GET' && request.body === ''
  const hasControls = CONTROLS.test(request.body)
  const parts = [
    // Brackets in the path are not patterns.
    `curl -sg ${isDefault ? '' : `-X ${method} `}"$BASE"${quoteForShell(path)}`,
    `-H "Authorization: ${isSigningIn(sent) ? '$H.$P.$S' : '$TOKEN'}"`,
    '-H "x-trace-id: $(openssl rand -hex 16)"',
    ...copiedHeaders(sent).map(([name, value]) => `-H ${quoteForShell(`${name}: ${value}`)}`),
    ...(request.body === '' ? [] : [hasControls ? '--data-binary @-' : `--data-raw ${quoteForShell(request.body)}`]),
  ]
  return `${hasControls ? `printf ${quoteForShell(escapeForPrintf(request.body))} | ` : ''}${parts.join(' \\\n  ')}\n`
}

/**
 * One command for bash, dash and zsh that signs in and sends the request. In parentheses, so that it sets no variables of the
 * shell; without comments, which zsh does not know at its prompt.
 */
export const formatCurl = (access: ApiAccess, sent: SentRequest): string =>
  `(\n${[signInShell(access), ...(isSigningIn(sent) ? [] : [ACCESS_TOKEN_SHELL]), formatCurlRequest(sent)].join('\n')})\n`

/** A terminal takes a pasted tab or escape character as a key. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is searched.
const CONTROLS = /[\x00-\x09\x0b-\x1f\x7f]/
const escapeForPrintf = (text: string) =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll('%', '%%')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced.
    .replaceAll(/[\x00-\x09\x0b-\x1f\x7f]/g, (one) => `\\${one.charCodeAt(0).toString(8).padStart(3, '0')}`)

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
