import type { Check, ScenarioResult, StepResult } from '../contract/scenario-results.ts'

/** Formats scenario results: as text, as one JSON document, as JUnit XML. */

export const formatTitle = ({ name, example }: Pick<ScenarioResult, 'name' | 'example'>): string =>
  example === null ? name : `${name} (${example})`

/** One line if it passed; if it failed, also where, what was expected and what was found. */
export function formatReport(result: ScenarioResult): string {
  const line = `${result.ok ? '✓' : '✗'} ${formatTitle(result)}  ${Math.round(result.ms)} ms`
  return result.ok ? line : [line, ...explainFailure(result)].join('\n')
}

export function formatSummary(results: readonly ScenarioResult[]): string {
  const failed = results.filter(({ ok }) => !ok).length
  const ms = Math.round(total(results))
  return failed === 0
    ? `${formatCount(results.length, 'scenario')} passed in ${ms} ms`
    : `${failed} of ${formatCount(results.length, 'scenario')} failed, in ${ms} ms`
}

export const formatJson = (results: readonly ScenarioResult[]): string =>
  JSON.stringify({
    passed: results.filter(({ ok }) => ok).length,
    failed: results.filter(({ ok }) => !ok).length,
    ms: total(results),
    scenarios: results,
  })

const formatCount = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
const total = (results: readonly ScenarioResult[]) => Math.round(results.reduce((sum, { ms }) => sum + ms, 0) * 10) / 10

function explainFailure({ steps, left, trouble }: ScenarioResult): string[] {
  const all = steps.length + left
  return [
    ...(trouble === null ? [] : [`  ${trouble}`]),
    ...steps.filter(({ ok }) => !ok).flatMap((step) => explainStep(step, all)),
    ...(left > 0 ? [`  not run: ${formatCount(left, 'step')}`] : []),
  ]
}

function explainStep({ place, index, title, requests = [], ...result }: StepResult, all: number): string[] {
  return [
    `  ${place.file}:${place.line}:${place.column}  step ${index + 1} of ${all}: ${title}`,
    ...explainResult(result),
    ...requests
      .filter(({ ok }) => !ok)
      .flatMap(({ title: request, ...failed }) => [`    request: ${request}`, ...explainResult(failed)]),
  ]
}

function explainResult({
  trouble,
  checks,
  sent,
  answer,
}: Pick<StepResult, 'trouble' | 'checks' | 'sent' | 'answer'>): string[] {
  const failed = checks.filter(({ ok }) => !ok)
  return [
    ...(trouble === null ? [] : [`    ${trouble}`]),
    ...(failed.length === 0 ? [] : table(failed)),
    ...(sent ? [`    sent      ${[sent.method, sent.path, shorten(sent.body)].join(' ').trim()}`] : []),
    ...(answer
      ? [
          `    answered  ${answer.status === 0 ? 'nothing: the connection was dropped' : `${answer.status} ${shorten(answer.body)}`}`,
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
      formatValue(expected),
      'actual' in rest ? formatValue(rest.actual) : '(absent)',
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows.map((row) => `    ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join('  ')}`.trimEnd())
}

const formatValue = (value: unknown): string =>
  value === '2xx' || value === 'dropped' ? value : shorten(JSON.stringify(value))

const MAX_LENGTH = 1_500
const shorten = (text: string) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text

// ── JUnit ────────────────────────────────────────────────────────────────────────────────────────────────────────

/** One suite for each file, one case for each scenario or row of its examples. */
export function formatJunit(results: readonly ScenarioResult[]): string {
  const files = [...new Set(results.map(({ file }) => file))]
  const suites = files.map((file) => {
    const own = results.filter((result) => result.file === file)
    return element('testsuite', { name: file, ...counts(own) }, own.map(testCase))
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

function testCase(result: ScenarioResult): string {
  const attributes = { classname: result.file, name: formatTitle(result), time: seconds(result.ms) }
  if (result.ok) return element('testcase', attributes, [])
  const lines = explainFailure(result)
  return element('testcase', attributes, [
    element('failure', { message: (lines[0] ?? '').trim() }, [escapeXml(lines.join('\n'))]),
  ])
}

function element(name: string, attributes: Readonly<Record<string, string>>, children: readonly string[]): string {
  const formatted = Object.entries(attributes).map(([key, text]) => ` ${key}="${escapeXml(text)}"`)
  return `<${name}${formatted.join('')}>${children.join('\n')}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 cannot represent most control characters, nor lone surrogates. */
const escapeXml = (text: string) =>
  text
    .toWellFormed()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it replaces.
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)
