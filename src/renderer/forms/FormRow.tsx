import styles from './FormRow.module.css'

interface FieldsProps {
  /** In a narrow column: names above the inputs. */
  readonly stacked?: boolean | undefined
  readonly children: React.ReactNode
}

/** Fields below each other. */
export const Fields = ({ stacked = false, children }: FieldsProps) => (
  <div className={styles.fields} data-stacked={stacked ? '' : undefined}>
    {children}
  </div>
)

interface FormRowProps {
  readonly label: React.ReactNode
  /** Shown next to the label while the pointer is on the row. */
  readonly labelAction?: React.ReactNode
  readonly invalid?: boolean
  /** The description of the field, or its error. */
  readonly note: React.ReactNode
  readonly children: React.ReactNode
}

/** One field: name on the left, input on the right, note below. */
export function FormRow({ label, labelAction, invalid = false, note, children }: FormRowProps) {
  return (
    <div className={styles.row} data-form-row="" data-wrong={invalid ? '' : undefined}>
      <span className={styles.name}>
        {label}
        {labelAction}
      </span>
      <span className={styles.input}>{children}</span>
      {note}
    </div>
  )
}

/** The note below a field; its input refers to it with `aria-describedby`. */
export function FieldNote({
  id,
  problem,
  children,
}: {
  id?: string
  problem?: string | undefined
  children?: React.ReactNode
}) {
  return (
    <span id={id} className={styles.note}>
      {problem ? <b className="bad">{problem}</b> : children}
    </span>
  )
}

interface NestedFieldsProps {
  readonly label: React.ReactNode
  readonly invalid: boolean
  readonly describedBy: string
  /** 1 for a field of the form itself. */
  readonly depth: number
  /** Buttons next to the label. */
  readonly head: React.ReactNode
  readonly children: React.ReactNode
}

/** The fields of an object or the items of a list, indented. */
export function NestedFields({ label, invalid, describedBy, depth, head, children }: NestedFieldsProps) {
  return (
    <fieldset
      className={styles.nested}
      style={{ '--depth': String(depth) }}
      data-wrong={invalid ? '' : undefined}
      aria-describedby={describedBy}
    >
      <legend>{label}</legend>
      <div className={styles.head}>{head}</div>
      {children}
    </fieldset>
  )
}

export const fieldClass = styles.field
export const choiceClass = styles.which
export const revealedClass = styles.revealed
