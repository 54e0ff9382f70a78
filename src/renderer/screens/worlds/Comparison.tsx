import { useState } from 'react'
import { DifferenceList, type Sides, useDifferenceFilter } from '../../components/differences/DifferenceList.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { markChanged, useFeed } from '../../data/feed.ts'
import { useQuery } from '../../data/sandbox.ts'
import { isMissing } from '../../data/worlds.ts'
import { formatLongDay, newYork } from '../../format/text.ts'
import { Button } from '../../ui/Button.tsx'
import { Select } from '../../ui/Field.tsx'
import { Caption, Pane } from '../../ui/Layout.tsx'
import { EmptyText, Notice, Skeleton } from '../../ui/Notice.tsx'

interface ComparisonProps {
  readonly method: 'snapshots.compare' | 'worlds.compare'
  /** When it is read again. */
  readonly watched: readonly string[]
  readonly heading?: React.ReactNode
  /** The labels of the two selects, and the word between them. */
  readonly labels: readonly [first: string, between: string, second: string]
  readonly names: readonly string[]
  readonly unnamed: string
  readonly a: string
  readonly b: string
  readonly onSelect: (a: string, b: string) => void
  readonly actions: React.ReactNode
  /** Shown while both sides are the same world. */
  readonly whenSame: string
  readonly sides?: Sides
  readonly first?: CollectionName | undefined
  /** Above the differences. */
  readonly children?: React.ReactNode
}

/** Two worlds or snapshots to choose, and their differences. */
export function Comparison(props: ComparisonProps) {
  const { method, watched, heading, labels, names, unnamed, a, b, onSelect, actions, whenSame, children } = props
  const isSame = a === b
  const input = { ...(a === UNNAMED ? {} : { a }), ...(b === UNNAMED ? {} : { b }) }
  const { data, error, slow } = useQuery(method, isSame ? null : input, watched)
  const { field, search, setSearch } = useDifferenceFilter()
  const select = { names, unnamed }
  return (
    <Pane aria-label="Comparison">
      <Caption style={CAPTION}>
        {heading}
        <WorldSelect label={labels[0]} {...select} value={a} onChange={(to) => onSelect(to, b)} />
        <span className="soft">{labels[1]}</span>
        <WorldSelect label={labels[2]} {...select} value={b} onChange={(to) => onSelect(a, to)} />
        {actions}
        <span className="end">{field}</span>
      </Caption>
      {isSame ? <EmptyText>{whenSame}</EmptyText> : children}
      {/* A side says that its world is missing. */}
      {error !== undefined && !(props.sides && isMissing(error)) && (
        <Notice title="The worlds could not be compared." error={error} />
      )}
      {!isSame &&
        error === undefined &&
        (data ? (
          <DifferenceList
            comparison={data}
            search={search}
            onSearch={setSearch}
            {...(props.sides && { sides: props.sides })}
            first={props.first}
          />
        ) : (
          slow && <Skeleton />
        ))}
    </Pane>
  )
}

const CAPTION = { flexWrap: 'wrap', paddingBlock: 4 } as const

interface CompareSnapshotsProps {
  readonly names: readonly string[]
  readonly a: string
  readonly b: string
  readonly onSelect: (a: string, b: string) => void
}

/** Two snapshots, or one and the current world. A comparison with the current world is repeated on request only. */
export function CompareSnapshots({ names, a, b, onSelect }: CompareSnapshotsProps) {
  const seq = useFeed((feed) => feed.seq)
  const [comparedSeq, setComparedSeq] = useState(seq)
  const select = (left: string, right: string) => {
    setComparedSeq(seq)
    onSelect(left, right)
  }
  const isOutdated = a !== b && (a === UNNAMED || b === UNNAMED) && seq > comparedSeq
  return (
    <Comparison
      method="snapshots.compare"
      watched={['compared', 'snapshots']}
      heading={
        <>
          <h2>Compare</h2>
          <span className="soft">from</span>
        </>
      }
      labels={['From', 'to', 'To']}
      names={names}
      a={a}
      b={b}
      unnamed="the current world"
      onSelect={select}
      actions={
        <Button small onClick={() => select(b, a)}>
          Swap
        </Button>
      }
      whenSame="Both sides are the same world. Choose another one."
    >
      {isOutdated && (
        <Caption as="p" className="data soft" style={CAPTION}>
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
    </Comparison>
  )
}

/** A simulated instant in New York. */
export const Instant = ({ at }: { at: string }) => (
  <time dateTime={at}>{`${formatLongDay(Date.parse(at))} ${newYork(Date.parse(at)).time}`}</time>
)

/** The value of a select, and the name in the address, of the world that has no name. */
export const UNNAMED = ''

interface WorldSelectProps {
  readonly label: string
  readonly names: readonly string[]
  /** How the world without a name is called. */
  readonly unnamed: string
  readonly value: string
  readonly onChange: (name: string) => void
}

/** One that was dropped meanwhile stays selected, so that its side says so. */
function WorldSelect({ label, names, unnamed, value, onChange }: WorldSelectProps) {
  const listed = value === UNNAMED || names.includes(value) ? names : [...names, value]
  return (
    <Select
      style={{ maxWidth: 254 }}
      aria-label={label}
      value={value}
      onChange={onChange}
      options={[[UNNAMED, unnamed], ...listed]}
    />
  )
}
