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
import { groupsOf, written } from './diff.ts'
import type { Kept } from './SnapshotList.tsx'

const PRESENT = ''

interface CompareProps {
  readonly snapshots: readonly Kept[]
  readonly a: string
  /** Empty: the present world. */
  readonly b: string
  readonly choose: (a: string, b: string) => void
  /** The present world has changed so many times: a comparison with it is asked for again by its reader. */
  readonly seq: number
}

export function Compare({ snapshots, a, b, choose, seq }: CompareProps) {
  const names = snapshots.filter(({ trouble }) => trouble === undefined).map(({ name }) => name)
  const input = { ...(a === PRESENT ? {} : { a }), ...(b === PRESENT ? {} : { b }) }
  const [askedAt, setAskedAt] = useState(seq)
  const same = a === b
  const { data, error, slow } = useQuery('snapshots.compare', same ? null : input, ['compared', 'snapshots'])
  const chosen = (left: string, right: string) => {
    setAskedAt(seq)
    choose(left, right)
  }
  const [search, setSearch] = useState('')
  const settled = useDebounced(search)
  const groups = useMemo(() => groupsOf(data?.differences ?? [], settled), [data, settled])
  const withPresent = a === PRESENT || b === PRESENT
  const pick = (label: string, value: string, other: (to: string) => void) => (
    <Select className={styles.world} aria-label={label} value={value} onChange={(event) => other(event.target.value)}>
      <option value={PRESENT}>the present world</option>
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  )
  return (
    <Pane aria-label="Comparison">
      <Caption className={styles.caption}>
        <h2>Compare</h2>
        <span className="soft">a</span>
        {pick('World a', a, (to) => chosen(to, b))}
        <span className="soft">with b</span>
        {pick('World b', b, (to) => chosen(a, to))}
        <Button small onClick={() => chosen(b, a)}>
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
      {withPresent && data && seq > askedAt && (
        <Caption as="p" className={cx(styles.caption, 'data soft')}>
          The present world has moved on since it was compared.
          <Button
            small
            onClick={() => {
              setAskedAt(seq)
              markChanged('compared')
            }}
          >
            Compare again
          </Button>
        </Caption>
      )}
      {same ? (
        <EmptyText>A world does not differ from itself: choose another one.</EmptyText>
      ) : error !== undefined ? (
        <Notice title="They could not be compared." error={error} />
      ) : !data ? (
        slow && <Skeleton />
      ) : (
        <>
          <Caption as="p" className={cx(styles.caption, 'data')} role="status">
            {data.total_count === 0
              ? 'No record differs.'
              : `${plural(data.total_count, 'record')} ${data.total_count === 1 ? 'differs' : 'differ'}.`}
            {data.total_count > data.differences.length && (
              <span className="wait">Only the first {formatCount(data.differences.length)} are listed.</span>
            )}
            {data.total_count > 0 && groups.length === 0 && (
              <>
                <span className="cut">
                  None holds “<Text>{settled}</Text>”.
                </span>
                <Button small onClick={() => setSearch('')}>
                  Clear the filter
                </Button>
              </>
            )}
          </Caption>
          {groups.map(({ collection, records, counts }) => (
            <details key={collection} className={styles.group} open={groups.length < 6 || settled !== ''}>
              <summary>
                <b>{named(collection)}</b>
                <span className="faint">
                  {[
                    counts.differs > 0 &&
                      `${formatCount(counts.differs)} ${counts.differs === 1 ? 'differs' : 'differ'}`,
                    counts['only in a'] > 0 && `${formatCount(counts['only in a'])} only in a`,
                    counts['only in b'] > 0 && `${formatCount(counts['only in b'])} only in b`,
                  ]
                    .filter(Boolean)
                    .join(', ')}
                </span>
              </summary>
              <Records records={records} />
            </details>
          ))}
        </>
      )}
    </Pane>
  )
}

function named(collection: string): string {
  const name = isCollection(collection) ? collections[collection].many : collection
  return `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
}

const PAGE = 50

function Records({ records }: { records: readonly RecordDifference[] }) {
  const [most, setMost] = useState(PAGE)
  return (
    <>
      <ul>
        {records.slice(0, most).map((difference) => (
          <Differing key={difference.uid} difference={difference} />
        ))}
      </ul>
      {records.length > most && (
        <Button className={styles.more} onClick={() => setMost(most + PAGE)}>
          Show {formatCount(Math.min(PAGE, records.length - most))} more
        </Button>
      )}
    </>
  )
}

function Differing({ difference: { collection, uid, what, fields } }: { difference: RecordDifference }) {
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
        <span className={what === 'differs' ? 'faint' : undefined}>{what}</span>
      </div>
      {what === 'differs' ? (
        <dl className={styles.changes}>
          {fields.map(({ field, a, b }) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd>
                <Text className={cx('wrap', styles.before)}>{written(a)}</Text> →{' '}
                <Text className="wrap">{written(b)}</Text>
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
                  <Text className="wrap">{written(what === 'only in a' ? a : b)}</Text>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  )
}
