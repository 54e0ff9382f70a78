import { create } from 'zustand'
import type { Program } from '../../data/feed.ts'

/** The unsaved changes of each Program. They survive a change of screen and updates of the Program. */

export interface Draft {
  /** By path, e.g. `limits.ach.daily_count`. */
  readonly values: Readonly<Record<string, unknown>>
  readonly products?: readonly ProductDraft[]
  readonly synthetic_account_types?: readonly TypeDraft[]
}
/** A new Product has no uid. */
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

export const EMPTY_DRAFT: Draft = { values: {} }

export const useDrafts = create<{ readonly drafts: Readonly<Record<string, Draft>> }>()(() => ({ drafts: {} }))

export const useDraft = (uid: string): Draft => useDrafts(({ drafts }) => drafts[uid] ?? EMPTY_DRAFT)

export const getDraft = (uid: string): Draft => useDrafts.getState().drafts[uid] ?? EMPTY_DRAFT

export const changeDraft = (uid: string, change: (draft: Draft) => Draft) =>
  useDrafts.setState(({ drafts }) => ({ drafts: { ...drafts, [uid]: change(drafts[uid] ?? EMPTY_DRAFT) } }))

export const dropDraft = (uid: string) =>
  useDrafts.setState(({ drafts: { [uid]: _, ...others } }) => ({ drafts: others }))

/** Drops what was saved. What the user changed while it was being saved stays. */
export const dropSaved = (uid: string, saved: Draft) =>
  changeDraft(uid, ({ values, ...lists }) => ({
    values: Object.fromEntries(Object.entries(values).filter(([path, value]) => value !== saved.values[path])),
    ...(lists.products === saved.products ? {} : { products: lists.products }),
    ...(lists.synthetic_account_types === saved.synthetic_account_types
      ? {}
      : { synthetic_account_types: lists.synthetic_account_types }),
  }))
