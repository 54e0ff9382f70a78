import { type ComponentType, Suspense, useEffect, useState } from 'react'
import styles from './App.module.css'
import { useFeed } from './data/feed.ts'
import { focusScreen } from './data/focus.ts'
import { announce } from './data/messages.ts'
import { useConnect, useFind, usePalette, useShortcutsShown } from './data/overlays.ts'
import { useRoute } from './data/route.ts'
import { nameOfScreen as nameOf } from './data/screen-list.ts'
import { useTrial } from './data/trying.ts'
import { shownWorld } from './data/world-address.ts'
import { ConnectionNotice, FileDrop } from './frame/Banners.tsx'
import { ClockBar } from './frame/ClockBar.tsx'
import { LineOfTime } from './frame/LineOfTime.tsx'
import { Navigation } from './frame/Navigation.tsx'
import { SignIn, WorldGone } from './frame/NotConnected.tsx'
import { NotFound } from './frame/NotFound.tsx'
import { ProgramSwitch } from './frame/ProgramSwitch.tsx'
import { StatusBar } from './frame/StatusBar.tsx'
import { useShortcuts } from './frame/shortcuts.ts'
import { WindowMenu } from './frame/WindowMenu.tsx'
import { loadLater, preloadScreens, screens } from './screens.tsx'
import { ErrorBoundary } from './ui/ErrorBoundary.tsx'
import { Skeleton } from './ui/Notice.tsx'

export function App({ hasKey }: { hasKey: boolean }) {
  const connection = useFeed((feed) => feed.connection)
  const known = useFeed((feed) => feed.world !== null)
  if (!hasKey) return <SignIn refusal={null} />
  if (connection === 'refused') return <Refused />
  if (connection === 'gone') return <WorldGone />
  if (!known && connection === 'lost') return <SignIn refusal="silent" />
  return <Window />
}

function Refused() {
  const refusal = useFeed((feed) => feed.refusal)
  return <SignIn refusal={refusal ?? 'silent'} />
}

function Window() {
  const screen = useRoute((view) => view.screen)
  const record = useRoute((view) => view.record)
  const isFinding = useFind(({ open }) => open)
  useShortcuts()

  useEffect(() => {
    document.title = ['Sandbank', shownWorld(), screen && nameOf(screen), record].filter(Boolean).join(' · ')
    announce('')
  }, [screen, record])
  useEffect(() => preloadScreens(palette.load, connect.load, shortcutsDialog.load, findBar.load), [])

  const CurrentScreen = screen === null ? NotFound : screens[screen].component
  return (
    <div className={styles.window}>
      <Suspense fallback={null}>{isFinding && <findBar.component />}</Suspense>
      <ProgramSwitch />
      <ClockBar />
      <Navigation />
      <LineOfTime />
      <div className={styles.banners}>
        <ConnectionNotice />
        <FileDrop />
      </div>
      <main className={styles.main} tabIndex={-1}>
        <ErrorBoundary key={screen} what={screen === null ? 'This page' : nameOf(screen)}>
          <Suspense fallback={<Skeleton />}>
            <CurrentScreen />
            <FocusOnNavigation />
          </Suspense>
        </ErrorBoundary>
      </main>
      <StatusBar />
      <Late open={usePalette(({ open }) => open)} component={palette.component} />
      <WindowMenu />
      <Late open={useConnect(({ shown }) => shown)} component={connect.component} />
      <Late open={useShortcutsShown(({ shown }) => shown)} component={shortcutsDialog.component} />
      <Late open={useTrial(({ open }) => open)} component={tryDialog.component} />
    </div>
  )
}

const palette = loadLater(async () => (await import('./frame/palette/Palette.tsx')).Palette)
const connect = loadLater(async () => (await import('./frame/connect/Connect.tsx')).Connect)
const findBar = loadLater(async () => (await import('./frame/FindBar.tsx')).FindBar)
const tryDialog = loadLater(async () => (await import('./components/try/TryDialog.tsx')).TryDialog)
const shortcutsDialog = loadLater(async () => (await import('./frame/ShortcutsDialog.tsx')).ShortcutsDialog)

/** Loaded while the browser is idle or when first opened, then kept mounted so that its closing animation plays. */
function Late({ open, component: Component }: { open: boolean; component: ComponentType }) {
  const [wanted, setWanted] = useState(false)
  if (open && !wanted) setWanted(true)
  return <Suspense fallback={null}>{wanted && <Component />}</Suspense>
}

/** Moves the focus once a screen is rendered, also when only its record or filters change. */
function FocusOnNavigation() {
  const collection = useRoute((view) => view.collection)
  const record = useRoute((view) => view.record)
  const params = useRoute((view) => view.params)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs after each navigation.
  useEffect(focusScreen, [collection, record, params])
  return null
}
