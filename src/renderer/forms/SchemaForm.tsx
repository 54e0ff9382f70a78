import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { collectionOfField } from '../../api/contract/collection-names.ts'
import { chooseShape, type Field, formatType, type Shape } from '../../api/contract/shape.ts'
import { type ExampleValues, fillExample } from '../../api/contract/terms/examples.ts'
import { Uid } from '../../api/contract/terms/primitives.ts'
import type { CollectionName } from '../data/collections.ts'
import { Button, Chip } from '../ui/Button.tsx'
import { CheckboxGroup, Select } from '../ui/Field.tsx'
import { BreakableText } from '../ui/Text.tsx'
import { createExample } from './example.ts'
import { FieldInput } from './FieldInput.tsx'
import { choiceClass, FieldNote, Fields, FormRow, NestedFields, revealedClass } from './FormRow.tsx'
import type { FieldErrors } from './field-errors.ts'
import { isCheckboxGroup, optionsOf } from './SettingInput.tsx'
import { formatPath, isJsonObject, type JsonObject, type Path, replaceAt, valueAt } from './values.ts'

interface FormProps {
  readonly id: string
  readonly shape: Shape
  readonly value: JsonObject
  readonly onChange: (value: JsonObject) => void
  readonly problems: FieldErrors
  /** For the examples of fields that are added. */
  readonly examples?: ExampleValues | undefined
  /** Fields to show first, in this order; other optional fields are hidden behind "more". */
  readonly leads?: readonly string[]
  /** In a narrow column: names above the inputs. */
  readonly stacked?: boolean
  /** Fields whose name does not tell that they are uids of this collection. */
  readonly uids?: Readonly<Record<string, CollectionName>>
  /** The Customer whose records are offered if the form names none. */
  readonly customer?: string | undefined
}

/** A form for a schema: its fields, each with its description or its error. */
export function SchemaForm(props: FormProps) {
  const { shape, value, problems, leads, stacked } = props
  const [isExpanded, setExpanded] = useState(false)
  const rank = (name: string) => (leads?.includes(name) ? leads.indexOf(name) : (leads?.length ?? 0))
  const sorted = [...shape.fields].sort((a, b) => rank(a.name) - rank(b.name))
  const isShown = ({ name, required }: Field) =>
    isExpanded || !leads || required || leads.includes(name) || value[name] !== undefined || problems.has(name)
  const hidden = sorted.filter((field) => !isShown(field))
  const Chevron = isExpanded ? ChevronUp : ChevronDown
  return (
    <Fields stacked={stacked}>
      {sorted.filter(isShown).map((field) => (
        <FieldRow key={field.name} {...props} field={field} path={[field.name]} />
      ))}
      {(hidden.length > 0 || isExpanded) && leads && (
        <Button style={MORE} bare aria-expanded={isExpanded} onClick={() => setExpanded(!isExpanded)}>
          {isExpanded ? 'Fewer fields' : `${hidden.length} more ${hidden.length === 1 ? 'field' : 'fields'}`}
          <Chevron size={12} aria-hidden="true" />
        </Button>
      )}
    </Fields>
  )
}

/** Its text, without border and padding, begins below the names. */
const MORE = { justifySelf: 'start', marginLeft: -9 }

interface FieldRowProps extends FormProps {
  readonly field: Field
  readonly path: Path
}

function FieldRow(props: FieldRowProps) {
  const { field, path, value, problems } = props
  const current = valueAt(value, path)
  const shape = field.shape.kind === 'either' ? chooseShape(field.shape, current) : field.shape
  const change = (part: unknown) => props.onChange(replaceAt(value, path, part) as JsonObject)
  const name = formatPath(path)
  const parts: RowParts = {
    ...props,
    name,
    noteId: `${props.id}.${name}?`,
    problem: problems.get(name),
    shape,
    current,
    change,
  }
  return shape.kind === 'object' || shape.kind === 'list' ? <NestedRow {...parts} /> : <PlainRow {...parts} />
}

interface RowParts extends FieldRowProps {
  /** The path as text. */
  readonly name: string
  readonly noteId: string
  readonly problem: string | undefined
  readonly current: unknown
  readonly change: (value: unknown) => void
}

function NestedRow(row: RowParts) {
  const { field, path, examples, shape, current, change, name, noteId, problem } = row
  const isSet = current !== undefined && current !== null
  const items: readonly unknown[] = Array.isArray(current) ? current : []
  const hasChoices = isCheckboxGroup(shape)
  const example = (of: Shape) => fillExample(createExample(of, field.name, parentOf(path)), examples)
  return (
    <NestedFields
      label={
        <code id={`${noteId}!`}>
          <BreakableText>{field.name}</BreakableText>
        </code>
      }
      invalid={problem !== undefined}
      describedBy={noteId}
      depth={path.length}
      head={
        <>
          {current === null && <span className="faint">null</span>}
          {isSet && <ShapeSelect {...row} />}
          {!isSet && <AddButton name={name} onClick={() => change(hasChoices ? [] : example(shape))} />}
          {isSet && shape.kind === 'list' && !hasChoices && (
            <AddButton name={`to ${name}`} isItem onClick={() => change([...items, example(shape.item!)])} />
          )}
          {current !== undefined && (
            <Button small bare onClick={(event) => afterChange(event, () => change(undefined), focusFirstButton)}>
              <X size={11} aria-hidden="true" /> Remove <span className="unseen">{name}</span>
            </Button>
          )}
          {field.shape.nullable && current !== null && (
            <NullChip name={name} pressed={false} toggle={() => change(null)} />
          )}
          {field.required && current === undefined && <span className="meta">required</span>}
        </>
      }
    >
      <Note {...row} />
      {isSet && shape.kind === 'object' && (
        <Fields>
          {shape.fields.map((part) => (
            <FieldRow key={part.name} {...row} field={part} path={[...path, part.name]} />
          ))}
        </Fields>
      )}
      {isSet && hasChoices && (
        <CheckboxGroup
          labelledBy={`${noteId}!`}
          options={optionsOf(shape)}
          value={items.map(String)}
          onChange={change}
        />
      )}
      {shape.kind === 'list' && !hasChoices && items.length > 0 && (
        <Fields>
          {items.map((_, index) => (
            <FieldRow
              // biome-ignore lint/suspicious/noArrayIndexKey: items of a list are identified by their index.
              key={index}
              {...row}
              field={{ name: String(index), required: false, shape: shape.item! }}
              path={[...path, index]}
            />
          ))}
        </Fields>
      )}
    </NestedFields>
  )
}

function PlainRow(row: RowParts) {
  const { id, field, path, value, shape, current, change, name, noteId, problem, uids, customer } = row
  const parent = parentOf(path)
  const collection = uids?.[field.name] ?? collectionOfField(/^\d+$/.test(field.name) ? parent : field.name, parent)
  return (
    <FormRow
      label={
        <label htmlFor={`${id}.${name}`} title={name}>
          <code>
            <BreakableText>{field.name}</BreakableText>
          </code>
        </label>
      }
      labelAction={
        field.shape.nullable &&
        shape.kind !== 'choice' &&
        shape.kind !== 'boolean' && (
          <NullChip name={name} pressed={current === null} toggle={() => change(current === null ? undefined : null)} />
        )
      }
      invalid={problem !== undefined}
      note={<Note {...row} />}
    >
      {current !== undefined && current !== null && <ShapeSelect {...row} />}
      <FieldInput
        id={`${id}.${name}`}
        shape={shape}
        value={current}
        onChange={change}
        required={field.required}
        invalid={problem !== undefined}
        describedBy={noteId}
        record={collection && { collection, customer: findCustomer(value, path) ?? customer }}
      />
    </FormRow>
  )
}

const parentOf = (path: Path): string => String(path.at(-2) ?? '')

function Note({ field, noteId, problem }: RowParts) {
  return (
    <FieldNote id={noteId} problem={problem}>
      {[describe(field.shape), lengthHint(field.shape)].filter(Boolean).join('; ')}
    </FieldNote>
  )
}

/** The general description of uids is not shown. */
const describe = ({ schema: { description } }: Shape) => (description === Uid.description ? undefined : description)

function lengthHint({ schema, kind }: Shape): string {
  const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number }
  if (kind !== 'text' || schema.description) return ''
  if (minLength !== undefined && maxLength !== undefined) return `${minLength} to ${maxLength} characters`
  if (maxLength !== undefined) return `At most ${maxLength} characters`
  return minLength !== undefined && minLength > 1 ? `At least ${minLength} characters` : ''
}

interface AddButtonProps {
  readonly name: string
  /** It adds an item to a list that is there, not the object or list itself. */
  readonly isItem?: boolean
  readonly onClick: () => void
}

const AddButton = ({ name, isItem = false, onClick }: AddButtonProps) => (
  <Button small onClick={(event) => afterChange(event, onClick, (box) => focusNewField(box, isItem))}>
    <Plus size={11} aria-hidden="true" /> Add <span className="unseen">{name}</span>
  </Button>
)

/** The button that was clicked may be gone after the change: the focus would be lost, and with it the keys of the form. */
function afterChange(event: React.MouseEvent, change: () => void, focus: (box: Element | null) => void) {
  const box = event.currentTarget.closest('fieldset')
  change()
  setTimeout(() => focus(box))
}

function focusNewField(box: Element | null, isItem: boolean) {
  const rows = box?.lastElementChild?.children ?? []
  rows[isItem ? rows.length - 1 : 0]?.querySelector<HTMLElement>('input, select, textarea')?.focus()
}

const focusFirstButton = (box: Element | null) => box?.querySelector<HTMLElement>('button')?.focus()

const NullChip = ({ name, pressed, toggle }: { name: string; pressed: boolean; toggle: () => void }) => (
  <Chip className={revealedClass} pressed={pressed} aria-label={`null as ${name}`} onClick={toggle}>
    null
  </Chip>
)

/** Chooses one of the shapes that a value can have. */
function ShapeSelect({ field, path, examples, current, change, name }: RowParts) {
  const { shapes, kind } = field.shape
  if (kind !== 'either') return null
  return (
    <Select
      className={choiceClass}
      aria-label={`Shape of ${name}`}
      value={String(shapes.indexOf(chooseShape(field.shape, current)))}
      onChange={(at) => change(fillExample(createExample(shapes[Number(at)]!, String(path.at(-1))), examples))}
      options={shapes.map((one, at) => [
        String(at),
        one.kind === 'object' ? `with ${one.fields[0]?.name}, …` : formatType(one),
      ])}
    />
  )
}

const CUSTOMER_FIELDS = [
  'customer_uid',
  'initiating_customer_uid',
  'requesting_customer_uid',
  'destination_customer_uid',
]

/** The Customer that the same object names, or else the form; the other uids are offered from this Customer's records. */
function findCustomer(value: JsonObject, path: Path): string | undefined {
  const parts = [valueAt(value, path.slice(0, -1)), value, ...Object.values(value)].filter(isJsonObject)
  return parts.map(customerOf).find((uid) => uid !== undefined)
}

/** The Customer that an object names. */
export function customerOf(object: JsonObject): string | undefined {
  const name = CUSTOMER_FIELDS.find((one) => typeof object[one] === 'string' && object[one] !== '')
  return name && String(object[name])
}
