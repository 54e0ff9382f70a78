import { z } from 'zod'
import { create } from 'zustand'
import { ProgramChanges, Program as ProgramSchema, ProgramSettings } from '../../../api/contract/resources/programs.ts'
import { type Shape, shapeOf } from '../../../api/contract/shape.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { type SettingsSection, settingsSections } from '../../data/settings-sections.ts'
import { formatAmount } from '../../format/text.ts'
import { type JsonObject, valueAt } from '../../forms/values.ts'

export interface Setting {
  /** For example `limits.ach.daily_count`. */
  readonly path: string
  /** The last name of the path. */
  readonly label: string
  readonly shape: Shape
  readonly description: string
  /** The section of the specification. */
  readonly section: string | undefined
  /** Shown after the input, e.g. minutes. */
  readonly unit: string | undefined
}

interface SettingGroup {
  readonly id: SettingsSection
  readonly title: string
  readonly about: string | undefined
  readonly settings: readonly Setting[]
}

/** The sections of the specification, with the first names of the paths that each is about. */
const SPECIFICATION: Readonly<Record<string, string>> = {
  '1': 'name transaction_types rails_need_products pre_funding',
  '3.3': 'combined_transfers',
  '3.4': 'client_authorization unanswered_authorization',
  '4.1': 'returns',
  '4.4': 'customer_types client_is_customer accepts_client_verified',
  '4.7': 'authorization_hours',
  '5': 'allowlist token_clock trace_ids_optional',
  '8': 'limits account_limits',
}
const sectionOf = new Map(
  Object.entries(SPECIFICATION).flatMap(([section, names]) => names.split(' ').map((name) => [name, section] as const)),
)

const ABOUT: Readonly<Partial<Record<SettingsSection, string>>> = {
  queue: 'How long transfers of each rail wait before they are sent. While they wait, they can be canceled.',
  limits: 'Of the transfers of each rail. Empty means no limit.',
  accounts: 'How many accounts a Customer may have. Empty means no limit.',
}

/** All settings of a shape, in the order of the contract. */
const listSettings = ({ fields }: Shape, parents: readonly string[] = []): readonly Setting[] =>
  fields.flatMap(({ name, shape }) => {
    const names = [...parents, name]
    if (shape.fields.length > 0) return listSettings(shape, names)
    const path = names.join('.')
    return {
      path,
      label: name,
      shape: path.endsWith('_amount') ? { ...shape, kind: 'amount' } : shape,
      description: shape.schema.description ?? '',
      section: sectionOf.get(names[0]!),
      unit: /(?:^|_)(minutes|hours)(?:$|[._])/.exec(path)?.[1],
    }
  })

const known = listSettings(
  shapeOf(
    z.object({
      name: ProgramSchema.shape.name.meta({ description: 'Its name in this window' }),
      ...ProgramSettings.shape,
    }),
  ),
)
export const nameSetting = known[0]!

/** The settings by section. Those that no section names are in `other`, so that the window can change every setting. */
export function groupSettings(sections: readonly (readonly [id: SettingsSection, title: string, words: string])[]) {
  const firstName = ({ path }: Setting) => path.split('.')[0]!
  const named = sections.map(([, , words]) => words.split(' '))
  const others = known.filter((setting) => !named.some((words) => words.includes(firstName(setting))))
  return sections
    .map(([id, title], at): SettingGroup => {
      const own = named[at]!.flatMap((word) => known.filter((setting) => firstName(setting) === word))
      return { id, title, about: ABOUT[id], settings: id === 'other' ? others : own }
    })
    .filter(({ id, settings }) => id !== 'program' && settings.length > 0)
}

export const groups: readonly SettingGroup[] = groupSettings(settingsSections)

/** In the order of the screen. */
export const allSettings: readonly Setting[] = [nameSetting, ...groups.flatMap(({ settings }) => settings)]

/** An amount as the user typed it, with two decimals and separators. Other text is returned unchanged. */
export function formatTypedAmount(text: string): string {
  const [, whole, places = ''] = /^(\d+)\.?(\d{0,2})$/.exec(text) ?? []
  return whole === undefined ? text : formatAmount(`${whole}.${places.padEnd(2, '0')}`)
}

/** The unsaved changes of each Program. They survive a change of screen and updates of the Program. */

/** Values by path, e.g. `limits.ach.daily_count` or `products`. */
export type Draft = Readonly<Record<string, unknown>>

/** A Product or a Synthetic Account Type. A new one has no uid. */
export type Entry = JsonObject & { readonly uid?: string; readonly name: string }

const EMPTY_DRAFT: Draft = {}

const useDrafts = create<{ readonly drafts: Readonly<Record<string, Draft>> }>()(() => ({ drafts: {} }))

export const useDraft = (uid: string): Draft => useDrafts(({ drafts }) => drafts[uid] ?? EMPTY_DRAFT)

export const getDraft = (uid: string): Draft => useDrafts.getState().drafts[uid] ?? EMPTY_DRAFT

const setDraft = (uid: string, draft: Draft) =>
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [uid]: draft } }))

export const changeDraft = (uid: string, path: string, value: unknown) =>
  setDraft(uid, { ...getDraft(uid), [path]: value })

export const dropDraft = (uid: string) => setDraft(uid, EMPTY_DRAFT)

/** Drops what was saved. What the user changed while it was being saved stays. */
export const dropSaved = (uid: string, saved: Draft) =>
  setDraft(uid, Object.fromEntries(Object.entries(getDraft(uid)).filter(([path, value]) => value !== saved[path])))

const LISTS = ['products', 'synthetic_account_types'] as const
export type ListName = (typeof LISTS)[number]

const isListName = (name: unknown): name is ListName => LISTS.some((list) => list === name)

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
