import type { Customer } from '../../contract/resources/customers.ts'
import type { Product } from '../../contract/resources/products.ts'
import { isBlank } from '../../contract/terms/texts.ts'

type Requirement = Product['profile_requirements'][number]
type Response = Customer['profile_responses'][number]

/** The error of a response, by the type of its requirement; undefined for a valid one. */
const checks: Record<Requirement['requirement_type'], (text: string, values: readonly string[]) => string | undefined> =
  {
    string: (text) => (isBlank(text) ? "can't be blank" : undefined),
    number: (text) => (/^-?\d+(\.\d+)?$/.test(text) ? undefined : 'must be a number'),
    integer_greater: (text, [least = '0']) =>
      /^-?\d+$/.test(text) && BigInt(text) > BigInt(least) ? undefined : `must be a whole number greater than ${least}`,
    fixed_list: (text, values) => (values.includes(text) ? undefined : `must be one of ${values.join(', ')}`),
    ordered_list: (text, values) => {
      const chosen = orderedList(text)
      const fits = chosen?.every((item) => values.includes(item)) && new Set(chosen).size === chosen.length
      return fits ? undefined : `must be an ordered list of ${values.join(', ')}, each at most once`
    },
  }

/** Stored as text, as the API shows it: a JSON list. */
function orderedList(text: string): string[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.length > 0 && list.every((item) => typeof item === 'string') ? list : undefined
  } catch {
    return undefined
  }
}

export function findProfileErrors(requirements: readonly Requirement[], responses: readonly Response[]): string[] {
  return requirements.flatMap((requirement) => {
    const label = `Profile requirement "${requirement.profile_requirement}"`
    const given = responses.find((response) => response.profile_requirement_uid === requirement.profile_requirement_uid)
    if (!given) return requirement.required ? [`${label} can't be blank`] : []
    const wrong = checks[requirement.requirement_type](given.profile_response, requirement.response_values)
    return wrong ? [`${label} ${wrong}`] : []
  })
}
