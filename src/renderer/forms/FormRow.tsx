import styles from './FormRow.module.css'

interface FieldsProps {
  /** In a narrow column: names above the inputs. */
  readonly stacked?: boolean
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
  /** Beside the label: shown while the pointer is on the row. */
  readonly labelAction?: React.ReactNode
  readonly invalid?: boolean
  /** What the field is, or what is wrong with it. */
  readonly note: React.ReactNode
  readonly children: React.ReactNode
}

/** One field: its name at the left, its input at the right, a remark below it. */
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

/** The remark below a field, which its input is described by. */
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
  /** Buttons beside the label. */
  readonly head: React.ReactNode
  readonly children: React.ReactNode
}

/** The fields of an object or the items of a list, indented. */
export function NestedFields({ label, invalid, describedBy, head, children }: NestedFieldsProps) {
  return (
    <fieldset className={styles.nested} data-wrong={invalid ? '' : undefined} aria-describedby={describedBy}>
      <legend>{label}</legend>
      <div className={styles.head}>{head}</div>
      {children}
    </fieldset>
  )
}

export const fieldClass = styles.field
export const choiceClass = styles.which
export const revealedClass = styles.revealed
