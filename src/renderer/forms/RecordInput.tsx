import { ChevronDown } from 'lucide-react'
import { useMemo } from 'react'
import type { CollectionName } from '../data/collections.ts'
import { collections } from '../data/collections.ts'
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

interface Pickable {
  readonly uid: string
  readonly name: string
  readonly amount: string | null
  readonly status: string | null
}

interface RecordInputProps {
  readonly id: string
  readonly collection: CollectionName
  /** Records of this Customer alone. */
  readonly customer: string | undefined
  readonly value: string
  readonly onChange: (uid: string) => void
  readonly placeholder: string
  readonly wrong: boolean
  readonly described: string | undefined
}

const MOST = 200
/** From the edge of the field to its input: the list begins under the field. */
const FIELD_INSET = 9
/** What goes without saying of a record that is picked. */
const ORDINARY: readonly string[] = ['active', 'settled']
/** The lists of the API that can be asked for one Customer's. */
const BY_CUSTOMER: readonly CollectionName[] = [
  'synthetic_accounts',
  'transfers',
  'transactions',
  'returns',
  'customer_products',
]

/** A uid: typed, or picked by its name among the records that there are. */
export function RecordInput(props: RecordInputProps) {
  const { id, collection, customer, value, onChange, placeholder, wrong, described } = props
  const program_uid = useProgram()?.uid
  const mine = customer !== undefined && customer !== '' && BY_CUSTOMER.includes(collection)
  const { data } = useQuery(
    'records.list',
    program_uid === undefined
      ? null
      : {
          collection,
          program_uid,
          limit: MOST,
          ...(mine ? { customer_uid: [customer] } : {}),
          ...(collection === 'customers' ? { include_initiated: true } : {}),
        },
    [collection],
  )
  const items = useMemo<Pickable[]>(
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
  const more = data && data.total_count > items.length
  return (
    <Autocomplete.Root
      items={items}
      value={value}
      onValueChange={onChange}
      itemToStringValue={(item: Pickable) => item.uid}
      filter={(item: Pickable, query: string) => chosen !== undefined || fits(item, query)}
      openOnInputClick
      autoHighlight
    >
      <FieldFrame invalid={wrong} className={fieldClass}>
        <Autocomplete.Input
          id={id}
          className="mono"
          placeholder={placeholder}
          spellCheck={false}
          aria-invalid={wrong || undefined}
          aria-describedby={described}
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
          {chosen.status !== null && !ORDINARY.includes(chosen.status) && <span>{chosen.status}</span>}
        </span>
      )}
      <Autocomplete.Portal>
        <Autocomplete.Positioner className={surface.above} sideOffset={4} align="start" alignOffset={-FIELD_INSET}>
          <Autocomplete.Popup className={cx(surface.surface, styles.list)}>
            <Autocomplete.Empty className={styles.remark}>
              {items.length === 0 ? `There are no ${collections[collection].many} yet.` : 'None of that name or uid.'}
            </Autocomplete.Empty>
            <Autocomplete.List>
              {(item: Pickable) => (
                <Autocomplete.Item key={item.uid} value={item} className={styles.option}>
                  <span className="cut grow">
                    <Text>{item.name}</Text>
                  </span>
                  <span className="mono faint">{item.uid}</span>
                  <span className={styles.amount}>
                    {item.amount === null ? (item.status ?? '') : formatAmount(item.amount)}
                  </span>
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
            {more && <p className={styles.remark}>The newest {MOST}; the uid of an older one can be typed.</p>}
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  )
}

const fits = ({ uid, name, status }: Pickable, query: string) =>
  `${name}\n${uid}\n${status ?? ''}`.toLowerCase().includes(query.trim().toLowerCase())
