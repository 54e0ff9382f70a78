import { runToEnd, type Steps } from '../../store/steps.ts'
import { type Command, lineCounter, notClosed, PIECES_PER_STEP, type Word } from './shell-words.ts'

/** `%NAME%`, but not percent-encoding in a URL, such as `%20`. */
const VARIABLE = /%(?![\dA-Fa-f]{2}(?:%|[^A-Z_]))[A-Za-z_]\w{2,}%/y
/** Between the two parsers, marks a character that the second one takes literally. No command line contains it. */
const LITERAL = '\0'
/** Browsers double every backslash; a program's start undoes that only before a quote. */
const DOUBLED_BACKSLASH = '^\\^\\'

/**
 * Two parsers in a row: cmd removes carets and ends commands at `&`, `|` and line ends; then the start of the program splits
 * the rest at blanks, with `\"` and `""` for a quote.
 */
export const splitCmd = (text: string): Command[] => runToEnd(splitCmdInSteps(text))

export function* splitCmdInSteps(text: string): Steps<Command[]> {
  const commands: Command[] = []
  const lineAt = lineCounter(text)
  let at = 0
  let isPiped = false
  while (at < text.length) {
    const begin = at + /^\s*/.exec(text.slice(at, at + 1000))![0].length
    const { line, end, operator } = yield* readLine(text, at)
    at = end
    const words = isComment(line) ? [] : yield* splitWords(line)
    if (words === undefined) throw notClosed(text, begin, 'a command with a "', 'the line ends')
    if (words.length > 0) commands.push({ words, line: lineAt(begin), isPiped })
    isPiped = operator === '|'
    yield
  }
  return commands
}

const PLAIN = /[^^"\r\n&|]+/y
const PLAIN_IN_QUOTES = /[^"\r\n]+/y

/** The first parser: one command, with its carets removed. */
function* readLine(
  text: string,
  begin: number,
): Steps<{ readonly line: string; readonly end: number; readonly operator: string }> {
  const parts: string[] = []
  let isQuoted = false
  let quotedAt = begin
  let operator = ''
  let at = begin
  for (let pieces = 1; at < text.length; at++, pieces++) {
    if (pieces % PIECES_PER_STEP === 0) yield
    const plain = isQuoted ? PLAIN_IN_QUOTES : PLAIN
    plain.lastIndex = at
    const run = plain.exec(text)?.[0]
    if (run !== undefined) {
      parts.push(run)
      at += run.length - 1
      continue
    }
    const char = text[at]!
    if (!isQuoted && text.startsWith(DOUBLED_BACKSLASH, at)) {
      parts.push(`${LITERAL}\\`)
      at += DOUBLED_BACKSLASH.length - 1
    } else if (char === '^' && !isQuoted) {
      at++
      // A caret at the end of a line joins it with the next, whose first character is literal.
      if (text.startsWith('\r\n', at)) at += 2
      else if (text[at] === '\n') at++
      if (text.startsWith('\r\n', at)) at++
      const next = text[at] ?? ''
      parts.push(parts.at(-1)?.endsWith('%') && /\w/.test(next) ? LITERAL + next : next)
    } else if (char === '"') {
      isQuoted = !isQuoted
      quotedAt = at
      parts.push(char)
    } else if (char === '\n' || (!isQuoted && (char === '&' || char === '|'))) {
      operator = char
      break
    } else if (char !== '\r') parts.push(char)
  }
  if (isQuoted) throw notClosed(text, quotedAt, 'a "', 'the line ends')
  return { line: parts.join(''), end: at + 1, operator }
}

const isComment = (line: string) => /^\s*(?:#|::|rem\b)/i.test(line)

const PLAIN_IN_WORD = /[^ \t\0\\"%]+/y
const PLAIN_IN_QUOTED_WORD = /[^\0\\"%]+/y

/** The second parser. undefined if a quote is never closed. */
function* splitWords(line: string): Steps<Word[] | undefined> {
  const words: Word[] = []
  let at = 0
  let pieces = 0
  const skipBlanks = () => {
    while (line[at] === ' ' || line[at] === '\t') at++
  }
  skipBlanks()
  while (at < line.length) {
    const parts: string[] = []
    const expansions: string[] = []
    let isQuoted = false
    while (at < line.length && (isQuoted || (line[at] !== ' ' && line[at] !== '\t'))) {
      if (++pieces % PIECES_PER_STEP === 0) yield
      const plain = isQuoted ? PLAIN_IN_QUOTED_WORD : PLAIN_IN_WORD
      plain.lastIndex = at
      const run = plain.exec(line)?.[0]
      if (run !== undefined) {
        parts.push(run)
        at += run.length
        continue
      }
      if (line[at] === LITERAL) {
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
        const variable = variableAt(line, at)
        if (variable !== undefined) expansions.push(variable)
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
    words.push({ text: parts.join(''), expansions })
    skipBlanks()
  }
  return words
}

function variableAt(line: string, offset: number): string | undefined {
  VARIABLE.lastIndex = offset
  return line[offset] === '%' ? VARIABLE.exec(line)?.[0] : undefined
}
