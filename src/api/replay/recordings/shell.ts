import { UnreadableRecording } from './recording.ts'
import { lineAndColumn } from './text.ts'

/** Splits text into the words of commands as a shell would: POSIX shells with what bash adds, and cmd of Windows. */

export interface Word {
  readonly text: string
  /** What the shell would have put something in place of, as it is written: `$TOKEN`, `$(uuidgen)`. */
  readonly replaced: readonly string[]
}

export interface Command {
  readonly words: readonly Word[]
  /** Counted from 1. */
  readonly line: number
  /** It works on what another command says. */
  readonly isPiped: boolean
}

export const commandsOf = (text: string): Command[] => (isForCmd(text) ? cmdCommands(text) : posixCommands(text))

/** A caret before a quote or at the end of a line, or the doubled quotes of JSON in quotes. */
export const isForCmd = (text: string): boolean =>
  /^[ \t>]*(?:[^\s'"]*[\\/>])?curl(?:\.exe)?[ \t](?:[^\n']*\^\r?\n|[^\n']*\^")/im.test(text) ||
  (!text.includes("'") && /\{""|""[:,}\]]/.test(text))

// ── POSIX ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const OPERATOR = /&&|\|\||;;|[;&|]|\r?\n/y
const REDIRECTION = /\d*(?:>>|>&|>\||<<<|<&|<>|>|<)|&>/y
const HERE_DOCUMENT = /<<(?!<)-?/y
const BLANK = /(?:[ \t]|\\[ \t]*\r?\n|\r(?!\n))+/y
const COMMENT = /#[^\n]*/y
const PLAIN = /[^\s\\'"$`;&|<>]+/y
const PARAMETER = /\$(?:[A-Za-z_]\w*|[0-9?$!@*#-]|\{[^}]*\})/y
const ANSI = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/sy
/** Firefox writes them as letters of Latin-1, where a shell takes them as bytes. */
const BYTES = /(?:\\x[89a-fA-F][\da-fA-F])+/y
const ESCAPED: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  e: '\x1b',
  E: '\x1b',
  f: '\f',
  v: '\v',
}

export function posixCommands(text: string): Command[] {
  const commands: Command[] = []
  const lines = lineCounter(text)
  let at = 0
  let words: Word[] = []
  let begins = 0
  /** The next word belongs to a redirection, and to no command. */
  let isTarget = false
  let isPiped = false
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at += found[0].length
    return found
  }
  const unterminated = (offset: number, quote: string): never => {
    throw new UnreadableRecording(
      `${capital(lineAndColumn(text, offset))}: found ${quote} that is never closed, expected was another one before the text ends.`,
    )
  }

  /** `$(…)` or `` `…` ``, from where it begins: what stands inside is the shell's own business. */
  const substitution = (): string => {
    const begin = at
    if (text[at] === '`') {
      const end = text.indexOf('`', at + 1)
      if (end < 0) unterminated(begin, 'a `')
      at = end + 1
    } else {
      let depth = 0
      for (at += 1; ; at++) {
        const char = text[at]
        if (char === undefined) unterminated(begin, 'a $(')
        else if (char === '\\') at++
        else if (char === "'" || char === '"') {
          const end = text.indexOf(char, at + 1)
          if (end < 0) unterminated(at, `a ${char}`)
          at = end
        } else if (char === '(') depth++
        else if (char === ')' && --depth === 0) break
      }
      at++
    }
    return text.slice(begin, at)
  }
  /** Whether something that a shell replaces begins here; the text of it, as it is written. */
  const replacement = (): string | undefined => {
    if (text[at] === '`' || text.startsWith('$(', at)) return substitution()
    return match(PARAMETER)?.[0]
  }

  const word = (): Word => {
    const parts: string[] = []
    const replaced: string[] = []
    const replaces = (): boolean => {
      const found = replacement()
      if (found === undefined) return false
      parts.push(found)
      replaced.push(found)
      return true
    }
    while (at < text.length) {
      const begin = at
      const plain = match(PLAIN)
      if (plain) parts.push(plain[0])
      else if (text[at] === "'") {
        const end = text.indexOf("'", at + 1)
        if (end < 0) unterminated(begin, "a '")
        parts.push(text.slice(at + 1, end))
        at = end + 1
      } else if (text.startsWith("$'", at)) {
        at += 2
        while (text[at] !== "'") {
          const bytes = match(BYTES)
          const escaped = bytes ? null : match(ANSI)
          if (bytes) parts.push(fromBytes(bytes[0]))
          else if (escaped) parts.push(ansi(escaped))
          else if (at >= text.length) unterminated(begin, "a $'")
          else parts.push(text[at++]!)
        }
        at++
      } else if (text[at] === '"' || text.startsWith('$"', at)) {
        at += text[at] === '"' ? 1 : 2
        while (text[at] !== '"') {
          if (at >= text.length) unterminated(begin, 'a "')
          if (text[at] === '\\') {
            const next = text[at + 1] ?? ''
            if (next !== '\n') parts.push('"\\$`'.includes(next) && next ? next : `\\${next}`)
            at += 2
          } else if (!replaces()) parts.push(text[at++]!)
        }
        at++
      } else if (text[at] === '\\') {
        const joined = match(/\\\r?\n/y)
        if (joined) continue
        // With blanks behind the backslash the line would end here; whoever wrote it meant it to go on.
        if (at + 1 === text.length || /^\\[ \t]*\r?\n/.test(text.slice(at, at + 100))) break
        parts.push(text[at + 1] ?? '')
        at += 2
      } else if (text[at] === '$' || text[at] === '`') {
        if (!replaces()) parts.push(text[at++]!)
      } else break
    }
    return { text: parts.join(''), replaced }
  }

  const end = (operator: string) => {
    if (words.length > 0) commands.push({ words, line: lines(begins), isPiped })
    words = []
    isTarget = false
    isPiped = operator === '|'
  }

  while (at < text.length) {
    if (match(BLANK)) continue
    if (match(COMMENT)) continue
    const operator = match(OPERATOR)
    if (operator) {
      if (!(isPiped && words.length === 0 && operator[0].endsWith('\n'))) end(operator[0])
      continue
    }
    if (match(HERE_DOCUMENT)) {
      match(BLANK)
      at = behindHereDocument(text, at, word().text)
      continue
    }
    if (match(REDIRECTION)) {
      isTarget = true
      continue
    }
    const begin = at
    const next = word()
    if (at === begin) {
      at++ // Nothing that begins a word, such as a backslash at the very end.
      continue
    }
    if (isTarget) isTarget = false
    else {
      if (words.length === 0) begins = begin
      words.push(next)
    }
  }
  end('')
  return commands
}

/** The lines that a here-document holds are no commands; what follows on the line of its beginning is rare. */
function behindHereDocument(text: string, at: number, stop: string): number {
  const lines = text.slice(at).split('\n')
  const last = lines.findIndex((line, i) => i > 0 && line.trim() === stop)
  return last < 0 ? text.length : at + lines.slice(0, last + 1).join('\n').length
}

function ansi([whole, hex, four, eight, octal, control, other]: RegExpExecArray): string {
  const code = hex ?? four ?? eight
  if (code !== undefined) return fromCode(Number.parseInt(code, 16))
  if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff)
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f)
  if ('\\\'"?'.includes(other!)) return other!
  return ESCAPED[other!] ?? whole
}

function fromBytes(escapes: string): string {
  const bytes = Buffer.from(escapes.replaceAll('\\x', ''), 'hex')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}

const fromCode = (code: number) => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))
const capital = (text: string) => text[0]!.toUpperCase() + text.slice(1)

/** Asked in ascending order, so that the whole text is counted once. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let counted = 0
  return (offset) => {
    for (; counted < offset; counted++) if (text[counted] === '\n') line++
    return line
  }
}

// ── cmd ────────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A name and no escape of a URL: `%20` is one, and so are the letters between two of them. */
const CMD_VARIABLE = /%(?![\dA-Fa-f]{2}(?:%|[^A-Z_]))[A-Za-z_]\w{2,}%/y
/**
 * No command line holds it. Between the two parsers it stands behind a percent sign that a caret followed, so that no
 * variable begins there, and before a backslash that is one whatever follows.
 */
const AS_IT_IS = '\0'
/** Browsers double each backslash, which the program's start would undo before a quote only: it was one. */
const DOUBLED = '^\\^\\'

/**
 * Two parsers, one after the other: cmd itself takes away the carets and ends commands at `&` and at line ends, and the
 * program's own start splits what is left at blanks, with `\"` and `""` for a quote.
 */
export function cmdCommands(text: string): Command[] {
  const commands: Command[] = []
  const lines = lineCounter(text)
  let at = 0
  let isPiped = false
  while (at < text.length) {
    const begin = at + /^\s*/.exec(text.slice(at, at + 1000))![0].length
    const parts: string[] = []
    let isQuoted = false
    let opened = at
    let operator = ''
    for (; at < text.length; at++) {
      const char = text[at]!
      if (!isQuoted && text.startsWith(DOUBLED, at)) {
        parts.push(`${AS_IT_IS}\\`)
        at += DOUBLED.length - 1
      } else if (char === '^' && !isQuoted) {
        at++
        // A caret at a line's end takes the line's end away, and what follows is taken as it is.
        if (text.startsWith('\r\n', at)) at += 2
        else if (text[at] === '\n') at++
        if (text.startsWith('\r\n', at)) at++
        const next = text[at] ?? ''
        parts.push(parts.at(-1) === '%' && /\w/.test(next) ? AS_IT_IS + next : next)
      } else if (char === '"') {
        isQuoted = !isQuoted
        opened = at
        parts.push(char)
      } else if (char === '\n' || (!isQuoted && (char === '&' || char === '|'))) {
        operator = char
        break
      } else if (char !== '\r') parts.push(char)
    }
    if (isQuoted)
      throw new UnreadableRecording(
        `${capital(lineAndColumn(text, opened))}: found a " that is never closed, expected was another one before the line ends.`,
      )
    at++
    const line = parts.join('')
    const words = isComment(line) ? [] : cmdWords(line)
    if (words === undefined)
      throw new UnreadableRecording(
        `${capital(lineAndColumn(text, begin))}: found a command with a " that is never closed, expected was another one before the line ends.`,
      )
    if (words.length > 0) commands.push({ words, line: lines(begin), isPiped })
    isPiped = operator === '|'
  }
  return commands
}

const isComment = (line: string) => /^\s*(?:#|::|rem\b)/i.test(line)

/** undefined when a quote is never closed. */
function cmdWords(line: string): Word[] | undefined {
  const words: Word[] = []
  let at = 0
  const variableAt = (offset: number): string | undefined => {
    CMD_VARIABLE.lastIndex = offset
    return line[offset] === '%' ? CMD_VARIABLE.exec(line)?.[0] : undefined
  }
  const skipBlanks = () => {
    while (line[at] === ' ' || line[at] === '\t') at++
  }
  skipBlanks()
  while (at < line.length) {
    const parts: string[] = []
    const replaced: string[] = []
    let isQuoted = false
    while (at < line.length && (isQuoted || (line[at] !== ' ' && line[at] !== '\t'))) {
      if (line[at] === AS_IT_IS) {
        at++
        parts.push(line[at++] ?? '')
        continue
      }
      const begin = at
      while (line[at] === '\\') at++
      const backslashes = at - begin
      if (line[at] !== '"') {
        parts.push('\\'.repeat(backslashes))
        if (at > begin) continue
        replaced.push(...[variableAt(at) ?? []].flat())
        parts.push(line[at++]!)
        continue
      }
      parts.push('\\'.repeat(backslashes >> 1))
      at++
      if (backslashes % 2 === 1) parts.push('"')
      else if (isQuoted && line[at] === '"') {
        parts.push('"')
        at++
      } else isQuoted = !isQuoted
    }
    if (isQuoted) return undefined
    words.push({ text: parts.join(''), replaced })
    skipBlanks()
  }
  return words
}
