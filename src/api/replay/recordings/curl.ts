import { REMOVED, withoutSecrets } from './headers.ts'
import { type Found, placed } from './locate.ts'
import { type Recording, UnreadableRecording, type Unusable } from './recording.ts'
import { type Command, commandsOf, type Word } from './shell.ts'

/** curl lines as browsers copy them and people write them: what each would send, by curl's own manual. */
export function curlRecording(text: string): Recording {
  // Prose is full of quotes that never close: it is refused for what it is.
  const commands = /\bcurl\b/i.test(text) ? commandsOf(text) : []
  if (!commands.some(isCurl))
    throw new UnreadableRecording(
      `The text holds no curl line: found a line that begins with ${short(firstWord(text))}, ` +
        `expected was one that begins with curl.`,
    )
  return placed(
    commands.flatMap((command) => read(command)),
    'The text',
  )
}

const PROMPT = /^[$%>❯➜]$/
const ASSIGNMENT = /^[A-Za-z_]\w*=/
const CURL = /^(?:.*[\\/>])?curl(?:\.exe)?$/i

/** What may stand before the name of a command. */
const isBefore = ({ text }: Word) => PROMPT.test(text) || ASSIGNMENT.test(text) || text === 'time'

const named = ({ words }: Command): readonly Word[] =>
  words.slice(
    Math.max(
      0,
      words.findIndex((word) => !isBefore(word)),
    ),
  )

const isCurl = (command: Command) => CURL.test(named(command)[0]?.text ?? '')

const LONGEST_NAME = 20
const short = (text: string) => (text.length > LONGEST_NAME ? `${text.slice(0, LONGEST_NAME)}…` : text)
const firstWord = (text: string) => /\S{1,100}/.exec(text)?.[0] ?? 'nothing'

function read(command: Command): (Found | Unusable)[] {
  const at = `line ${command.line}`
  if (!isCurl(command)) {
    const name = named(command)[0]!.text
    return command.isPiped || ASSIGNMENT.test(name) ? [] : [{ at, why: `no curl line: it begins with ${short(name)}` }]
  }
  return transfers(named(command).slice(1)).flatMap((words): (Found | Unusable)[] => {
    try {
      return asked(words).map((request) => ({ in: at, ...request }))
    } catch (error) {
      if (error instanceof Unsendable) return [{ at, why: error.message }]
      throw error
    }
  })
}

/** `--next` begins another request on the same line. */
function transfers(words: readonly Word[]): Word[][] {
  const all: Word[][] = [[]]
  for (const word of words)
    if (word.text === '--next' || word.text === '-:') all.push([])
    else all.at(-1)!.push(word)
  return all
}

class Unsendable extends Error {}

/** What the options come to, collected in the order in which they stand. */
interface Wish {
  method?: string
  readonly urls: Word[]
  readonly headers: [name: string, value: string | undefined][]
  readonly query: string[]
  data?: string
  isGet: boolean
  isHead: boolean
  isJson: boolean
  isGlobbing: boolean
}

type Takes = (wish: Wish, value: string, option: string) => void

const noFile = (value: string) => {
  const file = value.slice(value.indexOf('@') + 1)
  throw new Unsendable(
    file === '-'
      ? 'what it reads from its standard input is not here: paste it into the line'
      : `the file ${file} is not here: paste its content into the line`,
  )
}

const add = (wish: Wish, text: string) => {
  wish.data = wish.data === undefined ? text : `${wish.data}&${text}`
}
const data: Takes = (wish, value) => (value.startsWith('@') ? noFile(value) : add(wish, value))
const raw: Takes = (wish, value) => add(wish, value)

/** As curl escapes: everything but letters, digits and `-._~`. */
const escaped = (text: string) =>
  encodeURIComponent(text.toWellFormed()).replaceAll(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )

/** `content`, `=content`, `name=content`, `@file`, `name@file` */
function urlencoded(value: string): string {
  const equals = value.indexOf('=')
  if (equals < 0 && value.includes('@')) noFile(value)
  return equals <= 0
    ? escaped(value.slice(equals + 1))
    : `${value.slice(0, equals + 1)}${escaped(value.slice(equals + 1))}`
}

const header: Takes = (wish, value) => {
  if (value.startsWith('@')) noFile(value)
  const [, name, sign, content = ''] = /^([^:;]*)([:;])?(.*)$/s.exec(value) ?? []
  if (!name?.trim() || !sign) throw new Unsendable('a header without a colon')
  // "Name:" takes away what curl would have sent by itself, "Name;" sends the header with nothing in it.
  wish.headers.push([name.trim().toLowerCase(), sign === ':' && content.trim() === '' ? undefined : content.trim()])
}
const authorization: Takes = (wish) => void wish.headers.unshift(['authorization', REMOVED])
const multipart: Takes = () => {
  throw new Unsendable('a multipart body, which this API does not take')
}
const upload: Takes = (_, value) => noFile(value)
const config: Takes = (_, value) => noFile(value)
const nothing: Takes = () => {}

/** Options with a value, and what it means; the many that say only how curl goes about it mean nothing here. */
const VALUED: Readonly<Record<string, Takes>> = {
  request: (wish, value) => void (wish.method = value.toUpperCase()),
  header,
  data,
  'data-ascii': data,
  'data-binary': data,
  'data-raw': raw,
  'data-urlencode': (wish, value) => add(wish, urlencoded(value)),
  json: (wish, value) => {
    if (value.startsWith('@')) noFile(value)
    wish.data = (wish.data ?? '') + value
    wish.isJson = true
  },
  'url-query': (wish, value) => void wish.query.push(value.startsWith('+') ? value.slice(1) : urlencoded(value)),
  'user-agent': (wish, value) => void wish.headers.push(['user-agent', value]),
  referer: (wish, value) => void wish.headers.push(['referer', value.replace(/;auto$/, '')]),
  range: (wish, value) => void wish.headers.push(['range', `bytes=${value}`]),
  user: authorization,
  'oauth2-bearer': authorization,
  form: multipart,
  'form-string': multipart,
  'upload-file': upload,
  config,
  ...Object.fromEntries(
    (
      'abstract-unix-socket alt-svc aws-sigv4 cacert capath cert cert-type ciphers connect-timeout connect-to continue-at ' +
      'cookie cookie-jar create-file-mode crlfile curves delegation dns-interface dns-ipv4-addr dns-ipv6-addr ' +
      'dns-servers doh-url dump-header engine etag-compare etag-save expect100-timeout happy-eyeballs-timeout-ms ' +
      'haproxy-clientip hostpubmd5 hsts interface ip-tos ipfs-gateway keepalive-cnt keepalive-time key key-type ' +
      'krb libcurl limit-rate local-port login-options max-filesize max-redirs max-time netrc-file noproxy output ' +
      'output-dir parallel-max pass pinnedpubkey preproxy proto proto-default proto-redir proxy proxy-cacert ' +
      'proxy-capath proxy-cert proxy-header proxy-key proxy-pass proxy-user proxy1.0 pubkey rate resolve retry ' +
      'retry-delay retry-max-time service-name socks4 socks4a socks5 socks5-hostname speed-limit speed-time stderr ' +
      'time-cond tls-max tls13-ciphers trace trace-ascii trace-config unix-socket vlan-priority write-out'
    )
      .split(' ')
      .map((name) => [name, nothing]),
  ),
}

const FLAGS: Readonly<Record<string, (wish: Wish) => void>> = {
  get: (wish) => void (wish.isGet = true),
  head: (wish) => void (wish.isHead = true),
  globoff: (wish) => void (wish.isGlobbing = false),
  ...Object.fromEntries(
    (
      'anyauth append basic ca-native cert-status compressed compressed-ssh create-dirs crlf digest disable ' +
      'disable-eprt disable-epsv disallow-username-in-url fail fail-early fail-with-body false-start ftp-pasv http0.9 ' +
      'http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only ignore-content-length include insecure ipv4 ipv6 ' +
      'junk-session-cookies list-only location location-trusted negotiate netrc netrc-optional no-alpn no-buffer ' +
      'no-keepalive no-npn no-progress-meter no-sessionid ntlm parallel parallel-immediate path-as-is post301 post302 ' +
      'post303 progress-bar progress-meter proxy-basic proxy-digest proxy-insecure raw remote-header-name remote-name ' +
      'remote-name-all remote-time remove-on-error retry-all-errors retry-connrefused show-error show-headers silent ' +
      'skip-existing ssl ssl-allow-beast ssl-no-revoke ssl-reqd ssl-revoke-best-effort styled-output suppress-connect-headers ' +
      'tcp-fastopen tcp-nodelay tlsv1 tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ids trace-time use-ascii ' +
      'verbose xattr'
    )
      .split(' ')
      .map((name) => [name, () => {}]),
  ),
}

const SHORT: Readonly<Record<string, string>> = {
  ...{ A: 'user-agent', b: 'cookie', c: 'cookie-jar', C: 'continue-at', d: 'data', D: 'dump-header', e: 'referer' },
  ...{ E: 'cert', F: 'form', H: 'header', K: 'config', m: 'max-time', o: 'output', r: 'range', T: 'upload-file' },
  ...{
    u: 'user',
    U: 'proxy-user',
    w: 'write-out',
    x: 'proxy',
    X: 'request',
    y: 'speed-time',
    Y: 'speed-limit',
    z: 'time-cond',
  },
  ...{ G: 'get', I: 'head', g: 'globoff', s: 'silent', S: 'show-error', k: 'insecure', L: 'location', i: 'include' },
  ...{ v: 'verbose', f: 'fail', N: 'no-buffer', n: 'netrc', O: 'remote-name', J: 'remote-header-name', q: 'disable' },
  ...{
    '#': 'progress-bar',
    0: 'http1.0',
    1: 'tlsv1',
    4: 'ipv4',
    6: 'ipv6',
    Z: 'parallel',
    a: 'append',
    B: 'use-ascii',
  },
  ...{ j: 'junk-session-cookies', l: 'list-only', R: 'remote-time', p: 'raw' },
}

/** Values that go no further, so that it does not matter what a shell would have made of them. */
const isIndifferent = (option: string, value: string): boolean =>
  VALUED[option] === nothing ||
  VALUED[option] === authorization ||
  (option === 'header' && /^\s*(?:authorization|x-trace-id|cookie)\s*:/i.test(value))

function asked(words: readonly Word[]): Omit<Found, 'in'>[] {
  const wish: Wish = {
    urls: [],
    headers: [],
    query: [],
    isGet: false,
    isHead: false,
    isJson: false,
    isGlobbing: true,
  }
  const rest = [...words]
  const take = (option: string, written: string, attached: Word | undefined) => {
    const value = attached ?? rest.shift()
    if (!value) throw new Unsendable(`${written} wants a value, and the line ends there`)
    if (!isIndifferent(option, value.text)) checkReplaced(value)
    if (option === 'url') wish.urls.push(value)
    else if (option === 'header' && value.replaced.length > 0)
      header(wish, value.text.replace(/:.*$/s, `:${REMOVED}`), option)
    else VALUED[option]!(wish, value.text, option)
  }
  let areOptionsOver = false
  for (let word = rest.shift(); word; word = rest.shift()) {
    const { text } = word
    if (areOptionsOver || !/^-./s.test(text)) {
      checkReplaced(word)
      wish.urls.push(word)
    } else if (text === '--') areOptionsOver = true
    else if (text.startsWith('--')) {
      const name = text.slice(2)
      if (name === 'url' || Object.hasOwn(VALUED, name)) take(name, text, undefined)
      else if (!flagOf(name)) throw new Unsendable(unknown(text))
      else flagOf(name)!(wish)
    } else shortOptions(word, wish, take)
  }
  return requestsOf(wish)
}

/** `-sSk`, `-XPOST`, `-d{}`: one letter after the other, until one takes the rest as its value. */
function shortOptions(
  { text, replaced }: Word,
  wish: Wish,
  take: (option: string, written: string, attached: Word | undefined) => void,
) {
  for (let i = 1; i < text.length; i++) {
    const letter = text[i]!
    const name = Object.hasOwn(SHORT, letter) ? SHORT[letter]! : ''
    if (Object.hasOwn(VALUED, name)) {
      const attached = text.slice(i + 1)
      take(name, `-${letter}`, attached === '' ? undefined : { text: attached, replaced })
      return
    }
    const flag = flagOf(name)
    if (!flag) throw new Unsendable(unknown(`-${letter}`))
    flag(wish)
  }
}

const flagOf = (name: string) => {
  const known = name.startsWith('no-') && !Object.hasOwn(FLAGS, name) ? name.slice(3) : name
  if (!Object.hasOwn(FLAGS, known)) return undefined
  return known === name ? FLAGS[known] : () => {}
}

function unknown(option: string): string {
  const [name] = option.split('=') as [string]
  return option.includes('=')
    ? `curl knows no option ${name}=…: the value of ${name} stands in a word of its own`
    : `an option of curl that is not known here: ${short(option)}`
}

function checkReplaced({ replaced: [first] }: Word) {
  if (first !== undefined) throw new Unsendable(`the shell would have replaced ${short(first)}: write the value itself`)
}

function requestsOf(wish: Wish): Omit<Found, 'in'>[] {
  const { urls, isGet, isHead, isJson, data } = wish
  if (urls.length === 0) throw new Unsendable('a curl line without an address')
  const body = isGet || data === undefined ? '' : data
  const method = wish.method ?? (isHead ? 'HEAD' : data !== undefined && !isGet ? 'POST' : 'GET')
  const query = [...wish.query, ...(isGet && data ? [data] : [])].join('&')
  const own: [string, string][] = isJson
    ? [
        ['content-type', 'application/json'],
        ['accept', 'application/json'],
      ]
    : data !== undefined && !isGet
      ? [['content-type', 'application/x-www-form-urlencoded']]
      : []
  const given = new Set(wish.headers.map(([name]) => name))
  const headers = [
    ...wish.headers.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ...own.filter(([name]) => !given.has(name)),
  ]
  return urls.map(({ text }) => {
    const url = withQuery(addressOf(text, wish.isGlobbing), query)
    const hasUser = /^https?:\/\/[^/?#]*@/i.test(url)
    return {
      url,
      method,
      headers: withoutSecrets(
        once([...headers, ...(hasUser ? [['authorization', REMOVED] as const] : [])], 'authorization'),
      ),
      body,
      answer: null,
    }
  })
}

const once = (headers: readonly (readonly [string, string])[], wanted: string) =>
  headers.filter(([name], i) => name !== wanted || headers.findIndex(([other]) => other === wanted) === i)

/** `a{b,c}` and `[1-9]` are many addresses for curl; behind a backslash, or with --globoff, they are letters. */
function addressOf(text: string, isGlobbing: boolean): string {
  if (isGlobbing && /(?<!\\)(?:\{[^{}]*,[^{}]*\}|\[\w+-\w+(?::\d+)?\])/.test(text.replace(/^[^:]*:\/\/\[[^\]]*\]/, '')))
    throw new Unsendable('an address with {…} or […], of which curl would have made several requests')
  const plain = isGlobbing ? text.replaceAll(/\\([[\]{}])/g, '$1') : text
  return /^[a-z][\w+.-]*:\/\//i.test(plain) ? plain : `http://${plain}`
}

function withQuery(url: string, query: string): string {
  if (query === '') return url
  const [address = ''] = url.split('#')
  return `${address}${address.includes('?') ? '&' : '?'}${query}`
}
