import type { Check, ScenarioResult, StepResult } from '../contract/scenario-results.ts'
import { formatTitle, formatValue } from './report.ts'

/** Failures in the form that a pipeline shows beside the line of the file. */

interface Failure {
  readonly file: string
  readonly line?: number | undefined
  readonly column?: number | undefined
  readonly title: string
  readonly message: string
}

/** No lines outside of a pipeline that is known. */
export function formatAnnotations(results: readonly ScenarioResult[], env: NodeJS.ProcessEnv): string[] {
  const format = env.GITHUB_ACTIONS === 'true' ? forGithub : env.TF_BUILD === 'True' ? forAzure : undefined
  return format ? [...new Set(results.flatMap(failuresOf).map(format))] : []
}

function failuresOf(result: ScenarioResult): Failure[] {
  const { issues, file, line, trouble, steps } = result
  if (issues) return issues.map((issue) => ({ ...issue, title: 'Invalid scenario' }))
  const title = formatTitle(result)
  return [
    ...(trouble === null ? [] : [{ file, line, title, message: trouble }]),
    ...steps.filter(({ ok }) => !ok).map((step) => ({ title, ...failureOf(step) })),
  ]
}

function failureOf({ title, place, ...result }: StepResult): Omit<Failure, 'title'> {
  const parts = [result, ...(result.requests ?? [])]
  const failed = parts.flatMap(({ checks }) => checks).filter(({ ok }) => !ok)
  const reasons = [...parts.flatMap(({ trouble }) => trouble ?? []), ...failed.map(formatCheck)]
  return { ...(failed[0]?.place ?? place), message: `${title}: ${reasons.join('; ')}` }
}

const formatCheck = ({ what, expected, ...rest }: Check) =>
  `${what}: expected ${formatValue(expected)}, found ${'actual' in rest ? formatValue(rest.actual) : '(absent)'}`

const escapeWith = (codes: Readonly<Record<string, string>>) => (text: string) =>
  text.replaceAll(/[%\r\n:,;\]]/g, (character) => codes[character] ?? character)
const github = { '%': '%25', '\r': '%0D', '\n': '%0A' }
const escapeMessage = escapeWith(github)
const escapeProperty = escapeWith({ ...github, ':': '%3A', ',': '%2C' })
const azure = { '%': '%AZP25', '\r': '%0D', '\n': '%0A' }
const escapeAzureMessage = escapeWith(azure)
const escapeAzureProperty = escapeWith({ ...azure, ';': '%3B', ']': '%5D' })

function properties(
  values: Readonly<Record<string, string | number | undefined>>,
  escapeText: (text: string) => string,
) {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeText(String(value))}`],
  )
}

const forGithub = ({ file, line, column: col, title, message }: Failure) =>
  `::error ${properties({ file, line, col, title }, escapeProperty).join(',')}::${escapeMessage(message)}`

const forAzure = ({ file: sourcepath, line: linenumber, column: columnnumber, title, message }: Failure) => {
  const place = properties({ sourcepath, linenumber, columnnumber }, escapeAzureProperty)
  return `##vso[task.logissue ${['type=error', ...place].join(';')}]${escapeAzureMessage(`${title}: ${message}`)}`
}
