import { DifferenceList, type Sides, useDifferenceFilter } from '../../components/differences/DifferenceList.tsx'
import type { CollectionName } from '../../data/collections.ts'
import { useQuery } from '../../data/use-query.ts'
import { isMissing } from '../../data/worlds.ts'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Caption, Pane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { UNNAMED, WorldSelect } from './parts.tsx'

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

export const CAPTION = { flexWrap: 'wrap', paddingBlock: 4 } as const
