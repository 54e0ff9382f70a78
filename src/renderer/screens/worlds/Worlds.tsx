import { useState } from 'react'
import { useRoute } from '../../data/route.ts'
import { useQuery } from '../../data/use-query.ts'
import { useWorlds } from '../../data/worlds.ts'
import { Pane, ScreenBar } from '../../ui/Layout.tsx'
import { Notice, Skeleton } from '../../ui/Notice.tsx'
import { TabBar, TabPanel, Tabs } from '../../ui/Tabs.tsx'
import { CompareWorlds } from './CompareWorlds.tsx'
import { CreateWorld } from './CreateWorld.tsx'
import { WorldList } from './WorldList.tsx'
import styles from './Worlds.module.css'

const panes = { list: 'Worlds', compare: 'Compare' } as const
type PaneName = keyof typeof panes

/** The root world and the named ones: creates, opens, compares, keeps and drops them. */
export function Worlds() {
  const { params, adjust, filter } = useRoute()
  const pane: PaneName = params.pane?.[0] === 'compare' ? 'compare' : 'list'
  const { data, error, slow } = useWorlds()
  const snapshots = useQuery('snapshots.list', {}, ['snapshots']).data?.snapshots ?? []
  const [message, setMessage] = useState('')
  const [failure, setFailure] = useState<{ title: string; error: unknown } | null>(null)
  const worlds = data?.worlds ?? []
  const names = worlds.map(({ name }) => name)
  const report = (text: string) => {
    setFailure(null)
    setMessage(text)
  }
  const fail = (title: string, thrown: unknown) => {
    setMessage('')
    setFailure({ title, error: thrown })
  }
  const [a = '', b = names.at(-1) ?? ''] = [params.a?.[0], params.b?.[0]]
  const compare = (left: string, right: string) => {
    const about = params.about ? { about: params.about } : {}
    adjust({ params: { ...about, pane: ['compare'], a: [left], b: [right] } })
  }
  return (
    <>
      <ScreenBar>
        <h1>Worlds</h1>
        <span className="soft cut">Isolated worlds, each with its own records, clock, keys and address</span>
      </ScreenBar>
      {failure && <Notice title={failure.title} error={failure.error} />}
      <p className={styles.result} role="status" data-filled={message === '' ? undefined : ''}>
        {message}
      </p>
      <Tabs
        className={styles.tabs}
        value={pane}
        onValueChange={(to: PaneName) => filter('pane', to === 'list' ? [] : [to])}
      >
        <TabBar
          label="Worlds"
          tabs={Object.entries(panes).map(([value, title]) => ({
            value,
            label: value === 'list' && names.length > 0 ? `${title} ${names.length + 1}` : title,
          }))}
        />
        <TabPanel value="list" className={styles.panel} tabIndex={-1}>
          <Pane aria-label="Worlds of this sandbox">
            <CreateWorld
              names={names}
              snapshots={snapshots.filter(({ trouble }) => trouble === undefined).map(({ name }) => name)}
              onCreated={(name) => report(`Created ${name}.`)}
            />
            {error !== undefined && <Notice title="The worlds could not be listed." error={error} />}
            {!data ? (
              slow && <Skeleton />
            ) : (
              <WorldList
                worlds={worlds}
                compare={(name) => compare('', name)}
                onDropped={(name) => report(`Dropped ${name}.`)}
                onError={fail}
              />
            )}
          </Pane>
        </TabPanel>
        <TabPanel value="compare" className={styles.panel} tabIndex={-1}>
          <CompareWorlds
            {...{ names, a, b }}
            about={params.about?.[0]}
            onSelect={compare}
            onDropped={(dropped) => {
              adjust({ params: {} })
              report(`Dropped ${dropped}.`)
            }}
            onError={fail}
          />
        </TabPanel>
      </Tabs>
    </>
  )
}
