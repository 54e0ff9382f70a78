import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, Script } from 'node:vm'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, it } from 'vitest'

/**
 * "No text from outside can stop the process": every regular expression of src is run on repetitive texts that are built
 * from its own parts. On a text of this length linear work takes about a millisecond, and quadratic work takes seconds, so
 * a limit of one second, exceeded three times in a row, is no measurement of speed.
 */

const LENGTH = 200_000
const LIMIT_MS = 1_000

const src = join(import.meta.dirname, '..', 'src')

/** Where a pattern is built at run time, and why it takes linear time. */
const BUILT: Readonly<Record<string, string>> = {
  'api/contract/terms/addresses.ts': 'one class of characters',
  'api/contract/terms/examples.ts': 'alternatives of fixed texts',
  'api/http/documents.ts': 'alternatives of fixed texts, for our own document',
  'api/replay/bundles/mask-text.ts': 'alternatives of fixed texts, and words with a fixed beginning',
  'api/scenarios/expressions.ts': 'alternatives that begin with different characters, for a text of one value',
  'api/scenarios/match.ts': 'the `matches` of a scenario is a pattern of the operator, who has the control key',
  'renderer/components/list/model.ts': 'the escaped text of a search field',
}

interface Pattern {
  readonly at: string
  readonly source: string
  readonly flags: string
}

function readPatterns() {
  const patterns: Pattern[] = []
  const built = new Set<string>()
  for (const file of readdirSync(src, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file)) continue
    const text = readFileSync(join(src, file), 'utf8')
    const lineOf = (offset: number) => text.slice(0, offset).split('\n').length
    new Visitor({
      Literal(node) {
        if ('regex' in node && node.regex)
          patterns.push({ at: `${file}:${lineOf(node.start)}`, source: node.regex.pattern, flags: node.regex.flags })
      },
      NewExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') built.add(file.replaceAll('\\', '/'))
      },
    }).visit(parseSync(file, text).program)
  }
  return { patterns, built: [...built].sort() }
}

// ── Repetitive texts for a pattern ──────────────────────────────────────────────────────────────────────────────────

const CANDIDATES = [...'aA0 -._%@"\'\\/:;,=&?#*+<>()[]{}|$^~!\n\t', 'é', '山', '\u0301', 'ſ', '•', '\u0000']
const UNIVERSAL = [
  ...'aA0 -._%@"\\/:,=&?(["{<*\n',
  'eyJ',
  '"a',
  '\\"',
  '(?',
  '%2D',
  'a.',
  'a ',
  '1.',
  '0-',
  '=a&',
  'é',
  'aé',
]

/** One text for each part of the pattern that matches a character: `\d{3}-` gives `0`, `-`. */
function partsOf(source: string, flags: string): string[] {
  const token =
    /\\[pP]\{[^}]*\}|\\u\{?[\da-fA-F]+\}?|\\x..|\\k<[^>]*>|\\.|\[(?:\\.|[^\]\\])*\]|\(\?<?[=!:]|\(\?<\w+>|\{[\d,]+\}|./gsu
  return [...source.matchAll(token)].flatMap(([part]) => {
    if (/^(?:[()|?*+^$]|\(\?.*|\{[\d,]+\}|\\[bBk\d].*)$/su.test(part)) return []
    try {
      const one = new RegExp(`^(?:${part})$`, flags.replaceAll(/[gy]/g, ''))
      const sample = CANDIDATES.find((character) => one.test(character)) ?? (/^[^\\[]/u.test(part) ? part : undefined)
      return sample === undefined ? [] : [sample]
    } catch {
      return []
    }
  })
}

function attacksOn({ source, flags }: Pattern): string[] {
  const parts = partsOf(source, flags).slice(0, 40)
  const units = new Set(UNIVERSAL)
  for (let from = 0; from < parts.length; from++)
    for (const to of [from + 1, from + 2, from + 3, from + 5, parts.length]) units.add(parts.slice(from, to).join(''))
  const all = new Set<string>()
  for (const unit of units) {
    const text = unit.repeat(Math.ceil(LENGTH / unit.length))
    all.add(text)
    all.add(`${text}\u0000`)
  }
  // A beginning that matches, a part that repeats, and an end that does not match.
  for (let at = 1; at < Math.min(parts.length, 12); at++)
    for (const unit of new Set([parts[at]!, parts[at - 1]!, 'a', ' ', '0']))
      all.add(`${parts.slice(0, at).join('')}${unit.repeat(LENGTH)}\u0000`)
  return [...all]
}

// ── Running them ────────────────────────────────────────────────────────────────────────────────────────────────────

const context = createContext({ pattern: /x/, text: '' })
const run = new Script('text.replaceAll(pattern, "")')

/** True if one of three runs ends within the limit. */
function isFast(pattern: RegExp, text: string): boolean {
  Object.assign(context, { pattern, text })
  for (let attempt = 0; attempt < 3; attempt++)
    try {
      run.runInContext(context, { timeout: LIMIT_MS })
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error
    }
  return false
}

/** Returns the first text that takes too long. */
function findSlowText(pattern: Pattern): string | undefined {
  const flags = [...new Set(`${pattern.flags}g`)].join('')
  const compiled = new RegExp(pattern.source, flags)
  const slow = attacksOn(pattern).find((text) => !isFast(compiled, text))
  return slow && `${pattern.at} /${pattern.source}/ on ${JSON.stringify(slow.slice(0, 24))}…`
}

const { patterns, built } = readPatterns()

it('every regular expression takes linear time on repetitive texts', { timeout: 600_000 }, () => {
  expect(patterns.length).toBeGreaterThan(200)
  expect(patterns.flatMap((pattern) => findSlowText(pattern) ?? [])).toEqual([])
})

it('every pattern that is built at run time is listed with its reason', () => {
  expect(built).toEqual(Object.keys(BUILT).sort())
})

it('finds the quadratic pattern that once stopped the process', () => {
  const source = String.raw`(?:auth-)?eyJ[\w-]+\.[\w-]*\.[\w-]*`
  expect(findSlowText({ at: 'redact.ts', source, flags: 'g' })).toContain('eyJeyJ')
})
