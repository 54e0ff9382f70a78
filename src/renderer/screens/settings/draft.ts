import { z } from 'zod'
import { create } from 'zustand'
import { ProgramChanges as Changes, type ProgramChanges } from '../../../api/contract/resources/programs.ts'
import { type Program, useFeed } from '../../data/feed.ts'
import { formatAmount } from '../../format/numbers.ts'
import { allSettings, type Setting } from './fields.ts'

/** What was typed and not saved yet, by Program: it survives looking elsewhere and whatever arrives meanwhile. */

/** A setting as it stands in its field. */
export type Raw = string | boolean | readonly string[]
export type Offered = Pick<Program, 'products' | 'synthetic_account_types'>
export type OfferName = keyof Offered

export interface Draft {
  readonly raw: Readonly<Record<string, Raw>>
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

const nothing: Draft = { raw: {} }

const useDrafts = create<{ readonly drafts: Readonly<Record<string, Draft>> }>()(() => ({ drafts: {} }))

export const useDraft = (uid: string): Draft => useDrafts(({ drafts }) => drafts[uid] ?? nothing)

export const changeDraft = (uid: string, change: (draft: Draft) => Draft) =>
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [uid]: change(drafts[uid] ?? nothing) } }))

export const dropDraft = (uid: string) =>
  useDrafts.setState(({ drafts: { [uid]: _, ...others } }) => ({ drafts: others }))

export const draftOf = (uid: string): Draft => useDrafts.getState().drafts[uid] ?? nothing

/** What was typed while it was being saved stays. */
export const dropSaved = (uid: string, saved: Draft) =>
  changeDraft(uid, ({ raw, ...offers }) => ({
    raw: Object.fromEntries(Object.entries(raw).filter(([path, typed]) => typed !== saved.raw[path])),
    ...(offers.products === saved.products ? {} : { products: offers.products }),
    ...(offers.synthetic_account_types === saved.synthetic_account_types
      ? {}
      : { synthetic_account_types: offers.synthetic_account_types }),
  }))

function valueAt(program: Program, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | undefined)?.[name], program)
}

/** A value as it stands in its field. */
export function rawOf({ path, kind }: Setting, program: Program): Raw {
  const value = valueAt(program, path)
  if (kind.is === 'flag') return value === true
  if (kind.is === 'several') return (value as readonly string[]) ?? []
  if (kind.is === 'lines') return ((value as readonly string[]) ?? []).join('\n')
  return value === null || value === undefined ? '' : String(value)
}

/** What the field says, as the interface has it. What is no number is left as it is, for the contract to refuse. */
function asSent({ kind, nullable }: Setting, raw: Raw): unknown {
  if (typeof raw !== 'string') return raw
  const text = raw.trim()
  if (kind.is === 'lines') return text.split(/\s*\n\s*/).filter(Boolean)
  if (text === '' && nullable) return null
  if (kind.is === 'number') return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text
  // Dollars without cents are dollars and no cents.
  if (kind.is === 'amount') return /^-?\d+$/.test(text) ? `${text}.00` : text.replace(/(\.\d)$/, '$10')
  return text
}

export const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** The settings that were changed, in the order of the screen. */
export const changedSettings = (program: Program, { raw }: Draft): Setting[] =>
  allSettings.filter((setting) => {
    const typed = raw[setting.path]
    return typed !== undefined && !same(sorted(setting, typed), sorted(setting, rawOf(setting, program)))
  })

const sorted = ({ kind }: Setting, raw: Raw) => (kind.is === 'several' && Array.isArray(raw) ? raw.toSorted() : raw)

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
    at[last] = asSent(setting, draft.raw[setting.path]!)
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
