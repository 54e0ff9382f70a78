import { useId } from 'react'
import type { Program } from '../../data/feed.ts'
import { isCheckboxGroup, SettingInput } from '../../forms/SettingInput.tsx'
import { PlainButton } from '../../ui/Button.tsx'
import { changeDraft, changedSettings, type Draft, inCents, settingValue } from './draft.ts'
import type { Setting } from './fields.ts'
import { Problem, Row } from './Row.tsx'
import styles from './SettingRow.module.css'

interface SettingRowProps {
  readonly setting: Setting
  readonly program: Program
  readonly draft: Draft
  readonly wrong: string | undefined
}

/** One setting: its name, its value to be changed, and what it means. */
export function SettingRow({ setting, program, draft, wrong }: SettingRowProps) {
  const id = useId()
  const { path, label, shape, description, section, unit } = setting
  const saved = settingValue(setting, program)
  const value = path in draft.values ? draft.values[path] : saved
  const changed = changedSettings(program, { values: { [path]: value } }).length > 0
  const set = (to: unknown) => changeDraft(program.uid, (was) => ({ ...was, values: { ...was.values, [path]: to } }))
  const isAmount = shape.kind === 'amount' && wrong === undefined && value !== null && value !== ''
  return (
    <Row
      label={label}
      changed={changed}
      {...(isCheckboxGroup(shape) ? { id } : { htmlFor: id })}
      noteId={`${id}?`}
      note={`${description}.${section === undefined ? '' : ` Section ${section}.`}`}
    >
      <span className="row">
        <SettingInput
          id={id}
          shape={shape}
          value={value}
          onChange={set}
          invalid={wrong !== undefined}
          describedBy={`${id}?`}
          placeholder="no limit"
        />
        {unit && <span className="faint">{unit}</span>}
        {isAmount && <span className="faint">{inCents(String(value))} USD</span>}
      </span>
      <Problem>{wrong}</Problem>
      {changed && (
        <p className="meta">
          changed from {textOf(saved)}
          {' · '}
          <PlainButton className={styles.back} onClick={() => set(saved)}>
            as it was
          </PlainButton>
        </p>
      )}
    </Row>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? 'empty' : text
}
