import { ChevronDown, GitFork, type LucideIcon, Undo2 } from 'lucide-react'
import { perform } from '../actions/action.ts'
import { shortcutsAction } from '../actions/window.ts'
import { newWorld } from '../actions/world.ts'
import { areaCollections, collections } from '../data/collections.ts'
import { countRequestsOf, useFeed } from '../data/feed.ts'
import { openLine } from '../data/line.ts'
import { type Route, useRoute, useRouteHref } from '../data/route.ts'
import { useQuery } from '../data/sandbox.ts'
import { type ListedScreen, screenList } from '../data/screen-list.ts'
import { useProgram, useTotal } from '../data/use-program.ts'
import { shownWorld } from '../data/world-address.ts'
import { openWorld, useWorlds, type WorldInfo, worldLabel } from '../data/worlds.ts'
import { formatCount, formatShortInstant } from '../format/text.ts'
import { PlainButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { Column } from '../ui/Layout.tsx'
import { RadioMenu } from './late.tsx'
import styles from './Navigation.module.css'

export function Navigation() {
  const program = useProgram()
  const requests = useFeed((feed) => countRequestsOf(feed, program?.uid))
  const faults = useFeed((feed) => feed.faults.length)
  const scenarios = useQuery('scenarios.list', {}, ['scenarios']).data?.scenarios
  /** Before, the lists of the feed are empty. */
  const isKnown = useFeed((feed) => feed.clock !== null)
  return (
    <Column as="nav" pad={8} line="top" className={styles.nav} aria-label="Screens">
      <WorldSwitch />
      <ScreenNavLink screen="now" />
      <ScreenNavLink screen="requests" n={isKnown ? requests : undefined} />
      <h2>Records</h2>
      <ScreenNavLink screen="customers" n={useTotal(areaCollections.customers)} />
      <ScreenNavLink screen="accounts" n={useTotal(areaCollections.accounts)} />
      <Payments />
      <ScreenNavLink screen="vrns" n={useTotal(areaCollections.vrns)} />
      <h2>Controls</h2>
      <ScreenNavLink screen="inject" />
      <ScreenNavLink screen="scenarios" n={scenarios?.length} />
      <ScreenNavLink screen="webhooks" n={useTotal('webhook_events')} />
      <ScreenNavLink screen="faults" n={isKnown ? faults : undefined} />
      <span className={styles.gap} />
      <ScreenNavLink screen="reference" />
      <ScreenNavLink screen="settings" />
      <PlainButton className={styles.shortcuts} onClick={() => void perform(shortcutsAction)}>
        <shortcutsAction.icon size={14} strokeWidth={1.5} aria-hidden="true" />
        {shortcutsAction.label}
        <span className={cx('end meta', styles.count)}>
          <kbd>?</kbd>
        </span>
      </PlainButton>
    </Column>
  )
}

/** The link to Payments. Its four lists are shown below it while one of them, or a record in one, is open. */
function Payments() {
  const isOpen = useIsCurrent('payments')
  const openList = useRoute(({ collection }) => collection ?? 'transactions')
  const totals = {
    transfers: useTotal('transfers'),
    transactions: useTotal('transactions'),
    returns: useTotal('returns'),
    combined_transfers: useTotal('combined_transfers'),
  }
  const known = Object.values(totals).filter((n) => n !== undefined)
  return (
    <>
      <ScreenNavLink screen="payments" n={known.length === 4 ? known.reduce((sum, n) => sum + n) : undefined} />
      {isOpen &&
        (Object.keys(totals) as (keyof typeof totals)[]).map((collection) => (
          <NavLink
            key={collection}
            to={{ collection }}
            name={collections[collection].many}
            n={totals[collection]}
            current={collection === openList ? 'true' : undefined}
          />
        ))}
    </>
  )
}

const useIsCurrent = (screen: ListedScreen) =>
  useRoute((view) =>
    view.screen === 'record' && view.collection !== null
      ? collections[view.collection].home === screen
      : view.screen === screen,
  )

interface ScreenNavLinkProps {
  readonly screen: ListedScreen
  readonly n?: number | undefined
}

function ScreenNavLink({ screen, ...count }: ScreenNavLinkProps) {
  const { name, icon } = screenList[screen]
  const current = useIsCurrent(screen) ? 'page' : undefined
  return <NavLink to={{ screen }} icon={icon} name={name} {...count} current={current} />
}

interface NavLinkProps extends Omit<ScreenNavLinkProps, 'screen'> {
  readonly to: Partial<Route>
  /** Without it: a list of the screen above. */
  readonly icon?: LucideIcon
  readonly name: string
  readonly current: 'page' | 'true' | undefined
}

function NavLink({ to, icon: Icon, name, n, current }: NavLinkProps) {
  return (
    <a href={useRouteHref(to)} data-below={Icon ? undefined : ''} aria-current={current}>
      {Icon && <Icon size={14} strokeWidth={1.5} aria-hidden="true" />}
      {name}
      <span className={cx('end meta', styles.count)}>{n === undefined ? '' : formatCount(n)}</span>
    </a>
  )
}

/** The root world in the menu, whose options are texts. */
const ROOT = ''
const MAX_LISTED = 12

/** The world that the window shows, and the others. Not there while the sandbox has only the root world. */
function WorldSwitch() {
  const worlds = useWorlds().data?.worlds ?? []
  const isLook = useFeed(({ world }) => world?.look != null)
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
            run: () => openLine('worlds'),
          },
        ]}
      />
      {shown !== null && !isLook && (
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
