import { useId } from 'react'
import type { Program } from '../../data/feed.ts'
import { isCheckboxGroup, SettingInput } from '../../forms/SettingInput.tsx'
import { PlainButton } from '../../ui/Button.tsx'
import { ScrolledTable } from '../../ui/Table.tsx'
import { changeDraft, type Draft, type FieldErrors, getSavedValue, isChanged } from './draft.ts'
import { formatTypedAmount, type Setting } from './fields.ts'
import { Problem, Row } from './Row.tsx'
import styles from './Settings.module.css'

interface SettingsProps {
  readonly program: Program
  readonly draft: Draft
  readonly errors: FieldErrors
}

/** The input of a setting, and what is shown beside and below it. */
function useSetting(setting: Setting, { program, draft, errors }: SettingsProps) {
  const id = useId()
  const { path, shape, unit } = setting
  const saved = getSavedValue(path, program)
  const value = path in draft ? draft[path] : saved
  const set = (to: unknown) => changeDraft(program.uid, path, to)
  const error = errors[path]
  const hasChanged = isChanged(path, program, value)
  const showsAmount = shape.kind === 'amount' && error === undefined && value !== null && value !== ''
  return {
    id,
    isChanged: hasChanged,
    input: (
      <SettingInput
        id={id}
        shape={shape}
        value={value}
        onChange={set}
        invalid={error !== undefined}
        describedBy={`${id}?`}
        placeholder={shape.kind === 'text' ? 'none' : 'no limit'}
      />
    ),
    drawn: describeDrawn(program, path),
    hint: showsAmount ? `${formatTypedAmount(String(value))} USD` : unit,
    problem: <Problem>{error}</Problem>,
    change: hasChanged && (
      <p className="meta">
        changed from {formatValue(saved)}
        {' · '}
        <PlainButton className={styles.reset} onClick={() => set(saved)}>
          Reset
        </PlainButton>
      </p>
    ),
  }
}

/** What hard_mode has drawn; of each other setting whether it was drawn. */
function describeDrawn(program: Program, path: string) {
  const { drawn_settings } = program
  if (path !== 'hard_mode') return drawn_settings.some((name) => name === path) && 'Drawn by hard_mode'
  return (
    drawn_settings.length > 0 &&
    `Drawn: ${drawn_settings.map((name) => `${name} ${formatValue(program[name])}`).join(' · ')}`
  )
}

function formatValue(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  const text = Array.isArray(value) ? value.join(', ') : String(value ?? '')
  return text === '' ? 'empty' : text
}

export function SettingRow({ setting, ...rest }: SettingsProps & { readonly setting: Setting }) {
  const { label, shape, description, section } = setting
  const { id, isChanged, input, hint, drawn, problem, change } = useSetting(setting, rest)
  return (
    <Row
      label={label}
      changed={isChanged}
      {...(isCheckboxGroup(shape) ? { id } : { htmlFor: id })}
      noteId={`${id}?`}
      note={`${description}.${section === undefined ? '' : ` Section ${section}.`}`}
    >
      <span className="row">
        {input}
        {hint && <span className="faint">{hint}</span>}
      </span>
      {drawn && <p className="meta">{drawn}</p>}
      {problem}
      {change}
    </Row>
  )
}

const railOf = ({ path }: Setting) => path.split('.')[1]!

/** The limits of all rails side by side: one row for each limit, one column for each rail. */
export function LimitsTable({ settings, ...rest }: SettingsProps & { readonly settings: readonly Setting[] }) {
  const rails = [...new Set(settings.map(railOf))]
  const labels = [...new Set(settings.map(({ label }) => label))]
  const find = (rail: string, label: string) => settings.find((one) => railOf(one) === rail && one.label === label)
  return (
    <ScrolledTable
      label="Limits of each rail"
      headers={[{ label: 'Limit', width: '34%' }, ...rails.map((label) => ({ label, right: true }))]}
      style={{ '--cell': '6px 8px' }}
    >
      {labels.map((label) => (
        <tr key={label}>
          <td>
            <span style={{ lineHeight: '24px' }}>{label}</span>
            <p className="meta">
              {find(rails[0]!, label)?.description}. Section {find(rails[0]!, label)?.section}.
            </p>
          </td>
          {rails.map((rail) => {
            const setting = find(rail, label)
            return setting === undefined ? <td key={rail}>–</td> : <LimitCell key={rail} setting={setting} {...rest} />
          })}
        </tr>
      ))}
    </ScrolledTable>
  )
}

function LimitCell({ setting, ...rest }: SettingsProps & { readonly setting: Setting }) {
  const { id, isChanged, input, hint, problem, change } = useSetting(setting, rest)
  return (
    <td data-right="" data-changed={isChanged ? '' : undefined}>
      <label htmlFor={id} className="unseen">
        {railOf(setting)} {setting.label}
      </label>
      {input}
      <div id={`${id}?`}>
        {hint && <span className="meta">{hint}</span>}
        {problem}
      </div>
      {change}
    </td>
  )
}
