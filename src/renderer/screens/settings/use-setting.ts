import type { Program } from '../../data/feed.ts'
import { findChangedSettings, getSavedValue } from './changes.ts'
import { changeDraft, type Draft } from './draft.ts'
import type { Setting } from './fields.ts'

/** A setting as it is edited, and as it is saved. */
export function useSetting(setting: Setting, program: Program, draft: Draft) {
  const { path } = setting
  const saved = getSavedValue(setting, program)
  const value = path in draft.values ? draft.values[path] : saved
  return {
    saved,
    value,
    isChanged: findChangedSettings(program, { values: { [path]: value } }).length > 0,
    set: (to: unknown) => changeDraft(program.uid, (was) => ({ ...was, values: { ...was.values, [path]: to } })),
  }
}
