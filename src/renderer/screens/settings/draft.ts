import { create } from 'zustand'
import type { Program } from '../../data/feed.ts'

/** The unsaved changes of each Program. They survive a change of screen and updates of the Program. */

/** Values by path, e.g. `limits.ach.daily_count` or `products`. */
export type Draft = Readonly<Record<string, unknown>>

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

export const EMPTY_DRAFT: Draft = {}

export const useDrafts = create<{ readonly drafts: Readonly<Record<string, Draft>> }>()(() => ({ drafts: {} }))

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
