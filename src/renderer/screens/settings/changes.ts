import type { ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { valueAt } from '../../forms/values.ts'
import { type Draft, EMPTY_DRAFT, useDrafts } from './draft.ts'
import { allSettings, type Setting } from './fields.ts'

const LISTS = ['products', 'synthetic_account_types'] as const
type ListName = (typeof LISTS)[number]

export const isListName = (name: unknown): name is ListName => LISTS.some((list) => list === name)

export const getSavedValue = ({ path }: Setting, program: Program): unknown => valueAt(program, path.split('.'))

export const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The changed settings, in the order of the screen. A new order of a list is no change. */
export const findChangedSettings = (program: Program, { values }: Draft): Setting[] =>
  allSettings.filter(
    (setting) =>
      setting.path in values && !isEqual(sortList(values[setting.path]), sortList(getSavedValue(setting, program))),
  )

const sortList = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value)

export const findChangedLists = (program: Program, draft: Draft): ListName[] =>
  LISTS.filter(
    (name) =>
      draft[name] !== undefined && !isEqual(buildListInput(name, program, draft), buildListInput(name, program, {})),
  )

/** The number of unsaved changes of all Programs. */
export function useUnsavedCount(): number {
  const programs = useFeed((feed) => feed.programs)
  const drafts = useDrafts((state) => state.drafts)
  return programs.reduce((sum, program) => {
    const draft = drafts[program.uid] ?? EMPTY_DRAFT
    return sum + findChangedSettings(program, draft).length + findChangedLists(program, draft).length
  }, 0)
}

/** The input for `programs.update`: only what changed. */
export function buildChanges(program: Program, draft: Draft): ProgramChanges & { name?: string } {
  const changes: Record<string, unknown> = {}
  for (const setting of findChangedSettings(program, draft)) {
    const names = setting.path.split('.')
    const last = names.pop()!
    let at = changes
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>
    at[last] = normalizeValue(setting, draft.values[setting.path])
  }
  for (const name of findChangedLists(program, draft)) changes[name] = buildListInput(name, program, draft)
  return changes
}

/** Completes the cents of an amount. Other text stays as it is, so that the contract refuses it. */
function normalizeValue({ shape }: Setting, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  return shape.kind !== 'amount' ? text : /^-?\d+$/.test(text) ? `${text}.00` : text.replace(/(\.\d)$/, '$10')
}

/** All entries of a list, because an entry that is not sent is withdrawn, each with only its changed fields. */
function buildListInput(name: ListName, program: Program, draft: Partial<Draft>) {
  const saved: readonly { readonly uid?: string }[] = program[name]
  return ((draft[name] ?? saved) as readonly { readonly uid?: string }[]).map((entry) => {
    const before = saved.find(({ uid }) => uid !== undefined && uid === entry.uid) as
      | Readonly<Record<string, unknown>>
      | undefined
    const changed = Object.entries(entry).filter(([field, value]) => !before || !isEqual(before[field], value))
    return { ...(entry.uid === undefined ? {} : { uid: entry.uid }), ...Object.fromEntries(changed) }
  })
}
