import { runToEnd, type Steps } from '../../store/steps.ts'
import { UnreadableRecording } from './recording.ts'
import { lineAndColumn } from './text.ts'

export interface Word {
  readonly text: string
  /** The parts that the shell would have replaced, as written: `$TOKEN`, `$(uuidgen)`. */
  readonly expansions: readonly string[]
}

export interface Command {
  readonly words: readonly Word[]
  /** Counted from 1. */
  readonly line: number
  /** It reads the output of the command before. */
  readonly isPiped: boolean
}

/** So many pieces of a text are read in one step: words, parts of words, lines. */
const PIECES_PER_STEP = 500

/** Returns line numbers of ascending offsets, so that the text is counted once. */
function lineCounter(text: string): (offset: number) => number {
  let line = 1
  let counted = 0
  return (offset) => {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) line++
    counted = Math.max(counted, offset)
    return line
  }
}

const OPERATOR = /&&|\|\||;;|[;&|]|\r?\n/y
const REDIRECTION = /\d*(?:>>|>&|>\||<<<|<&|<>|>|<)|&>/y
const HERE_DOCUMENT = /<<(?!<)-?/y
const BLANK = /(?:[ \t]|\\[ \t]*\r?\n|\r(?!\n))+/y
const COMMENT = /#[^\n]*/y
const UNQUOTED = /[^\s\\'"$`;&|<>]+/y
const UNESCAPED_ANSI = /[^'\\]+/y
const PLAIN_IN_QUOTES = /[^"\\$`]+/y
const LINE_CONTINUATION = /\\\r?\n/y
const PARAMETER = /\$(?:[A-Za-z_]\w*|[0-9?$!@*#-]|\{[^}]{0,200}\})/y
const ANSI_ESCAPE = /\\(?:x([\da-fA-F]{1,2})|u([\da-fA-F]{1,4})|U([\da-fA-F]{1,8})|([0-7]{1,3})|c(.)|(.))/sy
/** Firefox writes these for Latin-1 characters, a shell reads them as bytes. */
const HIGH_BYTES = /(?:\\x[89a-fA-F][\da-fA-F])+/y

export const splitPosixInSteps = (text: string): Steps<Command[]> => new PosixSplitter(text).split()
export const splitPosix = (text: string): Command[] => runToEnd(splitPosixInSteps(text))

/**
 * Splits text into commands and words. Not shell-quote or shlex: they fail on line continuations and lose line numbers and
 * expansions (docs/dependencies.md).
 */
class PosixSplitter {
  readonly #text: string
  readonly #lineAt: (offset: number) => number
  readonly #commands: Command[] = []
  #at = 0
  #words: Word[] = []
  #firstWordAt = 0
  /** The next word is the target of a redirection, not an argument. */
  #isRedirectionTarget = false
  #isPiped = false
  #pieces = 0

  constructor(text: string) {
    this.#text = text
    this.#lineAt = lineCounter(text)
  }

  *split(): Steps<Command[]> {
    while (this.#at < this.#text.length) {
      if (this.#isStepOver()) yield
      if (this.#match(BLANK) || this.#match(COMMENT)) continue
      const operator = this.#match(OPERATOR)
      if (operator) {
        const isLineBreakAfterPipe = this.#isPiped && this.#words.length === 0 && operator[0].endsWith('\n')
        if (!isLineBreakAfterPipe) this.#endCommand(operator[0])
      } else if (this.#match(HERE_DOCUMENT)) yield* this.#skipHereDocument()
      else if (this.#match(REDIRECTION)) this.#isRedirectionTarget = true
      else yield* this.#addWord()
    }
    this.#endCommand('')
    return this.#commands
  }

  #endCommand(operator: string) {
    if (this.#words.length > 0)
      this.#commands.push({ words: this.#words, line: this.#lineAt(this.#firstWordAt), isPiped: this.#isPiped })
    this.#words = []
    this.#isRedirectionTarget = false
    this.#isPiped = operator === '|'
  }

  /** Counts a piece. */
  #isStepOver(): boolean {
    return ++this.#pieces % PIECES_PER_STEP === 0
  }

  *#addWord(): Steps<void> {
    const begin = this.#at
    const word = yield* this.#readWord()
    // Such as a backslash at the very end, which begins no word.
    if (this.#at === begin) this.#at++
    else if (this.#isRedirectionTarget) this.#isRedirectionTarget = false
    else {
      if (this.#words.length === 0) this.#firstWordAt = begin
      this.#words.push(word)
    }
  }

  /** Skips the lines of a here-document, and what follows on its first line, which is rare. */
  *#skipHereDocument(): Steps<void> {
    this.#match(BLANK)
    const delimiter = (yield* this.#readWord()).text
    const text = this.#text
    let lineEnd = text.indexOf('\n', this.#at)
    while (lineEnd >= 0) {
      if (this.#isStepOver()) yield
      const begin = lineEnd + 1
      lineEnd = text.indexOf('\n', begin)
      const end = lineEnd < 0 ? text.length : lineEnd
      if (text.slice(begin, end).trim() !== delimiter) continue
      this.#at = end
      return
    }
    this.#at = text.length
  }

  // ── Words ──────────────────────────────────────────────────────────────────────────────────────────────────────

  *#readWord(): Steps<Word> {
    const parts: string[] = []
    const expansions: string[] = []
    while (this.#at < this.#text.length) {
      if (this.#isStepOver()) yield
      const unquoted = this.#match(UNQUOTED)
      if (unquoted) parts.push(unquoted[0])
      else if (this.#isAt("'")) parts.push(this.#readSingleQuoted())
      else if (this.#isAt("$'")) yield* this.#readAnsiQuoted(parts)
      else if (this.#isAt('"') || this.#isAt('$"')) yield* this.#readDoubleQuoted(parts, expansions)
      else if (this.#isAt('\\')) {
        if (this.#match(LINE_CONTINUATION)) continue
        if (this.#isLineEndAfterBackslash()) break
        parts.push(this.#text[this.#at + 1] ?? '')
        this.#at += 2
      } else if (this.#isAt('$') || this.#isAt('`')) {
        if (!this.#readExpansion(parts, expansions)) parts.push(this.#text[this.#at++]!)
      } else break
    }
    return { text: parts.join(''), expansions }
  }

  /** A shell ends the command at a backslash with blanks behind it; its author meant the line to continue. */
  #isLineEndAfterBackslash(): boolean {
    return this.#at + 1 === this.#text.length || /^\\[ \t]*\r?\n/.test(this.#text.slice(this.#at, this.#at + 100))
  }

  #readSingleQuoted(): string {
    const end = this.#text.indexOf("'", this.#at + 1)
    if (end < 0) this.#failNotClosed(this.#at, "a '")
    const content = this.#text.slice(this.#at + 1, end)
    this.#at = end + 1
    return content
  }

  *#readAnsiQuoted(parts: string[]): Steps<void> {
    const begin = this.#at
    this.#at += 2
    while (!this.#isAt("'")) {
      if (this.#isStepOver()) yield
      const plain = this.#match(UNESCAPED_ANSI)
      const bytes = plain ? null : this.#match(HIGH_BYTES)
      const escaped = plain || bytes ? null : this.#match(ANSI_ESCAPE)
      if (plain) parts.push(plain[0])
      else if (bytes) parts.push(decodeBytes(bytes[0]))
      else if (escaped) parts.push(decodeAnsiEscape(escaped))
      else if (this.#at >= this.#text.length) this.#failNotClosed(begin, "a $'")
      else parts.push(this.#text[this.#at++]!)
    }
    this.#at++
  }

  *#readDoubleQuoted(parts: string[], expansions: string[]): Steps<void> {
    const begin = this.#at
    this.#at += this.#isAt('"') ? 1 : 2
    while (!this.#isAt('"')) {
      if (this.#isStepOver()) yield
      if (this.#at >= this.#text.length) this.#failNotClosed(begin, 'a "')
      const plain = this.#match(PLAIN_IN_QUOTES)
      if (plain) parts.push(plain[0])
      else if (this.#isAt('\\')) {
        const next = this.#text[this.#at + 1] ?? ''
        if (next !== '\n') parts.push('"\\$`'.includes(next) && next ? next : `\\${next}`)
        this.#at += 2
      } else if (!this.#readExpansion(parts, expansions)) parts.push(this.#text[this.#at++]!)
    }
    this.#at++
  }

  /** Keeps an expansion as written. False if none begins here. */
  #readExpansion(parts: string[], expansions: string[]): boolean {
    const expansion =
      this.#isAt('`') || this.#isAt('$(') ? this.#readCommandSubstitution() : this.#match(PARAMETER)?.[0]
    if (expansion === undefined) return false
    parts.push(expansion)
    expansions.push(expansion)
    return true
  }

  /** `$(…)` or `` `…` `` */
  #readCommandSubstitution(): string {
    const begin = this.#at
    if (this.#isAt('`')) {
      const end = this.#text.indexOf('`', this.#at + 1)
      if (end < 0) this.#failNotClosed(begin, 'a `')
      this.#at = end + 1
    } else {
      let depth = 0
      for (this.#at++; ; this.#at++) {
        const char = this.#text[this.#at]
        if (char === undefined) this.#failNotClosed(begin, 'a $(')
        else if (char === '\\') this.#at++
        else if (char === "'" || char === '"') {
          const end = this.#text.indexOf(char, this.#at + 1)
          if (end < 0) this.#failNotClosed(this.#at, `a ${char}`)
          this.#at = end
        } else if (char === '(') depth++
        else if (char === ')' && --depth === 0) break
      }
      this.#at++
    }
    return this.#text.slice(begin, this.#at)
  }

  #isAt(prefix: string): boolean {
    return this.#text.startsWith(prefix, this.#at)
  }

  /** `pattern` is sticky. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)
    if (found) this.#at += found[0].length
    return found
  }

  /** `found` such as `a '`. */
  #failNotClosed(offset: number, found: string): never {
    const [first = '', ...rest] = lineAndColumn(this.#text, offset)
    throw new UnreadableRecording(
      `${first.toUpperCase()}${rest.join('')}: found ${found} that is never closed, expected another one before the text ends.`,
    )
  }
}

const ESCAPES: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  e: '\x1b',
  E: '\x1b',
}

function decodeAnsiEscape([whole, hex, four, eight, octal, control, other]: RegExpExecArray): string {
  const code = hex ?? four ?? eight
  if (code !== undefined) return fromCode(Number.parseInt(code, 16))
  if (octal !== undefined) return fromCode(Number.parseInt(octal, 8) & 0xff)
  if (control !== undefined) return String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f)
  if ('\\\'"?'.includes(other!)) return other!
  return ESCAPES[other!] ?? whole
}

const fromCode = (code: number) => (code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code))

function decodeBytes(escapes: string): string {
  const bytes = Buffer.from(escapes.replaceAll('\\x', ''), 'hex')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return bytes.toString('latin1')
  }
}
