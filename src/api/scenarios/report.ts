import type { Check, ScenarioResult, StepResult } from '../contract/scenario-results.ts'

/** What came of scenarios: in words for people, as one JSON document, as JUnit's XML. Pure text. */

export const titleOf = ({ name, example }: Pick<ScenarioResult, 'name' | 'example'>): string =>
  example === null ? name : `${name} (${example})`

/** A line for one that passed; for one that failed, also where, what was expected and what there was. */
export function formatReport(result: ScenarioResult): string {
  const line = `${result.ok ? '✓' : '✗'} ${titleOf(result)}  ${Math.round(result.ms)} ms`
  return result.ok ? line : [line, ...whyNot(result)].join('\n')
}

export function summary(results: readonly ScenarioResult[]): string {
  const failed = results.filter(({ ok }) => !ok).length
  const ms = Math.round(total(results))
  return failed === 0
    ? `${counted(results.length, 'scenario')} passed in ${ms} ms`
    : `${failed} of ${counted(results.length, 'scenario')} failed, in ${ms} ms`
}

export const asJson = (results: readonly ScenarioResult[]): string =>
  JSON.stringify({
    passed: results.filter(({ ok }) => ok).length,
    failed: results.filter(({ ok }) => !ok).length,
    ms: total(results),
    scenarios: results,
  })

const counted = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
const total = (results: readonly ScenarioResult[]) => Math.round(results.reduce((sum, { ms }) => sum + ms, 0) * 10) / 10

function whyNot({ steps, left, trouble }: ScenarioResult): string[] {
  const all = steps.length + left
  return [
    ...(trouble === null ? [] : [`  ${trouble}`]),
    ...steps.filter(({ ok }) => !ok).flatMap((step) => whyStep(step, all)),
    ...(left > 0 ? [`  not run any more: ${counted(left, 'step')}`] : []),
  ]
}

function whyStep({ place, index, title, trouble, checks, sent, answer }: StepResult, all: number): string[] {
  const failed = checks.filter(({ ok }) => !ok)
  return [
    `  ${place.file}:${place.line}:${place.column}  step ${index + 1} of ${all}: ${title}`,
    ...(trouble === null ? [] : [`    ${trouble}`]),
    ...(failed.length === 0 ? [] : table(failed)),
    ...(sent ? [`    sent      ${[sent.method, sent.path, cut(sent.body)].join(' ').trim()}`] : []),
    ...(answer
      ? [
          `    answered  ${answer.status === 0 ? 'nothing: the connection was dropped' : `${answer.status} ${cut(answer.body)}`}`,
        ]
      : []),
  ]
}

/** Expected and actual side by side. */
function table(failed: readonly Check[]): string[] {
  const rows = [
    ['line', '', 'expected', 'actual'],
    ...failed.map(({ place, what, expected, ...rest }) => [
      String(place.line),
      what,
      value(expected),
      'actual' in rest ? value(rest.actual) : '(absent)',
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => `    ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
}

/** Status words stand as they are. */
const value = (given: unknown): string => (given === '2xx' || given === 'dropped' ? given : cut(JSON.stringify(given)))

const LONGEST = 1_500
const cut = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST)}… (${text.length} characters)` : text)

// ── JUnit ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** A suite for each file, a case for each scenario or row of its examples. */
export function junit(results: readonly ScenarioResult[]): string {
  const files = [...new Set(results.map(({ file }) => file))]
  const suites = files.map((file) => {
    const own = results.filter((result) => result.file === file)
    return element('testsuite', { name: file, ...counts(own) }, own.map(caseOf))
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'sandbank run', ...counts(results) }, suites)}\n`
}

const counts = (results: readonly ScenarioResult[]) => ({
  tests: String(results.length),
  failures: String(results.filter(({ ok }) => !ok).length),
  errors: '0',
  time: seconds(total(results)),
})
const seconds = (ms: number) => (ms / 1000).toFixed(3)

function caseOf(result: ScenarioResult): string {
  const attributes = { classname: result.file, name: titleOf(result), time: seconds(result.ms) }
  if (result.ok) return element('testcase', attributes, [])
  const why = whyNot(result)
  return element('testcase', attributes, [
    element('failure', { message: (why[0] ?? '').trim() }, [escaped(why.join('\n'))]),
  ])
}

function element(name: string, attributes: Readonly<Record<string, string>>, inside: readonly string[]): string {
  const written = Object.entries(attributes).map(([key, text]) => ` ${key}="${escaped(text)}"`)
  return `<${name}${written.join('')}>${inside.join('\n')}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML has no way to write most control characters, nor half of a pair. */
const escaped = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)
