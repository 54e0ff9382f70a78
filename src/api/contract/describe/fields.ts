import { collectionOfField } from '../collection-names.ts'
import type { PreparedField } from '../control/describe.ts'
import { flattenShape, formatBounds, formatType, type Shape } from '../shape.ts'

/** The fields of a schema as lines, and texts that fit into the budget of a description. */

/** One token is taken as four characters. */
export const MOST_CHARACTERS = 4 * 600

/** From the longest form of a text to the shortest. */
export interface Detail {
  /** Fields of objects inside, too. */
  readonly inner: boolean
  /** What each field means. */
  readonly meanings: boolean
  /** The titles of errors beside their codes. */
  readonly titles: boolean
}
const DETAILS: readonly Detail[] = [
  { inner: true, meanings: true, titles: true },
  { inner: false, meanings: true, titles: true },
  { inner: false, meanings: true, titles: false },
  { inner: false, meanings: false, titles: false },
]

type Row = ReturnType<typeof flattenShape>[number]

/** The longest form that fits; else the shortest, without the lines before its end that are too many. */
export function fitText(
  write: (detail: Detail) => { readonly lines: readonly string[]; readonly end: readonly string[] },
  rest: string,
) {
  const join = ({ lines, end }: ReturnType<typeof write>) => [...lines, ...end].join('\n')
  for (const detail of DETAILS) {
    const text = join(write(detail))
    if (text.length <= MOST_CHARACTERS) return text
  }
  const { lines, end } = write(DETAILS.at(-1)!)
  for (let kept = lines.length - 1; kept > 0; kept--) {
    const left = lines.slice(kept).map((line) => /^ {2}(\S+) {2}/.exec(line)?.[1])
    const what = left.every(Boolean) ? left.join(', ') : `${left.length} more lines`
    const text = join({ lines: [...lines.slice(0, kept), `  … and ${what}: ${rest}`], end })
    if (text.length <= MOST_CHARACTERS) return text
  }
  return join({ lines: lines.slice(0, 1), end }).slice(0, MOST_CHARACTERS)
}

export function fieldLines(shape: Shape, { inner, meanings }: Detail, io: 'input' | 'output' = 'input'): string[] {
  const rows = flattenShape(shape)
  return rows
    .filter(({ depth }) => inner || depth === 0)
    .map((row) => {
      const facts = [typeOf(row, rows, inner), ...rulesOf(row.shape)]
      if (io === 'input' && row.required) facts.push('required')
      if (row.shape.nullable) facts.push('or null')
      const { default: given, description } = row.shape.schema
      if (given !== undefined) facts.push(`default ${JSON.stringify(given)}`)
      const meaning = meanings && description ? `: ${description}` : ''
      return `  ${row.path.replace(/^\[\]\./, '')}  ${facts.join(', ')}${meaning}`
    })
}

function typeOf({ path, shape }: Row, rows: readonly Row[], inner: boolean): string {
  if (shape.kind === 'choice') return shape.options.join('|')
  if (shape.kind === 'list' && shape.item?.kind === 'choice') return `list of ${shape.item.options.join('|')}`
  const inside = rows.filter((row) => row.path.startsWith(`${path}.`) || row.path.startsWith(`${path}[].`))
  if (inner || inside.length === 0) return formatType(shape)
  const least = Math.min(...inside.map(({ depth }) => depth))
  const names = inside.filter(({ depth }) => depth === least).map(({ name }) => name)
  return `${formatType(shape)} {${names.join(', ')}}`
}

/** The sentence of the contract, if it has one; else its bounds. */
function rulesOf(shape: Shape): readonly string[] {
  const { rule } = shape.schema
  return typeof rule === 'string' ? [rule.replace(/,? (?:is|are) expected$/, '')] : formatBounds(shape)
}

/** The fields inside a field, or the field alone. */
export function fieldAt(shape: Shape, path: string): Shape | undefined {
  const wanted = path.toLowerCase()
  return flattenShape(shape).find((row) => row.path.replaceAll('[]', '').replace(/^\./, '').toLowerCase() === wanted)
    ?.shape
}

/** Those that have a value of their own, for completion. `uid` is one of the collection that a method is named after. */
export function prepareFields(shape: Shape, collection = ''): PreparedField[] {
  const rows = flattenShape(shape).map((row) => ({ ...row, path: row.path.replaceAll('[]', '') }))
  return rows
    .filter(({ path }) => !rows.some((other) => other.path.startsWith(`${path}.`)))
    .map(({ path, name, shape: { kind, options, item } }) => {
      const choices = kind === 'boolean' ? ['true', 'false'] : (item ?? { options }).options
      const values = choices.filter((value) => !/\s/.test(value))
      const named = collectionOfField(name, collection.replace(/s$/, ''))
      return { path, ...(values.length > 0 ? { values } : {}), ...(named ? { collection: named } : {}) }
    })
}
