/**
 * Splits bodies into lines that can be shown and marked. JSON is laid out token by token from the original text, so that
 * trailing zeros and duplicate names stay visible.
 */

interface Piece {
  readonly kind: 'name' | 'value' | 'sign' | 'error'
  readonly text: string
}

export interface Line {
  readonly pieces: readonly Piece[]
  /** The path of the field in this line, e.g. `details.address.city`. */
  readonly path: string | null
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y

function tokenize(text: string): string[] | undefined {
  const found: string[] = []
  TOKEN.lastIndex = 0
  const end = text.trimEnd().length
  while (TOKEN.lastIndex < end) {
    const token = TOKEN.exec(text)?.[1]
    if (token === undefined) return undefined
    found.push(token)
  }
  return found
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

interface Place {
  readonly line: number
  readonly column: number
}

/** `error`: where a body that is not JSON has its error. */
export function splitIntoLines(body: string, contentType = '', error?: Place): Line[] {
  if (contentType.includes('x-www-form-urlencoded')) return parseFormLines(body)
  const tokens = isJson(body) ? tokenize(body) : undefined
  return tokens
    ? layOutJson(tokens)
    : body.split(/\r?\n/).map((text, at) => ({
        pieces: error?.line === at + 1 ? markColumn(text, error.column) : [plain(text)],
        path: null,
      }))
}

/** The same body with one field per line. */
export const formatLines = (body: string): string =>
  splitIntoLines(body)
    .map(({ pieces }) => pieces.map(({ text }) => text).join(''))
    .join('\n')

const plain = (text: string): Piece => ({ kind: 'sign', text })

/** The character in this column; behind the end of the line a blank. */
function markColumn(text: string, column: number): Piece[] {
  const [char = ' '] = text.slice(column - 1)
  return [plain(text.slice(0, column - 1)), { kind: 'error', text: char }, plain(text.slice(column - 1 + char.length))]
}

function layOutJson(tokens: readonly string[]): Line[] {
  const lines: Line[] = []
  let pieces: Piece[] = []
  let path: string | null = null
  /** The current path: names and indexes of the open objects and lists. */
  const open: { readonly list: boolean; at: string }[] = []
  const pathHere = () => open.map(({ at }) => at).join('.') || null
  const add = (kind: Piece['kind'], text: string) => pieces.push({ kind, text })
  const indent = () => add('sign', '  '.repeat(open.length))
  const close = () => {
    if (pieces.length > 0) lines.push({ pieces, path })
    pieces = []
    path = null
  }
  tokens.forEach((token, i) => {
    const here = open.at(-1)
    if (token === '{' || token === '[') {
      const empty = tokens[i + 1] === (token === '{' ? '}' : ']')
      if (pieces.length === 0) indent()
      path ??= pathHere()
      add('sign', token)
      if (!empty) close()
      open.push({ list: token === '[', at: token === '[' ? '0' : '' })
    } else if (token === '}' || token === ']') {
      const wasEmpty = tokens[i - 1] === (token === '}' ? '{' : '[')
      if (!wasEmpty) close()
      open.pop()
      if (!wasEmpty) indent()
      add('sign', token)
    } else if (token === ',') {
      add('sign', ',')
      close()
      if (here?.list) here.at = String(Number(here.at) + 1)
    } else if (token === ':') {
      add('sign', ': ')
    } else if (tokens[i + 1] === ':' && here && !here.list) {
      indent()
      here.at = unquote(token)
      path = pathHere()
      add('name', token)
    } else {
      if (pieces.length === 0) indent()
      path ??= pathHere()
      add('value', token)
    }
  })
  close()
  return lines
}

const unquote = (token: string): string => {
  try {
    return String(JSON.parse(token))
  } catch {
    return token
  }
}

/** Forms and queries; the path of `details[address][city]=Ames` is `details.address.city`. */
export function parseFormLines(text: string): Line[] {
  return [...new URLSearchParams(text)].map(([name, value]) => ({
    pieces: [
      { kind: 'name', text: name },
      { kind: 'sign', text: ' = ' },
      { kind: 'value', text: value },
    ],
    path: name.replace(/\[([^[\]]*)\]/g, (_, part: string) => (part === '' ? '' : `.${part}`)),
  }))
}

/**
 * Field names in the `extra` of an error: the first word of a part, and words with `_` or `.`. Other words are prose: "ach"
 * in "at most 5000000.00 for ach" is not the field `ach`.
 */
const FIELD_NAMES = /(?<=^|; |\bits )[A-Za-z]\w*(?:\.\w+)*|\b[A-Za-z]\w*(?:_\w+|\.\w+)(?:\.\w+)*/g

/** The lines that `extra` names: by path, or else by the last part of the path. */
export function findNamedLines(lines: readonly Line[], extra: string | null): ReadonlySet<Line> {
  const names = new Set(extra?.match(FIELD_NAMES) ?? [])
  const by = (key: (path: string) => string) => lines.filter(({ path }) => path !== null && names.has(key(path)))
  const whole = by((path) => path)
  return new Set(whole.length > 0 ? whole : by((path) => path.split('.').at(-1)!))
}
