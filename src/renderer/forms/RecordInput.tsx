import { ChevronDown } from 'lucide-react'
import { useMemo } from 'react'
import type { CollectionName } from '../data/collections.ts'
import { collections } from '../data/collections.ts'
import { customerFilter, needsAccounts } from '../data/customer-scope.ts'
import { recordAmount, recordName, recordStatus } from '../data/records.ts'
import { useProgram } from '../data/use-program.ts'
import { useQuery } from '../data/use-query.ts'
import { formatAmount } from '../format/numbers.ts'
import { Autocomplete } from '../ui/Autocomplete.tsx'
import { Button } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { FieldFrame } from '../ui/Field.tsx'
import surface from '../ui/Surface.module.css'
import { Text } from '../ui/Text.tsx'
import { fieldClass } from './FormRow.tsx'
import styles from './RecordInput.module.css'

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
export function RecordInput(props: RecordInputProps) {
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
                <Autocomplete.Item key={item.uid} value={item} className={styles.option}>
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
