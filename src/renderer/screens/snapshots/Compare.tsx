import { useMemo, useState } from 'react'
import type { RecordDifference } from '../../../api/contract/control/snapshots.ts'
import { RecordLink } from '../../components/RecordLink.tsx'
import { collections, isCollection } from '../../data/collections.ts'
import { markChanged } from '../../data/feed.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Select } from '../../ui/Field.tsx'
import { Caption, Pane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Text } from '../../ui/Text.tsx'
import { useDebounced } from '../../ui/use-debounced.ts'
import styles from './Compare.module.css'
import { type DifferenceGroup, differenceLabels, formatValue, groupDifferences } from './diff.ts'
import type { Snapshot } from './SnapshotList.tsx'

/** The value of a select for the current world, which has no name. */
const CURRENT = ''

interface CompareProps {
  readonly snapshots: readonly Snapshot[]
  /** The name of a snapshot; empty: the current world. */
  readonly a: string
  readonly b: string
  readonly onSelect: (a: string, b: string) => void
  /** The newest commit. A comparison with the current world is repeated on request only. */
  readonly seq: number
}

export function Compare({ snapshots, a, b, onSelect, seq }: CompareProps) {
  const names = snapshots.filter(({ trouble }) => trouble === undefined).map(({ name }) => name)
  const input = { ...(a === CURRENT ? {} : { a }), ...(b === CURRENT ? {} : { b }) }
  const [comparedSeq, setComparedSeq] = useState(seq)
  const isSame = a === b
  const { data, error, slow } = useQuery('snapshots.compare', isSame ? null : input, ['compared', 'snapshots'])
  const select = (left: string, right: string) => {
    setComparedSeq(seq)
    onSelect(left, right)
  }
  const [search, setSearch] = useState('')
  const filter = useDebounced(search)
  const groups = useMemo(() => groupDifferences(data?.differences ?? [], filter), [data, filter])
  const isOutdated = (a === CURRENT || b === CURRENT) && data !== undefined && seq > comparedSeq
  return (
    <Pane aria-label="Comparison">
      <Caption className={styles.caption}>
        <h2>Compare</h2>
        <span className="soft">from</span>
        <WorldSelect label="From" names={names} value={a} onChange={(to) => select(to, b)} />
        <span className="soft">to</span>
        <WorldSelect label="To" names={names} value={b} onChange={(to) => select(a, to)} />
        <Button small onClick={() => select(b, a)}>
          Swap
        </Button>
        <span className="end">
          <SearchField
            value={search}
            onChange={setSearch}
            label="Filter the differences"
            placeholder="Filter"
            width={160}
          />
        </span>
      </Caption>
      {isOutdated && (
        <Caption as="p" className={cx(styles.caption, 'data soft')}>
          The current world has changed since this comparison.
          <Button
            small
            onClick={() => {
              setComparedSeq(seq)
              markChanged('compared')
            }}
          >
            Compare again
          </Button>
        </Caption>
      )}
      {isSame ? (
        <EmptyText>Both sides are the same world. Choose another one.</EmptyText>
      ) : error !== undefined ? (
        <Notice title="The worlds could not be compared." error={error} />
      ) : !data ? (
        slow && <Skeleton />
      ) : (
        <>
          <Caption as="p" className={cx(styles.caption, 'data')} role="status">
            {data.total_count === 0
              ? 'No differences.'
              : `${plural(data.total_count, 'record')} ${data.total_count === 1 ? 'differs' : 'differ'}.`}
            {data.total_count > data.differences.length && (
              <span className="wait">Only the first {formatCount(data.differences.length)} are listed.</span>
            )}
            {data.total_count > 0 && groups.length === 0 && (
              <>
                <span className="cut">
                  No difference contains “<Text>{filter}</Text>”.
                </span>
                <Button small onClick={() => setSearch('')}>
                  Clear filter
                </Button>
              </>
            )}
          </Caption>
          {groups.map((group) => (
            <Group key={group.collection} group={group} open={groups.length < 6 || filter !== ''} />
          ))}
        </>
      )}
    </Pane>
  )
}

interface WorldSelectProps {
  readonly label: string
  readonly names: readonly string[]
  readonly value: string
  readonly onChange: (name: string) => void
}

function WorldSelect({ label, names, value, onChange }: WorldSelectProps) {
  return (
    <Select
      className={styles.world}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value={CURRENT}>the current world</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  )
}

const KINDS: readonly RecordDifference['what'][] = ['differs', 'only in a', 'only in b']
const PAGE = 50

function Group({ group: { collection, records, counts }, open }: { group: DifferenceGroup; open: boolean }) {
  const [limit, setLimit] = useState(PAGE)
  return (
    <details className={styles.group} open={open}>
      <summary>
        <b>{titleOf(collection)}</b>
        <span className="faint">
          {KINDS.filter((what) => counts[what] > 0)
            .map((what) => `${formatCount(counts[what])} ${differenceLabels[what]}`)
            .join(', ')}
        </span>
      </summary>
      <ul>
        {records.slice(0, limit).map((difference) => (
          <Difference key={difference.uid} difference={difference} />
        ))}
      </ul>
      {records.length > limit && (
        <Button className={styles.more} onClick={() => setLimit(limit + PAGE)}>
          Show {formatCount(Math.min(PAGE, records.length - limit))} more
        </Button>
      )}
    </details>
  )
}

function titleOf(collection: string): string {
  const name = isCollection(collection) ? collections[collection].many : collection
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

function Difference({ difference: { collection, uid, what, fields } }: { difference: RecordDifference }) {
  return (
    <li className={styles.record} data-difference>
      <div className="row data">
        {isCollection(collection) ? (
          <span className="mono">
            <RecordLink collection={collection} uid={uid}>
              {uid}
            </RecordLink>
          </span>
        ) : (
          <Text className="mono">{uid}</Text>
        )}
        <span className={what === 'differs' ? 'faint' : undefined}>{differenceLabels[what]}</span>
      </div>
      {what === 'differs' ? (
        <dl className={styles.changes}>
          {fields.map(({ field, a, b }) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                <Text className={cx('wrap', styles.before)}>{formatValue(a)}</Text> →{' '}
                <Text className="wrap">{formatValue(b)}</Text>
              </dd>
            </div>
          ))}
        </dl>
      ) : (
        <details>
          <summary className="meta">{plural(fields.length, 'field')}</summary>
          <dl className={styles.changes}>
            {fields.map(({ field, a, b }) => (
              <div key={field}>
                <dt>{field}</dt>
                <dd>
                  <Text className="wrap">{formatValue(what === 'only in a' ? a : b)}</Text>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}
