import type { Check, ScenarioResult, StepResult } from '../contract/scenario-results.ts'
import { escapeControls, escapeControlsInLines } from '../contract/terms/texts.ts'
import { formatIssue } from './file.ts'

/** Formats scenario results: as text, as one JSON document, as JUnit XML. */

type ScenarioTitle = Pick<ScenarioResult, 'name' | 'example' | 'file'>

export const formatTitle = ({ name, example }: Pick<ScenarioResult, 'name' | 'example'>): string =>
  escapeControls(example === null ? name : `${name} (${example})`)

/** One line if it passed; if it failed, also where, what was expected and what was found. */
export function formatReport(result: ScenarioResult): string {
  if (result.issues) return `✗ ${formatTitle(result)}  cannot be run`
  const line = `${result.ok ? '✓' : '✗'} ${formatTitle(result)}  ${Math.round(result.ms)} ms`
  return result.ok ? line : [line, ...explainFailure(result)].join('\n')
}

/** `notRun`: those after the first failure, with --bail. */
export function formatSummary(results: readonly ScenarioResult[], notRun: readonly ScenarioTitle[] = []): string {
  const failed = results.filter(({ ok }) => !ok).length
  const ms = Math.round(total(results))
  if (failed === 0) return `${formatCount(results.length, 'scenario')} passed in ${ms} ms`
  const summary = `${failed} of ${formatCount(results.length, 'scenario')} failed, in ${ms} ms`
  return notRun.length === 0 ? summary : `${summary}; ${notRun.length} ${notRun.length === 1 ? 'was' : 'were'} not run`
}

export const formatJson = (results: readonly ScenarioResult[], notRun: readonly ScenarioTitle[] = []): string =>
  JSON.stringify({
    passed: results.filter(({ ok }) => ok).length,
    failed: results.filter(({ ok }) => !ok).length,
    not_run: notRun.length,
    ms: total(results),
    scenarios: results,
  })

export const formatCount = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`
const total = (results: readonly ScenarioResult[]) => Math.round(results.reduce((sum, { ms }) => sum + ms, 0) * 10) / 10

function explainFailure({ steps, left, trouble }: ScenarioResult): string[] {
  const all = steps.length + left
  return [
    // It may be an internal error, with its stack.
    ...(trouble?.split('\n').map((line) => `  ${line}`) ?? []),
    ...steps.filter(({ ok }) => !ok).flatMap((step) => explainStep(step, all)),
    ...(left > 0 ? [`  not run: ${formatCount(left, 'step')}`] : []),
  ].map(escapeControls)
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

export const formatValue = (value: unknown): string =>
  value === '2xx' || value === 'dropped' ? value : shorten(JSON.stringify(value))

const MAX_LENGTH = 1_500
const shorten = (text: string) =>
  text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}… (${text.length} characters)` : text

// ── JUnit ────────────────────────────────────────────────────────────────────────────────────────────────────────

interface JunitReport {
  readonly results: readonly ScenarioResult[]
  /** Those after the first failure, with --bail. */
  readonly notRun?: readonly (ScenarioTitle & { readonly line: number })[]
  /** Why there is no scenario at all. */
  readonly nothing?: string | undefined
}

interface JunitCase {
  readonly file: string
  readonly name: string
  readonly line?: number | undefined
  readonly ms: number
  readonly outcome?: 'failure' | 'error' | 'skipped'
  readonly lines: readonly string[]
}

/** One suite for each file, one case for each scenario or row of its examples. It always has a case, as pipelines ignore an empty report. */
export function formatJunit({ results, notRun = [], nothing }: JunitReport): string {
  const cases: JunitCase[] = [
    ...results.map(toCase),
    ...notRun.map(({ file, line, ...title }) => ({
      file,
      line,
      name: formatTitle(title),
      ms: 0,
      outcome: 'skipped' as const,
      lines: ['not run: an earlier scenario failed'],
    })),
    ...(nothing === undefined
      ? []
      : [{ file: 'sandbank run', name: 'sandbank run', ms: 0, outcome: 'error' as const, lines: [nothing] }]),
  ]
  const files = [...new Set(cases.map(({ file }) => file))]
  const suites = files.map((file) => {
    const own = cases.filter((one) => one.file === file)
    return element('testsuite', { name: file, ...counts(own) }, own.map(testCase))
  })
  const { skipped: _, ...total } = counts(cases)
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element('testsuites', { name: 'sandbank run', ...total }, suites)}\n`
}

function toCase(result: ScenarioResult): JunitCase {
  const { file, line, ok, issues, ms } = result
  const one = { file, name: formatTitle(result), ms }
  if (issues) return { ...one, line: issues[0]?.line, outcome: 'error', lines: issues.map(formatIssue) }
  if (ok) return { ...one, line, lines: [] }
  return { ...one, line: lineOfFailure(result) ?? line, outcome: 'failure', lines: explainFailure(result) }
}

/** Of the first failed expectation, or of the failed step, if it is in the file of the scenario. */
function lineOfFailure({ file, steps }: ScenarioResult): number | undefined {
  const failed = steps.find(({ ok }) => !ok)
  const checks = [...(failed?.checks ?? []), ...(failed?.requests ?? []).flatMap((request) => request.checks)]
  const place = checks.find(({ ok }) => !ok)?.place ?? failed?.place
  return place?.file === file ? place.line : undefined
}

const counts = (cases: readonly JunitCase[]) => {
  const count = (outcome: JunitCase['outcome']) => String(cases.filter((one) => one.outcome === outcome).length)
  return {
    tests: String(cases.length),
    failures: count('failure'),
    errors: count('error'),
    skipped: count('skipped'),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
  }
}
const seconds = (ms: number) => (ms / 1000).toFixed(3)

function testCase({ file, line, name, ms, outcome, lines }: JunitCase): string {
  const place = line === undefined ? { file } : { file, line: String(line) }
  const attributes = { classname: file, name, ...place, time: seconds(ms) }
  if (outcome === undefined) return element('testcase', attributes, [])
  const message = { message: (lines[0] ?? '').trim() }
  return element('testcase', attributes, [
    element(outcome, message, outcome === 'skipped' ? [] : [escapeXml(lines.join('\n'))]),
  ])
}

function element(name: string, attributes: Readonly<Record<string, string>>, children: readonly string[]): string {
  const formatted = Object.entries(attributes).map(([key, text]) => ` ${key}="${escapeXml(text)}"`)
  return `<${name}${formatted.join('')}>${children.join('\n')}</${name}>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** XML 1.0 cannot represent most control characters, nor lone surrogates. */
const escapeXml = (text: string) =>
  escapeControlsInLines(text.toWellFormed())
    .replaceAll(/[\ufffe\uffff]/g, '\ufffd')
    .replaceAll(/[&<>"]/g, (character) => ENTITIES[character]!)
