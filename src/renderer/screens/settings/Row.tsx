import { useId } from 'react'
import { submitting } from '../../data/use-action.ts'
import { errorText } from '../../format/errors.ts'
import { cx } from '../../ui/cx.ts'
import { TextInput } from '../../ui/Field.tsx'
import { Prose } from '../../ui/Prose.tsx'
import { BreakableText, Text } from '../../ui/Text.tsx'
import type { FieldErrors } from './draft.ts'
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
