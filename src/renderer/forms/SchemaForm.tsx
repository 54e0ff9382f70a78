import { ChevronDown, ChevronUp, Plus, X } from 'lucide-react'
import { useState } from 'react'
import { Uid } from '../../api/contract/terms/primitives.ts'
import type { CollectionName } from '../data/collections.ts'
import { collectionOfField } from '../data/records.ts'
import { Breaking } from '../ui/Text.tsx'
import { exampleOf, type Filling } from './example.ts'
import type { Problems } from './problems.ts'
import { RecordInput } from './RecordInput.tsx'
import { type Field, type Shape, shapeFor, typeOf } from './shape.ts'
import { isTree, numberOr, type Path, said, type Tree, valueAt, withValue } from './values.ts'

/** A form of a schema: whatever fields the contract declares, each with what it must fit and what is wrong with it. */

interface FormProps {
  readonly id: string
  readonly shape: Shape
  readonly value: Tree
  readonly onChange: (value: Tree) => void
  readonly problems: Problems
  readonly filling: Filling
  /** Fields that come first, in this order; the others that are not required stand behind "more". */
  readonly leads?: readonly string[]
  /** A field that is a uid of this collection, whatever its name. */
  readonly uids?: Readonly<Record<string, CollectionName>>
}

export function SchemaForm(props: FormProps) {
  const { shape, value, problems, leads } = props
  const [all, setAll] = useState(false)
  const { fields } = shape
  const rank = (name: string) => (leads?.includes(name) ? leads.indexOf(name) : (leads?.length ?? 0))
  const sorted = [...fields].sort((a, b) => rank(a.name) - rank(b.name))
  const isShown = ({ name, required }: Field) =>
    all || !leads || required || leads.includes(name) || value[name] !== undefined || problems.has(name)
  const hidden = sorted.filter((field) => !isShown(field))
  const More = all ? ChevronUp : ChevronDown
  return (
    <div className="fieldset">
      {sorted.filter(isShown).map((field) => (
        <FieldRow key={field.name} {...props} field={field} path={[field.name]} />
      ))}
      {(hidden.length > 0 || all) && leads && (
        <button type="button" className="btn morefields" data-bare aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Fewer fields' : `${hidden.length} more ${hidden.length === 1 ? 'field' : 'fields'}`}
          <More size={12} aria-hidden="true" />
        </button>
      )}
    </div>
  )
}

interface RowProps extends FormProps {
  readonly field: Field
  readonly path: Path
}

function FieldRow(props: RowProps) {
  const { field, path, value, onChange, problems, filling } = props
  const { name, required } = field
  const here = valueAt(value, path)
  const shape = field.shape.kind === 'either' ? shapeFor(field.shape, here) : field.shape
  const change = (part: unknown) => onChange(withValue(value, path, part) as Tree)
  const add = () => change(exampleOf(shape, filling, name, parentOf(path)))
  const at = said(path)
  const id = `${props.id}.${at}`
  const problem = problems.get(at)
  const about = {
    id: `${id}?`,
    text: [aboutOf(field.shape), shapeHint(field.shape)].filter(Boolean).join('; '),
  }

  if (shape.kind === 'object' || shape.kind === 'list') {
    const there = here !== undefined && here !== null
    return (
      <fieldset className="nested" data-wrong={problem ? '' : undefined} aria-describedby={about.id}>
        <legend>
          <code>{name}</code>
        </legend>
        <div className="head">
          {here === null && <span className="faint">null</span>}
          {field.shape.kind === 'either' && there && <WhichShape {...props} shape={field.shape} here={here} />}
          {there ? (
            shape.kind === 'list' && (
              <button
                type="button"
                className="btn"
                data-small
                onClick={() =>
                  change([...(Array.isArray(here) ? here : []), exampleOf(shape.item!, filling, name, parentOf(path))])
                }
              >
                <Plus size={11} aria-hidden="true" /> Add <span className="unseen">to {at}</span>
              </button>
            )
          ) : (
            <button type="button" className="btn" data-small onClick={add}>
              <Plus size={11} aria-hidden="true" /> Add <span className="unseen">{at}</span>
            </button>
          )}
          {here !== undefined && (
            <button type="button" className="btn" data-small data-bare onClick={() => change(undefined)}>
              <X size={11} aria-hidden="true" /> Take out <span className="unseen">{at}</span>
            </button>
          )}
          {field.shape.nullable && here !== null && <NullChip at={at} pressed={false} toggle={() => change(null)} />}
          {required && here === undefined && <span className="meta">required</span>}
        </div>
        <About about={about} problem={problem} />
        {there && shape.kind === 'object' && (
          <div className="fieldset">
            {shape.fields.map((part) => (
              <FieldRow key={part.name} {...props} field={part} path={[...path, part.name]} />
            ))}
          </div>
        )}
        {shape.kind === 'list' && Array.isArray(here) && here.length > 0 && (
          <div className="fieldset">
            {here.map((_, index) => (
              <FieldRow
                // biome-ignore lint/suspicious/noArrayIndexKey: an item of a list is known by its place.
                key={index}
                {...props}
                field={{ name: String(index), required: false, shape: shape.item! }}
                path={[...path, index]}
              />
            ))}
          </div>
        )}
      </fieldset>
    )
  }
  return (
    <div className="formrow" data-wrong={problem ? '' : undefined}>
      <span className="name">
        <label htmlFor={id} title={at}>
          <code>
            <Breaking>{name}</Breaking>
          </code>
        </label>
        {field.shape.nullable && shape.kind !== 'choice' && shape.kind !== 'boolean' && (
          <NullChip at={at} pressed={here === null} toggle={() => change(here === null ? undefined : null)} />
        )}
      </span>
      <span className="row">
        {field.shape.kind === 'either' && here !== undefined && here !== null && (
          <WhichShape {...props} shape={field.shape} here={here} />
        )}
        <Input
          {...props}
          shape={shape}
          id={id}
          here={here}
          change={change}
          described={about.id}
          wrong={problem !== undefined}
        />
      </span>
      <About about={about} problem={problem} />
    </div>
  )
}

const parentOf = (path: Path): string => String(path.at(-2) ?? '')

/** What is said of every uid says nothing of this one. */
const aboutOf = ({ schema: { description } }: Shape) => (description === Uid.description ? undefined : description)

function shapeHint({ schema, kind }: Shape): string {
  const { minLength, maxLength } = schema as { minLength?: number; maxLength?: number }
  if (kind !== 'text' || schema.description) return ''
  if (minLength !== undefined && maxLength !== undefined) return `${minLength} to ${maxLength} characters`
  if (maxLength !== undefined) return `At most ${maxLength} characters`
  return minLength !== undefined && minLength > 1 ? `At least ${minLength} characters` : ''
}

function About({ about, problem }: { about: { id: string; text: string }; problem: string | undefined }) {
  return (
    <span id={about.id} className="says">
      {problem && <b className="bad">{problem}</b>}
      {!problem && about.text}
    </span>
  )
}

function NullChip({ at, pressed, toggle }: { at: string; pressed: boolean; toggle: () => void }) {
  return (
    <button
      type="button"
      className="chip nullchip"
      aria-pressed={pressed}
      aria-label={`null as ${at}`}
      onClick={toggle}
    >
      null
    </button>
  )
}

/** A value that may have one of several shapes: which. */
function WhichShape({ field, path, value, onChange, filling, shape, here }: RowProps & { here: unknown }) {
  const now = shape.shapes.indexOf(shapeFor(shape, here))
  return (
    <span className="field which">
      <select
        aria-label={`Shape of ${said(path)}`}
        value={now}
        onChange={(event) => {
          const to = shape.shapes[Number(event.target.value)]!
          onChange(withValue(value, path, exampleOf(to, filling, field.name)) as Tree)
        }}
      >
        {shape.shapes.map((one, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a shape is known by its place.
          <option key={at} value={at}>
            {one.kind === 'object' ? `with ${one.fields[0]?.name}, …` : typeOf(one)}
          </option>
        ))}
      </select>
    </span>
  )
}

interface InputProps extends RowProps {
  readonly shape: Shape
  readonly here: unknown
  readonly change: (value: unknown) => void
  readonly described: string
  readonly wrong: boolean
}

const ABSENT = '\u0000absent'
const NULL = '\u0000null'

function Input({ id, shape, field, path, value, here, change, described, wrong, uids }: InputProps) {
  const { name, required } = field
  if (shape.kind === 'choice' || shape.kind === 'boolean') {
    const options = shape.kind === 'boolean' ? ['true', 'false'] : shape.options
    const now = here === undefined ? ABSENT : here === null ? NULL : String(here)
    return (
      <span className="field" data-wrong={wrong ? '' : undefined}>
        <select
          id={id}
          value={now}
          aria-invalid={wrong || undefined}
          aria-describedby={described}
          onChange={({ target }) => {
            if (target.value === ABSENT) return change(undefined)
            if (target.value === NULL) return change(null)
            change(shape.kind === 'boolean' ? target.value === 'true' : target.value)
          }}
        >
          <option value={ABSENT}>{required ? 'required' : 'left out'}</option>
          {options.map((option) => (
            <option key={option}>{option}</option>
          ))}
          {shape.nullable && <option value={NULL}>null</option>}
          {now !== ABSENT && now !== NULL && !options.includes(now) && <option>{now}</option>}
        </select>
      </span>
    )
  }
  const [example] = (shape.schema.examples ?? []) as unknown[]
  const placeholder =
    here === null
      ? 'null'
      : here === ''
        ? 'empty text'
        : [required ? 'required' : '', example === undefined ? '' : `as ${String(example)}`].filter(Boolean).join(', ')
  const isPlain = here === undefined || here === null || ['string', 'number', 'boolean'].includes(typeof here)
  const text = here === undefined || here === null ? '' : isPlain ? String(here) : JSON.stringify(here)
  const take = (typed: string) => change(typed === '' ? undefined : asValue(shape, typed))
  const collection = uids?.[name] ?? collectionOfField(/^\d+$/.test(name) ? parentOf(path) : name, parentOf(path))
  if (collection !== undefined && shape.kind === 'text') {
    const customer = customerBeside(value, path)
    return (
      <RecordInput
        id={id}
        collection={collection}
        customer={customer}
        value={text}
        onChange={take}
        placeholder={placeholder}
        wrong={wrong}
        described={described}
      />
    )
  }
  return (
    <Typed
      id={id}
      text={text}
      take={take}
      same={(typed) => typed !== '' && asValue(shape, typed) === here}
      placeholder={placeholder}
      wrong={wrong}
      described={described}
      number={shape.kind === 'amount' || shape.kind === 'number'}
      mono={shape.kind !== 'text'}
    />
  )
}

interface TypedProps {
  readonly id: string
  readonly text: string
  readonly take: (typed: string) => void
  /** Whether this text says what the value is, as `12.` and `12.50` do. */
  readonly same: (typed: string) => boolean
  readonly placeholder: string
  readonly wrong: boolean
  readonly described: string
  readonly number: boolean
  readonly mono: boolean
}

/** What is typed stays as it was typed, as long as it is the value. */
function Typed({ id, text, take, same, placeholder, wrong, described, number, mono }: TypedProps) {
  const [typed, setTyped] = useState(text)
  return (
    <span className="field" data-wrong={wrong ? '' : undefined}>
      <input
        id={id}
        className={mono ? 'mono' : undefined}
        inputMode={number ? 'decimal' : undefined}
        value={same(typed) ? typed : text}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        aria-invalid={wrong || undefined}
        aria-describedby={described}
        onChange={({ target }) => {
          setTyped(target.value)
          take(target.value)
        }}
      />
    </span>
  )
}

function asValue({ kind, schema }: Shape, typed: string): unknown {
  if (kind === 'number') return numberOr(typed, 'number')
  if (kind === 'amount') return numberOr(typed, [schema.type].flat()[0] === 'number' ? 'number' : 'text')
  if (kind !== 'any') return typed
  try {
    return JSON.parse(typed) as unknown
  } catch {
    return typed
  }
}

const OF_CUSTOMER = ['customer_uid', 'initiating_customer_uid', 'requesting_customer_uid', 'destination_customer_uid']

/** The Customer that is named in the same object: its records are meant. */
function customerBeside(value: Tree, path: Path): string | undefined {
  const beside = valueAt(value, path.slice(0, -1))
  if (!isTree(beside)) return undefined
  const name = OF_CUSTOMER.find((one) => typeof beside[one] === 'string')
  return name && String(beside[name])
}
