import { useState } from 'react'
import { DifferenceList, useDifferenceFilter } from '../../components/differences/DifferenceList.tsx'
import { markChanged } from '../../data/feed.ts'
import { useQuery } from '../../data/use-query.ts'
import { Button } from '../../ui/Button.tsx'
import { cx } from '../../ui/cx.ts'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Select } from '../../ui/Field.tsx'
import { Caption, Pane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import styles from './Compare.module.css'
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
  const { field, search, setSearch } = useDifferenceFilter()
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
        <span className="end">{field}</span>
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
        <DifferenceList comparison={data} search={search} onSearch={setSearch} />
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
