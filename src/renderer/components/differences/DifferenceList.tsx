import { useMemo, useState } from 'react'
import type { RecordDifference } from '../../../api/contract/control/snapshots.ts'
import { type CollectionName, collections, isCollection } from '../../data/collections.ts'
import { formatAmount, formatCount, plural } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { SearchField } from '../../ui/Field.tsx'
import { Caption, Stack } from '../../ui/Layout.tsx'
import { Text } from '../../ui/Text.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import { AnyRecordLink } from '../ScreenLink.tsx'
import styles from './DifferenceList.module.css'

/** One of two worlds whose differences are shown side by side. */
export interface Side {
  readonly name: string
  readonly addressOf: (collection: CollectionName, uid: string) => string
}

/** Two worlds as equals; without it, b is the state after a. */
export type Sides = readonly [a: Side, b: Side]

interface DifferenceListProps {
  readonly comparison: { readonly differences: readonly RecordDifference[]; readonly total_count: number }
  readonly search: string
  readonly onSearch: (text: string) => void
  readonly sides?: Sides
  /** The collection that is listed first. */
  readonly first?: CollectionName | undefined
}

/** The records that differ, by collection, with the fields that differ. */
export function DifferenceList({ comparison, search, onSearch, sides, first }: DifferenceListProps) {
  const { differences, total_count } = comparison
  const groups = useMemo(
    () =>
      groupDifferences(differences, search).toSorted(
        (a, b) => Number(b.collection === first) - Number(a.collection === first),
      ),
    [differences, search, first],
  )
  return (
    <>
      <Caption as="p" className={cx(styles.caption, 'data')} role="status">
        {total_count === 0
          ? 'No differences.'
          : `${plural(total_count, 'record')} ${total_count === 1 ? 'differs' : 'differ'}.`}
        {total_count > differences.length && (
          <span className="wait">Only the first {formatCount(differences.length)} are listed.</span>
        )}
        {total_count > 0 && groups.length === 0 && (
          <>
            <span className="cut">
              No difference contains “<Text>{search}</Text>”.
            </span>
            <Button small onClick={() => onSearch('')}>
              Clear filter
            </Button>
          </>
        )}
      </Caption>
      {groups.map((group) => (
        <Group
          key={group.collection}
          group={group}
          open={groups.length < 6 || search !== '' || group.collection === first}
          sides={sides}
        />
      ))}
    </>
  )
}

/** The filter of a list, and the text to filter by. */
export function useDifferenceFilter() {
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed)
  const field = (
    <SearchField value={typed} onChange={setTyped} label="Filter the differences" placeholder="Filter" width={160} />
  )
  return { field, search, setSearch: setTyped }
}

const KINDS: readonly RecordDifference['what'][] = ['differs', 'only in a', 'only in b']
const PAGE = 50

interface GroupProps {
  readonly group: DifferenceGroup
  readonly open: boolean
  readonly sides: Sides | undefined
}

function Group({ group: { collection, records, counts }, open, sides }: GroupProps) {
  const [limit, setLimit] = useState(PAGE)
  return (
    <details className={styles.group} open={open}>
      <summary>
        <b>{titleOf(collection)}</b>
        <span className="faint">
          {KINDS.filter((what) => counts[what] > 0)
            .map((what) => `${formatCount(counts[what])} ${labelOf(what, sides)}`)
            .join(', ')}
        </span>
      </summary>
      <ul>
        {records
          .slice(0, limit)
          .map((difference) =>
            sides ? (
              <SideBySide key={difference.uid} difference={difference} sides={sides} />
            ) : (
              <Change key={difference.uid} difference={difference} />
            ),
          )}
      </ul>
      {records.length > limit && (
        <Button style={{ margin: '8px 16px' }} onClick={() => setLimit(limit + PAGE)}>
          Show {formatCount(Math.min(PAGE, records.length - limit))} more
        </Button>
      )}
    </details>
  )
}

function labelOf(what: RecordDifference['what'], sides: Sides | undefined): string {
  if (!sides) return differenceLabels[what]
  if (what === 'differs') return 'different'
  return `only in ${sides[what === 'only in a' ? 0 : 1].name}`
}

function titleOf(collection: string): string {
  const name = isCollection(collection) ? collections[collection].many : collection
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

function Change({ difference: { collection, uid, what, fields } }: { difference: RecordDifference }) {
  return (
    <Stack as="li" columns="232px minmax(0, 1fr)" narrows gap={8} pad="6 16" line="bottom" data-difference>
      <div className="row data">
        <span className="mono">
          <AnyRecordLink collection={collection} uid={uid}>
            {uid}
          </AnyRecordLink>
        </span>
        <span className={what === 'differs' ? 'faint' : undefined}>{differenceLabels[what]}</span>
      </div>
      {what === 'differs' ? (
        <dl>
          {fields.map(({ field, a, b }) => (
            <FieldLine key={field} name={field}>
              <Text className="wrap soft">{formatValue(a)}</Text> → <Text className="wrap">{formatValue(b)}</Text>
            </FieldLine>
          ))}
        </dl>
      ) : (
        <AllFields fields={fields} of={what === 'only in a' ? 'a' : 'b'} />
      )}
    </Stack>
  )
}

function AllFields({ fields, of }: { fields: RecordDifference['fields']; of: 'a' | 'b' }) {
  return (
    <details>
      <summary className="meta">{plural(fields.length, 'field')}</summary>
      <dl>
        {fields.map((one) => (
          <FieldLine key={one.field} name={one.field}>
            <Text className="wrap">{formatValue(one[of])}</Text>
          </FieldLine>
        ))}
      </dl>
    </details>
  )
}

const FieldLine = ({ name, children }: { name: string; children: React.ReactNode }) => (
  <Stack columns="192px minmax(0, 1fr)" narrows gap={8} text="data">
    <dt className="faint wrap">{name}</dt>
    <dd>{children}</dd>
  </Stack>
)

interface SideBySideProps {
  readonly difference: RecordDifference
  readonly sides: Sides
}

/** A line per field with its value in each world. A record that only one world has is in that world's column. */
function SideBySide({ difference: { collection, uid, what, fields }, sides }: SideBySideProps) {
  const isIn = { a: what !== 'only in b', b: what !== 'only in a' }
  return (
    <li className={styles.pair} data-difference>
      <div className={styles.uid}>
        <Text className="mono wrap">{uid}</Text>
      </div>
      {(['a', 'b'] as const).map((side, at) => (
        <div key={side} className="data">
          {isIn[side] ? (
            isCollection(collection) && (
              <a href={sides[at]!.addressOf(collection, uid)}>
                Open <span className="unseen">{`${collections[collection].one} ${uid}`}</span> in {sides[at]!.name}
              </a>
            )
          ) : (
            <span className="faint">not in {sides[at]!.name}</span>
          )}
        </div>
      ))}
      {what === 'differs' ? (
        fields.map(({ field, a, b }) => (
          <dl key={field} className={styles.field}>
            <dt className="faint wrap">{field}</dt>
            <dd>
              <Text className="wrap">{formatValue(a)}</Text>
            </dd>
            <dd>
              <Text className="wrap">{formatValue(b)}</Text>
            </dd>
          </dl>
        ))
      ) : (
        <div className={styles.only} data-side={isIn.a ? 'a' : 'b'}>
          <AllFields fields={fields} of={isIn.a ? 'a' : 'b'} />
        </div>
      )}
    </li>
  )
}

/** The differences of two worlds, by collection. */

interface DifferenceGroup {
  readonly collection: string
  readonly records: readonly RecordDifference[]
  readonly counts: Readonly<Record<RecordDifference['what'], number>>
}

export function groupDifferences(differences: readonly RecordDifference[], search = ''): DifferenceGroup[] {
  const text = search.trim().toLowerCase()
  const groups = new Map<string, RecordDifference[]>()
  for (const difference of differences) {
    if (text !== '' && !JSON.stringify(difference).toLowerCase().includes(text)) continue
    groups.set(difference.collection, [...(groups.get(difference.collection) ?? []), difference])
  }
  return [...groups].map(([collection, records]) => {
    const counts = { 'only in a': 0, 'only in b': 0, differs: 0 }
    for (const { what } of records) counts[what]++
    return { collection, records, counts }
  })
}

/** The control API's words for a difference, as the window shows them. */
const differenceLabels: Readonly<Record<RecordDifference['what'], string>> = {
  differs: 'changed',
  'only in a': 'removed',
  'only in b': 'added',
}

/** Text as it is, an amount as on a statement, everything else as JSON. */
export const formatValue = (value: unknown): string =>
  typeof value === 'string' ? formatAmount(value) : JSON.stringify(value)
