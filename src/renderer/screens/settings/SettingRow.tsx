import { useId } from 'react'
import type { Program } from '../../data/feed.ts'
import { isCheckboxGroup, SettingInput } from '../../forms/SettingInput.tsx'
import { PlainButton } from '../../ui/Button.tsx'
import type { Draft } from './draft.ts'
import { formatTypedAmount, type Setting } from './fields.ts'
import { Problem, Row } from './Row.tsx'
import styles from './SettingRow.module.css'
import { useSetting } from './use-setting.ts'

interface SettingRowProps {
  readonly setting: Setting
  readonly program: Program
  readonly draft: Draft
  readonly error: string | undefined
}

export function SettingRow({ setting, program, draft, error }: SettingRowProps) {
  const id = useId()
  const { label, shape, description, section, unit } = setting
  const { saved, value, isChanged, set } = useSetting(setting, program, draft)
  const showsAmount = shape.kind === 'amount' && error === undefined && value !== null && value !== ''
  return (
    <Row
      label={label}
      changed={isChanged}
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
          invalid={error !== undefined}
          describedBy={`${id}?`}
          placeholder="no limit"
        />
        {unit && <span className="faint">{unit}</span>}
        {showsAmount && <span className="faint">{formatTypedAmount(String(value))} USD</span>}
      </span>
      <Problem>{error}</Problem>
      {isChanged && <ChangedFrom saved={saved} reset={() => set(saved)} />}
    </Row>
  )
}

/** Below a changed setting. */
export const ChangedFrom = ({ saved, reset }: { saved: unknown; reset: () => void }) => (
  <p className="meta">
    changed from {formatValue(saved)}
    {' · '}
    <PlainButton className={styles.reset} onClick={reset}>
      Reset
    </PlainButton>
  </p>
)

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? 'empty' : text
}
