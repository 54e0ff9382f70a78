import { useState } from 'react'
import { Undo } from '../../components/Undo.tsx'
import { markChanged, useFeed } from '../../data/feed.ts'
import { useKeptChange } from '../../data/kept-changes.ts'
import { useRoute } from '../../data/route.ts'
import { sandbox } from '../../data/sandbox.ts'
import { useQuery } from '../../data/use-query.ts'
import { formatCount, plural } from '../../format/numbers.ts'
import { formatShortInstant } from '../../format/time.ts'
import { EmptyText } from '../../ui/EmptyState.tsx'
import { Pane, ScreenBar } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { Text } from '../../ui/Text.tsx'
import { Compare } from './Compare.tsx'
import { History } from './History.tsx'
import { ResetWorld } from './ResetWorld.tsx'
import { SaveSnapshot } from './SaveSnapshot.tsx'
import { SnapshotList } from './SnapshotList.tsx'
import styles from './Snapshots.module.css'

const panes = {
  list: 'Snapshots',
  compare: 'Compare',
  history: 'History',
  reset: 'Start over',
} as const
type PaneName = keyof typeof panes

/** A restore, rewind or reset that just happened, so that it can be undone. */
interface WorldChange {
  readonly before: number
  /** Its commit. */
  readonly seq: number
  readonly text: string
  /** What the Undo button undoes, e.g. "the restore". */
  readonly name: string
}

/** Saves, compares and restores whole worlds, rewinds to a commit, and starts over with a fresh world. */
export function Snapshots() {
  const { params, filter, adjust } = useRoute()
  const pane: PaneName = params.pane?.[0] && params.pane[0] in panes ? (params.pane[0] as PaneName) : 'list'
  const { data, error, slow } = useQuery('snapshots.list', {}, ['snapshots'])
  const seq = useFeed((feed) => feed.seq)
  const [change, setChange] = useKeptChange<WorldChange>('world')
  const [savedName, setSavedName] = useState<string | null>(null)
  const [failure, setFailure] = useState<{ title: string; error: unknown } | null>(null)
  const snapshots = data?.snapshots ?? []
  const names = snapshots.map(({ name }) => name)

  const run = async (
    work: Promise<{ seq: number; now: string; changed: number }>,
    title: string,
    name: string,
  ): Promise<void> => {
    setFailure(null)
    setSavedName(null)
    try {
      const { seq: commit, now, changed } = await work
      const time = formatShortInstant(Date.parse(now))
      setChange({
        before: commit - 1,
        seq: commit,
        text: `${title}. The clock is at ${time}, ${plural(changed, 'record')} changed.`,
        name,
      })
    } catch (thrown) {
      setChange(null)
      setFailure({ title: 'The world was not changed.', error: thrown })
    }
  }
  const restore = (name: string) => run(sandbox['snapshots.restore']({ name }), `Restored ${name}`, 'the restore')
  const rewind = (to: number) =>
    run(sandbox['world.rewind']({ seq: to }), `Rewound to commit ${formatCount(to)}`, 'the rewind')

  const [a = names[0] ?? '', b = ''] = [params.a?.[0], params.b?.[0]]
  const compare = (left: string, right: string) =>
    adjust({ params: { ...params, pane: ['compare'], a: [left], b: [right] } })
  return (
    <>
      <ScreenBar>
        <h1>Snapshots</h1>
        <span className="soft cut">Save, compare, restore and rewind whole worlds</span>
      </ScreenBar>
      {failure && <Notice title={failure.title} error={failure.error} />}
      <div className={styles.result} role="status" data-filled={change || savedName ? '' : undefined}>
        {change && (
          <>
            <Text className="data wrap">{change.text}</Text>
            <Undo key={change.seq} before={change.before} seq={change.seq} what={change.name} />
          </>
        )}
        {savedName !== null && <Text className="data wrap">{`Saved snapshot ${savedName}.`}</Text>}
      </div>
      <Tabs
        className={styles.tabs}
        value={pane}
        onValueChange={(to: PaneName) => filter('pane', to === 'list' ? [] : [to])}
      >
        <TabBar
          label="Snapshots"
          className={styles.tabBar}
          tabs={Object.entries(panes).map(([value, title]) => ({
            value,
            label: `${title}${value === 'list' && names.length > 0 ? ` ${names.length}` : ''}`,
          }))}
        />
        <TabPanel value="list" className={styles.panel} tabIndex={-1}>
          <Pane aria-label="Saved snapshots">
            <SaveSnapshot
              taken={names}
              onSaved={(name) => {
                setChange(null)
                setSavedName(name)
                markChanged('snapshots')
              }}
            />
            {error !== undefined && <Notice title="The snapshots could not be listed." error={error} />}
            {!data ? (
              slow && <Skeleton />
            ) : snapshots.length === 0 ? (
              <EmptyText>
                No snapshots yet. Save one before a test: you can restore it as often as you like, and compare it with
                the world after the test.
              </EmptyText>
            ) : (
              <SnapshotList
                snapshots={snapshots}
                restore={restore}
                compare={(name) => {
                  compare(name, '')
                  // The focused button disappears with the list, so move the focus to the comparison.
                  requestAnimationFrame(() => document.querySelector<HTMLElement>('main select')?.focus())
                }}
                onError={(title, thrown) => setFailure({ title, error: thrown })}
              />
            )}
          </Pane>
        </TabPanel>
        <TabPanel value="compare" className={styles.panel} tabIndex={-1}>
          <Compare snapshots={snapshots} a={a} b={b} onSelect={compare} seq={seq} />
        </TabPanel>
        <TabPanel value="history" className={styles.panel} tabIndex={-1}>
          <History rewind={rewind} />
        </TabPanel>
        <TabPanel value="reset" className={styles.panel} tabIndex={-1}>
          <ResetWorld
            reset={(input) =>
              run(sandbox['world.reset'](input), `Started over with a fresh ${input.world} world`, 'the reset')
            }
          />
        </TabPanel>
      </Tabs>
    </>
  )
}
