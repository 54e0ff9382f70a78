import { type Command, lineCounter, notClosed, type Word } from './shell-words.ts'

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
export function splitCmd(text: string): Command[] {
  const commands: Command[] = []
  const lineAt = lineCounter(text)
  let at = 0
  let isPiped = false
  while (at < text.length) {
    const begin = at + /^\s*/.exec(text.slice(at, at + 1000))![0].length
    const { line, end, operator } = readLine(text, at)
    at = end
    const words = isComment(line) ? [] : splitWords(line)
    if (words === undefined) throw notClosed(text, begin, 'a command with a "', 'the line ends')
    if (words.length > 0) commands.push({ words, line: lineAt(begin), isPiped })
    isPiped = operator === '|'
  }
  return commands
}

/** The first parser: one command, with its carets removed. */
function readLine(text: string, begin: number) {
  const parts: string[] = []
  let isQuoted = false
  let quotedAt = begin
  let operator = ''
  let at = begin
  for (; at < text.length; at++) {
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
      parts.push(parts.at(-1) === '%' && /\w/.test(next) ? LITERAL + next : next)
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

/** The second parser. undefined if a quote is never closed. */
function splitWords(line: string): Word[] | undefined {
  const words: Word[] = []
  let at = 0
  const skipBlanks = () => {
    while (line[at] === ' ' || line[at] === '\t') at++
  }
  skipBlanks()
  while (at < line.length) {
    const parts: string[] = []
    const expansions: string[] = []
    let isQuoted = false
    while (at < line.length && (isQuoted || (line[at] !== ' ' && line[at] !== '\t'))) {
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
