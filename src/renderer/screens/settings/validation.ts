import { z } from 'zod'
import { ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { isListName } from './changes.ts'

/** An error text for each wrong field, by its path, e.g. `products.0.name`. */
export type FieldErrors = Readonly<Record<string, string>>

const ChangesSchema = ProgramChanges.extend({
  name: z.string().trim().min(1, { error: 'a name is expected' }).optional(),
})

/** Checks changes against the contract. */
export function validateChanges(changes: object): FieldErrors {
  const result = ChangesSchema.safeParse(changes)
  if (result.success) return {}
  const errors: Record<string, string> = {}
  for (const issue of result.error.issues) {
    // In a setting that is a list, an error of a line is an error of the setting.
    const isOfList = isListName(issue.path[0])
    const path = issue.path.filter((part, i) => i === 0 || typeof part === 'string' || isOfList).join('.')
    const line = issue.path.find((part) => typeof part === 'number')
    errors[path] ??= `${describeIssue(issue)}${line === undefined || isOfList ? '' : ` (line ${line + 1})`}`
  }
  return errors
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.expected === 'int' || issue.expected === 'number'
      ? 'a whole number is expected, e.g. 24'
      : `${issue.expected} is expected`
  if (issue.code === 'too_small') return `at least ${issue.minimum} is expected`
  if (issue.code === 'too_big') return `at most ${issue.maximum} is expected`
  if (issue.code === 'invalid_format' && issue.format === 'regex' && /^Invalid/.test(issue.message))
    return 'an amount is expected, e.g. 1000.00'
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')} is expected`
  return issue.message
}

/** The errors of the fields of a list. */
export const pickErrors = (list: string, errors: FieldErrors): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => path.startsWith(list)))

/** Reads the field from an error of the API, e.g. `limits.ach.minimum_amount: 5.00 is more than …`. */
export function parseRefusal(refusal: string | null): FieldErrors {
  const [, path, text] = /(?:^|: )([a-z_]+(?:\.[a-z_\d]+)*): (.+)$/s.exec(refusal ?? '') ?? []
  return path === undefined || text === undefined ? {} : { [path]: text }
}
