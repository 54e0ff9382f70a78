import { ChevronDown } from 'lucide-react'
import { useMemo, useState } from 'react'
import { meaningOfCode } from '../../api/contract/network-codes.ts'
import type { Shape } from '../../api/contract/shape.ts'
import { type CollectionName, collections } from '../data/collections.ts'
import { customerFilter, needsAccounts } from '../data/customer-scope.ts'
import { recordAmount, recordName, recordStatus } from '../data/records.ts'
import { useQuery } from '../data/sandbox.ts'
import { useProgram } from '../data/use-program.ts'
import { formatAmount } from '../format/text.ts'
import { Autocomplete } from '../ui/Autocomplete.tsx'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { FieldFrame, Select, TextArea, TextInput } from '../ui/Field.tsx'
import menu from '../ui/Menu.module.css'
import surface from '../ui/Surface.module.css'
import { Text } from '../ui/Text.tsx'
import { fieldClass } from './FormRow.tsx'
import styles from './RecordInput.module.css'
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
  /** For a uid: the collection to choose from. */
  readonly record?: { readonly collection: CollectionName; readonly customer: string | undefined } | undefined
}

/** The input for a field, chosen by its schema. */
export function FieldInput(props: FieldInputProps) {
  const { id, shape, value, onChange, required, invalid, describedBy, record } = props
  if (shape.kind === 'choice' || shape.kind === 'boolean') return <ChoiceInput {...props} />
  const text = value === undefined || value === null ? '' : isPlain(value) ? String(value) : JSON.stringify(value)
  const placeholder = placeholderOf(shape, value, required)
  const examples = (shape.schema.examples ?? []) as readonly unknown[]
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
      suggestions={examples.length > 1 ? examples.map(String) : undefined}
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
  const { id, shape, value, onChange, required, invalid, describedBy } = props
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
      onChange={(to) => {
        if (to === ABSENT) return onChange(undefined)
        if (to === NULL) return onChange(null)
        onChange(shape.kind === 'boolean' ? to === 'true' : to)
      }}
      options={[
        ...(!required || current === ABSENT ? [[ABSENT, required ? 'required' : 'not sent'] as const] : []),
        ...options.map((option) => [option, [option, meaningOfCode(option)].filter(Boolean).join(' ')] as const),
        ...(shape.nullable ? [[NULL, 'null'] as const] : []),
        ...(isUnknown ? [current] : []),
      ]}
    />
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

interface RecordOption {
  readonly uid: string
  readonly name: string
  readonly amount: string | null
  readonly status: string | null
}

interface RecordInputProps {
  readonly id: string
  readonly collection: CollectionName
  /** Only records of this Customer. */
  readonly customer: string | undefined
  readonly value: string
  readonly onChange: (uid: string) => void
  readonly placeholder: string
  readonly invalid: boolean
  readonly describedBy: string | undefined
}

const MAX_OFFERED = 200
/** The distance from the field's border to its input, so that the list aligns with the border. */
const FIELD_INSET = 9
/** Normal states, which are not shown for the chosen record. */
const NORMAL_STATES: readonly string[] = ['active', 'settled']
/** A uid, typed or chosen from the existing records by name. */
function RecordInput(props: RecordInputProps) {
  const { id, collection, customer, value, onChange, placeholder, invalid, describedBy } = props
  const program_uid = useProgram()?.uid
  const { filter, isEmpty } = useCustomerFilter(collection, customer, program_uid)
  const { data: found } = useQuery(
    'records.list',
    program_uid === undefined || filter === undefined
      ? null
      : {
          collection,
          program_uid,
          limit: MAX_OFFERED,
          ...filter,
          ...(collection === 'customers' ? { include_initiated: true } : {}),
        },
    [collection],
  )
  const data = isEmpty ? undefined : found
  const items = useMemo<RecordOption[]>(
    () =>
      (data?.data ?? []).map((record) => ({
        uid: String(record.uid),
        name: recordName(record),
        amount: recordAmount(record),
        status: recordStatus(record),
      })),
    [data],
  )
  const chosen = items.find(({ uid }) => uid === value)
  const hasMore = data && data.total_count > items.length
  return (
    <Autocomplete.Root
      items={items}
      value={value}
      onValueChange={onChange}
      itemToStringValue={(item: RecordOption) => item.uid}
      filter={(item: RecordOption, query: string) => chosen !== undefined || matches(item, query)}
      openOnInputClick
      autoHighlight
    >
      <FieldFrame invalid={invalid} className={fieldClass}>
        <Autocomplete.Input
          id={id}
          className="mono"
          placeholder={placeholder}
          spellCheck={false}
          aria-invalid={invalid || undefined}
          aria-describedby={describedBy}
        />
        <Autocomplete.Trigger
          render={<Button bare iconOnly small tabIndex={-1} />}
          aria-label={`Show ${collections[collection].many}`}
        >
          <ChevronDown size={12} aria-hidden="true" />
        </Autocomplete.Trigger>
      </FieldFrame>
      {chosen && (
        <span className={styles.chosen} title={chosen.name}>
          <span className="cut">
            <Text>{chosen.name}</Text>
          </span>
          {chosen.amount !== null && <span>{formatAmount(chosen.amount)}</span>}
          {chosen.status !== null && !NORMAL_STATES.includes(chosen.status) && <span>{chosen.status}</span>}
        </span>
      )}
      <Autocomplete.Portal>
        <Autocomplete.Positioner className={surface.above} sideOffset={4} align="start" alignOffset={-FIELD_INSET}>
          <Autocomplete.Popup className={cx(surface.surface, styles.list)}>
            <Autocomplete.Empty className={styles.remark}>
              {items.length === 0 ? `No ${collections[collection].many} yet.` : 'No record with this name or uid.'}
            </Autocomplete.Empty>
            <Autocomplete.List>
              {(item: RecordOption) => (
                <Autocomplete.Item key={item.uid} value={item} className={menu.item}>
                  <span className="cut grow">
                    <Text>{item.name}</Text>
                  </span>
                  <span className="mono faint">{item.uid}</span>
                  <span className="nowrap" style={{ minWidth: 88, textAlign: 'right' }}>
                    {item.amount === null ? (item.status ?? '') : formatAmount(item.amount)}
                  </span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
            {hasMore && (
              <p className={styles.remark}>Only the newest {MAX_OFFERED} are listed. Type the uid of an older one.</p>
            )}
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

/** The filter for the records of the Customer; undefined while its accounts are read, and if it has none. */
function useCustomerFilter(collection: CollectionName, customer: string | undefined, program_uid: string | undefined) {
  const isScoped = customer !== undefined && customer !== ''
  const isByAccount = isScoped && needsAccounts(collection)
  const { data } = useQuery(
    'records.list',
    isByAccount && program_uid !== undefined
      ? { collection: 'synthetic_accounts', program_uid, limit: MAX_OFFERED, customer_uid: [customer] }
      : null,
    ['synthetic_accounts'],
  )
  const accounts = data?.data.map(({ uid }) => String(uid))
  if (!isScoped) return { filter: {}, isEmpty: false }
  if (!isByAccount) return { filter: customerFilter(collection, customer) ?? {}, isEmpty: false }
  const filter = accounts && (customerFilter(collection, customer, accounts) ?? undefined)
  return { filter, isEmpty: filter === undefined }
}

const matches = ({ uid, name, status }: RecordOption, query: string) =>
  `${name}\n${uid}\n${status ?? ''}`.toLowerCase().includes(query.trim().toLowerCase())
