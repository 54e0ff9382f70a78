import { useId } from 'react'
import type { Program } from '../../data/feed.ts'
import { submitting } from '../../data/sandbox.ts'
import { errorText } from '../../format/text.ts'
import { isCheckboxGroup, SettingInput } from '../../forms/SettingInput.tsx'
import { PlainButton } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { TextInput } from '../../ui/Field.tsx'
import { ScrolledTable } from '../../ui/Table.tsx'
import { BreakableText, Prose, Text } from '../../ui/Text.tsx'
import {
  changeDraft,
  type Draft,
  type FieldErrors,
  formatTypedAmount,
  getSavedValue,
  isChanged,
  type Setting,
} from './draft.ts'
import styles from './Settings.module.css'

interface SectionProps {
  /** The element's id is this with the prefix `part-`. */
  readonly id: string
  readonly title: string
  readonly about?: React.ReactNode
  readonly children: React.ReactNode
}

/** A section of the settings. Its heading sticks to the top. */
export function Section({ id, title, about, children }: SectionProps) {
  return (
    <section id={`part-${id}`} className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      {about !== undefined && <Remark className="soft">{about}</Remark>}
      {children}
    </section>
  )
}

/** A line across all columns. */
export const Remark = ({ className, ...line }: React.ComponentProps<'p'>) => (
  <p className={cx('data', className)} style={{ padding: '8px 16px' }} {...line} />
)

interface RowProps {
  readonly label: string
  /** The id of the input that the label names. Without it the label is plain text. */
  readonly htmlFor?: string | undefined
  /** The id of the label. */
  readonly id?: string | undefined
  readonly changed?: boolean
  readonly noteId?: string | undefined
  /** Text in backticks is shown as code. */
  readonly note: string
  readonly children: React.ReactNode
}

/** A setting: its label, its input and a note. */
export function Row({ label, htmlFor, id, changed = false, noteId, note, children }: RowProps) {
  return (
    <div className={styles.row} data-setting="" data-changed={changed ? '' : undefined}>
      {htmlFor === undefined ? (
        <span id={id}>{label}</span>
      ) : (
        <label htmlFor={htmlFor}>
          <BreakableText>{label}</BreakableText>
        </label>
      )}
      <div>{children}</div>
      <p id={noteId}>
        <Prose>{note}</Prose>
      </p>
    </div>
  )
}

interface InputRowProps {
  readonly label: string
  readonly note: string
  readonly input: Omit<React.ComponentProps<typeof TextInput>, 'id' | 'onChange'>
  readonly onType: (text: string) => void
  /** Beside the input: the button. */
  readonly children: React.ReactNode
  /** Below it: what is wrong, or what was done. */
  readonly below: React.ReactNode
  readonly onSubmit: () => unknown
}

/** A value that is sent by a button of its own. */
export function InputRow({ label, note, input, onType, children, below, onSubmit }: InputRowProps) {
  const id = useId()
  return (
    <form noValidate onSubmit={submitting(onSubmit)}>
      <Row label={label} htmlFor={id} noteId={`${id}?`} note={note}>
        <span className="row">
          <TextInput id={id} aria-describedby={`${id}?`} onChange={({ target }) => onType(target.value)} {...input} />
          {children}
        </span>
        {below}
      </Row>
    </form>
  )
}

interface ProblemProps {
  /** Why the input is wrong. */
  readonly children?: string | undefined
  /** Why the action failed. */
  readonly error?: unknown
}

/** An error below its input. */
export function Problem({ error, children }: ProblemProps) {
  const text = children ?? (error === undefined ? undefined : errorText(error))
  return text === undefined ? null : (
    <p className="bad wrap" role="alert">
      <Text>{text}</Text>
    </p>
  )
}

/** The errors of a list, above it. */
export const Problems = ({ errors }: { errors: FieldErrors }) =>
  Object.entries(errors).map(([path, text]) => (
    <Remark key={path} className="bad" role="alert">
      <code>{path}</code>: {text}
    </Remark>
  ))

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
