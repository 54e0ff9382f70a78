import { ChevronDown, GitFork, Undo2 } from 'lucide-react'
import { perform } from '../actions/action.ts'
import { newWorld } from '../actions/world.ts'
import { useRoute } from '../data/route.ts'
import { shownWorld } from '../data/world-address.ts'
import { openWorld, useWorlds, type WorldInfo, worldLabel } from '../data/worlds.ts'
import { formatCount } from '../format/numbers.ts'
import { formatShortInstant } from '../format/time.ts'
import { PlainButton } from '../ui/Button.tsx'
import { RadioMenu } from './late.tsx'
import styles from './WorldSwitch.module.css'

/** The root world in the menu, whose options are texts. */
const ROOT = ''
const MAX_LISTED = 12

/** The world that the window shows, and the others. Not there while the sandbox has only the root world. */
export function WorldSwitch() {
  const worlds = useWorlds().data?.worlds ?? []
  const shown = shownWorld()
  if (shown === null && worlds.length === 0) return null
  const listed = newest(worlds, shown)
  const fork = newWorld()
  return (
    <div className={styles.switch} data-named={shown === null ? undefined : ''} data-world={shown ?? ''}>
      <RadioMenu
        trigger={
          <PlainButton className={styles.world}>
            <GitFork size={14} strokeWidth={1.6} aria-hidden="true" />
            <span className="unseen">Switch world.</span>
            <b className="cut grow" title={worldLabel(shown)}>
              {worldLabel(shown)}
            </b>
            <ChevronDown size={14} aria-hidden="true" />
          </PlainButton>
        }
        value={shown ?? ROOT}
        onChange={(name) => void openWorld(name === ROOT ? null : name)}
        options={[{ value: ROOT, label: worldLabel(null) }, ...listed.map(optionOf)]}
        more={[
          { id: fork.id, label: fork.title, run: () => void perform(fork) },
          {
            id: 'all',
            label: <AllWorlds count={worlds.length + 1} />,
            run: () => useRoute.getState().go({ screen: 'worlds' }),
          },
        ]}
      />
      {shown !== null && (
        <PlainButton className={styles.back} onClick={() => void openWorld(null)}>
          <Undo2 size={12} strokeWidth={1.8} aria-hidden="true" />
          Back to the root world
        </PlainButton>
      )}
    </div>
  )
}

const AllWorlds = ({ count }: { count: number }) => (
  <>
    All worlds…
    <span className="meta">{formatCount(count)}</span>
  </>
)

const optionOf = ({ name, at }: WorldInfo) => ({
  value: name,
  label: (
    <>
      {name}
      <span className="meta">{formatShortInstant(Date.parse(at))}</span>
    </>
  ),
})

/** The newest worlds, with the one that is shown. */
function newest(worlds: readonly WorldInfo[], shown: string | null): readonly WorldInfo[] {
  const recent = worlds.slice(-MAX_LISTED)
  const current = worlds.find(({ name }) => name === shown)
  return (current && !recent.includes(current) ? [current, ...recent] : recent).toReversed()
}
