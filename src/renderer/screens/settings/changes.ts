import type { ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { valueAt } from '../../forms/values.ts'
import { type Draft, EMPTY_DRAFT, useDrafts } from './draft.ts'
import { allSettings } from './fields.ts'

const LISTS = ['products', 'synthetic_account_types'] as const
type ListName = (typeof LISTS)[number]

export const isListName = (name: unknown): name is ListName => LISTS.some((list) => list === name)

export const getSavedValue = (path: string, program: Program): unknown => valueAt(program, path.split('.'))

export const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const PATHS: readonly string[] = [...allSettings.map(({ path }) => path), ...LISTS]

/** The paths of what has changed, in the order of the screen. */
export const findChanges = (program: Program, draft: Draft): readonly string[] =>
  PATHS.filter((path) => path in draft && isChanged(path, program, draft[path]))

export function isChanged(path: string, program: Program, value: unknown): boolean {
  const comparable = (one: unknown) =>
    // A new order of a list of texts is no change.
    isListName(path) ? buildListInput(path, program, one) : Array.isArray(one) ? one.toSorted() : one
  return !isEqual(comparable(value), comparable(getSavedValue(path, program)))
}

/** The number of unsaved changes of all Programs. */
export function useUnsavedCount(): number {
  const programs = useFeed((feed) => feed.programs)
  const drafts = useDrafts((state) => state.drafts)
  return programs.reduce((sum, program) => sum + findChanges(program, drafts[program.uid] ?? EMPTY_DRAFT).length, 0)
}

/** The input for `programs.update`: only what changed. */
export function buildChanges(program: Program, draft: Draft): ProgramChanges & { name?: string } {
  const changes: Record<string, unknown> = {}
  for (const path of findChanges(program, draft)) {
    const names = path.split('.')
    const last = names.pop()!
    let at = changes
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>
    at[last] = isListName(path) ? buildListInput(path, program, draft[path]) : normalizeValue(path, draft[path])
  }
  return changes
}

/** Completes the cents of an amount. Other text stays as it is, so that the contract refuses it. */
function normalizeValue(path: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  const { shape } = allSettings.find((setting) => setting.path === path)!
  return shape.kind !== 'amount' ? text : /^-?\d+$/.test(text) ? `${text}.00` : text.replace(/(\.\d)$/, '$10')
}

/** All entries of a list, because an entry that is not sent is withdrawn, each with only its changed fields. */
function buildListInput(name: ListName, program: Program, list: unknown) {
  const saved: readonly { readonly uid?: string }[] = program[name]
  return (list as typeof saved).map((entry) => {
    const before = saved.find(({ uid }) => uid !== undefined && uid === entry.uid) as
      | Readonly<Record<string, unknown>>
      | undefined
    const changed = Object.entries(entry).filter(([field, value]) => !before || !isEqual(before[field], value))
    return { ...(entry.uid === undefined ? {} : { uid: entry.uid }), ...Object.fromEntries(changed) }
  })
}
