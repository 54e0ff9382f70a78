import { z } from 'zod'
import { create } from 'zustand'
import { ProgramChanges as Changes, type ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { formatAmount } from '../../format/numbers.ts'
import { valueAt } from '../../forms/values.ts'
import { allSettings, type Setting } from './fields.ts'

/** What was typed and not saved yet, by Program: it survives looking elsewhere and whatever arrives meanwhile. */

export type Offered = Pick<Program, 'products' | 'synthetic_account_types'>
export type OfferName = keyof Offered

export interface Draft {
  /** By path, as in `limits.ach.daily_count`. */
  readonly values: Readonly<Record<string, unknown>>
  readonly products?: readonly ProductDraft[]
  readonly synthetic_account_types?: readonly TypeDraft[]
}
/** Without a uid it is new. */
export type ProductDraft = Omit<
  Program['products'][number],
  'uid' | 'product_compliance_plan_uid' | 'profile_requirements'
> & {
  readonly uid?: string
  readonly profile_requirements: readonly RequirementDraft[]
}
export type RequirementDraft = Omit<
  Program['products'][number]['profile_requirements'][number],
  'profile_requirement_uid'
> & { readonly profile_requirement_uid?: string }
export type TypeDraft = Omit<Program['synthetic_account_types'][number], 'uid'> & { readonly uid?: string }

const nothing: Draft = { values: {} }

const useDrafts = create<{ readonly drafts: Readonly<Record<string, Draft>> }>()(() => ({ drafts: {} }))

export const useDraft = (uid: string): Draft => useDrafts(({ drafts }) => drafts[uid] ?? nothing)

export const changeDraft = (uid: string, change: (draft: Draft) => Draft) =>
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [uid]: change(drafts[uid] ?? nothing) } }))

export const dropDraft = (uid: string) =>
  useDrafts.setState(({ drafts: { [uid]: _, ...others } }) => ({ drafts: others }))

export const draftOf = (uid: string): Draft => useDrafts.getState().drafts[uid] ?? nothing

/** What was typed while it was being saved stays. */
export const dropSaved = (uid: string, saved: Draft) =>
  changeDraft(uid, ({ values, ...offers }) => ({
    values: Object.fromEntries(Object.entries(values).filter(([path, value]) => value !== saved.values[path])),
    ...(offers.products === saved.products ? {} : { products: offers.products }),
    ...(offers.synthetic_account_types === saved.synthetic_account_types
      ? {}
      : { synthetic_account_types: offers.synthetic_account_types }),
  }))

export const settingValue = ({ path }: Setting, program: Program): unknown => valueAt(program, path.split('.'))

/** Dollars without cents are dollars and no cents. What is no amount is left as it is, for the contract to refuse. */
function asSent({ shape }: Setting, value: unknown): unknown {
  if (typeof value !== 'string') return value
  const text = value.trim()
  return shape.kind !== 'amount' ? text : /^-?\d+$/.test(text) ? `${text}.00` : text.replace(/(\.\d)$/, '$10')
}

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The settings that were changed, in the order of the screen. */
export const changedSettings = (program: Program, { values }: Draft): Setting[] =>
  allSettings.filter(
    (setting) => setting.path in values && !same(sorted(values[setting.path]), sorted(settingValue(setting, program))),
  )

/** The order of a list is no change. */
const sorted = (value: unknown) => (Array.isArray(value) ? value.toSorted() : value)

export const changedOffers = (program: Program, draft: Draft): OfferName[] =>
  (['products', 'synthetic_account_types'] as const).filter(
    (name) => draft[name] !== undefined && !same(sent(name, program, draft), sent(name, program, {})),
  )

/** How many changes wait to be saved, of all Programs. */
export function useUnsaved(): number {
  const programs = useFeed((feed) => feed.programs)
  const drafts = useDrafts((state) => state.drafts)
  return programs.reduce((sum, program) => {
    const draft = drafts[program.uid] ?? nothing
    return sum + changedSettings(program, draft).length + changedOffers(program, draft).length
  }, 0)
}

/** Of each only what differs; the list itself is whole, since what is left out of it is withdrawn. */
function sent(name: OfferName, program: Program, draft: Partial<Draft>) {
  const known: readonly { readonly uid?: string }[] = program[name]
  return ((draft[name] ?? known) as readonly { readonly uid?: string }[]).map((one) => {
    const was = known.find(({ uid }) => uid !== undefined && uid === one.uid) as
      | Readonly<Record<string, unknown>>
      | undefined
    const differing = Object.entries(one).filter(([field, value]) => !was || !same(was[field], value))
    return { ...(one.uid === undefined ? {} : { uid: one.uid }), ...Object.fromEntries(differing) }
  })
}

/** Only what was changed, as `programs.update` takes it. */
export function changesOf(program: Program, draft: Draft): ProgramChanges & { name?: string } {
  const changes: Record<string, unknown> = {}
  for (const setting of changedSettings(program, draft)) {
    const names = setting.path.split('.')
    const last = names.pop()!
    let at = changes
    for (const name of names) at = (at[name] ??= {}) as Record<string, unknown>
    at[last] = asSent(setting, draft.values[setting.path])
  }
  for (const name of changedOffers(program, draft)) changes[name] = sent(name, program, draft)
  return changes
}

const Judged = Changes.extend({ name: z.string().trim().min(1, { error: 'a name is expected' }).optional() })

/** What the contract says against the changes, by the path of the field. */
export function complaintsOf(changes: object): Readonly<Record<string, string>> {
  const judged = Judged.safeParse(changes)
  if (judged.success) return {}
  const complaints: Record<string, string> = {}
  for (const issue of judged.error.issues) {
    // A line of a list is a complaint about the list.
    const path = issue.path.filter((part, i) => i === 0 || typeof part === 'string' || isOffer(issue.path[0])).join('.')
    const line = issue.path.find((part) => typeof part === 'number')
    complaints[path] ??=
      `${wordsFor(issue)}${line === undefined || isOffer(issue.path[0]) ? '' : ` (line ${line + 1})`}`
  }
  return complaints
}

const isOffer = (name: unknown) => name === 'products' || name === 'synthetic_account_types'

function wordsFor(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type')
    return issue.expected === 'int' || issue.expected === 'number'
      ? 'a whole number is expected, as 24'
      : `${issue.expected} is expected`
  if (issue.code === 'too_small') return `at least ${issue.minimum} is expected`
  if (issue.code === 'too_big') return `at most ${issue.maximum} is expected`
  if (issue.code === 'invalid_format' && issue.format === 'regex' && /^Invalid/.test(issue.message))
    return 'an amount is expected, as 1000.00'
  if (issue.code === 'invalid_value') return `one of ${issue.values.join(', ')} is expected`
  return issue.message
}

/** An amount as it was typed, written as all amounts are: with two places. */
export function inCents(text: string): string {
  const [, whole, places = ''] = /^(\d+)\.?(\d{0,2})$/.exec(text) ?? []
  return whole === undefined ? text : formatAmount(`${whole}.${places.padEnd(2, '0')}`)
}
