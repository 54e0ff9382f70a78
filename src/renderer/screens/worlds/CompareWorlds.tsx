import { useEffect } from 'react'
import type { Side } from '../../components/differences/DifferenceList.tsx'
import { isCollection } from '../../data/collections.ts'
import { markChanged } from '../../data/feed.ts'
import { sandbox } from '../../data/sandbox.ts'
import { placeAddress, ROOT_WORLD, worldLabel } from '../../data/worlds.ts'
import { Button } from '../../ui/Button.tsx'
import { Confirm } from '../../ui/Confirm.tsx'
import { AdvanceBoth } from './AdvanceBoth.tsx'
import styles from './CompareWorlds.module.css'
import { Comparison } from './Comparison.tsx'
import { UNNAMED } from './parts.tsx'
import { COMPARED, type RecordToDecide, WorldSide } from './WorldSide.tsx'

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
  const worlds = [a, b].map((name) => (name === UNNAMED ? null : name))
  const record = parseRecord(about)
  useRefreshOnFocus()
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
    <Comparison
      method="worlds.compare"
      watched={[COMPARED]}
      labels={['First world', 'and', 'Second world']}
      names={names}
      a={a}
      b={b}
      onSelect={onSelect}
      unnamed={ROOT_WORLD}
      actions={
        <>
          <Button small onClick={() => markChanged(COMPARED)}>
            Refresh
          </Button>
          {a !== b && names.includes(a) && names.includes(b) && (
            <Confirm
              label="Drop both…"
              title={`Drop “${a}” and “${b}”?`}
              action="Drop"
              onConfirm={() => void dropBoth()}
            >
              Their records, commits, clocks, request logs, faults and snapshots are lost. This cannot be undone. Other
              worlds do not change.
            </Confirm>
          )}
        </>
      }
      whenSame={
        names.length === 0
          ? 'There is only the root world. Create another one, or choose Branch and compare at the decisions of a record.'
          : 'Both sides are the same world. Choose another one.'
      }
      sides={[sideOf(worlds[0]!), sideOf(worlds[1]!)]}
      first={record?.collection}
    >
      <div className={styles.sides}>
        <AdvanceBoth worlds={worlds} />
        {worlds.map((world) => (
          <WorldSide key={world} world={world} record={record} />
        ))}
      </div>
    </Comparison>
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
