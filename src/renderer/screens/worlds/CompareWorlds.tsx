import { useEffect } from 'react'
import { DifferenceList, type Side, useDifferenceFilter } from '../../components/differences/DifferenceList.tsx'
import { isCollection } from '../../data/collections.ts'
import { markChanged } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useQuery } from '../../data/use-query.ts'
import { isMissing, placeAddress, ROOT_WORLD, worldLabel } from '../../data/worlds.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Select } from '../../ui/Field.tsx'
import { Caption, Pane } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { AdvanceBoth } from './AdvanceBoth.tsx'
import styles from './CompareWorlds.module.css'
import { COMPARED, type RecordToDecide } from './compared.ts'
import { WorldSide } from './WorldSide.tsx'

/** The root world in the address and in the selects. */
const ROOT = ''
const worldOf = (value: string) => (value === ROOT ? null : value)

interface CompareWorldsProps {
  readonly names: readonly string[]
  readonly a: string
  readonly b: string
  /** The record to decide about, `transactions/x12`. */
  readonly about: string | undefined
  readonly onSelect: (a: string, b: string) => void
  readonly onDropped: (names: string) => void
  readonly onError: (title: string, error: unknown) => void
}

/** Two worlds side by side: the decisions about a record, one advance for both, and the differences. */
export function CompareWorlds({ names, a, b, about, onSelect, onDropped, onError }: CompareWorldsProps) {
  const isSame = a === b
  const input = { ...(a === ROOT ? {} : { a }), ...(b === ROOT ? {} : { b }) }
  const { data, error, slow } = useQuery('worlds.compare', isSame ? null : input, [COMPARED])
  const { field, search, setSearch } = useDifferenceFilter()
  useRefreshOnFocus()
  const record = parseRecord(about)
  const dropBoth = async () => {
    try {
      for (const name of [a, b]) await sandbox['worlds.drop']({ name })
      onDropped(`${a} and ${b}`)
    } catch (thrown) {
      onError('The worlds were not dropped.', thrown)
    }
    markChanged('worlds')
  }
  return (
    <Pane aria-label="Comparison">
      <Caption className={styles.caption}>
        <WorldSelect label="First world" names={names} value={a} onChange={(to) => onSelect(to, b)} />
        <span className="soft">and</span>
        <WorldSelect label="Second world" names={names} value={b} onChange={(to) => onSelect(a, to)} />
        <Button small onClick={() => markChanged(COMPARED)}>
          Refresh
        </Button>
        {!isSame && names.includes(a) && names.includes(b) && (
          <Confirm label="Drop both…" title={`Drop “${a}” and “${b}”?`} action="Drop" onConfirm={() => void dropBoth()}>
            Their records, commits, clocks, request logs, faults and snapshots are lost. This cannot be undone. Other
            worlds do not change.
          </Confirm>
        )}
        <span className="end">{field}</span>
      </Caption>
      {isSame ? (
        <EmptyText>
          {names.length === 0
            ? 'There is only the root world. Create another one, or choose Branch and compare at the decisions of a record.'
            : 'Both sides are the same world. Choose another one.'}
        </EmptyText>
      ) : (
        <>
          <div className={styles.sides}>
            <AdvanceBoth worlds={[worldOf(a), worldOf(b)]} />
            {[a, b].map((world) => (
              <WorldSide key={world} world={worldOf(world)} record={record} />
            ))}
          </div>
          {error !== undefined && !isMissing(error) && (
            <Notice title="The worlds could not be compared." error={error} />
          )}
          {data && error === undefined ? (
            <DifferenceList
              comparison={data}
              search={search}
              onSearch={setSearch}
              sides={[sideOf(worldOf(a)), sideOf(worldOf(b))]}
              first={record?.collection}
            />
          ) : (
            slow && <Skeleton />
          )}
        </>
      )}
    </Pane>
  )
}

const sideOf = (world: string | null): Side => ({
  name: worldLabel(world),
  addressOf: (collection, uid) => placeAddress(world, { collection, record: uid }),
})

function parseRecord(about: string | undefined): RecordToDecide | null {
  const [collection, uid] = about?.split('/') ?? []
  return isCollection(collection) && uid ? { collection, uid } : null
}

/** The worlds may have been changed in another tab or by a test. */
function useRefreshOnFocus() {
  useEffect(() => {
    const refresh = () => markChanged(COMPARED)
    window.addEventListener('focus', refresh)
    return () => window.removeEventListener('focus', refresh)
  }, [])
}

interface WorldSelectProps {
  readonly label: string
  readonly names: readonly string[]
  readonly value: string
  readonly onChange: (name: string) => void
}

/** A world that was dropped meanwhile stays selected, so that its side says so. */
function WorldSelect({ label, names, value, onChange }: WorldSelectProps) {
  const listed = value === ROOT || names.includes(value) ? names : [...names, value]
  return (
    <Select
      className={styles.select}
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value={ROOT}>{ROOT_WORLD}</option>
      {listed.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </Select>
  )
}
