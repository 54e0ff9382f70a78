import { StartOptions } from '../../api/contract/library.ts'
import { findNearest } from '../../api/contract/terms/nearest.ts'
import type { SandboxOptions } from './sandbox-options.ts'

/** Checks the options of `startSandbox()`, which JavaScript does not: a misspelled one would start another sandbox than was meant. */

export function parseOptions(given: SandboxOptions & { readonly child?: boolean | undefined }): StartOptions {
  const parsed = StartOptions.safeParse(given)
  if (parsed.success) return parsed.data
  throw new TypeError(`startSandbox: ${parsed.error.issues.flatMap((issue) => explain(issue, given)).join('; ')}`)
}

type Issue = NonNullable<ReturnType<typeof StartOptions.safeParse>['error']>['issues'][number]

function explain(issue: Issue, given: object): string[] {
  const [name] = issue.path
  if (issue.code === 'unrecognized_keys') return issue.keys.map(explainUnknown)
  if (name === undefined) return [`found ${print(given)}, expected an object with options`]
  const value = (given as Record<PropertyKey, unknown>)[name]
  // A key may be printed in the log of a pipeline.
  const found = name === 'control_key' && typeof value === 'string' ? `${value.length} characters` : print(value)
  return [`${String(name)}: found ${found}, expected ${issue.message}`]
}

function explainUnknown(name: string): string {
  const known: (keyof SandboxOptions | 'child')[] = StartOptions.keyof().options
  const meant = findNearest(name, known)
  return `there is no option ${name}${meant === undefined ? '' : `: did you mean ${meant}`}? Known: ${known.join(', ')}`
}

const print = (value: unknown): string => {
  if (value instanceof Date) return String(value)
  const text = typeof value === 'string' || typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
