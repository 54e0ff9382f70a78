import { useState } from 'react'
import { Undo } from '../../components/Undo.tsx'
import { markChanged, useFeed } from '../../data/feed.ts'
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
  kept: 'Kept worlds',
  compare: 'Compare',
  history: 'Back to an earlier moment',
  again: 'Begin again',
} as const
type PaneName = keyof typeof panes

/** What was done to the world as a whole, with the way back. */
interface Done {
  readonly seq: number
  readonly words: string
  readonly what: string
}

/** Whole worlds: kept under names, compared, brought back, begun anew. */
export function Snapshots() {
  const { params, filter, adjust } = useRoute()
  const pane: PaneName = params.pane?.[0] && params.pane[0] in panes ? (params.pane[0] as PaneName) : 'kept'
  const { data, error, slow } = useQuery('snapshots.list', {}, ['snapshots'])
  const seq = useFeed((feed) => feed.seq)
  const [done, setDone] = useState<Done | null>(null)
  const [kept, setKept] = useState<string | null>(null)
  const [failure, setFailure] = useState<{ title: string; error: unknown } | null>(null)
  const snapshots = data?.snapshots ?? []
  const names = snapshots.map(({ name }) => name)

  const change = async (
    work: Promise<{ seq: number; now: string; changed: number }>,
    words: string,
    what: string,
  ): Promise<void> => {
    setFailure(null)
    setKept(null)
    try {
      const { seq: did, now, changed } = await work
      const others = `${plural(changed, 'record')} ${changed === 1 ? 'is another' : 'are others'} now`
      setDone({ seq: did, words: `${words}: it is ${formatShortInstant(Date.parse(now))}, and ${others}.`, what })
    } catch (thrown) {
      setDone(null)
      setFailure({ title: 'The world was left as it is.', error: thrown })
    }
  }
  const restore = (name: string) => change(sandbox['snapshots.restore']({ name }), `${name} is restored`, 'the restore')
  const rewind = (to: number) =>
    change(sandbox['world.rewind']({ seq: to }), `Back to after commit ${formatCount(to)}`, 'going back')

  const [a = names[0] ?? '', b = ''] = [params.a?.[0], params.b?.[0]]
  const compare = (left: string, right: string) =>
    adjust({ params: { ...params, pane: ['compare'], a: [left], b: [right] } })
  return (
    <>
      <ScreenBar>
        <h1>Snapshots</h1>
        <span className="soft cut">Whole worlds: kept, compared, brought back</span>
      </ScreenBar>
      {failure && <Notice title={failure.title} error={failure.error} />}
      <div className={styles.result} role="status" data-said={done || kept ? '' : undefined}>
        {done && (
          <>
            <Text className="data wrap">{done.words}</Text>
            <Undo key={done.seq} before={done.seq - 1} did={done.seq} what={done.what} />
          </>
        )}
        {kept !== null && <Text className="data wrap">{`This world is kept as ${kept}.`}</Text>}
      </div>
      <Tabs
        className={styles.tabs}
        value={pane}
        onValueChange={(to: PaneName) => filter('pane', to === 'kept' ? [] : [to])}
      >
        <TabBar
          label="Snapshots"
          className={styles.tabBar}
          tabs={Object.entries(panes).map(([value, words]) => ({
            value,
            label: `${words}${value === 'kept' && names.length > 0 ? ` ${names.length}` : ''}`,
          }))}
        />
        <TabPanel value="kept" className={styles.panel} tabIndex={-1}>
          <Pane aria-label="Kept worlds">
            <SaveSnapshot
              taken={names}
              onKept={(name) => {
                setDone(null)
                setKept(name)
                markChanged('snapshots')
              }}
            />
            {error !== undefined && <Notice title="The kept worlds could not be listed." error={error} />}
            {!data ? (
              slow && <Skeleton />
            ) : snapshots.length === 0 ? (
              <EmptyText>
                No world is kept yet. Keep one before a test: it can be restored as often as you like, and compared with
                what came of it.
              </EmptyText>
            ) : (
              <SnapshotList
                snapshots={snapshots}
                restore={restore}
                compare={(name) => {
                  compare(name, '')
                  // Its button goes with the list: whoever goes by keys goes on at the comparison.
                  requestAnimationFrame(() => document.querySelector<HTMLElement>('main select')?.focus())
                }}
                failed={(title, thrown) => setFailure({ title, error: thrown })}
              />
            )}
          </Pane>
        </TabPanel>
        <TabPanel value="compare" className={styles.panel} tabIndex={-1}>
          <Compare snapshots={snapshots} a={a} b={b} choose={compare} seq={seq} />
        </TabPanel>
        <TabPanel value="history" className={styles.panel} tabIndex={-1}>
          <History rewind={rewind} />
        </TabPanel>
        <TabPanel value="again" className={styles.panel} tabIndex={-1}>
          <ResetWorld
            reset={(input) => change(sandbox['world.reset'](input), `A fresh ${input.world} world`, 'beginning again')}
          />
        </TabPanel>
      </Tabs>
    </>
  )
}
