import type { Shape } from '../../api/contract/shape.ts'
import { Checkbox, CheckboxGroup, Select, TextArea } from '../ui/Field.tsx'
import { TypedInput, useTypedText } from './FieldInput.tsx'
import { parseLines, parseTyped } from './values.ts'

interface SettingInputProps {
  /** The id of the input; for a group of checkboxes the id of its label. */
  readonly id: string
  readonly shape: Shape
  readonly value: unknown
  readonly onChange: (value: unknown) => void
  readonly invalid: boolean
  readonly describedBy: string
  /** Shown for null. */
  readonly placeholder?: string | undefined
}

/** The input for a field that always has a value, chosen by its schema. */
export function SettingInput({ shape, value, onChange, placeholder, ...input }: SettingInputProps) {
  const { id, invalid, describedBy } = input
  const described = { id, 'aria-describedby': describedBy, 'aria-invalid': invalid || undefined }
  if (shape.kind === 'boolean')
    return <Checkbox {...described} checked={value === true} onChange={({ target }) => onChange(target.checked)} />
  if (isCheckboxGroup(shape))
    return (
      <CheckboxGroup
        labelledBy={id}
        options={optionsOf(shape)}
        value={value as readonly string[]}
        onChange={onChange}
      />
    )
  if (shape.kind === 'list') return <LinesInput {...described} lines={value as readonly string[]} onChange={onChange} />
  if (shape.kind === 'choice')
    return <Select {...described} value={String(value)} options={shape.options} onChange={onChange} />
  const parse = (typed: string) => (typed.trim() === '' && shape.nullable ? null : parseTyped(shape, typed))
  return (
    <TypedInput
      {...input}
      text={value === null ? '' : String(value)}
      onType={(typed) => onChange(parse(typed))}
      isSame={(typed) => parse(typed) === value}
      numeric={shape.kind === 'amount' || shape.kind === 'number'}
      alignRight
      placeholder={shape.nullable ? placeholder : undefined}
    />
  )
}

/** More options are chosen one by one. */
const MAX_CHECKBOXES = 20

/** True if the field is a group of checkboxes, which a label's `for` cannot name. */
export const isCheckboxGroup = ({ kind, item }: Shape) =>
  kind === 'list' && item?.kind === 'choice' && item.options.length <= MAX_CHECKBOXES

/** What the checkboxes of such a field are called. */
export const optionsOf = ({ item }: Shape) => item!.options.map((option) => ({ value: option, label: option }))

type LinesInputProps = Omit<React.ComponentProps<'textarea'>, 'onChange'> & {
  readonly lines: readonly string[]
  readonly onChange: (lines: readonly string[]) => void
}

/** A list of texts, one per line. */
function LinesInput({ lines, onChange, ...area }: LinesInputProps) {
  const [text, setTyped] = useTypedText(lines.join('\n'), (typed) => parseLines(typed).join('\n') === lines.join('\n'))
  return (
    <TextArea
      {...area}
      rows={Math.max(2, text.split('\n').length)}
      value={text}
      spellCheck={false}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(parseLines(target.value))
      }}
    />
  )
}
