import { useId } from 'react'
import { errorText } from '../../format/errors.ts'
import { CheckboxGroup } from '../../ui/CheckboxGroup.tsx'
import { cx } from '../../ui/cx.ts'
import { TextInput } from '../../ui/Field.tsx'
import { Prose } from '../../ui/Prose.tsx'
import { BreakableText, Text } from '../../ui/Text.tsx'
import styles from './Settings.module.css'
import type { FieldErrors } from './validation.ts'

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
  /** The note is below the value instead of beside it. */
  readonly wide?: boolean
  readonly noteId?: string | undefined
  /** Text in backticks is shown as code. */
  readonly note: string
  readonly children: React.ReactNode
}

/** A setting: its label, its input and a note. */
export function Row({ label, htmlFor, id, changed = false, wide = false, noteId, note, children }: RowProps) {
  return (
    <div
      className={styles.row}
      data-setting=""
      data-changed={changed ? '' : undefined}
      data-wide={wide ? '' : undefined}
    >
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

interface TextRowProps {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly note: string
}

export function TextRow({ label, value, onChange, note }: TextRowProps) {
  const id = useId()
  return (
    <Row label={label} htmlFor={id} note={note}>
      <TextInput id={id} value={value} onChange={({ target }) => onChange(target.value)} />
    </Row>
  )
}

interface ChoicesRowProps {
  readonly label: string
  readonly options: readonly { readonly value: string; readonly label: string }[]
  readonly value: readonly string[]
  readonly onChange: (value: string[]) => void
  readonly note: string
}

export function ChoicesRow({ label, options, value, onChange, note }: ChoicesRowProps) {
  const id = useId()
  return (
    <Row label={label} id={id} note={note}>
      <CheckboxGroup
        labelledBy={id}
        options={options.map((option) => ({ ...option, label: <Text>{option.label}</Text> }))}
        value={value}
        onChange={onChange}
      />
    </Row>
  )
}
