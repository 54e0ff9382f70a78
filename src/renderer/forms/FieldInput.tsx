import { useState } from 'react'
import type { CollectionName } from '../data/collections.ts'
import { Select, TextInput } from '../ui/Field.tsx'
import { TextArea } from '../ui/TextArea.tsx'
import { fieldClass } from './FormRow.tsx'
import { RecordInput } from './RecordInput.tsx'
import type { Shape } from './shape.ts'
import { parseTyped } from './values.ts'

interface FieldInputProps {
  readonly id: string
  readonly shape: Shape
  /** Undefined: the field is not sent. */
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly required: boolean
  readonly invalid: boolean
  readonly describedBy: string
  /** In an empty field, and for a select without a choice. */
  readonly placeholder?: string | undefined
  /** Texts to choose from while typing. */
  readonly suggestions?: readonly string[] | undefined
  /** For a uid: the collection to choose from. */
  readonly record?: { readonly collection: CollectionName; readonly customer: string | undefined } | undefined
}

/** The input for a field, chosen by its schema. */
export function FieldInput(props: FieldInputProps) {
  const { id, shape, value, onChange, required, invalid, describedBy, suggestions, record } = props
  if (shape.kind === 'choice' || shape.kind === 'boolean') return <ChoiceInput {...props} />
  const text = value === undefined || value === null ? '' : isPlain(value) ? String(value) : JSON.stringify(value)
  const placeholder = props.placeholder ?? placeholderOf(shape, value, required)
  const onType = (typed: string) => onChange(typed === '' ? undefined : parseTyped(shape, typed))
  const input = { id, placeholder, invalid, describedBy }
  if (record && shape.kind === 'text') return <RecordInput {...input} {...record} value={text} onChange={onType} />
  if (isLong(shape))
    return (
      <TextArea
        id={id}
        className={fieldClass}
        rows={LONG_ROWS}
        value={text}
        placeholder={placeholder}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        spellCheck={false}
        onChange={({ target }) => onType(target.value)}
      />
    )
  return (
    <TypedInput
      {...input}
      text={text}
      onType={onType}
      isSame={(typed) => typed !== '' && parseTyped(shape, typed) === value}
      suggestions={suggestions}
      numeric={shape.kind === 'amount' || shape.kind === 'number'}
      mono={shape.kind !== 'text'}
    />
  )
}

/** Such texts have several lines, such as the armor of a key. */
const LONG_TEXT = 10_000
const LONG_ROWS = 4
const isLong = ({ kind, schema }: Shape) => kind === 'text' && Number(schema.maxLength ?? 0) >= LONG_TEXT

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value)

function placeholderOf(shape: Shape, value: unknown, required: boolean): string {
  if (value === null) return 'null'
  if (value === '') return 'empty text'
  const [example] = (shape.schema.examples ?? []) as unknown[]
  return [required ? 'required' : '', example === undefined ? '' : `e.g. ${String(example)}`].filter(Boolean).join(', ')
}

const ABSENT = '\u0000absent'
const NULL = '\u0000null'

function ChoiceInput(props: FieldInputProps) {
  const { id, shape, value, onChange, required, invalid, describedBy, placeholder } = props
  const options = shape.kind === 'boolean' ? ['true', 'false'] : shape.options
  const current = value === undefined ? ABSENT : value === null ? NULL : String(value)
  const isUnknown = current !== ABSENT && current !== NULL && !options.includes(current)
  return (
    <Select
      id={id}
      className={fieldClass}
      value={current}
      invalid={invalid}
      aria-describedby={describedBy}
      onChange={({ target }) => {
        if (target.value === ABSENT) return onChange(undefined)
        if (target.value === NULL) return onChange(null)
        onChange(shape.kind === 'boolean' ? target.value === 'true' : target.value)
      }}
    >
      {(!required || current === ABSENT) && (
        <option value={ABSENT}>{placeholder ?? (required ? 'required' : 'not sent')}</option>
      )}
      {options.map((option) => (
        <option key={option}>{option}</option>
      ))}
      {shape.nullable && <option value={NULL}>null</option>}
      {isUnknown && <option>{current}</option>}
    </Select>
  )
}

interface TypedInputProps {
  readonly id: string
  readonly text: string
  readonly onType: (typed: string) => void
  /** True if this text is a way to write the value, e.g. `12.50` for 12.5. */
  readonly isSame: (typed: string) => boolean
  readonly placeholder?: string | undefined
  readonly invalid: boolean
  readonly describedBy: string
  readonly suggestions?: readonly string[] | undefined
  readonly numeric: boolean
  /** For columns of numbers. */
  readonly alignRight?: boolean
  readonly mono?: boolean
}

/** Keeps the typed text while it means the current value, so that `12.` does not turn into `12` while typing. */
export function TypedInput(props: TypedInputProps) {
  const { text, onType, isSame, describedBy, suggestions, numeric, alignRight = false, ...input } = props
  const listId = `${props.id}!`
  const [shown, setTyped] = useTypedText(text, isSame)
  return (
    <TextInput
      {...input}
      className={fieldClass}
      inputMode={numeric ? 'decimal' : undefined}
      numeric={numeric && alignRight}
      value={shown}
      aria-describedby={describedBy}
      {...(suggestions && {
        list: listId,
        after: (
          <datalist id={listId}>
            {suggestions.map((text) => (
              <option key={text} value={text} />
            ))}
          </datalist>
        ),
      })}
      onChange={({ target }) => {
        setTyped(target.value)
        onType(target.value)
      }}
    />
  )
}

/** The text to show: the typed text, or the text of the value once they differ. */
export function useTypedText(text: string, isSame: (typed: string) => boolean) {
  const [typed, setTyped] = useState(text)
  return [isSame(typed) ? typed : text, setTyped] as const
}
