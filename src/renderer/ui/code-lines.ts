/**
 * Bodies as lines that can be read and pointed at. JSON is laid out from its own text, token by token: what was sent is
 * what is shown, down to the zeros after a point and a name that came twice.
 */

export interface Piece {
  readonly kind: 'name' | 'value' | 'sign'
  readonly text: string
}

export interface Line {
  readonly pieces: readonly Piece[]
  /** The path of the field that this line holds, as hints and refusals name it: `details.address.city`. */
  readonly path: string | null
}

const TOKEN = /\s*("(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+)/y

function tokens(text: string): string[] | undefined {
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

export function splitIntoLines(body: string, contentType = ''): Line[] {
  if (contentType.includes('x-www-form-urlencoded')) return parseFormLines(body)
  const found = isJson(body) ? tokens(body) : undefined
  return found
    ? jsonLines(found)
    : body.split(/\r?\n/).map((text) => ({ pieces: [{ kind: 'sign', text }], path: null }))
}

function jsonLines(found: readonly string[]): Line[] {
  const lines: Line[] = []
  let pieces: Piece[] = []
  let path: string | null = null
  /** Where we are: the names and places on the way down. */
  const way: { readonly list: boolean; at: string }[] = []
  const pathHere = () => way.map(({ at }) => at).join('.') || null
  const add = (kind: Piece['kind'], text: string) => pieces.push({ kind, text })
  const indent = () => add('sign', '  '.repeat(way.length))
  const close = () => {
    if (pieces.length > 0) lines.push({ pieces, path })
    pieces = []
    path = null
  }
  found.forEach((token, i) => {
    const here = way.at(-1)
    if (token === '{' || token === '[') {
      const empty = found[i + 1] === (token === '{' ? '}' : ']')
      if (pieces.length === 0) indent()
      path ??= pathHere()
      add('sign', token)
      if (!empty) close()
      way.push({ list: token === '[', at: token === '[' ? '0' : '' })
    } else if (token === '}' || token === ']') {
      const wasEmpty = found[i - 1] === (token === '}' ? '{' : '[')
      if (!wasEmpty) close()
      way.pop()
      if (!wasEmpty) indent()
      add('sign', token)
    } else if (token === ',') {
      add('sign', ',')
      close()
      if (here?.list) here.at = String(Number(here.at) + 1)
    } else if (token === ':') {
      add('sign', ': ')
    } else if (found[i + 1] === ':' && here && !here.list) {
      indent()
      here.at = plain(token)
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

const plain = (token: string): string => {
  try {
    return String(JSON.parse(token))
  } catch {
    return token
  }
}

/** Forms and queries: `details[address][city]=Ames` holds the field `details.address.city`. */
export function parseFormLines(text: string): Line[] {
  return [...new URLSearchParams(text)].map(([name, value]) => ({
    pieces: [
      { kind: 'name', text: name },
      { kind: 'sign', text: ' = ' },
      { kind: 'value', text: value },
    ],
    path: name.replace(/\[([^\]]*)\]/g, (_, part: string) => (part === '' ? '' : `.${part}`)),
  }))
}

/**
 * What in a refusal's `extra` may name a field: the word that a part of it begins with, and what is written as no word of
 * prose is. The rail in "at most 5000000.00 for ach" is not the field `ach`.
 */
const NAMES = /(?<=^|; |\bits )[A-Za-z]\w*(?:\.\w+)*|\b[A-Za-z]\w*(?:_\w+|\.\w+)(?:\.\w+)*/g

/** The lines that it names: by whole path, or, if none is, by the last word of it. */
export function findNamedLines(lines: readonly Line[], extra: string | null): ReadonlySet<Line> {
  const words = new Set(extra?.match(NAMES) ?? [])
  const by = (key: (path: string) => string) => lines.filter(({ path }) => path !== null && words.has(key(path)))
  const whole = by((path) => path)
  return new Set(whole.length > 0 ? whole : by((path) => path.split('.').at(-1)!))
}
